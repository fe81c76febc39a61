//! One question and its answer.
//!
//! The asker holds an [`Answer`], the question travels with a [`ReplyTo`]. Exactly
//! one result is taken; whichever way the question's life ends (handled, crashed,
//! dropped with a mailbox) it answers, since dropping a `ReplyTo` answers `stopped`.

pub(crate) mod later;
pub(crate) mod tokens;
pub(crate) mod waits;

use crate::{ActorId, turn::AskError};
use bytes::Bytes;
use parking_lot::Mutex;
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
};

pub(crate) type Outcome = Result<Bytes, AskError>;

enum Slot {
    Waiting(Option<Waker>),
    Answered(Outcome),
    /// The asker took the answer, or gave up.
    Closed,
}

/// A question that is under way.
struct Open {
    slot: Mutex<Slot>,
    /// The actor that has it: in its mailbox, its hands or its keeping.
    holder: AtomicU64,
    /// How often it was handed on.
    moves: AtomicU32,
}

impl Open {
    fn is_unanswered(&self) -> bool {
        matches!(*self.slot.lock(), Slot::Waiting(_))
    }
}

/// The asker's end: ready when the answer is there.
pub struct Answer(Arc<Open>);

/// The question's end.
// One pointer, so that a letter without a question spends a word on it.
pub struct ReplyTo(Arc<Open>);

/// The asker no longer waits: the reply is a dead letter.
#[derive(Debug, PartialEq, Eq)]
pub struct Late(pub Option<Bytes>);

/// The two ends of a new question to `holder`.
pub fn question(holder: ActorId) -> (ReplyTo, Answer) {
    let open = Arc::new(Open {
        slot: Mutex::new(Slot::Waiting(None)),
        holder: AtomicU64::new(holder.0),
        moves: AtomicU32::new(0),
    });
    (ReplyTo(open.clone()), Answer(open))
}

impl ReplyTo {
    /// Answers.
    ///
    /// # Errors
    /// [`Late`], with the reply, when the asker no longer waits.
    pub fn answer(self, outcome: Outcome) -> Result<(), Late> {
        deliver(&self.0, outcome)
    }

    /// Whether the asker has given up.
    pub fn is_late(&self) -> bool {
        matches!(*self.0.slot.lock(), Slot::Closed)
    }

    /// It is handed on to another actor.
    pub(crate) fn move_to(&self, holder: ActorId) {
        // Before the holder, so that nobody who saw the old count twice takes a
        // question that went away and came back for one that stayed.
        self.0.moves.fetch_add(1, Ordering::SeqCst);
        self.0.holder.store(holder.0, Ordering::SeqCst);
    }
}

impl Drop for ReplyTo {
    fn drop(&mut self) {
        // Answered already, or nobody to tell when the asker is gone.
        if Arc::strong_count(&self.0) > 1 {
            let _ = deliver(&self.0, Err(AskError::Stopped));
        }
    }
}

fn deliver(open: &Open, outcome: Outcome) -> Result<(), Late> {
    let mut slot = open.slot.lock();
    let Slot::Waiting(waker) = &mut *slot else {
        return Err(Late(outcome.ok()));
    };
    let waker = waker.take();
    *slot = Slot::Answered(outcome);
    drop(slot);
    if let Some(waker) = waker {
        waker.wake();
    }
    Ok(())
}

impl Future for Answer {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let mut slot = self.0.slot.lock();
        match std::mem::replace(&mut *slot, Slot::Closed) {
            Slot::Answered(outcome) => Poll::Ready(outcome),
            Slot::Waiting(_) => {
                *slot = Slot::Waiting(Some(cx.waker().clone()));
                Poll::Pending
            }
            Slot::Closed => unreachable!("an answer is not polled after it was taken"),
        }
    }
}

impl Answer {
    /// Whether it is there, to be taken without waiting.
    pub(crate) fn is_there(&self) -> bool {
        matches!(*self.0.slot.lock(), Slot::Answered(_))
    }

    /// Gives up waiting. An answer that has arrived by now is not lost: it is
    /// returned.
    pub fn give_up(self) -> Option<Outcome> {
        match std::mem::replace(&mut *self.0.slot.lock(), Slot::Closed) {
            Slot::Answered(outcome) => Some(outcome),
            Slot::Waiting(_) | Slot::Closed => None,
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        *self.0.slot.lock() = Slot::Closed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(answer: &mut Answer) -> Poll<Outcome> {
        Pin::new(answer).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn an_answer_arrives_once() {
        let (reply_to, mut answer) = question(ActorId(1));
        assert!(poll(&mut answer).is_pending());
        assert_eq!(reply_to.answer(Ok(Bytes::from_static(b"x"))), Ok(()));
        assert_eq!(poll(&mut answer), Poll::Ready(Ok(Bytes::from_static(b"x"))));
    }

    #[test]
    fn an_answer_that_came_before_the_asker_gave_up_is_not_lost() {
        let (reply_to, answer) = question(ActorId(1));
        assert_eq!(reply_to.answer(Ok(Bytes::from_static(b"x"))), Ok(()));
        assert_eq!(answer.give_up(), Some(Ok(Bytes::from_static(b"x"))));
        let (reply_to, answer) = question(ActorId(1));
        assert_eq!(answer.give_up(), None);
        assert!(reply_to.is_late());
    }

    #[test]
    fn a_question_that_is_dropped_is_answered_stopped() {
        let (reply_to, mut answer) = question(ActorId(1));
        drop(reply_to);
        assert_eq!(poll(&mut answer), Poll::Ready(Err(AskError::Stopped)));
    }

    #[test]
    fn a_late_reply_comes_back_to_its_sender() {
        let (reply_to, answer) = question(ActorId(1));
        drop(answer);
        assert!(reply_to.is_late());
        assert_eq!(
            reply_to.answer(Ok(Bytes::from_static(b"x"))),
            Err(Late(Some(Bytes::from_static(b"x"))))
        );
    }
}
