//! Mailboxes.

use super::super::Place;

/// Bounds of a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Most messages that may wait; without meaning when it is unbounded.
    pub capacity: u32,
    /// What a full one does.
    pub overflow: Overflow,
    /// Messages that are handled before others, in the order of the file.
    pub priorities: Vec<Priority>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self {
            capacity: 1_024,
            overflow: Overflow::Reject,
            priorities: Vec::new(),
        }
    }
}

/// The level of one variant of the message enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priority {
    /// The variant's name; whether there is one, only the module can say.
    pub variant: String,
    /// Its level, at least 1; messages without one have 0. Higher ones come first.
    pub level: u8,
    /// Where the file says so.
    pub place: Place,
}

/// What a full mailbox does with the next message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The sender is told at once.
    Reject,
    /// The sender waits for room, then is told.
    Block {
        /// Longest wait, in milliseconds.
        timeout_ms: u64,
    },
    /// The new message becomes a dead letter; the sender is not told.
    DropNewest,
    /// The oldest waiting message becomes a dead letter.
    DropOldest,
    /// Only the node's bytes for waiting messages bound it.
    Unbounded,
}
