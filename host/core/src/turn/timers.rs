//! Timers that a running turn sets and cancels.

use super::{Effect, Turn};
use crate::{Engine, actor::NewTimer, mailbox::cost};
use bytes::Bytes;

/// Longest key, in bytes.
const KEY_BYTES_MAX: usize = 128;

/// Why a timer was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimerError {
    /// A delay or period under 1 ms.
    #[error("too-short: a delay or period is at least 1 ms")]
    TooShort,
    /// The key is empty or longer than 128 bytes.
    #[error("bad-key: a key has 1 to {KEY_BYTES_MAX} bytes")]
    BadKey,
    /// The message is larger than the limit.
    #[error("too-large: the limit is {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// As many timers are set as the spec allows.
    #[error("quota: the limit is {limit}")]
    Quota {
        /// The limit.
        limit: u32,
    },
    /// The node's budget for queued bytes is used up.
    #[error("overloaded")]
    Overloaded,
}

impl<E: Engine> Turn<E> {
    pub(super) fn end_timer(&self, timer: u64) {
        if let Some(timers) = self.cell.keep.lock().timers() {
            timers.remove(timer);
        }
    }

    pub(super) fn undo_end_timer(&self, timer: u64) {
        if let Some(timers) = self.cell.keep.lock().timers() {
            timers.undo_end(timer);
        }
    }

    /// Sets a timer that sends this actor `message` after `after_ms` milliseconds
    /// and then, if given, each `every_ms` milliseconds. A timer of the same key is
    /// replaced (Akka's `TimerScheduler`). It starts when the turn succeeds, and ends
    /// with this life. A full mailbox makes its message a dead letter.
    ///
    /// # Errors
    /// Why it was not set; one of the same key is then as before.
    pub fn set_timer(
        &mut self,
        key: Option<&str>,
        message: Bytes,
        after_ms: u64,
        every_ms: Option<u64>,
    ) -> Result<u64, TimerError> {
        if after_ms == 0 || every_ms == Some(0) {
            return Err(TimerError::TooShort);
        }
        if key.is_some_and(|key| key.is_empty() || key.len() > KEY_BYTES_MAX) {
            return Err(TimerError::BadKey);
        }
        let limits = &self.cell.spec.limits;
        if message.len() as u64 > limits.message_bytes {
            let limit = limits.message_bytes;
            return Err(TimerError::TooLarge { limit });
        }
        if self.room_for_effect().is_err() {
            let limit = limits.effects_per_turn;
            return Err(TimerError::Quota { limit });
        }
        let mut keep = self.cell.keep.lock();
        let id = keep.next_number();
        let timers = &mut keep.belongings().timers;
        let limit = limits.timers;
        if timers.len() >= limit as usize {
            timers.sweep();
        }
        let replaced = key.and_then(|key| timers.of_key(key));
        if timers.len() >= limit as usize + usize::from(replaced.is_some()) {
            return Err(TimerError::Quota { limit });
        }
        let bytes = cost(&message) + key.map_or(0, |key| key.len() as u64);
        let bytes = self.cell.node.mailbox_bytes.share(bytes);
        let bytes = bytes.ok_or(TimerError::Overloaded)?;
        if let Some(replaced) = replaced {
            timers.hold_end(replaced);
            self.effects.push(Effect::EndTimer(replaced));
        }
        let key = key.map(Into::into);
        let new = NewTimer {
            key,
            message,
            bytes,
            after_ms,
            every_ms,
        };
        timers.hold(id, new);
        self.effects.push(Effect::StartTimer(id));
        Ok(id)
    }

    /// Takes a timer back when the turn succeeds; true when it was set. Its message
    /// is not handled afterwards, not even one that waits in the mailbox.
    pub fn cancel_timer(&mut self, timer: u64) -> bool {
        let was_set = match &mut self.cell.keep.lock().belongings {
            Some(belongings) => belongings.timers.hold_end(timer),
            None => false,
        };
        if was_set {
            self.effects.push(Effect::EndTimer(timer));
        }
        was_set
    }

    /// As [`Turn::cancel_timer`], by key.
    pub fn cancel_timer_key(&mut self, key: &str) -> bool {
        let timer = match &self.cell.keep.lock().belongings {
            Some(belongings) => belongings.timers.of_key(key),
            None => None,
        };
        timer.is_some_and(|timer| self.cancel_timer(timer))
    }
}
