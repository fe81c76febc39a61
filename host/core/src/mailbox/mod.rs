//! The bounded queue in front of an actor, with a system lane that overtakes it.
//!
//! Room is reserved before a message is sent (`Permit`), so that a held tell can
//! say truly whether it was accepted: `waiting + stashed + reserved ≤ capacity`.
//! What a full mailbox does is decided in [`policy::overflow`](crate::policy::overflow);
//! behind the bound by number stands the node's [`ByteBudget`]. Notices (`down`,
//! `exit`, `reply`) are exempt from both: they cannot be refused.
//!
//! Knows nothing of scheduling: whoever pushes must notify the cell.

mod budget;
mod line;
mod queue;
mod stash;
#[cfg(test)]
mod tests;

pub use budget::{ByteBudget, OVERHEAD_BYTES, Share, cost};
pub use line::Reservation;

use crate::{
    ActorId, ExitReason, Payload,
    actor::Tick,
    ask::ReplyTo,
    policy::overflow::{Placement, has_room, place},
    spec::{MailboxSpec, Overflow},
    turn::SendError,
};
use bytes::Bytes;
use line::{Blocked, decide};
use parking_lot::Mutex;
use queue::Queue;
use std::{collections::VecDeque, sync::Arc, task::Waker};

/// One entry of the user lane.
pub struct Letter {
    /// The sending actor.
    pub sender: Sender,
    /// What it carries.
    pub payload: Payload,
    /// Where the reply goes.
    pub reply: Option<ReplyTo>,
    /// When it was accepted, in milliseconds of the node's clock.
    pub accepted_ms: u64,
    /// Lives that crashed on it before: it is handled again, or was sent again from
    /// the dead letters.
    pub crashes: u32,
    /// The timer that sent it.
    pub tick: Option<Arc<Tick>>,
}

/// Who sent a letter, if an actor did. In one word: letters are copied and queued by
/// the million.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender(u64);

impl Sender {
    /// No actor has this address: they are numbered from 1.
    const NOBODY: u64 = 0;

    /// The actor.
    pub fn id(self) -> Option<ActorId> {
        (self.0 != Self::NOBODY).then_some(ActorId(self.0))
    }
}

impl From<Option<ActorId>> for Sender {
    fn from(id: Option<ActorId>) -> Self {
        Self(id.map_or(Self::NOBODY, |id| id.0))
    }
}

impl Letter {
    /// A message that nobody waits for and that no life has crashed on.
    pub fn message(sender: Option<ActorId>, message: Bytes, accepted_ms: u64) -> Self {
        Self {
            sender: sender.into(),
            payload: Payload::Message(message),
            reply: None,
            accepted_ms,
            crashes: 0,
            tick: None,
        }
    }

    /// A notice of the node's own.
    pub fn notice(payload: Payload, accepted_ms: u64) -> Self {
        Self {
            sender: None.into(),
            payload,
            reply: None,
            accepted_ms,
            crashes: 0,
            tick: None,
        }
    }

    /// What it costs of the node's budget, in bytes. A notice costs nothing, and the
    /// bytes of a timer's message are its timer's.
    #[inline]
    pub fn cost(&self) -> u64 {
        match &self.payload {
            Payload::Message(message) if self.tick.is_none() => cost(message),
            _ => 0,
        }
    }
}

/// The two lanes. `S` is a system message.
pub struct Mailbox<S> {
    spec: MailboxSpec,
    budget: Arc<ByteBudget>,
    inner: Mutex<Lanes<S>>,
}

struct Lanes<S> {
    system: VecDeque<S>,
    user: Queue,
    /// Entries of `user` that count against the capacity.
    counted: u32,
    reserved: u32,
    /// Messages put aside, in the order of it. Made when first used.
    #[allow(clippy::box_collection, reason = "a word for those that never stash")]
    stash: Option<Box<VecDeque<Letter>>>,
    /// Senders that wait for room, first come first served.
    blocked: VecDeque<Arc<Mutex<Blocked>>>,
    closed: Option<Closed>,
}

/// Why nothing more is accepted.
#[derive(Debug, Clone)]
pub enum Closed {
    /// It handles what it has and then stops.
    Draining,
    /// It has ended.
    Ended(ExitReason),
}

