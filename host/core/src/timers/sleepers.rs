//! Who is woken when: in order of deadline, and of enlisting within one millisecond.
//!
//! Most sleepers never wake: every ask is one, and is taken out again by its answer.
//! So the millisecond that was enlisted in last is kept at hand, outside the tree,
//! and such a coming and going costs no work on it.

use std::{collections::BTreeMap, task::Waker};

#[derive(Default)]
pub(super) struct Sleepers {
    /// Without those at hand. None of them is empty.
    later: BTreeMap<u64, Moment>,
    hand: Moment,
    hand_ms: u64,
    count: usize,
}

/// Those of one millisecond, in order of their numbers.
#[derive(Default)]
struct Moment {
    sleepers: Vec<(u64, Option<Waker>)>,
    /// Those that are still there.
    count: usize,
}

impl Moment {
    /// Whether the sleeper is a new one.
    fn set(&mut self, seq: u64, waker: Waker) -> bool {
        // A new one has the highest number.
        if self.sleepers.last().is_none_or(|(last, _)| *last < seq) {
            self.sleepers.push((seq, Some(waker)));
            self.count += 1;
            return true;
        }
        match self.sleepers.binary_search_by_key(&seq, |(seq, _)| *seq) {
            Ok(at) => {
                let was = self.sleepers[at].1.replace(waker);
                self.count += usize::from(was.is_none());
                was.is_none()
            }
            Err(at) => {
                self.sleepers.insert(at, (seq, Some(waker)));
                self.count += 1;
                true
            }
        }
    }

    fn remove(&mut self, seq: u64) -> Option<Waker> {
        let at = match self.sleepers.last() {
            // Often the one that came last.
            Some((last, _)) if *last == seq => self.sleepers.len() - 1,
            _ => self.sleepers.binary_search_by_key(&seq, |it| it.0).ok()?,
        };
        let waker = self.sleepers[at].1.take()?;
        self.count -= 1;
        if self.count == 0 {
            self.sleepers.clear();
        } else if self.sleepers.len() > 2 * self.count + 16 {
            // Places of those that left, no more of them than of those that are there.
            self.sleepers.retain(|(_, waker)| waker.is_some());
        }
        Some(waker)
    }
}

impl Sleepers {
    /// Puts a sleeper in, or gives one that is there another waker.
    pub fn set(&mut self, at_ms: u64, seq: u64, waker: Waker) {
        if at_ms != self.hand_ms {
            self.put_down();
            self.hand_ms = at_ms;
            self.hand = self.later.remove(&at_ms).unwrap_or_default();
        }
        self.count += usize::from(self.hand.set(seq, waker));
    }

    /// Takes a sleeper out, if it is there.
    pub fn remove(&mut self, at_ms: u64, seq: u64) {
        let removed = if at_ms == self.hand_ms {
            self.hand.remove(seq)
        } else if let Some(moment) = self.later.get_mut(&at_ms) {
            let removed = moment.remove(seq);
            if moment.count == 0 {
                self.later.remove(&at_ms);
            }
            removed
        } else {
            None
        };
        self.count -= usize::from(removed.is_some());
    }

    /// What is at hand goes where the others are.
    fn put_down(&mut self) {
        let hand = std::mem::take(&mut self.hand);
        if hand.count > 0 {
            self.later.insert(self.hand_ms, hand);
        }
    }

    /// Takes those out whose deadline has come, in their order.
    pub fn take_due(&mut self, now_ms: u64) -> Vec<Waker> {
        if self.next_ms().is_none_or(|at_ms| at_ms > now_ms) {
            return Vec::new();
        }
        self.put_down();
        let later = match now_ms.checked_add(1) {
            Some(after_ms) => self.later.split_off(&after_ms),
            None => BTreeMap::new(),
        };
        let due = std::mem::replace(&mut self.later, later);
        self.hand = self.later.remove(&self.hand_ms).unwrap_or_default();
        let wakers = due.into_values().flat_map(|moment| moment.sleepers);
        let wakers: Vec<_> = wakers.filter_map(|(_, waker)| waker).collect();
        self.count -= wakers.len();
        wakers
    }

