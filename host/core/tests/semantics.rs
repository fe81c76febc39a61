//! Random worlds of every semantic at once: all overflow policies, links, watches,
//! names, groups, timers, replies given later, questions handed on, budgets that run
//! out, stops and swaps, in an order that the seed chooses. A failing seed is printed
//! and replays.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, MailboxSpec, Overflow, RestartType, StopMode,
    dead_letters::DeadReason,
    spec::{Directive, RestartBudget},
};
use std::collections::{HashMap, HashSet};
use world::{Cmd, World, module, seeds, template, ties::Tie};

#[test]
fn every_promise_holds_in_random_worlds() {
    seeds::each(one_world);
}

const BUDGET: RestartBudget = RestartBudget {
    intensity: 4,
    period_ms: 100,
};

fn spec(random: &mut fastrand::Rng) -> ChildSpec {
    let overflow = match random.u32(..5) {
        0 => Overflow::Reject,
        1 => Overflow::DropNewest,
        2 => Overflow::DropOldest,
        3 => Overflow::Unbounded,
        _ => Overflow::Block {
            timeout_ms: random.u64(1..200),
        },
    };
    let restart = match random.u32(..4) {
        0 => RestartType::Temporary,
        1 => RestartType::Transient,
        _ => RestartType::Permanent,
    };
    let directive = match random.u32(..4) {
        0 => Directive::Resume,
        1 => Directive::Stop,
        _ => Directive::Restart,
    };
    ChildSpec {
        mailbox: MailboxSpec {
            capacity: random.u32(1..12),
            overflow,
            ..MailboxSpec::default()
        },
        restart,
        on_crash: directive.into(),
        throughput: random.u32(1..5),
        hibernate: random.bool(),
        own_budget: BUDGET,
        ..template()
    }
}

fn one_world(seed: u64) {
    let mut w = World::new(seed);
    let count = w.sim.random().usize(2..8);
    let ids: Vec<ActorId> = (0..count)
        .map(|n| {
            let spec = spec(w.sim.random());
            w.spawn_spec(&format!("a{n}"), spec)
        })
        .collect();
    let mut next_seq = HashMap::new();
    let mut version = 1;
    for _ in 0..120 {
        let random = w.sim.random();
        let at = ids[random.usize(..count)];
        let to = ids[random.usize(..count)];
        match random.u32(..30) {
            0 => {
                version += 1;
                let mut new = module(version);
                new.fails_load = random.bool();
                let node = w.node.clone();
                let swapped = w.sim.block_on(node.swap("b", new, 60_000));
                swapped.expect("a new version is taken");
            }
            1 if random.u32(..3) == 0 => {
                let mode = [StopMode::Drain, StopMode::Now, StopMode::Kill][random.usize(..3)];
                let node = w.node.clone();
                w.sim.block_on(node.stop(at, mode, Some(50)));
            }
            2 => {
                let later = w.sim.clock_ms() + w.sim.random().u64(1..150);
                w.sim.run_until(later);
            }
            3..=8 => tie(&mut w, at, to),
            9..=13 => ask(&mut w, at, to),
            14..=15 => {
                let cmd = Cmd::SetTimer {
                    key: random.bool().then(|| "key".into()),
                    cmd: Box::new(Cmd::Add(1)),
                    after_ms: random.u64(1..80),
                    every_ms: random.bool().then(|| random.u64(1..40)),
                    crash: random.u32(..6) == 0,
                };
                w.tell_now(at, cmd);
            }
            16 => {
                let key = "key".into();
                w.tell_now(at, Cmd::CancelKey { key, crash: false });
            }
            _ => {
                let seq: &mut u64 = next_seq.entry((at.0, to.0)).or_default();
                *seq += 1;
                let cmd = Cmd::Send {
                    to: to.0,
                    seq: *seq,
                    crash_there: random.u32(..10) == 0,
                    crash_here: random.u32(..10) == 0,
                    yields: random.u32(..4),
                };
                w.tell_now(at, cmd);
            }
        }
        for _ in 0..w.sim.random().usize(..15) {
            w.sim.step();
        }
    }
    let later = w.sim.clock_ms() + 100_000;
    w.sim.run_until(later);
    check_messages(&w);
    check_lives(&w);
    check_end(w);
}

