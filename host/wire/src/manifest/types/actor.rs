//! What a child and the actors of a pool have in common.

use super::Mailbox;
use serde_json::Value;

/// What an actor is started with.
#[derive(Debug, Clone, PartialEq)]
pub struct Actor {
    /// Its behaviour; one of the manifest's.
    pub behaviour: String,
    /// Arguments in the form of the module's schema.
    pub args: Option<Value>,
    /// When it is started again.
    pub restart: Restart,
    /// How it is stopped.
    pub shutdown: Shutdown,
    /// What a crash does.
    pub on_crash: Directives,
    /// How long it waits before it is started again; none is not at all.
    pub backoff: Option<Backoff>,
    /// Crashes that one message may cause before it is given up, at least 1.
    pub attempts: u32,
    /// Whether its children outlive its restart.
    pub keep_children: bool,
    /// Its mailbox: the behaviour's, with what is said otherwise.
    pub mailbox: Mailbox,
    /// The dispatcher that runs it; one of the node's.
    pub dispatcher: String,
}

/// When an ended child is started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// Always.
    Permanent,
    /// After a crash or a kill.
    Transient,
    /// Never.
    Temporary,
}

/// How an actor is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// Asked to stop, and killed when it has not within this time.
    Within {
        /// The time, in milliseconds.
        timeout_ms: u64,
    },
    /// Killed at once.
    Kill,
}

/// What a crash does to an actor that may be started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    /// A fresh instance from the arguments.
    Restart,
    /// A fresh instance from the state before the failing turn.
    Resume,
    /// It ends.
    Stop,
    /// Its supervisor fails.
    Escalate,
}

/// A directive for each cause of an abnormal end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directives {
    /// For every crash that is not named.
    pub otherwise: Directive,
    /// For the causes named, in the order of the file.
    pub by_cause: Vec<(Cause, Directive)>,
}

impl From<Directive> for Directives {
    fn from(otherwise: Directive) -> Self {
        Self {
            otherwise,
            by_cause: Vec::new(),
        }
    }
}

/// What a directive may be chosen by: the kinds of crash, and a kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The guest did what its sandbox forbids.
    Trap,
    /// The guest panicked.
    Panic,
    /// A turn used more fuel than its limit.
    FuelExhausted,
    /// The guest asked for more memory than its limit.
    MemoryLimit,
    /// A turn waited longer than its deadline.
    Deadline,
    /// `init` refused to start.
    InitFailed,
    /// `load` refused the saved state.
    LoadFailed,
    /// `save` failed.
    SaveFailed,
    /// The bytes were not a message.
    BadMessage,
    /// The instance could not be made.
    Instantiate,
    /// A linked actor ended abnormally.
    Linked,
    /// Another actor killed it.
    Killed,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 12] = [
        Self::Trap,
        Self::Panic,
        Self::FuelExhausted,
        Self::MemoryLimit,
        Self::Deadline,
        Self::InitFailed,
        Self::LoadFailed,
        Self::SaveFailed,
        Self::BadMessage,
        Self::Instantiate,
        Self::Linked,
        Self::Killed,
    ];

    /// Its stable name, as logs and dead letters show it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Panic => "panic",
            Self::FuelExhausted => "fuel-exhausted",
            Self::MemoryLimit => "memory-limit",
            Self::Deadline => "deadline",
            Self::InitFailed => "init-failed",
            Self::LoadFailed => "load-failed",
            Self::SaveFailed => "save-failed",
            Self::BadMessage => "bad-message",
            Self::Instantiate => "instantiate",
            Self::Linked => "linked",
            Self::Killed => "killed",
        }
    }
}

/// How long an actor waits before it is started again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// Before the first restart, in milliseconds; at least 1 and at most `cap_ms`.
    pub first_ms: u64,
    /// What each further wait is multiplied with, at least 1.
    pub factor: f64,
    /// The longest wait before jitter, in milliseconds.
    pub cap_ms: u64,
    /// Share of a wait that chance may add, from 0 to 1.
    pub jitter: f64,
    /// After a life of so many milliseconds the waits begin anew.
    pub reset_ms: u64,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first_ms: 100,
            factor: 2.0,
            cap_ms: 30_000,
            jitter: 0.2,
            reset_ms: 60_000,
        }
    }
}
