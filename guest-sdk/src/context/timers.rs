//! Messages from this actor to itself, at a time.

use super::Context;
use crate::{Actor, Schema, TimerError, codec::encode_own};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A timer that was set. It may be kept in the state.
///
/// ```
/// # use actorhost_sdk::TimerId;
/// assert_eq!(TimerId::from_raw(3).raw(), 3);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Schema,
)]
pub struct TimerId(u64);

impl TimerId {
    /// The timer of this number.
    pub const fn from_raw(id: u64) -> Self {
        Self(id)
    }

    /// Its number, unique within a life of the actor.
    pub const fn raw(self) -> u64 {
        self.0
    }
}

/// Timers send this actor messages of its own type. They are set and taken back when
/// the turn succeeds, and end with this life of the actor. A message that is due waits
/// in the mailbox as any other; its sender is this actor.
impl<A: Actor> Context<A> {
    /// Sends this actor a message after a delay, once. Delays are counted in whole
    /// milliseconds, rounded up.
    ///
    /// # Errors
    /// [`TimerError`] when the delay is under 1 ms, or the timer is refused.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing::TestActor};
    ///
    /// #[derive(Serialize, Deserialize, Schema)]
    /// enum Msg { Order, GiveUp }
    ///
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Guest { gave_up: bool }
    ///
    /// #[actor]
    /// impl Actor for Guest {
    ///     type Args = ();
    ///     type Message = Msg;
    ///     type Reply = ();
    ///
    ///     fn handle(&mut self, msg: Msg, ctx: &mut Context<Self>) {
    ///         match msg {
    ///             Msg::Order => {
    ///                 ctx.send_after(Duration::from_secs(600), &Msg::GiveUp)
    ///                     .expect("a guest has one timer");
    ///             }
    ///             Msg::GiveUp => self.gave_up = true,
    ///         }
    ///     }
    /// }
    ///
    /// let mut guest = TestActor::<Guest>::start(&()).unwrap();
    /// guest.tell(&Msg::Order).unwrap();
    /// guest.advance(Duration::from_secs(599)).unwrap();
    /// assert!(!guest.state().gave_up);
    /// guest.advance(Duration::from_secs(1)).unwrap();
    /// assert!(guest.state().gave_up);
    /// ```
    pub fn send_after(&self, delay: Duration, message: &A::Message) -> Result<TimerId, TimerError> {
        self.timer(None, delay, None, message)
    }

    /// Sends this actor a message after a delay, and then once each period, without
    /// drift and with at most one of them waiting at a time.
    ///
    /// # Errors
    /// As [`send_after`](Self::send_after), also for the period.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, TimerError, testing::Texts};
    /// # use std::time::Duration;
    /// let ctx: Context<Texts> = Context::mock();
    /// let second = Duration::from_secs(1);
    /// ctx.send_every(second, second, &"tick".to_owned())?;
    /// assert_eq!(ctx.node().timers::<String>()[0].every_ms, Some(1_000));
    ///
    /// let short = ctx.send_every(second, Duration::ZERO, &"tick".to_owned());
    /// assert_eq!(short, Err(TimerError::TooShort));
    /// # Ok::<(), TimerError>(())
    /// ```
    pub fn send_every(
        &self,
        delay: Duration,
        period: Duration,
        message: &A::Message,
    ) -> Result<TimerId, TimerError> {
        self.timer(None, delay, Some(period), message)
    }

    /// As [`send_after`](Self::send_after), in place of an earlier timer of this key.
    ///
    /// # Errors
    /// As [`send_after`](Self::send_after), and for a key that is empty or longer than
    /// 128 bytes.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, TimerError, testing::Texts};
    /// # use std::time::Duration;
    /// let ctx: Context<Texts> = Context::mock();
    /// ctx.set_timer("idle", Duration::from_secs(30), &"go to sleep".to_owned())?;
    /// ctx.set_timer("idle", Duration::from_secs(60), &"go to sleep".to_owned())?;
    /// let timers = ctx.node().timers::<String>();
    /// assert_eq!((timers.len(), timers[0].after_ms), (1, 60_000));
    /// # Ok::<(), TimerError>(())
    /// ```
    pub fn set_timer(
        &self,
        key: &str,
        delay: Duration,
        message: &A::Message,
    ) -> Result<TimerId, TimerError> {
        self.timer(Some(key), delay, None, message)
    }

    /// As [`send_every`](Self::send_every), in place of an earlier timer of this key.
    ///
    /// # Errors
    /// As [`send_every`](Self::send_every), and for a key that is empty or longer than
    /// 128 bytes.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, TimerError, testing::Texts};
    /// # use std::time::Duration;
    /// let ctx: Context<Texts> = Context::mock();
    /// let minute = Duration::from_secs(60);
    /// ctx.set_interval("report", minute, minute, &"report".to_owned())?;
    /// assert_eq!(ctx.node().timers::<String>()[0].key.as_deref(), Some("report"));
    /// # Ok::<(), TimerError>(())
    /// ```
    pub fn set_interval(
        &self,
        key: &str,
        delay: Duration,
        period: Duration,
        message: &A::Message,
    ) -> Result<TimerId, TimerError> {
        self.timer(Some(key), delay, Some(period), message)
    }

    /// Takes a timer back; whether it was set. Its message does not come afterwards,
    /// not even one that waits in the mailbox.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, TimerError, testing::Texts};
    /// # use std::time::Duration;
    /// let ctx: Context<Texts> = Context::mock();
    /// let timer = ctx.send_after(Duration::from_secs(1), &"tick".to_owned())?;
    /// assert!(ctx.cancel_timer(timer));
    /// assert!(!ctx.cancel_timer(timer));
    /// # Ok::<(), TimerError>(())
    /// ```
    pub fn cancel_timer(&self, timer: TimerId) -> bool {
        self.node.cancel_timer(timer.raw())
    }

    /// As [`cancel_timer`](Self::cancel_timer), by key.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::Texts};
    /// let ctx: Context<Texts> = Context::mock();
    /// assert!(!ctx.cancel_key("idle"));
    /// ```
    pub fn cancel_key(&self, key: &str) -> bool {
        self.node.cancel_timer_key(key)
    }

    fn timer(
        &self,
        key: Option<&str>,
        delay: Duration,
        period: Option<Duration>,
        message: &A::Message,
    ) -> Result<TimerId, TimerError> {
        let delay = timer_millis(delay)?;
        let period = period.map(timer_millis).transpose()?;
        let set = self
            .node
            .set_timer(key, encode_own(message), delay, period)?;
        Ok(TimerId::from_raw(set))
    }
}

/// In whole milliseconds, rounded up. Under 1 ms is refused, as it is by the node: a
/// timer of no delay would be an endless loop.
fn timer_millis(delay: Duration) -> Result<u64, TimerError> {
    if delay < Duration::from_millis(1) {
        return Err(TimerError::TooShort);
    }
    Ok(u64::try_from(delay.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_never_rounded_to_none() {
        let refused = Err(TimerError::TooShort);
        assert_eq!(timer_millis(Duration::ZERO), refused);
        assert_eq!(timer_millis(Duration::from_micros(999)), refused);
        assert_eq!(timer_millis(Duration::from_millis(1)), Ok(1));
        assert_eq!(timer_millis(Duration::from_micros(1_001)), Ok(2));
        assert_eq!(timer_millis(Duration::MAX), Ok(u64::MAX));
    }
}
