//! Random worlds around mailboxes: priorities, stash, every overflow policy, the
//! byte budget, poison, swaps, crashes and stops, compared with a model message by
//! message. A failing seed is printed and replays.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, Limits, MailboxSpec, Overflow, SendError, StopMode,
    observe::Event,
    spec::{Directive, RestartBudget},
};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};
use world::{
    World,
    items::{self, Does, Item},
    model::{Entry, Model, ModelBox, Told},
    module, seeds, template,
    trace::{Step, Trace},
};

#[test]
fn every_mailbox_is_what_its_model_says() {
    seeds::each(one_world);
}

type Telling = Pin<Box<dyn Future<Output = Result<(), SendError>>>>;

/// A sender that waits for room.
struct Waiting {
    to: ActorId,
    seq: u64,
    until_ms: u64,
    tell: Telling,
}

struct Queues {
    w: World,
    model: Model,
    waiting: Vec<Waiting>,
    next_seq: u64,
}

fn spec(random: &mut fastrand::Rng) -> ChildSpec {
    let overflow = match random.u32(..5) {
        0 => Overflow::Reject,
        1 => Overflow::DropNewest,
        2 => Overflow::DropOldest,
        3 => Overflow::Unbounded,
        _ => Overflow::Block {
            timeout_ms: random.u64(1..100),
        },
    };
    let priorities = if random.u32(..4) == 0 {
        Vec::new()
    } else {
        items::priorities()
    };
    ChildSpec {
        mailbox: MailboxSpec {
            capacity: random.u32(1..10),
            overflow,
            priorities: priorities.into(),
        },
        on_crash: [Directive::Restart, Directive::Resume][random.usize(..2)].into(),
        attempts: if random.bool() { 1 } else { random.u32(2..4) },
        limits: Limits {
            stash: random.u32(1..6),
            ..Limits::default()
        },
        throughput: random.u32(1..5),
        own_budget: RestartBudget {
            intensity: random.u32(3..30),
            period_ms: 100,
        },
        ..template()
    }
}

