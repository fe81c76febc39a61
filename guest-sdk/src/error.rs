//! What can go wrong between actors. All of these are values in the sender's hand.

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
    /// The mailbox is full, and under the policy `block` stayed so to the deadline.
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
            Self::Full => f.write_str("the target's mailbox is full"),
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
    /// The target stopped before it handled the message.
    Stopped,
    /// The mailbox is full.
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
            Self::Stopped => SendError::Stopped.fmt(f),
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

/// Why [`Context::spawn`](crate::Context::spawn) made no actor.
///
/// ```
/// # use actorhost_sdk::SpawnError;
/// assert_eq!(SpawnError::NameTaken.to_string(), "a living actor has this name");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnError {
    /// The node has no behaviour of this name.
    UnknownBehaviour,
    /// This actor was not granted the behaviour.
    Denied,
    /// A living actor has this name.
    NameTaken,
    /// The name is empty, too long, or has a character other than letters, digits,
    /// `-`, `_`, `.`, `:`, `@`.
    BadName,
    /// The arguments are over the size limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// This actor has as many living children as its spec allows.
    Quota,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownBehaviour => f.write_str("the node has no behaviour of this name"),
            Self::Denied => f.write_str("this actor may not spawn this behaviour"),
            Self::NameTaken => f.write_str("a living actor has this name"),
            Self::BadName => f.write_str(
                "a name has letters, digits and -_.:@ only, and is neither empty nor long",
            ),
            Self::TooLarge { limit } => write!(f, "the arguments are larger than {limit} bytes"),
            Self::Quota => f.write_str("this actor has as many children as it may have"),
        }
    }
}

impl std::error::Error for SpawnError {}

/// Why an actor did not start. Made from anything that can be displayed, so that
/// `?` works on any error in [`Actor::init`](crate::Actor::init).
///
/// ```
/// use actorhost_sdk::InitError;
///
/// fn start(text: &str) -> Result<u32, InitError> {
///     if text.is_empty() {
///         return Err("the text is empty".into());
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(start("").unwrap_err().message(), "the text is empty");
/// assert_eq!(start("12").unwrap(), 12);
/// ```
// Not `Display`, which would forbid the conversion from all that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitError(String);

impl InitError {
    /// The cause, as the node reports it.
    ///
    /// ```
    /// # use actorhost_sdk::InitError;
    /// assert_eq!(InitError::from("no funds").message(), "no funds");
    /// ```
    pub fn message(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_message(self) -> String {
        self.0
    }
}

impl<E: fmt::Display> From<E> for InitError {
    fn from(cause: E) -> Self {
        Self(cause.to_string())
    }
}
