//! Changes of what an actor is tied to, held until its turn succeeds. They are kept
//! by what they change, so that one that is taken back again costs nothing and no
//! turn can hold more of them than its limits allow.

use crate::{ActorId, Engine, actor::Cell};
use rustc_hash::FxHashMap;
use std::{marker::PhantomData, sync::Arc};

/// The changes of one turn. Dropped unused, they did not happen.
pub(crate) struct Held<E: Engine> {
    /// Links made (true) and taken back (false).
    pub links: FxHashMap<ActorId, bool>,
    /// Whether exits are to be trapped, if the turn says so.
    pub traps: Option<bool>,
    engine: PhantomData<E>,
}

impl<E: Engine> Default for Held<E> {
    fn default() -> Self {
        Self {
            links: FxHashMap::default(),
            traps: None,
            engine: PhantomData,
        }
    }
}

impl<E: Engine> Held<E> {
    /// Carries the changes out.
    pub fn commit(self, cell: &Arc<Cell<E>>) {
        if let Some(traps) = self.traps {
            cell.keep.lock().set_trap_exit(traps);
        }
        for (target, linked) in self.links {
            if linked {
                cell.node.link(cell, target);
            } else {
                cell.node.unlink(cell, target);
            }
        }
    }
}
