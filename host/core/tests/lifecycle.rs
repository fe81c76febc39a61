//! How actors come to be and end, under the simulator.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, Crash, CrashKind, ExitReason, RestartType, SendError, StopMode,
    dead_letters::DeadReason,
    node::{Place, Stopped},
    observe::Event,
};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::atomic::Ordering,
    task::{Context, Poll, Waker},
};
use world::{
    Cmd, World, take, template,
    ties::{OnStop, Tie, args, set_node},
};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

fn temporary() -> ChildSpec {
    ChildSpec {
        restart: RestartType::Temporary,
        ..template()
    }
}

/// Runs two at the same time.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut of_a, mut of_b) = (None, None);
    poll_fn(|cx| {
        if of_a.is_none()
            && let Poll::Ready(out) = a.as_mut().poll(cx)
        {
            of_a = Some(out);
        }
        if of_b.is_none()
            && let Poll::Ready(out) = b.as_mut().poll(cx)
        {
            of_b = Some(out);
        }
        if of_a.is_some() && of_b.is_some() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    (of_a.unwrap(), of_b.unwrap())
}

/// Lets 10 ms pass every thousand steps, since a world with a spinner never stands
/// still. Gives the time that passed.
fn drive<F: Future>(w: &mut World, future: F) -> (F::Output, u64) {
    let begun_ms = w.sim.clock_ms();
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return (output, w.sim.clock_ms() - begun_ms);
        }
        for _ in 0..1_000 {
            w.sim.step();
        }
        w.sim.clock.advance_to(w.sim.clock_ms() + 10);
        w.sim.timers.fire();
        assert!(w.sim.clock_ms() - begun_ms < 600_000, "it does not end");
    }
}

fn stopping_lines(w: &World) -> Vec<String> {
    let log = &w.record.lock().log;
    let lines = log.iter().filter(|line| line.starts_with("stopping"));
    lines.cloned().collect()
}

#[test]
fn c46_two_that_stop_each_other_at_the_same_time_are_each_heard_of_once() {
    for_seeds(|mut w| {
        let watcher = w.spawn("watcher");
        let (a, b) = (
            w.spawn_spec("a", temporary()),
            w.spawn_spec("b", temporary()),
        );
        w.tie(watcher, [Tie::Watch(a.0), Tie::Watch(b.0)]);
        w.tie(a, [Tie::Watch(b.0)]);
        w.tie(b, [Tie::Watch(a.0)]);
        w.tell_now(
            a,
            Cmd::Stop {
                to: b.0,
                kill: false,
            },
        );
        w.tell_now(
            b,
            Cmd::Stop {
                to: a.0,
                kill: false,
            },
        );
        w.sim.settle();
        // Whoever was stopped before its own turn has not stopped the other.
        let node = w.node.clone();
        for id in [a, b] {
            w.sim.block_on(node.stop(id, StopMode::Now, None));
        }
        let downs = w.ask(watcher, Cmd::Downs);
        let mut heard: Vec<_> = downs.split(',').map(str::to_string).collect();
        heard.sort();
        let mut expected = [a, b].map(|id| format!("{} shutdown", id.0));
        expected.sort();
        assert_eq!(heard, expected);
        w.close();
    });
}

#[test]
fn c46_two_orders_at_once_end_both_ways_of_a_watch() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        w.tie(a, [Tie::Watch(b.0)]);
        w.tie(b, [Tie::Watch(a.0)]);
        let node = w.node.clone();
        let (of_a, of_b) = w.sim.block_on(both(
            node.stop(a, StopMode::Drain, None),
            node.stop(b, StopMode::Drain, None),
        ));
        assert_eq!(
            (of_a.unwrap().reason, of_b.unwrap().reason),
            (ExitReason::Shutdown, ExitReason::Shutdown)
        );
        w.close();
    });
}

