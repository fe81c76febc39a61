//! Asks: answered later, handed on, and always ended.

mod world;

use actorhost_core::{ActorId, ChildSpec, MailboxSpec, StopMode, dead_letters::DeadReason};
use bytes::Bytes;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};
use world::{Cmd, World, module, template};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

type Asked = Pin<Box<dyn Future<Output = Result<Bytes, actorhost_core::AskError>>>>;

/// An ask from outside that is under way.
fn ask(w: &World, to: ActorId, cmd: &Cmd, timeout_ms: u64) -> Asked {
    let node = w.node.clone();
    let message = world::bytes(cmd);
    let mut asked: Asked = Box::pin(async move { node.ask(to, message, timeout_ms).await });
    assert_eq!(look(&mut asked), None);
    asked
}

/// What came of it by now.
fn look(asked: &mut Asked) -> Option<String> {
    match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Pending => None,
        Poll::Ready(Ok(reply)) => Some(String::from_utf8_lossy(&reply).into_owned()),
        Poll::Ready(Err(error)) => Some(error.to_string()),
    }
}

fn later() -> Cmd {
    Cmd::Later { crash: false }
}

fn answer(text: &str) -> Cmd {
    Cmd::AnswerLater {
        text: text.into(),
        crash: false,
    }
}

#[test]
fn c40_questions_kept_open_and_never_answered_leave_nothing() {
    let mut w = World::new(40);
    let id = w.spawn("a");
    for _ in 0..100_000 {
        let asked = ask(&w, id, &later(), 10);
        w.sim.settle();
        drop(asked);
    }
    assert_eq!(w.node.totals().questions_open, 0);
    assert!(w.sim.timers.is_empty());
    // A reply to a question that nobody asks any more is not lost from sight.
    let results = w.ask(id, answer("too late"));
    assert!(results.split(',').all(|result| result == "late"));
    assert_eq!(
        w.node.dead_letters().count(DeadReason::LateReply),
        100_000,
        "each of them is a dead letter"
    );
    w.close();
}

#[test]
fn a_question_kept_open_is_answered_by_a_later_turn_once() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        let mut first = ask(&w, id, &later(), 60_000);
        let mut second = ask(&w, id, &later(), 60_000);
        w.sim.settle();
        assert_eq!((look(&mut first), look(&mut second)), (None, None));
        assert_eq!(w.node.totals().questions_open, 2);
        assert_eq!(w.ask(id, answer("now")), "ok,ok");
        assert_eq!(look(&mut first).as_deref(), Some("now"));
        assert_eq!(look(&mut second).as_deref(), Some("now"));
        assert_eq!(w.ask(id, answer("again")), "unknown-token,unknown-token");
        // Nobody waits for a tell.
        w.tell(id, later()).unwrap();
        assert_eq!(w.ask(id, Cmd::Count), "5");
        assert_eq!(w.node.totals().questions_open, 0);
        w.close();
    });
}

#[test]
fn a_question_kept_open_outlives_sleep_and_swap() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 2);
        let id = w.spawn("a");
        let mut asked = ask(&w, id, &later(), 60_000);
        w.sim.settle();
        for n in 0..20 {
            w.spawn(&format!("other{n}"));
        }
        w.sim.settle();
        assert_eq!(w.node.actor(id).unwrap().status, "asleep");
        let node = w.node.clone();
        w.sim.block_on(node.swap("b", module(2), 10_000)).unwrap();
        assert_eq!(look(&mut asked), None);
        assert_eq!(w.ask(id, answer("awake")), "ok");
        assert_eq!(look(&mut asked).as_deref(), Some("awake"));
        assert_eq!(w.node.actor(id).unwrap().version, 2);
        w.close();
    }
}

