//! What a feed did.

use actorhost_wire::api::FeedRejection;
use serde::Serialize;
use std::{collections::BTreeMap, time::Duration};

/// How many rejected rows a summary shows.
pub const REJECTIONS_SHOWN: usize = 10;

/// What a feed did, so far or in all.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FeedSummary {
    /// Rows read.
    pub rows: u64,
    /// Rows that are in their actors' mailboxes, or were handled already.
    pub accepted: u64,
    /// Rows that are not.
    pub rejected: u64,
    /// The same by reason, such as `no-key`.
    pub rejected_by_reason: BTreeMap<String, u64>,
    /// The first of them.
    pub rejections: Vec<FeedRejection>,
    /// Actors that were spawned for a key.
    pub spawned: u64,
    /// Bytes of the input that were read.
    pub bytes_read: u64,
    /// Time taken, in milliseconds.
    pub elapsed_ms: u64,
    /// Rows read in a second.
    pub rows_per_second: f64,
}

impl FeedSummary {
    pub(super) fn add_batch(&mut self, rows: u64, bytes_read: u64, rejected: Vec<FeedRejection>) {
        self.rows += rows;
        self.bytes_read = bytes_read;
        for rejection in rejected {
            self.rejected += 1;
            let reason = rejection.code.clone();
            *self.rejected_by_reason.entry(reason).or_default() += 1;
            if self.rejections.len() < REJECTIONS_SHOWN {
                self.rejections.push(rejection);
            }
        }
    }

    pub(super) fn timed(&mut self, elapsed: Duration) {
        self.elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let seconds = elapsed.as_secs_f64();
        self.rows_per_second = if seconds > 0.0 {
            self.rows as f64 / seconds
        } else {
            0.0
        };
    }
}