#[test]
fn c51_the_hook_runs_once_with_the_reason_and_what_it_asks_for_is_done() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        for (name, mode) in [("d", StopMode::Drain), ("n", StopMode::Now)] {
            let id = w.spawn(name);
            w.sim.block_on(node.stop(id, mode, None));
        }
        let own = w.spawn_spec("own", temporary());
        assert_eq!(w.ask(own, Cmd::StopSelf), "bye");
        let killed = w.spawn("k");
        w.kill(killed);
        let crashed = w.spawn_spec("c", temporary());
        assert!(w.ask(crashed, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert_eq!(
            stopping_lines(&w),
            [
                "stopping /d shutdown",
                "stopping /n shutdown",
                "stopping /own normal"
            ]
        );
        w.close();
    });
}

#[test]
fn c51_the_hook_runs_before_a_restart_that_was_ordered() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let a = w.spawn("a");
        assert_eq!(w.sim.block_on(node.restart(a, 1_000)), Some(1));
        assert_eq!(stopping_lines(&w), ["stopping /a shutdown"]);
        assert_eq!(w.ask(a, Cmd::Count), "0", "a fresh life");
        // One that does not end is abandoned after the actor's shutdown time.
        w.tie(a, [Tie::OnStop(OnStop::Hang)]);
        let before = w.sim.clock_ms();
        assert_eq!(w.sim.block_on(node.restart(a, 60_000)), Some(2));
        let took_ms = w.sim.clock_ms() - before;
        assert!((5_000..=5_001).contains(&took_ms), "its own shutdown time");
        w.close();
    });
}

#[test]
fn c51_a_restart_that_was_ordered_kills_a_turn_that_does_not_end() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let brutal = ChildSpec {
            shutdown_ms: 0,
            ..template()
        };
        for (nth, (spec, wait_ms)) in [(template(), 5_000), (brutal, 0)].into_iter().enumerate() {
            let id = w.spawn_spec(&format!("a{nth}"), spec);
            let sleep = |ms| Cmd::Sleep { ms, times: 1 };
            w.tell_now(id, sleep(60_000));
            w.sim.settle();
            w.tell(id, Cmd::Add(1)).unwrap();
            let before = w.sim.clock_ms();
            assert_eq!(w.sim.block_on(node.restart(id, 1_000)), Some(1));
            assert!(w.sim.clock_ms() - before <= wait_ms + 1);
            // Its mailbox and address stay; the one message is lost, and is seen.
            assert_eq!(w.ask(id, Cmd::Add(0)), "1");
            let killed = w.node.dead_letters().count(DeadReason::Killed);
            assert_eq!(killed, nth as u64 + 1);
            // A turn that ends in time costs no kill, and only one life.
            if wait_ms > 0 {
                w.tell_now(id, sleep(wait_ms / 2));
                w.sim.settle();
                assert_eq!(w.sim.block_on(node.restart(id, 1_000)), Some(2));
                let later = w.sim.clock_ms() + 120_000;
                w.sim.run_until(later);
                assert_eq!(node.actor(id).unwrap().restarts, 2);
            }
        }
        w.close();
    });
}

#[test]
fn c51_a_hook_that_crashes_does_not_block_the_stop() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let id = w.spawn("a");
        w.tie(id, [Tie::OnStop(OnStop::Crash)]);
        let reason = w.sim.block_on(node.stop(id, StopMode::Now, None));
        assert_eq!(reason.unwrap().reason, ExitReason::Shutdown);
        assert_eq!(w.sim.clock_ms(), 0);
        assert_eq!(node.totals().crashes, 1, "and is reported");
        w.close();
    });
}

#[test]
fn c51_a_hook_that_does_not_end_is_abandoned() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        // Ordered from outside.
        let id = w.spawn("a");
        w.tie(id, [Tie::OnStop(OnStop::Hang)]);
        let reason = w.sim.block_on(node.stop(id, StopMode::Now, Some(60_000)));
        assert_eq!(reason.unwrap().reason, ExitReason::Killed);
        assert_eq!(w.sim.clock_ms(), 5_000, "its own shutdown time");
        // By itself, where nobody waits for it.
        let own = w.spawn_spec("own", temporary());
        w.tie(own, [Tie::OnStop(OnStop::Hang)]);
        w.tell_now(own, Cmd::StopSelf);
        let later = w.sim.clock_ms() + 5_000;
        w.sim.run_until(later);
        assert!(node.actor(own).is_none());
        let ended = |event: &Event| match event {
            Event::Ended {
                subject, reason, ..
            } if subject.id == own => Some(reason.to_string()),
            _ => None,
        };
        let ends: Vec<_> = w.events.0.lock().iter().filter_map(ended).collect();
        assert_eq!(ends, ["normal"]);
        w.close();
    });
}

