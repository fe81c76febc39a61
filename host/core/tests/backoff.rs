//! What lies between two lives: delays, hooks, and what becomes of the mailbox.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, ExitReason, StopMode,
    dead_letters::DeadReason,
    node::Place,
    observe::Event,
    spec::{Backoff, RestartBudget},
    supervisor::{ChildEntry, SupervisorSpec},
};
use world::{Cmd, World, take, template};

const BACKOFF: Backoff = Backoff {
    first_ms: 100,
    factor: 2.0,
    cap_ms: 1_000,
    jitter: 0.25,
    reset_ms: 10_000,
};

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..20 {
        test(World::new(seed));
    }
}

fn patient() -> ChildSpec {
    ChildSpec {
        backoff: Some(BACKOFF),
        own_budget: RestartBudget::UNLIMITED,
        ..template()
    }
}

fn supervised(ids: &[&str], spec: &ChildSpec, budget: RestartBudget) -> SupervisorSpec {
    let child = |id: &&str| ChildEntry::actor(id, spec.clone());
    SupervisorSpec {
        budget,
        children: ids.iter().map(child).collect(),
        ..SupervisorSpec::new("s")
    }
}

/// The same actor as a supervisor's child, in a pool, and at the root.
fn everywhere(test: impl Fn(World, ActorId)) {
    for seed in 0..20 {
        let mut w = World::new(seed);
        let node = w.node.clone();
        let id = match seed % 3 {
            0 => {
                let spec = supervised(&["a"], &patient(), RestartBudget::UNLIMITED);
                w.sim.block_on(node.start_supervisor(spec)).unwrap();
                node.resolve("/s/a").unwrap()
            }
            1 => {
                node.add_pool("s", patient(), RestartBudget::UNLIMITED)
                    .unwrap();
                let place = Place::Pool { pool: "s" };
                w.sim
                    .block_on(node.spawn(place, Some("a"), None, None))
                    .unwrap()
                    .id
            }
            _ => w.spawn_spec("a", patient()),
        };
        test(w, id);
    }
}

fn delays(w: &World) -> Vec<u64> {
    let events = w.events.0.lock();
    let delay = |event: &Event| match event {
        Event::Restarted { after_ms, .. } => Some(*after_ms),
        _ => None,
    };
    events.iter().filter_map(delay).collect()
}

#[test]
fn c11_delays_grow_to_the_cap_reset_and_messages_wait() {
    everywhere(|mut w, id| {
        for n in 0..6 {
            w.tell_now(id, Cmd::Crash);
            w.sim.settle();
            assert_eq!(w.node.actor(id).unwrap().status, "restarting");
            w.tell_now(id, take(0, n));
            let base_ms = [100, 200, 400, 800, 1_000, 1_000][n as usize];
            let begun_ms = w.sim.clock_ms();
            w.sim.run_until(begun_ms + base_ms - 1);
            assert_eq!(w.record.lock().taken.len() as u64, n, "the message waits");
            w.sim.run_until(begun_ms + base_ms * 5 / 4 + 1);
            assert_eq!(w.record.lock().taken.len() as u64, n + 1, "and is handled");
        }
        let bases = [100, 200, 400, 800, 1_000, 1_000];
        for (delay_ms, base_ms) in delays(&w).into_iter().zip(bases) {
            assert!((base_ms..=base_ms * 5 / 4).contains(&delay_ms));
        }
        // A quiet period begins them anew.
        let later = w.sim.clock_ms() + 10_000;
        w.sim.run_until(later);
        w.tell_now(id, Cmd::Crash);
        let later = w.sim.clock_ms() + 200;
        w.sim.run_until(later);
        let last = *delays(&w).last().unwrap();
        assert!((100..=125).contains(&last), "{last}");
        w.close();
    });
}

#[test]
fn c11_a_stop_during_the_wait_ends_it_at_once() {
    everywhere(|mut w, id| {
        for _ in 0..3 {
            w.tell_now(id, Cmd::Crash);
            w.sim.settle();
            let later = w.sim.clock_ms() + 100;
            w.sim.run_until(later);
        }
        w.tell_now(id, Cmd::Crash);
        w.sim.settle();
        w.tell_now(id, take(0, 0));
        let now_ms = w.sim.clock_ms();
        let node = w.node.clone();
        let reason = w.sim.block_on(node.stop(id, StopMode::Drain, None));
        assert_eq!(reason.unwrap().reason, ExitReason::Shutdown);
        assert_eq!(w.sim.clock_ms(), now_ms);
        assert!(w.sim.timers.is_empty(), "no deadline is left");
        w.close();
    });
}

