//! Supervisors, their children, and pools.

use super::{Actor, Restart};

/// `[[supervisor]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Supervisor {
    /// Its name in the file.
    pub name: String,
    /// Whom a crash restarts.
    pub strategy: Strategy,
    /// How many restarts it allows.
    pub budget: RestartBudget,
    /// Whether it ends when significant children do.
    pub auto_shutdown: AutoShutdown,
    /// When its parent starts it again; permanent at the top.
    pub restart: Restart,
    /// Its children, in start order.
    pub children: Vec<Child>,
}

/// Whom the crash of one child restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// That child.
    OneForOne,
    /// All children.
    OneForAll,
    /// That child and those started after it.
    RestForOne,
}

/// Whether a supervisor ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoShutdown {
    /// It does not.
    Never,
    /// When any significant child ends by itself.
    AnySignificant,
    /// When the last significant child does.
    AllSignificant,
}

/// More than `intensity` restarts within `period_ms` is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartBudget {
    /// Restarts allowed within the period; 0 allows none.
    pub intensity: u32,
    /// Length of the sliding window, in milliseconds.
    pub period_ms: u64,
}

impl Default for RestartBudget {
    fn default() -> Self {
        Self {
            intensity: 1,
            period_ms: 5_000,
        }
    }
}

/// `[[supervisor.child]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// Its name; its path is its supervisor's and `/NAME`.
    pub name: String,
    /// Whether its end counts for its supervisor's automatic shutdown.
    pub significant: bool,
    /// What it is.
    pub kind: ChildKind,
}

/// What takes a child's place.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildKind {
    /// An actor.
    Actor(Actor),
    /// Another supervisor of the file.
    Supervisor(Supervisor),
}

/// `[[pool]]`: many actors of one spec, spawned while the node runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    /// Its name; its actors' paths are `/NAME/ACTOR`.
    pub name: String,
    /// How many restarts each actor is allowed.
    pub budget: RestartBudget,
    /// Each of its actors; `args` are those of an actor that is spawned without its
    /// own, and no crash is answered with [`Directive::Escalate`](super::Directive).
    pub actor: Actor,
}