#[test]
fn a_question_kept_open_ends_with_the_life() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let id = w.spawn("a");
        let mut asked = ask(&w, id, &later(), 60_000);
        assert_eq!(w.ask(id, Cmd::Crash), "crashed: panic: ordered");
        w.sim.settle();
        assert_eq!(look(&mut asked).as_deref(), Some("crashed: panic: ordered"));
        for end in ["drain", "now", "kill", "renew"] {
            let id = w.spawn(end);
            let mut asked = ask(&w, id, &later(), 60_000);
            w.sim.settle();
            match end {
                "renew" => {
                    w.sim.block_on(node.restart(id, 60_000)).unwrap();
                }
                end => {
                    let mode = match end {
                        "drain" => StopMode::Drain,
                        "now" => StopMode::Now,
                        _ => StopMode::Kill,
                    };
                    w.sim.block_on(node.stop(id, mode, None)).unwrap();
                }
            }
            assert_eq!(look(&mut asked).as_deref(), Some("stopped"), "{end}");
        }
        w.close();
    });
}

#[test]
fn a_turn_that_crashes_neither_keeps_nor_answers_nor_hands_on() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        assert_eq!(
            w.ask(a, Cmd::Later { crash: true }),
            "crashed: panic: later"
        );
        let forward = Cmd::Forward {
            to: b.0,
            cmd: Box::new(Cmd::Add(1)),
            crash: true,
        };
        assert_eq!(w.ask(a, forward), "crashed: panic: forward");
        assert_eq!(w.ask(b, Cmd::Add(0)), "0", "nothing was handed on");
        // The first asker hears of the crash, not the reply that was held.
        let mut asked = ask(&w, a, &later(), 60_000);
        let text = "held".into();
        let answer = Cmd::AnswerLater { text, crash: true };
        assert_eq!(w.ask(a, answer), "crashed: panic: answer");
        w.sim.settle();
        assert_eq!(look(&mut asked).as_deref(), Some("crashed: panic: answer"));
        w.close();
    });
}

#[test]
fn a_question_handed_on_keeps_its_asker_and_its_order() {
    for_seeds(|mut w| {
        let chain: Vec<u64> = (0..4).map(|n| w.spawn(&format!("c{n}")).0).collect();
        let hand_on = |cmd: Cmd| {
            chain[1..].iter().rev().fold(cmd, |cmd, &to| Cmd::Forward {
                to,
                cmd: Box::new(cmd),
                crash: false,
            })
        };
        let first = ActorId(chain[0]);
        assert_eq!(w.ask(first, hand_on(Cmd::Whence)), "outside");
        let asker = w.spawn("asker");
        let ask_first = |cmd: Cmd| Cmd::AskThat {
            to: chain[0],
            cmd: Box::new(hand_on(cmd)),
            timeout_ms: 60_000,
        };
        assert_eq!(
            w.ask(asker, ask_first(Cmd::Whence)),
            asker.0.to_string(),
            "the last of the chain sees who asked"
        );
        assert_eq!(
            w.ask(asker, ask_first(Cmd::Crash)),
            "crashed: panic: ordered"
        );
        for seq in 0..50 {
            let take = Cmd::Take {
                from: 0,
                seq,
                crash: false,
                yields: 0,
            };
            w.tell_now(first, hand_on(take));
        }
        w.sim.settle();
        let taken: Vec<u64> = w.record.lock().taken.iter().map(|taken| taken.2).collect();
        assert_eq!(taken, (0..50).collect::<Vec<_>>());
        // The target's refusal is a value in the forwarder's hand.
        let nobody = Cmd::Forward {
            to: 424_242,
            cmd: Box::new(Cmd::Count),
            crash: false,
        };
        assert_eq!(w.ask(first, nobody), "no-such-actor");
        w.close();
    });
}

fn ask_that(to: ActorId, cmd: Cmd) -> Cmd {
    Cmd::AskThat {
        to: to.0,
        cmd: Box::new(cmd),
        timeout_ms: 60_000,
    }
}

