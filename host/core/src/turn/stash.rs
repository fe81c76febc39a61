//! Messages that a turn puts aside, and brings back (Akka's stash).

use super::Turn;
use crate::Engine;

/// Why the message being handled was not put into the stash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StashError {
    /// There is no message: a notice is being handled, or it is stashed already.
    #[error("no-message")]
    NoMessage,
    /// The stash holds as many messages as the spec allows.
    #[error("full: the limit is {limit} messages")]
    Full {
        /// The limit.
        limit: u32,
    },
}

/// What a turn does with the stash when it succeeds.
#[derive(Default)]
pub(super) struct Aside {
    /// What is handled is a message, which can be put aside.
    pub is_message: bool,
    stash: bool,
    unstash: bool,
}

impl<E: Engine> Turn<E> {
    /// Puts the message being handled into the stash when the turn succeeds, also
    /// when it is flushed before; what the handler returns is then not used. The
    /// stash keeps order and the askers' places, counts towards the mailbox's
    /// capacity, and survives sleep, swap and restart. A restart brings its messages
    /// back before newer ones; at the actor's end they are dead letters.
    ///
    /// # Errors
    /// Why it was not put aside: it is handled as any other.
    pub fn stash(&mut self) -> Result<(), StashError> {
        if !self.aside.is_message || self.aside.stash {
            return Err(StashError::NoMessage);
        }
        let limit = self.cell.spec.limits.stash;
        let stashed = if self.aside.unstash {
            0
        } else {
            self.cell.mailbox.stashed()
        };
        if stashed >= limit {
            return Err(StashError::Full { limit });
        }
        self.aside.stash = true;
        Ok(())
    }

    /// Brings the messages stashed by earlier turns back when the turn succeeds, in
    /// their order and before newer ones of the same priority. Returns how many. One
    /// that this very turn stashes stays in the stash, so that no loop comes of it.
    pub fn unstash_all(&mut self) -> u32 {
        if std::mem::replace(&mut self.aside.unstash, true) {
            return 0;
        }
        self.cell.mailbox.stashed()
    }

    /// Brings the stash back, if the turn asked for it.
    pub(super) fn commit_unstash(&mut self) {
        if std::mem::take(&mut self.aside.unstash) {
            self.cell.mailbox.unstash_all();
        }
    }

    /// Whether the turn, which has succeeded, put its message aside.
    pub(crate) fn take_stashed(&mut self) -> bool {
        std::mem::take(&mut self.aside.stash)
    }

    pub(super) fn forget_stash(&mut self) {
        self.aside = Aside::default();
    }
}
