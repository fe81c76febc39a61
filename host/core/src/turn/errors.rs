//! Why something that a turn asked for was not done.

use std::sync::Arc;

/// Why a message was not accepted. A value in the sender's hand, never a trap.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The mailbox is full, or stayed so until the sender's deadline.
    #[error("full")]
    Full,
    /// The target has stopped.
    #[error("stopped")]
    Stopped,
    /// No actor has this address.
    #[error("no-such-actor")]
    NoSuchActor,
    /// The message is larger than the limit.
    #[error("too-large: the limit is {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The node's budget for queued bytes is used up.
    #[error("overloaded")]
    Overloaded,
}

/// Why an ask ended without a reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The time ran out; the message may still be handled.
    #[error("timeout")]
    Timeout,
    /// The target crashed while it handled the message.
    #[error("crashed: {0}")]
    Crashed(String),
    /// The target stopped before it handled the message.
    #[error("stopped")]
    Stopped,
    /// As [`SendError::Full`].
    #[error("full")]
    Full,
    /// No actor has this address.
    #[error("no-such-actor")]
    NoSuchActor,
    /// The message is larger than the limit.
    #[error("too-large: the limit is {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The node's budget for queued bytes is used up.
    #[error("overloaded")]
    Overloaded,
    /// The asker would wait for itself, or each of several waits for the next in a
    /// ring.
    #[error("deadlock")]
    Deadlock,
}

impl From<SendError> for AskError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Full => Self::Full,
            SendError::Stopped => Self::Stopped,
            SendError::NoSuchActor => Self::NoSuchActor,
            SendError::TooLarge { limit } => Self::TooLarge { limit },
            SendError::Overloaded => Self::Overloaded,
        }
    }
}

/// Why an actor could not be spawned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// The node has no behaviour of this name.
    #[error("unknown-behaviour")]
    UnknownBehaviour,
    /// The spawning actor was not granted this behaviour.
    #[error("denied")]
    Denied,
    /// A living actor has this name.
    #[error("name-taken")]
    NameTaken,
    /// The name cannot be part of a path.
    #[error("bad-name")]
    BadName,
    /// The arguments are larger than the message limit.
    #[error("too-large: the limit is {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The actor has as many living children as its spec allows.
    #[error("quota")]
    Quota,
    /// The spec names a dispatcher that the node does not have.
    #[error("unknown-dispatcher: the node has no dispatcher named `{name}`")]
    UnknownDispatcher {
        /// The name.
        name: Arc<str>,
    },
}
