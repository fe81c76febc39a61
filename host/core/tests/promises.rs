//! The promises of the machine, one by one, under the simulator.

mod world;

use std::future::Future as _;

use actorhost_core::{
    ActorId, ExitReason, MailboxSpec, Overflow, SendError, StopMode,
    dead_letters::DeadReason,
    node::{Place, SwapError},
    observe::{Ending, Event},
    spec::{Directive, RestartBudget},
    supervisor::{ChildEntry, SupervisorSpec},
};
use world::{Cmd, SEEDS, World, for_seeds, module, template};

fn supervised(names: &[&str], budget: RestartBudget) -> SupervisorSpec {
    SupervisorSpec {
        budget,
        children: names
            .iter()
            .map(|name| ChildEntry::actor(name, template()))
            .collect(),
        ..SupervisorSpec::new("s")
    }
}

#[test]
fn c10_a_poison_child_uses_up_its_own_budget_only() {
    let mut w = World::new(10);
    let node = w.node.clone();
    let budget = RestartBudget {
        intensity: 2,
        period_ms: 5_000,
    };
    node.add_pool("p", template(), budget).unwrap();
    let ids: Vec<ActorId> = (0..1_000)
        .map(|n| {
            let name = format!("c{n}");
            let place = Place::Pool { pool: "p" };
            w.sim
                .block_on(node.spawn(place, Some(&name), None, None))
                .unwrap()
                .id
        })
        .collect();
    for &id in &ids {
        w.tell(id, Cmd::Add(1)).unwrap();
    }
    for _ in 0..3 {
        assert!(w.ask(ids[500], Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
    }
    assert!(node.actor(ids[500]).is_none());
    let exhausted = w.events.0.lock().iter().any(|event| {
        matches!(event, Event::Ended { subject, how: Ending::BudgetExhausted, .. } if subject.id == ids[500])
    });
    assert!(exhausted, "its end is reported as a used-up budget");
    for (n, &id) in ids.iter().enumerate().filter(|&(n, _)| n != 500) {
        assert_eq!(w.ask(id, Cmd::Add(0)), "1", "child {n}");
    }
    w.close();
}

#[test]
fn c20_a_full_mailbox_rejects_and_harms_nobody() {
    for_seeds(|mut w| {
        let mailbox = MailboxSpec {
            capacity: 2,
            overflow: Overflow::Reject,
            ..MailboxSpec::default()
        };
        let busy = w.spawn_spec(
            "busy",
            actorhost_core::ChildSpec {
                mailbox,
                ..template()
            },
        );
        let sender = w.spawn("sender");
        // One in the handler, then two wait.
        w.tell(busy, Cmd::Spin).unwrap();
        for _ in 0..5 {
            w.sim.step();
        }
        assert_eq!(
            w.ask(
                sender,
                Cmd::Flood {
                    to: busy.0,
                    times: 3
                }
            ),
            "full"
        );
        assert_eq!(w.tell(busy, Cmd::Count), Err(SendError::Full));
        assert_eq!(w.ask(sender, Cmd::Count), "1", "the sender goes on");
        assert!(w.node.totals().refused_full >= 2);
        w.kill(busy);
        w.close();
    });
}

#[test]
fn c21_block_waits_for_room_or_the_deadline() {
    for_seeds(|mut w| {
        let mailbox = MailboxSpec {
            capacity: 1,
            overflow: Overflow::Block { timeout_ms: 100 },
            ..MailboxSpec::default()
        };
        let spec = actorhost_core::ChildSpec {
            mailbox,
            ..template()
        };
        let slow = w.spawn_spec("slow", spec.clone());
        let sender = w.spawn("sender");
        assert_eq!(
            w.ask(
                sender,
                Cmd::Flood {
                    to: slow.0,
                    times: 1
                }
            ),
            "ok"
        );
        // More than it can hold within one turn: what the turn holds leaves before it
        // waits, so that the sender does not wait for itself.
        let flood = |to: ActorId, times| Cmd::Flood { to: to.0, times };
        let before = w.sim.clock_ms();
        assert_eq!(w.ask(sender, flood(slow, 20)), "ok");
        assert_eq!(w.sim.clock_ms(), before, "nobody had to wait");
        // Nor do several for each other.
        let others: Vec<_> = (0..3).map(|n| w.spawn(&format!("s{n}"))).collect();
        for &other in &others {
            w.tell(other, flood(slow, 20)).unwrap();
        }
        w.sim.settle();
        assert_eq!(w.sim.clock_ms(), before);
        assert_eq!(w.ask(slow, Cmd::Add(0)), "81");
        // One that is busy for longer than the deadline.
        w.tell_now(slow, Cmd::Sleep { ms: 250, times: 1 });
        assert_eq!(w.ask(sender, flood(slow, 2)), "full");
        assert_eq!(w.sim.clock_ms(), before + 100);
        let later = before + 250;
        w.sim.run_until(later);
        assert_eq!(w.ask(slow, Cmd::Add(0)), "82");
        // Two that block each other.
        let a = w.spawn_spec("a", spec.clone());
        let b = w.spawn_spec("b", spec);
        w.tell(a, Cmd::Flood { to: b.0, times: 2 }).unwrap();
        w.tell(b, Cmd::Flood { to: a.0, times: 2 }).unwrap();
        let later = w.sim.clock_ms() + 1_000;
        w.sim.run_until(later);
        assert_eq!(
            w.node.actor(a).unwrap().queued + w.node.actor(b).unwrap().queued,
            0
        );
        w.close();
    });
}

#[test]
fn c25_a_crash_loses_only_the_message_being_handled() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        let stream: Vec<Cmd> = (0..100)
            .map(|seq| Cmd::Take {
                from: 0,
                seq,
                crash: seq % 7 == 3,
                yields: 0,
            })
            .collect();
        for cmd in stream {
            w.tell(id, cmd).unwrap();
        }
        w.sim.settle();
        let taken: Vec<u64> = w
            .record
            .lock()
            .taken
            .iter()
            .map(|&(_, _, seq)| seq)
            .collect();
        let expected: Vec<u64> = (0..100).filter(|seq| seq % 7 != 3).collect();
        assert_eq!(taken, expected);
        assert_eq!(w.node.dead_letters().count(DeadReason::Crashed), 14);
        w.close();
    });
}

