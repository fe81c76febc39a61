//! Questions and answers of a running turn: replies given later, and questions
//! handed on.

use super::{Effect, Parcel, SendError, Turn};
use crate::{
    ActorId, Engine,
    ask::{
        Late, ReplyTo, question,
        tokens::{Kept, Taken},
    },
    mailbox::{Letter, cost},
};
use bytes::Bytes;

/// Why a reply given later did not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Nobody has this token: it was used, belongs to another actor, or to an
    /// earlier life.
    #[error("unknown-token")]
    UnknownToken,
    /// The asker no longer waits; the reply is a dead letter.
    #[error("late")]
    Late,
}

/// Who sent what the turn handles, and where its reply goes.
#[derive(Default)]
pub(crate) struct InHand {
    pub sender: Option<ActorId>,
    /// None when nobody waits, or when the turn has kept the question or handed it
    /// on: then what the handler returns is not used.
    pub reply: Option<ReplyTo>,
}

impl<E: Engine> Turn<E> {
    /// The turn that begins handles this.
    pub(crate) fn take_in_hand(
        &mut self,
        sender: Option<ActorId>,
        reply: Option<ReplyTo>,
        is_message: bool,
    ) {
        self.aside.is_message = is_message;
        self.in_hand = InHand { sender, reply };
    }

    /// The turn is over: where the reply goes, if it is still for the handler to
    /// give.
    pub(crate) fn let_go(&mut self) -> Option<ReplyTo> {
        self.aside.is_message = false;
        std::mem::take(&mut self.in_hand).reply
    }

    /// Keeps the question being handled open beyond this turn: what the handler
    /// returns is not its reply. None when nobody waits for one. The token belongs to
    /// this life; its asker hears `crashed` or `stopped` when the life ends before
    /// [`Turn::reply`] (OTP: `noreply` and `From`).
    pub fn reply_later(&mut self) -> Option<u64> {
        let reply = self.in_hand.reply.take()?;
        let asker = self.in_hand.sender;
        let token = {
            let mut keep = self.cell.keep.lock();
            // Unlike those of other actors, as long as one has given out fewer than 2^32.
            let token = (self.cell.id.0 << 32).wrapping_add(keep.next_number());
            keep.belongings()
                .tokens
                .insert(token, Kept { reply, asker });
            token
        };
        self.effects.push(Effect::Keep { token });
        Some(token)
    }

    /// Answers a question that was kept open. The reply leaves when the turn
    /// succeeds.
    ///
    /// # Errors
    /// Why there is nobody to answer.
    pub fn reply(&mut self, token: u64, message: Bytes) -> Result<(), ReplyError> {
        let taken = match &mut self.cell.keep.lock().belongings {
            Some(belongings) => belongings.tokens.take(token),
            None => Taken::Unknown,
        };
        match taken {
            Taken::Kept(kept) => {
                let late = kept.reply.is_late();
                self.effects.push(Effect::Reply {
                    token,
                    kept,
                    message,
                });
                if late {
                    return Err(ReplyError::Late);
                }
                Ok(())
            }
            Taken::Swept => {
                self.bury_late(None, message);
                Err(ReplyError::Late)
            }
            Taken::Unknown => Err(ReplyError::UnknownToken),
        }
    }

    /// Hands a message to another actor in the name of the sender of the one being
    /// handled (Akka's `forward`). If somebody waits for a reply, it is for that
    /// actor to give, and what the handler returns is not used. Waits for nobody: a
    /// full mailbox refuses, also under the policy `block`.
    ///
    /// # Errors
    /// Why it was not accepted. The question is then still in hand.
    pub fn forward(&mut self, to: ActorId, message: Bytes) -> Result<(), SendError> {
        let target = self.target(to, &message)?;
        self.room_for_effect()?;
        if let Err(error) = target.mailbox.reserve(cost(&message)) {
            return Err(self.refused(&target, &message, error));
        }
        let letter = Letter {
            sender: self.in_hand.sender.into(),
            reply: self.in_hand.reply.take(),
            ..self.letter(message)
        };
        self.effects
            .push(Effect::Forward(Parcel::new(target, letter)));
        Ok(())
    }

