//! What a probe has seen.

use actorhost_sdk::prelude::*;

/// The notes of one sender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct SenderReport {
    /// The number it gave itself.
    pub from: u32,
    /// Notes that came.
    pub count: u64,
    /// Number of the last one.
    pub last_seq: u64,
    /// Notes whose number was not the one after the last.
    pub out_of_order: u64,
}

/// The end of a watched actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct SeenDown {
    /// Which one.
    pub id: ActorRef,
    /// Why, in words.
    pub reason: String,
}

/// One thing that came to a probe, other than what it was told to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum Event {
    /// A `Record`: told, forwarded, published, or of a timer.
    Record {
        /// Who sent it.
        from: Option<ActorRef>,
        /// Its text.
        text: String,
    },
    /// The end of a watched actor.
    Down {
        /// Which one.
        id: ActorRef,
        /// Why.
        reason: ExitReason,
    },
    /// The end of a linked actor, whose exit was trapped.
    Exit {
        /// Which one.
        id: ActorRef,
        /// Why.
        reason: ExitReason,
    },
    /// The reply to a question asked for later.
    Reply {
        /// Which question.
        ask: AskId,
        /// The text that came.
        text: Option<String>,
        /// Why none came.
        error: Option<String>,
    },
}
