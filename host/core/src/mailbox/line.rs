//! Senders that wait for room, first come, first served.

use super::{Lanes, Mailbox};
use crate::{policy::overflow::has_room, turn::SendError};
use parking_lot::Mutex;
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

pub(super) enum Blocked {
    Waiting(Option<Waker>),
    /// A place was reserved for it, or the mailbox closed.
    Decided(Result<(), SendError>),
    GaveUp,
}

/// Decides a waiting sender's fate. None when it has given up.
pub(super) fn decide(
    waiter: &Mutex<Blocked>,
    fate: Result<(), SendError>,
) -> Option<Option<Waker>> {
    let mut waiter = waiter.lock();
    match std::mem::replace(&mut *waiter, Blocked::Decided(fate)) {
        Blocked::Waiting(waker) => Some(waker),
        other => {
            *waiter = other;
            None
        }
    }
}

impl<S> Lanes<S> {
    /// Lets waiting senders in while there is room. The wakers are for the caller
    /// to wake outside the lock.
    pub(super) fn admit(&mut self, spec: &crate::MailboxSpec) -> Vec<Waker> {
        let mut wake = Vec::new();
        while has_room(spec.overflow, self.taken(), spec.capacity, false) {
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

/// A sender that waits for room, under the overflow policy `block`.
pub struct Reservation<S> {
    state: Arc<Mutex<Blocked>>,
    mailbox: Arc<Mailbox<S>>,
    /// Bytes of the node's budget that it holds while it waits.
    held: u64,
}

impl<S> Mailbox<S> {
    /// Reserves a place for a message of this cost, or waits in line for one.
    /// Dropping the wait leaves the line.
    pub fn reserve_or_wait(self: &Arc<Self>, cost: u64) -> Reservation<S> {
        let mut lanes = self.inner.lock();
        let mut held = cost;
        let state = match lanes.reserve(self, cost) {
            // The message of a sender that waits takes memory as well.
            Err(SendError::Full) if self.budget.take(cost) => {
                let blocked = Arc::new(Mutex::new(Blocked::Waiting(None)));
                lanes.blocked.push_back(blocked.clone());
                blocked
            }
            Err(error) => {
                held = 0;
                let error = match error {
                    SendError::Full => SendError::Overloaded,
                    other => other,
                };
                Arc::new(Mutex::new(Blocked::Decided(Err(error))))
            }
            Ok(()) => Arc::new(Mutex::new(Blocked::Decided(Ok(())))),
        };
        drop(lanes);
        Reservation {
            state,
            mailbox: self.clone(),
            held,
        }
    }
}

impl<S> Reservation<S> {
    fn give_back(&mut self) {
        self.mailbox.budget.give(std::mem::take(&mut self.held));
    }
}

impl<S> Future for Reservation<S> {
    type Output = Result<(), SendError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let was = {
            let mut state = self.state.lock();
            match std::mem::replace(&mut *state, Blocked::GaveUp) {
                Blocked::Waiting(_) => {
                    *state = Blocked::Waiting(Some(cx.waker().clone()));
                    return Poll::Pending;
                }
                was => was,
            }
        };
        match was {
            Blocked::Decided(Ok(())) => {
                // The place and the bytes are the caller's now.
                self.held = 0;
                Poll::Ready(Ok(()))
            }
            Blocked::Decided(refused) => {
                self.give_back();
                Poll::Ready(refused)
            }
            Blocked::Waiting(_) | Blocked::GaveUp => {
                unreachable!("a reservation is not polled after its end")
            }
        }
    }
}

impl<S> Drop for Reservation<S> {
    fn drop(&mut self) {
        let was = std::mem::replace(&mut *self.state.lock(), Blocked::GaveUp);
        match was {
            // It was let in and nobody took the place.
            Blocked::Decided(Ok(())) => self.mailbox.release(self.held),
            Blocked::Waiting(_) => {
                let mut lanes = self.mailbox.inner.lock();
                lanes
                    .blocked
                    .retain(|other| !Arc::ptr_eq(other, &self.state));
                drop(lanes);
                self.give_back();
            }
            Blocked::Decided(Err(_)) => self.give_back(),
            Blocked::GaveUp => {}
        }
    }
}
