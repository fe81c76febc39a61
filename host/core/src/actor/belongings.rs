//! What belongs to one life of an actor, and ends with it: the questions that it
//! keeps open, its links, its own watches.
//!
//! It is kept in the cell, not in the instance, so that it outlives sleep and swap;
//! and made on first use, so that an actor that needs none of it stays small.

use super::{Cell, Keep};
use crate::{Engine, ExitReason, ask::tokens::Tokens};
use std::sync::Arc;

/// What one life has made and the next must not inherit.
#[derive(Default)]
pub(crate) struct Belongings {
    pub tokens: Tokens,
}

impl Keep {
    /// The life's belongings, made now if it has none yet.
    pub fn belongings(&mut self) -> &mut Belongings {
        self.belongings.get_or_insert_default()
    }

    /// A number for something of this actor, never used again for another.
    pub fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

impl<E: Engine> Cell<E> {
    /// Questions that it keeps open and whose askers still wait.
    pub fn questions_open(&self) -> u64 {
        let mut keep = self.keep.lock();
        keep.belongings.as_mut().map_or(0, |belongings| {
            belongings.tokens.sweep();
            belongings.tokens.len() as u64
        })
    }

    /// Ends everything that belongs to the life, whichever way that ended. Doing it
    /// again does nothing.
    pub(super) fn end_belongings(self: &Arc<Self>, reason: &ExitReason) {
        self.node.end_links(self, reason);
        self.node.forget_watches(self);
        let belongings = self.keep.lock().belongings.take();
        // Outside the lock: askers are woken here.
        if let Some(belongings) = belongings {
            belongings.tokens.end(reason);
        }
    }
}
