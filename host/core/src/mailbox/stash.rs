//! Messages that the actor has put aside (Akka's stash). They belong to the actor
//! and not to one life: they outlive sleep, swap and restart.

use super::{Closed, Lanes, Letter, Mailbox};

impl<S> Mailbox<S> {
    /// Puts a message that was taken into the stash. No bound refuses it: the spec's
    /// was looked at when the actor asked for it.
    ///
    /// # Errors
    /// The letter, when the mailbox has ended.
    // The letter comes back whole so that nothing of it is lost.
    #[allow(clippy::result_large_err)]
    pub fn stash(&self, letter: Letter) -> Result<(), Letter> {
        let mut lanes = self.inner.lock();
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return Err(letter);
        }
        self.budget.take_back(letter.cost());
        lanes.stash.get_or_insert_default().push_back(letter);
        Ok(())
    }

    /// Brings the stash back, in its order and before all others of their
    /// priorities. Returns how many.
    pub fn unstash_all(&self) -> u32 {
        let mut lanes = self.inner.lock();
        let Some(stash) = lanes.stash.take() else {
            return 0;
        };
        let count = u32::try_from(stash.len()).expect("a stash is bounded");
        for letter in stash.into_iter().rev() {
            lanes.user.push_front(letter);
        }
        lanes.counted += count;
        count
    }

    /// Messages in the stash.
    pub fn stashed(&self) -> u32 {
        self.inner.lock().stashed()
    }
}

impl<S> Lanes<S> {
    pub(super) fn stashed(&self) -> u32 {
        self.stash.as_ref().map_or(0, |stash| {
            u32::try_from(stash.len()).expect("a stash is bounded")
        })
    }
}