#[test]
fn c17_a_child_that_crashes_on_each_start_starves_nobody() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let spec = supervised(&["bad", "good"], &patient(), RestartBudget::UNLIMITED);
        w.sim.block_on(node.start_supervisor(spec)).unwrap();
        w.record.lock().failing.insert("/s/bad".into(), u32::MAX);
        let (bad, good) = (
            node.resolve("/s/bad").unwrap(),
            node.resolve("/s/good").unwrap(),
        );
        w.tell_now(bad, Cmd::Crash);
        for _ in 0..100 {
            let later = w.sim.clock_ms() + 1_000;
            w.sim.run_until(later);
            let asked_ms = w.sim.clock_ms();
            assert_eq!(w.ask(good, Cmd::Add(0)), "0");
            assert_eq!(w.sim.clock_ms(), asked_ms, "answered without waiting");
        }
        let crashes = w.node.totals().crashes;
        assert!((80..=110).contains(&crashes), "no busy loop: {crashes}");
        assert_eq!(node.actor(bad).unwrap().status, "restarting");
        w.close();
    });
}

#[test]
fn c18_incarnations_never_overlap() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        w.record.lock().stop_ms = 500;
        w.record.lock().log.clear();
        w.tell_now(id, Cmd::StopSelf);
        let later = w.sim.clock_ms() + 499;
        w.sim.run_until(later);
        assert_eq!(w.record.lock().log, ["stopping /a normal"]);
        w.sim.run_until(later + 1);
        let log = w.record.lock().log.clone();
        assert_eq!(log, ["stopping /a normal", "stopped /a", "init /a"]);
        w.close();
    });
}

#[test]
fn c18a_references_from_before_a_crash_reach_the_new_life() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let many = RestartBudget {
            intensity: 10,
            period_ms: 1_000,
        };
        let spec = supervised(&["a"], &template(), many);
        w.sim.block_on(node.start_supervisor(spec)).unwrap();
        let id = node.resolve("/s/a").unwrap();
        let watcher = w.spawn("watcher");
        assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
        w.tell(id, Cmd::Add(1)).unwrap();
        assert_eq!(w.ask(id, Cmd::Add(1)), "2");
        w.tell(watcher, Cmd::Watch(id.0)).unwrap();
        w.sim.settle();
        assert_eq!(w.ask(watcher, Cmd::Downs), "");
        w.kill(id);
        w.sim.settle();
        assert_eq!(w.ask(watcher, Cmd::Downs), format!("{} killed", id.0));
        w.close();
    });
}

#[test]
fn c18b_a_used_up_budget_buries_what_was_queued() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let none = RestartBudget {
            intensity: 0,
            period_ms: 1_000,
        };
        let spec = supervised(&["a"], &template(), none);
        w.sim.block_on(node.start_supervisor(spec)).unwrap();
        let id = node.resolve("/s/a").unwrap();
        let sender = w.spawn("sender");
        w.tell_now(id, Cmd::Yield(50));
        w.tell_now(id, Cmd::Crash);
        let flood = Cmd::Flood {
            to: id.0,
            times: 10,
        };
        // Queued behind the crash, with the actor still in its first turn.
        w.tell_now(sender, flood);
        let asker = w.spawn("asker");
        let ask = Cmd::Ask {
            to: id.0,
            timeout_ms: 60_000,
        };
        let before_ms = w.sim.clock_ms();
        let answer = w.ask(asker, ask);
        assert!(
            ["stopped", "no-such-actor", "crashed: panic: ordered"].contains(&&*answer),
            "{answer}"
        );
        w.sim.settle();
        assert_eq!(w.sim.clock_ms(), before_ms, "at once");
        let letters = node.dead_letters().newest(1_000);
        let stopped = letters.iter().filter(|letter| {
            letter.reason == DeadReason::Stopped
                && letter.sender.as_ref().is_some_and(|(id, _)| *id == sender)
        });
        let flooded: u64 = w.ask(sender, Cmd::Count).parse().unwrap();
        assert_eq!(flooded, 1);
        assert_eq!(stopped.count(), 10, "each with its sender and reason");
        w.close();
    });
}

