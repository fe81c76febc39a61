//! Questions that a life keeps open beyond the turn that got them (OTP: a
//! `handle_call` that returns `noreply`, with `From` kept for `gen_server:reply`).
//!
//! An asker that gives up leaves a dead entry behind. These are swept when the table
//! has doubled since the last sweep, so that never more are held than twice those
//! that still wait, and a few.

use super::ReplyTo;
use crate::{ActorId, ExitReason, turn::AskError};
use rustc_hash::FxHashMap;

/// Below so many entries nothing is swept.
const SWEEP_MIN: usize = 16;

/// One question that is kept open.
pub(crate) struct Kept {
    pub reply: ReplyTo,
    /// The actor that asked; none for outsiders.
    pub asker: Option<ActorId>,
}

/// All open questions of one life, by token.
#[derive(Default)]
pub(crate) struct Tokens {
    kept: FxHashMap<u64, Kept>,
    sweep_at: usize,
    /// The newest token that a sweep took.
    swept_max: u64,
}

/// What became of a token.
pub(crate) enum Taken {
    /// Here it is.
    Kept(Kept),
    /// Its asker gave up long ago, as far as can be told.
    Swept,
    /// Nobody has it.
    Unknown,
}

impl Tokens {
    pub fn insert(&mut self, token: u64, kept: Kept) {
        if self.kept.len() >= self.sweep_at.max(SWEEP_MIN) {
            self.sweep();
            self.sweep_at = self.kept.len() * 2;
        }
        self.kept.insert(token, kept);
    }

    /// Takes a question out. A token that was used and is older than one swept is
    /// taken for swept as well: a reply must not vanish, and to remember every token
    /// would be without bound.
    pub fn take(&mut self, token: u64) -> Taken {
        match self.kept.remove(&token) {
            Some(kept) => Taken::Kept(kept),
            None if token <= self.swept_max => Taken::Swept,
            None => Taken::Unknown,
        }
    }

    /// Forgets those whose askers no longer wait.
    pub fn sweep(&mut self) {
        let newest = &mut self.swept_max;
        self.kept.retain(|&token, kept| {
            let late = kept.reply.is_late();
            if late {
                *newest = (*newest).max(token);
            }
            !late
        });
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// The life has ended: each asker hears how.
    pub fn end(self, reason: &ExitReason) {
        let error = match reason {
            ExitReason::Crashed(crash) => AskError::Crashed(crash.to_string()),
            _ => AskError::Stopped,
        };
        for kept in self.kept.into_values() {
            // One that gave up has nothing to learn from it.
            let _ = kept.reply.answer(Err(error.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::question;

    #[test]
    fn askers_that_gave_up_do_not_pile_up() {
        let mut tokens = Tokens::default();
        let mut waiting = Vec::new();
        for token in 1..=10_000 {
            let (reply, answer) = question(ActorId(1));
            tokens.insert(token, Kept { reply, asker: None });
            if token % 1_000 == 0 {
                waiting.push(answer);
            }
            assert!(tokens.len() <= 2 * waiting.len() + SWEEP_MIN, "{token}");
        }
        tokens.sweep();
        assert_eq!(tokens.len(), waiting.len());
        assert!(matches!(tokens.take(1), Taken::Swept));
        assert!(matches!(tokens.take(10_000), Taken::Kept(_)));
        assert!(matches!(tokens.take(10_000), Taken::Unknown));
    }
}
