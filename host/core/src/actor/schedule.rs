//! Whether an actor is on a ready queue: one atomic word, in the manner of tokio's
//! task state.
//!
//! ```text
//!            notify                     begin
//!   Idle ───────────────▶ Scheduled ───────────▶ Running ─┐
//!    ▲                        ▲                   │  ▲    │ notify
//!    │         finish         │      finish       │  └────┤
//!    └────────────────────────┼───────────────────┘       ▼
//!                             └────────────────────── Notified
//! ```
//! A cell is put on a queue by exactly the caller whose transition says so, so it
//! is never on two queues, nor run by two workers, and no wake-up is lost: one that
//! comes while it runs leads to another run.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU8, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU8, Ordering};

const IDLE: u8 = 0;
const SCHEDULED: u8 = 1;
const RUNNING: u8 = 2;
const NOTIFIED: u8 = 3;

/// The word.
#[derive(Debug)]
pub struct Schedule(AtomicU8);

/// What the caller of a transition must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Enqueue {
    /// Put the cell on a ready queue.
    Yes,
    /// Nothing: it is on one, or will look again by itself.
    No,
}

impl Default for Schedule {
    fn default() -> Self {
        Self::new()
    }
}

impl Schedule {
    /// A cell that is on no queue.
    pub fn new() -> Self {
        Self(AtomicU8::new(IDLE))
    }

    /// There is something to do.
    pub fn notify(&self) -> Enqueue {
        let mut seen = self.0.load(Ordering::Acquire);
        loop {
            let next = match seen {
                IDLE => SCHEDULED,
                RUNNING => NOTIFIED,
                // The run to come must see what the caller wrote before: a no-change
                // write keeps the order of the two.
                other => other,
            };
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(IDLE) => return Enqueue::Yes,
                Ok(_) => return Enqueue::No,
                Err(now) => seen = now,
            }
        }
    }

    /// A worker took the cell from a queue.
    ///
    /// # Panics
    /// When the cell was not on one: two workers would run it.
    pub fn begin(&self) {
        let was = self.0.swap(RUNNING, Ordering::AcqRel);
        assert_eq!(was, SCHEDULED, "a cell is run only from a ready queue");
    }

    /// The worker is done with it for now.
    pub fn finish(&self) -> Enqueue {
        match self
            .0
            .compare_exchange(RUNNING, IDLE, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => Enqueue::No,
            Err(was) => {
                assert_eq!(was, NOTIFIED, "only a running cell is finished");
                self.0.store(SCHEDULED, Ordering::Release);
                Enqueue::Yes
            }
        }
    }

    /// The worker is done for now, but there is more to do.
    pub fn finish_with_more(&self) {
        let was = self.0.swap(SCHEDULED, Ordering::AcqRel);
        assert!(
            was == RUNNING || was == NOTIFIED,
            "only a running cell is finished"
        );
    }

    /// Whether a worker runs it now.
    pub fn is_running(&self) -> bool {
        matches!(self.0.load(Ordering::Relaxed), RUNNING | NOTIFIED)
    }

    /// Whether it waits on a ready queue.
    pub fn is_scheduled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == SCHEDULED
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Enqueue, Schedule};

    #[test]
    fn one_wake_up_puts_it_on_one_queue() {
        let word = Schedule::new();
        assert_eq!(word.notify(), Enqueue::Yes);
        assert_eq!(word.notify(), Enqueue::No);
        word.begin();
        assert!(word.is_running());
        assert_eq!(word.finish(), Enqueue::No);
        assert!(!word.is_running() && !word.is_scheduled());
    }

    #[test]
    fn a_wake_up_during_a_run_leads_to_another() {
        let word = Schedule::new();
        let _ = word.notify();
        word.begin();
        assert_eq!(word.notify(), Enqueue::No);
        assert_eq!(word.finish(), Enqueue::Yes);
        word.begin();
        word.finish_with_more();
        assert!(word.is_scheduled());
    }

    #[test]
    #[should_panic(expected = "ready queue")]
    fn an_idle_cell_cannot_be_run() {
        Schedule::new().begin();
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::{Enqueue, Schedule};
    use loom::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    /// Two senders put something into a mailbox (a counter here) and notify; one
    /// worker runs the cell as long as it is on the queue. In every interleaving:
    /// never on the queue twice, and nothing is left in the mailbox of an idle cell.
    #[test]
    fn loom_no_wake_up_is_lost_or_doubled() {
        loom::model(|| {
            let word = Arc::new(Schedule::new());
            let mailbox = Arc::new(AtomicUsize::new(0));
            let queue = Arc::new(AtomicUsize::new(0));
            let send = |word: Arc<Schedule>, mailbox: Arc<AtomicUsize>, queue: Arc<AtomicUsize>| {
                mailbox.fetch_add(1, Ordering::Release);
                if word.notify() == Enqueue::Yes {
                    assert_eq!(queue.fetch_add(1, Ordering::AcqRel), 0, "queued twice");
                }
            };
            let senders: Vec<_> = (0..2)
                .map(|_| {
                    let (word, mailbox, queue) = (word.clone(), mailbox.clone(), queue.clone());
                    loom::thread::spawn(move || send(word, mailbox, queue))
                })
                .collect();
            let work = || {
                if queue.load(Ordering::Acquire) == 0 {
                    return false;
                }
                queue.fetch_sub(1, Ordering::AcqRel);
                word.begin();
                mailbox.swap(0, Ordering::AcqRel);
                if word.finish() == Enqueue::Yes {
                    assert_eq!(queue.fetch_add(1, Ordering::AcqRel), 0, "queued twice");
                }
                true
            };
            work();
            senders
                .into_iter()
                .for_each(|sender| sender.join().unwrap());
            while work() {}
            assert_eq!(
                mailbox.load(Ordering::Acquire),
                0,
                "a message was left behind"
            );
        });
    }
}
