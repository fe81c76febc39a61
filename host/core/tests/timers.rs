//! Timers of actors: once, periodic, keyed, and gone with their life.

mod world;

use actorhost_core::{ActorId, MailboxSpec, StopMode, dead_letters::DeadReason};
use world::{Cmd, World, bytes, module, template};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

/// A timer whose message adds one to the actor's number.
fn set(key: Option<&str>, after_ms: u64, every_ms: Option<u64>) -> Cmd {
    Cmd::SetTimer {
        key: key.map(Into::into),
        cmd: Box::new(Cmd::Add(1)),
        after_ms,
        every_ms,
        crash: false,
    }
}

fn cancel(key: &str) -> Cmd {
    let key = key.into();
    Cmd::CancelKey { key, crash: false }
}

fn pass(w: &mut World, ms: u64) {
    let end = w.sim.clock_ms() + ms;
    w.sim.run_until(end);
}

fn number(w: &mut World, id: ActorId) -> i64 {
    w.ask(id, Cmd::Add(0)).parse().unwrap()
}

/// Keeps an actor in one turn for so many milliseconds.
fn pause(silent: ActorId, ms: u64) -> Cmd {
    Cmd::AskThat {
        to: silent.0,
        cmd: Box::new(Cmd::Later { crash: false }),
        timeout_ms: ms,
    }
}

#[test]
fn c52_once_means_once_and_on_time() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        w.ask(id, set(None, 10, None));
        pass(&mut w, 9);
        assert_eq!(number(&mut w, id), 0);
        pass(&mut w, 1);
        assert_eq!(number(&mut w, id), 1);
        pass(&mut w, 1_000);
        assert_eq!(number(&mut w, id), 1);
        assert_eq!(w.node.totals().timers, 0);
        // Its message comes from the actor itself.
        let mut whence = set(None, 5, None);
        if let Cmd::SetTimer { cmd, .. } = &mut whence {
            **cmd = Cmd::Whence;
        }
        w.ask(id, whence);
        pass(&mut w, 5);
        let line = format!("whence {}", id.0);
        assert_eq!(w.record.lock().log.last(), Some(&line));
        w.close();
    });
}

#[test]
fn c52_a_periodic_timer_does_not_drift() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        w.ask(id, set(None, 15, Some(10)));
        for n in 0..50 {
            w.sim.run_until(15 + n * 10 - 1);
            assert_eq!(number(&mut w, id), n as i64);
            w.sim.run_until(15 + n * 10);
            assert_eq!(number(&mut w, id), n as i64 + 1);
        }
        assert_eq!(w.node.totals().ticks_missed, 0);
        // The driver is late: what was missed does not come in a burst, and the
        // next is where it would have been.
        let before = number(&mut w, id);
        let late_ms = w.sim.clock_ms() + 47;
        w.sim.clock.advance_to(late_ms);
        w.sim.run_until(late_ms);
        assert_eq!(number(&mut w, id), before + 1);
        assert_eq!(w.node.totals().ticks_missed, 3);
        pass(&mut w, 2);
        assert_eq!(number(&mut w, id), before + 1);
        pass(&mut w, 1);
        assert_eq!(number(&mut w, id), before + 2);
        w.close();
    });
}

#[test]
fn c52_ticks_do_not_pile_up_behind_a_slow_handler() {
    for_seeds(|mut w| {
        let (id, silent) = (w.spawn("a"), w.spawn("silent"));
        let mut slow = set(None, 10, Some(10));
        if let Cmd::SetTimer { cmd, .. } = &mut slow {
            **cmd = pause(silent, 25);
        }
        w.ask(id, slow);
        for _ in 0..1_000 {
            pass(&mut w, 1);
            assert!(w.node.actor(id).unwrap().queued <= 1);
        }
        let totals = w.node.totals();
        let handled = w.node.actor(id).unwrap().handled - 1;
        assert!((38..=41).contains(&handled), "{handled}");
        let (running, waiting) = (1, w.node.actor(id).unwrap().queued);
        assert_eq!(
            handled + running + waiting + totals.ticks_missed,
            100,
            "each tick is handled or counted as missed"
        );
        w.kill(id);
        w.close();
    });
}

#[test]
fn c52_a_key_names_one_timer() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        // Replaced: only the second comes.
        w.ask(id, set(Some("k"), 10, None));
        pass(&mut w, 5);
        w.ask(id, set(Some("k"), 10, None));
        pass(&mut w, 9);
        assert_eq!(number(&mut w, id), 0);
        pass(&mut w, 1);
        assert_eq!(number(&mut w, id), 1);
        // Cancelled, by key and by number.
        w.ask(id, set(Some("k"), 10, Some(10)));
        assert_eq!(w.ask(id, cancel("k")), "true");
        assert_eq!(w.ask(id, cancel("k")), "false");
        let timer = w.ask(id, set(None, 10, None)).parse().unwrap();
        assert_eq!(w.ask(id, Cmd::CancelTimer(timer)), "true");
        assert_eq!(w.ask(id, Cmd::CancelTimer(timer)), "false");
        assert_eq!(w.ask(id, Cmd::SetAndCancel), "(true, false)");
        pass(&mut w, 100);
        assert_eq!(number(&mut w, id), 1);
        assert_eq!(w.node.totals().timers, 0);
        w.close();
    });
}

