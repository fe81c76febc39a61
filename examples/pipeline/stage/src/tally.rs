//! Means of so many readings.

use actorhost_sdk::Schema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The readings of each sensor since its last mean.
#[derive(Debug, Serialize, Deserialize, Schema)]
pub struct Tally {
    window: u32,
    open: BTreeMap<String, Open>,
}

#[derive(Debug, Default, Serialize, Deserialize, Schema)]
struct Open {
    count: u32,
    sum: f64,
}

impl Tally {
    /// Nothing read yet. A window of 0 is taken as 1.
    pub fn new(window: u32) -> Self {
        Self {
            window: window.max(1),
            open: BTreeMap::new(),
        }
    }

    /// Adds a reading; the mean when its window is full.
    pub fn add(&mut self, sensor: &str, value: f64) -> Option<f64> {
        let open = self.open.entry(sensor.to_owned()).or_default();
        open.count += 1;
        open.sum += value;
        if open.count < self.window {
            return None;
        }
        let full = self.open.remove(sensor)?;
        Some(full.sum / f64::from(full.count))
    }
}
