//! The bounded queue in front of an actor, with a system lane that overtakes it.
//!
//! Room is reserved before a message is sent (`Permit`), so that a held tell can
//! say truly whether it was accepted. The count is `waiting + reserved ≤ capacity`.
//! A `down` notice is exempt from the bound: it cannot be refused.
//!
//! Knows nothing of scheduling: whoever pushes must notify the cell.

use crate::{
    ActorId, ExitReason, Payload,
    ask::ReplyTo,
    spec::{MailboxSpec, Overflow},
    turn::SendError,
};
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// One entry of the user lane.
pub struct Letter {
    /// The sending actor.
    pub sender: Option<ActorId>,
    /// What it carries.
    pub payload: Payload,
    /// Where the reply goes.
    pub reply: Option<ReplyTo>,
    /// When it was accepted, in milliseconds of the node's clock.
    pub accepted_ms: u64,
    /// Lives that crashed on it before: it is handled again, or was sent again from
    /// the dead letters.
    pub crashes: u32,
}

/// The two lanes. `S` is a system message.
pub struct Mailbox<S> {
    spec: MailboxSpec,
    inner: Mutex<Lanes<S>>,
}

struct Lanes<S> {
    system: VecDeque<S>,
    user: VecDeque<Letter>,
    /// Entries of `user` that count against the capacity.
    counted: u32,
    reserved: u32,
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

enum Blocked {
    Waiting(Option<Waker>),
    /// A place was reserved for it, or the mailbox closed.
    Decided(Result<(), SendError>),
    GaveUp,
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

impl<S> Mailbox<S> {
    /// An open, empty mailbox.
    pub fn new(spec: MailboxSpec) -> Self {
        Self {
            spec,
            inner: Mutex::new(Lanes {
                system: VecDeque::new(),
                user: VecDeque::new(),
                counted: 0,
                reserved: 0,
                blocked: VecDeque::new(),
                closed: None,
            }),
        }
    }

    /// What happens when it is full.
    pub fn overflow(&self) -> Overflow {
        self.spec.overflow
    }

    /// Reserves a place without waiting.
    ///
    /// # Errors
    /// `Full` or `Stopped`.
    pub fn reserve(&self) -> Result<(), SendError> {
        self.inner.lock().reserve(self.spec.capacity)
    }

    /// Reserves a place, or waits in line for one. Dropping the wait leaves the line.
    pub fn reserve_or_wait(self: &Arc<Self>) -> Reservation<S> {
        let mut lanes = self.inner.lock();
        let state = match lanes.reserve(self.spec.capacity) {
            Err(SendError::Full) => {
                let blocked = Arc::new(Mutex::new(Blocked::Waiting(None)));
                lanes.blocked.push_back(blocked.clone());
                blocked
            }
            decided => Arc::new(Mutex::new(Blocked::Decided(decided))),
        };
        drop(lanes);
        Reservation {
            state,
            mailbox: self.clone(),
        }
    }

    /// Gives an unused reservation back.
    pub fn release(&self) {
        let mut lanes = self.inner.lock();
        lanes.reserved -= 1;
        let wake = lanes.admit(self.spec.capacity);
        drop(lanes);
        wake.into_iter().for_each(Waker::wake);
    }

    /// Puts a letter on a reserved place.
    ///
    /// # Errors
    /// The letter, when the mailbox ended in between.
    // The letter comes back whole so that nothing of it is lost.
    #[allow(clippy::result_large_err)]
    pub fn push_reserved(&self, letter: Letter) -> Result<(), Letter> {
        let mut lanes = self.inner.lock();
        lanes.reserved -= 1;
        // A place reserved before a drain began is still good.
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return Err(letter);
        }
        lanes.counted += 1;
        lanes.user.push_back(letter);
        Ok(())
    }

