//! Links: what ties the life of one actor to that of another (OTP's `link`).
//!
//! A link is kept on both sides, and both sides change under both locks, taken in
//! order of address: two that link or unlink each other at the same time neither wait
//! for each other nor leave half a link.
//!
//! The end of a life takes its links off and leaves each peer a signal. The peer looks
//! at it between two turns (`System::ExitSignal`), so a ring of any length dies one
//! actor at a time, and never on the stack of another.

use super::NodeInner;
use crate::{
    ActorId, Engine, ExitReason, Payload,
    actor::{Cell, Keep, System},
    mailbox::Letter,
};
use parking_lot::MutexGuard;
use rustc_hash::FxHashSet;
use std::{collections::VecDeque, sync::Arc};

/// Links of one life, and what came of them. Most actors have none.
#[derive(Default)]
pub(crate) struct Links {
    /// Those that this life is linked to.
    peers: FxHashSet<ActorId>,
    /// Whether ends of peers are heard as messages.
    traps: bool,
    /// Ends of peers that were not looked at yet, in order.
    signals: VecDeque<Signal>,
    /// Ends of peers that wait in the mailbox as notices, in order.
    notices: VecDeque<(ActorId, ExitReason)>,
}

/// The end of a linked peer.
pub(crate) struct Signal {
    pub who: ActorId,
    /// Its path, for people to read.
    pub path: Arc<str>,
    pub reason: ExitReason,
}

impl Links {
    fn is_idle(&self) -> bool {
        !self.traps && self.peers.is_empty() && self.signals.is_empty() && self.notices.is_empty()
    }

    fn forget(&mut self, peer: ActorId) {
        self.peers.remove(&peer);
        self.signals.retain(|signal| signal.who != peer);
        self.notices.retain(|(who, _)| *who != peer);
    }
}

impl Keep {
    fn links_mut(&mut self) -> &mut Links {
        self.links.get_or_insert_default()
    }

    /// Changes the links if there are any, and gives idle ones back.
    fn with_links<T>(&mut self, change: impl FnOnce(&mut Links) -> T) -> Option<T> {
        let links = self.links.as_deref_mut()?;
        let changed = change(links);
        if links.is_idle() {
            self.links = None;
        }
        Some(changed)
    }

    /// How many links there are.
    pub fn link_count(&self) -> usize {
        self.links.as_ref().map_or(0, |links| links.peers.len())
    }

    /// Whether there is a link to `peer`, or news of one that ended.
    pub fn knows_link(&self, peer: ActorId) -> bool {
        self.links.as_ref().is_some_and(|links| {
            links.peers.contains(&peer)
                || links.signals.iter().any(|signal| signal.who == peer)
                || links.notices.iter().any(|(who, _)| *who == peer)
        })
    }

    /// Whether there is a link to `peer` now.
    pub fn is_linked(&self, peer: ActorId) -> bool {
        self.links
            .as_ref()
            .is_some_and(|links| links.peers.contains(&peer))
    }

    /// Whether ends of peers are to be heard as messages, from now on.
    pub fn set_trap_exit(&mut self, traps: bool) {
        if traps {
            self.links_mut().traps = true;
        } else {
            self.with_links(|links| links.traps = false);
        }
    }

    /// The oldest signal that was not looked at, and whether this life traps.
    pub fn take_signal(&mut self) -> Option<(Signal, bool)> {
        self.with_links(|links| Some((links.signals.pop_front()?, links.traps)))
            .flatten()
    }

    /// The reason of the oldest notice of `who` that this life is to hear; none when
    /// it was unlinked meanwhile, or the notice was for an earlier life.
    pub fn take_exit_notice(&mut self, who: ActorId) -> Option<ExitReason> {
        self.with_links(|links| {
            let at = links.notices.iter().position(|(id, _)| *id == who)?;
            links.notices.remove(at).map(|(_, reason)| reason)
        })
        .flatten()
    }
}

/// What is kept of two actors, locked in order of address whoever asks.
fn lock_both<'c, E: Engine>(
    one: &'c Cell<E>,
    other: &'c Cell<E>,
) -> (MutexGuard<'c, Keep>, MutexGuard<'c, Keep>) {
    debug_assert_ne!(one.id, other.id, "an actor is not linked to itself");
    if one.id < other.id {
        let one = one.keep.lock();
        (one, other.keep.lock())
    } else {
        let other = other.keep.lock();
        (one.keep.lock(), other)
    }
}

impl<E: Engine> NodeInner<E> {
    /// Ties two lives together. A target that has ended meanwhile is a signal.
    pub fn link(&self, actor: &Arc<Cell<E>>, target: ActorId) {
        let linked = self.registry.get(target).is_some_and(|peer| {
            let (mut own, mut other) = lock_both(actor, &peer);
            if other.ended {
                return false;
            }
            own.links_mut().peers.insert(peer.id);
            other.links_mut().peers.insert(actor.id);
            true
        });
        if !linked {
            let signal = Signal {
                who: target,
                path: target.to_string().into(),
                reason: ExitReason::NoSuchActor,
            };
            actor.keep.lock().links_mut().signals.push_back(signal);
            actor.system(System::ExitSignal);
        }
    }

    /// Takes a link back, with every news of it that was not heard yet.
    pub fn unlink(&self, actor: &Arc<Cell<E>>, target: ActorId) {
        match self.registry.get(target) {
            Some(peer) => {
                let (mut own, mut other) = lock_both(actor, &peer);
                own.with_links(|links| links.forget(target));
                other.with_links(|links| links.peers.remove(&actor.id));
            }
            None => {
                actor.keep.lock().with_links(|links| links.forget(target));
            }
        }
    }

    /// A life ends with `reason`: its links and its trapping end with it, and each
    /// peer gets a signal.
    pub fn end_links(&self, actor: &Arc<Cell<E>>, reason: &ExitReason) {
        let peers: Vec<_> = {
            let mut keep = actor.keep.lock();
            keep.with_links(|links| {
                links.traps = false;
                links.signals.clear();
                links.notices.clear();
                links.peers.iter().copied().collect()
            })
            .unwrap_or_default()
        };
        for id in peers {
            // One that has ended took the link off before it left the registry.
            let Some(peer) = self.registry.get(id) else {
                continue;
            };
            let was_linked = {
                let (mut own, mut other) = lock_both(actor, &peer);
                own.with_links(|links| links.peers.remove(&id));
                let signal = Signal {
                    who: actor.id,
                    path: actor.path.clone(),
                    reason: reason.clone(),
                };
                other
                    .with_links(|links| {
                        let was_linked = links.peers.remove(&actor.id);
                        if was_linked {
                            links.signals.push_back(signal);
                        }
                        was_linked
                    })
                    .unwrap_or(false)
            };
            if was_linked {
                peer.system(System::ExitSignal);
            }
        }
    }

    /// A peer's end for one that traps: a notice that no bound refuses.
    pub fn tell_exit(&self, actor: &Arc<Cell<E>>, who: ActorId, reason: ExitReason) {
        actor
            .keep
            .lock()
            .links_mut()
            .notices
            .push_back((who, reason.clone()));
        let notice = Letter::notice(Payload::Exit { who, reason }, self.clock.now_ms());
        if actor.mailbox.push_notice(notice) {
            actor.notify();
        }
    }
}
