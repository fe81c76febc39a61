//! Groups: who hears what is published under a name (OTP's `pg`, on one node).
//!
//! A group exists while it has a member. Members are kept in order of joining.
//! Publishing takes a list of them and works without a lock, so that it holds up
//! neither another group nor those that join this one.

use crate::ActorId;
use parking_lot::RwLock;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::{
    collections::BTreeMap,
    hash::BuildHasher,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

const SHARDS: usize = 16;

/// Members by the number of their joining.
type Members = BTreeMap<u64, ActorId>;

/// All groups of a node.
pub(crate) struct Groups {
    shards: Vec<RwLock<FxHashMap<Arc<str>, Members>>>,
    joined: AtomicU64,
}

impl Groups {
    pub fn new() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
            joined: AtomicU64::new(0),
        }
    }

    fn shard(&self, group: &str) -> &RwLock<FxHashMap<Arc<str>, Members>> {
        let hash = FxBuildHasher.hash_one(group);
        &self.shards[(hash >> 32) as usize % SHARDS]
    }

    /// Adds a member; the number is for leaving. Whoever joins twice is in it twice.
    pub fn join(&self, group: &Arc<str>, member: ActorId) -> u64 {
        let mut shard = self.shard(group).write();
        // Given out under the lock, so that a group's numbers are in its order.
        let number = self.joined.fetch_add(1, Ordering::Relaxed);
        shard
            .entry(group.clone())
            .or_default()
            .insert(number, member);
        number
    }

    /// Takes a member out.
    pub fn leave(&self, group: &str, number: u64) {
        let mut shard = self.shard(group).write();
        if let Some(members) = shard.get_mut(group) {
            members.remove(&number);
            if members.is_empty() {
                shard.remove(group);
            }
        }
    }

    /// The members, in order of joining.
    pub fn members(&self, group: &str) -> Vec<ActorId> {
        let shard = self.shard(group).read();
        let members = shard.get(group);
        members.map_or_else(Vec::new, |members| members.values().copied().collect())
    }

    /// Every group with the number of its members, by name.
    pub fn all(&self) -> Vec<(Arc<str>, usize)> {
        let mut all: Vec<_> = Vec::new();
        for shard in &self.shards {
            let shard = shard.read();
            all.extend(
                shard
                    .iter()
                    .map(|(name, members)| (name.clone(), members.len())),
            );
        }
        all.sort();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a plain list: order of joining, whatever joins and leaves between.
        #[test]
        fn members_are_in_order_of_joining(steps in prop::collection::vec((0u64..8, any::<bool>()), 0..80)) {
            let groups = Groups::new();
            let name: Arc<str> = "g".into();
            let mut expected: Vec<(u64, u64)> = Vec::new();
            for (member, joins) in steps {
                if joins {
                    expected.push((member, groups.join(&name, ActorId(member))));
                } else if let Some(at) = expected.iter().position(|(id, _)| *id == member) {
                    groups.leave(&name, expected.remove(at).1);
                }
                let ids: Vec<_> = expected.iter().map(|(id, _)| ActorId(*id)).collect();
                prop_assert_eq!(groups.members("g"), ids);
            }
            // An empty group is gone.
            prop_assert_eq!(groups.all().len(), usize::from(!expected.is_empty()));
        }
    }
}