#[test]
fn c18c_a_thousand_short_lives_leave_no_ghost() {
    let mut w = World::new(1);
    let node = w.node.clone();
    let spec = supervised(&["a"], &template(), RestartBudget::UNLIMITED);
    w.sim.block_on(node.start_supervisor(spec)).unwrap();
    let id = node.resolve("/s/a").unwrap();
    w.record.lock().failing.insert("/s/a".into(), 999);
    w.tell(id, Cmd::Crash).unwrap();
    w.sim.settle();
    assert_eq!(w.node.totals().crashes, 1_000, "each is heard of");
    assert_eq!(node.resolve("/s/a"), Some(id));
    assert_eq!(w.ask(id, Cmd::Count), "0");
    assert_eq!(w.node.totals().actors, 1);
    assert_eq!(node.count_children("/s").unwrap().active, 1);
    w.close();
}

#[test]
fn c18g_fifty_children_crash_within_a_millisecond() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let ids: Vec<String> = (0..50).map(|n| format!("c{n}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let exact = RestartBudget {
            intensity: 50,
            period_ms: 5_000,
        };
        let spec = supervised(&ids, &patient(), exact);
        w.sim.block_on(node.start_supervisor(spec)).unwrap();
        let all: Vec<_> = ids
            .iter()
            .map(|id| node.resolve(&format!("/s/{id}")).unwrap())
            .collect();
        for &id in &all {
            w.tell_now(id, Cmd::Crash);
        }
        let later = w.sim.clock_ms() + 200;
        w.sim.run_until(later);
        for &id in &all {
            assert_eq!(node.actor(id).unwrap().restarts, 1);
        }
        let failed = |w: &World| {
            let events = w.events.0.lock();
            let is_failed = |event: &&Event| matches!(event, Event::SupervisorFailed { .. });
            events.iter().filter(is_failed).count()
        };
        assert_eq!(failed(&w), 0);
        // The fifty-first is one too many.
        w.tell_now(all[7], Cmd::Crash);
        w.sim.settle();
        assert_eq!(failed(&w), 1);
        w.close();
    });
}

#[test]
fn c14_a_restart_stops_the_children_first_or_keeps_them() {
    for keep_children in [false, true] {
        for seed in 0..20 {
            let mut w = World::new(seed);
            let spec = ChildSpec {
                keep_children,
                ..template()
            };
            let parent = w.spawn_spec("parent", spec);
            let spawn = Cmd::Spawn {
                name: "kid".into(),
                crash: false,
            };
            w.ask(parent, spawn);
            w.sim.settle();
            let kid = w.node.resolve("/parent/kid").unwrap();
            w.ask(kid, Cmd::Add(7));
            w.record.lock().log.clear();
            assert!(w.ask(parent, Cmd::Crash).starts_with("crashed"));
            w.sim.settle();
            let log = w.record.lock().log.clone();
            if keep_children {
                assert_eq!(log, ["init /parent"]);
                assert_eq!(w.ask(kid, Cmd::Add(0)), "7");
            } else {
                assert_eq!(log, ["stopping /parent/kid shutdown", "init /parent"]);
                assert!(w.node.actor(kid).is_none());
            }
            w.kill(parent);
            assert!(w.node.resolve("/parent/kid").is_none(), "parents outlive");
            w.close();
        }
    }
}

/// OTP: an exit signal to a child that waits for its restart has nobody to end; it is
/// no second end that the budget counts.
#[test]
fn a_kill_between_two_lives_counts_for_nothing() {
    for_seeds(|mut w| {
        let spec = ChildSpec {
            backoff: Some(Backoff {
                first_ms: 100,
                factor: 1.0,
                cap_ms: 100,
                jitter: 0.0,
                reset_ms: 1,
            }),
            own_budget: RestartBudget {
                intensity: 1,
                period_ms: 10_000,
            },
            ..template()
        };
        let a = w.spawn_spec("a", spec);
        w.ask(a, Cmd::Crash);
        w.kill_by_signal(a);
        assert_eq!(w.ask(a, Cmd::Count), "0", "a second life");
        assert_eq!(w.node.actor(a).unwrap().restarts, 1);
        w.close();
    });
}
