//! The mailbox against a model that is a plain list.

use super::{ByteBudget, Closed, Displaced, Letter, Mailbox, Next, cost};
use crate::{
    ActorId, ExitReason, Payload,
    spec::{MailboxSpec, Overflow},
    turn::SendError,
};
use bytes::Bytes;
use proptest::{collection::vec, prelude::*};
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

const PRIORITIES: [(u32, u8); 2] = [(1, 5), (2, 9)];

#[derive(Debug, Clone)]
enum Step {
    /// Reserve for a message of this variant and size.
    Reserve {
        variant: u8,
        size: u8,
    },
    /// Wait in line for a place.
    Wait {
        variant: u8,
        size: u8,
    },
    /// Look whether the longest waiting sender has got one, and use it.
    LookAtLine,
    /// The longest waiting sender gives up.
    LeaveLine,
    /// Use the oldest reservation, or give it back.
    Push,
    Release,
    Notice,
    /// Take the next; handle it, stash it, or have it crash.
    Take,
    TakeAndStash,
    TakeAndCrash,
    Unstash,
    Drain,
    End,
}

fn step() -> impl Strategy<Value = Step> {
    let message = || (0u8..4, 1u8..40);
    prop_oneof![
        8 => message().prop_map(|(variant, size)| Step::Reserve { variant, size }),
        3 => message().prop_map(|(variant, size)| Step::Wait { variant, size }),
        3 => Just(Step::LookAtLine),
        1 => Just(Step::LeaveLine),
        8 => Just(Step::Push),
        1 => Just(Step::Release),
        1 => Just(Step::Notice),
        5 => Just(Step::Take),
        3 => Just(Step::TakeAndStash),
        2 => Just(Step::TakeAndCrash),
        2 => Just(Step::Unstash),
        1 => Just(Step::Drain),
        1 => Just(Step::End),
    ]
}

fn overflow() -> impl Strategy<Value = Overflow> {
    prop_oneof![
        Just(Overflow::Reject),
        Just(Overflow::Block { timeout_ms: 1 }),
        Just(Overflow::DropNewest),
        Just(Overflow::DropOldest),
        Just(Overflow::Unbounded),
    ]
}

/// One letter as the model knows it: its number, priority and cost; a notice costs
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    number: u64,
    priority: u8,
    cost: u64,
}

impl Entry {
    fn is_notice(self) -> bool {
        self.cost == 0
    }
}

/// The model: what waits in the order of arrival, brought-back ones first.
#[derive(Default)]
struct Model {
    waiting: Vec<Entry>,
    stash: Vec<Entry>,
    reserved: Vec<Entry>,
    /// Senders that wait or have not looked yet; the first `granted` were let in.
    in_line: Vec<Entry>,
    granted: usize,
    draining: bool,
    ended: bool,
}

impl Model {
    fn messages(&self) -> usize {
        self.waiting.iter().filter(|e| !e.is_notice()).count() + self.stash.len()
    }

    fn used(&self) -> u64 {
        let all = [&self.waiting, &self.stash, &self.reserved, &self.in_line];
        all.into_iter().flatten().map(|entry| entry.cost).sum()
    }

    fn taken(&self) -> usize {
        self.messages() + self.reserved.len() + self.granted
    }

    fn admit(&mut self, capacity: usize) {
        let open = !self.draining && !self.ended;
        while open && self.granted < self.in_line.len() && self.taken() < capacity {
            self.granted += 1;
        }
    }

    fn next(&self) -> Option<usize> {
        let highest = self.waiting.iter().map(|entry| entry.priority).max()?;
        self.waiting
            .iter()
            .position(|entry| entry.priority == highest)
    }

    fn oldest_of_lowest(&self) -> Option<usize> {
        let messages = || self.waiting.iter().filter(|entry| !entry.is_notice());
        let lowest = messages().map(|entry| entry.priority).min()?;
        self.waiting
            .iter()
            .position(|entry| entry.priority == lowest && !entry.is_notice())
    }
}

struct Bench {
    mailbox: Arc<Mailbox<()>>,
    budget: Arc<ByteBudget>,
    model: Model,
    waits: Vec<Pin<Box<super::Reservation<()>>>>,
    overflow: Overflow,
    capacity: usize,
    ranked: bool,
    numbers: u64,
}

fn number_of(letter: &Letter) -> u64 {
    letter.sender.id().expect("test letters are numbered").0
}

impl Bench {
    fn entry(&mut self, variant: u8, size: u8) -> (Entry, Bytes) {
        self.numbers += 1;
        let mut message = vec![0; usize::from(size)];
        message[0] = variant;
        let message = Bytes::from(message);
        let named = PRIORITIES.iter().find(|(v, _)| *v == u32::from(variant));
        let priority = if self.ranked {
            named.map_or(0, |(_, priority)| *priority)
        } else {
            0
        };
        let entry = Entry {
            number: self.numbers,
            priority,
            cost: cost(&message),
        };
        (entry, message)
    }

