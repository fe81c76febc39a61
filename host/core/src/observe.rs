//! What the machine tells its surroundings. The node's observer writes logs; a
//! test's collects.

use crate::{ActorId, Crash, ExitReason, dead_letters::DeadLetter};
use std::sync::Arc;

/// How bad a guest's log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Finer than debug.
    Trace,
    /// For the author.
    Debug,
    /// Normal events.
    Info,
    /// Something is off.
    Warn,
    /// Something failed.
    Error,
}

/// Which actor an event is about.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its address.
    pub id: ActorId,
    /// Its path.
    pub path: Arc<str>,
    /// Its behaviour.
    pub behaviour: Arc<str>,
    /// Number of the module version it runs.
    pub version: u32,
    /// Version that the module gives itself.
    pub module_version: String,
}

/// What the end of an actor for good means beside its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was ordered, or the actor ended itself.
    Orderly,
    /// A life failed, and its spec gives it no other: `on-crash`, the restart type.
    GivenUp,
    /// A life failed, and no restart was left.
    BudgetExhausted,
    /// A life failed, and `on-crash` passes that on to its supervisor.
    Escalated,
}

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum Event {
    /// A first life began.
    Started(Subject),
    /// A life crashed; `restarts` counts the restarts before it.
    Crashed {
        /// Which actor.
        subject: Subject,
        /// How.
        crash: Arc<Crash>,
        /// Restarts so far.
        restarts: u64,
    },
    /// A new life began after a crash or an order.
    Restarted {
        /// Which actor.
        subject: Subject,
        /// Restarts so far, this one included.
        restarts: u64,
        /// Whether it began from saved state (directive `resume`).
        resumed: bool,
        /// How long it waited for it, in milliseconds (backoff).
        after_ms: u64,
    },
    /// The last life ended.
    Ended {
        /// Which actor.
        subject: Subject,
        /// Why.
        reason: ExitReason,
        /// What it means for those above.
        how: Ending,
    },
    /// An actor moved to another module version.
    Swapped {
        /// Which actor, on the new version.
        subject: Subject,
        /// The version it left.
        from: u32,
    },
    /// An actor could not move and stays on its old version.
    SwapFailed {
        /// Which actor, on the old version.
        subject: Subject,
        /// The version that it should have had.
        to: u32,
        /// Why.
        cause: String,
    },
    /// An actor did not end within its shutdown time and was killed.
    KilledAtShutdown {
        /// Which actor.
        subject: Subject,
        /// The time that it had, in milliseconds.
        shutdown_ms: u64,
    },
    /// A supervisor was started again.
    SupervisorRestarted {
        /// Its path.
        path: Arc<str>,
        /// How long that waited, in milliseconds.
        after_ms: u64,
    },
    /// A supervisor shut itself down because significant children ended.
    SupervisorShutDown {
        /// Its path.
        path: Arc<str>,
        /// Which child was the last of them.
        cause: String,
    },
    /// A supervisor used up its budget, or a child failed to start.
    SupervisorFailed {
        /// Its path.
        path: Arc<str>,
        /// Why.
        cause: String,
    },
    /// A message reached nobody, or its handling crashed.
    DeadLetter(Arc<DeadLetter>),
    /// A guest wrote a log line.
    Log {
        /// Which actor.
        subject: Subject,
        /// How bad.
        level: LogLevel,
        /// The line.
        line: String,
        /// Lines left out before this one because they came too fast.
        suppressed: u64,
    },
}

/// Hears every event, on the thread on which it happened, and must not wait.
pub trait Observer: Send + Sync + 'static {
    /// One thing happened.
    fn event(&self, event: Event);
}

/// Hears and forgets.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event) {}
}
