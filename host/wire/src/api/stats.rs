//! `GET /v1/stats`

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `GET /v1/stats`: what the node has done since its start, and what it holds now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeStats {
    /// Time since the start, in milliseconds.
    pub uptime_ms: u64,
    /// Living actors, asleep or awake.
    pub actors: u64,
    /// Actors that hold an instance now.
    pub live: u64,
    /// Instances above which idle actors are put to sleep.
    pub live_max: u64,
    /// Actors whose state is kept as bytes.
    pub asleep: u64,
    /// User messages handled.
    pub handled: u64,
    /// Lives that crashed.
    pub crashes: u64,
    /// Lives begun after another.
    pub restarts: u64,
    /// Messages refused to their senders, by cause: `full`, `too-large`,
    /// `overloaded`. Causes that did not occur are left out.
    pub refused_by_cause: BTreeMap<String, u64>,
    /// Dead letters, also those no longer kept.
    pub dead_letters: u64,
    /// Dead letters by reason. Reasons that did not occur are left out.
    pub dead_letters_by_reason: BTreeMap<String, u64>,
    /// Bytes of messages that wait in mailboxes.
    pub mailbox_bytes: u64,
    /// Most that may wait.
    pub mailbox_bytes_max: u64,
    /// Questions that actors keep open to answer them later.
    pub questions_open: u64,
    /// Each dispatcher, `default` first.
    pub dispatchers: Vec<DispatcherStats>,
}

/// One dispatcher of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DispatcherStats {
    /// Its name.
    pub name: String,
    /// Its threads.
    pub threads: u64,
    /// Share of the threads' time, from 0 to 1, in which they ran actors or looked for
    /// one to run: since the last look, or since the one before when the last is less
    /// than a second ago; the first look goes back to the start.
    pub utilisation: f64,
    /// That time since the start, summed over the threads, in milliseconds.
    pub busy_ms: u64,
    /// Actors that are ready and wait for a thread now.
    pub queued: u64,
    /// Times that an actor was run, each for one message or many.
    pub runs: u64,
    /// Times that a thread took a ready actor from another's queue.
    pub steals: u64,
    /// Times that a thread found nothing to do and went to sleep.
    pub parks: u64,
}
