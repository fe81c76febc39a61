//! Changes of what an actor is tied to, held until its turn succeeds. They are kept
//! by what they change, so that one that is taken back again costs nothing and no
//! turn can hold more of them than its limits allow.

use super::names::NameChange;
use crate::{ActorId, Engine, actor::Cell};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The changes of one turn. Dropped unused, they did not happen.
pub(crate) struct Held<E: Engine> {
    /// Links made (true) and taken back (false).
    pub links: FxHashMap<ActorId, bool>,
    /// Whether exits are to be trapped, if the turn says so.
    pub traps: Option<bool>,
    /// Names taken and given back.
    pub names: FxHashMap<Arc<str>, NameChange<E>>,
    /// Groups joined (true) and left (false).
    pub groups: FxHashMap<Arc<str>, bool>,
}

impl<E: Engine> Default for Held<E> {
    fn default() -> Self {
        Self {
            links: FxHashMap::default(),
            traps: None,
            names: FxHashMap::default(),
            groups: FxHashMap::default(),
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
        for (name, change) in self.names {
            match change {
                NameChange::Take(reserved) => reserved.show(),
                NameChange::GiveBack => {
                    cell.keep.lock().known_by_mut().names.remove(&name);
                    cell.node.registry.release_name(&name);
                }
            }
        }
        for (group, joins) in self.groups {
            let known = &mut cell.keep.lock();
            let known = known.known_by_mut();
            if joins {
                let number = cell.node.groups.join(&group, cell.id);
                known.groups.insert(group, number);
            } else if let Some(number) = known.groups.remove(&group) {
                cell.node.groups.leave(&group, number);
            }
        }
    }
}
