//! A seeded scheduler and a virtual clock: the whole machine on one thread, in an
//! order that the seed chooses and that replays.

use crate::{
    Clock,
    dispatcher::{BLOCKING, Dispatcher, Dispatchers, Lane, Load, Runnable},
    timers::Timers,
};
use parking_lot::Mutex;
use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// A clock that stands still until it is told otherwise.
#[derive(Debug, Default)]
pub struct VirtualClock(AtomicU64);

impl VirtualClock {
    /// Sets the time; never back.
    pub fn advance_to(&self, now_ms: u64) {
        self.0.fetch_max(now_ms, Ordering::SeqCst);
    }
}

impl Clock for VirtualClock {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn wall_ms(&self) -> u64 {
        self.now_ms()
    }
}

/// What is ready, run in an order that the seed chooses.
#[derive(Default)]
pub struct SimDispatcher {
    ready: Mutex<Vec<Arc<dyn Runnable>>>,
    held: AtomicBool,
    runs: AtomicU64,
}

impl SimDispatcher {
    /// From now on nothing of it runs, as when all its threads are busy with
    /// something that takes for ever; or again it does.
    pub fn hold(&self, held: bool) {
        self.held.store(held, Ordering::SeqCst);
    }

    /// How many things it could run now.
    fn choices(&self) -> usize {
        if self.held.load(Ordering::SeqCst) {
            0
        } else {
            self.ready.lock().len()
        }
    }

    fn run(&self, index: usize) {
        let item = self.ready.lock().swap_remove(index);
        self.runs.fetch_add(1, Ordering::SeqCst);
        if let Some(lane) = item.clone().run() {
            self.push(item, lane);
        }
    }
}

impl Dispatcher for SimDispatcher {
    fn push(&self, item: Arc<dyn Runnable>, _: Lane) {
        self.ready.lock().push(item);
    }

    fn load(&self) -> Load {
        Load {
            threads: 1,
            queued: self.ready.lock().len() as u64,
            runs: self.runs.load(Ordering::SeqCst),
            ..Load::default()
        }
    }
}

/// One simulated world.
pub struct Sim {
    /// Its clock.
    pub clock: Arc<VirtualClock>,
    /// Its deadlines.
    pub timers: Arc<Timers>,
    /// Its scheduler.
    pub dispatcher: Arc<SimDispatcher>,
    /// A second one, under the name `blocking`.
    pub blocking: Arc<SimDispatcher>,
    random: fastrand::Rng,
}

impl Sim {
    /// A world at time 0.
    pub fn new(seed: u64) -> Self {
        let clock = Arc::new(VirtualClock::default());
        Self {
            timers: Timers::new(clock.clone()),
            clock,
            dispatcher: Arc::default(),
            blocking: Arc::default(),
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// Its dispatchers, for a node's configuration.
    pub fn dispatchers(&self) -> Dispatchers {
        let blocking = (Arc::from(BLOCKING), self.blocking.clone() as _);
        Dispatchers::several(self.dispatcher.clone(), [blocking])
    }

    /// The source of chance, for tests that must replay with the same seed.
    pub fn random(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }

    /// What time it is, in milliseconds.
    pub fn clock_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Runs one ready thing; false when there is none.
    pub fn step(&mut self) -> bool {
        let (here, there) = (self.dispatcher.choices(), self.blocking.choices());
        if here + there == 0 {
            return false;
        }
        match self.random.usize(..here + there) {
            index if index < here => self.dispatcher.run(index),
            index => self.blocking.run(index - here),
        }
        true
    }

    /// Runs until nothing is ready, without letting time pass.
    pub fn settle(&mut self) {
        while self.step() {}
    }

    /// Lets time pass up to `until_ms`, deadline by deadline.
    pub fn run_until(&mut self, until_ms: u64) {
        loop {
            self.settle();
            match self.timers.next_deadline_ms() {
                Some(at) if at <= until_ms => self.pass_to(at),
                _ => break,
            }
        }
        self.pass_to(until_ms);
        self.settle();
    }

    fn pass_to(&self, at_ms: u64) {
        self.clock.advance_to(at_ms);
        self.timers.fire();
    }

    /// Runs the world until `future` is ready, letting time pass when nothing else
    /// can happen.
    ///
    /// # Panics
    /// When nothing is left that could make it ready.
    pub fn block_on<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        let mut cx = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
                return output;
            }
            if self.step() {
                continue;
            }
            // The poll above may have asked for a deadline.
            let next = self.timers.next_deadline_ms();
            self.pass_to(next.expect("the world stands still and the future is not ready"));
        }
    }
}
