//! Rings of actors that wait for each other.

use crate::ActorId;
use rustc_hash::FxHashSet;

/// Longer chains are not followed: their asks end by their timeouts.
pub const CHAIN_MAX: usize = 10_000;

/// The edges of the ring that leads from `start` back to it, in order. `edge` gives
/// whom an actor waits for, none when it does not wait.
///
/// A ring that `start` only leads into is not its business: whoever closed that one
/// finds it.
pub fn find_ring<T>(
    start: ActorId,
    mut edge: impl FnMut(ActorId) -> Option<(ActorId, T)>,
) -> Option<Vec<T>> {
    let mut seen = FxHashSet::default();
    let mut edges = Vec::new();
    let mut at = start;
    while seen.insert(at) && edges.len() < CHAIN_MAX {
        let (next, passed) = edge(at)?;
        edges.push(passed);
        if next == start {
            return Some(edges);
        }
        at = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// In any graph in which each waits for one at most: a ring is found exactly
        /// when following the edges leads back to the start.
        #[test]
        fn a_ring_is_found_when_there_is_one(
            edges in prop::collection::vec(prop::option::of(0u64..12), 12),
            start in 0u64..12,
        ) {
            let next = |at: u64| edges[at as usize];
            let found = find_ring(ActorId(start), |at| {
                next(at.0).map(|to| (ActorId(to), at.0))
            });
            let mut walk = std::iter::successors(next(start), |&at| next(at)).take(12);
            prop_assert_eq!(found.is_some(), walk.any(|at| at == start));
            if let Some(ring) = found {
                prop_assert_eq!(ring[0], start);
                prop_assert_eq!(next(*ring.last().unwrap()), Some(start));
                prop_assert!(ring.windows(2).all(|pair| next(pair[0]) == Some(pair[1])));
            }
        }
    }
}
