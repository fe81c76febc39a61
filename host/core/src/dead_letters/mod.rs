//! Messages that reached nobody, or whose handling crashed: counted for ever, kept
//! within a bound, to be looked at, sent again or thrown away.

mod store;

pub use store::{DeadLetters, LetterCounts};

use crate::ActorId;
use bytes::Bytes;
use std::sync::Arc;

/// Crashes after which a message that is sent again and again is `poison`.
pub const POISON_CRASHES: u32 = 3;

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
    /// It was larger than its target's limit and nobody waited for the refusal (a
    /// group).
    TooLarge,
}

impl DeadReason {
    /// Every reason, in the order of the counters.
    pub const ALL: [Self; 10] = [
        Self::Crashed,
        Self::Killed,
        Self::Stopped,
        Self::NoSuchActor,
        Self::LateReply,
        Self::Full,
        Self::DropNewest,
        Self::DropOldest,
        Self::Poison,
        Self::TooLarge,
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
            Self::TooLarge => "too-large",
        }
    }

    /// The reason of a stable name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
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
    /// Lives that crashed on this message, also before it was sent again.
    pub crashes: u32,
    /// The message's bytes.
    pub message: Bytes,
}

/// What a kept letter counts for beside its texts and its message, in bytes: its own
/// fields and its place in the store.
const LETTER_OVERHEAD_BYTES: u64 = 256;

impl DeadLetter {
    /// What it counts for in the store's bound, in bytes.
    pub fn cost_bytes(&self) -> u64 {
        let texts = self.detail.len() + self.to_path.len();
        LETTER_OVERHEAD_BYTES + (texts + self.message.len()) as u64
    }
}

/// Which letters are meant; what is none fits all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Those of this reason.
    pub reason: Option<DeadReason>,
    /// Those for whom.
    pub to: Option<SelectedTarget>,
    /// Those since this moment, in milliseconds since the Unix epoch.
    pub since_ms: Option<u64>,
}

/// Whose letters are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectedTarget {
    /// Those of one address.
    Id(ActorId),
    /// Those of one path, whoever had it.
    Path(String),
    /// Those of all paths below this one.
    Below(String),
}

impl SelectedTarget {
    /// From an id in digits, a path such as `/fleet/N14228`, or `/fleet/*` for all
    /// below `/fleet`.
    pub fn parse(text: &str) -> Self {
        if let Ok(id) = text.trim_start_matches('#').parse() {
            return Self::Id(ActorId(id));
        }
        match text.strip_suffix("/*") {
            Some(above) => Self::Below(format!("{above}/")),
            None => Self::Path(text.into()),
        }
    }

    fn fits(&self, letter: &DeadLetter) -> bool {
        match self {
            Self::Id(id) => letter.to == *id,
            Self::Path(path) => *letter.to_path == **path,
            Self::Below(above) => letter.to_path.starts_with(&**above),
        }
    }
}

impl Selection {
    /// Whether a letter is meant.
    pub fn fits(&self, letter: &DeadLetter) -> bool {
        self.reason.is_none_or(|reason| letter.reason == reason)
            && self.to.as_ref().is_none_or(|to| to.fits(letter))
            && self
                .since_ms
                .is_none_or(|since_ms| letter.at_ms >= since_ms)
    }
}
