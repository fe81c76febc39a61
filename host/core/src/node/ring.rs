//! A ring of those that may be put to sleep, which keeps nobody alive.
//!
//! Even a weak reference holds the memory of what it was to. So the ring throws away
//! what has ended, each time that it has doubled: a constant cost for each newcomer.

use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
};

/// Below this length nothing is thrown away.
const SWEEP_AT_MIN: usize = 64;

pub(super) struct Ring<T> {
    members: VecDeque<Weak<T>>,
    sweep_at: usize,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self {
            members: VecDeque::new(),
            sweep_at: SWEEP_AT_MIN,
        }
    }
}

impl<T> Ring<T> {
    pub fn push(&mut self, member: &Arc<T>) {
        if self.members.len() >= self.sweep_at {
            self.members.retain(|member| member.strong_count() > 0);
            self.sweep_at = SWEEP_AT_MIN.max(2 * self.members.len());
        }
        self.members.push_back(Arc::downgrade(member));
    }

    /// The one whose turn it is.
    pub fn pop(&mut self) -> Option<Weak<T>> {
        self.members.pop_front()
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_those_that_have_ended() {
        let mut ring = Ring::default();
        let living: Vec<_> = (0..100).map(Arc::new).collect();
        living.iter().for_each(|member| ring.push(member));
        for n in 0..100_000 {
            ring.push(&Arc::new(n));
            assert!(ring.len() <= 2 * (living.len() + 1), "{}", ring.len());
        }
        let left: Vec<_> = std::iter::from_fn(|| ring.pop())
            .filter_map(|member| member.upgrade())
            .collect();
        assert_eq!(left, living, "the others are there, in their order");
    }
}
