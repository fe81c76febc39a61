//! The timers of one life (OTP's `erlang:send_after`, Akka's `TimerScheduler` with
//! keys). A timer sends the actor an ordinary message when it is due.
//!
//! What a turn sets or cancels is held until it succeeds, and seen by the turn
//! itself at once. A message that waits in the mailbox carries its timer's [`Tick`]:
//! when its turn comes and that timer is gone (cancelled, replaced, of an earlier
//! life), it is thrown away. As long as a tick is in the mailbox, its timer sends no
//! other.
//!
//! The bytes of a message count towards the node's budget from the moment its timer
//! is set: a tick holds them, and so does its message while it waits.

use super::Cell;
use crate::{
    Engine, SendError,
    mailbox::{Letter, Share},
    policy::timer::{due_ms, ticks_due},
    timers::Sleep,
};
use bytes::Bytes;
use rustc_hash::FxHashMap;
use std::{
    sync::{Arc, Weak},
    task::{Wake, Waker},
};

/// Marks the message of a timer. The timer holds one, its waiting message another.
#[derive(Debug)]
pub struct Tick {
    timer: u64,
    /// The message's bytes of the node's budget; held, and never looked at.
    _bytes: Share,
}

/// All timers of one life.
#[derive(Default)]
pub(crate) struct OwnTimers {
    all: FxHashMap<u64, Timer>,
    by_key: FxHashMap<Arc<str>, u64>,
    /// Those that the running turn has not ended.
    count: usize,
}

struct Timer {
    tick: Arc<Tick>,
    key: Option<Arc<str>>,
    message: Bytes,
    after_ms: u64,
    every_ms: Option<u64>,
    /// When it is due first; none until the turn that set it has succeeded.
    first_ms: Option<u64>,
    /// Ticks that were due.
    ticks: u64,
    /// The running turn has cancelled or replaced it.
    ending: bool,
    alarm: Option<Sleep>,
}

/// What a turn asks for.
pub(crate) struct NewTimer {
    pub key: Option<Arc<str>>,
    pub message: Bytes,
    /// Of the node's budget, for the message and the key.
    pub bytes: Share,
    pub after_ms: u64,
    pub every_ms: Option<u64>,
}

/// What comes of a timer that is due.
struct Due {
    /// The message; none when the last one still waits.
    message: Option<(Bytes, Arc<Tick>)>,
    /// Ticks that nobody gets to see.
    missed: u64,
    next_ms: Option<u64>,
}

impl Timer {
    /// Its message is in the mailbox.
    fn waits(&self) -> bool {
        Arc::strong_count(&self.tick) > 1
    }

    /// It has sent its only message, and that one was dropped from the mailbox.
    fn is_spent(&self) -> bool {
        self.every_ms.is_none() && self.ticks > 0 && !self.waits()
    }

    fn due(&mut self, now_ms: u64) -> Option<Due> {
        let first_ms = self.first_ms?;
        let waits = self.waits();
        let (ticks, next_ms) = match self.every_ms {
            None => (u64::from(now_ms >= first_ms), None),
            Some(every_ms) => {
                let ticks = ticks_due(first_ms, every_ms, now_ms);
                (ticks, Some(due_ms(first_ms, every_ms, ticks)))
            }
        };
        let new = ticks - std::mem::replace(&mut self.ticks, ticks);
        let sends = new > 0 && !waits;
        Some(Due {
            message: sends.then(|| (self.message.clone(), self.tick.clone())),
            missed: new - u64::from(sends),
            next_ms,
        })
    }
}

impl OwnTimers {
    pub fn len(&self) -> usize {
        self.count
    }

    /// The timer of a key, as the running turn sees it.
    pub fn of_key(&self, key: &str) -> Option<u64> {
        self.by_key.get(key).copied()
    }

    fn remove_if_spent(&mut self, id: u64) {
        if self.all.get(&id).is_some_and(Timer::is_spent) {
            self.remove(id);
        }
    }

    /// Forgets timers that can send nothing any more.
    pub fn sweep(&mut self) {
        let spent: Vec<u64> = self
            .all
            .iter()
            .filter(|(_, timer)| timer.is_spent() && !timer.ending)
            .map(|(&id, _)| id)
            .collect();
        for id in spent {
            self.remove(id);
        }
    }

