//! Instances as a bounded resource.
//!
//! Above `max` the least recently used idle actor is asked to sleep; above
//! `hard_max` a newcomer waits for an instance to be given back. Recency is a bit
//! per actor and a ring that is swept (the clock algorithm), so that the message
//! path pays one store.

use crate::{
    Crash, CrashKind, Engine,
    actor::{Cell, Phase, System},
    node::NodeInner,
    timers::within,
};
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Poll, Waker},
};

/// How long a newcomer waits for an instance before its start fails.
const WAIT_MS_MAX: u64 = 10_000;

pub(crate) struct Live<E: Engine> {
    count: AtomicUsize,
    max: usize,
    hard_max: usize,
    ring: Mutex<VecDeque<Weak<Cell<E>>>>,
    waiting: Mutex<VecDeque<Waker>>,
}

/// One instance's place, given back when dropped.
pub(crate) struct LiveSlot<E: Engine>(Arc<NodeInner<E>>);

impl<E: Engine> Drop for LiveSlot<E> {
    fn drop(&mut self) {
        let live = &self.0.live;
        live.count.fetch_sub(1, Ordering::SeqCst);
        let waker = live.waiting.lock().pop_front();
        waker.into_iter().for_each(Waker::wake);
    }
}

impl<E: Engine> Live<E> {
    pub fn new(max: usize, hard_max: usize) -> Self {
        Self {
            count: AtomicUsize::new(0),
            max: max.max(1),
            hard_max: hard_max.max(2),
            ring: Mutex::default(),
            waiting: Mutex::default(),
        }
    }

    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    pub fn max(&self) -> usize {
        self.max
    }

    /// Puts a live actor into the ring of those that may be put to sleep.
    pub fn enlist(&self, cell: &Arc<Cell<E>>) {
        if !cell.in_ring.swap(true, Ordering::AcqRel) {
            self.ring.lock().push_back(Arc::downgrade(cell));
        }
    }

    fn take(&self) -> Option<usize> {
        let before = self.count.fetch_add(1, Ordering::SeqCst);
        if before < self.hard_max {
            return Some(before + 1);
        }
        self.count.fetch_sub(1, Ordering::SeqCst);
        None
    }

    /// Asks the least recently used idle actor to sleep. Two rounds of the ring at
    /// most: the first may only take the marks of recent use away.
    fn evict_one(&self) {
        let rounds = 2 * self.ring.lock().len();
        for _ in 0..rounds {
            let Some(candidate) = self.ring.lock().pop_front() else {
                return;
            };
            let Some(cell) = candidate.upgrade() else {
                continue;
            };
            if cell.phase() != Phase::Awake || !cell.may_hibernate() {
                cell.in_ring.store(false, Ordering::Release);
            } else if cell.used.swap(false, Ordering::Relaxed) {
                self.ring.lock().push_back(candidate);
            } else {
                cell.in_ring.store(false, Ordering::Release);
                cell.system(System::Sleep);
                return;
            }
        }
    }
}

impl<E: Engine> NodeInner<E> {
    /// A place for one more instance.
    pub(crate) async fn live_slot(
        self: &Arc<Self>,
        cell: &Arc<Cell<E>>,
    ) -> Result<LiveSlot<E>, Crash> {
        // Its own use must not make it the next to sleep.
        cell.used.store(true, Ordering::Relaxed);
        let live = &self.live;
        let taken = match live.take() {
            Some(count) => Some(count),
            None => {
                live.evict_one();
                let wait = poll_fn(|cx| match live.take() {
                    Some(count) => Poll::Ready(count),
                    None => {
                        live.waiting.lock().push_back(cx.waker().clone());
                        // One may have been given back between the two.
                        live.take().map_or(Poll::Pending, Poll::Ready)
                    }
                });
                within(&self.timers, WAIT_MS_MAX, wait).await
            }
        };
        let Some(count) = taken else {
            let message = format!(
                "no instance became free within {} s: all {} are in use by actors that cannot sleep; raise node.live-max or let behaviours save their state",
                WAIT_MS_MAX / 1_000,
                live.hard_max
            );
            return Err(Crash::new(CrashKind::Instantiate, message));
        };
        if count > live.max {
            live.evict_one();
        }
        Ok(LiveSlot(self.clone()))
    }
}
