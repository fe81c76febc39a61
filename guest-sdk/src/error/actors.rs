//! Why something did not happen to an actor.

use std::fmt;

/// Why [`Context::spawn`](crate::Context::spawn) made no actor.
///
/// ```
/// # use actorhost_sdk::SpawnError;
/// assert_eq!(SpawnError::NameTaken.to_string(), "a living actor has this name");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The behaviour runs on a dispatcher that the node does not have.
    UnknownDispatcher {
        /// Its name.
        name: String,
    },
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
            Self::UnknownDispatcher { name } => write!(
                f,
                "the behaviour runs on the dispatcher `{name}`, which the node does not have"
            ),
        }
    }
}

impl std::error::Error for SpawnError {}

/// Why [`Context::link`](crate::Context::link) did not link.
///
/// ```
/// # use actorhost_sdk::LinkError;
/// let text = LinkError::Oneself.to_string();
/// assert_eq!(text, "an actor cannot be linked to itself; its end is its own anyway");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkError {
    /// An actor cannot be linked to itself.
    Oneself,
    /// No actor has this address (any more).
    NoSuchActor,
    /// The actor has as many links as its spec allows.
    Quota {
        /// How many that is.
        limit: u32,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oneself => {
                f.write_str("an actor cannot be linked to itself; its end is its own anyway")
            }
            Self::NoSuchActor => {
                f.write_str("no actor has this address; take it for ended and go on")
            }
            Self::Quota { limit } => write!(
                f,
                "the actor has {limit} links, which is the limit; unlink one, or raise `links` \
                 in the manifest"
            ),
        }
    }
}

impl std::error::Error for LinkError {}

/// Why a name was not registered or a group not joined.
///
/// ```
/// # use actorhost_sdk::NameError;
/// let text = NameError::Taken.to_string();
/// assert_eq!(text, "a living actor has this name; look it up, or take another");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// Another living actor has the name.
    Taken,
    /// It is empty, longer than 128 bytes, or has a character other than letters,
    /// digits, `-`, `_`, `.`, `:`, `@`.
    BadName,
    /// The actor has as many names, or groups, as its spec allows.
    Quota {
        /// How many that is.
        limit: u32,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => f.write_str("a living actor has this name; look it up, or take another"),
            Self::BadName => {
                f.write_str("a name has letters, digits and -_.:@ only, and 1 to 128 of them")
            }
            Self::Quota { limit } => write!(
                f,
                "the actor has {limit} of them, which is the limit; give one back, or raise \
                 `names` or `groups` in the manifest"
            ),
        }
    }
}

impl std::error::Error for NameError {}

/// Why a [`Supervisor`](crate::Supervisor) did not do what it was asked.
///
/// ```
/// # use actorhost_sdk::ChildError;
/// assert_eq!(ChildError::Running.to_string(), "the child runs; terminate it first");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildError {
    /// The spec grants no management of this supervisor.
    Denied,
    /// There is no such supervisor.
    NoSuchSupervisor,
    /// It has no child of this id.
    NotFound,
    /// It has a running child of this id.
    AlreadyPresent,
    /// The child runs.
    Running,
    /// The child is on its way to a restart.
    Restarting,
    /// The spec is refused, with the reason.
    BadSpec(String),
    /// The child's `init` failed, with the cause.
    StartFailed(String),
    /// The supervisor is shutting down.
    ShuttingDown,
    /// The supervisor did not answer within the time given.
    Timeout,
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied => f.write_str(
                "this actor may not manage this supervisor; grant `supervise` in the manifest",
            ),
            Self::NoSuchSupervisor => f.write_str("no supervisor has this path"),
            Self::NotFound => f.write_str("the supervisor has no child of this id"),
            Self::AlreadyPresent => {
                f.write_str("the supervisor has a child of this id; restart or delete that one")
            }
            Self::Running => f.write_str("the child runs; terminate it first"),
            Self::Restarting => {
                f.write_str("the child is on its way to a restart; terminate it first, or wait")
            }
            Self::BadSpec(cause) => write!(f, "the child's spec is refused: {cause}"),
            Self::StartFailed(cause) => write!(f, "the child did not start: {cause}"),
            Self::ShuttingDown => f.write_str("the supervisor is shutting down"),
            Self::Timeout => f.write_str(
                "the supervisor did not answer in time; what was asked may still happen",
            ),
        }
    }
}

impl std::error::Error for ChildError {}

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
