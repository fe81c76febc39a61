//! Who runs next.
//!
//! The machine hands over whatever is ready; a dispatcher calls [`Runnable::run`]
//! on it, from one thread at a time. `workers` is the node's; the simulator has
//! its own, in [`crate::sim`]. `named` holds those of a node under their names.

mod counters;
mod named;
mod task;
mod workers;

pub use named::{BLOCKING, DEFAULT, DispatcherView, Dispatchers, Load};
pub use task::spawn_task;
pub use workers::{Workers, WorkersConfig};

use std::sync::Arc;

/// Where something ready goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Just woken: before those that used up their slice.
    Fresh,
    /// It used up its slice or its throughput and wants more.
    Spent,
}

/// Something that can be run for a while.
pub trait Runnable: Send + Sync + 'static {
    /// Runs it once. `Some` when it wants to be run again.
    fn run(self: Arc<Self>) -> Option<Lane>;
}

/// A set of ready queues.
pub trait Dispatcher: Send + Sync + 'static {
    /// Puts something ready on a queue.
    fn push(&self, item: Arc<dyn Runnable>, lane: Lane);

    /// What its threads have done so far.
    fn load(&self) -> Load;
}