    fn letter(&self, entry: Entry) -> Letter {
        let payload = if entry.is_notice() {
            Payload::Down {
                who: ActorId(1),
                reason: ExitReason::Normal,
            }
        } else {
            let size = usize::try_from(entry.cost - super::OVERHEAD_BYTES).unwrap();
            let mut message = vec![0; size];
            let named = PRIORITIES.iter().find(|(_, p)| *p == entry.priority);
            message[0] = named.map_or(0, |(variant, _)| u8::try_from(*variant).unwrap());
            Payload::Message(message.into())
        };
        Letter {
            sender: Some(ActorId(entry.number)).into(),
            payload,
            reply: None,
            accepted_ms: entry.number,
            crashes: 0,
            tick: None,
        }
    }

    /// What the model says to a sender who asks for a place.
    fn expected(&self, cost: u64) -> Result<(), SendError> {
        let model = &self.model;
        let bounded = matches!(self.overflow, Overflow::Reject | Overflow::Block { .. });
        let line = model.granted < model.in_line.len();
        if model.draining || model.ended {
            Err(SendError::Stopped)
        } else if bounded && (model.taken() >= self.capacity || line) {
            Err(SendError::Full)
        } else if model.used() + cost > self.budget.max() {
            Err(SendError::Overloaded)
        } else {
            Ok(())
        }
    }

    fn run(&mut self, step: &Step) {
        match *step {
            Step::Reserve { variant, size } => {
                let (entry, message) = self.entry(variant, size);
                let expected = self.expected(entry.cost);
                assert_eq!(self.mailbox.reserve(cost(&message)), expected);
                if expected.is_ok() {
                    self.model.reserved.push(entry);
                }
            }
            Step::Wait { variant, size } => self.wait(variant, size),
            Step::LookAtLine => self.look_at_line(),
            Step::LeaveLine if !self.waits.is_empty() => {
                // It may have been let in already: then it gives the place back.
                drop(self.waits.remove(0));
                self.model.in_line.remove(0);
                self.model.granted = self.model.granted.saturating_sub(1);
                self.model.admit(self.capacity);
            }
            Step::Push if !self.model.reserved.is_empty() => self.push(),
            Step::Release if !self.model.reserved.is_empty() => {
                let entry = self.model.reserved.remove(0);
                self.mailbox.release(entry.cost);
                self.model.admit(self.capacity);
            }
            Step::Notice => {
                self.numbers += 1;
                let (number, priority) = (self.numbers, 0);
                let entry = Entry {
                    number,
                    priority,
                    cost: 0,
                };
                let accepted = self.mailbox.push_notice(self.letter(entry));
                assert_eq!(accepted, !self.model.ended);
                if accepted {
                    self.model.waiting.push(entry);
                }
            }
            Step::Take => {
                self.take();
            }
            Step::TakeAndStash => {
                if let Some((letter, entry)) = self.take() {
                    if entry.is_notice() {
                        return;
                    }
                    assert!(self.mailbox.stash(letter).is_ok());
                    self.model.stash.push(entry);
                }
            }
            Step::TakeAndCrash => {
                if let Some((letter, entry)) = self.take() {
                    if entry.is_notice() {
                        return;
                    }
                    assert!(self.mailbox.push_again(letter).is_ok());
                    self.model.waiting.insert(0, entry);
                }
            }
            Step::Unstash => {
                let count = self.model.stash.len();
                assert_eq!(self.mailbox.unstash_all() as usize, count);
                let stash = std::mem::take(&mut self.model.stash);
                self.model.waiting.splice(0..0, stash);
            }
            Step::Drain => {
                self.mailbox.drain();
                self.model.draining = true;
            }
            Step::End => self.end(),
            Step::LeaveLine | Step::Push | Step::Release => {}
        }
    }

    fn wait(&mut self, variant: u8, size: u8) {
        let (entry, message) = self.entry(variant, size);
        let expected = self.expected(entry.cost);
        let mut wait = Box::pin(self.mailbox.reserve_or_wait(cost(&message)));
        match poll(&mut wait) {
            Poll::Ready(Ok(())) => {
                assert_eq!(expected, Ok(()));
                self.model.reserved.push(entry);
            }
            Poll::Ready(Err(SendError::Overloaded)) => {
                let no_bytes = self.model.used() + entry.cost > self.budget.max();
                assert!(no_bytes, "refused for bytes only where there are none");
            }
            Poll::Ready(Err(error)) => assert_eq!(Err(error), expected),
            Poll::Pending => {
                assert_eq!(expected, Err(SendError::Full));
                self.waits.push(wait);
                self.model.in_line.push(entry);
            }
        }
    }

