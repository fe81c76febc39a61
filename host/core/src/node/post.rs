//! How letters get into mailboxes, and what becomes of those that have no place.

use super::NodeInner;
use crate::{
    Engine, Payload,
    actor::Cell,
    dead_letters::DeadReason,
    mailbox::{Displaced, Letter},
    turn::{AskError, SendError},
};
use std::sync::Arc;

impl<E: Engine> NodeInner<E> {
    /// Sends without waiting what nobody waits for (a timer's message): policy,
    /// budget and counters as for every way in, where `block` refuses as `reject`
    /// does. The caller has looked at the size. A notice is exempt from all bounds.
    ///
    /// # Errors
    /// Why it was not accepted. It has been counted, an asker among its senders has
    /// been answered, and it is a dead letter.
    pub fn post(&self, target: &Arc<Cell<E>>, letter: Letter) -> Result<(), SendError> {
        let Payload::Message(message) = &letter.payload else {
            if !target.mailbox.push_notice(letter) {
                return Err(SendError::Stopped);
            }
            target.notify();
            return Ok(());
        };
        let Err(error) = target.mailbox.reserve(letter.cost()) else {
            return self.put(target, letter);
        };
        self.refused(target, letter.sender.id(), message, &error);
        if error != SendError::Stopped {
            let (message, detail) = (message.clone(), format!("it was refused: {error}"));
            let (sender, reason, crashes) = (letter.sender.id(), DeadReason::Full, letter.crashes);
            self.bury_crashed(target, sender, message, reason, detail, crashes);
        }
        if let Some(reply_to) = letter.reply {
            // Late or not, there is nothing more to say.
            let _ = reply_to.answer(Err(error.clone().into()));
        }
        Err(error)
    }

    /// Puts a letter on a place reserved for it, and wakes the target.
    ///
    /// # Errors
    /// `Stopped`, when the target ended in between; the letter is a dead letter.
    #[inline]
    pub fn put(&self, target: &Arc<Cell<E>>, letter: Letter) -> Result<(), SendError> {
        if let Some(displaced) = target.mailbox.push_reserved(letter) {
            return self.displaced(target, *displaced);
        }
        target.notify();
        Ok(())
    }

    #[cold]
    fn displaced(&self, target: &Arc<Cell<E>>, displaced: Displaced) -> Result<(), SendError> {
        let (letter, reason) = match displaced {
            Displaced::Ended(letter) => {
                self.bury_stopped(target, letter);
                return Err(SendError::Stopped);
            }
            Displaced::Newest(letter) => (letter, DeadReason::DropNewest),
            Displaced::Oldest(letter) => (letter, DeadReason::DropOldest),
        };
        target.notify();
        self.bury_dropped(target, letter, reason);
        Ok(())
    }

    /// A message that made room for another: its sender was told that it was
    /// accepted, but an asker hears `full`.
    fn bury_dropped(&self, target: &Arc<Cell<E>>, letter: Letter, reason: DeadReason) {
        if let Some(reply_to) = letter.reply {
            // Late or not, there is nothing more to say.
            let _ = reply_to.answer(Err(AskError::Full));
        }
        if let Payload::Message(message) = letter.payload {
            let (sender, crashes) = (letter.sender.id(), letter.crashes);
            let detail = "the mailbox was full".into();
            self.bury_crashed(target, sender, message, reason, detail, crashes);
        }
    }
}