#[test]
fn c52_a_message_that_waits_when_its_timer_is_taken_back_is_thrown_away() {
    for_seeds(|mut w| {
        let (id, silent) = (w.spawn("a"), w.spawn("silent"));
        for (round, takes_back) in [cancel("k"), set(Some("k"), 1_000, None)]
            .into_iter()
            .enumerate()
        {
            w.ask(id, set(Some("k"), 10, None));
            // Two turns are queued when the timer fires: its message comes third.
            w.tell_now(id, pause(silent, 20));
            w.tell_now(id, takes_back);
            w.sim.settle();
            pass(&mut w, 10);
            assert_eq!(w.node.actor(id).unwrap().queued, 2);
            pass(&mut w, 50);
            assert_eq!(number(&mut w, id), 0);
            assert_eq!(w.node.totals().ticks_thrown_away, round as u64 + 1);
        }
        assert_eq!(w.node.dead_letters().total(), 0);
        assert_eq!(w.ask(id, cancel("k")), "true");
        assert_eq!(w.node.totals().timers, 0);
        w.close();
    });
}

#[test]
fn c52_timers_are_held_with_their_turn() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        let mut crashing = set(Some("k"), 10, None);
        if let Cmd::SetTimer { crash, .. } = &mut crashing {
            *crash = true;
        }
        assert!(w.ask(id, crashing).starts_with("crashed"));
        pass(&mut w, 100);
        assert_eq!(number(&mut w, id), 0);
        assert_eq!(w.node.totals().timers, 0);
        w.close();
    });
}

#[test]
fn c52_timers_end_with_the_life_that_set_them() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let (id, silent) = (w.spawn("a"), w.spawn("silent"));
        for end in ["crash", "renew", "kill"] {
            w.ask(id, set(None, 10, None));
            w.ask(id, set(Some("k"), 10, Some(10)));
            // Messages of the old life wait in the mailbox when it ends.
            w.tell_now(id, pause(silent, 20));
            w.sim.settle();
            pass(&mut w, 15);
            assert_eq!(w.node.actor(id).unwrap().queued, 2);
            let before = w.node.totals().ticks_thrown_away;
            match end {
                "crash" => {
                    pass(&mut w, 100);
                    assert!(number(&mut w, id) > 2);
                    assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
                }
                "renew" => {
                    w.sim.block_on(node.restart(id, 60_000)).unwrap();
                    assert!(w.node.totals().ticks_thrown_away > before);
                }
                _ => {
                    w.kill_by_signal(id);
                    w.sim.settle();
                    assert_eq!(w.node.totals().ticks_thrown_away - before, 2);
                }
            }
            w.sim.settle();
            assert_eq!(w.node.totals().timers, 0, "{end}");
            pass(&mut w, 100);
            assert_eq!(number(&mut w, id), 0, "{end}");
            assert_eq!(w.ask(id, cancel("k")), "false");
        }
        // The actor's end.
        w.ask(id, set(None, 10, Some(10)));
        w.sim.block_on(node.stop(id, StopMode::Now, None));
        pass(&mut w, 100);
        assert!(w.sim.timers.is_empty());
        assert_eq!(w.node.dead_letters().count(DeadReason::Stopped), 0);
        w.close();
    });
}

#[test]
fn c52_timers_outlive_sleep_and_swap() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 2);
        let node = w.node.clone();
        let id = w.spawn("a");
        w.ask(id, set(None, 1_000, Some(1_000)));
        for n in 0..20 {
            w.spawn(&format!("other{n}"));
        }
        w.sim.settle();
        assert_eq!(w.node.actor(id).unwrap().status, "asleep");
        w.sim.run_until(1_000);
        assert_eq!(w.node.actor(id).unwrap().handled, 2, "it was woken");
        w.sim.block_on(node.swap("b", module(2), 500)).unwrap();
        w.sim.run_until(2_000);
        assert_eq!(number(&mut w, id), 2);
        assert_eq!(w.node.actor(id).unwrap().version, 2);
        w.close();
    }
}

#[test]
fn c59b_a_timer_due_while_its_actor_falls_asleep_is_neither_lost_nor_doubled() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 2);
        let ids: Vec<ActorId> = (0..30).map(|n| w.spawn(&format!("a{n}"))).collect();
        for round in 1..=20 {
            for &id in &ids {
                let after_ms = w.sim.random().u64(1..4);
                w.tell_now(id, set(None, after_ms, None));
                for _ in 0..w.sim.random().usize(..8) {
                    w.sim.step();
                }
                if w.sim.random().bool() {
                    // Without letting what is ready run first.
                    let now_ms = w.sim.clock_ms() + 1;
                    w.sim.clock.advance_to(now_ms);
                    w.sim.timers.fire();
                }
            }
            pass(&mut w, 10);
            for &id in &ids {
                assert_eq!(number(&mut w, id), round, "seed {seed}");
            }
        }
        assert!(w.node.totals().hibernated > 0);
        w.close();
    }
}

