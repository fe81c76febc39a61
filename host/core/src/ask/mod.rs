//! One question and its answer.
//!
//! The asker holds an [`Answer`], the question travels with a [`ReplyTo`]. Exactly
//! one result is taken; whichever way the question's life ends (handled, crashed,
//! dropped with a mailbox) it answers, since dropping a `ReplyTo` answers `stopped`.

pub(crate) mod tokens;

use crate::turn::AskError;
use bytes::Bytes;
use parking_lot::Mutex;
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

type Outcome = Result<Bytes, AskError>;

enum Slot {
    Waiting(Option<Waker>),
    Answered(Outcome),
    /// The asker took the answer, or gave up.
    Closed,
}

/// The asker's end: ready when the answer is there.
pub struct Answer(Arc<Mutex<Slot>>);

/// The question's end.
pub struct ReplyTo(Option<Arc<Mutex<Slot>>>);

/// The asker no longer waits: the reply is a dead letter.
#[derive(Debug, PartialEq, Eq)]
pub struct Late(pub Option<Bytes>);

/// The two ends of a new question.
pub fn question() -> (ReplyTo, Answer) {
    let slot = Arc::new(Mutex::new(Slot::Waiting(None)));
    (ReplyTo(Some(slot.clone())), Answer(slot))
}

impl ReplyTo {
    /// Answers.
    ///
    /// # Errors
    /// [`Late`], with the reply, when the asker no longer waits.
    pub fn answer(mut self, outcome: Outcome) -> Result<(), Late> {
        self.0.take().map_or(Ok(()), |slot| deliver(&slot, outcome))
    }

    /// Whether the asker has given up.
    pub fn is_late(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|slot| matches!(*slot.lock(), Slot::Closed))
    }
}

impl Drop for ReplyTo {
    fn drop(&mut self) {
        if let Some(slot) = self.0.take() {
            // Nobody to tell when the asker is gone as well.
            let _ = deliver(&slot, Err(AskError::Stopped));
        }
    }
}

fn deliver(slot: &Mutex<Slot>, outcome: Outcome) -> Result<(), Late> {
    let mut slot = slot.lock();
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
        let mut slot = self.0.lock();
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
    /// Gives up waiting. An answer that has arrived by now is not lost: it is
    /// returned.
    pub fn give_up(self) -> Option<Outcome> {
        match std::mem::replace(&mut *self.0.lock(), Slot::Closed) {
            Slot::Answered(outcome) => Some(outcome),
            Slot::Waiting(_) | Slot::Closed => None,
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        *self.0.lock() = Slot::Closed;
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
        let (reply_to, mut answer) = question();
        assert!(poll(&mut answer).is_pending());
        assert_eq!(reply_to.answer(Ok(Bytes::from_static(b"x"))), Ok(()));
        assert_eq!(poll(&mut answer), Poll::Ready(Ok(Bytes::from_static(b"x"))));
    }

    #[test]
    fn an_answer_that_came_before_the_asker_gave_up_is_not_lost() {
        let (reply_to, answer) = question();
        assert_eq!(reply_to.answer(Ok(Bytes::from_static(b"x"))), Ok(()));
        assert_eq!(answer.give_up(), Some(Ok(Bytes::from_static(b"x"))));
        let (reply_to, answer) = question();
        assert_eq!(answer.give_up(), None);
        assert!(reply_to.is_late());
    }

    #[test]
    fn a_question_that_is_dropped_is_answered_stopped() {
        let (reply_to, mut answer) = question();
        drop(reply_to);
        assert_eq!(poll(&mut answer), Poll::Ready(Err(AskError::Stopped)));
    }

    #[test]
    fn a_late_reply_comes_back_to_its_sender() {
        let (reply_to, answer) = question();
        drop(answer);
        assert!(reply_to.is_late());
        assert_eq!(
            reply_to.answer(Ok(Bytes::from_static(b"x"))),
            Err(Late(Some(Bytes::from_static(b"x"))))
        );
    }
}
