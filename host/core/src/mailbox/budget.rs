//! How many bytes may wait in all mailboxes of a node together: what stands behind
//! every bound by number, so that a node refuses rather than dies.
//!
//! Counted are places promised, messages that wait or are stashed, those of senders
//! that wait for room, and those of timers that are set. Not counted is the message
//! that is being handled.

use bytes::Bytes;
use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

/// What a message costs beside its own bytes: its entry in the queue.
pub const OVERHEAD_BYTES: u64 = 64;

/// What a message costs of the budget, in bytes.
#[inline]
pub fn cost(message: &Bytes) -> u64 {
    message.len() as u64 + OVERHEAD_BYTES
}

/// Lines that threads take from and give to.
const STRIPES: usize = 16;

/// The most that a stripe takes from the shared count at once, in bytes.
const CHUNK_BYTES_MAX: u64 = 64 * 1024;

/// The budget. Every message takes and gives, on every worker: so each thread has a
/// stripe with some credit of its own, and the count that all share is written once in
/// hundreds of messages. Credit is always backed by that count; where it runs short,
/// all credit goes back first, so that nothing is refused because another has some.
#[derive(Debug)]
pub struct ByteBudget {
    /// Bytes in use, and those that are the stripes' credit.
    taken: Line,
    credits: [Line; STRIPES],
    refused: AtomicU64,
    max: u64,
    chunk: u64,
}

/// A number on a cache line of its own (two: the processor fetches them in pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
struct Line(AtomicU64);

/// The number of this thread's stripe.
fn own_stripe() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: usize = NEXT.fetch_add(1, Ordering::Relaxed) % STRIPES;
    }
    OWN.with(|own| *own)
}

impl ByteBudget {
    /// An unused budget of `max` bytes.
    pub fn new(max: u64) -> Self {
        Self {
            taken: Line::default(),
            credits: Default::default(),
            refused: AtomicU64::new(0),
            max,
            chunk: (max / 256).min(CHUNK_BYTES_MAX),
        }
    }

    /// Takes so many bytes, or counts a refusal. Where several take the last ones at
    /// once, all may be refused; more than the budget is never given out.
    #[inline]
    pub fn take(&self, bytes: u64) -> bool {
        let credit = &self.credits[own_stripe()].0;
        take_from(credit, bytes) || self.take_more(credit, bytes)
    }

    #[cold]
    fn take_more(&self, credit: &AtomicU64, bytes: u64) -> bool {
        if self.take_shared(bytes.saturating_add(self.chunk)) {
            credit.fetch_add(self.chunk, Ordering::Relaxed);
            return true;
        }
        self.collect();
        let taken = self.take_shared(bytes);
        if !taken {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        taken
    }

    fn take_shared(&self, bytes: u64) -> bool {
        // More than there is must not be added even for a moment.
        bytes <= self.max && {
            let before = self.taken.0.fetch_add(bytes, Ordering::Relaxed);
            let fits = before.saturating_add(bytes) <= self.max;
            if !fits {
                self.taken.0.fetch_sub(bytes, Ordering::Relaxed);
            }
            fits
        }
    }

    /// All credit goes back.
    fn collect(&self) {
        for credit in &self.credits {
            let bytes = credit.0.swap(0, Ordering::Relaxed);
            self.taken.0.fetch_sub(bytes, Ordering::Relaxed);
        }
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
        if !take_from(&self.credits[own_stripe()].0, bytes) {
            self.taken.0.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Gives bytes back.
    #[inline]
    pub fn give(&self, bytes: u64) {
        let credit = &self.credits[own_stripe()].0;
        if credit.fetch_add(bytes, Ordering::Relaxed) + bytes > 2 * self.chunk {
            self.give_shared(credit);
        }
    }

    /// A stripe keeps no more than a chunk.
    #[cold]
    fn give_shared(&self, credit: &AtomicU64) {
        let kept = |have| (have > self.chunk).then_some(self.chunk);
        if let Ok(had) = credit.fetch_update(Ordering::Relaxed, Ordering::Relaxed, kept) {
            self.taken.0.fetch_sub(had - self.chunk, Ordering::Relaxed);
        }
    }

    /// Bytes in use. While others take and give, off by what they move.
    pub fn used(&self) -> u64 {
        let credit = self.credits.iter();
        let credit: u64 = credit.map(|line| line.0.load(Ordering::Relaxed)).sum();
        self.taken.0.load(Ordering::Relaxed).saturating_sub(credit)
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

#[inline]
fn take_from(credit: &AtomicU64, bytes: u64) -> bool {
    credit
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |have| {
            have.checked_sub(bytes)
        })
        .is_ok()
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

    #[test]
    fn credit_of_another_thread_is_no_reason_to_refuse() {
        let budget = ByteBudget::new(1 << 20);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert!(budget.take(1_000));
                budget.give(1_000);
            });
        });
        assert_eq!(budget.used(), 0);
        assert!(budget.take(1 << 20), "all of it");
        assert!(!budget.take(1));
        std::thread::scope(|scope| {
            scope.spawn(|| budget.give(1_000));
        });
        assert!(budget.take(1_000), "what another gave back");
        assert_eq!((budget.used(), budget.refused()), (1 << 20, 1));
    }

    #[test]
    fn threads_that_meet_at_its_end_never_have_more_than_it_holds() {
        const MAX: u64 = 20_000;
        let (budget, held) = (ByteBudget::new(MAX), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (budget, held) = (&budget, &held);
                scope.spawn(move || {
                    let mut mine = Vec::new();
                    for step in 0..20_000_u64 {
                        let bytes = 64 + (step * 7 + thread * 13) % 900;
                        if budget.take(bytes) {
                            let all = held.fetch_add(bytes, Ordering::SeqCst) + bytes;
                            assert!(all <= MAX, "{all}");
                            mine.push(bytes);
                        }
                        if mine.len() > 40 || step % 97 == 0 {
                            for bytes in mine.drain(..) {
                                held.fetch_sub(bytes, Ordering::SeqCst);
                                budget.give(bytes);
                            }
                        }
                    }
                    for bytes in mine {
                        held.fetch_sub(bytes, Ordering::SeqCst);
                        budget.give(bytes);
                    }
                });
            }
        });
        assert!(budget.refused() > 0, "they met");
        assert_eq!(budget.used(), 0);
        assert!(budget.take(MAX), "all of it came back");
    }
}
