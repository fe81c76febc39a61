//! Instances as a bounded resource.
//!
//! Above `max` the least recently used idle actor is asked to sleep; above
//! `hard_max` a newcomer waits for an instance to be given back, and whoever becomes
//! idle meanwhile gives its own back. Recency is a bit
//! per actor and a ring that is swept (the clock algorithm), so that the message
//! path pays one store.

use super::ring::Ring;
use crate::{
    Crash, CrashKind, Engine,
    actor::{Cell, Phase, System},
    node::NodeInner,
    timers::within,
};
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// How long a newcomer waits for an instance before its start fails.
const WAIT_MS_MAX: u64 = 10_000;

pub(crate) struct Live<E: Engine> {
    places: Mutex<Places>,
    max: usize,
    hard_max: usize,
    ring: Mutex<Ring<Cell<E>>>,
    /// How many are in the line, for a look without the lock.
    in_line: AtomicUsize,
}

#[derive(Default)]
struct Places {
    taken: usize,
    /// First come, first served: a newcomer does not overtake those that wait.
    waiting: VecDeque<Arc<Mutex<Waiter>>>,
}

enum Waiter {
    Waiting(Option<Waker>),
    /// A place was handed over.
    Granted,
    GaveUp,
}

/// One instance's place. Dropped, it is handed to whoever waits longest.
pub(crate) struct LiveSlot<E: Engine>(Arc<NodeInner<E>>);

impl<E: Engine> Drop for LiveSlot<E> {
    fn drop(&mut self) {
        let mut places = self.0.live.places.lock();
        while let Some(waiter) = places.waiting.pop_front() {
            self.0.live.in_line.fetch_sub(1, Ordering::AcqRel);
            let mut waiter = waiter.lock();
            if let Waiter::Waiting(waker) = &mut *waiter {
                let waker = waker.take();
                *waiter = Waiter::Granted;
                drop(waiter);
                drop(places);
                waker.into_iter().for_each(Waker::wake);
                return;
            }
        }
        places.taken -= 1;
    }
}

/// A newcomer in the line.
struct Wait<E: Engine> {
    waiter: Arc<Mutex<Waiter>>,
    node: Arc<NodeInner<E>>,
}

impl<E: Engine> Future for Wait<E> {
    type Output = LiveSlot<E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<LiveSlot<E>> {
        let mut waiter = self.waiter.lock();
        match &mut *waiter {
            Waiter::Granted => {
                *waiter = Waiter::GaveUp;
                Poll::Ready(LiveSlot(self.node.clone()))
            }
            Waiter::Waiting(waker) => {
                *waker = Some(cx.waker().clone());
                Poll::Pending
            }
            Waiter::GaveUp => unreachable!("a wait is not polled after its end"),
        }
    }
}

impl<E: Engine> Drop for Wait<E> {
    fn drop(&mut self) {
        let was = std::mem::replace(&mut *self.waiter.lock(), Waiter::GaveUp);
        if matches!(was, Waiter::Granted) {
            // Handed over and never taken up: on to the next.
            drop(LiveSlot(self.node.clone()));
        }
    }
}

impl<E: Engine> Live<E> {
    pub fn new(max: usize, hard_max: usize) -> Self {
        Self {
            places: Mutex::default(),
            max: max.max(1),
            hard_max: hard_max.max(2),
            ring: Mutex::default(),
            in_line: AtomicUsize::new(0),
        }
    }

    pub fn count(&self) -> usize {
        self.places.lock().taken
    }

    pub fn max(&self) -> usize {
        self.max
    }

    /// Whether somebody waits for an instance.
    pub fn is_crowded(&self) -> bool {
        self.in_line.load(Ordering::Acquire) > 0
    }

    /// Puts a live actor into the ring of those that may be put to sleep.
    pub fn enlist(&self, cell: &Arc<Cell<E>>) {
        if !cell.in_ring.swap(true, Ordering::AcqRel) {
            self.ring.lock().push(cell);
        }
    }

    /// How many are taken with this one, or a place in the line.
    fn take(&self) -> Result<usize, Arc<Mutex<Waiter>>> {
        let mut places = self.places.lock();
        if places.taken < self.hard_max && places.waiting.is_empty() {
            places.taken += 1;
            return Ok(places.taken);
        }
        let waiter = Arc::new(Mutex::new(Waiter::Waiting(None)));
        places.waiting.push_back(waiter.clone());
        self.in_line.fetch_add(1, Ordering::AcqRel);
        Err(waiter)
    }

    /// Asks the least recently used idle actor to sleep. Two rounds of the ring at
    /// most: the first may only take the marks of recent use away.
    fn evict_one(&self) {
        let rounds = 2 * self.ring.lock().len();
        for _ in 0..rounds {
            let Some(candidate) = self.ring.lock().pop() else {
                return;
            };
            let Some(cell) = candidate.upgrade() else {
                continue;
            };
            if cell.phase() != Phase::Awake || !cell.may_hibernate() {
                cell.in_ring.store(false, Ordering::Release);
            } else if cell.used.swap(false, Ordering::Relaxed) {
                self.ring.lock().push(&cell);
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
        let waiter = match live.take() {
            Ok(taken) => {
                if taken > live.max {
                    live.evict_one();
                }
                return Ok(LiveSlot(self.clone()));
            }
            Err(waiter) => waiter,
        };
        live.evict_one();
        let wait = Wait {
            waiter,
            node: self.clone(),
        };
        within(&self.timers, WAIT_MS_MAX, wait).await.ok_or_else(|| {
            let message = format!(
                "no instance became free within {} s: all {} are in use by actors that cannot sleep; raise node.live-max or let behaviours save their state",
                WAIT_MS_MAX / 1_000,
                live.hard_max
            );
            Crash::new(CrashKind::Instantiate, message)
        })
    }
}
