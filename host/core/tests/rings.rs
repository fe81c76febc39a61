//! Actors on real threads that ask each other in rings and in chains: whoever waits
//! in a ring hears `deadlock`, and nobody else ever does.

mod world;

use actorhost_core::{ActorId, AskError};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    task::Poll,
};
use world::{
    Cmd, bytes,
    real::{Real, block_on, real},
    template,
};

/// Nobody in these tests waits as long, unless something is wrong.
const PATIENCE_MS: u64 = 60_000;

fn spawn_all(real: &Real, name: &str, count: usize) -> Vec<ActorId> {
    (0..count)
        .map(|n| real.spawn(&format!("{name}{n}"), template()))
        .collect()
}

fn ask_that(to: ActorId, cmd: Cmd) -> Cmd {
    Cmd::AskThat {
        to: to.0,
        cmd: Box::new(cmd),
        timeout_ms: PATIENCE_MS,
    }
}

/// What an actor replies, as text.
fn ask(real: &Real, to: ActorId, cmd: &Cmd) -> String {
    let reply = block_on(real.node.ask(to, bytes(cmd), 2 * PATIENCE_MS));
    let reply = reply.expect("it replies");
    String::from_utf8(reply.to_vec()).expect("text")
}

fn is_number(reply: &str) -> bool {
    reply.parse::<u64>().is_ok()
}

/// One question that goes from actor to actor, each asking the next.
fn along(way: &[ActorId], last: Cmd) -> Cmd {
    way.iter().rev().fold(last, |cmd, &to| ask_that(to, cmd))
}

/// Everybody in a ring asks the next one at the same moment, or nearly: how many heard
/// `deadlock`.
fn ask_at_once(real: &Real, ring: &[ActorId]) -> usize {
    // Busy until the questions are in all mailboxes.
    for &id in ring {
        let busy = Cmd::Sleep { ms: 5, times: 1 };
        block_on(real.node.tell(id, bytes(&busy))).expect("it has room");
    }
    let asked: Vec<_> = (0..ring.len())
        .map(|at| {
            let next = ring[(at + 1) % ring.len()];
            let message = bytes(&ask_that(next, Cmd::Count));
            let node = real.node.clone();
            let mut reply =
                Box::pin(async move { node.ask(ring[at], message, 2 * PATIENCE_MS).await });
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            let first = reply.as_mut().poll(&mut cx);
            assert!(matches!(first, Poll::Pending | Poll::Ready(Ok(_))));
            (first, reply)
        })
        .collect();
    let mut heard = 0;
    for (first, reply) in asked {
        let reply = match first {
            Poll::Ready(reply) => reply,
            Poll::Pending => block_on(reply),
        };
        let reply = String::from_utf8(reply.expect("it replies").to_vec()).expect("text");
        if reply == AskError::Deadlock.to_string() {
            heard += 1;
        } else {
            assert!(is_number(&reply), "{reply}");
        }
    }
    heard
}

/// Rings of many sizes, side by side: all in a ring hear `deadlock` and live on; one
/// that only waits for somebody in a ring gets its answer.
#[test]
fn c43_every_ring_ends_on_real_threads() {
    const ROUNDS: usize = 100;
    let real = real(4);
    let rings: Vec<Vec<ActorId>> = (2..=9)
        .map(|size| spawn_all(&real, &format!("r{size}-"), size))
        .collect();
    let leads_in = spawn_all(&real, "in", rings.len());
    let closed = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for (ring, &outside) in rings.iter().zip(&leads_in) {
            let (real, closed) = (&real, &closed);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let start = round % ring.len();
                    let way = [&ring[start..], &ring[..=start]].concat();
                    let reply = ask(real, way[0], &along(&way[1..], Cmd::Count));
                    assert_eq!(reply, "deadlock", "a ring of {}", ring.len());
                    let heard = ask_at_once(real, ring);
                    // Where one was asked before it asked itself, there was no ring.
                    assert!(heard == 0 || heard == ring.len(), "{heard} of {ring:?}");
                    closed.fetch_add(1 + u64::from(heard > 0), Ordering::Relaxed);
                }
            });
            scope.spawn(move || {
                for round in 0..10 * ROUNDS {
                    let into = ring[round % ring.len()];
                    let reply = ask(real, outside, &ask_that(into, Cmd::Count));
                    assert!(is_number(&reply), "it is in no ring: {reply}");
                }
            });
        }
    });
    let totals = real.node.totals();
    assert_eq!(totals.deadlocks, closed.into_inner());
    assert_eq!((totals.asks_under_way, totals.ask_timeouts), (0, 0));
    real.close();
}

/// Questions that run through the same actors on all threads, in one direction at a
/// time: nobody waits for itself, however many wait.
#[test]
fn c43_chains_never_hear_deadlock_on_real_threads() {
    const THREADS: u64 = 8;
    const ROUNDS: usize = 300;
    let real = real(4);
    let actors = spawn_all(&real, "a", 12);
    let round_over = std::sync::Barrier::new(THREADS as usize);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (real, actors, round_over) = (&real, &actors, &round_over);
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed(thread);
                for round in 0..ROUNDS {
                    for _ in 0..5 {
                        let mut way = actors.clone();
                        way.retain(|_| random.u32(..3) == 0);
                        if round % 2 == 1 {
                            way.reverse();
                        }
                        let last = match way.pop() {
                            // The last but one hands its question on to it.
                            Some(to) if random.bool() && way.len() > 1 => Cmd::Forward {
                                to: to.0,
                                cmd: Box::new(Cmd::Count),
                                crash: false,
                            },
                            Some(to) => ask_that(to, Cmd::Count),
                            None => continue,
                        };
                        let Some(&first) = way.first() else { continue };
                        let reply = ask(real, first, &along(&way[1..], last));
                        assert!(is_number(&reply), "{way:?}: {reply}");
                    }
                    round_over.wait();
                }
            });
        }
    });
    let totals = real.node.totals();
    assert_eq!((totals.deadlocks, totals.ask_timeouts), (0, 0));
    assert_eq!(totals.asks_under_way, 0);
    real.close();
}