    /// The earliest deadline, if there is one.
    pub fn next_ms(&self) -> Option<u64> {
        let at_hand = (self.hand.count > 0).then_some(self.hand_ms);
        let later = self.later.keys().next().copied();
        at_hand.into_iter().chain(later).min()
    }

    pub fn len(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{
        sync::{
            Arc, Mutex,
            atomic::{AtomicU64, Ordering},
        },
        task::Wake,
    };

    /// Writes its number down when it is woken.
    struct Note(u64, Arc<Mutex<Vec<u64>>>);

    impl Wake for Note {
        fn wake(self: Arc<Self>) {
            self.1.lock().unwrap().push(self.0);
        }
    }

    #[derive(Debug, Clone)]
    enum Act {
        Sleep(u64),
        /// The how-manieth of those enlisted so far is polled again, or leaves.
        Again(usize),
        Leave(usize),
        Fire(u64),
    }

    fn acts() -> impl Strategy<Value = Vec<Act>> {
        let act = prop_oneof![
            4 => (0..6u64).prop_map(Act::Sleep),
            1 => any::<usize>().prop_map(Act::Again),
            4 => any::<usize>().prop_map(Act::Leave),
            1 => (0..3u64).prop_map(Act::Fire),
        ];
        proptest::collection::vec(act, 0..200)
    }

    proptest! {
        #[test]
        fn it_does_what_a_sorted_map_does(acts in acts()) {
            let woken = Arc::new(Mutex::new(Vec::new()));
            let seqs = AtomicU64::new(1);
            let (mut sleepers, mut model) = (Sleepers::default(), BTreeMap::new());
            let (mut all, mut now_ms) = (Vec::new(), 0);
            let waker = |seq| Waker::from(Arc::new(Note(seq, woken.clone())));
            for act in acts {
                match act {
                    Act::Sleep(ms) => {
                        let seq = seqs.fetch_add(1, Ordering::Relaxed);
                        let at_ms = now_ms + 1 + ms;
                        sleepers.set(at_ms, seq, waker(seq));
                        model.insert((at_ms, seq), ());
                        all.push((at_ms, seq));
                    }
                    Act::Again(nth) if !all.is_empty() => {
                        let (at_ms, seq) = all[nth % all.len()];
                        if model.contains_key(&(at_ms, seq)) {
                            sleepers.set(at_ms, seq, waker(seq));
                        }
                    }
                    Act::Leave(nth) if !all.is_empty() => {
                        let (at_ms, seq) = all[nth % all.len()];
                        sleepers.remove(at_ms, seq);
                        model.remove(&(at_ms, seq));
                    }
                    Act::Fire(ms) => {
                        now_ms += ms;
                        sleepers.take_due(now_ms).into_iter().for_each(Waker::wake);
                        let later = model.split_off(&(now_ms + 1, 0));
                        let due: Vec<u64> = model.keys().map(|(_, seq)| *seq).collect();
                        model = later;
                        prop_assert_eq!(&*woken.lock().unwrap(), &due);
                        woken.lock().unwrap().clear();
                    }
                    Act::Again(_) | Act::Leave(_) => {}
                }
                prop_assert_eq!(sleepers.len(), model.len());
                let next = model.keys().next().map(|(at_ms, _)| *at_ms);
                prop_assert_eq!(sleepers.next_ms(), next);
            }
        }
    }

    #[test]
    fn places_of_those_that_left_do_not_pile_up() {
        let mut sleepers = Sleepers::default();
        sleepers.set(5, 0, Waker::noop().clone());
        for seq in 1..10_000 {
            sleepers.set(5, seq, Waker::noop().clone());
            sleepers.remove(5, seq);
        }
        assert!(sleepers.hand.sleepers.len() < 32);
        assert_eq!(sleepers.len(), 1);
    }
}
