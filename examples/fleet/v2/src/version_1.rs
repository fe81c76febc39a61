//! The state as the first version saves it.

use serde::Deserialize;

/// One aircraft of state version 1: the same figures, without the streaks.
#[derive(Deserialize)]
pub struct Aircraft {
    flights: u32,
    cancelled: u32,
    arrived: u32,
    delay_sum: i64,
    worst: Option<i32>,
    alerts: u32,
    recent: Vec<i32>,
}

impl From<Aircraft> for super::Aircraft {
    /// The streaks start empty: the flights before are not known one by one.
    fn from(old: Aircraft) -> Self {
        Self {
            flights: old.flights,
            cancelled: old.cancelled,
            arrived: old.arrived,
            delay_sum: old.delay_sum,
            worst: old.worst,
            alerts: old.alerts,
            recent: old.recent,
            late_streak: 0,
            longest_late_streak: 0,
        }
    }
}
