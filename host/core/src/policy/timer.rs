//! When a periodic timer is due: at the first moment and whole periods after it,
//! however late the ticks before were seen (no drift, as `timer:send_interval` in
//! OTP).

/// How many ticks of a timer were due until `now_ms`, this moment included.
pub fn ticks_due(first_ms: u64, every_ms: u64, now_ms: u64) -> u64 {
    match now_ms.checked_sub(first_ms) {
        Some(since_ms) => since_ms / every_ms.max(1) + 1,
        None => 0,
    }
}

/// When tick number `tick`, counted from 0, is due.
pub fn due_ms(first_ms: u64, every_ms: u64, tick: u64) -> u64 {
    first_ms.saturating_add(every_ms.saturating_mul(tick))
}

#[cfg(test)]
mod tests {
    use super::{due_ms, ticks_due};
    use proptest::prelude::*;

    proptest! {
        /// The next tick is the first whole period after now, at no more than a
        /// period's distance.
        #[test]
        fn the_next_tick_is_on_the_grid(
            first_ms in 0u64..1_000_000,
            every_ms in 1u64..10_000,
            late_ms in 0u64..1_000_000,
        ) {
            prop_assert_eq!(ticks_due(first_ms + 1, every_ms, first_ms), 0);
            let now_ms = first_ms + late_ms;
            let due = ticks_due(first_ms, every_ms, now_ms);
            let next_ms = due_ms(first_ms, every_ms, due);
            prop_assert!(next_ms > now_ms && next_ms <= now_ms + every_ms);
            prop_assert!(due_ms(first_ms, every_ms, due - 1) <= now_ms);
            prop_assert_eq!((next_ms - first_ms) % every_ms, 0);
        }
    }
}
