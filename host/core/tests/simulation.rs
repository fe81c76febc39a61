//! Random worlds: crashes, kills, full mailboxes, swaps and sleepers, all at once,
//! in an order that the seed chooses. A failing seed is printed and replays.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, MailboxSpec, Overflow,
    dead_letters::DeadReason,
    spec::{Directive, RestartBudget},
};
use std::collections::{HashMap, HashSet};
use world::{Cmd, World, module, seeds, template};

#[test]
fn nothing_is_lost_doubled_or_reordered() {
    seeds::each(one_world);
}

fn one_world(seed: u64) {
    let mut w = World::with_live_max(seed, 5);
    let count = w.sim.random().usize(2..9);
    let ids: Vec<ActorId> = (0..count)
        .map(|n| {
            let random = w.sim.random();
            let overflow = if random.bool() {
                Overflow::Reject
            } else {
                Overflow::Block {
                    timeout_ms: random.u64(1..200),
                }
            };
            let spec = ChildSpec {
                mailbox: MailboxSpec {
                    capacity: random.u32(1..20),
                    overflow,
                    ..MailboxSpec::default()
                },
                on_crash: if random.bool() {
                    Directive::Restart.into()
                } else {
                    Directive::Resume.into()
                },
                throughput: random.u32(1..5),
                hibernate: random.u32(..4) > 0,
                own_budget: RestartBudget {
                    intensity: 60,
                    period_ms: 1_000,
                },
                ..template()
            };
            w.spawn_spec(&format!("a{n}"), spec)
        })
        .collect();
    let mut next_seq: HashMap<(u64, u64), u64> = HashMap::new();
    let mut version = 1;
    for _ in 0..150 {
        let random = w.sim.random();
        let from = ids[random.usize(..count)];
        let to = ids[random.usize(..count)];
        match random.u32(..40) {
            0 => w.kill_by_signal(to),
            1 => {
                version += 1;
                let mut new = module(version);
                new.fails_load = w.sim.random().u32(..4) == 0;
                let node = w.node.clone();
                w.sim
                    .block_on(node.swap("b", new, 60_000))
                    .expect("a new version is taken");
            }
            2 => {
                let (timeout_ms, to) = (random.u64(1..50), to.0);
                w.tell_now(from, Cmd::Ask { to, timeout_ms });
            }
            3 => w.tell_now(from, Cmd::Watch(to.0)),
            4 => {
                let later = w.sim.clock_ms() + w.sim.random().u64(1..100);
                w.sim.run_until(later);
            }
            _ => {
                let crash_there = random.u32(..12) == 0;
                let crash_here = random.u32(..12) == 0;
                let yields = random.u32(..4);
                let seq = next_seq.entry((from.0, to.0)).or_default();
                *seq += 1;
                let cmd = Cmd::Send {
                    to: to.0,
                    seq: *seq,
                    crash_there,
                    crash_here,
                    yields,
                };
                w.tell_now(from, cmd);
            }
        }
        for _ in 0..w.sim.random().usize(..12) {
            w.sim.step();
        }
    }
    let later = w.sim.clock_ms() + 100_000;
    w.sim.run_until(later);
    check(&w);
    w.close();
}

fn check(w: &World) {
    let record = w.record.lock();
    // FIFO for each pair.
    let mut last: HashMap<(u64, u64), u64> = HashMap::new();
    for &(from, to, seq) in &record.taken {
        let before = last.insert((from, to), seq).unwrap_or(0);
        assert!(before < seq, "{from} to {to}: {seq} came after {before}");
    }
    // Each accepted message is handled, or a dead letter, and never both.
    let taken: HashSet<_> = record.taken.iter().copied().collect();
    assert_eq!(
        taken.len(),
        record.taken.len(),
        "a message was handled twice"
    );
    let mut dead = HashSet::new();
    for letter in w.node.dead_letters().newest(usize::MAX) {
        let cmd: Cmd = match letter.reason {
            DeadReason::LateReply => continue,
            _ => postcard::from_bytes(&letter.message).expect("a dead letter keeps its bytes"),
        };
        if let Cmd::Take { from, seq, .. } = cmd {
            let key = (from, letter.to.0, seq);
            assert!(!taken.contains(&key), "{key:?} was handled and buried");
            assert!(dead.insert(key), "{key:?} was buried twice");
        }
    }
    for sent in &record.sent {
        assert!(
            taken.contains(sent) || dead.contains(sent),
            "{sent:?} is lost"
        );
    }
    let sent: HashSet<_> = record.sent.iter().copied().collect();
    for taken in &record.taken {
        assert!(
            sent.contains(taken),
            "{taken:?} came from a turn that failed"
        );
    }
}
