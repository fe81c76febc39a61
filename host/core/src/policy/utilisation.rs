//! How busy the threads of a dispatcher were of late.

/// Shortest time that a share is taken over, in nanoseconds: two lookers that come
/// right after each other read the same stretch, not a sliver of it. By feel.
const WINDOW_NS_MIN: u64 = 1_000_000_000;

/// What the threads had done at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Time since their start, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time that they were busy since then, summed over all, in nanoseconds.
    pub busy_ns: u64,
}

/// The moments of earlier looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Window {
    last: Mark,
    before_last: Mark,
}

impl Window {
    /// The share of their time that `threads` threads were busy, from 0 to 1: since
    /// the last look, or since the one before when the last is less than a second
    /// ago; the first look goes back to the start.
    pub fn look(&mut self, now: Mark, threads: usize) -> f64 {
        if now.elapsed_ns.saturating_sub(self.last.elapsed_ns) >= WINDOW_NS_MIN {
            (self.before_last, self.last) = (self.last, now);
        }
        share(self.before_last, now, threads)
    }
}

fn share(from: Mark, to: Mark, threads: usize) -> f64 {
    let passed = to.elapsed_ns.saturating_sub(from.elapsed_ns) as f64 * threads.max(1) as f64;
    let busy = to.busy_ns.saturating_sub(from.busy_ns) as f64;
    // Two clock reads are never at one moment: a little more than all is all.
    if passed > 0.0 {
        (busy / passed).min(1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, Window};
    use proptest::prelude::*;

    fn at(elapsed_ms: u64, busy_ms: u64) -> Mark {
        Mark {
            elapsed_ns: elapsed_ms * 1_000_000,
            busy_ns: busy_ms * 1_000_000,
        }
    }

    #[test]
    fn a_look_speaks_of_the_time_since_the_last() {
        let mut window = Window::default();
        assert_eq!(window.look(at(2_000, 4_000), 2), 1.0);
        assert_eq!(window.look(at(4_000, 4_000), 2), 0.0);
        assert_eq!(window.look(at(6_000, 6_000), 2), 0.5);
    }

    #[test]
    fn a_second_looker_reads_the_same_stretch() {
        let mut window = Window::default();
        window.look(at(10_000, 0), 1);
        assert_eq!(window.look(at(12_000, 1_000), 1), 0.5);
        assert_eq!(window.look(at(12_000, 1_000), 1), 0.5);
    }

    proptest! {
        #[test]
        fn it_is_a_share_whatever_is_seen(
            steps in proptest::collection::vec((0_u64..5_000, 0_u64..20_000), 1..20),
            threads in 0_usize..4,
        ) {
            let (mut window, mut now) = (Window::default(), Mark::default());
            for (elapsed_ms, busy_ms) in steps {
                let step = at(elapsed_ms, busy_ms);
                now.elapsed_ns += step.elapsed_ns;
                now.busy_ns += step.busy_ns;
                let share = window.look(now, threads);
                prop_assert!((0.0..=1.0).contains(&share), "{share}");
            }
        }
    }
}
