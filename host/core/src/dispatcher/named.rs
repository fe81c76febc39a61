//! The dispatchers of a node, each under its name (Akka's dispatchers). An actor
//! belongs to one: what its neighbours on another do costs it no turn.

use super::Dispatcher;
use crate::policy::utilisation::{Mark, Window};
use parking_lot::Mutex;
use std::sync::Arc;

/// Name of the dispatcher that runs what names no other, and the machine's own
/// futures.
pub const DEFAULT: &str = "default";

/// Name of the dispatcher for actors that compute for long.
pub const BLOCKING: &str = "blocking";

/// The dispatchers of a node by name. Clones are the same ones.
#[derive(Clone)]
pub struct Dispatchers {
    main: Arc<dyn Dispatcher>,
    named: Arc<[Named]>,
}

struct Named {
    name: Arc<str>,
    dispatcher: Arc<dyn Dispatcher>,
    looks: Mutex<Window>,
}

/// What the threads of a dispatcher have done since their start. Each figure is
/// exact; together they may be of moments a little apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Load {
    /// How many threads there are.
    pub threads: usize,
    /// Time since their start, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time that they were busy, summed over all, in nanoseconds. A thread is busy
    /// from its wake-up to its next sleep: while it runs something or looks for
    /// something to run, also while the system lets another program have its core.
    pub busy_ns: u64,
    /// What is ready and waits for a thread now.
    pub queued: u64,
    /// Batches run: an actor's stretch of work up to its throughput or its slice.
    pub runs: u64,
    /// Batches that a thread took from another's queue.
    pub steals: u64,
    /// Times that a thread found nothing and went to sleep.
    pub parks: u64,
}

/// One dispatcher, for people and programs to read.
#[derive(Debug, Clone, PartialEq)]
pub struct DispatcherView {
    /// Its name.
    pub name: Arc<str>,
    /// Share of the threads' time that they were busy, from 0 to 1: since the last
    /// look (see [`Window::look`]), or since the start.
    pub utilisation: f64,
    /// What its threads have done since their start.
    pub load: Load,
}

impl Dispatchers {
    /// One dispatcher for everything, under the name `default`.
    pub fn new(main: Arc<dyn Dispatcher>) -> Self {
        Self::several(main, [])
    }

    /// `main` under the name `default`, and others under theirs. Of two with one
    /// name the first is found.
    pub fn several(
        main: Arc<dyn Dispatcher>,
        others: impl IntoIterator<Item = (Arc<str>, Arc<dyn Dispatcher>)>,
    ) -> Self {
        let first = (Arc::from(DEFAULT), main.clone());
        let named = std::iter::once(first)
            .chain(others)
            .map(|(name, dispatcher)| Named {
                name,
                dispatcher,
                looks: Mutex::default(),
            });
        Self {
            main,
            named: named.collect(),
        }
    }

    /// The one named `default`.
    pub fn main(&self) -> &Arc<dyn Dispatcher> {
        &self.main
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Dispatcher>> {
        let named = self.named.iter().find(|named| *named.name == *name)?;
        Some(&named.dispatcher)
    }

    /// All of them, `default` first. Each call is a look: utilisation is that of the
    /// time since the last.
    pub fn views(&self) -> Vec<DispatcherView> {
        let view = |named: &Named| {
            let load = named.dispatcher.load();
            let mark = Mark {
                elapsed_ns: load.elapsed_ns,
                busy_ns: load.busy_ns,
            };
            DispatcherView {
                name: named.name.clone(),
                utilisation: named.looks.lock().look(mark, load.threads),
                load,
            }
        };
        self.named.iter().map(view).collect()
    }
}
