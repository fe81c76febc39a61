//! Deadlines: who is to be woken when. Knows no clock; its owner says what time
//! it is.

mod sleepers;

use crate::Clock;
use parking_lot::{Condvar, Mutex};
use sleepers::Sleepers;
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// All pending deadlines of a node. A deadline whose sleeper is dropped is gone at
/// once, so that timed-out or answered asks leave nothing behind.
pub struct Timers {
    clock: Arc<dyn Clock>,
    pending: Mutex<Pending>,
    earlier: Condvar,
}

#[derive(Default)]
struct Pending {
    sleepers: Sleepers,
    next_seq: u64,
    /// When the driver looks again by itself; none when it sleeps until it is told.
    /// It may look for a sleeper that is gone: an early look costs less than a
    /// wake-up for each sleeper that comes and goes (every ask is one).
    looks_at_ms: Option<u64>,
    closed: bool,
}

impl Timers {
    /// No deadlines yet, on this clock.
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            pending: Mutex::default(),
            earlier: Condvar::new(),
        })
    }

    /// Ready once `ms` milliseconds have passed.
    pub fn sleep(self: &Arc<Self>, ms: u64) -> Sleep {
        self.sleep_from(self.clock.now_ms(), ms)
    }

    /// Ready once `ms` milliseconds have passed since `now_ms`, which the clock has
    /// just shown: for those who have looked at it anyway.
    pub(crate) fn sleep_from(self: &Arc<Self>, now_ms: u64, ms: u64) -> Sleep {
        Sleep {
            deadline_ms: now_ms.saturating_add(ms),
            is_over: ms == 0,
            seq: None,
            timers: self.clone(),
        }
    }

    /// Wakes `waker` once at the deadline, unless the alarm is dropped before.
    pub(crate) fn alarm(self: &Arc<Self>, deadline_ms: u64, waker: Waker) -> Sleep {
        let mut alarm = Sleep {
            deadline_ms,
            is_over: false,
            seq: None,
            timers: self.clone(),
        };
        alarm.enlist(waker);
        alarm
    }

    /// The earliest deadline, if there is one.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        self.pending.lock().sleepers.next_ms()
    }

    /// How many sleepers there are.
    pub fn len(&self) -> usize {
        self.pending.lock().sleepers.len()
    }

    /// Whether nobody sleeps.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Wakes every sleeper whose deadline has come.
    pub fn fire(&self) {
        let now = self.clock.now_ms();
        let due = self.pending.lock().sleepers.take_due(now);
        // Woken outside the lock: a waker may schedule, and that may sleep anew.
        due.into_iter().for_each(Waker::wake);
    }

    /// Fires deadlines on the calling thread until [`Timers::close`]. The wait
    /// follows the real passing of time, so it suits a real clock only.
    pub fn drive(&self) {
        loop {
            self.fire();
            let mut pending = self.pending.lock();
            if pending.closed {
                return;
            }
            let next = pending.sleepers.next_ms();
            pending.looks_at_ms = next;
            match next {
                None => self.earlier.wait(&mut pending),
                Some(at) => {
                    let left_ms = at.saturating_sub(self.clock.now_ms());
                    if left_ms > 0 {
                        let left = std::time::Duration::from_millis(left_ms);
                        self.earlier.wait_for(&mut pending, left);
                    }
                }
            }
        }
    }

    /// Ends [`Timers::drive`].
    pub fn close(&self) {
        self.pending.lock().closed = true;
        self.earlier.notify_all();
    }
}

/// Waits for one deadline.
pub struct Sleep {
    deadline_ms: u64,
    /// It was for no time at all.
    is_over: bool,
    seq: Option<u64>,
    timers: Arc<Timers>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // The first poll follows a look at the clock, and a deadline that has come in
        // between is found by the driver.
        let may_be_over = self.is_over || self.seq.is_some();
        if may_be_over && self.timers.clock.now_ms() >= self.deadline_ms {
            return Poll::Ready(());
        }
        self.enlist(cx.waker().clone());
        Poll::Pending
    }
}

impl Sleep {
    fn enlist(&mut self, waker: Waker) {
        let timers = self.timers.clone();
        let mut pending = timers.pending.lock();
        let seq = *self.seq.get_or_insert_with(|| {
            pending.next_seq += 1;
            pending.next_seq
        });
        let too_late = pending.looks_at_ms.is_none_or(|at| self.deadline_ms < at);
        pending.sleepers.set(self.deadline_ms, seq, waker);
        if too_late {
            pending.looks_at_ms = Some(self.deadline_ms);
        }
        drop(pending);
        if too_late {
            timers.earlier.notify_one();
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(seq) = self.seq {
            self.timers
                .pending
                .lock()
                .sleepers
                .remove(self.deadline_ms, seq);
        }
    }
}

/// Runs `work` for at most `ms` milliseconds; none when the time ran out first.
pub async fn within<F: Future>(timers: &Arc<Timers>, ms: u64, work: F) -> Option<F::Output> {
    before(timers.sleep(ms), work).await
}

/// Runs `work` until the sleep is over; none when that came first.
pub(crate) async fn before<F: Future>(mut sleep: Sleep, work: F) -> Option<F::Output> {
    let mut work = std::pin::pin!(work);
    std::future::poll_fn(|cx| {
        if let Poll::Ready(output) = work.as_mut().poll(cx) {
            return Poll::Ready(Some(output));
        }
        Pin::new(&mut sleep).poll(cx).map(|()| None)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::VirtualClock;
    use std::task::Wake;

    struct Flag(std::sync::atomic::AtomicBool);
    impl Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    #[test]
    fn a_sleeper_wakes_at_its_deadline_and_leaves_nothing() {
        let clock = Arc::new(VirtualClock::default());
        let timers = Timers::new(clock.clone());
        let flag = Arc::new(Flag(false.into()));
        let waker = Waker::from(flag.clone());
        let mut cx = Context::from_waker(&waker);
        let mut sleep = timers.sleep(10);
        assert!(Pin::new(&mut sleep).poll(&mut cx).is_pending());
        assert!(Pin::new(&mut sleep).poll(&mut cx).is_pending());
        assert_eq!(timers.len(), 1);
        clock.advance_to(9);
        timers.fire();
        assert!(!flag.0.load(std::sync::atomic::Ordering::SeqCst));
        clock.advance_to(10);
        timers.fire();
        assert!(flag.0.load(std::sync::atomic::Ordering::SeqCst));
        assert!(Pin::new(&mut sleep).poll(&mut cx).is_ready());
        assert!(timers.is_empty());
    }

    #[test]
    fn a_dropped_sleeper_is_gone() {
        let timers = Timers::new(Arc::new(VirtualClock::default()));
        let waker = Waker::noop();
        let mut sleep = timers.sleep(10);
        assert!(
            Pin::new(&mut sleep)
                .poll(&mut Context::from_waker(waker))
                .is_pending()
        );
        drop(sleep);
        assert!(timers.is_empty());
    }
}