/// What the owner takes next.
pub enum Next<S> {
    /// From the system lane.
    System(S),
    /// From the user lane.
    User(Letter),
    /// Nothing there.
    Empty,
}

/// A letter that has no place in the mailbox.
pub enum Displaced {
    /// The one pushed: the mailbox ended after its place was reserved.
    Ended(Letter),
    /// The one pushed: the mailbox is full and drops the newest.
    Newest(Letter),
    /// Another one: the mailbox is full and drops the oldest.
    Oldest(Letter),
}

impl<S> Mailbox<S> {
    /// An open, empty mailbox.
    pub fn new(spec: MailboxSpec, budget: Arc<ByteBudget>) -> Self {
        let user = Queue::new(&spec.priorities);
        Self {
            spec,
            budget,
            inner: Mutex::new(Lanes {
                system: VecDeque::new(),
                user,
                counted: 0,
                reserved: 0,
                stash: None,
                blocked: VecDeque::new(),
                closed: None,
            }),
        }
    }

    /// What happens when it is full.
    pub fn overflow(&self) -> Overflow {
        self.spec.overflow
    }

    /// Reserves a place for a message of this [`cost`] without waiting.
    ///
    /// # Errors
    /// `Full`, `Stopped` or `Overloaded`.
    pub fn reserve(&self, cost: u64) -> Result<(), SendError> {
        self.inner.lock().reserve(self, cost)
    }

    /// Gives an unused reservation of this cost back.
    pub fn release(&self, cost: u64) {
        let mut lanes = self.inner.lock();
        lanes.reserved -= 1;
        self.budget.give(cost);
        self.admit(lanes);
    }

    /// Lets waiting senders in, if there are any.
    #[inline]
    fn admit(&self, lanes: parking_lot::MutexGuard<'_, Lanes<S>>) {
        if !lanes.blocked.is_empty() {
            self.admit_blocked(lanes);
        }
    }

    #[cold]
    fn admit_blocked(&self, mut lanes: parking_lot::MutexGuard<'_, Lanes<S>>) {
        let wake = lanes.admit(&self.spec);
        drop(lanes);
        wake.into_iter().for_each(Waker::wake);
    }

