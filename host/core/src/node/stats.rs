//! Counters since the start of the node.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub(crate) struct Stats {
    crashes: AtomicU64,
    restarts: AtomicU64,
    full: AtomicU64,
    too_large: AtomicU64,
    ask_timeouts: AtomicU64,
    rings_broken: AtomicU64,
    ticks_missed: AtomicU64,
    ticks_thrown_away: AtomicU64,
    /// Messages handled by actors that have ended.
    handled_by_ended: AtomicU64,
}

/// Counters since the start of the node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Living actors, asleep or awake.
    pub actors: u64,
    /// Actors that hold an instance.
    pub live: u64,
    /// Instances above which idle actors are put to sleep.
    pub live_max: u64,
    /// Actors whose state is kept as bytes.
    pub hibernated: u64,
    /// User messages handled.
    pub handled: u64,
    /// Lives that crashed.
    pub crashes: u64,
    /// Lives begun after another.
    pub restarts: u64,
    /// Messages refused because a mailbox was full.
    pub refused_full: u64,
    /// Messages refused because of their size.
    pub refused_too_large: u64,
    /// Questions that actors keep open to answer them later, as long as their askers
    /// wait.
    pub questions_open: u64,
    /// Messages refused because the node's budget of queued bytes was used up.
    pub refused_overloaded: u64,
    /// Messages that a full mailbox dropped, by its policy: new ones.
    pub dropped_newest: u64,
    /// The same: old ones.
    pub dropped_oldest: u64,
    /// Bytes of that budget in use.
    pub mailbox_bytes: u64,
    /// The budget, in bytes.
    pub mailbox_bytes_max: u64,
    /// Asks by actors that have no answer yet, also those whose replies come as
    /// messages.
    pub asks_under_way: u64,
    /// Timers that are set.
    pub timers: u64,
    /// Asks whose time ran out.
    pub ask_timeouts: u64,
    /// Rings of actors that waited for each other.
    pub deadlocks: u64,
    /// Ticks of periodic timers left out because the one before still waited.
    pub ticks_missed: u64,
    /// Messages of timers that were gone when their turn came.
    pub ticks_thrown_away: u64,
}

impl Stats {
    pub fn crashed(&self) {
        self.crashes.fetch_add(1, Ordering::Relaxed);
    }

    pub fn restarted(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
    }

    pub fn refused_full(&self) {
        self.full.fetch_add(1, Ordering::Relaxed);
    }

    pub fn too_large(&self) {
        self.too_large.fetch_add(1, Ordering::Relaxed);
    }

    pub fn ask_timed_out(&self) {
        self.ask_timeouts.fetch_add(1, Ordering::Relaxed);
    }

    pub fn ring_broken(&self) {
        self.rings_broken.fetch_add(1, Ordering::Relaxed);
    }

    pub fn ticks_missed(&self, count: u64) {
        self.ticks_missed.fetch_add(count, Ordering::Relaxed);
    }

    pub fn tick_thrown_away(&self) {
        self.ticks_thrown_away.fetch_add(1, Ordering::Relaxed);
    }

    pub fn add_handled(&self, count: u64) {
        self.handled_by_ended.fetch_add(count, Ordering::Relaxed);
    }

    /// The counters alone; what only the actors know is added by the caller.
    pub fn totals(&self) -> Totals {
        Totals {
            handled: self.handled_by_ended.load(Ordering::Relaxed),
            crashes: self.crashes.load(Ordering::Relaxed),
            restarts: self.restarts.load(Ordering::Relaxed),
            refused_full: self.full.load(Ordering::Relaxed),
            refused_too_large: self.too_large.load(Ordering::Relaxed),
            ask_timeouts: self.ask_timeouts.load(Ordering::Relaxed),
            deadlocks: self.rings_broken.load(Ordering::Relaxed),
            ticks_missed: self.ticks_missed.load(Ordering::Relaxed),
            ticks_thrown_away: self.ticks_thrown_away.load(Ordering::Relaxed),
            ..Totals::default()
        }
    }
}
