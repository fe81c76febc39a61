//! What goes into a guest's exports, borrowed: the bytes of a payload are copied
//! once, into the guest's memory.

use super::bindings::types::{ExitReason as WitExitReason, HandleError};
use actorhost_core::{Envelope, ExitReason, Payload};
use wasmtime::component::{ComponentType, Lower};

/// An envelope, by reference.
#[derive(ComponentType, Lower)]
#[component(record)]
pub(super) struct EnvelopeArg<'a> {
    sender: Option<u64>,
    #[component(name = "wants-reply")]
    wants_reply: bool,
    payload: PayloadArg<'a>,
}

#[derive(ComponentType, Lower)]
#[component(variant)]
pub(super) enum PayloadArg<'a> {
    #[component(name = "message")]
    Message(&'a [u8]),
    #[component(name = "down")]
    Down(DownArg),
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(super) struct DownArg {
    who: u64,
    reason: WitExitReason,
}

impl<'a> From<&'a Envelope> for EnvelopeArg<'a> {
    fn from(envelope: &'a Envelope) -> Self {
        Self {
            sender: envelope.sender.map(|id| id.0),
            wants_reply: envelope.wants_reply,
            payload: match &envelope.payload {
                Payload::Message(bytes) => PayloadArg::Message(bytes),
                Payload::Down { who, reason } => PayloadArg::Down(DownArg {
                    who: who.0,
                    reason: exit_reason(reason),
                }),
                Payload::Exit { .. } | Payload::Reply { .. } => {
                    unreachable!("no import asks for them yet")
                }
            },
        }
    }
}

/// A reason as guests hear it.
pub(super) fn exit_reason(reason: &ExitReason) -> WitExitReason {
    match reason {
        ExitReason::Normal => WitExitReason::Normal,
        ExitReason::Shutdown => WitExitReason::Shutdown,
        ExitReason::Killed => WitExitReason::Killed,
        ExitReason::Crashed(crash) => WitExitReason::Crashed(crash.to_string()),
        ExitReason::NoSuchActor => WitExitReason::NoSuchActor,
    }
}

/// Arguments of `handle`.
pub(super) type HandleArgs<'a> = (EnvelopeArg<'a>,);
/// What `handle` returns.
pub(super) type HandleResult = (Result<Option<Vec<u8>>, HandleError>,);
/// What `init` and `load` return.
pub(super) type BeginResult = (Result<(), String>,);
/// What `save` returns.
pub(super) type SaveResult = (Result<Vec<u8>, String>,);
