//! Why a life ended.

use std::{fmt, sync::Arc};

/// What kind of crash ended a life. Each has one stable name, used in logs,
/// metrics, dead letters and the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CrashKind {
    /// The guest did what its sandbox forbids, such as reading outside its memory.
    Trap,
    /// The guest panicked.
    Panic,
    /// A turn used more fuel than its limit.
    FuelExhausted,
    /// The guest asked for more memory than its limit.
    MemoryLimit,
    /// A turn took longer than its deadline.
    Deadline,
    /// `init` refused to start.
    InitFailed,
    /// `load` refused the saved state.
    LoadFailed,
    /// `save` failed.
    SaveFailed,
    /// The message's bytes were not of the behaviour's message type.
    BadMessage,
    /// The instance could not be made, for want of memory or room.
    Instantiate,
    /// An actor that it was linked to ended abnormally.
    Linked,
}

impl CrashKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
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
    ];

    /// The stable name, such as `fuel-exhausted`.
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
        }
    }
}

/// One crash: its kind, its cause in words, and where the guest was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// What kind it was.
    pub kind: CrashKind,
    /// The panic message, the trap, or which limit was passed.
    pub message: String,
    /// Guest functions by name, innermost first; empty where none were running.
    pub backtrace: Vec<String>,
}

impl Crash {
    /// A crash without a backtrace.
    pub fn new(kind: CrashKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            backtrace: Vec::new(),
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.as_str(), self.message)
    }
}

/// Why an actor's life ended, as its supervisor and watchers hear it (OTP's exit
/// reasons, with crashes typed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitReason {
    /// It stopped by itself.
    Normal,
    /// It was asked to stop, or its supervisor shut down.
    Shutdown,
    /// It was stopped without a chance to finish.
    Killed,
    /// It crashed.
    Crashed(Arc<Crash>),
    /// There was no such actor to begin with.
    NoSuchActor,
}

impl ExitReason {
    /// Whether OTP calls this exit normal: a transient child is then not restarted.
    pub fn is_normal(&self) -> bool {
        matches!(self, Self::Normal | Self::Shutdown)
    }
}

impl From<Crash> for ExitReason {
    fn from(crash: Crash) -> Self {
        Self::Crashed(Arc::new(crash))
    }
}

impl fmt::Display for ExitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => f.write_str("normal"),
            Self::Shutdown => f.write_str("shutdown"),
            Self::Killed => f.write_str("killed"),
            Self::Crashed(crash) => write!(f, "crashed: {crash}"),
            Self::NoSuchActor => f.write_str("no-such-actor"),
        }
    }
}
