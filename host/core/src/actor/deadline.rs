//! How long a call into the guest may wait: `limits.deadline_ms`.
//!
//! Only waiting counts: from the poll that came back pending to the wake-up. What
//! the guest computes is bounded by fuel, and a wake-up says when it came, so that
//! time in which the actor is ready and waits for a worker does not count either.
//! A call that never waits costs a relaxed load: no clock read, no allocation.

use super::Cell;
use crate::{Crash, CrashKind, Engine, timers::Sleep};
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Poll},
};

/// The call runs, and nobody has woken it since its poll began.
const RUNS: u64 = 0;
/// It was woken while it ran: a used-up fuel slice, or a wait that was over at once.
const WOKEN: u64 = 1;
/// It waits.
const WAITS: u64 = 2;
/// It waited, and was woken at this many milliseconds more.
const WOKEN_AT: u64 = 3;

/// Whether the running call waits, in one word.
#[derive(Debug, Default)]
pub(super) struct WaitWord(AtomicU64);

impl WaitWord {
    /// The call's waker was called. A batch that waits for nothing but a worker is
    /// not stamped.
    pub fn wake(&self, now_ms: impl Fn() -> u64) {
        let mut seen = self.0.load(Ordering::Acquire);
        loop {
            let next = match seen {
                RUNS => WOKEN,
                WAITS => WOKEN_AT.saturating_add(now_ms()),
                _ => return,
            };
            let swapped = self
                .0
                .compare_exchange(seen, next, Ordering::AcqRel, Ordering::Acquire);
            match swapped {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// A poll begins. When the wait before it ended, if there was one.
    fn begin(&self) -> Option<u64> {
        if self.0.load(Ordering::Relaxed) == RUNS {
            return None;
        }
        self.0.swap(RUNS, Ordering::AcqRel).checked_sub(WOKEN_AT)
    }

    /// The poll came back pending. Whether it waits for somebody else.
    fn waits(&self) -> bool {
        self.0
            .compare_exchange(RUNS, WAITS, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}

/// What one call has waited so far.
#[derive(Default)]
struct Waited {
    ended_ms: u64,
    /// Since when it waits, if it does, and who wakes it at the deadline: nobody when
    /// what it waits for ends before.
    now: Option<(u64, Option<Sleep>)>,
}

impl Waited {
    fn end(&mut self, at_ms: u64) {
        if let Some((since_ms, _)) = self.now.take() {
            self.ended_ms += at_ms.saturating_sub(since_ms);
        }
    }
}

impl<E: Engine> Cell<E> {
    /// Runs one call into the guest within the actor's deadline. Where it ends with
    /// the deadline, the call is dropped with its caller's instance.
    pub(super) async fn bounded<T>(
        &self,
        mut call: Pin<&mut (impl Future<Output = Result<T, Crash>> + Send)>,
    ) -> Result<T, Crash> {
        let Some(limit_ms) = self.spec.limits.deadline_ms else {
            return call.await;
        };
        let mut waited = Waited::default();
        poll_fn(|cx| self.poll_bounded(call.as_mut(), &mut waited, limit_ms, cx)).await
    }

    fn poll_bounded<T>(
        &self,
        call: Pin<&mut impl Future<Output = Result<T, Crash>>>,
        waited: &mut Waited,
        limit_ms: u64,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T, Crash>> {
        if let Some(woken_ms) = self.wait.begin() {
            waited.end(woken_ms);
            if waited.ended_ms > limit_ms {
                return Poll::Ready(Err(exceeded(waited.ended_ms, limit_ms)));
            }
        }
        let polled = call.poll(cx);
        if polled.is_ready() {
            return polled;
        }
        let begun_ms = self.waits.take_begun_ms();
        if !self.wait.waits() {
            // Woken already: whatever it waited for ends now.
            if waited.now.is_some() {
                waited.end(self.node.clock.now_ms());
            }
        } else if waited.now.is_none() {
            let since_ms = begun_ms.unwrap_or_else(|| self.node.clock.now_ms());
            let left_ms = limit_ms.saturating_sub(waited.ended_ms);
            let until_ms = since_ms.saturating_add(left_ms);
            let ends_before = (self.waits.gives_up_ms()).is_some_and(|at_ms| at_ms <= until_ms);
            let sleep = (!ends_before).then(|| self.alarm(since_ms, left_ms, cx));
            waited.now = Some((since_ms, sleep));
        }
        Poll::Pending
    }

    /// Wakes the call when it has waited for more than `left_ms` milliseconds. A wait
    /// of exactly the limit is within it: an ask whose timeout is the deadline ends
    /// with the timeout.
    fn alarm(&self, since_ms: u64, left_ms: u64, cx: &Context<'_>) -> Sleep {
        let until_ms = since_ms.saturating_add(left_ms).saturating_add(1);
        self.node.timers.alarm(until_ms, cx.waker().clone())
    }
}

fn exceeded(waited_ms: u64, limit_ms: u64) -> Crash {
    let message = format!(
        "the turn waited {waited_ms} ms in calls to the node; `deadline` allows {limit_ms} ms"
    );
    Crash::new(CrashKind::Deadline, message)
}

#[cfg(test)]
mod tests {
    use super::WaitWord;

    #[test]
    fn only_a_wait_is_stamped_and_only_once() {
        let word = WaitWord::default();
        let never = || -> u64 { panic!("no clock is read") };
        word.wake(never);
        assert!(!word.waits(), "woken while it ran");
        assert_eq!(word.begin(), None);
        assert!(word.waits());
        assert_eq!(word.begin(), None, "polled, but not woken");
        assert!(word.waits());
        word.wake(|| 7);
        word.wake(never);
        assert_eq!(word.begin(), Some(7));
    }
}
