//! Between two lives: the wait for a delayed restart, and the pause of an actor
//! that a sibling's restart takes along.

use super::{Cell, Latch, Life, Phase, Saved, System, life::Goodbye};
use crate::{
    Engine, ExitReason,
    mailbox::Next,
    policy::backoff::{Attempts, fraction},
};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
};

/// How an actor came to pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paused {
    /// It let go, or is gone.
    InTime,
    /// Its hook was abandoned.
    Abandoned,
}

/// Says that an actor has paused, or is gone, when it is dropped.
pub(crate) struct Pause {
    told: Arc<Latch<Paused>>,
    how: Paused,
}

impl Pause {
    pub fn new(told: Arc<Latch<Paused>>) -> Self {
        Self {
            told,
            how: Paused::InTime,
        }
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        self.told.set(self.how);
    }
}

/// An operator's wish for a fresh life. Either the actor begins with it at the end of a
/// turn, or whoever waits for it takes it back to end the life by force: never both,
/// or one wish would end two lives.
#[derive(Clone, Default)]
pub(crate) struct Renewal(Arc<AtomicBool>);

impl Renewal {
    /// True for the first to ask.
    pub fn begin(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

/// A restart that is granted and waits for its moment.
pub(crate) struct Delay<E: Engine> {
    pub good: Option<Saved<E>>,
    pub resume: bool,
    pub after_ms: u64,
    pub until_ms: u64,
}

/// Says for as long as it exists that an actor waits for its next life.
struct Delayed<'a>(&'a AtomicBool);

impl Drop for Delayed<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl<E: Engine> Cell<E> {
    /// How long it waits before its next life, in milliseconds. Counts as an attempt.
    pub fn restart_delay_ms(&self) -> u64 {
        let Some(backoff) = &self.spec.backoff else {
            return 0;
        };
        let now_ms = self.node.clock.now_ms();
        let restarts = self.figures.restarts.load(Ordering::Relaxed);
        let random = fraction(self.id.0 ^ restarts.rotate_left(32) ^ now_ms.rotate_left(48));
        let attempts: &mut Attempts = &mut self.keep.lock().attempts;
        attempts.next_delay_ms(backoff, now_ms, random)
    }

    /// Waits for the moment of a delayed restart. Whatever the system lane brings
    /// first is returned instead; user messages wait in the mailbox.
    pub(super) async fn wait_for_restart(&self, until_ms: u64) -> Option<System<E>> {
        self.delayed.store(true, Ordering::Relaxed);
        let _delayed = Delayed(&self.delayed);
        let left_ms = until_ms.saturating_sub(self.node.clock.now_ms());
        let mut sleep = pin!(self.node.timers.sleep(left_ms));
        poll_fn(|cx| match self.mailbox.next(false) {
            Next::System(message) => Poll::Ready(Some(message)),
            _ => sleep.as_mut().poll(cx).map(|()| None),
        })
        .await
    }

    /// Ends the running life at its supervisor's wish. Its mailbox, name and watchers
    /// stay; no decision is asked for, since another life is on its way.
    pub(super) async fn pause(self: &Arc<Self>, life: Life<E>, mut pause: Pause) -> Life<E> {
        let paused = match life {
            Life::Unborn | Life::Ended => return life,
            // It is on its way to its end already.
            life if self.mailbox.closed().is_some() => {
                self.end_orderly(life, ExitReason::Shutdown).await
            }
            life => {
                if let Goodbye::Abandoned = self.say_goodbye(life, &ExitReason::Shutdown).await {
                    pause.how = Paused::Abandoned;
                }
                self.rest_between_lives(&ExitReason::Shutdown).await
            }
        };
        drop(pause);
        paused
    }

    /// Between two lives without asking anybody for the next.
    pub(super) async fn rest_between_lives(self: &Arc<Self>, reason: &ExitReason) -> Life<E> {
        self.node.flush_log_gate(self);
        self.end_belongings(reason);
        self.set_phase(Phase::Between);
        self.figures.memory.store(0, Ordering::Relaxed);
        self.leave_children().await;
        Life::Between(None)
    }
}
