//! Turns, lives and time, as a node would keep them.

use super::MockNode;
use crate::{AskId, TimerId, testing::Effect};

/// What the actor handles now.
#[derive(Debug, Clone, Copy)]
pub(in crate::testing) struct Handling {
    /// Whether it is a message that may still be stashed; else a notice.
    pub(in crate::testing) message: bool,
    /// Whether somebody waits for the reply that `handle` returns.
    pub(in crate::testing) wants_reply: bool,
}

impl Default for Handling {
    fn default() -> Self {
        Self {
            message: true,
            wants_reply: false,
        }
    }
}

/// What ends with a life.
#[derive(Clone, Default)]
pub(in crate::testing) struct LifeOnly {
    /// In the order in which they were set.
    pub(in crate::testing) timers: Vec<Timer>,
    /// Questions under way and when they time out.
    pub(in crate::testing) asks: Vec<(AskId, u64)>,
    /// Questions kept open.
    pub(in crate::testing) tokens: Vec<u64>,
}

/// A timer that is set.
#[derive(Clone)]
pub(in crate::testing) struct Timer {
    pub(in crate::testing) id: TimerId,
    pub(in crate::testing) key: Option<String>,
    pub(in crate::testing) message: Vec<u8>,
    /// In virtual time.
    pub(in crate::testing) due_ms: u64,
    pub(in crate::testing) every_ms: Option<u64>,
}

/// Something whose time has come.
pub(in crate::testing) enum Due {
    /// A timer's message.
    Message(Vec<u8>),
    /// A question without an answer.
    Timeout(AskId),
}

impl MockNode {
    /// A number for a child, a timer, a question or a token.
    pub(in crate::testing) fn next_number(&self) -> u64 {
        let mut state = self.state();
        state.handed_out += 1;
        state.handed_out
    }

    pub(in crate::testing) fn begin_turn(&self, handling: Handling) {
        self.state().handling = handling;
    }

    /// A turn succeeded, or asked for it: nothing done so far can be undone.
    pub(in crate::testing) fn release(&self) {
        let mut state = self.state();
        state.released = state.effects.len();
        state.life_before = state.life.clone();
    }

    /// A turn crashed, and its life with it: what it still held never happened.
    pub(in crate::testing) fn undo_held(&self) {
        let mut state = self.state();
        let held = state.released;
        let mut at = 0;
        state.effects.retain(|effect| {
            at += 1;
            at <= held || matches!(effect, Effect::Log { .. })
        });
        state.released = state.effects.len();
        state.life = LifeOnly::default();
        state.life_before = LifeOnly::default();
    }

    /// Milliseconds of virtual time so far.
    pub(in crate::testing) fn now_ms(&self) -> u64 {
        self.0.borrow().now_ms
    }

    /// What is due next, up to a time. The clock goes to then, or to that time when
    /// nothing is.
    pub(in crate::testing) fn next_due(&self, until_ms: u64) -> Option<Due> {
        let mut state = self.state();
        let timer = (state.life.timers.iter().enumerate())
            .map(|(at, timer)| (timer.due_ms, at))
            .min();
        let ask = (state.life.asks.iter().enumerate())
            .map(|(at, (_, due_ms))| (*due_ms, at))
            .min();
        let due_ms = timer.into_iter().chain(ask).map(|(due_ms, _)| due_ms).min();
        let Some(due_ms) = due_ms.filter(|due_ms| *due_ms <= until_ms) else {
            state.now_ms = until_ms;
            return None;
        };
        state.now_ms = state.now_ms.max(due_ms);
        let due = match (timer, ask) {
            (Some((at_ms, at)), _) if at_ms == due_ms => {
                let timer = &mut state.life.timers[at];
                let message = timer.message.clone();
                match timer.every_ms {
                    Some(every_ms) => timer.due_ms = due_ms.saturating_add(every_ms),
                    None => drop(state.life.timers.remove(at)),
                }
                Due::Message(message)
            }
            (_, Some((_, at))) => Due::Timeout(state.life.asks.remove(at).0),
            _ => unreachable!("the earliest of the two is one of them"),
        };
        state.life_before = state.life.clone();
        Some(due)
    }

    /// Whether a question was under way; it no longer is.
    pub(in crate::testing) fn end_ask(&self, ask: AskId) -> bool {
        let mut state = self.state();
        let before = state.life.asks.len();
        state.life.asks.retain(|(open, _)| *open != ask);
        state.life_before = state.life.clone();
        state.life.asks.len() < before
    }

    pub(in crate::testing) fn set_stashed(&self, count: usize) {
        self.state().stashed = u32::try_from(count).unwrap_or(u32::MAX);
    }

    /// Whether the turn that succeeded last has stashed its message, and whether it
    /// brought back those of earlier ones.
    pub(in crate::testing) fn stashing_since(&self, effects: usize) -> (bool, bool) {
        let state = self.0.borrow();
        let turn = state.effects.get(effects..).unwrap_or_default();
        (
            turn.contains(&Effect::Stash),
            turn.contains(&Effect::UnstashAll),
        )
    }
}