    /// Asks without waiting: what comes of it is a message (`payload.reply`), at the
    /// latest after `timeout_ms` milliseconds with the error `timeout`. The question
    /// leaves when the turn succeeds, and is forgotten by a restart (Akka's
    /// pipe-to-self). Waits for nobody: a full mailbox refuses, also under the policy
    /// `block`.
    ///
    /// # Errors
    /// Why it was not accepted; `Full` also when as many questions are under way as
    /// the spec allows.
    pub fn ask_later(
        &mut self,
        to: ActorId,
        message: Bytes,
        timeout_ms: u64,
    ) -> Result<u64, SendError> {
        let target = self.target(to, &message)?;
        self.room_for_effect()?;
        let asks = match &self.cell.keep.lock().belongings {
            Some(belongings) => belongings.asks.len(),
            None => 0,
        };
        if asks >= self.cell.spec.limits.asks as usize {
            self.cell.node.stats.refused_full();
            return Err(SendError::Full);
        }
        if let Err(error) = target.mailbox.reserve(cost(&message)) {
            return Err(self.refused(&target, &message, error));
        }
        let (reply, answer) = question(to);
        let ask = {
            let mut keep = self.cell.keep.lock();
            let ask = keep.next_number();
            keep.belongings().asks.hold(ask, answer);
            ask
        };
        let letter = Letter {
            reply: Some(reply),
            ..self.letter(message)
        };
        self.effects.push(Effect::AskLater {
            parcel: Box::new(Parcel::new(target, letter)),
            ask,
            timeout_ms,
        });
        Ok(ask)
    }

    /// A question goes to another actor, and whoever waits for it waits for that one
    /// from now on.
    pub(super) fn hand_on(&self, parcel: Parcel<E>) {
        if let Some(letter) = &parcel.letter
            && let Some(reply) = &letter.reply
        {
            reply.move_to(parcel.target.id);
            self.cell.node.break_ring_of(letter.sender.id(), reply);
        }
        parcel.send();
    }

    /// A kept question's answer goes out.
    pub(super) fn answer_kept(&self, kept: Kept, message: Bytes) {
        if let Err(Late(Some(message))) = kept.reply.answer(Ok(message)) {
            self.bury_late(kept.asker, message);
        }
    }

    fn bury_late(&self, asker: Option<ActorId>, message: Bytes) {
        let detail = "the asker no longer waited for this reply";
        self.cell
            .node
            .bury_reply(&self.cell, asker, message, detail);
    }

    /// An effect that changed something at once is not carried out: all is as it was.
    pub(super) fn undo(&mut self, effect: Effect<E>) {
        match effect {
            Effect::Keep { token } => {
                let taken = match &mut self.cell.keep.lock().belongings {
                    Some(belongings) => belongings.tokens.take(token),
                    None => Taken::Unknown,
                };
                if let Taken::Kept(kept) = taken {
                    self.in_hand.reply = Some(kept.reply);
                }
            }
            Effect::Reply { token, kept, .. } => {
                self.cell
                    .keep
                    .lock()
                    .belongings()
                    .tokens
                    .insert(token, kept);
            }
            Effect::Forward(mut parcel) => {
                // Whoever carried the question on has it again, and can say `crashed`.
                if let Some(reply) = parcel.letter.as_mut().and_then(|it| it.reply.take()) {
                    self.in_hand.reply = Some(reply);
                }
            }
            Effect::AskLater { ask, .. } => {
                if let Some(belongings) = &mut self.cell.keep.lock().belongings {
                    belongings.asks.take(ask);
                }
            }
            Effect::StartTimer(timer) => self.end_timer(timer),
            Effect::EndTimer(timer) => self.undo_end_timer(timer),
            // Nothing has happened yet, or dropping it undoes it.
            Effect::Tell(_)
            | Effect::Spawn(_)
            | Effect::Stop { .. }
            | Effect::Watch(_)
            | Effect::Unwatch(_) => {}
        }
    }
}