#[test]
fn timers_are_bounded_and_say_what_is_wrong() {
    let mut w = World::new(1);
    let mut spec = template();
    spec.limits.timers = 2;
    spec.limits.message_bytes = 256;
    let id = w.spawn_spec("a", spec);
    let too_short = "too-short: a delay or period is at least 1 ms";
    assert_eq!(w.ask(id, set(None, 0, None)), too_short);
    assert_eq!(w.ask(id, set(None, 1, Some(0))), too_short);
    let bad_key = "bad-key: a key has 1 to 128 bytes";
    assert_eq!(w.ask(id, set(Some(""), 1, None)), bad_key);
    assert_eq!(w.ask(id, set(Some(&"k".repeat(129)), 1, None)), bad_key);
    assert_eq!(w.ask(id, set(Some("k"), 10, None)), "1");
    assert_eq!(w.ask(id, set(None, 10, None)), "2");
    assert_eq!(w.ask(id, set(None, 10, None)), "quota: the limit is 2");
    // One in the place of another is allowed, and a refused one takes no place.
    assert_eq!(w.ask(id, set(Some("k"), 10, None)), "4");
    assert_eq!(w.node.totals().timers, 2);
    pass(&mut w, 10);
    assert_eq!(number(&mut w, id), 2);
    assert_eq!(w.ask(id, set(None, 10, None)), "5");
    w.close();
}

#[test]
fn a_timer_obeys_the_bound_of_the_mailbox() {
    for_seeds(|mut w| {
        let mailbox = MailboxSpec {
            capacity: 1,
            ..MailboxSpec::default()
        };
        let spec = actorhost_core::ChildSpec {
            mailbox,
            ..template()
        };
        let (id, silent) = (w.spawn_spec("a", spec), w.spawn("silent"));
        w.ask(id, set(Some("once"), 10, None));
        w.ask(id, set(Some("often"), 10, Some(10)));
        w.tell(id, pause(silent, 35)).unwrap();
        w.sim.settle();
        w.tell(id, Cmd::Count).unwrap();
        pass(&mut w, 34);
        let full = w.node.dead_letters().count(DeadReason::Full);
        assert_eq!(full, 4, "one of the first timer, three of the second");
        let letter = &w.node.dead_letters().newest(1)[0];
        assert_eq!(&*letter.to_path, "/a");
        pass(&mut w, 6);
        assert_eq!(number(&mut w, id), 1, "the periodic one goes on");
        assert_eq!(w.ask(id, cancel("once")), "false", "it is over");
        assert_eq!(w.ask(id, cancel("often")), "true");
        w.close();
    });
}

#[test]
fn c29_a_timers_message_counts_as_long_as_its_timer_is_set() {
    let message_bytes = mailbox_cost(&Cmd::Add(1));
    // Ten timers, and a message of one byte.
    let max = 10 * message_bytes + mailbox_cost(&Cmd::Crash);
    for seed in 0..SEEDS {
        let mut w = World::with_limits(seed, 1_000, max);
        let id = w.spawn("a");
        let many = |after_ms| Cmd::SetTimers {
            times: 99,
            after_ms,
        };
        assert_eq!(w.ask(id, many(10)), "10 overloaded");
        assert_eq!(w.node.totals().mailbox_bytes, 10 * message_bytes);
        assert_eq!(w.node.totals().refused_overloaded, 1);
        // What is due needs no more room than it had.
        pass(&mut w, 20);
        assert_eq!(number(&mut w, id), 10);
        assert_eq!(w.node.totals().mailbox_bytes, 0);

        // One that replaces another is set beside it, until the turn has succeeded.
        w.ask(id, set(Some("k"), 10, None));
        w.ask(id, set(Some("k"), 10, Some(10)));
        assert_eq!(w.node.totals().mailbox_bytes, message_bytes + 1);
        pass(&mut w, 35);
        assert_eq!(number(&mut w, id), 13);
        assert_eq!(w.node.totals().mailbox_bytes, message_bytes + 1);
        w.ask(id, cancel("k"));
        assert_eq!(w.node.totals().mailbox_bytes, 0);

        // Those of a life that ends, held or not, give theirs back.
        w.ask(id, many(1_000));
        w.tell(id, Cmd::Crash).unwrap();
        w.sim.settle();
        assert_eq!(w.node.totals().mailbox_bytes, 0);
        w.close();
    }
}

/// What a command costs of the node's budget while it waits.
fn mailbox_cost(cmd: &Cmd) -> u64 {
    actorhost_core::mailbox::cost(&bytes(cmd))
}
