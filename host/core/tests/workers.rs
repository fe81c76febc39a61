//! The same machine on real threads: the dispatcher's own races.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, MailboxSpec, Overflow, StopMode, dead_letters::DeadReason, node::Place,
};
use std::collections::HashMap;
use world::{
    Cmd, bytes, module,
    real::{block_on, real},
    template,
    ties::{Tie, ties},
};

/// Many senders on many threads, crashes and swaps in between: order for each
/// pair, nothing lost, nothing twice.
#[test]
fn order_holds_on_real_threads() {
    const SENDERS: u64 = 8;
    const EACH: u64 = 20_000;
    let real = real(4);
    let mailbox = MailboxSpec {
        capacity: 256,
        overflow: Overflow::Block { timeout_ms: 60_000 },
        ..MailboxSpec::default()
    };
    let target = real.spawn(
        "target",
        ChildSpec {
            mailbox,
            ..template()
        },
    );
    std::thread::scope(|scope| {
        for from in 0..SENDERS {
            let node = real.node.clone();
            scope.spawn(move || {
                for seq in 0..EACH {
                    let crash = seq % 1_000 == 500;
                    let yields = u32::from(seq % 64 == 0);
                    let cmd = Cmd::Take {
                        from,
                        seq,
                        crash,
                        yields,
                    };
                    block_on(node.tell(target, bytes(&cmd))).unwrap();
                }
            });
        }
        for version in 2..20 {
            let swapped = block_on(real.node.swap("b", module(version), 60_000)).unwrap();
            assert!(swapped.outcome.failed.is_empty());
        }
    });
    let node = real.node.clone();
    block_on(node.stop(target, StopMode::Drain, Some(60_000)));
    let taken = std::mem::take(&mut real.record.lock().taken);
    let mut next: HashMap<u64, u64> = HashMap::new();
    for (from, _, seq) in &taken {
        let expected = next.entry(*from).or_default();
        *expected += u64::from(*expected % 1_000 == 500);
        assert_eq!(seq, expected, "sender {from}");
        *expected += 1;
    }
    let crashed = SENDERS * EACH / 1_000;
    assert_eq!(taken.len() as u64, SENDERS * EACH - crashed);
    assert_eq!(node.dead_letters().count(DeadReason::Crashed), crashed);
    real.close();
}

/// c30, natively: more spinners than threads, and a quiet actor still answers.
#[test]
fn spinners_do_not_starve_a_quiet_actor() {
    let real = real(2);
    let spinners: Vec<ActorId> = (0..64)
        .map(|n| real.spawn(&format!("spin{n}"), template()))
        .collect();
    let quiet = real.spawn("quiet", template());
    for &id in &spinners {
        block_on(real.node.tell(id, bytes(&Cmd::Spin))).unwrap();
    }
    for n in 1..=1_000 {
        let reply = block_on(real.node.ask(quiet, bytes(&Cmd::Add(1)), 60_000)).unwrap();
        assert_eq!(reply, n.to_string().as_bytes());
    }
    for &id in &spinners {
        let ended = block_on(real.node.stop(id, StopMode::Kill, None)).unwrap();
        assert_eq!(ended.reason.to_string(), "killed");
    }
    real.close();
}

fn on(dispatcher: &str) -> ChildSpec {
    ChildSpec {
        dispatcher: dispatcher.into(),
        ..template()
    }
}

/// All threads of one dispatcher are taken; actors on another go on.
#[test]
fn c33_actors_pinned_to_blocking_do_not_delay_the_default() {
    let real = real(2);
    let quiet = real.spawn("quiet", template());
    let hogs: Vec<ActorId> = (0..4)
        .map(|n| real.spawn(&format!("hog{n}"), on("blocking")))
        .collect();
    for hog in hogs {
        block_on(real.node.tell(hog, bytes(&Cmd::Hog))).unwrap();
    }
    real.until_hogs(2);
    let late = Place::Root { behaviour: "b" };
    for n in 1..=1_000 {
        let reply = block_on(real.node.ask(quiet, bytes(&Cmd::Add(1)), 60_000)).unwrap();
        assert_eq!(reply, n.to_string().as_bytes());
    }
    block_on(real.node.spawn(late, Some("late"), None, None)).unwrap();
    let [main, blocking] = &real.node.dispatchers()[..] else {
        panic!("two dispatchers");
    };
    assert_eq!((&*main.name, main.load.threads), ("default", 2));
    assert_eq!((&*blocking.name, blocking.load.threads), ("blocking", 2));
    assert!(main.load.runs > 0);
    // Four began; two hog the threads, and two wait for one.
    assert!((4..=8).contains(&blocking.load.runs), "{blocking:?}");
    assert_eq!(blocking.load.queued, 2);
    assert!(blocking.utilisation > 0.0 && blocking.utilisation <= 1.0);
    real.record.lock().free = true;
    real.close();
}