#[test]
fn c55_spawns_from_init_from_a_handler_and_ten_thousand_at_once() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let spec = ChildSpec {
            args: args(&[Tie::Spawn { link: false }, Tie::Spawn { link: true }]),
            ..template()
        };
        let a = w.spawn_spec("a", spec);
        w.sim.settle();
        assert_eq!(node.actors("/a", 10).1, 3, "two born in init");
        let child = ActorId(w.tie(a, [Tie::Spawn { link: false }]).parse().unwrap());
        assert_eq!(w.ask(child, Cmd::Add(1)), "1");
        assert_eq!(node.actors("/a", 10).1, 4);
        w.close();
    });
    let mut w = World::new(55);
    let a = w.spawn("a");
    let births = vec![Tie::Spawn { link: false }; 10_001];
    let results = w.tie(a, births);
    let results: Vec<_> = results.split(',').collect();
    assert_eq!(results[10_000], "quota");
    let ids: Vec<ActorId> = results[..10_000]
        .iter()
        .map(|id| ActorId(id.parse().unwrap()))
        .collect();
    w.sim.settle();
    assert_eq!(w.node.totals().actors, 10_001);
    for id in ids.iter().step_by(97) {
        assert_eq!(w.ask(*id, Cmd::Add(1)), "1");
    }
    // One that ends makes room for one.
    w.kill(ids[5]);
    assert!(
        w.tie(a, [Tie::Spawn { link: false }])
            .parse::<u64>()
            .is_ok()
    );
    assert_eq!(w.tie(a, [Tie::Spawn { link: false }]), "quota");
    w.close();
}

#[test]
fn c56_a_hundred_thousand_lives_leave_nothing() {
    const AT_ONCE: u64 = 100;
    let mut w = World::new(56);
    let keeper = w.spawn("keeper");
    let watching = w.spawn("watching");
    let node = w.node.clone();
    for round in 0..1_000 {
        let ids: Vec<ActorId> = (0..AT_ONCE)
            .map(|n| {
                let spec = ChildSpec {
                    args: args(&[
                        Tie::Watch(keeper.0),
                        Tie::Link(keeper.0),
                        Tie::Register(format!("name-{n}")),
                        Tie::Join("g".into()),
                        Tie::Join(format!("g-{n}")),
                    ]),
                    ..temporary()
                };
                w.spawn_spec(&format!("a{n}"), spec)
            })
            .collect();
        if round % 100 == 0 {
            let of_keeper = node.actor(keeper).unwrap();
            assert_eq!((of_keeper.watchers, of_keeper.links), (AT_ONCE, AT_ONCE));
            assert_eq!((node.names().len(), node.groups().len()), (100, 101));
            w.tie(watching, [Tie::Watch(ids[0].0), Tie::Watch(ids[1].0)]);
        }
        for (n, &id) in ids.iter().enumerate() {
            match n % 4 {
                // Without its links, an end that is not normal is the keeper's too.
                0 => {
                    w.tie_now(id, [Tie::Unlink(keeper.0)]);
                    w.tell_now(id, Cmd::Crash);
                }
                1 => w.tell_now(id, Cmd::StopSelf),
                2 => w.tie_now(id, [Tie::Unlink(keeper.0), Tie::StopSelf('k')]),
                _ => w.tie_now(id, [Tie::StopSelf('n')]),
            }
        }
        w.sim.settle();
        w.record.lock().log.clear();
        // Those of dead letters are counted at the end.
        let mut events = w.events.0.lock();
        events.retain(|event| matches!(event, Event::DeadLetter(_)));
    }
    let of_keeper = node.actor(keeper).unwrap();
    assert_eq!(
        (of_keeper.watchers, of_keeper.links, of_keeper.restarts),
        (0, 0, 0)
    );
    assert_eq!((node.names(), node.groups()), (vec![], vec![]));
    let totals = node.totals();
    assert_eq!((totals.actors, totals.live), (2, 2));
    assert_eq!(w.instances.load(Ordering::SeqCst), 2);
    assert!(w.sim.timers.is_empty());
    assert_eq!(
        w.ask(watching, Cmd::Downs).split(',').count(),
        20,
        "one for each watch"
    );
    w.close();
}

