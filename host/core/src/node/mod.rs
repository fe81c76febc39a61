//! The node: the one owner of all actors, and the way in from outside.

mod admin;
mod asks;
mod groups;
mod links;
mod live;
mod post;
mod redrive;
mod ring;
mod send;
mod spawn;
mod stats;
mod stop;
mod view;

pub use admin::{ShutdownSummary, SwapError, SwapSummary};
pub use groups::GroupView;
pub(crate) use groups::KnownBy;
pub(crate) use links::Links;
pub(crate) use live::{Live, LiveSlot};
pub use redrive::{FoundBy, RedriveError, Redriven};
pub use spawn::{Place, SpawnFailed, Spawned};
pub(crate) use stats::Stats;
pub use stats::Totals;
pub use stop::Stopped;
pub use view::{ActorView, BehaviourView, TreeView};

use crate::{
    ActorId, ChildSpec, Clock, Engine,
    actor::{Cell, Latch},
    dead_letters::DeadLetters,
    dispatcher::{DispatcherView, Dispatchers},
    groups::Groups,
    mailbox::ByteBudget,
    observe::Observer,
    registry::Registry,
    spec::RestartBudget,
    supervisor::Supervisor,
    timers::Timers,
};
use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{
    Arc, Weak,
    atomic::{AtomicBool, AtomicU64},
};

/// What a node is made with.
pub struct NodeConfig<E: Engine> {
    /// Runs the behaviours.
    pub engine: E,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Deadlines on that clock; whoever makes the node drives them.
    pub timers: Arc<Timers>,
    /// Run what is ready.
    pub dispatchers: Dispatchers,
    /// Hears what happens.
    pub observer: Arc<dyn Observer>,
    /// Dead letters that are kept.
    pub dead_letters_max: usize,
    /// What they may count for together, in bytes.
    pub dead_letter_bytes_max: u64,
    /// Bytes that may wait in all mailboxes together; above it senders are told
    /// `overloaded`.
    pub mailbox_bytes_max: u64,
    /// Instances above which idle actors are put to sleep.
    pub live_max: usize,
    /// Instances above which a newcomer waits; at least `live_max`.
    pub live_hard_max: usize,
    /// Restarts of top-level supervisors before the node gives up.
    pub root_budget: RestartBudget,
}

/// A node. Clones are the same node. It runs until [`Node::shutdown`].
pub struct Node<E: Engine>(pub(crate) Arc<NodeInner<E>>);

impl<E: Engine> Clone for Node<E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

pub(crate) struct NodeInner<E: Engine> {
    pub engine: E,
    pub clock: Arc<dyn Clock>,
    pub timers: Arc<Timers>,
    pub dispatchers: Dispatchers,
    pub observer: Arc<dyn Observer>,
    pub registry: Registry<E>,
    pub groups: Groups,
    pub dead_letters: DeadLetters,
    pub mailbox_bytes: Arc<ByteBudget>,
    pub live: Live<E>,
    pub stats: Stats,
    pub behaviours: RwLock<FxHashMap<Arc<str>, Arc<Behaviour<E>>>>,
    pub pools: RwLock<FxHashMap<Arc<str>, Arc<Pool<E>>>>,
    /// Top-level supervisors are its children.
    pub root: Arc<Supervisor<E>>,
    /// The others, by path.
    pub supervisors: RwLock<FxHashMap<Arc<str>, Arc<Supervisor<E>>>>,
    /// Who was killed at the shutdown, by path.
    pub killed: Mutex<Vec<Arc<str>>>,
    pub shutting_down: AtomicBool,
    /// Held by whoever ends a ring of waiting actors.
    breaking_ring: Mutex<()>,
    /// Set when the node cannot go on.
    pub failed: Latch<String>,
    next_id: AtomicU64,
}

/// A name with the module versions deployed under it.
pub(crate) struct Behaviour<E: Engine> {
    pub name: Arc<str>,
    /// What its actors are spawned with where nothing else is said.
    pub template: RwLock<ChildSpec>,
    versions: RwLock<Vec<Arc<Version<E>>>>,
    /// A roll-out is under way.
    pub swapping: AtomicBool,
}

/// One deployed module of a behaviour.
pub(crate) struct Version<E: Engine> {
    /// From 1, in order of deployment.
    pub number: u32,
    pub module: Arc<E::Module>,
}

impl<E: Engine> Behaviour<E> {
    pub fn current(&self) -> Arc<Version<E>> {
        self.versions
            .read()
            .last()
            .expect("a behaviour has a version")
            .clone()
    }

    pub fn version(&self, number: u32) -> Option<Arc<Version<E>>> {
        let versions = self.versions.read();
        versions
            .iter()
            .find(|version| version.number == number)
            .cloned()
    }
}

/// One spec, many children, a budget for each (OTP's simple_one_for_one, with the
/// budget per child).
pub(crate) struct Pool<E: Engine> {
    pub name: Arc<str>,
    pub path: Arc<str>,
    pub spec: ChildSpec,
    pub budget: RestartBudget,
    pub children: Mutex<FxHashSet<ActorId>>,
    pub behaviour: Arc<Behaviour<E>>,
}