#[test]
fn c26_messages_to_the_stopped_are_dead_letters() {
    let mut w = World::new(26);
    let id = w.spawn("a");
    let sender = w.spawn("sender");
    let node = w.node.clone();
    let stopped = w.sim.block_on(node.stop(id, StopMode::Now, None)).unwrap();
    assert_eq!(stopped.reason, ExitReason::Shutdown);
    assert_eq!(w.ask(sender, Cmd::Flood { to: id.0, times: 1 }), "stopped");
    assert_eq!(w.tell(id, Cmd::Count), Err(SendError::Stopped));
    assert_eq!(
        w.tell(ActorId(999_999), Cmd::Count),
        Err(SendError::NoSuchActor)
    );
    let letters = node.dead_letters().newest(3);
    assert_eq!(letters[2].reason, DeadReason::Stopped);
    assert_eq!(&*letters[2].to_path, "/a");
    assert_eq!(
        letters[2].sender.as_ref().map(|(_, path)| &**path),
        Some("/sender")
    );
    assert_eq!(letters[0].reason, DeadReason::NoSuchActor);
    w.close();
}

#[test]
fn c27_a_message_over_the_limit_is_refused_at_the_sender() {
    let mut w = World::new(27);
    let mut spec = template();
    spec.limits.message_bytes = 16;
    let id = w.spawn_spec("a", spec);
    let node = w.node.clone();
    let sent = w.sim.block_on(node.tell(id, vec![0; 17].into()));
    assert_eq!(sent, Err(SendError::TooLarge { limit: 16 }));
    assert_eq!(node.totals().refused_too_large, 1);
    w.close();
}

