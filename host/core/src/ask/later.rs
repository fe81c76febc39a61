//! Questions whose replies come as messages (Akka's pipe-to-self).

use super::{Answer, Outcome};
use crate::{
    AskError, Engine, Payload, actor::Cell, dead_letters::DeadReason, mailbox::Letter,
    timers::Sleep,
};
use rustc_hash::FxHashMap;
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Wake, Waker},
};

/// The questions of one life that are under way, by number. Dropped with the life:
/// replies that come afterwards are late.
#[derive(Default)]
pub(crate) struct LaterAsks(FxHashMap<u64, UnderWay>);

struct UnderWay {
    answer: Answer,
    /// The timeout; none until the turn that asks has succeeded.
    timeout: Option<Sleep>,
}

impl LaterAsks {
    /// Adds a question that leaves when its turn succeeds.
    pub fn hold(&mut self, ask: u64, answer: Answer) {
        let timeout = None;
        self.0.insert(ask, UnderWay { answer, timeout });
    }

    /// Takes a question out, with what is known of its outcome.
    pub fn take(&mut self, ask: u64) -> Option<Outcome> {
        let under_way = self.0.remove(&ask)?;
        let outcome = under_way.answer.give_up();
        Some(outcome.unwrap_or(Err(AskError::Timeout)))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Woken by the answer or by the timeout, whichever is first.
struct Outcomes<E: Engine> {
    cell: Weak<Cell<E>>,
    ask: u64,
}

impl<E: Engine> Wake for Outcomes<E> {
    fn wake(self: Arc<Self>) {
        if let Some(cell) = self.cell.upgrade() {
            cell.ask_is_over(self.ask);
        }
    }
}

impl<E: Engine> Cell<E> {
    /// A held question leaves: from now on its outcome is waited for.
    pub(crate) fn begin_later_ask(self: &Arc<Self>, ask: u64, timeout_ms: u64) {
        let waker = Waker::from(Arc::new(Outcomes {
            cell: Arc::downgrade(self),
            ask,
        }));
        let mut keep = self.keep.lock();
        let Some(under_way) = keep.belongings().asks.0.get_mut(&ask) else {
            return;
        };
        // Never ready: the question has not left yet.
        let _ = Pin::new(&mut under_way.answer).poll(&mut Context::from_waker(&waker));
        let at_ms = self.node.clock.now_ms().saturating_add(timeout_ms);
        under_way.timeout = Some(self.node.timers.alarm(at_ms, waker));
    }

    fn ask_is_over(self: &Arc<Self>, ask: u64) {
        let taken = match &mut self.keep.lock().belongings {
            Some(belongings) => belongings.asks.take(ask),
            None => None,
        };
        // None: it is over already, or its life is.
        let Some(outcome) = taken else { return };
        if outcome == Err(AskError::Timeout) {
            self.node.stats.ask_timed_out();
        }
        let notice = Letter::notice(
            Payload::Reply {
                ask,
                outcome: Box::new(outcome.clone()),
            },
            self.node.clock.now_ms(),
        );
        if self.mailbox.push_notice(notice) {
            self.notify();
        } else {
            self.bury_outcome(outcome);
        }
    }

    /// Whether this life asked the question; an outcome for an earlier one is late.
    pub(crate) fn asked_by_this_life(self: &Arc<Self>, ask: u64) -> bool {
        ask > self.keep.lock().numbers_before
    }

    /// An outcome whose life has ended: a reply among them is a dead letter.
    pub(crate) fn bury_outcome(self: &Arc<Self>, outcome: Outcome) {
        let Ok(reply) = outcome else { return };
        let detail = "the life that asked has ended".into();
        self.node
            .bury(self, None, reply, DeadReason::LateReply, detail);
    }
}
