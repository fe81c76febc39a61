//! The order in which user messages are taken.
//!
//! Without priorities one queue, first in, first out. With priorities a queue for
//! each, so that the order of one sender holds within a priority. Notices have
//! priority 0 and are never dropped for room.

use super::Letter;
use crate::{Payload, policy::priority::priority};
use std::collections::VecDeque;

pub(super) enum Queue {
    Plain(VecDeque<Letter>),
    Ranked(Box<Ranked>),
}

pub(super) struct Ranked {
    /// Sorted by variant.
    of_variants: Vec<(u32, u8)>,
    /// From the highest priority to the lowest; that of 0 is always there.
    ranks: Vec<(u8, VecDeque<Letter>)>,
}

impl Ranked {
    fn new(priorities: &[(u32, u8)]) -> Self {
        let mut of_variants = priorities.to_vec();
        of_variants.sort_unstable();
        let mut ranks: Vec<u8> = of_variants.iter().map(|(_, rank)| *rank).collect();
        ranks.push(0);
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.dedup();
        Self {
            of_variants,
            ranks: ranks
                .into_iter()
                .map(|rank| (rank, VecDeque::new()))
                .collect(),
        }
    }

    fn rank_of(&mut self, letter: &Letter) -> &mut VecDeque<Letter> {
        let rank = match &letter.payload {
            Payload::Message(message) => priority(&self.of_variants, message),
            _ => 0,
        };
        let index = self.ranks.iter().position(|(other, _)| *other == rank);
        &mut self.ranks[index.expect("every priority of the spec has a queue")].1
    }
}

impl Queue {
    pub fn new(priorities: &[(u32, u8)]) -> Self {
        if priorities.is_empty() {
            Self::Plain(VecDeque::new())
        } else {
            Self::Ranked(Box::new(Ranked::new(priorities)))
        }
    }

    #[inline]
    pub fn push_back(&mut self, letter: Letter) {
        match self {
            Self::Plain(letters) => letters.push_back(letter),
            Self::Ranked(ranked) => ranked.rank_of(&letter).push_back(letter),
        }
    }

    /// Before all others of its priority.
    pub fn push_front(&mut self, letter: Letter) {
        match self {
            Self::Plain(letters) => letters.push_front(letter),
            Self::Ranked(ranked) => ranked.rank_of(&letter).push_front(letter),
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Letter> {
        match self {
            Self::Plain(letters) => letters.pop_front(),
            Self::Ranked(ranked) => ranked
                .ranks
                .iter_mut()
                .find_map(|(_, letters)| letters.pop_front()),
        }
    }

    /// Takes the oldest message of the lowest priority out.
    pub fn evict(&mut self) -> Option<Letter> {
        match self {
            Self::Plain(letters) => evict(letters),
            Self::Ranked(ranked) => ranked
                .ranks
                .iter_mut()
                .rev()
                .find_map(|(_, letters)| evict(letters)),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Plain(letters) => letters.len(),
            Self::Ranked(ranked) => ranked.ranks.iter().map(|(_, letters)| letters.len()).sum(),
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Plain(letters) => letters.is_empty(),
            Self::Ranked(ranked) => ranked.ranks.iter().all(|(_, letters)| letters.is_empty()),
        }
    }

    /// When the oldest was accepted.
    pub fn oldest_accepted_ms(&self) -> Option<u64> {
        let accepted_ms = |letters: &VecDeque<Letter>| Some(letters.front()?.accepted_ms);
        match self {
            Self::Plain(letters) => accepted_ms(letters),
            Self::Ranked(ranked) => ranked
                .ranks
                .iter()
                .filter_map(|(_, letters)| accepted_ms(letters))
                .min(),
        }
    }
}

/// Takes the first message out and leaves the notices before it.
fn evict(letters: &mut VecDeque<Letter>) -> Option<Letter> {
    let first = letters
        .iter()
        .position(|letter| matches!(letter.payload, Payload::Message(_)))?;
    letters.remove(first)
}