    /// Adds a timer that starts when its turn succeeds. One of the same key must
    /// have been ended before.
    pub fn hold(&mut self, id: u64, new: NewTimer) {
        if let Some(key) = &new.key {
            self.by_key.insert(key.clone(), id);
        }
        self.count += 1;
        let timer = Timer {
            tick: Arc::new(Tick {
                timer: id,
                _bytes: new.bytes,
            }),
            key: new.key,
            message: new.message,
            after_ms: new.after_ms,
            every_ms: new.every_ms,
            first_ms: None,
            ticks: 0,
            ending: false,
            alarm: None,
        };
        self.all.insert(id, timer);
    }

    /// Ends a timer for the running turn; false when it was not set.
    pub fn hold_end(&mut self, id: u64) -> bool {
        let Some(timer) = self.all.get_mut(&id).filter(|timer| !timer.ending) else {
            return false;
        };
        if timer.is_spent() {
            self.remove(id);
            return false;
        }
        timer.ending = true;
        let key = timer.key.clone();
        self.count -= 1;
        self.forget_key(key.as_deref(), id);
        true
    }

    /// The turn that ended it did not succeed.
    pub fn undo_end(&mut self, id: u64) {
        if let Some(timer) = self.all.get_mut(&id) {
            timer.ending = false;
            self.count += 1;
            if let Some(key) = timer.key.clone() {
                self.by_key.insert(key, id);
            }
        }
    }

    /// Forgets a timer.
    pub fn remove(&mut self, id: u64) {
        if let Some(timer) = self.all.remove(&id)
            && !timer.ending
        {
            self.count -= 1;
            self.forget_key(timer.key.as_deref(), id);
        }
    }

    fn forget_key(&mut self, key: Option<&str>, id: u64) {
        if let Some(key) = key
            && self.by_key.get(key) == Some(&id)
        {
            self.by_key.remove(key);
        }
    }

    /// The message of a timer is about to be handled; false when it must not be.
    fn take(&mut self, tick: Arc<Tick>) -> bool {
        let Some(timer) = self.all.get(&tick.timer) else {
            return false;
        };
        if timer.every_ms.is_none() {
            self.remove(tick.timer);
        }
        true
    }
}

/// Woken when a timer is due.
struct Alarm<E: Engine> {
    cell: Weak<Cell<E>>,
    timer: u64,
}

impl<E: Engine> Wake for Alarm<E> {
    fn wake(self: Arc<Self>) {
        if let Some(cell) = self.cell.upgrade() {
            cell.timer_is_due(self);
        }
    }
}

impl<E: Engine> Cell<E> {
    /// Starts a timer whose turn has succeeded, unless the turn ended it again.
    pub(crate) fn start_timer(self: &Arc<Self>, id: u64) {
        let waker = Waker::from(Arc::new(Alarm {
            cell: Arc::downgrade(self),
            timer: id,
        }));
        let mut keep = self.keep.lock();
        let Some(timer) = keep.timers().and_then(|timers| timers.all.get_mut(&id)) else {
            return;
        };
        if !timer.ending {
            let first_ms = self.node.clock.now_ms().saturating_add(timer.after_ms);
            timer.first_ms = Some(first_ms);
            timer.alarm = Some(self.node.timers.alarm(first_ms, waker));
        }
    }

    /// Whether the message of a timer may be handled now.
    pub(super) fn take_tick(&self, tick: Arc<Tick>) -> bool {
        let current = match &mut self.keep.lock().belongings {
            Some(belongings) => belongings.timers.take(tick),
            None => false,
        };
        if !current {
            self.node.stats.tick_thrown_away();
        }
        current
    }

    fn timer_is_due(self: &Arc<Self>, alarm: Arc<Alarm<E>>) {
        let id = alarm.timer;
        let message = {
            let mut keep = self.keep.lock();
            let Some(timer) = keep.timers().and_then(|timers| timers.all.get_mut(&id)) else {
                return;
            };
            let Some(due) = timer.due(self.node.clock.now_ms()) else {
                return;
            };
            timer.alarm = due
                .next_ms
                .map(|at_ms| self.node.timers.alarm(at_ms, Waker::from(alarm)));
            self.node.stats.ticks_missed(due.missed);
            due.message
        };
        let Some((message, tick)) = message else {
            return;
        };
        let letter = Letter {
            tick: Some(tick),
            ..Letter::message(Some(self.id), message, self.node.clock.now_ms())
        };
        let Err(refused) = self.node.post(self, letter) else {
            return;
        };
        if let Some(timers) = self.keep.lock().timers() {
            match refused {
                // It takes no more messages in this life.
                SendError::Stopped => timers.remove(id),
                _ => timers.remove_if_spent(id),
            }
        }
    }
}
