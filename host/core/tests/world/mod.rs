//! A simulated node whose behaviours are native: what each message asks for, the
//! instance does.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test file uses its part of it"
)]

mod cmd;
pub mod items;
pub mod lives;
pub mod model;
mod native;
mod obey;
pub mod queueing;
pub mod real;
mod record;
pub mod seeds;
pub mod ties;
pub mod trace;
pub mod tree;

pub use cmd::{Cmd, Manage, bytes, take};
pub use native::{Native, NativeInstance, NativeModule, module};
pub use record::{Events, Record, Restarts};

use actorhost_core::{
    ActorId, ChildSpec, Node, NodeConfig, StopMode,
    dead_letters::DeadReason,
    node::{Place, Spawned},
    observe::Event,
    sim::Sim,
    spec::{Backoff, RestartBudget},
};
use native::{crash, give_way};
use parking_lot::Mutex;
use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use trace::Trace;

pub struct World {
    pub sim: Sim,
    pub node: Node<Native>,
    pub record: Arc<Mutex<Record>>,
    pub events: Arc<Events>,
    pub instances: Arc<AtomicU64>,
    pub trace: Arc<Trace>,
}

impl World {
    pub fn new(seed: u64) -> Self {
        Self::with_live_max(seed, 1_000)
    }

    pub fn with_live_max(seed: u64, live_max: usize) -> Self {
        Self::with_limits(seed, live_max, u64::MAX)
    }

    pub fn with_limits(seed: u64, live_max: usize, mailbox_bytes_max: u64) -> Self {
        let sim = Sim::new(seed);
        let record = Arc::new(Mutex::new(Record::default()));
        let trace = Trace::new(sim.clock.clone());
        let restarts = Restarts {
            clock: Some(sim.clock.clone()),
            trace: Some(trace.clone()),
            ..Restarts::default()
        };
        let events = Arc::new(Events(Mutex::default(), restarts));
        let instances = Arc::new(AtomicU64::new(0));
        let node = Node::new(NodeConfig {
            engine: Native {
                record: record.clone(),
                instances: instances.clone(),
                generation: AtomicU64::new(0),
                timers: sim.timers.clone(),
                trace: trace.clone(),
            },
            clock: sim.clock.clone(),
            timers: sim.timers.clone(),
            dispatchers: sim.dispatchers(),
            observer: events.clone(),
            dead_letters_max: 1_000_000,
            dead_letter_bytes_max: u64::MAX,
            mailbox_bytes_max,
            live_max,
            live_hard_max: live_max + 8,
            root_budget: RestartBudget::default(),
        });
        node.deploy("b", module(1), template());
        Self {
            sim,
            node,
            record,
            events,
            instances,
            trace,
        }
    }

    pub fn spawn_spec(&mut self, name: &str, spec: ChildSpec) -> ActorId {
        let node = self.node.clone();
        let spawned: Spawned = self
            .sim
            .block_on(node.spawn(Place::Root { behaviour: "b" }, Some(name), None, Some(spec)))
            .expect("it spawns");
        spawned.id
    }

    pub fn spawn(&mut self, name: &str) -> ActorId {
        self.spawn_spec(name, template())
    }

    pub fn ask(&mut self, to: ActorId, cmd: Cmd) -> String {
        let node = self.node.clone();
        match self.sim.block_on(node.ask(to, bytes(&cmd), 60_000)) {
            Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
            Err(error) => error.to_string(),
        }
    }

    pub fn tell(&mut self, to: ActorId, cmd: Cmd) -> Result<(), actorhost_core::SendError> {
        let node = self.node.clone();
        self.sim.block_on(node.tell(to, bytes(&cmd)))
    }

    /// Tells without running the world; a refusal is the test's own business.
    pub fn tell_now(&mut self, to: ActorId, cmd: Cmd) {
        let mut tell = std::pin::pin!(self.node.tell(to, bytes(&cmd)));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = tell.as_mut().poll(&mut cx);
    }

    /// An operator's kill.
    pub fn kill(&mut self, id: ActorId) {
        let node = self.node.clone();
        self.sim.block_on(node.stop(id, StopMode::Kill, None));
    }

    /// A kill that the restart type answers, as another actor sends it.
    pub fn kill_by_signal(&mut self, id: ActorId) {
        let name = format!("killer-{}", self.sim.random().u64(..));
        let killer = self.spawn(&name);
        let stop = Cmd::Stop {
            to: id.0,
            kill: true,
        };
        self.tell(killer, stop).expect("an idle actor has room");
        assert_eq!(self.ask(killer, Cmd::Count), "1", "the kill was sent");
        self.kill(killer);
    }

    /// Ends everything and checks that nothing is left.
    pub fn close(mut self) {
        let node = self.node.clone();
        self.sim.block_on(node.shutdown(600_000));
        self.sim.settle();
        assert_eq!(self.node.totals().actors, 0, "no actor is left");
        assert_eq!(
            self.node.totals().live,
            0,
            "no place of an instance is left"
        );
        assert_eq!(
            self.instances.load(Ordering::SeqCst),
            0,
            "no instance is left"
        );
        assert!(self.sim.timers.is_empty(), "no deadline is left");
        let held = self.node.totals().mailbox_bytes;
        assert_eq!(held, 0, "no byte is left in a mailbox");
        self.check_dead_letters();
    }
}

impl World {
    /// Each dead letter was told of and counted by its reason.
    fn check_dead_letters(&self) {
        let told = self.events.0.lock();
        let of = |why| {
            let is_it =
                |event: &&Event| matches!(event, Event::DeadLetter(letter) if letter.reason == why);
            told.iter().filter(is_it).count() as u64
        };
        let letters = self.node.dead_letters();
        for why in DeadReason::ALL {
            assert_eq!(letters.count(why), of(why), "dead letters: {why:?}");
        }
    }
}

pub const SEEDS: u64 = 20;

/// Runs a test in many worlds, each with an order of its own.
pub fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

/// The spec of most tests: many restarts allowed, may spawn itself.
pub fn template() -> ChildSpec {
    ChildSpec {
        may_spawn: Arc::from(["b".into()]),
        own_budget: RestartBudget {
            intensity: 1_000_000,
            period_ms: 1,
        },
        ..ChildSpec::new("b")
    }
}

/// A backoff that a random world sees the whole of.
pub fn short_backoff(random: &mut fastrand::Rng) -> Backoff {
    Backoff {
        first_ms: random.u64(1..20),
        factor: 2.0,
        cap_ms: 40,
        jitter: 0.5,
        reset_ms: 100,
    }
}
