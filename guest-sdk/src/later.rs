//! Questions whose answers come later.

use crate::{AskError, Schema, codec};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A question asked with [`Context::ask_later`](crate::Context::ask_later), by
/// which its answer is known again. It may be kept in the state.
///
/// ```
/// # use actorhost_sdk::AskId;
/// assert_eq!(AskId::from_raw(3).raw(), 3);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Schema,
)]
pub struct AskId(u64);

impl AskId {
    /// The question of this number.
    pub const fn from_raw(id: u64) -> Self {
        Self(id)
    }

    /// Its number, unique within a life of the actor.
    pub const fn raw(self) -> u64 {
        self.0
    }
}

/// What came of a question asked with
/// [`Context::ask_later`](crate::Context::ask_later); handed to
/// [`Actor::replied`](crate::Actor::replied).
///
/// ```
/// # use actorhost_sdk::{AskError, LaterReply};
/// let reply = LaterReply::of(&12_u64);
/// assert_eq!(reply.decode::<u64>(), Ok(12));
/// let none = LaterReply::failed(AskError::Timeout);
/// assert_eq!(none.decode::<u64>(), Err(AskError::Timeout));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaterReply(Result<Vec<u8>, AskError>);

impl LaterReply {
    pub(crate) const fn new(outcome: Result<Vec<u8>, AskError>) -> Self {
        Self(outcome)
    }

    /// A reply, for tests.
    ///
    /// # Panics
    /// When its own `Serialize` fails; derived ones don't.
    pub fn of<R: Serialize + ?Sized>(reply: &R) -> Self {
        Self(Ok(codec::encode_own(reply)))
    }

    /// A question without a reply, for tests.
    pub const fn failed(error: AskError) -> Self {
        Self(Err(error))
    }

    /// The reply as a value of the type that the other actor answers with.
    ///
    /// # Errors
    /// [`AskError`] says why there is no reply of type `R`.
    pub fn decode<R: DeserializeOwned>(self) -> Result<R, AskError> {
        codec::decode(&self.0?).map_err(|error| AskError::BadReply(error.to_string()))
    }
}

/// A question that waits for this actor's answer, made by
/// [`Context::reply_later`](crate::Context::reply_later) and used up by
/// [`Context::reply`](crate::Context::reply). It may be kept in the state: it
/// survives sleep and swap, but not the actor's life.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub struct ReplyToken(u64);

impl ReplyToken {
    pub(crate) const fn new(token: u64) -> Self {
        Self(token)
    }

    pub(crate) const fn raw(&self) -> u64 {
        self.0
    }
}