fn tie(w: &mut World, at: ActorId, to: ActorId) {
    let random = w.sim.random();
    let name = ["x", "y"][random.usize(..2)].to_owned();
    let tie = match random.u32(..11) {
        0 | 1 => Tie::Link(to.0),
        2 => Tie::Unlink(to.0),
        3 => Tie::Trap(random.bool()),
        4 | 5 => Tie::Watch(to.0),
        6 => Tie::Register(name),
        7 => Tie::Unregister(name),
        8 => Tie::Join(name),
        9 => Tie::Leave(name),
        _ => Tie::Spawn {
            link: random.bool(),
        },
    };
    let crash = random.u32(..8) == 0;
    let ties = vec![tie];
    w.tell_now(at, Cmd::Ties { ties, crash });
}

fn ask(w: &mut World, at: ActorId, to: ActorId) {
    let random = w.sim.random();
    let crash = random.u32(..8) == 0;
    let timeout_ms = random.u64(1..100);
    let cmd = match random.u32(..5) {
        0 => Cmd::Ask {
            to: to.0,
            timeout_ms,
        },
        1 => Cmd::AskThat {
            to: to.0,
            cmd: Box::new(Cmd::Later { crash }),
            timeout_ms,
        },
        2 => Cmd::AnswerLater {
            text: "later".into(),
            crash,
        },
        3 => Cmd::Forward {
            to: to.0,
            cmd: Box::new(Cmd::Count),
            crash,
        },
        _ => Cmd::AskLater {
            to: to.0,
            cmd: Box::new(Cmd::Count),
            timeout_ms,
            crash,
        },
    };
    w.tell_now(at, cmd);
}

/// Order for each pair; each accepted message is handled or buried, never both.
fn check_messages(w: &World) {
    let record = w.record.lock();
    let mut last: HashMap<(u64, u64), u64> = HashMap::new();
    for &(from, to, seq) in &record.taken {
        let before = last.insert((from, to), seq).unwrap_or(0);
        assert!(before < seq, "{from} to {to}: {seq} came after {before}");
    }
    let taken: HashSet<_> = record.taken.iter().copied().collect();
    let mut dead = HashSet::new();
    for letter in w.node.dead_letters().newest(usize::MAX) {
        if letter.reason == DeadReason::LateReply {
            continue;
        }
        let cmd = postcard::from_bytes(&letter.message).expect("a dead letter keeps its bytes");
        if let Cmd::Take { from, seq, .. } = cmd {
            let key = (from, letter.to.0, seq);
            assert!(!taken.contains(&key), "{key:?} was handled and buried");
            assert!(dead.insert(key), "{key:?} was buried twice");
        }
    }
    for sent in &record.sent {
        let kept = taken.contains(sent) || dead.contains(sent);
        assert!(kept, "{sent:?} is lost");
    }
    let sent: HashSet<_> = record.sent.iter().collect();
    for taken in &record.taken {
        let meant = sent.contains(taken);
        assert!(meant, "{taken:?} came from a turn that failed");
    }
}

/// One life at a time, each budget kept, each end told once.
fn check_lives(w: &World) {
    let record = w.record.lock();
    assert_eq!(record.overlaps, 0, "two lives of one actor at once");
    let mut told = HashSet::new();
    for (watcher, who, reason) in &record.downs {
        let was_there = reason != "no-such-actor";
        let first = told.insert((*watcher, *who));
        assert!(first || !was_there, "{watcher} heard of {who} twice");
    }
    drop(record);
    let mut restarts: HashMap<ActorId, Vec<u64>> = HashMap::new();
    for &(id, at_ms) in &*w.events.1.at_ms.lock() {
        restarts.entry(id).or_default().push(at_ms);
    }
    for (id, at_ms) in restarts {
        for run in at_ms.windows(BUDGET.intensity as usize + 1) {
            let spread_ms = run[run.len() - 1] - run[0];
            assert!(spread_ms > BUDGET.period_ms, "{id}: {run:?} is over budget");
        }
    }
}

/// Nothing is left of anything.
fn check_end(w: World) {
    let node = w.node.clone();
    w.close();
    let totals = node.totals();
    assert_eq!(totals.timers, 0, "timers");
    assert_eq!(totals.questions_open, 0, "questions");
    assert_eq!(totals.asks_under_way, 0, "asks");
    assert_eq!(totals.mailbox_bytes, 0, "queued bytes");
    assert_eq!(node.names().len(), 0, "names");
    assert_eq!(node.groups().len(), 0, "groups");
}