#[test]
fn c42_a_child_that_asks_its_stopping_parent_holds_up_nothing() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        for (n, mode) in [StopMode::Drain, StopMode::Now, StopMode::Kill]
            .into_iter()
            .enumerate()
        {
            let parent = w.spawn(&format!("parent{n}"));
            let name = "child".into();
            let child = w.ask(parent, Cmd::Spawn { name, crash: false });
            let child = ActorId(child.parse().unwrap());
            // Whenever the question comes: before the stop, in the midst, or after.
            let mut stop = Box::pin(node.stop(parent, mode, Some(60_000)));
            let mut cx = Context::from_waker(Waker::noop());
            let mut asked = ask(&w, child, &ask_that(parent, Cmd::Count), 60_000);
            for _ in 0..w.sim.random().usize(..6) {
                w.sim.step();
            }
            assert!(stop.as_mut().poll(&mut cx).is_pending());
            assert!(w.sim.block_on(stop).is_some());
            w.sim.settle();
            let outcome = look(&mut asked).expect("it was answered");
            assert!(["1", "stopped"].contains(&outcome.as_str()), "{outcome}");
            assert!(node.actor(child).is_none());
        }
        assert_eq!(w.sim.clock_ms(), 0, "nobody waited for a timeout");
        w.close();
    });
}

#[test]
fn c43_actors_that_ask_each_other_hear_deadlock_at_once() {
    for_seeds(|mut w| {
        // Within one chain of calls.
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        assert_eq!(w.ask(a, ask_that(b, ask_that(a, Cmd::Count))), "deadlock");
        // Side by side, in rings of any size: each of them hears it.
        for size in [1, 2, 3, 200] {
            let ring: Vec<ActorId> = (0..size).map(|n| w.spawn(&format!("{size}-{n}"))).collect();
            let mut asked: Vec<Asked> = (0..size)
                .map(|n| {
                    let next = ring[(n + 1) % size];
                    ask(&w, ring[n], &ask_that(next, Cmd::Count), 60_000)
                })
                .collect();
            w.sim.settle();
            for asked in &mut asked {
                assert_eq!(look(asked).as_deref(), Some("deadlock"), "{size}");
            }
            for &id in &ring {
                let handled: u64 = w.ask(id, Cmd::Count).parse().unwrap();
                assert!(handled <= 2, "they go on");
            }
        }
        assert_eq!(w.sim.clock_ms(), 0, "nobody waited for a timeout");
        let totals = w.node.totals();
        assert_eq!(totals.asks_under_way, 0);
        // One that asks itself is refused before it waits.
        assert_eq!(totals.deadlocks, 4);
        w.close();
    });
}

#[test]
fn c43_a_question_handed_on_or_kept_leads_to_its_holder() {
    for_seeds(|mut w| {
        // a waits for b, which hands the question to c, which waits for a.
        let (a, b, c) = (w.spawn("a"), w.spawn("b"), w.spawn("c"));
        let hand_on = Cmd::Forward {
            to: c.0,
            cmd: Box::new(Cmd::Count),
            crash: false,
        };
        let mut first = ask(&w, a, &ask_that(b, hand_on), 60_000);
        let mut second = ask(&w, c, &ask_that(a, Cmd::Count), 60_000);
        w.sim.settle();
        assert_eq!(look(&mut first).as_deref(), Some("deadlock"));
        assert_eq!(look(&mut second).as_deref(), Some("deadlock"));
        assert_eq!(w.ask(b, Cmd::Count), "1", "b waited for nobody");
        // d keeps a question of a, and asks it.
        let d = w.spawn("d");
        let mut first = ask(&w, a, &ask_that(d, later()), 60_000);
        w.sim.settle();
        assert_eq!(look(&mut first), None, "nobody is in a ring yet");
        assert_eq!(w.ask(d, ask_that(a, Cmd::Count)), "deadlock");
        w.sim.settle();
        assert_eq!(look(&mut first).as_deref(), Some("deadlock"));
        // Handed on, b no longer holds the question: it may ask.
        let keep = Cmd::Forward {
            to: c.0,
            cmd: Box::new(later()),
            crash: false,
        };
        let mut first = ask(&w, a, &ask_that(b, keep), 60_000);
        w.sim.settle();
        let mut second = ask(&w, b, &ask_that(a, Cmd::Count), 60_000);
        w.sim.settle();
        assert_eq!((look(&mut first), look(&mut second)), (None, None));
        assert_eq!(w.ask(c, answer("free")), "ok");
        w.sim.settle();
        assert_eq!(look(&mut first).as_deref(), Some("free"));
        assert!(look(&mut second).is_some_and(|count| count.parse::<u64>().is_ok()));
        assert_eq!(w.sim.clock_ms(), 0);
        w.close();
    });
}

