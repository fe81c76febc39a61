//! What one worker has done, written by that worker alone and read by anybody.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::Instant,
};

/// A worker's own counters, on cache lines that no other worker writes to (two
/// lines, since the processor fetches them in pairs).
#[repr(align(128))]
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// The time busy so far in one word, so that a reader never sees half a change:
    /// at rest the sum in nanoseconds, doubled; while busy the sum less the moment
    /// at which it became so, doubled, plus one.
    busy: AtomicI64,
    pub runs: Counter,
    pub steals: Counter,
    pub parks: Counter,
}

/// A number that one thread counts up.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    /// One more. Only its owner calls this: no locked instruction is needed.
    pub fn count(&self) {
        self.0.store(self.get().wrapping_add(1), Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    /// The worker has something to do from now on.
    pub fn begin_busy(&self, since: Instant) {
        let sum = self.busy.load(Ordering::Relaxed) >> 1;
        let word = ((sum - nanos(since)) << 1) | 1;
        self.busy.store(word, Ordering::Relaxed);
    }

    /// The worker goes to sleep.
    pub fn end_busy(&self, since: Instant) {
        let less = self.busy.load(Ordering::Relaxed) >> 1;
        self.busy
            .store((less + nanos(since)) << 1, Ordering::Relaxed);
    }

    /// Time busy up to now, in nanoseconds.
    pub fn busy_ns(&self, since: Instant) -> u64 {
        let word = self.busy.load(Ordering::Relaxed);
        let running = if word & 1 == 1 { nanos(since) } else { 0 };
        ((word >> 1) + running).try_into().unwrap_or(0)
    }
}

/// Nanoseconds since the workers' start.
fn nanos(since: Instant) -> i64 {
    i64::try_from(since.elapsed().as_nanos()).unwrap_or(i64::MAX >> 2)
}

#[cfg(test)]
mod tests {
    use super::Counters;
    use std::time::{Duration, Instant};

    #[test]
    fn only_the_time_between_wake_up_and_sleep_counts() {
        let (start, counters) = (Instant::now(), Counters::default());
        assert_eq!(counters.busy_ns(start), 0);
        counters.begin_busy(start);
        std::thread::sleep(Duration::from_millis(2));
        let seen = counters.busy_ns(start);
        counters.end_busy(start);
        let slept = counters.busy_ns(start);
        assert!(seen >= 2_000_000 && slept >= seen);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(counters.busy_ns(start), slept);
    }
}