fn poll(tell: &mut Telling) -> Poll<Result<(), SendError>> {
    tell.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn one_world(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let bytes_max = if random.bool() {
        u64::MAX
    } else {
        random.u64(300..3_000)
    };
    let w = World::with_limits(seed, 1_000, bytes_max);
    let model = Model {
        bytes: 0,
        bytes_max,
        boxes: Default::default(),
    };
    let mut q = Queues {
        w,
        model,
        waiting: Vec::new(),
        next_seq: 0,
    };
    let ids: Vec<_> = (0..random.usize(1..4)).map(|n| q.spawn(n)).collect();
    let mut version = 1;
    for _ in 0..120 {
        let to = ids[q.w.sim.random().usize(..ids.len())];
        match q.w.sim.random().u32(..40) {
            0 => {
                version += 1;
                let mut new = module(version);
                new.fails_load = q.w.sim.random().u32(..3) == 0;
                let node = q.w.node.clone();
                let swapped = q.w.sim.block_on(node.swap("b", new, 60_000));
                swapped.expect("a new version is taken");
            }
            1 if q.w.sim.random().u32(..4) == 0 => {
                let random = q.w.sim.random();
                let mode = [StopMode::Drain, StopMode::Now, StopMode::Kill][random.usize(..3)];
                let node = q.w.node.clone();
                q.w.sim.block_on(node.stop(to, mode, Some(50)));
            }
            2 => {
                let later = q.w.sim.clock_ms() + q.w.sim.random().u64(1..60);
                q.w.sim.run_until(later);
            }
            _ => q.tell(to),
        }
        q.look();
        for _ in 0..q.w.sim.random().usize(..6) {
            q.w.sim.step();
            q.look();
        }
        if q.w.sim.random().bool() {
            q.poll_waiting();
        }
        let held = q.w.node.totals().mailbox_bytes;
        assert_eq!(held, q.model.bytes, "bytes held");
    }
    q.finish();
}

impl Queues {
    fn spawn(&mut self, n: usize) -> ActorId {
        let spec = spec(self.w.sim.random());
        let id = self.w.spawn_spec(&format!("a{n}"), spec.clone());
        let (attempts, stash) = (spec.attempts, spec.limits.stash);
        let it = ModelBox::new(spec.mailbox, attempts, stash);
        self.model.boxes.insert(id, it);
        self.w.trace.take();
        id
    }

    fn tell(&mut self, to: ActorId) {
        self.next_seq += 1;
        let seq = self.next_seq;
        let random = self.w.sim.random();
        let does = match random.u32(..24) {
            0..=2 => Does::Crash,
            3..=7 => Does::Stash,
            8 => Does::Open,
            9 => Does::OpenAndStash,
            10 => Does::OpenAndCrash,
            11 => Does::StopSelf(['n', 'k'][random.usize(..2)]),
            12 if random.u32(..6) == 0 => Does::StopSelf('d'),
            _ => Does::Nothing,
        };
        let rank = random.usize(..3);
        let yields = random.u32(..4);
        let bytes = world::bytes(&items::message(rank, Item { seq, does, yields }));
        let entry = Entry::new(seq, rank, bytes.clone());
        let expected = self.model.tell(to, entry);
        let node = self.w.node.clone();
        let mut tell: Telling = Box::pin(async move { node.tell(to, bytes).await });
        let told = match poll(&mut tell) {
            Poll::Ready(Ok(())) => Told::Ok,
            Poll::Ready(Err(error)) => Told::Refused(error),
            Poll::Pending => {
                let until_ms = self.w.sim.clock_ms() + self.model.boxes[&to].timeout_ms();
                self.waiting.push(Waiting {
                    to,
                    seq,
                    until_ms,
                    tell,
                });
                Told::Waits
            }
        };
        assert_eq!(told, expected, "{seq} to {to}");
    }

    fn poll_waiting(&mut self) {
        let now_ms = self.w.sim.clock_ms();
        let mut still = Vec::new();
        for mut waiting in std::mem::take(&mut self.waiting) {
            match poll(&mut waiting.tell) {
                Poll::Ready(result) => {
                    let late = now_ms >= waiting.until_ms;
                    self.model.waited(waiting.to, waiting.seq, &result, late);
                    drop(waiting);
                    self.look();
                }
                Poll::Pending => still.push(waiting),
            }
        }
        self.waiting = still;
    }

    fn look(&mut self) {
        look(&mut self.model, &self.w.trace);
    }

    fn finish(mut self) {
        while !self.waiting.is_empty() {
            let later = self.w.sim.clock_ms() + 50;
            self.w.sim.run_until(later);
            self.look();
            self.poll_waiting();
        }
        let later = self.w.sim.clock_ms() + 10_000;
        self.w.sim.run_until(later);
        self.look();
        for (id, it) in &self.model.boxes {
            assert!(it.is_settled(), "{id} leaves something undone");
            assert_eq!(it.gone, self.w.node.actor(*id).is_none(), "{id}");
        }
        let (node, trace) = (self.w.node.clone(), self.w.trace.clone());
        let mut model = self.model;
        self.w.close();
        look(&mut model, &trace);
        assert!(model.boxes.values().all(|it| it.is_empty() && it.gone));
        assert_eq!((model.bytes, node.totals().mailbox_bytes), (0, 0));
    }
}

/// Compares what has happened with the model.
fn look(model: &mut Model, trace: &Trace) {
    for (_, step) in trace.take() {
        match step {
            Step::Made { id, .. } => model.made(id),
            Step::Dropped { id } => model.dropped(id),
            Step::Begun { id, seq } => model.begun(id, seq),
            Step::Over { id, seq, how } => model.over(id, seq, how),
            Step::Told(Event::DeadLetter(letter)) => {
                let cmd = postcard::from_bytes(&letter.message).expect("whole bytes");
                let (_, item) = items::item(&cmd).expect("an item");
                model.buried(letter.to, item.seq, letter.reason);
            }
            Step::Told(Event::Ended { subject, .. }) => model.ended(subject.id),
            Step::Init { .. } | Step::Stopping { .. } | Step::Told(_) => {}
        }
    }
}
