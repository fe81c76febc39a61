//! How many bytes may wait in all mailboxes of a node together: what stands behind
//! every bound by number, so that a node refuses rather than dies.
//!
//! Counted are places promised, messages that wait or are stashed, those of senders
//! that wait for room, and those of timers that are set. Not counted is the message
//! that is being handled.

use bytes::Bytes;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// What a message costs beside its own bytes: its entry in the queue.
pub const OVERHEAD_BYTES: u64 = 64;

/// What a message costs of the budget, in bytes.
#[inline]
pub fn cost(message: &Bytes) -> u64 {
    message.len() as u64 + OVERHEAD_BYTES
}

/// The budget. On a cache line of its own: every worker writes it.
#[derive(Debug)]
#[repr(align(128))]
pub struct ByteBudget {
    used: AtomicU64,
    refused: AtomicU64,
    max: u64,
}

impl ByteBudget {
    /// An unused budget of `max` bytes.
    pub fn new(max: u64) -> Self {
        Self {
            used: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            max,
        }
    }

    /// Takes so many bytes, or counts a refusal. Where several take the last ones at
    /// once, all may be refused; more than the budget is never given out.
    #[inline]
    pub fn take(&self, bytes: u64) -> bool {
        // One unconditional addition is cheaper than a loop of compare and exchange.
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) <= self.max {
            return true;
        }
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        self.refused.fetch_add(1, Ordering::Relaxed);
        false
    }

    /// As [`ByteBudget::take`], for as long as what is returned lives.
    pub fn share(self: &Arc<Self>, bytes: u64) -> Option<Share> {
        self.take(bytes).then(|| Share {
            budget: self.clone(),
            bytes,
        })
    }

    /// Takes bytes that the node holds anyway: a message goes back into its mailbox.
    pub fn take_back(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Gives bytes back.
    #[inline]
    pub fn give(&self, bytes: u64) {
        let before = self.used.fetch_sub(bytes, Ordering::Relaxed);
        debug_assert!(before >= bytes, "what is given back was taken");
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes that may be in use.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// How often it refused.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

/// Bytes of the budget, given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<ByteBudget>,
    bytes: u64,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.give(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_out_no_more_than_it_has() {
        let budget = ByteBudget::new(100);
        assert!(budget.take(60));
        assert!(!budget.take(41));
        assert!(budget.take(40));
        assert_eq!((budget.used(), budget.refused()), (100, 1));
        budget.give(100);
        assert!(!budget.take(u64::MAX), "no overflow");
        assert_eq!(budget.used(), 0);
    }
}
