//! What goes into a guest's exports, borrowed: the bytes of a payload are copied
//! once, into the guest's memory.

use super::bindings::types::{AskError as WitAskError, HandleError};
use actorhost_core::{AskError, Crash, Envelope, ExitReason, Payload};
use bytes::Bytes;
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
    Down(EndArg<'a>),
    #[component(name = "exit")]
    Exit(EndArg<'a>),
    #[component(name = "reply")]
    Reply(LaterReplyArg<'a>),
}

/// The end of another actor.
#[derive(ComponentType, Lower)]
#[component(record)]
pub(super) struct EndArg<'a> {
    who: u64,
    reason: ExitReasonArg<'a>,
}

/// A reason as guests hear it.
#[derive(ComponentType, Lower)]
#[component(variant)]
pub(super) enum ExitReasonArg<'a> {
    #[component(name = "normal")]
    Normal,
    #[component(name = "shutdown")]
    Shutdown,
    #[component(name = "killed")]
    Killed,
    #[component(name = "crashed")]
    Crashed(CrashArg<'a>),
    #[component(name = "no-such-actor")]
    NoSuchActor,
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(super) struct CrashArg<'a> {
    kind: &'a str,
    message: &'a str,
    backtrace: &'a [String],
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(super) struct LaterReplyArg<'a> {
    ask: u64,
    outcome: Result<&'a [u8], WitAskError>,
}

impl<'a> From<&'a Envelope> for EnvelopeArg<'a> {
    fn from(envelope: &'a Envelope) -> Self {
        Self {
            sender: envelope.sender.map(|id| id.0),
            wants_reply: envelope.wants_reply,
            payload: (&envelope.payload).into(),
        }
    }
}

impl<'a> From<&'a Payload> for PayloadArg<'a> {
    fn from(payload: &'a Payload) -> Self {
        match payload {
            Payload::Message(bytes) => Self::Message(bytes),
            Payload::Down { who, reason } => Self::Down(EndArg {
                who: who.0,
                reason: reason.into(),
            }),
            Payload::Exit { who, reason } => Self::Exit(EndArg {
                who: who.0,
                reason: reason.into(),
            }),
            Payload::Reply { ask, outcome } => Self::Reply(LaterReplyArg {
                ask: *ask,
                outcome: outcome_arg(outcome),
            }),
        }
    }
}

fn outcome_arg(outcome: &Result<Bytes, AskError>) -> Result<&[u8], WitAskError> {
    match outcome {
        Ok(reply) => Ok(reply),
        Err(error) => Err(error.clone().into()),
    }
}

impl<'a> From<&'a ExitReason> for ExitReasonArg<'a> {
    fn from(reason: &'a ExitReason) -> Self {
        match reason {
            ExitReason::Normal => Self::Normal,
            ExitReason::Shutdown => Self::Shutdown,
            ExitReason::Killed => Self::Killed,
            ExitReason::Crashed(crash) => Self::Crashed((&**crash).into()),
            ExitReason::NoSuchActor => Self::NoSuchActor,
        }
    }
}

impl<'a> From<&'a Crash> for CrashArg<'a> {
    fn from(crash: &'a Crash) -> Self {
        Self {
            kind: crash.kind.as_str(),
            message: &crash.message,
            backtrace: &crash.backtrace,
        }
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
