//! The store: the newest letters within a bound of number and of bytes.

use super::{DeadLetter, DeadReason, Selection};
use parking_lot::Mutex;
use std::{collections::VecDeque, sync::Arc};

/// The bounded store. What it drops for want of room stays counted.
pub struct DeadLetters {
    kept_max: usize,
    bytes_max: u64,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// In the order of their numbers.
    kept: VecDeque<Arc<DeadLetter>>,
    bytes: u64,
    total: u64,
    by_reason: [u64; DeadReason::ALL.len()],
    dropped: [u64; DeadReason::ALL.len()],
    removed: u64,
}

/// How much there is and was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LetterCounts {
    /// All since the start.
    pub total: u64,
    /// Those kept.
    pub kept: u64,
    /// What those kept count for, in bytes.
    pub kept_bytes: u64,
    /// Those dropped for want of room.
    pub dropped: u64,
    /// Those thrown away or sent again.
    pub removed: u64,
}

impl DeadLetters {
    /// An empty store that keeps the newest letters: at most `kept_max`, of at most
    /// `bytes_max` bytes together.
    pub fn new(kept_max: usize, bytes_max: u64) -> Self {
        Self {
            kept_max,
            bytes_max,
            inner: Mutex::default(),
        }
    }

    /// Adds a letter and gives it its number.
    pub fn add(&self, mut letter: DeadLetter) -> Arc<DeadLetter> {
        let mut inner = self.inner.lock();
        inner.total += 1;
        inner.by_reason[letter.reason as usize] += 1;
        letter.id = inner.total;
        let letter = Arc::new(letter);
        inner.bytes += letter.cost_bytes();
        inner.kept.push_back(letter.clone());
        inner.make_room(self.kept_max, self.bytes_max);
        letter
    }

    /// The newest `limit` letters, newest first.
    pub fn newest(&self, limit: usize) -> Vec<Arc<DeadLetter>> {
        self.select(&Selection::default(), limit).0
    }

    /// The newest `limit` letters of a selection, newest first, and how many it has.
    pub fn select(&self, selection: &Selection, limit: usize) -> (Vec<Arc<DeadLetter>>, u64) {
        let inner = self.inner.lock();
        let meant = inner.kept.iter().rev();
        let mut chosen = Vec::new();
        let mut count = 0;
        for letter in meant.filter(|letter| selection.fits(letter)) {
            count += 1;
            if chosen.len() < limit {
                chosen.push(letter.clone());
            }
        }
        (chosen, count)
    }

    /// The numbers of a selection, the oldest first.
    pub fn ids(&self, selection: &Selection) -> Vec<u64> {
        let inner = self.inner.lock();
        let meant = inner.kept.iter().filter(|letter| selection.fits(letter));
        meant.map(|letter| letter.id).collect()
    }

    /// One letter, if it is kept.
    pub fn get(&self, id: u64) -> Option<Arc<DeadLetter>> {
        let inner = self.inner.lock();
        let at = inner.place(id).ok()?;
        Some(inner.kept[at].clone())
    }

    /// Takes one letter out. Only one of two takers gets it.
    pub fn take(&self, id: u64) -> Option<Arc<DeadLetter>> {
        let mut inner = self.inner.lock();
        let at = inner.place(id).ok()?;
        let letter = inner.kept.remove(at)?;
        inner.bytes -= letter.cost_bytes();
        inner.removed += 1;
        Some(letter)
    }

    /// Puts a letter that was taken out back on its place, unless there is no more
    /// room for one of its age.
    pub fn put_back(&self, letter: Arc<DeadLetter>) {
        let mut inner = self.inner.lock();
        let Err(at) = inner.place(letter.id) else {
            return;
        };
        inner.removed -= 1;
        inner.bytes += letter.cost_bytes();
        inner.kept.insert(at, letter);
        inner.make_room(self.kept_max, self.bytes_max);
    }

    /// Throws a selection away; how many there were.
    pub fn purge(&self, selection: &Selection) -> u64 {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        let before = inner.kept.len();
        inner.kept.retain(|letter| {
            let goes = selection.fits(letter);
            if goes {
                inner.bytes -= letter.cost_bytes();
            }
            !goes
        });
        let purged = (before - inner.kept.len()) as u64;
        inner.removed += purged;
        purged
    }

    /// How much there is and was.
    pub fn counts(&self) -> LetterCounts {
        let inner = self.inner.lock();
        LetterCounts {
            total: inner.total,
            kept: inner.kept.len() as u64,
            kept_bytes: inner.bytes,
            dropped: inner.dropped.iter().sum(),
            removed: inner.removed,
        }
    }

    /// All since the start.
    pub fn total(&self) -> u64 {
        self.inner.lock().total
    }

    /// Those dropped for want of room.
    pub fn dropped(&self) -> u64 {
        self.inner.lock().dropped.iter().sum()
    }

    /// Those of one reason that were dropped for want of room.
    pub fn dropped_of(&self, reason: DeadReason) -> u64 {
        self.inner.lock().dropped[reason as usize]
    }

    /// How many of one reason since the start.
    pub fn count(&self, reason: DeadReason) -> u64 {
        self.inner.lock().by_reason[reason as usize]
    }
}

impl Inner {
    /// Where a number is, or would be.
    fn place(&self, id: u64) -> Result<usize, usize> {
        self.kept.binary_search_by_key(&id, |letter| letter.id)
    }

    fn make_room(&mut self, kept_max: usize, bytes_max: u64) {
        while self.kept.len() > kept_max || self.bytes > bytes_max {
            let oldest = self.kept.pop_front();
            let oldest = oldest.expect("an empty store is within every bound");
            self.bytes -= oldest.cost_bytes();
            self.dropped[oldest.reason as usize] += 1;
        }
    }
}
