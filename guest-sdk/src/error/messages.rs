//! Why a message did not get where it should.

use std::fmt;

/// Why [`Context::tell`](crate::Context::tell) did not deliver.
///
/// ```
/// # use actorhost_sdk::SendError;
/// let error = SendError::TooLarge { limit: 1024 };
/// assert_eq!(error.to_string(), "the message is larger than 1024 bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendError {
    /// The target's mailbox is full, and under the policy `block` stayed so to the
    /// deadline; or a limit of the sender's own is used up: `effects-per-turn`, or
    /// `asks` for questions whose replies come as messages.
    Full,
    /// The target has stopped.
    Stopped,
    /// No actor has this address.
    NoSuchActor,
    /// The message is over the size limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The node's budget for queued bytes is used up.
    Overloaded,
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str(
                "the target's mailbox is full, or a limit of the sender's own \
                 (effects-per-turn, asks)",
            ),
            Self::Stopped => f.write_str("the target has stopped"),
            Self::NoSuchActor => f.write_str("no actor has this address"),
            Self::TooLarge { limit } => write!(f, "the message is larger than {limit} bytes"),
            Self::Overloaded => f.write_str("the node has no room for more queued messages"),
        }
    }
}

impl std::error::Error for SendError {}

/// Why [`Context::ask`](crate::Context::ask) ended without a reply.
///
/// ```
/// # use actorhost_sdk::AskError;
/// assert_eq!(AskError::Timeout.to_string(), "no reply in time");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// The time ran out. The message may still be handled.
    Timeout,
    /// The target crashed on the message. The text names the cause.
    Crashed(String),
    /// The target stopped before it handled the message, or the life that was to reply
    /// later ended in order: a restart that was ordered, or a stop.
    Stopped,
    /// As [`SendError::Full`].
    Full,
    /// No actor has this address.
    NoSuchActor,
    /// The message is over the size limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The node's budget for queued bytes is used up.
    Overloaded,
    /// The asking actor would wait for itself, perhaps through others.
    Deadlock,
    /// The target replied with something else than the type asked for. The text
    /// says how it differs.
    BadReply(String),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("no reply in time"),
            Self::Crashed(cause) => write!(f, "the target crashed: {cause}"),
            Self::Stopped => f.write_str("the target, or its life, ended before it replied"),
            Self::Full => SendError::Full.fmt(f),
            Self::NoSuchActor => SendError::NoSuchActor.fmt(f),
            Self::TooLarge { limit } => SendError::TooLarge { limit: *limit }.fmt(f),
            Self::Overloaded => SendError::Overloaded.fmt(f),
            Self::Deadlock => f.write_str("the actors would wait for each other"),
            Self::BadReply(cause) => write!(f, "the reply is {cause}"),
        }
    }
}

impl std::error::Error for AskError {}

/// Why [`Context::reply`](crate::Context::reply) did not answer.
///
/// ```
/// # use actorhost_sdk::ReplyError;
/// let text = ReplyError::Late.to_string();
/// assert_eq!(text, "the asker no longer waits; let the question go");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyError {
    /// Nobody has this token: it was used, or it belongs to another actor or to an
    /// earlier life.
    UnknownToken,
    /// The asker no longer waits; the reply is a dead letter.
    Late,
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownToken => {
                "no question has this token; use each once, in the life that kept it"
            }
            Self::Late => "the asker no longer waits; let the question go",
        })
    }
}

impl std::error::Error for ReplyError {}

/// Why a timer was not set.
///
/// ```
/// # use actorhost_sdk::TimerError;
/// let text = TimerError::Quota { limit: 1000 }.to_string();
/// assert_eq!(
///     text,
///     "1000 timers are set, which is the limit; cancel one, or raise `timers` in the manifest",
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerError {
    /// The delay or period is under 1 ms.
    TooShort,
    /// The key is empty or longer than 128 bytes.
    BadKey,
    /// The message is over the size limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// As many timers are set as the spec allows.
    Quota {
        /// How many that is.
        limit: u32,
    },
    /// The node has no bytes left for messages that wait, to which this one counts as
    /// long as the timer is set.
    Overloaded,
}

impl fmt::Display for TimerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str(
                "a timer takes at least 1 ms; to go on at once, tell yourself the message",
            ),
            Self::BadKey => f.write_str("a timer's key has 1 to 128 bytes"),
            Self::TooLarge { limit } => SendError::TooLarge { limit: *limit }.fmt(f),
            Self::Quota { limit } => write!(
                f,
                "{limit} timers are set, which is the limit; cancel one, or raise `timers` \
                 in the manifest"
            ),
            Self::Overloaded => SendError::Overloaded.fmt(f),
        }
    }
}

impl std::error::Error for TimerError {}

/// Why [`Context::stash`](crate::Context::stash) did not put the message aside.
///
/// ```
/// # use actorhost_sdk::StashError;
/// let text = StashError::Full { limit: 2 }.to_string();
/// assert!(text.starts_with("2 messages are stashed, which is the limit"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StashError {
    /// There is no message: a notice is being handled, or it is stashed already.
    NoMessage,
    /// The stash is full.
    Full {
        /// How many messages the spec allows.
        limit: u32,
    },
}

impl fmt::Display for StashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMessage => {
                f.write_str("there is no message to stash; only `handle` has one, once")
            }
            Self::Full { limit } => write!(
                f,
                "{limit} messages are stashed, which is the limit; bring them back, or raise \
                 `stash` in the manifest"
            ),
        }
    }
}

impl std::error::Error for StashError {}
