//! Words about other actors: their address, and how to end them.

use crate::Schema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The address of an actor, which stays true over its restarts and swaps and never
/// becomes another actor's. It can be kept, compared and sent in messages.
///
/// ```
/// use actorhost_sdk::prelude::*;
///
/// #[derive(Serialize, Deserialize, Schema)]
/// enum Msg { Introduce { to: ActorRef } }
///
/// let friend = ActorRef::from_raw(7);
/// let _ = Msg::Introduce { to: friend };
/// assert_eq!(friend.raw(), 7);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Schema,
)]
pub struct ActorRef(u64);

impl ActorRef {
    /// The address with this number, as the node and its command line print it.
    ///
    /// ```
    /// # use actorhost_sdk::ActorRef;
    /// assert_eq!(ActorRef::from_raw(3), ActorRef::from_raw(3));
    /// ```
    pub const fn from_raw(id: u64) -> Self {
        Self(id)
    }

    /// The number of this address.
    ///
    /// ```
    /// # use actorhost_sdk::ActorRef;
    /// assert_eq!(ActorRef::from_raw(3).raw(), 3);
    /// ```
    pub const fn raw(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ActorRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// How [`Context::stop`](crate::Context::stop) ends an actor.
///
/// ```
/// use actorhost_sdk::{ActorRef, Context, StopMode};
/// # struct Any;
/// let ctx: Context<Any> = Context::mock();
/// ctx.stop(ActorRef::from_raw(9), StopMode::Drain);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub enum StopMode {
    /// Handle what is queued, then stop.
    Drain,
    /// Finish the current message, then stop; the rest become dead letters.
    Now,
    /// Abandon the running handler.
    Kill,
}

/// How bad a log line is.
///
/// ```
/// # use actorhost_sdk::Level;
/// assert!(Level::Error > Level::Info);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Every step.
    Trace,
    /// Of use to whoever looks for a fault.
    Debug,
    /// The normal course of things.
    Info,
    /// Unexpected, but dealt with.
    Warn,
    /// Something failed.
    Error,
}
