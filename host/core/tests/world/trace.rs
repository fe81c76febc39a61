//! What happened in a world, in one order: what instances saw and what the machine
//! told its observer.

use actorhost_core::{ActorId, Clock, observe::Event};
use parking_lot::Mutex;
use std::sync::Arc;

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Step {
    /// An instance was made, for a new life or for another version.
    Made { id: ActorId, path: Arc<str> },
    /// Its life begins from the arguments.
    Init { id: ActorId },
    /// Its hook runs.
    Stopping { id: ActorId, reason: String },
    /// It is gone.
    Dropped { id: ActorId },
    /// An item is being handled.
    Begun { id: ActorId, seq: u64 },
    /// Its handling returns.
    Over {
        id: ActorId,
        seq: u64,
        how: super::items::How,
    },
    /// Told to the observer.
    Told(Event),
}

/// All steps so far, with their moments in milliseconds.
pub struct Trace {
    clock: Arc<dyn Clock>,
    steps: Mutex<Vec<(u64, Step)>>,
}

impl Trace {
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            steps: Mutex::default(),
        })
    }

    pub fn add(&self, step: Step) {
        self.steps.lock().push((self.clock.now_ms(), step));
    }

    /// The steps since the last call.
    pub fn take(&self) -> Vec<(u64, Step)> {
        std::mem::take(&mut *self.steps.lock())
    }
}