#[test]
fn c57_an_actor_that_stops_itself_still_replies() {
    for_seeds(|mut w| {
        for (n, mode) in ['d', 'n', 'k'].into_iter().enumerate() {
            let id = w.spawn_spec(&format!("a{n}"), temporary());
            assert_eq!(w.tie(id, [Tie::StopSelf(mode)]), "ok", "{mode}");
            w.sim.settle();
            assert!(w.node.actor(id).is_none());
        }
        w.close();
    });
}

#[test]
fn c58_a_stop_is_the_same_however_often_and_of_whomever() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let told = |path: &str, reason: ExitReason, already| {
            let path = path.into();
            Some(Stopped {
                path,
                reason,
                already,
            })
        };
        let shutdown = |already| told("/a", ExitReason::Shutdown, already);
        // Twice in parallel.
        let a = w.spawn("a");
        w.tell_now(a, take(0, 1));
        let stop = || node.stop(a, StopMode::Now, None);
        let ends = w.sim.block_on(both(stop(), stop()));
        assert_eq!(ends, (shutdown(false), shutdown(false)));
        assert_eq!(stopping_lines(&w), ["stopping /a shutdown"], "one hook");
        // One that has stopped, or has crashed for good, or never was.
        let crashed = w.spawn_spec("crashed", temporary());
        assert!(w.ask(crashed, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        let cause = Crash::new(CrashKind::Panic, "ordered");
        let by_crash = told("/crashed", cause.into(), true);
        for mode in [StopMode::Drain, StopMode::Now, StopMode::Kill] {
            let mut stop = |id| w.sim.block_on(node.stop(id, mode, None));
            assert_eq!(stop(a), shutdown(true));
            assert_eq!(stop(crashed), by_crash, "not stopped by this order");
            assert_eq!(stop(ActorId(99_999)), None);
        }
        // One that is between two lives, or about to be.
        for (n, mode) in [StopMode::Drain, StopMode::Now, StopMode::Kill]
            .into_iter()
            .enumerate()
        {
            let id = w.spawn(&format!("r{n}"));
            w.tell_now(id, Cmd::Crash);
            for _ in 0..n {
                w.sim.step();
            }
            let stopped = w.sim.block_on(node.stop(id, mode, None)).unwrap();
            let reason = stopped.reason;
            // The crash may be the last thing that a drain comes to.
            let drained = mode == StopMode::Drain && matches!(reason, ExitReason::Crashed(_));
            let ordered = matches!(reason, ExitReason::Shutdown | ExitReason::Killed);
            assert!(ordered || drained, "{reason}");
            assert_eq!(w.tell(id, Cmd::Count), Err(SendError::Stopped));
        }
        assert_eq!(w.sim.clock_ms(), 0, "nobody waited");
        w.close();
    });
}

#[test]
fn c58_stopped_is_said_when_everything_is_free() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        for mode in [StopMode::Drain, StopMode::Now, StopMode::Kill] {
            let id = w.spawn("a");
            let acts = [
                Tie::Register("x".into()),
                Tie::Join("g".into()),
                Tie::Spawn { link: false },
                Tie::OnStop(OnStop::Hang),
            ];
            w.tie(id, acts);
            w.sim.settle();
            assert_eq!(node.totals().actors, 2);
            w.sim.block_on(node.stop(id, mode, Some(100)));
            // At this very moment, before anything else runs.
            assert_eq!((node.totals().actors, node.totals().live), (0, 0));
            assert_eq!(w.instances.load(Ordering::SeqCst), 0);
            assert_eq!((node.resolve("x"), node.resolve("/a")), (None, None));
            assert_eq!(node.groups(), []);
        }
        w.close();
    });
}

