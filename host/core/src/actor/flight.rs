//! The message that is being handled, and what becomes of it however the handling
//! ends. Exactly one of three: done, crashed, or (when its batch is dropped)
//! abandoned.

use super::Cell;
use crate::{
    ActorId, Crash, Engine, Payload,
    ask::{Late, ReplyTo},
    dead_letters::{DeadReason, POISON_CRASHES},
    turn::AskError,
};
use bytes::Bytes;
use std::sync::Arc;

pub(super) struct Flight<E: Engine> {
    cell: Arc<Cell<E>>,
    sender: Option<ActorId>,
    /// The message; none for a notice, which nobody sent.
    message: Option<Bytes>,
    /// Lives that crashed on it before.
    crashes: u32,
    over: bool,
}

impl<E: Engine> Flight<E> {
    pub fn new(
        cell: &Arc<Cell<E>>,
        sender: Option<ActorId>,
        payload: &Payload,
        crashes: u32,
    ) -> Self {
        let message = match payload {
            Payload::Message(bytes) => Some(bytes.clone()),
            Payload::Down { .. } | Payload::Exit { .. } | Payload::Reply { .. } => None,
        };
        Self {
            cell: cell.clone(),
            sender,
            message,
            crashes,
            over: false,
        }
    }

    /// It was handled; the reply goes out, unless the turn kept the question or
    /// handed it on.
    pub fn done(mut self, reply_to: Option<ReplyTo>, reply: Option<Bytes>) {
        self.over = true;
        let Some(reply_to) = reply_to else {
            return;
        };
        let Err(Late(Some(bytes))) = reply_to.answer(Ok(reply.unwrap_or_default())) else {
            return;
        };
        let detail = "the asker no longer waited for this reply";
        self.cell
            .node
            .bury_reply(&self.cell, self.sender, bytes, detail);
    }

    /// Its handling crashed: it is lost, and nothing else.
    pub fn crashed(mut self, reply_to: Option<ReplyTo>, crash: &Crash) {
        self.over = true;
        if let Some(reply_to) = reply_to {
            // Late or not, the asker has nothing to learn from a crash it gave up on.
            let _ = reply_to.answer(Err(AskError::Crashed(crash.to_string())));
        }
        self.crashes += 1;
        let reason = if self.crashes < POISON_CRASHES {
            DeadReason::Crashed
        } else {
            DeadReason::Poison
        };
        self.bury(reason, crash.to_string());
    }

    fn bury(&mut self, reason: DeadReason, detail: String) {
        if let Some(message) = self.message.take() {
            let (cell, sender) = (&self.cell, self.sender);
            cell.node
                .bury_crashed(cell, sender, message, reason, detail, self.crashes);
        }
    }
}

impl<E: Engine> Drop for Flight<E> {
    fn drop(&mut self) {
        if !self.over {
            self.bury(
                DeadReason::Killed,
                "its handling was abandoned by a kill".into(),
            );
        }
    }
}
