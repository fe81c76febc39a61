//! Dead letters that are sent again.

use super::{Node, NodeInner};
use crate::{
    ActorId, Engine,
    actor::Cell,
    dead_letters::{DeadLetter, DeadReason},
    mailbox::{Letter, cost},
    spec::Overflow,
    turn::SendError,
};
use std::sync::Arc;

/// How the actor that a letter was sent to again was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// It is the very actor that the letter was for.
    Address,
    /// It has the path of that actor, which has ended.
    Path,
    /// It was named.
    Name,
}

impl FoundBy {
    /// Its stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Path => "path",
            Self::Name => "name",
        }
    }
}

/// A dead letter that was sent again. It is no longer in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redriven {
    /// Who got it.
    pub to: ActorId,
    /// Its path.
    pub to_path: Arc<str>,
    /// How it was found.
    pub found_by: FoundBy,
}

/// Why a dead letter was not sent again. It stays in the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedriveError {
    /// The store has no letter of this number (any more).
    #[error("it is not kept")]
    NotKept,
    /// It is a reply: its asker waits no longer, and no handler takes replies.
    #[error("it is a reply whose asker no longer waits")]
    LateReply,
    /// It has crashed too many lives.
    #[error("it crashed {crashes} lives")]
    Poison {
        /// How many.
        crashes: u32,
    },
    /// Nobody lives at its address or its path, or the one named.
    #[error("nobody lives at {0}")]
    Nobody(Arc<str>),
    /// The actor did not accept it.
    #[error("{to_path} did not accept it: {error}")]
    Refused {
        /// The actor's path.
        to_path: Arc<str>,
        /// Why.
        error: SendError,
    },
}

impl<E: Engine> Node<E> {
    /// Sends a dead letter again: to the living actor `to`, or of its own address,
    /// or of its own path, in this order. It keeps its sender, if that one lives,
    /// and its number of crashes; it has no asker any more. Where the target's
    /// policy is `block`, it waits for room at most `wait_ms` milliseconds.
    ///
    /// A poisonous letter is sent with `force` only.
    ///
    /// # Errors
    /// Why it was not sent; it is in the store as before.
    pub async fn redrive(
        &self,
        id: u64,
        to: Option<ActorId>,
        force: bool,
        wait_ms: u64,
    ) -> Result<Redriven, RedriveError> {
        let node = &self.0;
        let letter = node.dead_letters.take(id).ok_or(RedriveError::NotKept)?;
        // Also when the one who wanted it has gone in the midst of it.
        let taken = Taken {
            node,
            letter: Some(letter.clone()),
        };
        let sent = node.send_again(&letter, to, force, wait_ms).await?;
        taken.sent();
        Ok(sent)
    }
}

/// A letter that goes back into the store unless it was sent.
struct Taken<'n, E: Engine> {
    node: &'n NodeInner<E>,
    letter: Option<Arc<DeadLetter>>,
}

impl<E: Engine> Taken<'_, E> {
    fn sent(mut self) {
        self.letter = None;
    }
}

impl<E: Engine> Drop for Taken<'_, E> {
    fn drop(&mut self) {
        if let Some(letter) = self.letter.take() {
            self.node.dead_letters.put_back(letter);
        }
    }
}

impl<E: Engine> NodeInner<E> {
    async fn send_again(
        &self,
        letter: &DeadLetter,
        to: Option<ActorId>,
        force: bool,
        wait_ms: u64,
    ) -> Result<Redriven, RedriveError> {
        match letter.reason {
            DeadReason::LateReply => return Err(RedriveError::LateReply),
            DeadReason::Poison if !force => {
                let crashes = letter.crashes;
                return Err(RedriveError::Poison { crashes });
            }
            _ => {}
        }
        let (target, found_by) = self.target_again(letter, to)?;
        let to_path = target.path.clone();
        match self.push_again(&target, letter, wait_ms).await {
            Ok(()) => Ok(Redriven {
                to: target.id,
                to_path,
                found_by,
            }),
            Err(error) => Err(RedriveError::Refused { to_path, error }),
        }
    }

    fn target_again(
        &self,
        letter: &DeadLetter,
        to: Option<ActorId>,
    ) -> Result<(Arc<Cell<E>>, FoundBy), RedriveError> {
        if let Some(to) = to {
            let named = self.registry.get(to);
            let named = named.ok_or_else(|| RedriveError::Nobody(to.to_string().into()))?;
            return Ok((named, FoundBy::Name));
        }
        if let Some(same) = self.registry.get(letter.to) {
            return Ok((same, FoundBy::Address));
        }
        let heir = self.registry.lookup(&letter.to_path);
        let heir = heir.and_then(|id| self.registry.get(id));
        let heir = heir.ok_or_else(|| RedriveError::Nobody(letter.to_path.clone()))?;
        Ok((heir, FoundBy::Path))
    }

    /// As a tell, but what is refused is a dead letter already.
    async fn push_again(
        &self,
        target: &Arc<Cell<E>>,
        letter: &DeadLetter,
        wait_ms: u64,
    ) -> Result<(), SendError> {
        self.check_size(target.spec.limits.message_bytes, &letter.message)?;
        let reserved = match (
            target.mailbox.reserve(cost(&letter.message)),
            target.mailbox.overflow(),
        ) {
            (Err(SendError::Full), Overflow::Block { timeout_ms }) => {
                let wait_ms = timeout_ms.min(wait_ms);
                self.reserve_within(target, &letter.message, wait_ms).await
            }
            (decided, _) => decided,
        };
        if let Err(error) = reserved {
            if error == SendError::Full {
                self.stats.refused_full();
            }
            return Err(error);
        }
        let sender = letter.sender.as_ref().map(|(id, _)| *id);
        let again = Letter {
            crashes: letter.crashes,
            ..Letter::message(
                sender.filter(|id| self.registry.get(*id).is_some()),
                letter.message.clone(),
                self.clock.now_ms(),
            )
        };
        // To a target that has ended since it is a dead letter again, under a new number.
        let _ = self.put(target, again);
        Ok(())
    }
}
