//! Whom an actor waits for while it asks: the actor that holds its question.
//!
//! Rings of such waits are found by whoever adds the last edge: it writes its own
//! first and reads the others' after, so that of two that write at the same time one
//! at least sees the other. In the common case the target does not wait, and the
//! search is one load.

use super::{Answer, Open};
use crate::ActorId;
use parking_lot::Mutex;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// The question that an actor waits for, if it does.
#[derive(Default)]
pub(crate) struct Waits {
    any: AtomicBool,
    /// When it began, in milliseconds of the node's clock, until somebody has taken
    /// this; else 0.
    begun_ms: AtomicU64,
    /// When it gives up, in milliseconds of the node's clock, while it waits; else 0.
    gives_up_ms: AtomicU64,
    question: Mutex<Option<Arc<Open>>>,
}

/// A wait, over when dropped.
pub(crate) struct Waiting<'w>(&'w Waits);

/// A wait for room in a mailbox, over when dropped.
pub(crate) struct ForRoom<'w>(&'w Waits);

/// One actor waits for another: the edge as it was seen at one moment.
pub(crate) struct Edge {
    question: Arc<Open>,
    holder: ActorId,
    moves: u32,
}

impl Waits {
    /// Its actor waits for this answer from now on, and gives up by itself at
    /// `gives_up_ms`.
    pub fn begin(&self, answer: &Answer, begun_ms: u64, gives_up_ms: u64) -> Waiting<'_> {
        self.note(begun_ms, gives_up_ms);
        let mut question = self.question.lock();
        *question = Some(answer.0.clone());
        self.any.store(true, Ordering::SeqCst);
        Waiting(self)
    }

    /// Its actor waits for room in a mailbox from `begun_ms` on, for `wait_ms`
    /// milliseconds. This makes no edge: a ring of such waits ends by itself.
    pub fn for_room(&self, begun_ms: u64, wait_ms: u64) -> ForRoom<'_> {
        self.note(begun_ms, begun_ms.saturating_add(wait_ms));
        ForRoom(self)
    }

    fn note(&self, begun_ms: u64, gives_up_ms: u64) {
        self.begun_ms.store(begun_ms, Ordering::Relaxed);
        self.gives_up_ms.store(gives_up_ms, Ordering::Relaxed);
    }

    /// Whether there is an edge at all; where not, no ring leads through it.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::SeqCst)
    }

    /// When the wait began, if nobody has asked since. For its own task: it saves a
    /// look at the clock.
    pub fn take_begun_ms(&self) -> Option<u64> {
        let begun_ms = self.begun_ms.load(Ordering::Relaxed);
        self.begun_ms.store(0, Ordering::Relaxed);
        (begun_ms > 0).then_some(begun_ms)
    }

    /// When its actor gives up, if it waits for an answer or for room. For its own
    /// task.
    pub fn gives_up_ms(&self) -> Option<u64> {
        let gives_up_ms = self.gives_up_ms.load(Ordering::Relaxed);
        (gives_up_ms > 0).then_some(gives_up_ms)
    }

    /// Whether it waits for this very question.
    pub fn is_for(&self, reply: &super::ReplyTo) -> bool {
        let question = self.question.lock();
        matches!(&*question, Some(own) if Arc::ptr_eq(own, &reply.0))
    }

    /// The edge, with whom it leads to. None when the actor does not wait, or its
    /// answer is there and it goes on in a moment.
    pub fn edge(&self) -> Option<(ActorId, Edge)> {
        if !self.any() {
            return None;
        }
        let question = self.question.lock().clone()?;
        let moves = question.moves.load(Ordering::SeqCst);
        let holder = ActorId(question.holder.load(Ordering::SeqCst));
        question.is_unanswered().then_some((
            holder,
            Edge {
                question,
                holder,
                moves,
            },
        ))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.note(0, 0);
        let mut question = self.0.question.lock();
        self.0.any.store(false, Ordering::SeqCst);
        *question = None;
    }
}

impl Drop for ForRoom<'_> {
    fn drop(&mut self) {
        self.0.note(0, 0);
    }
}

impl Edge {
    /// Whether two looks saw the same: then the edge was there all the time between
    /// them.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.question, &other.question)
            && self.holder == other.holder
            && self.moves == other.moves
    }

    /// The one that waits on it hears `deadlock`.
    pub fn break_off(self) {
        // Answered meanwhile: then it goes on without.
        let _ = super::deliver(&self.question, Err(crate::AskError::Deadlock));
    }
}