#[test]
fn c59_a_shutdown_is_bounded_parallel_and_names_the_killed() {
    for seed in 0..5 {
        let mut w = World::new(seed);
        let node = w.node.clone();
        let asks = w.spawn("asks");
        let ignores = w.spawn("ignores");
        let spins = w.spawn("spins");
        for n in 0..100 {
            w.spawn(&format!("good{n}"));
        }
        w.tie(ignores, [Tie::OnStop(OnStop::Hang)]);
        w.tell_now(spins, Cmd::Spin);
        let timeout_ms = 600_000;
        w.tell_now(
            asks,
            Cmd::Ask {
                to: spins.0,
                timeout_ms,
            },
        );
        for _ in 0..1_000 {
            w.sim.step();
        }
        let (summary, took_ms) = drive(&mut w, node.shutdown(30_000));
        let killed: Vec<_> = summary.killed.iter().map(|path| &**path).collect();
        assert_eq!(killed, ["/asks", "/ignores", "/spins"]);
        assert_eq!(summary.stopped, 103);
        // Three times the shutdown time if they waited for each other.
        assert!((5_000..5_500).contains(&took_ms), "{took_ms}");
        assert_eq!(stopping_lines(&w).len(), 101);
        w.close();
    }
}

#[test]
fn c59_the_time_of_a_shutdown_bounds_it_all() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let slow = ChildSpec {
            shutdown_ms: 3_600_000,
            ..template()
        };
        let id = w.spawn_spec("slow", slow);
        w.tie(id, [Tie::OnStop(OnStop::Hang), Tie::Spawn { link: false }]);
        let summary = w.sim.block_on(node.shutdown(1_000));
        assert_eq!(w.sim.clock_ms(), 1_000);
        assert!(summary.killed.contains(&"/slow".into()), "{summary:?}");
        w.close();
    });
}

#[test]
fn c59_an_actor_may_ask_for_the_shutdown() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        set_node(node.clone());
        let asker = w.spawn("asker");
        for n in 0..10 {
            w.spawn(&format!("a{n}"));
        }
        // It waits for an end that includes its own, and is killed for it.
        w.tell_now(asker, Cmd::ShutDown { timeout_ms: 1_000 });
        w.sim.run_until(2_000);
        assert_eq!(node.totals().actors, 0);
        assert_eq!(stopping_lines(&w).len(), 10);
        w.close();
    });
}

#[test]
fn c59_a_second_shutdown_with_less_time_holds() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let slow = ChildSpec {
            shutdown_ms: 3_600_000,
            ..template()
        };
        let id = w.spawn_spec("slow", slow);
        w.tie(id, [Tie::OnStop(OnStop::Hang)]);
        let two = both(node.shutdown(600_000), node.shutdown(10));
        w.sim.block_on(two);
        assert_eq!(w.sim.clock_ms(), 10);
        w.close();
    });
}

/// A kill that comes before the first life has begun is a failed start: whoever
/// started it is told, and does not wait for ever.
#[test]
fn a_kill_before_the_first_life_fails_the_start() {
    let mut early = 0;
    for seed in 0..200 {
        let mut w = World::new(seed);
        let killer = w.spawn("killer");
        let node = w.node.clone();
        let place = Place::Root { behaviour: "b" };
        let mut spawn = Box::pin(async move { node.spawn(place, Some("a"), None, None).await });
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(spawn.as_mut().poll(&mut cx).is_pending());
        let a = w.node.resolve("/a").expect("it has its path");
        let stop = Cmd::Stop {
            to: a.0,
            kill: true,
        };
        w.tell_now(killer, stop);
        w.sim.settle();
        match w.sim.block_on(spawn) {
            Ok(_) => assert_eq!(w.node.actor(a).unwrap().restarts, 1),
            Err(_) => {
                early += 1;
                assert!(w.node.actor(a).is_none(), "nothing is left of it");
            }
        }
        w.close();
    }
    assert!(early > 0, "some kill comes first");
}