    /// Puts a notice into the user lane that no bound may refuse. False when the
    /// mailbox has ended.
    pub fn push_notice(&self, letter: Letter) -> bool {
        let mut lanes = self.inner.lock();
        if matches!(lanes.closed, Some(Closed::Ended(_))) {
            return false;
        }
        lanes.user.push_back(letter);
        true
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
        let Some(letter) = lanes.user.pop_front() else {
            return Next::Empty;
        };
        if matches!(letter.payload, Payload::Message(_)) {
            lanes.counted -= 1;
            if !lanes.blocked.is_empty() {
                let wake = lanes.admit(self.spec.capacity);
                drop(lanes);
                wake.into_iter().for_each(Waker::wake);
            }
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

    /// Accepts nothing more and gives back what it held.
    pub fn end(&self, reason: ExitReason) -> (Vec<S>, Vec<Letter>) {
        self.close(Closed::Ended(reason));
        let mut lanes = self.inner.lock();
        lanes.counted = 0;
        (
            lanes.system.drain(..).collect(),
            lanes.user.drain(..).collect(),
        )
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

    /// User messages that wait.
    pub fn len(&self) -> usize {
        self.inner.lock().user.len()
    }

    /// Whether no user message waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When the oldest waiting message was accepted.
    pub fn oldest_accepted_ms(&self) -> Option<u64> {
        self.inner
            .lock()
            .user
            .front()
            .map(|letter| letter.accepted_ms)
    }
}

impl<S> Lanes<S> {
    fn reserve(&mut self, capacity: u32) -> Result<(), SendError> {
        if self.closed.is_some() {
            return Err(SendError::Stopped);
        }
        // A newcomer does not overtake those that wait.
        if self.counted + self.reserved >= capacity || !self.blocked.is_empty() {
            return Err(SendError::Full);
        }
        self.reserved += 1;
        Ok(())
    }

    /// Lets waiting senders in while there is room. The wakers are for the caller
    /// to wake outside the lock.
    fn admit(&mut self, capacity: u32) -> Vec<Waker> {
        let mut wake = Vec::new();
        while self.counted + self.reserved < capacity {
            let Some(waiter) = self.blocked.pop_front() else {
                break;
            };
            if let Some(waker) = decide(&waiter, Ok(())) {
                self.reserved += 1;
                wake.extend(waker);
            }
        }
        wake
    }
}

/// Decides a waiting sender's fate. None when it has given up.
fn decide(waiter: &Mutex<Blocked>, fate: Result<(), SendError>) -> Option<Option<Waker>> {
    let mut waiter = waiter.lock();
    match std::mem::replace(&mut *waiter, Blocked::Decided(fate)) {
        Blocked::Waiting(waker) => Some(waker),
        other => {
            *waiter = other;
            None
        }
    }
}

/// A sender that waits for room, under the overflow policy `block`.
pub struct Reservation<S> {
    state: Arc<Mutex<Blocked>>,
    mailbox: Arc<Mailbox<S>>,
}

impl<S> Future for Reservation<S> {
    type Output = Result<(), SendError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.state.lock();
        match std::mem::replace(&mut *state, Blocked::GaveUp) {
            Blocked::Decided(fate) => Poll::Ready(fate),
            Blocked::Waiting(_) => {
                *state = Blocked::Waiting(Some(cx.waker().clone()));
                Poll::Pending
            }
            Blocked::GaveUp => unreachable!("a reservation is not polled after its end"),
        }
    }
}

impl<S> Drop for Reservation<S> {
    fn drop(&mut self) {
        let was = std::mem::replace(&mut *self.state.lock(), Blocked::GaveUp);
        match was {
            // It was let in and nobody took the place.
            Blocked::Decided(Ok(())) => self.mailbox.release(),
            Blocked::Waiting(_) => {
                let mut lanes = self.mailbox.inner.lock();
                lanes
                    .blocked
                    .retain(|other| !Arc::ptr_eq(other, &self.state));
            }
            Blocked::Decided(Err(_)) | Blocked::GaveUp => {}
        }
    }
}