#[test]
fn c40_a_late_reply_is_a_dead_letter_and_nothing_is_kept() {
    let mut w = World::new(40);
    let id = w.spawn("a");
    let node = w.node.clone();
    for _ in 0..100_000 {
        let message = world::bytes(&Cmd::Yield(3));
        {
            let mut ask = std::pin::pin!(node.ask(id, message, 10));
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            assert!(ask.as_mut().poll(&mut cx).is_pending());
        }
        w.sim.settle();
    }
    assert_eq!(node.dead_letters().count(DeadReason::LateReply), 100_000);
    assert!(w.sim.timers.is_empty());
    w.close();
}

#[test]
fn c41_asks_of_the_crashing_the_stopping_and_the_unknown_end_at_once() {
    for_seeds(|mut w| {
        let a = w.spawn("a");
        let b = w.spawn("b");
        assert_eq!(w.ask(a, Cmd::Crash), "crashed: panic: ordered");
        assert_eq!(
            w.ask(
                a,
                Cmd::Ask {
                    to: 424_242,
                    timeout_ms: 60_000
                }
            ),
            "no-such-actor"
        );
        assert_eq!(
            w.ask(
                a,
                Cmd::Ask {
                    to: a.0,
                    timeout_ms: 60_000
                }
            ),
            "deadlock"
        );
        // An ask that waits in the mailbox of one that stops.
        w.tell(b, Cmd::Spin).unwrap();
        w.tell(
            a,
            Cmd::Ask {
                to: b.0,
                timeout_ms: 60_000,
            },
        )
        .unwrap();
        for _ in 0..50 {
            w.sim.step();
        }
        w.kill(b);
        w.sim.settle();
        assert_eq!(w.sim.clock_ms(), 0, "nobody waited for a timeout");
        w.close();
    });
}

#[test]
fn c44_a_watch_gives_exactly_one_down() {
    for_seeds(|mut w| {
        let watcher = w.spawn("watcher");
        let a = w.spawn("a");
        let b = w.spawn("b");
        for cmd in [
            Cmd::Watch(a.0),
            Cmd::Watch(a.0),
            Cmd::Watch(b.0),
            Cmd::Watch(77_777),
        ] {
            w.tell(watcher, cmd).unwrap();
        }
        w.tell(watcher, Cmd::Unwatch(b.0)).unwrap();
        w.sim.settle();
        let node = w.node.clone();
        w.sim.block_on(node.stop(a, StopMode::Now, None));
        w.sim.block_on(node.stop(b, StopMode::Now, None));
        w.sim.settle();
        let downs = w.ask(watcher, Cmd::Downs);
        assert_eq!(downs, format!("77777 no-such-actor,{} shutdown", a.0));
        // A life's watches end with it.
        let c = w.spawn("c");
        w.tell(watcher, Cmd::Watch(c.0)).unwrap();
        w.tell(watcher, Cmd::Crash).unwrap();
        w.sim.settle();
        w.sim.block_on(node.stop(c, StopMode::Now, None));
        assert_eq!(w.ask(watcher, Cmd::Downs), "");
        w.close();
    });
}

#[test]
fn c50_drain_now_and_kill() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        for (name, mode, taken, dead) in [
            ("d", StopMode::Drain, 20, 0),
            ("n", StopMode::Now, 0, 20),
            ("k", StopMode::Kill, 0, 20),
        ] {
            let id = w.spawn(name);
            w.record.lock().taken.clear();
            let dead_before = node.dead_letters().total();
            for seq in 0..20 {
                w.tell_now(
                    id,
                    Cmd::Take {
                        from: 0,
                        seq,
                        crash: false,
                        yields: 1,
                    },
                );
            }
            w.sim.block_on(node.stop(id, mode, Some(60_000)));
            assert_eq!(w.record.lock().taken.len(), taken, "{mode:?}");
            assert_eq!(node.dead_letters().total() - dead_before, dead, "{mode:?}");
        }
        w.close();
    });
}

