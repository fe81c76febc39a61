//! Messages that reached nobody, or whose handling crashed: counted for ever, kept
//! within a bound.

use crate::ActorId;
use bytes::Bytes;
use parking_lot::Mutex;
use std::{collections::VecDeque, sync::Arc};

/// Why a message became a dead letter. Each has one stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeadReason {
    /// Its handling crashed.
    Crashed,
    /// Its handling was abandoned by a kill.
    Killed,
    /// The target had stopped, or stopped before it came to the message.
    Stopped,
    /// No actor has the address.
    NoSuchActor,
    /// A reply whose asker no longer waits.
    LateReply,
    /// The mailbox was full and nobody waited for the refusal (a timer, a group).
    Full,
    /// The mailbox was full and its policy drops the newest message.
    DropNewest,
    /// The mailbox was full and its policy drops the oldest message.
    DropOldest,
    /// It crashed as many lives as its target's spec allows.
    Poison,
}

impl DeadReason {
    /// Every reason, in the order of the counters.
    pub const ALL: [Self; 9] = [
        Self::Crashed,
        Self::Killed,
        Self::Stopped,
        Self::NoSuchActor,
        Self::LateReply,
        Self::Full,
        Self::DropNewest,
        Self::DropOldest,
        Self::Poison,
    ];

    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crashed => "crashed",
            Self::Killed => "killed",
            Self::Stopped => "stopped",
            Self::NoSuchActor => "no-such-actor",
            Self::LateReply => "late-reply",
            Self::Full => "full",
            Self::DropNewest => "drop-newest",
            Self::DropOldest => "drop-oldest",
            Self::Poison => "poison",
        }
    }
}

/// One dead letter.
#[derive(Debug, Clone)]
pub struct DeadLetter {
    /// Its number, from 1.
    pub id: u64,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Why.
    pub reason: DeadReason,
    /// The cause in words.
    pub detail: String,
    /// Whom it was for.
    pub to: ActorId,
    /// The target's path, as far as it was known.
    pub to_path: Arc<str>,
    /// The sending actor and its path; none for outsiders.
    pub sender: Option<(ActorId, Arc<str>)>,
    /// The target's behaviour; empty when there was no target.
    pub behaviour: Arc<str>,
    /// The version of it that was running.
    pub version: u32,
    /// The message's bytes.
    pub message: Bytes,
}

/// The bounded store.
pub struct DeadLetters {
    kept_max: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    kept: VecDeque<DeadLetter>,
    total: u64,
    by_reason: [u64; DeadReason::ALL.len()],
}

impl DeadLetters {
    /// An empty store that keeps the newest `kept_max` letters.
    pub fn new(kept_max: usize) -> Self {
        Self {
            kept_max,
            inner: Mutex::default(),
        }
    }

    /// Adds a letter and gives it its number.
    pub fn add(&self, mut letter: DeadLetter) {
        let mut inner = self.inner.lock();
        inner.total += 1;
        inner.by_reason[letter.reason as usize] += 1;
        letter.id = inner.total;
        inner.kept.push_back(letter);
        if inner.kept.len() > self.kept_max {
            inner.kept.pop_front();
        }
    }

    /// The newest `limit` letters, newest first.
    pub fn newest(&self, limit: usize) -> Vec<DeadLetter> {
        self.inner
            .lock()
            .kept
            .iter()
            .rev()
            .take(limit)
            .cloned()
            .collect()
    }

    /// All since the start.
    pub fn total(&self) -> u64 {
        self.inner.lock().total
    }

    /// Those no longer kept.
    pub fn dropped(&self) -> u64 {
        let inner = self.inner.lock();
        inner.total - inner.kept.len() as u64
    }

    /// How many of one reason since the start.
    pub fn count(&self, reason: DeadReason) -> u64 {
        self.inner.lock().by_reason[reason as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_leave_and_stay_counted() {
        let store = DeadLetters::new(2);
        for n in 0..3u8 {
            store.add(DeadLetter {
                id: 0,
                at_ms: 0,
                reason: DeadReason::Stopped,
                detail: String::new(),
                to: ActorId(1),
                to_path: "/a".into(),
                sender: None,
                behaviour: "b".into(),
                version: 1,
                message: Bytes::from(vec![n]),
            });
        }
        assert_eq!((store.total(), store.dropped()), (3, 1));
        assert_eq!(store.count(DeadReason::Stopped), 3);
        let ids: Vec<_> = store.newest(10).iter().map(|letter| letter.id).collect();
        assert_eq!(ids, [3, 2]);
    }
}
