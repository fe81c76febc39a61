//! Asks: answered later, handed on, and always ended.

mod world;

use actorhost_core::{ActorId, StopMode, dead_letters::DeadReason};
use bytes::Bytes;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};
use world::{Cmd, World, module};

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