/// Whose child an actor is.
pub(crate) enum Parent<E: Engine> {
    /// The node's own.
    Root,
    Supervisor(Arc<Supervisor<E>>),
    Pool(Arc<Pool<E>>),
    Actor(Weak<Cell<E>>),
}

impl<E: Engine> Parent<E> {
    /// The path of the parent, for people to read.
    pub fn path(&self) -> Arc<str> {
        match self {
            Self::Root => "/".into(),
            Self::Supervisor(supervisor) => supervisor.path.clone(),
            Self::Pool(pool) => pool.path.clone(),
            Self::Actor(cell) => cell
                .upgrade()
                .map_or_else(|| "?".into(), |cell| cell.path.clone()),
        }
    }
}

impl<E: Engine> Node<E> {
    /// A node without actors.
    pub fn new(config: NodeConfig<E>) -> Self {
        Self(Arc::new(NodeInner {
            engine: config.engine,
            clock: config.clock,
            timers: config.timers,
            dispatchers: config.dispatchers,
            observer: config.observer,
            registry: Registry::new(),
            groups: Groups::new(),
            dead_letters: DeadLetters::new(config.dead_letters_max, config.dead_letter_bytes_max),
            mailbox_bytes: Arc::new(ByteBudget::new(config.mailbox_bytes_max)),
            live: Live::new(config.live_max, config.live_hard_max.max(config.live_max)),
            stats: Stats::default(),
            behaviours: RwLock::default(),
            pools: RwLock::default(),
            root: Supervisor::root(config.root_budget),
            supervisors: RwLock::default(),
            killed: Mutex::default(),
            shutting_down: AtomicBool::new(false),
            breaking_ring: Mutex::default(),
            failed: Latch::new(),
            next_id: AtomicU64::new(1),
        }))
    }

    /// The engine.
    pub fn engine(&self) -> &E {
        &self.0.engine
    }

    /// The store of dead letters.
    pub fn dead_letters(&self) -> &DeadLetters {
        &self.0.dead_letters
    }

    /// Deadlines of this node.
    pub fn timers(&self) -> &Arc<Timers> {
        &self.0.timers
    }

    /// The dispatchers, `default` first. Each call is a look: utilisation is that of
    /// the time since the last.
    pub fn dispatchers(&self) -> Vec<DispatcherView> {
        self.0.dispatchers.views()
    }

    /// Waits until the node cannot go on: a top-level supervisor has used up the
    /// root's budget. The text says which and why.
    pub async fn failed(&self) -> String {
        self.0.failed.wait().await
    }

    /// The module that is current for a behaviour, with its version's number.
    pub fn module(&self, behaviour: &str) -> Option<(u32, Arc<E::Module>)> {
        let current = self.0.behaviour(behaviour)?.current();
        Some((current.number, current.module.clone()))
    }

    /// What a behaviour's actors are spawned with where nothing else is said.
    pub fn template(&self, behaviour: &str) -> Option<ChildSpec> {
        self.0.spec_of(behaviour)
    }

    /// One deployed module of a behaviour, by its version's number.
    pub fn module_version(&self, behaviour: &str, number: u32) -> Option<Arc<E::Module>> {
        Some(self.0.behaviour(behaviour)?.version(number)?.module.clone())
    }

    /// An actor that has ended not long ago, by its path or its id in digits, with
    /// the behaviour and the version that it ran. A message to it is refused as
    /// `stopped` and kept as a dead letter.
    pub fn ended(&self, address: &str) -> Option<(ActorId, Arc<str>, u32)> {
        let registry = &self.0.registry;
        let id = match address.trim_start_matches('#').parse() {
            Ok(id) => ActorId(id),
            Err(_) => registry.ended_under(address)?,
        };
        let ended = registry.ended(id)?;
        Some((id, ended.behaviour, ended.version))
    }

    /// The behaviour that a living actor runs, and its version's number.
    pub fn behaviour_of(&self, id: ActorId) -> Option<(Arc<str>, u32)> {
        let cell = self.0.registry.get(id)?;
        let version = cell
            .figures
            .version
            .load(std::sync::atomic::Ordering::Relaxed);
        Some((cell.behaviour.name.clone(), version.max(1)))
    }

    /// The behaviour that a pool's children run.
    pub fn behaviour_of_pool(&self, pool: &str) -> Option<Arc<str>> {
        Some(self.0.pools.read().get(pool)?.behaviour.name.clone())
    }

    /// Names of all behaviours, sorted.
    pub fn behaviour_names(&self) -> Vec<Arc<str>> {
        let mut names: Vec<_> = self.0.behaviours.read().keys().cloned().collect();
        names.sort();
        names
    }
}

impl<E: Engine> NodeInner<E> {
    pub fn behaviour(&self, name: &str) -> Option<Arc<Behaviour<E>>> {
        self.behaviours.read().get(name).cloned()
    }

    pub fn spec_of(&self, behaviour: &str) -> Option<ChildSpec> {
        Some(self.behaviour(behaviour)?.template.read().clone())
    }
}
