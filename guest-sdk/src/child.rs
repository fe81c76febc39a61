//! Children of supervisors.

use crate::{Schema, codec::encode_own};
use serde::{Deserialize, Serialize};

/// When an ended child is started again (OTP's restart types).
///
/// ```
/// # use actorhost_sdk::RestartType;
/// assert_eq!(RestartType::default(), RestartType::Permanent);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub enum RestartType {
    /// Always.
    #[default]
    Permanent,
    /// After an abnormal end only.
    Transient,
    /// Never; its spec is forgotten.
    Temporary,
}

/// A child to add to a [`Supervisor`](crate::Supervisor): permanent, and not
/// significant, unless told otherwise.
///
/// ```
/// # use actorhost_sdk::{ChildSpec, RestartType};
/// let spec = ChildSpec::new("till-2", "till", &7_u32)
///     .restart(RestartType::Transient)
///     .significant(true);
/// assert_eq!(spec.id(), "till-2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildSpec {
    pub(crate) id: String,
    pub(crate) behaviour: String,
    pub(crate) args: Vec<u8>,
    pub(crate) restart: RestartType,
    pub(crate) significant: bool,
}

impl ChildSpec {
    /// A child of this id, which is its name under the supervisor, from a behaviour and
    /// its arguments.
    ///
    /// # Panics
    /// When the arguments' own `Serialize` fails; derived ones don't.
    pub fn new<Args: Serialize + ?Sized>(id: &str, behaviour: &str, args: &Args) -> Self {
        Self {
            id: id.to_owned(),
            behaviour: behaviour.to_owned(),
            args: encode_own(args),
            restart: RestartType::default(),
            significant: false,
        }
    }

    /// When it is started again.
    #[must_use]
    pub fn restart(self, restart: RestartType) -> Self {
        Self { restart, ..self }
    }

    /// Whether its end counts for the supervisor's automatic shutdown.
    #[must_use]
    pub fn significant(self, significant: bool) -> Self {
        Self {
            significant,
            ..self
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// How many children a supervisor has.
///
/// ```
/// # use actorhost_sdk::ChildCounts;
/// let counts = ChildCounts { specs: 3, active: 2, supervisors: 1, workers: 2 };
/// assert_eq!(counts.supervisors + counts.workers, counts.specs);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
pub struct ChildCounts {
    /// Child specs, running or not.
    pub specs: u32,
    /// Running children.
    pub active: u32,
    /// Of the specs, those of supervisors.
    pub supervisors: u32,
    /// Of the specs, those of actors.
    pub workers: u32,
}
