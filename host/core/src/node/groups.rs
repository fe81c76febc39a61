//! What an actor is known by until its end (registered names, groups), and the
//! publishing to groups.

use super::{Node, NodeInner};
use crate::{
    ActorId, Engine, SendError,
    actor::{Cell, Keep},
    dead_letters::DeadReason,
    mailbox::{Letter, cost},
    turn::Published,
};
use bytes::Bytes;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What an actor is known by. Outlives its lives; most actors have none.
#[derive(Default)]
pub(crate) struct KnownBy {
    /// Names that it has registered.
    pub names: FxHashSet<Arc<str>>,
    /// Groups that it has joined, each with the number of its joining.
    pub groups: FxHashMap<Arc<str>, u64>,
}

impl Keep {
    /// What it is known by, made now if there is nothing yet.
    pub fn known_by_mut(&mut self) -> &mut KnownBy {
        self.known_by.get_or_insert_default()
    }

    /// Whether it has registered `name`, and how many names it has.
    pub fn has_name(&self, name: &str) -> (bool, usize) {
        self.known_by.as_ref().map_or((false, 0), |known| {
            (known.names.contains(name), known.names.len())
        })
    }

    /// Whether it has joined `group`, and how many groups it is in.
    pub fn is_in_group(&self, group: &str) -> (bool, usize) {
        self.known_by.as_ref().map_or((false, 0), |known| {
            (known.groups.contains_key(group), known.groups.len())
        })
    }
}

/// One group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupView {
    /// Its name.
    pub name: Arc<str>,
    /// Its living members.
    pub members: u64,
}

impl<E: Engine> Node<E> {
    /// Every group that has a member, by name.
    pub fn groups(&self) -> Vec<GroupView> {
        let all = self.0.groups.all().into_iter();
        all.map(|(name, members)| GroupView {
            name,
            members: members as u64,
        })
        .collect()
    }

    /// The living members of a group, in order of joining.
    pub fn members(&self, group: &str) -> Vec<ActorId> {
        self.0.groups.members(group)
    }

    /// Every registered name with the actor that has it, by name.
    pub fn names(&self) -> Vec<(Arc<str>, ActorId)> {
        self.0.registry.names()
    }

    /// Sends a message from outside to every member of a group, at once. Waits for
    /// nobody: a full mailbox refuses, whatever its policy would make a sender wait.
    pub fn publish(&self, group: &str, message: Bytes) -> Published {
        let mut published = Published::default();
        for member in self.0.groups.members(group) {
            let target = self.0.reserve_for_group(None, member, &message, Ok(()));
            let sent = target.is_some_and(|target| {
                let letter = Letter::message(None, message.clone(), self.0.clock.now_ms());
                self.0.put(&target, letter).is_ok()
            });
            published.count(sent);
        }
        published
    }
}

impl<E: Engine> NodeInner<E> {
    /// Reserves a place at a member of a group without waiting. A refusal is counted
    /// and makes a dead letter, since nobody waits to hear of it. `room` is that of the
    /// sender itself.
    pub fn reserve_for_group(
        &self,
        sender: Option<&Cell<E>>,
        member: ActorId,
        message: &Bytes,
        room: Result<(), SendError>,
    ) -> Option<Arc<Cell<E>>> {
        let sender_id = sender.map(|cell| cell.id);
        // One that has ended meanwhile makes a dead letter there.
        let target = self.find_for_send(member, sender_id, message).ok()?;
        let own_limit = sender.map_or(u64::MAX, |cell| cell.spec.limits.message_bytes);
        let limit = own_limit.min(target.spec.limits.message_bytes);
        let (reason, detail) = match self
            .check_size(limit, message)
            .and(room)
            .and_then(|()| target.mailbox.reserve(cost(message)))
        {
            Ok(()) => return Some(target),
            Err(SendError::Stopped | SendError::NoSuchActor) => (
                DeadReason::Stopped,
                "a member that takes no more messages".to_string(),
            ),
            Err(SendError::TooLarge { limit }) => (
                DeadReason::TooLarge,
                format!("published to a group; the limit is {limit} bytes"),
            ),
            Err(error @ (SendError::Full | SendError::Overloaded)) => {
                // The budget of bytes has counted its own.
                if error == SendError::Full {
                    self.stats.refused_full();
                }
                (DeadReason::Full, format!("published to a group: {error}"))
            }
        };
        self.bury(&target, sender_id, message.clone(), reason, detail);
        None
    }

    /// The actor has ended: its names are free, and its groups are without it.
    pub fn forget_known(&self, cell: &Cell<E>) {
        let Some(known) = cell.keep.lock().known_by.take() else {
            return;
        };
        for name in &known.names {
            self.registry.release_name(name);
        }
        for (group, number) in &known.groups {
            self.groups.leave(group, *number);
        }
    }
}
