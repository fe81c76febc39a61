//! Moving all live actors of a behaviour to another module version.
//!
//! Each actor gets a `Ticket` in its system lane and moves between two turns. A
//! ticket always reports: dropped unused, its actor has ended meanwhile.

use crate::{Engine, node::Version};
use parking_lot::Mutex;
use std::{
    future::poll_fn,
    sync::Arc,
    task::{Poll, Waker},
};

/// What became of a roll-out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SwapOutcome {
    /// Actors that run the new version now.
    pub swapped: u64,
    /// Actors without an instance, which take it up when they next get one.
    pub deferred: u64,
    /// Path and cause of each that stays on its old version.
    pub failed: Vec<(Arc<str>, String)>,
    /// Actors that ended meanwhile.
    pub gone: u64,
}

#[derive(Default)]
struct Progress {
    outcome: SwapOutcome,
    pending: u64,
    waker: Option<Waker>,
}

/// One roll-out.
pub(crate) struct RollOut<E: Engine> {
    version: Arc<Version<E>>,
    progress: Mutex<Progress>,
}

impl<E: Engine> RollOut<E> {
    pub fn new(version: Arc<Version<E>>) -> Arc<Self> {
        Arc::new(Self {
            version,
            progress: Mutex::default(),
        })
    }

    pub fn ticket(self: &Arc<Self>) -> Ticket<E> {
        self.progress.lock().pending += 1;
        Ticket(Some(self.clone()))
    }

    /// Waits until every ticket has reported.
    pub async fn done(&self) {
        poll_fn(|cx| {
            let mut progress = self.progress.lock();
            if progress.pending == 0 {
                return Poll::Ready(());
            }
            progress.waker = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// What has been reported so far, and how many tickets are still out.
    pub fn outcome(&self) -> (SwapOutcome, u64) {
        let progress = self.progress.lock();
        (progress.outcome.clone(), progress.pending)
    }

    fn report(&self, change: impl FnOnce(&mut SwapOutcome)) {
        let mut progress = self.progress.lock();
        change(&mut progress.outcome);
        progress.pending -= 1;
        let waker = if progress.pending == 0 {
            progress.waker.take()
        } else {
            None
        };
        drop(progress);
        waker.into_iter().for_each(Waker::wake);
    }
}

/// One actor's part in a roll-out.
pub(crate) struct Ticket<E: Engine>(Option<Arc<RollOut<E>>>);

impl<E: Engine> Ticket<E> {
    pub fn version(&self) -> &Arc<Version<E>> {
        &self.0.as_ref().expect("a ticket is used once").version
    }

    pub fn swapped(mut self) {
        self.report(|outcome| outcome.swapped += 1);
    }

    pub fn deferred(mut self) {
        self.report(|outcome| outcome.deferred += 1);
    }

    pub fn failed(mut self, path: &Arc<str>, cause: String) {
        self.report(|outcome| outcome.failed.push((path.clone(), cause)));
    }

    fn report(&mut self, change: impl FnOnce(&mut SwapOutcome)) {
        if let Some(roll_out) = self.0.take() {
            roll_out.report(change);
        }
    }
}

impl<E: Engine> Drop for Ticket<E> {
    fn drop(&mut self) {
        self.report(|outcome| outcome.gone += 1);
    }
}