    fn look_at_line(&mut self) {
        let Some(wait) = self.waits.first_mut() else {
            return;
        };
        let decided = poll(wait);
        let entry = self.model.in_line[0];
        match decided {
            Poll::Pending => {
                assert_eq!(self.model.granted, 0);
                return;
            }
            Poll::Ready(Ok(())) => {
                assert!(self.model.granted > 0);
                self.model.granted -= 1;
                self.model.reserved.push(entry);
            }
            Poll::Ready(Err(error)) => {
                assert_eq!((error, self.model.granted), (SendError::Stopped, 0));
                assert!(self.model.draining || self.model.ended);
            }
        }
        self.waits.remove(0);
        self.model.in_line.remove(0);
    }

    fn push(&mut self) {
        let entry = self.model.reserved.remove(0);
        let displaced = self.mailbox.push_reserved(self.letter(entry));
        let model = &mut self.model;
        let full = model.messages() >= self.capacity;
        match (self.overflow, displaced.map(|displaced| *displaced)) {
            (_, Some(Displaced::Ended(letter))) => {
                assert!(model.ended && number_of(&letter) == entry.number);
            }
            (Overflow::DropNewest, Some(Displaced::Newest(letter))) => {
                assert!(full && number_of(&letter) == entry.number);
            }
            (Overflow::DropOldest, Some(Displaced::Oldest(letter))) => {
                assert!(full);
                let gone = match model.oldest_of_lowest() {
                    Some(index) => model.waiting.remove(index),
                    None => model.stash.remove(0),
                };
                assert_eq!(number_of(&letter), gone.number);
                model.waiting.push(entry);
            }
            (overflow, None) => {
                let drops = matches!(overflow, Overflow::DropNewest | Overflow::DropOldest);
                assert!(!(model.ended || full && drops));
                model.waiting.push(entry);
            }
            (overflow, Some(_)) => panic!("{overflow:?} does not displace like this"),
        }
    }

    fn take(&mut self) -> Option<(Letter, Entry)> {
        match (self.mailbox.next(true), self.model.next()) {
            (Next::User(letter), Some(index)) => {
                let entry = self.model.waiting.remove(index);
                assert_eq!(number_of(&letter), entry.number);
                self.model.admit(self.capacity);
                Some((letter, entry))
            }
            (Next::Empty, None) => None,
            (Next::User(letter), None) => panic!("{} from nowhere", number_of(&letter)),
            (_, expected) => panic!("{expected:?} was to come"),
        }
    }

    fn end(&mut self) {
        let (_, letters) = self.mailbox.end(ExitReason::Shutdown);
        let mut expected: Vec<_> = self.model.stash.drain(..).collect();
        expected.append(&mut self.model.waiting);
        let mut expected: Vec<_> = expected.iter().map(|entry| entry.number).collect();
        let mut letters: Vec<_> = letters.iter().map(number_of).collect();
        expected.sort_unstable();
        letters.sort_unstable();
        assert_eq!(letters, expected);
        (self.model.ended, self.model.draining) = (true, true);
    }

    /// What must hold after each step.
    fn check(&self) {
        let model = &self.model;
        assert_eq!(self.budget.used(), model.used());
        assert_eq!(self.mailbox.len(), model.waiting.len());
        assert_eq!(self.mailbox.is_empty(), model.waiting.is_empty());
        assert_eq!(self.mailbox.stashed() as usize, model.stash.len());
        assert_eq!(self.mailbox.has_next(true), !model.waiting.is_empty());
        match self.mailbox.closed() {
            None => assert!(!model.draining && !model.ended),
            Some(Closed::Draining) => assert!(model.draining && !model.ended),
            Some(Closed::Ended(_)) => assert!(model.ended),
        }
    }
}

fn poll<F: Future>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_mailbox_does_what_its_model_does_and_leaks_no_byte(
        overflow in overflow(),
        capacity in 1u32..6,
        ranked: bool,
        budget_max in prop_oneof![Just(u64::MAX), 100u64..800],
        steps in vec(step(), 0..200),
    ) {
        let budget = Arc::new(ByteBudget::new(budget_max));
        let spec = MailboxSpec {
            capacity,
            overflow,
            priorities: if ranked { Arc::from(PRIORITIES) } else { Arc::from([]) },
        };
        let mut bench = Bench {
            mailbox: Arc::new(Mailbox::new(spec, budget.clone())),
            budget: budget.clone(),
            model: Model::default(),
            waits: Vec::new(),
            overflow,
            capacity: capacity as usize,
            ranked,
            numbers: 0,
        };
        for step in &steps {
            bench.run(step);
            bench.check();
        }
        bench.end();
        for entry in std::mem::take(&mut bench.model.reserved) {
            if entry.number % 2 == 0 {
                bench.mailbox.release(entry.cost);
            } else {
                let back = bench.mailbox.push_reserved(bench.letter(entry));
                prop_assert!(back.is_some_and(|back| matches!(*back, Displaced::Ended(_))));
            }
        }
        bench.waits.clear();
        prop_assert_eq!(budget.used(), 0);
    }
}