#[test]
fn c43_actors_that_wait_for_room_are_in_the_ring_as_well() {
    for_seeds(|mut w| {
        let mailbox = MailboxSpec {
            capacity: 1,
            overflow: actorhost_core::Overflow::Block { timeout_ms: 60_000 },
            ..MailboxSpec::default()
        };
        let spec = ChildSpec {
            mailbox,
            ..template()
        };
        let (a, b) = (w.spawn_spec("a", spec.clone()), w.spawn_spec("b", spec));
        let mut first = ask(&w, a, &ask_that(b, Cmd::Count), 60_000);
        w.sim.settle();
        assert_eq!(look(&mut first).as_deref(), Some("0"));
        // a asks b, whose mailbox is full, and b asks a.
        let silent = w.spawn("silent");
        let pause = Cmd::AskThat {
            to: silent.0,
            cmd: Box::new(later()),
            timeout_ms: 10,
        };
        let mut paused = ask(&w, b, &pause, 60_000);
        w.sim.settle();
        let mut second = ask(&w, b, &ask_that(a, Cmd::Count), 60_000);
        let mut first = ask(&w, a, &ask_that(b, Cmd::Count), 60_000);
        w.sim.settle();
        w.tell_now(b, Cmd::Count);
        let end = w.sim.clock_ms() + 10;
        w.sim.run_until(end);
        assert!(look(&mut paused).is_some());
        let outcomes = [look(&mut first), look(&mut second)];
        assert!(
            outcomes.iter().all(|outcome| outcome.is_some()),
            "{outcomes:?}"
        );
        assert_eq!(w.sim.clock_ms(), end);
        w.close();
    });
}

#[test]
fn asks_without_a_ring_never_hear_deadlock() {
    for_seeds(|mut w| {
        let ids: Vec<ActorId> = (0..12).map(|n| w.spawn(&format!("a{n}"))).collect();
        for _ in 0..40 {
            let mut asked = Vec::new();
            for at in 0..ids.len() - 1 {
                // Each asks only those after it, which ask those after them.
                let mut path = vec![w.sim.random().usize(at + 1..ids.len())];
                while path[path.len() - 1] + 1 < ids.len() && w.sim.random().bool() {
                    let last = path[path.len() - 1];
                    path.push(w.sim.random().usize(last + 1..ids.len()));
                }
                let cmd = path
                    .iter()
                    .rev()
                    .fold(Cmd::Count, |cmd, &to| ask_that(ids[to], cmd));
                asked.push(ask(&w, ids[at], &cmd, 60_000));
                for _ in 0..w.sim.random().usize(..4) {
                    w.sim.step();
                }
            }
            w.sim.settle();
            for asked in &mut asked {
                let count = look(asked).expect("it was answered");
                assert!(count.parse::<u64>().is_ok(), "{count}");
            }
        }
        assert_eq!(w.node.totals().deadlocks, 0);
        w.close();
    });
}

fn ask_later(to: ActorId, cmd: Cmd) -> Cmd {
    Cmd::AskLater {
        to: to.0,
        cmd: Box::new(cmd),
        timeout_ms: 10,
        crash: false,
    }
}

