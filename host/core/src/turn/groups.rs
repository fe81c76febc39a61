//! Groups, as a turn asks for them.

use super::{NameError, SendError, Turn};
use crate::{ActorId, Engine, address::is_valid_registered_name};
use bytes::Bytes;

/// What a group's members made of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Published {
    /// Members that accepted it.
    pub accepted: u32,
    /// Members that were full, stopped or allow no message of this size. Each such
    /// message is a dead letter.
    pub refused: u32,
}

impl Published {
    pub(crate) fn count(&mut self, accepted: bool) {
        if accepted {
            self.accepted += 1;
        } else {
            self.refused += 1;
        }
    }
}

impl<E: Engine> Turn<E> {
    /// Joins a group when the turn succeeds, until [`Turn::leave`] or the actor's end,
    /// over restarts (OTP's `pg`). Joining twice is joining once.
    ///
    /// # Errors
    /// `BadName` or `Quota`; a group is never `Taken`.
    pub fn join(&mut self, group: &str) -> Result<(), NameError> {
        if !is_valid_registered_name(group) {
            return Err(NameError::BadName);
        }
        let (is_in, count) = self.cell.keep.lock().is_in_group(group);
        let held = self.held.get_or_insert_default();
        if is_in {
            // It may have been left in this turn.
            held.groups.remove(group);
            return Ok(());
        }
        if held.groups.contains_key(group) {
            return Ok(());
        }
        let limit = self.cell.spec.limits.groups;
        let joined = held.groups.values().filter(|joins| **joins).count();
        if count + joined >= limit as usize {
            return Err(NameError::Quota { limit });
        }
        held.groups.insert(group.into(), true);
        Ok(())
    }

    /// Leaves a group when the turn succeeds.
    pub fn leave(&mut self, group: &str) {
        if self.cell.keep.lock().is_in_group(group).0 {
            let held = self.held.get_or_insert_default();
            held.groups.insert(group.into(), false);
        } else if let Some(held) = &mut self.held {
            held.groups.remove(group);
        }
    }

    /// Sends a message to every member of a group but this actor, when the turn
    /// succeeds. Places are reserved at the call, so that the result is true. Waits
    /// for nobody: a full mailbox refuses, whatever its policy would make a sender
    /// wait.
    pub fn publish(&mut self, group: &str, message: Bytes) -> Published {
        let mut published = Published::default();
        let node = self.cell.node.clone();
        for member in node.groups.members(group) {
            if member == self.cell.id {
                continue;
            }
            let has_room = self.effects.len() < self.cell.spec.limits.effects_per_turn as usize;
            let room = has_room.then_some(()).ok_or(SendError::Full);
            let target = node.reserve_for_group(Some(&self.cell), member, &message, room);
            published.count(target.is_some());
            if let Some(target) = target {
                self.hold_tell(target, message.clone());
            }
        }
        published
    }

    /// The living members of a group, in order of joining, as they are once this turn
    /// has succeeded.
    pub fn members(&self, group: &str) -> Vec<ActorId> {
        let mut members = self.cell.node.groups.members(group);
        match self.held.as_ref().and_then(|held| held.groups.get(group)) {
            Some(true) => members.push(self.cell.id),
            Some(false) => members.retain(|member| *member != self.cell.id),
            None => {}
        }
        members
    }
}