#[test]
fn a_crash_while_draining_loses_only_its_own_message() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let budget = RestartBudget {
            intensity: 10,
            period_ms: 5_000,
        };
        w.sim
            .block_on(node.start_supervisor(supervised(&["a"], budget)))
            .unwrap();
        let supervised = node.resolve("/s/a").unwrap();
        let own = w.spawn("a");
        for id in [supervised, own] {
            w.record.lock().taken.clear();
            for seq in 0..20 {
                w.tell_now(
                    id,
                    Cmd::Take {
                        from: 0,
                        seq,
                        crash: seq % 8 == 3,
                        yields: 1,
                    },
                );
            }
            w.sim.block_on(node.stop(id, StopMode::Drain, Some(60_000)));
            let taken: Vec<u64> = w
                .record
                .lock()
                .taken
                .iter()
                .map(|&(_, _, seq)| seq)
                .collect();
            assert_eq!(
                taken,
                (0..20).filter(|seq| seq % 8 != 3).collect::<Vec<_>>()
            );
        }
        w.close();
    });
}

#[test]
fn c53_a_name_is_unique_among_the_living_and_free_again_after() {
    let mut w = World::new(53);
    let node = w.node.clone();
    let a = w.spawn("a");
    let place = Place::Root { behaviour: "b" };
    assert!(
        w.sim
            .block_on(node.spawn(place, Some("a"), None, None))
            .is_err()
    );
    w.sim.block_on(node.stop(a, StopMode::Now, None));
    let later = w.spawn("a");
    assert_ne!(a, later);
    assert_eq!(node.resolve("/a"), Some(later));
    assert_eq!(
        w.tell(a, Cmd::Count),
        Err(SendError::Stopped),
        "an old reference stays with the old"
    );
    w.close();
}

#[test]
fn turns_are_atomic() {
    for_seeds(|mut w| {
        let a = w.spawn("a");
        let b = w.spawn("b");
        w.tell(
            a,
            Cmd::Send {
                to: b.0,
                seq: 1,
                crash_there: false,
                crash_here: true,
                yields: 2,
            },
        )
        .unwrap();
        w.tell(
            a,
            Cmd::Spawn {
                name: "child".into(),
                crash: true,
            },
        )
        .unwrap();
        w.sim.settle();
        assert!(
            w.record.lock().taken.is_empty(),
            "a held tell did not leave"
        );
        assert_eq!(
            w.node.resolve("/a/child"),
            None,
            "a held spawn did not happen"
        );
        assert_eq!(w.node.totals().actors, 2);
        // The name is free, and the place in the mailbox as well.
        assert!(
            w.ask(
                a,
                Cmd::Spawn {
                    name: "child".into(),
                    crash: false
                }
            )
            .parse::<u64>()
            .is_ok()
        );
        w.tell(a, Cmd::FlushThenCrash { to: b.0 }).unwrap();
        w.sim.settle();
        assert_eq!(w.ask(b, Cmd::Add(0)), "1", "what was flushed stays done");
        assert_eq!(
            w.node.resolve("/a/child"),
            None,
            "a restart stops the children first"
        );
        w.close();
    });
}

#[test]
fn a_chain_of_spawns_is_bounded_like_a_fan() {
    let mut w = World::new(55);
    let mut spec = template();
    spec.limits.children = 2;
    let a = w.spawn_spec("a", spec);
    let spawn = |name: &str| Cmd::Spawn {
        name: name.into(),
        crash: false,
    };
    let x = ActorId(w.ask(a, spawn("x")).parse().unwrap());
    let y = ActorId(w.ask(x, spawn("y")).parse().unwrap());
    assert_eq!(w.ask(y, spawn("z")), "quota");
    assert_eq!(w.ask(a, spawn("z")), "quota");
    let node = w.node.clone();
    w.sim.block_on(node.stop(y, StopMode::Now, None));
    assert!(
        w.ask(a, spawn("z")).parse::<u64>().is_ok(),
        "an end makes room"
    );
    w.close();
}

