//! The message that is being handled, and what becomes of it however the handling
//! ends. Exactly one of four: done, put aside, crashed, or (when its batch is
//! dropped) abandoned.

use super::Cell;
use crate::{
    ActorId, Crash, Engine, Payload,
    ask::{Late, ReplyTo},
    dead_letters::DeadReason,
    mailbox::Letter,
    policy::poison::{AfterCrash, after_crash},
    turn::AskError,
};
use bytes::Bytes;
use std::sync::Arc;

pub(super) struct Flight<'c, E: Engine> {
    // Borrowed: its count is on a line that every sender writes.
    cell: &'c Arc<Cell<E>>,
    sender: Option<ActorId>,
    /// The message; none for a notice, which nobody sent.
    message: Option<Bytes>,
    accepted_ms: u64,
    /// Lives that crashed on it before.
    crashes: u32,
    /// Turns in which it may crash.
    attempts: u32,
    over: bool,
}

impl<'c, E: Engine> Flight<'c, E> {
    pub fn new(
        cell: &'c Arc<Cell<E>>,
        sender: Option<ActorId>,
        payload: &Payload,
        accepted_ms: u64,
        crashes: u32,
    ) -> Self {
        let message = match payload {
            Payload::Message(bytes) => Some(bytes.clone()),
            Payload::Down { .. } | Payload::Exit { .. } | Payload::Reply { .. } => None,
        };
        Self {
            cell,
            sender,
            message,
            accepted_ms,
            crashes,
            attempts: cell.spec.attempts,
            over: false,
        }
    }

    /// Whether it is a message, and no notice.
    pub fn is_message(&self) -> bool {
        self.message.is_some()
    }

    /// It is of a timer, and the next life is not to hear of it: it has one attempt.
    pub fn ends_with_the_life(&mut self) {
        self.attempts = 1;
    }

    /// The message as it came.
    fn letter(&mut self, reply: Option<ReplyTo>) -> Option<Letter> {
        let message = self.message.take()?;
        Some(Letter {
            sender: self.sender.into(),
            payload: Payload::Message(message),
            reply,
            accepted_ms: self.accepted_ms,
            crashes: self.crashes,
            // The life that it was for has accepted it: from now on it is a message
            // like any other (as in Akka).
            tick: None,
        })
    }

    /// The actor put it aside, with its asker's place.
    pub fn stashed(mut self, reply_to: Option<ReplyTo>) {
        self.over = true;
        if let Some(letter) = self.letter(reply_to)
            && let Err(letter) = self.cell.mailbox.stash(letter)
        {
            self.cell.node.bury_stopped(self.cell, letter);
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
            .bury_reply(self.cell, self.sender, bytes, detail);
    }

    /// Its handling crashed: it is handled again by the next life, or lost; nothing
    /// else is.
    pub fn crashed(mut self, reply_to: Option<ReplyTo>, crash: &Crash) {
        self.over = true;
        self.crashes += 1;
        let reason = match after_crash(self.attempts, self.crashes) {
            AfterCrash::Bury(reason) => reason,
            AfterCrash::HandleAgain => {
                if let Some(letter) = self.letter(reply_to)
                    && let Err(letter) = self.cell.mailbox.push_again(letter)
                {
                    self.cell.node.bury_stopped(self.cell, letter);
                }
                return;
            }
        };
        if let Some(reply_to) = reply_to {
            // Late or not, the asker has nothing to learn from a crash it gave up on.
            let _ = reply_to.answer(Err(AskError::Crashed(crash.to_string())));
        }
        self.bury(reason, crash.to_string());
    }

    fn bury(&mut self, reason: DeadReason, detail: String) {
        if let Some(message) = self.message.take() {
            let (cell, sender) = (self.cell, self.sender);
            cell.node
                .bury_crashed(cell, sender, message, reason, detail, self.crashes);
        }
    }
}

impl<E: Engine> Drop for Flight<'_, E> {
    fn drop(&mut self) {
        if !self.over {
            self.bury(
                DeadReason::Killed,
                "its handling was abandoned by a kill".into(),
            );
        }
    }
}