#[test]
fn the_outcome_of_a_later_ask_comes_as_a_message() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        let mut expected = Vec::new();
        for (to, cmd, outcome) in [
            (b, Cmd::Add(7), "Ok(b\"7\")"),
            (b, Cmd::Crash, "Err(Crashed(\"panic: ordered\"))"),
            (b, later(), "Err(Timeout)"),
            (a, Cmd::Add(3), "Ok(b\"3\")"),
        ] {
            let number = w.ask(a, ask_later(to, cmd));
            assert_eq!(w.ask(a, Cmd::Add(0)).len(), 1, "it does not wait");
            let end = w.sim.clock_ms() + 10;
            w.sim.run_until(end);
            expected.push(format!("reply {number} {outcome}"));
        }
        assert_eq!(w.ask(a, Cmd::Downs), expected.join(","));
        assert_eq!(w.node.totals().ask_timeouts, 1);
        assert_eq!(
            w.ask(a, ask_later(ActorId(424_242), later())),
            "no-such-actor"
        );
        // One that ends before it comes to the question.
        let stops = w.spawn("stops");
        w.tell(stops, Cmd::Spin).unwrap();
        w.ask(a, ask_later(stops, Cmd::Count));
        w.kill(stops);
        w.sim.settle();
        assert!(w.ask(a, Cmd::Downs).ends_with("Err(Stopped)"));
        // Held with its turn.
        let mut crashing = ask_later(b, Cmd::Add(1));
        if let Cmd::AskLater { crash, .. } = &mut crashing {
            *crash = true;
        }
        let before = w.ask(b, Cmd::Add(0));
        assert_eq!(w.ask(a, crashing), "crashed: panic: ask later");
        assert_eq!(w.ask(b, Cmd::Add(0)), before);
        assert_eq!(w.node.totals().asks_under_way, 0);
        w.close();
    });
}

#[test]
fn later_asks_are_bounded_and_their_replies_are_not_refused() {
    let mut w = World::new(1);
    let mut spec = template();
    spec.limits.asks = 3;
    spec.mailbox.capacity = 1;
    let (a, b) = (w.spawn_spec("a", spec), w.spawn("b"));
    for n in 0..5 {
        let asked = w.ask(a, ask_later(b, later()));
        assert_eq!(asked.parse::<u64>().is_ok(), n < 3, "{asked}");
    }
    assert_eq!(w.node.totals().asks_under_way, 3);
    // The mailbox is full when the replies come.
    w.tell_now(a, Cmd::Count);
    w.tell_now(b, answer("x"));
    while w.sim.step() {}
    assert_eq!(w.ask(a, Cmd::Downs).matches("Ok").count(), 3);
    assert_eq!(w.node.totals().asks_under_way, 0);
    assert!(w.sim.timers.is_empty());
    w.close();
}

#[test]
fn a_restart_forgets_later_asks() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        let late = |w: &World| w.node.dead_letters().count(DeadReason::LateReply);
        w.ask(a, ask_later(b, later()));
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        assert_eq!(w.ask(b, answer("too late")), "late");
        assert_eq!(late(&w), 1);
        // The reply waits in the mailbox when the life that asked ends.
        w.ask(a, ask_later(b, Cmd::Count));
        w.sim.settle();
        assert!(w.ask(a, Cmd::Downs).starts_with("reply"));
        let silent = w.spawn("silent");
        let pause = Cmd::AskThat {
            to: silent.0,
            cmd: Box::new(later()),
            timeout_ms: 5,
        };
        w.tell_now(a, ask_later(b, Cmd::Count));
        w.tell_now(a, pause);
        w.sim.settle();
        w.kill_by_signal(a);
        w.sim.settle();
        assert_eq!(w.ask(a, Cmd::Downs), "");
        assert_eq!(late(&w), 2);
        // Nobody hears of a timeout of an earlier life.
        w.ask(a, ask_later(silent, later()));
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        let end = w.sim.clock_ms() + 100;
        w.sim.run_until(end);
        assert_eq!(w.ask(a, Cmd::Downs), "");
        w.close();
    });
}
