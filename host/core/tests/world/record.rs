//! What a world remembers of what happened in it.

use super::trace::{Step, Trace};
use actorhost_core::{
    ActorId, Clock,
    observe::{Event, Observer},
};
use parking_lot::Mutex;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// What happened, in the order in which it happened.
#[derive(Debug, Default)]
pub struct Record {
    /// Accepted sends: sender, target, number.
    pub sent: Vec<(u64, u64, u64)>,
    /// Handled messages: sender, target, number.
    pub taken: Vec<(u64, u64, u64)>,
    pub log: Vec<String>,
    /// How many of the next `init`s under a path fail.
    pub failing: HashMap<String, u32>,
    /// How long a `stopping` hook takes, in milliseconds; its end is then logged too.
    pub stop_ms: u64,
    /// Whether hogs give their threads back.
    pub free: bool,
    /// Ends that watchers heard of: watcher, watched, reason.
    pub downs: Vec<(u64, u64, String)>,
    /// Actors of which a life handles something now.
    pub busy: HashSet<u64>,
    /// Items that brought the stash back and went into it.
    pub put_aside: HashSet<u64>,
    /// Times that two lives of one actor handled something at once.
    pub overlaps: u64,
}

/// One life handles something.
pub(super) struct Busy {
    record: Arc<Mutex<Record>>,
    who: u64,
}

impl Busy {
    pub(super) fn new(record: &Arc<Mutex<Record>>, who: u64) -> Self {
        let mut held = record.lock();
        if !held.busy.insert(who) {
            held.overlaps += 1;
        }
        drop(held);
        let record = record.clone();
        Self { record, who }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.record.lock().busy.remove(&self.who);
    }
}

/// Collects events.
#[derive(Default)]
pub struct Events(pub Mutex<Vec<Event>>, pub Restarts);

/// When which actor was restarted.
#[derive(Default)]
pub struct Restarts {
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) trace: Option<Arc<Trace>>,
    pub at_ms: Mutex<Vec<(ActorId, u64)>>,
}

impl Observer for Events {
    fn event(&self, event: Event) {
        if let (Event::Restarted { subject, .. }, Some(clock)) = (&event, &self.1.clock) {
            self.1.at_ms.lock().push((subject.id, clock.now_ms()));
        }
        if let Some(trace) = &self.1.trace {
            trace.add(Step::Told(event.clone()));
        }
        self.0.lock().push(event);
    }
}
