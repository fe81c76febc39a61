//! How lives end.

use crate::Schema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why an actor's life ended, as those who watch it or are linked to it hear it
/// (OTP's exit reasons, with crashes typed).
///
/// ```
/// # use actorhost_sdk::{Crash, ExitReason};
/// let crash = Crash { kind: "panic".into(), message: "no disk".into(), backtrace: vec![] };
/// assert_eq!(ExitReason::Crashed(crash).to_string(), "crashed: panic: no disk");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub enum ExitReason {
    /// It stopped by itself.
    Normal,
    /// It was asked to stop, or its supervisor shut down.
    Shutdown,
    /// It was stopped without a chance to finish.
    Killed,
    /// It crashed. For a watch: and it was not allowed another life.
    Crashed(Crash),
    /// No living actor had the watched address.
    NoSuchActor,
}

impl ExitReason {
    /// Whether OTP calls this end normal: it stopped by itself or was asked to.
    ///
    /// ```
    /// # use actorhost_sdk::ExitReason;
    /// assert!(ExitReason::Shutdown.is_normal());
    /// assert!(!ExitReason::Killed.is_normal());
    /// ```
    pub fn is_normal(&self) -> bool {
        matches!(self, Self::Normal | Self::Shutdown)
    }
}

impl fmt::Display for ExitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal => f.write_str("normal"),
            Self::Shutdown => f.write_str("shutdown"),
            Self::Killed => f.write_str("killed"),
            Self::Crashed(crash) => write!(f, "crashed: {crash}"),
            Self::NoSuchActor => f.write_str("no such actor"),
        }
    }
}

/// One crash of another actor.
///
/// ```
/// # use actorhost_sdk::Crash;
/// let crash = Crash {
///     kind: "fuel-exhausted".into(),
///     message: "the turn used up its limit".into(),
///     backtrace: vec!["counter::handle".into()],
/// };
/// assert_eq!(crash.to_string(), "fuel-exhausted: the turn used up its limit");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub struct Crash {
    /// Its kind, such as `panic`, `fuel-exhausted` or `linked`.
    pub kind: String,
    /// The cause in words.
    pub message: String,
    /// Functions of the guest by name, innermost first; empty where none were
    /// running.
    pub backtrace: Vec<String>,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}
