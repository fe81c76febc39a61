//! Links and the trapping of exits, as a turn asks for them.

use super::Turn;
use crate::{ActorId, Engine};

/// Why two actors were not linked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// An actor cannot be linked to itself.
    #[error("oneself")]
    Oneself,
    /// No living actor has this address.
    #[error("no-such-actor")]
    NoSuchActor,
    /// The actor has as many links as its spec allows.
    #[error("quota: the limit is {limit} links")]
    Quota {
        /// The limit.
        limit: u32,
    },
}

impl<E: Engine> Turn<E> {
    /// Ties this actor's life to another's when the turn succeeds: when one of the
    /// two ends abnormally or by a shutdown, so does the other, unless it traps exits
    /// (OTP's `link`). Linking twice is linking once. A target that ends before the
    /// turn does is a signal with the reason `no-such-actor`.
    ///
    /// # Errors
    /// Why the two will not be linked.
    pub fn link(&mut self, target: ActorId) -> Result<(), LinkError> {
        if target == self.cell.id {
            return Err(LinkError::Oneself);
        }
        if self.cell.node.registry.get(target).is_none() {
            return Err(LinkError::NoSuchActor);
        }
        let limit = self.cell.spec.limits.links;
        let (linked, count) = {
            let keep = self.cell.keep.lock();
            (keep.is_linked(target), keep.link_count())
        };
        let held = self.held.get_or_insert_default();
        // The link that is there already, or that this turn has made, counts once.
        if !linked && held.links.get(&target) != Some(&true) {
            let made = held.links.values().filter(|made| **made).count();
            if count + made >= limit as usize {
                return Err(LinkError::Quota { limit });
            }
        }
        held.links.insert(target, true);
        Ok(())
    }

    /// Takes a link back when the turn succeeds. Nothing of it is heard afterwards.
    pub fn unlink(&mut self, target: ActorId) {
        let known = self.cell.keep.lock().knows_link(target);
        match &mut self.held {
            Some(held) if held.links.contains_key(&target) => {
                held.links.insert(target, false);
            }
            held if known => {
                held.get_or_insert_default().links.insert(target, false);
            }
            _ => {}
        }
    }

    /// Whether this life hears of ends of linked actors as messages instead of ending
    /// itself, from the end of this turn on (OTP's process flag `trap_exit`).
    pub fn trap_exit(&mut self, yes: bool) {
        self.held.get_or_insert_default().traps = Some(yes);
    }
}
