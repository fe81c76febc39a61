//! What a full mailbox does with a message (Akka's bounded mailboxes, and the drop
//! policies of reactive streams).
//!
//! Two questions at two moments: whether a sender may have a place when it asks for
//! one, and what happens when the message is put there.

use crate::spec::Overflow;

/// Whether a sender may have a place. `taken` counts messages that wait, those in
/// the stash, and places promised to others; `line` says that other senders wait
/// for room, whom a newcomer does not overtake.
///
/// Under a drop policy there is always a place: the drop comes later, and the sender
/// is told that its message was accepted.
#[inline]
pub fn has_room(overflow: Overflow, taken: u32, capacity: u32, line: bool) -> bool {
    match overflow {
        Overflow::Reject | Overflow::Block { .. } => taken < capacity && !line,
        Overflow::DropNewest | Overflow::DropOldest | Overflow::Unbounded => true,
    }
}

/// What happens when a message is put into its mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// It is queued.
    Queue,
    /// It is dropped itself.
    DropIt,
    /// It is queued, and the oldest waiting message is dropped.
    DropOldest,
}

/// Where a message goes whose sender has a place. `waiting` counts messages that
/// wait and those in the stash.
#[inline]
pub fn place(overflow: Overflow, waiting: u32, capacity: u32) -> Placement {
    match overflow {
        // Its place was kept for it.
        Overflow::Reject | Overflow::Block { .. } | Overflow::Unbounded => Placement::Queue,
        _ if waiting < capacity => Placement::Queue,
        Overflow::DropNewest => Placement::DropIt,
        Overflow::DropOldest => Placement::DropOldest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bound_that_tells_the_sender_refuses() {
        for (overflow, refuses) in [
            (Overflow::Reject, true),
            (Overflow::Block { timeout_ms: 1 }, true),
            (Overflow::DropNewest, false),
            (Overflow::DropOldest, false),
            (Overflow::Unbounded, false),
        ] {
            assert!(has_room(overflow, 1, 2, false));
            assert_eq!(has_room(overflow, 2, 2, false), !refuses);
            assert_eq!(has_room(overflow, 0, 2, true), !refuses, "behind the line");
        }
    }

    #[test]
    fn each_drop_policy_drops_its_own() {
        use Placement::{DropIt, DropOldest, Queue};
        for (overflow, when_full) in [
            (Overflow::Reject, Queue),
            (Overflow::Block { timeout_ms: 1 }, Queue),
            (Overflow::DropNewest, DropIt),
            (Overflow::DropOldest, DropOldest),
            (Overflow::Unbounded, Queue),
        ] {
            assert_eq!(place(overflow, 1, 2), Queue);
            assert_eq!(place(overflow, 2, 2), when_full);
        }
    }
}