#[test]
fn resume_goes_back_to_the_state_before_the_failing_turn() {
    for_seeds(|mut w| {
        let spec = actorhost_core::ChildSpec {
            on_crash: Directive::Resume.into(),
            ..template()
        };
        let id = w.spawn_spec("a", spec);
        assert_eq!(w.ask(id, Cmd::Add(5)), "5");
        assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
        assert_eq!(w.ask(id, Cmd::Add(0)), "5");
        w.close();
    });
}

#[test]
fn c60_c63_a_swap_keeps_state_queue_name_and_watches() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let watcher = w.spawn("watcher");
        let ids: Vec<ActorId> = (0..50).map(|n| w.spawn(&format!("a{n}"))).collect();
        for &id in &ids {
            w.tell(watcher, Cmd::Watch(id.0)).unwrap();
        }
        w.sim.settle();
        for seq in 0..40 {
            for &id in &ids {
                w.tell_now(
                    id,
                    Cmd::Take {
                        from: 0,
                        seq,
                        crash: false,
                        yields: (seq % 3) as u32,
                    },
                );
            }
        }
        let swapped = w.sim.block_on(node.swap("b", module(2), 10_000)).unwrap();
        assert_eq!((swapped.from, swapped.to), (1, 2));
        assert_eq!(swapped.outcome.swapped, 51);
        w.sim.settle();
        for &id in &ids {
            let taken = w
                .record
                .lock()
                .taken
                .iter()
                .filter(|t| t.1 == id.0)
                .map(|t| t.2)
                .collect::<Vec<_>>();
            assert_eq!(taken, (0..40).collect::<Vec<_>>());
            assert_eq!(w.ask(id, Cmd::Count), "40", "the state moved too");
            assert_eq!(node.actor(id).unwrap().version, 2);
        }
        w.sim.block_on(node.stop(ids[0], StopMode::Now, None));
        assert!(w.ask(watcher, Cmd::Downs).contains("shutdown"));
        let refused = w.sim.block_on(node.swap("b", module(2), 10_000));
        assert_eq!(refused, Err(SwapError::SameModule { number: 2 }));
        w.close();
    });
}

#[test]
fn c61_a_load_that_fails_leaves_the_actor_on_its_old_version() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let id = w.spawn("a");
        assert_eq!(w.ask(id, Cmd::Add(3)), "3");
        let bad = world::NativeModule {
            fails_load: true,
            ..module(2)
        };
        let swapped = w.sim.block_on(node.swap("b", bad, 10_000)).unwrap();
        assert_eq!(swapped.outcome.swapped, 0);
        assert_eq!(&*swapped.outcome.failed[0].0, "/a");
        assert!(swapped.outcome.failed[0].1.contains("told to"));
        assert_eq!(w.ask(id, Cmd::Add(0)), "3");
        assert_eq!(node.actor(id).unwrap().version, 1);
        w.close();
    });
}

#[test]
fn an_actor_that_refuses_to_save_is_neither_swapped_nor_harmed() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 2);
        let node = w.node.clone();
        let id = w.spawn("a");
        assert_eq!(w.ask(id, Cmd::Add(3)), "3");
        w.tell(id, Cmd::RefuseSave).unwrap();
        w.sim.settle();
        let swapped = w.sim.block_on(node.swap("b", module(2), 10_000)).unwrap();
        assert!(swapped.outcome.failed[0].1.contains("told to"));
        for n in 0..6 {
            w.spawn(&format!("other{n}"));
        }
        w.sim.settle();
        assert_eq!(w.ask(id, Cmd::Add(0)), "3", "no sleep took its state");
        assert_eq!(node.actor(id).unwrap().version, 1);
        w.close();
    }
}

#[test]
fn more_actors_than_instances_sleep_and_wake() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 4);
        let ids: Vec<ActorId> = (0..40).map(|n| w.spawn(&format!("a{n}"))).collect();
        for round in 1..=5 {
            for &id in &ids {
                assert_eq!(w.ask(id, Cmd::Add(1)), round.to_string());
            }
        }
        w.sim.settle();
        let totals = w.node.totals();
        assert!(totals.live <= 12 && totals.hibernated >= 28, "{totals:?}");
        w.close();
    }
}