/// One thread, an actor with a thousand messages: another ready one waits for no
/// more than a batch.
#[test]
fn c31_an_actor_gives_way_after_its_throughput() {
    const THROUGHPUT: u32 = 10;
    let real = real(1);
    let spec = ChildSpec {
        throughput: THROUGHPUT,
        ..template()
    };
    let (busy, quiet) = (real.spawn("busy", spec), real.spawn("quiet", template()));
    let take = |from, seq| {
        bytes(&Cmd::Take {
            from,
            seq,
            crash: false,
            yields: 0,
        })
    };
    block_on(real.node.tell(busy, bytes(&Cmd::Hog))).unwrap();
    real.until_hogs(1);
    for seq in 0..1_000 {
        block_on(real.node.tell(busy, take(1, seq))).unwrap();
    }
    block_on(real.node.tell(quiet, take(2, 0))).unwrap();
    real.record.lock().free = true;
    block_on(real.node.ask(busy, bytes(&Cmd::Count), 60_000)).unwrap();
    let taken = real.record.lock().taken.clone();
    let before = taken.iter().position(|(from, ..)| *from == 2);
    assert!(before.unwrap() <= THROUGHPUT as usize, "{before:?}");
    assert_eq!(taken.len(), 1_001);
    real.close();
}

/// Threads that find work with others take it, and say so.
#[test]
fn work_is_stolen_and_counted() {
    let real = real(2);
    let hogs = [real.spawn("a", template()), real.spawn("b", template())];
    for hog in hogs {
        block_on(real.node.tell(hog, bytes(&Cmd::Hog))).unwrap();
    }
    // Both threads are taken: no third runs, and nothing is asleep.
    real.until_hogs(2);
    let busy = real.node.dispatchers().remove(0);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let later = real.node.dispatchers().remove(0);
    let both = later.load.busy_ns - busy.load.busy_ns;
    let passed = later.load.elapsed_ns - busy.load.elapsed_ns;
    assert!(
        both > passed,
        "two threads are busy twice as long: {both} of {passed}"
    );
    real.record.lock().free = true;
    real.close();
}

/// A hundred racing spawns of one name: one wins.
#[test]
fn c53_of_racing_spawns_of_one_name_one_wins() {
    let real = real(4);
    for _ in 0..20 {
        let won: Vec<ActorId> = std::thread::scope(|scope| {
            let racers: Vec<_> = (0..8)
                .map(|_| {
                    let node = real.node.clone();
                    scope.spawn(move || {
                        let place = Place::Root { behaviour: "b" };
                        block_on(node.spawn(place, Some("one"), None, None)).ok()
                    })
                })
                .collect();
            racers
                .into_iter()
                .filter_map(|racer| racer.join().unwrap())
                .map(|s| s.id)
                .collect()
        });
        assert_eq!(won.len(), 1);
        block_on(real.node.stop(won[0], StopMode::Now, None));
    }
    real.close();
}

/// Two threads link and unlink the same two actors from both ends: no deadlock, and
/// never half a link.
#[test]
fn c47_two_that_link_each_other_at_once_on_real_threads() {
    let real = real(4);
    let pair = [real.spawn("a", template()), real.spawn("b", template())];
    std::thread::scope(|scope| {
        for (me, peer) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let node = real.node.clone();
            scope.spawn(move || {
                for round in 0..10_000 {
                    let unlink = (round % 3 == 2).then_some(Tie::Unlink(peer.0));
                    let acts: Vec<_> = [Tie::Link(peer.0)].into_iter().chain(unlink).collect();
                    block_on(node.ask(me, bytes(&ties(acts)), 60_000)).unwrap();
                }
            });
        }
    });
    let links = pair.map(|id| real.node.actor(id).unwrap().links);
    assert_eq!(links[0], links[1], "a link has two ends");
    block_on(
        real.node
            .ask(pair[0], bytes(&ties([Tie::Link(pair[1].0)])), 60_000),
    )
    .unwrap();
    assert_eq!(pair.map(|id| real.node.actor(id).unwrap().links), [1, 1]);
    real.close();
}

/// Actors that link and crash on all threads: every life ends with its links.
#[test]
fn c47_links_of_crashing_actors_leave_nothing_on_real_threads() {
    let real = real(4);
    let ids: Vec<ActorId> = (0..8)
        .map(|n| real.spawn(&format!("a{n}"), template()))
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (node, ids) = (real.node.clone(), ids.clone());
            scope.spawn(move || {
                for round in 0..2_000_usize {
                    let (me, peer) = (ids[(round * 7 + thread) % 8], ids[(round * 3 + 1) % 8]);
                    let acts = match round % 5 {
                        0 => vec![Tie::Unlink(peer.0)],
                        _ => vec![Tie::Link(peer.0)],
                    };
                    let crash = round % 11 == 0;
                    let cmd = if crash { Cmd::Crash } else { ties(acts) };
                    let _ = block_on(node.ask(me, bytes(&cmd), 60_000));
                }
            });
        }
    });
    for &id in &ids {
        let peers: Vec<Tie> = ids.iter().map(|id| Tie::Unlink(id.0)).collect();
        block_on(real.node.ask(id, bytes(&ties(peers)), 60_000)).unwrap();
    }
    for &id in &ids {
        assert_eq!(
            real.node.actor(id).unwrap().links,
            0,
            "no half of a link is left"
        );
    }
    real.close();
}
