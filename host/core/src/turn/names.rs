//! Registered names, as a turn asks for them.

use super::Turn;
use crate::{ActorId, Engine, actor::Cell, address::is_valid_registered_name};
use std::sync::Arc;

/// Why a name was not registered or a group not joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Another living actor has the name.
    #[error("taken")]
    Taken,
    /// It is no name: see [`is_valid_registered_name`].
    #[error("bad-name")]
    BadName,
    /// The actor has as many names, or groups, as its spec allows.
    #[error("quota: the limit is {limit}")]
    Quota {
        /// The limit.
        limit: u32,
    },
}

/// What a turn does with a name.
pub(crate) enum NameChange<E: Engine> {
    Take(ReservedName<E>),
    GiveBack,
}

/// A name that others see once the turn has succeeded; free again when dropped unused.
pub(crate) struct ReservedName<E: Engine> {
    cell: Option<Arc<Cell<E>>>,
    name: Arc<str>,
}

impl<E: Engine> ReservedName<E> {
    pub fn show(mut self) {
        if let Some(cell) = self.cell.take() {
            cell.keep
                .lock()
                .known_by_mut()
                .names
                .insert(self.name.clone());
            cell.node.registry.show_name(&self.name);
        }
    }
}

impl<E: Engine> Drop for ReservedName<E> {
    fn drop(&mut self) {
        if let Some(cell) = self.cell.take() {
            cell.node.registry.release_name(&self.name);
        }
    }
}

impl<E: Engine> Turn<E> {
    /// Takes a name that no other living actor has, until [`Turn::unregister`] or the
    /// actor's end, over restarts (OTP's `register`, Akka's receptionist). It is this
    /// actor's from the call on, and others see it when the turn succeeds.
    ///
    /// # Errors
    /// Why it is not this actor's.
    pub fn register(&mut self, name: &str) -> Result<(), NameError> {
        if !is_valid_registered_name(name) {
            return Err(NameError::BadName);
        }
        let (has, count) = self.cell.keep.lock().has_name(name);
        let held = self.held.get_or_insert_default();
        if has {
            // It may have been given back in this turn.
            held.names.remove(name);
            return Ok(());
        }
        if held.names.contains_key(name) {
            return Ok(());
        }
        let limit = self.cell.spec.limits.names;
        let taken = held.names.values();
        let taken = taken.filter(|change| matches!(change, NameChange::Take(_)));
        if count + taken.count() >= limit as usize {
            return Err(NameError::Quota { limit });
        }
        let name: Arc<str> = name.into();
        let node = &self.cell.node;
        if !node.registry.reserve_name(&name, self.cell.id) {
            return Err(NameError::Taken);
        }
        let cell = Some(self.cell.clone());
        let reserved = ReservedName {
            cell,
            name: name.clone(),
        };
        held.names.insert(name, NameChange::Take(reserved));
        Ok(())
    }

    /// Gives a name back when the turn succeeds. A name that is not this actor's is
    /// left alone.
    pub fn unregister(&mut self, name: &str) {
        if self.cell.keep.lock().has_name(name).0 {
            let held = self.held.get_or_insert_default();
            held.names.insert(name.into(), NameChange::GiveBack);
        } else if let Some(held) = &mut self.held {
            // Registered by this very turn: nobody has seen it.
            held.names.remove(name);
        }
    }

    /// The living actor under a path such as `/fleet/N14228`, or under a registered
    /// name, which has no `/`.
    pub fn lookup(&self, address: &str) -> Option<ActorId> {
        let held = self.held.as_ref();
        if let Some(NameChange::GiveBack) = held.and_then(|held| held.names.get(address)) {
            return None;
        }
        self.cell.node.lookup(address, Some(self.cell.id))
    }
}
