//! A mailbox as a plain list: what should be in it, in which order, and what it
//! should refuse or drop. Written from the promises, and compared with the machine
//! step by step.

use super::items::How;
use actorhost_core::{
    ActorId, MailboxSpec, Overflow, SendError,
    dead_letters::DeadReason::{self, self as Why},
    mailbox::cost,
};
use bytes::Bytes;
use std::collections::{HashMap, VecDeque};

/// A message as the model keeps it.
#[derive(Debug, Clone)]
pub struct Entry {
    pub seq: u64,
    pub rank: usize,
    pub bytes: Bytes,
    crashes: u32,
}

impl Entry {
    pub fn new(seq: u64, rank: usize, bytes: Bytes) -> Self {
        Self {
            seq,
            rank,
            bytes,
            crashes: 0,
        }
    }
}

/// What should come of a tell.
#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    Ok,
    Refused(SendError),
    /// It waits for room.
    Waits,
}

/// All mailboxes of a world.
pub struct Model {
    pub bytes: u64,
    pub bytes_max: u64,
    pub boxes: HashMap<ActorId, ModelBox>,
}

/// One mailbox.
pub struct ModelBox {
    spec: MailboxSpec,
    attempts: u32,
    stash_max: u32,
    /// By rank.
    queues: [VecDeque<Entry>; 3],
    stash: VecDeque<Entry>,
    /// Senders that wait for room, and those that have a place.
    line: VecDeque<Entry>,
    admitted: Vec<Entry>,
    in_hand: Option<Entry>,
    /// What should become a dead letter at once, and why.
    due: VecDeque<(Entry, DeadReason)>,
    instances: u32,
    closed: bool,
    pub gone: bool,
}

impl ModelBox {
    pub fn new(spec: MailboxSpec, attempts: u32, stash_max: u32) -> Self {
        Self {
            spec,
            attempts,
            stash_max,
            queues: Default::default(),
            stash: VecDeque::new(),
            line: VecDeque::new(),
            admitted: Vec::new(),
            in_hand: None,
            due: VecDeque::new(),
            instances: 1,
            closed: false,
            gone: false,
        }
    }

    fn waiting(&self) -> usize {
        self.stash.len() + self.queues.iter().map(VecDeque::len).sum::<usize>()
    }

    fn is_full(&self) -> bool {
        self.waiting() + self.admitted.len() >= self.spec.capacity as usize
    }

    fn blocks(&self) -> bool {
        matches!(self.spec.overflow, Overflow::Block { .. })
    }

    fn admit(&mut self) {
        while self.blocks() && !self.closed && !self.is_full() && !self.line.is_empty() {
            self.admitted.extend(self.line.pop_front());
        }
    }

    fn bring_back(&mut self) {
        while let Some(entry) = self.stash.pop_back() {
            self.queues[entry.rank].push_front(entry);
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        self.queues.iter_mut().rev().find_map(VecDeque::pop_front)
    }

    /// How long a sender waits for room, in milliseconds.
    pub fn timeout_ms(&self) -> u64 {
        match self.spec.overflow {
            Overflow::Block { timeout_ms } => timeout_ms,
            _ => 0,
        }
    }

    /// Whether nothing waits for its turn; the stash may hold something.
    pub fn is_settled(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty) && self.in_hand.is_none() && self.due.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.is_settled() && self.stash.is_empty() && self.line.is_empty()
    }
}

fn price(entry: &Entry) -> u64 {
    cost(&entry.bytes)
}

impl Model {
    fn at(&mut self, id: ActorId) -> &mut ModelBox {
        self.boxes.get_mut(&id).expect("a modelled actor")
    }

    /// A message comes from outside.
    pub fn tell(&mut self, id: ActorId, mut entry: Entry) -> Told {
        if self.at(id).spec.priorities.is_empty() {
            entry.rank = 0;
        }
        let fits = self.bytes + price(&entry) <= self.bytes_max;
        let it = self.at(id);
        if it.closed {
            it.due.push_back((entry, Why::Stopped));
            return Told::Refused(SendError::Stopped);
        }
        let bounded = matches!(it.spec.overflow, Overflow::Reject | Overflow::Block { .. });
        let full = bounded && (it.is_full() || !it.line.is_empty());
        if full && !it.blocks() {
            return Told::Refused(SendError::Full);
        }
        if !fits {
            return Told::Refused(SendError::Overloaded);
        }
        let price = price(&entry);
        if full {
            it.line.push_back(entry);
            self.bytes += price;
            return Told::Waits;
        }
        self.bytes += price;
        self.put(id, entry);
        Told::Ok
    }

