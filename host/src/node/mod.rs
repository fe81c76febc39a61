//! A running node: the actor machine with real threads, the monotonic clock, the
//! wasm engine and a data directory of its own.

mod clock;
mod data_dir;
mod events;
mod memory;
mod observer;
mod plan;
mod specs;
mod up;
mod up_error;

pub use clock::MonotonicClock;
pub use data_dir::{DataDir, DataDirError};
pub use events::{EventHub, LISTENERS_MAX, Listening, NodeObserver, NotListening, Published, gap};
pub use observer::LogObserver;
pub use specs::{SpecError, SpecErrors, default_spec};
pub use up::{Up, read_manifest, up};
pub use up_error::UpError;

use crate::behaviour::{EngineError, WasmConfig, WasmEngine};
use actorhost_core::{
    Node, NodeConfig,
    dispatcher::{BLOCKING, DEFAULT, Dispatcher, Dispatchers, Workers, WorkersConfig},
    observe::Observer,
    spec::RestartBudget,
    timers::Timers,
};
use std::{path::PathBuf, sync::Arc, time::Instant};

/// How a node is set up.
#[derive(Debug, Clone)]
pub struct HostConfig {
    /// Its name, for people.
    pub name: String,
    /// Where compiled code is kept; none keeps it in memory only.
    pub cache_dir: Option<PathBuf>,
    /// Threads of the dispatcher `default`, at least 1.
    pub threads: usize,
    /// Further dispatchers by name, with their threads; `blocking` is there with
    /// [`BLOCKING_THREADS`] unless it is named here.
    pub dispatchers: Vec<(String, usize)>,
    /// Instances above which idle actors are put to sleep; the machine's own limit
    /// if none.
    pub live_max: Option<u32>,
    /// Bytes that may wait in all mailboxes together; an eighth of the memory, but at
    /// least 64 MiB, if none.
    pub mailbox_bytes_max: Option<u64>,
    /// Dead letters that are kept.
    pub dead_letters_max: usize,
    /// What they may count for together, in bytes.
    pub dead_letter_bytes_max: u64,
    /// Restarts of top-level supervisors before the node gives up.
    pub root_budget: RestartBudget,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self {
            name: "node".into(),
            cache_dir: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            dispatchers: Vec::new(),
            live_max: None,
            mailbox_bytes_max: None,
            dead_letters_max: 10_000,
            dead_letter_bytes_max: 64 << 20,
            root_budget: RestartBudget::default(),
        }
    }
}

/// Why a node could not be started.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The wasm engine could not be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// A node in this process.
pub struct Host {
    /// Its name.
    pub name: String,
    /// The actor machine.
    pub node: Node<WasmEngine>,
    /// When it was started.
    pub started: Instant,
    /// Threads of the dispatcher `default`.
    pub threads: usize,
    /// Its data directory, for people; empty if it has none.
    pub data_dir: String,
    /// Of each dispatcher, the default first.
    workers: Vec<Arc<Workers>>,
    timers: Arc<Timers>,
}

/// Threads of the dispatcher `blocking` where nothing else is said. Its actors hold
/// a thread only while they compute, and idle threads cost a few pages each.
pub const BLOCKING_THREADS: usize = 4;

/// Instances beyond the soft limit: a busy node's sleepers need a moment to go.
const LIVE_HEADROOM: u32 = 512;

impl Host {
    /// Starts a node without actors. Must be called within a tokio runtime, which
    /// serves the guests' waits.
    ///
    /// # Errors
    /// When the engine or a thread cannot be started.
    pub fn start(config: HostConfig, observer: Arc<dyn Observer>) -> Result<Self, HostError> {
        let machine_max = crate::behaviour::live_max_for_this_machine();
        let hard_max = config.live_max.map_or(machine_max, |live| {
            live.saturating_add(LIVE_HEADROOM).min(machine_max)
        });
        let soft_max = config
            .live_max
            .unwrap_or_else(|| machine_max.saturating_sub(LIVE_HEADROOM))
            .clamp(1, hard_max);
        let named = named_threads(&config);
        let engine = WasmEngine::new(WasmConfig {
            cache_dir: config.cache_dir,
            live_max: hard_max,
        })?;
        let clock = Arc::new(MonotonicClock::new());
        let timers = Timers::new(clock.clone());
        let driver = timers.clone();
        std::thread::Builder::new()
            .name("timers".into())
            .spawn(move || driver.drive())?;
        let workers = named
            .iter()
            .map(|(name, threads)| start_workers(name, *threads))
            .collect::<Result<Vec<_>, _>>()?;
        let node = Node::new(NodeConfig {
            engine,
            clock,
            timers: timers.clone(),
            dispatchers: dispatchers(&named, &workers),
            observer,
            dead_letters_max: config.dead_letters_max,
            dead_letter_bytes_max: config.dead_letter_bytes_max,
            mailbox_bytes_max: config
                .mailbox_bytes_max
                .unwrap_or_else(memory::mailbox_bytes_for_this_machine),
            live_max: soft_max as usize,
            live_hard_max: hard_max as usize,
            root_budget: config.root_budget,
        });
        Ok(Self {
            name: config.name,
            node,
            started: Instant::now(),
            threads: config.threads,
            data_dir: String::new(),
            workers,
            timers,
        })
    }

    /// Ends the threads. Actors should have been shut down before.
    pub fn close(&self) {
        self.timers.close();
        self.workers.iter().for_each(|workers| workers.close());
    }
}

/// Every dispatcher with its threads, the default first.
fn named_threads(config: &HostConfig) -> Vec<(String, usize)> {
    let mut named = vec![(DEFAULT.to_owned(), config.threads)];
    named.extend(config.dispatchers.iter().cloned());
    if named.iter().all(|(name, _)| name != BLOCKING) {
        named.push((BLOCKING.into(), BLOCKING_THREADS));
    }
    named
}

fn start_workers(dispatcher: &str, threads: usize) -> std::io::Result<Arc<Workers>> {
    let runtime = tokio::runtime::Handle::current();
    Workers::start(WorkersConfig {
        threads,
        name: dispatcher.into(),
        on_start: Arc::new(move || enter(&runtime)),
    })
}

fn dispatchers(named: &[(String, usize)], workers: &[Arc<Workers>]) -> Dispatchers {
    let names = named.iter().map(|(name, _)| Arc::from(name.as_str()));
    let mut all = names.zip(
        workers
            .iter()
            .map(|workers| workers.clone() as Arc<dyn Dispatcher>),
    );
    let (_, main) = all.next().expect("the default is always there");
    Dispatchers::several(main, all)
}

/// Makes the runtime current on a worker for as long as the worker lives: guests
/// wait by tokio's timers.
fn enter(runtime: &tokio::runtime::Handle) -> Box<dyn std::any::Any> {
    // The guard borrows the handle, and a worker outlives this call: one handle a
    // worker thread is left for the life of the process.
    let runtime: &'static tokio::runtime::Handle = Box::leak(Box::new(runtime.clone()));
    Box::new(runtime.enter())
}
