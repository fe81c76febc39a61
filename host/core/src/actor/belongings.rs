//! What belongs to one life of an actor, and ends with it: the questions that it
//! keeps open, those whose replies come as messages, its timers, its links, its own
//! watches.
//!
//! It is kept in the cell, not in the instance, so that it outlives sleep and swap;
//! and made on first use, so that an actor that needs none of it stays small.

use super::{Cell, Keep, timers::OwnTimers};
use crate::{
    Engine, ExitReason,
    ask::{later::LaterAsks, tokens::Tokens},
    node::Totals,
};
use std::sync::Arc;

/// What one life has made and the next must not inherit.
#[derive(Default)]
pub(crate) struct Belongings {
    pub tokens: Tokens,
    pub asks: LaterAsks,
    pub timers: OwnTimers,
}

impl Keep {
    /// The life's belongings, made now if it has none yet.
    pub fn belongings(&mut self) -> &mut Belongings {
        self.belongings.get_or_insert_default()
    }

    /// The life's timers, if it has any.
    pub fn timers(&mut self) -> Option<&mut OwnTimers> {
        Some(&mut self.belongings.as_mut()?.timers)
    }

    /// A number for something of this actor, never used again for another.
    pub fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

impl<E: Engine> Cell<E> {
    /// Adds what it has under way to the node's figures.
    pub fn count_belongings(&self, totals: &mut Totals) {
        totals.asks_under_way += u64::from(self.waits.any());
        let mut keep = self.keep.lock();
        if let Some(belongings) = &mut keep.belongings {
            belongings.tokens.sweep();
            belongings.timers.sweep();
            totals.questions_open += belongings.tokens.len() as u64;
            totals.asks_under_way += belongings.asks.len() as u64;
            totals.timers += belongings.timers.len() as u64;
        }
    }

    /// Ends everything that belongs to the life, whichever way that ended. Doing it
    /// again does nothing.
    pub(super) fn end_belongings(self: &Arc<Self>, reason: &ExitReason) {
        self.node.end_links(self, reason);
        self.node.forget_watches(self);
        let belongings = {
            let mut keep = self.keep.lock();
            keep.numbers_before = keep.numbers;
            keep.belongings.take()
        };
        // Outside the lock: askers are woken here.
        if let Some(belongings) = belongings {
            belongings.tokens.end(reason);
        }
    }
}