    fn put(&mut self, id: ActorId, entry: Entry) {
        let it = self.at(id);
        let full = it.waiting() >= it.spec.capacity as usize;
        let dropped = match it.spec.overflow {
            Overflow::DropNewest if full => Some((entry, Why::DropNewest)),
            Overflow::DropOldest if full => {
                let lowest = it.queues.iter_mut().find_map(VecDeque::pop_front);
                let oldest = lowest.or_else(|| it.stash.pop_front());
                it.queues[entry.rank].push_back(entry);
                oldest.map(|oldest| (oldest, Why::DropOldest))
            }
            _ => {
                it.queues[entry.rank].push_back(entry);
                None
            }
        };
        if let Some((entry, why)) = dropped {
            let price = price(&entry);
            self.at(id).due.push_back((entry, why));
            self.bytes -= price;
        }
    }

    /// A tell that waited is over.
    pub fn waited(&mut self, id: ActorId, seq: u64, result: &Result<(), SendError>, late: bool) {
        let it = self.at(id);
        let place = it.admitted.iter().position(|entry| entry.seq == seq);
        let line = it.line.iter().position(|entry| entry.seq == seq);
        let entry = match (place, line) {
            (Some(at), _) => it.admitted.remove(at),
            (None, Some(at)) => it.line.remove(at).expect("it is there"),
            (None, None) => panic!("{seq} did not wait"),
        };
        match result {
            Ok(()) => {
                assert!(place.is_some(), "{seq} has no place, yet it came in");
                self.put(id, entry);
            }
            Err(SendError::Full) => {
                assert!(late, "{seq} was refused before its time");
                assert!(place.is_none(), "{seq} had a place");
                self.bytes -= price(&entry);
            }
            Err(SendError::Stopped) => {
                assert!(it.closed, "{id} takes messages");
                let price = price(&entry);
                it.due.push_back((entry, Why::Stopped));
                self.bytes -= price;
            }
            Err(other) => panic!("{seq}: {other}"),
        }
        self.at(id).admit();
    }

    /// A life begins where none was: what was put aside comes back.
    pub fn made(&mut self, id: ActorId) {
        let it = self.at(id);
        it.instances += 1;
        assert!(it.instances <= 2, "{id} lives three times at once");
        if it.instances == 1 {
            assert!(it.in_hand.is_none(), "{id}: {:?} is in hand", it.in_hand);
            it.bring_back();
        }
    }

    pub fn dropped(&mut self, id: ActorId) {
        self.at(id).instances -= 1;
    }

    pub fn begun(&mut self, id: ActorId, seq: u64) {
        let it = self.at(id);
        assert_eq!(it.instances, 1, "{id} handles with one instance");
        assert!(it.in_hand.is_none(), "{id} handles two at once");
        let next = it.pop().unwrap_or_else(|| panic!("{id} has no {seq}"));
        assert_eq!(next.seq, seq, "{id} takes them out of order");
        let price = price(&next);
        it.in_hand = Some(next);
        it.admit();
        self.bytes -= price;
    }

    pub fn over(&mut self, id: ActorId, seq: u64, how: How) {
        let it = self.at(id);
        let mut entry = it.in_hand.take().expect("it was begun");
        assert_eq!(entry.seq, seq);
        let full = |it: &ModelBox| it.stash.len() >= it.stash_max as usize;
        let back = match how {
            How::Done { unstash, drain } => {
                if unstash {
                    it.bring_back();
                }
                if drain {
                    it.closed = true;
                }
                return;
            }
            How::NotStashed { unstash } => {
                assert!(!unstash && full(it), "{id} had room in its stash");
                return;
            }
            How::Stashed { unstash } => {
                if unstash {
                    it.bring_back();
                }
                assert!(!full(it), "{id} has no room in its stash");
                let price = price(&entry);
                it.stash.push_back(entry);
                price
            }
            How::Crashed => {
                entry.crashes += 1;
                if entry.crashes >= it.attempts {
                    let why = if it.attempts > 1 {
                        Why::Poison
                    } else {
                        Why::Crashed
                    };
                    it.due.push_back((entry, why));
                    return;
                }
                let price = price(&entry);
                it.queues[entry.rank].push_front(entry);
                price
            }
        };
        self.bytes += back;
    }

    /// A message became a dead letter.
    pub fn buried(&mut self, id: ActorId, seq: u64, reason: DeadReason) {
        let it = self.at(id);
        if let Some((entry, why)) = it.due.pop_front() {
            assert_eq!(entry.seq, seq, "{id}: another was due, for {why:?}");
            assert_eq!(reason, why, "{seq}");
            return;
        }
        if reason == Why::Killed {
            let entry = it.in_hand.take().expect("a kill loses what is in hand");
            assert_eq!(entry.seq, seq);
            return;
        }
        assert_eq!(reason, Why::Stopped, "{seq}");
        it.closed = true;
        let next = it.stash.pop_front().or_else(|| it.pop());
        let entry = next.expect("it was in the mailbox");
        assert_eq!(entry.seq, seq, "{id} buries what it had in order");
        self.bytes -= price(&entry);
    }

    /// The actor has ended.
    pub fn ended(&mut self, id: ActorId) {
        let it = self.at(id);
        it.closed = true;
        it.gone = true;
        assert_eq!(
            it.waiting(),
            0,
            "{id}: something was neither handled nor buried"
        );
        assert!(it.in_hand.is_none());
    }
}
