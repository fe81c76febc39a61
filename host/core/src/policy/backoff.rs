//! How long a child waits between two lives (Akka's backoff supervisor).

use crate::spec::Backoff;

/// Restarts since the last quiet period, and when the running life began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attempts {
    count: u32,
    begun_ms: u64,
}

impl Attempts {
    /// A life begins, or at least tries to: a failed start is a short life.
    pub fn began(&mut self, now_ms: u64) {
        self.begun_ms = now_ms;
    }

    /// The delay before the next life, in milliseconds. `random` is from 0 to 1.
    pub fn next_delay_ms(&mut self, backoff: &Backoff, now_ms: u64, random: f64) -> u64 {
        if now_ms.saturating_sub(self.begun_ms) >= backoff.reset_ms {
            self.count = 0;
        }
        let delay_ms = delay_ms(backoff, self.count, random);
        self.count = self.count.saturating_add(1);
        delay_ms
    }
}

/// The delay before restart number `attempt` (from 0) of a series, in milliseconds:
/// `first × factor^attempt`, at most the cap, and up to the jitter's share on top.
/// `random` is from 0 to 1.
pub fn delay_ms(backoff: &Backoff, attempt: u32, random: f64) -> u64 {
    if backoff.first_ms == 0 {
        return 0;
    }
    let power = i32::try_from(attempt).unwrap_or(i32::MAX);
    let grown = backoff.first_ms as f64 * backoff.factor.max(1.0).powi(power);
    let capped = grown.min(backoff.cap_ms as f64);
    let jitter = backoff.jitter.clamp(0.0, 1.0) * random.clamp(0.0, 1.0);
    (capped * (1.0 + jitter)).round() as u64
}

/// A number from 0 to 1 that differs between seeds as if by chance (splitmix64), so
/// that the machine replays under the simulator.
pub fn fraction(seed: u64) -> f64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BACKOFF: Backoff = Backoff {
        first_ms: 100,
        factor: 2.0,
        cap_ms: 1_000,
        jitter: 0.0,
        reset_ms: 10_000,
    };

    #[test]
    fn delays_grow_by_the_factor_to_the_cap() {
        let delays: Vec<_> = (0..6).map(|n| delay_ms(&BACKOFF, n, 0.5)).collect();
        assert_eq!(delays, [100, 200, 400, 800, 1_000, 1_000]);
        assert_eq!(delay_ms(&BACKOFF, u32::MAX, 1.0), 1_000);
        let never = Backoff {
            first_ms: 0,
            ..BACKOFF
        };
        assert_eq!(delay_ms(&never, u32::MAX, 1.0), 0);
    }

    #[test]
    fn a_quiet_period_begins_them_anew() {
        let mut attempts = Attempts::default();
        attempts.began(0);
        assert_eq!(attempts.next_delay_ms(&BACKOFF, 50, 0.0), 100);
        attempts.began(150);
        assert_eq!(attempts.next_delay_ms(&BACKOFF, 10_149, 0.0), 200);
        attempts.began(11_000);
        assert_eq!(attempts.next_delay_ms(&BACKOFF, 21_000, 0.0), 100);
    }

    proptest! {
        /// A delay is never below its base nor above base × (1 + jitter), and the
        /// bases never shrink along a series.
        #[test]
        fn jitter_stays_within_its_share(
            first_ms in 0u64..10_000, factor in 1.0f64..10.0, cap_ms in 1u64..100_000,
            jitter in 0.0f64..=1.0, attempt in 0u32..100, seed in any::<u64>(),
        ) {
            let backoff = Backoff { first_ms, factor, cap_ms, jitter, reset_ms: 1 };
            let random = fraction(seed);
            prop_assert!((0.0..=1.0).contains(&random));
            let base = delay_ms(&backoff, attempt, 0.0);
            let delay = delay_ms(&backoff, attempt, random);
            prop_assert!(base <= cap_ms);
            prop_assert!(base <= delay);
            prop_assert!(delay as f64 <= base as f64 * (1.0 + jitter) + 2.0);
            prop_assert!(base <= delay_ms(&backoff, attempt + 1, 0.0));
        }
    }
}