    /// Puts a letter on a place reserved for its cost. Returns the one that has none
    /// now, whole, so that nothing of it is lost.
    // Boxed: rare, and a letter long.
    #[inline]
    pub fn push_reserved(&self, letter: Letter) -> Option<Box<Displaced>> {
        let mut lanes = self.inner.lock();
        lanes.reserved -= 1;
        // A place reserved before a drain began is still good.
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            self.budget.give(letter.cost());
            return Some(Box::new(Displaced::Ended(letter)));
        }
        match place(self.spec.overflow, lanes.waiting(), self.spec.capacity) {
            Placement::Queue => {
                lanes.counted += 1;
                lanes.user.push_back(letter);
                None
            }
            Placement::DropIt => {
                self.budget.give(letter.cost());
                Some(Box::new(Displaced::Newest(letter)))
            }
            Placement::DropOldest => {
                let oldest = lanes.evict();
                lanes.counted += 1;
                lanes.user.push_back(letter);
                oldest.map(|oldest| {
                    self.budget.give(oldest.cost());
                    Box::new(Displaced::Oldest(oldest))
                })
            }
        }
    }

    /// Puts a notice into the user lane that no bound may refuse. False when the
    /// mailbox has ended.
    pub fn push_notice(&self, letter: Letter) -> bool {
        debug_assert!(!matches!(letter.payload, Payload::Message(_)));
        let mut lanes = self.inner.lock();
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return false;
        }
        lanes.user.push_back(letter);
        true
    }

    /// Puts a message back that was taken and is to be handled again, before all
    /// others of its priority. No bound refuses it.
    ///
    /// # Errors
    /// The letter, when the mailbox has ended.
    // The letter comes back whole so that nothing of it is lost.
    #[allow(clippy::result_large_err)]
    pub fn push_again(&self, letter: Letter) -> Result<(), Letter> {
        let mut lanes = self.inner.lock();
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return Err(letter);
        }
        self.budget.take_back(letter.cost());
        lanes.counted += 1;
        lanes.user.push_front(letter);
        Ok(())
    }

    /// Puts a message into the system lane.
    ///
    /// # Errors
    /// The message, when the mailbox has ended.
    pub fn push_system(&self, message: S) -> Result<(), S> {
        let mut lanes = self.inner.lock();
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return Err(message);
        }
        lanes.system.push_back(message);
        Ok(())
    }

    /// Takes the next entry: system before user; user entries only if `user`.
    pub fn next(&self, user: bool) -> Next<S> {
        let mut lanes = self.inner.lock();
        if let Some(message) = lanes.system.pop_front() {
            return Next::System(message);
        }
        if !user {
            return Next::Empty;
        }
        let Some(letter) = lanes.user.pop() else {
            return Next::Empty;
        };
        if matches!(letter.payload, Payload::Message(_)) {
            lanes.counted -= 1;
            self.budget.give(letter.cost());
            self.admit(lanes);
        }
        Next::User(letter)
    }

    /// Whether there is anything that [`Mailbox::next`] would take.
    pub fn has_next(&self, user: bool) -> bool {
        let lanes = self.inner.lock();
        !lanes.system.is_empty() || (user && !lanes.user.is_empty())
    }

    /// Accepts no more user messages, and keeps those it has.
    pub fn drain(&self) {
        self.close(Closed::Draining);
    }

    /// Accepts nothing more and gives back what it held: stashed letters first, then
    /// those that waited.
    pub fn end(&self, reason: ExitReason) -> (Vec<S>, Vec<Letter>) {
        self.close(Closed::Ended(reason));
        let mut lanes = self.inner.lock();
        lanes.counted = 0;
        let system = lanes.system.drain(..).collect();
        let mut letters: Vec<Letter> = lanes
            .stash
            .take()
            .map_or_else(Vec::new, |stash| (*stash).into());
        while let Some(letter) = lanes.user.pop() {
            letters.push(letter);
        }
        drop(lanes);
        self.budget.give(letters.iter().map(Letter::cost).sum());
        (system, letters)
    }

    fn close(&self, how: Closed) {
        let blocked = {
            let mut lanes = self.inner.lock();
            if !matches!(lanes.closed, Some(Closed::Ended(_))) {
                lanes.closed = Some(how);
            }
            std::mem::take(&mut lanes.blocked)
        };
        for waiter in blocked {
            let wake = decide(&waiter, Err(SendError::Stopped)).flatten();
            wake.into_iter().for_each(Waker::wake);
        }
    }

    /// Why it is closed, if it is.
    pub fn closed(&self) -> Option<Closed> {
        self.inner.lock().closed.clone()
    }

    /// User messages that wait, without those in the stash.
    pub fn len(&self) -> usize {
        self.inner.lock().user.len()
    }

    /// Whether no user message waits.
    pub fn is_empty(&self) -> bool {
        self.inner.lock().user.is_empty()
    }

    /// When the oldest message that waits or is stashed was accepted.
    pub fn oldest_accepted_ms(&self) -> Option<u64> {
        let lanes = self.inner.lock();
        let stash = lanes.stash.iter().flat_map(|stash| stash.iter());
        let stashed = stash.map(|letter| letter.accepted_ms).min();
        lanes
            .user
            .oldest_accepted_ms()
            .into_iter()
            .chain(stashed)
            .min()
    }
}

impl<S> Lanes<S> {
    /// Messages that count against the capacity.
    fn waiting(&self) -> u32 {
        self.counted + self.stashed()
    }

    /// The same, with the places promised.
    fn taken(&self) -> u32 {
        self.waiting() + self.reserved
    }

    fn reserve(&mut self, mailbox: &Mailbox<S>, cost: u64) -> Result<(), SendError> {
        if self.closed.is_some() {
            return Err(SendError::Stopped);
        }
        let (spec, line) = (&mailbox.spec, !self.blocked.is_empty());
        if !has_room(spec.overflow, self.taken(), spec.capacity, line) {
            return Err(SendError::Full);
        }
        if !mailbox.budget.take(cost) {
            return Err(SendError::Overloaded);
        }
        self.reserved += 1;
        Ok(())
    }

    /// Takes out the message that makes room for a newer one: of those that wait if
    /// there are any, or an actor whose stash is full would hear nothing any more.
    fn evict(&mut self) -> Option<Letter> {
        if let Some(letter) = self.user.evict() {
            self.counted -= 1;
            return Some(letter);
        }
        self.stash.as_mut()?.pop_front()
    }
}
