//! Asking, and the end of rings of actors that ask each other.

use super::NodeInner;
use crate::{
    ActorId, AskError, Engine, SendError,
    actor::Cell,
    ask::{Answer, ReplyTo, question},
    mailbox::{Letter, cost},
    policy::ring::find_ring,
    timers::{before, within},
};
use bytes::Bytes;
use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

impl<E: Engine> NodeInner<E> {
    /// Asks, in the name of an actor or of an outsider.
    pub async fn ask_cell(
        &self,
        target: &Arc<Cell<E>>,
        asker: Option<&Arc<Cell<E>>>,
        message: Bytes,
        timeout_ms: u64,
    ) -> Result<Bytes, AskError> {
        let begun_ms = self.clock.now_ms();
        // Read again only where time has passed.
        let mut now_ms = begun_ms;
        let sender = asker.map(|asker| asker.id);
        let (reply_to, mut answer) = question(target.id);
        let _waiting = asker.map(|asker| {
            let gives_up_ms = begun_ms.saturating_add(timeout_ms);
            asker.waits.begin(&answer, begun_ms, gives_up_ms)
        });
        if let Some(asker) = asker
            && target.waits.any()
            && (self.break_ring(asker) || answer.is_there())
        {
            // Nobody has the question yet: an answer that is there says that another of
            // the ring has just ended it.
            return Err(AskError::Deadlock);
        }
        let reserved = match target.mailbox.reserve(cost(&message)) {
            Err(SendError::Full) => {
                let room = within(&self.timers, timeout_ms, self.reserve(target, &message));
                let waited = first(&mut answer, room).await;
                now_ms = self.clock.now_ms();
                match waited {
                    // Nobody has the question yet: only the end of a ring answers it.
                    First::Answer(outcome) => return outcome,
                    First::Room(reserved) => reserved.unwrap_or(Err(SendError::Full)),
                }
            }
            decided => decided,
        };
        if let Err(error) = reserved {
            self.refused(target, sender, &message, &error);
            return Err(error.into());
        }
        let letter = Letter {
            reply: Some(reply_to),
            ..Letter::message(sender, message, now_ms)
        };
        // One that has ended meanwhile has answered by now.
        let _ = self.put(target, letter);
        let left_ms = timeout_ms.saturating_sub(now_ms.saturating_sub(begun_ms));
        let timeout = self.timers.sleep_from(now_ms, left_ms);
        match before(timeout, &mut answer).await {
            Some(outcome) => outcome,
            // The last look and the giving up are one step: an answer is either
            // returned, or late and a dead letter.
            None => answer.give_up().unwrap_or_else(|| {
                self.stats.ask_timed_out();
                Err(AskError::Timeout)
            }),
        }
    }

    /// Ends the ring that a question may have closed by being handed on.
    pub fn break_ring_of(&self, asker: Option<ActorId>, reply: &ReplyTo) {
        if let Some(asker) = asker.and_then(|asker| self.registry.get(asker))
            && asker.waits.is_for(reply)
        {
            self.break_ring(&asker);
        }
    }

    /// Ends the ring of waiting actors in which `asker` is, if there is one: each of
    /// them hears `deadlock`.
    fn break_ring(&self, asker: &Arc<Cell<E>>) -> bool {
        let look = || {
            find_ring(asker.id, |at| {
                if at == asker.id {
                    return asker.waits.edge();
                }
                self.registry.get(at)?.waits.edge()
            })
        };
        // The edges were seen one after the other, and the first may have been gone
        // when the last came. Seen twice, they were all there in between.
        let Some(first) = look() else { return false };
        // Two that close a ring at the same moment both find it; one of them ends it.
        let _one_at_a_time = self.breaking_ring.lock();
        let Some(second) = look() else { return false };
        if first.len() != second.len() || !first.iter().zip(&second).all(|(a, b)| a.is(b)) {
            return false;
        }
        self.stats.ring_broken();
        for edge in first {
            edge.break_off();
        }
        true
    }
}

enum First<T> {
    Answer(Result<Bytes, AskError>),
    Room(T),
}

/// Whatever comes first.
async fn first<T>(answer: &mut Answer, room: impl Future<Output = T>) -> First<T> {
    let mut room = pin!(room);
    poll_fn(|cx| {
        if let Poll::Ready(outcome) = Pin::new(&mut *answer).poll(cx) {
            return Poll::Ready(First::Answer(outcome));
        }
        room.as_mut().poll(cx).map(First::Room)
    })
    .await
}
