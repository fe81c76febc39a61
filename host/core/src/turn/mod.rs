//! What a running turn may do to the node, and the holding back of it until the
//! turn succeeds (promise 2: turns are atomic).

mod asks;
mod children;
mod errors;
mod groups;
mod held;
mod links;
mod names;
mod stash;
mod timers;

pub use asks::ReplyError;
pub use children::NewChild;
pub use errors::{AskError, SendError, SpawnError};
pub use groups::Published;
pub use links::LinkError;
pub use names::NameError;
pub use stash::StashError;
pub use timers::TimerError;

use crate::{
    ActorId, Engine,
    actor::Cell,
    address::is_valid_name,
    ask::tokens::Kept,
    mailbox::{Letter, cost},
    node::Parent,
    observe::LogLevel,
    spec::{Overflow, RestartType},
};
use bytes::Bytes;
use held::Held;
use std::sync::Arc;

/// How an actor is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopMode {
    /// Handle what is queued, then stop.
    Drain,
    /// Finish the current message, then stop.
    Now,
    /// Abandon the running handler.
    Kill,
}

/// An effect that waits for its turn's success.
pub(crate) enum Effect<E: Engine> {
    Tell(Parcel<E>),
    Spawn(Embryo<E>),
    Stop {
        target: ActorId,
        mode: StopMode,
    },
    Watch(ActorId),
    Unwatch(ActorId),
    /// The question in hand is kept open; it is in the cell's table already.
    Keep {
        token: u64,
    },
    Reply {
        token: u64,
        kept: Kept,
        message: Bytes,
    },
    /// As `Tell`, with the question in hand.
    Forward(Parcel<E>),
    /// As `Tell`; the question is among those under way already.
    AskLater {
        parcel: Box<Parcel<E>>,
        ask: u64,
        timeout_ms: u64,
    },
    /// Timers are in the cell's table already, marked as held.
    StartTimer(u64),
    EndTimer(u64),
}

/// A letter with the place reserved for it in a mailbox; the place is given back when
/// it is dropped unsent.
pub(crate) struct Parcel<E: Engine> {
    target: Arc<Cell<E>>,
    letter: Option<Letter>,
}

impl<E: Engine> Parcel<E> {
    /// The target's mailbox has a place reserved for this letter.
    fn new(target: Arc<Cell<E>>, letter: Letter) -> Self {
        Self {
            target,
            letter: Some(letter),
        }
    }

    #[inline]
    pub(crate) fn send(mut self) {
        if let Some(letter) = self.letter.take() {
            // One that has ended meanwhile makes a dead letter.
            let _ = self.target.node.put(&self.target, letter);
        }
    }
}

impl<E: Engine> Drop for Parcel<E> {
    fn drop(&mut self) {
        if let Some(letter) = &self.letter {
            self.target.mailbox.release(letter.cost());
        }
    }
}

/// A spawned actor whose spawner's turn has not succeeded yet; undone when dropped
/// unused.
pub(crate) struct Embryo<E: Engine> {
    cell: Option<Arc<Cell<E>>>,
}

impl<E: Engine> Embryo<E> {
    fn start(mut self) {
        if let Some(cell) = self.cell.take() {
            cell.node.start(&cell);
        }
    }
}

impl<E: Engine> Drop for Embryo<E> {
    fn drop(&mut self) {
        if let Some(cell) = self.cell.take() {
            cell.node.discard_embryo(&cell);
        }
    }
}

/// What one incarnation may do to the node. Owned by its instance; the machine
/// begins it before a call and commits or drops its effects after.
pub struct Turn<E: Engine> {
    cell: Arc<Cell<E>>,
    effects: Vec<Effect<E>>,
    stop_self: Option<StopMode>,
    in_hand: asks::InHand,
    aside: stash::Aside,
    /// Rare.
    held: Option<Box<Held<E>>>,
}

impl<E: Engine> Turn<E> {
    pub(crate) fn new(cell: Arc<Cell<E>>) -> Self {
        Self {
            cell,
            effects: Vec::new(),
            stop_self: None,
            in_hand: asks::InHand::default(),
            aside: stash::Aside::default(),
            held: None,
        }
    }

    /// This actor's address.
    pub fn self_id(&self) -> ActorId {
        self.cell.id
    }

    /// This actor's path.
    pub fn self_path(&self) -> &str {
        &self.cell.path
    }

    /// The target of a message that neither this actor's limit nor its own refuses.
    fn target(&self, to: ActorId, message: &Bytes) -> Result<Arc<Cell<E>>, SendError> {
        let node = &self.cell.node;
        node.check_size(self.cell.spec.limits.message_bytes, message)?;
        if to == self.cell.id {
            return Ok(self.cell.clone());
        }
        node.find_sized(to, Some(self.cell.id), message)
    }

    /// Sends a message unless that means waiting (`None`): then call [`Turn::tell`].
    /// The message is held until the turn succeeds.
    pub fn try_tell(&mut self, to: ActorId, message: &Bytes) -> Option<Result<(), SendError>> {
        let target = match self.target(to, message) {
            Ok(target) => target,
            Err(error) => return Some(Err(error)),
        };
        if let Err(full) = self.room_for_effect() {
            return Some(Err(full));
        }
        match target.mailbox.reserve(cost(message)) {
            Ok(()) => {
                self.hold_tell(target, message.clone());
                Some(Ok(()))
            }
            Err(SendError::Full) if matches!(target.mailbox.overflow(), Overflow::Block { .. }) => {
                None
            }
            Err(error) => Some(Err(self.refused(&target, message, error))),
        }
    }

    /// Sends a message, waiting for room where the target's policy is `block`. The
    /// message is held until the turn succeeds. Before it waits, the effects held so
    /// far are released: they may be what the mailbox is full of.
    ///
    /// # Errors
    /// Why it was not accepted.
    pub async fn tell(&mut self, to: ActorId, message: Bytes) -> Result<(), SendError> {
        if let Some(done) = self.try_tell(to, &message) {
            return done;
        }
        self.flush();
        let target = self.target(to, &message)?;
        let Overflow::Block { timeout_ms } = target.mailbox.overflow() else {
            return self.try_tell(to, &message).unwrap_or(Err(SendError::Full));
        };
        let room = {
            let node = &self.cell.node;
            let now_ms = node.clock.now_ms();
            let _waiting = self.cell.waits.for_room(now_ms, timeout_ms);
            node.room_within(&target, &message, now_ms, timeout_ms)
                .await
        };
        match room {
            Ok(()) => {
                self.hold_tell(target, message);
                Ok(())
            }
            Err(error) => Err(self.refused(&target, &message, error)),
        }
    }

    fn hold_tell(&mut self, target: Arc<Cell<E>>, message: Bytes) {
        let letter = self.letter(message);
        self.effects.push(Effect::Tell(Parcel::new(target, letter)));
    }

    fn letter(&self, message: Bytes) -> Letter {
        let now_ms = self.cell.node.clock.now_ms();
        Letter::message(Some(self.cell.id), message, now_ms)
    }

    fn refused(&self, target: &Arc<Cell<E>>, message: &Bytes, error: SendError) -> SendError {
        self.cell
            .node
            .refused(target, Some(self.cell.id), message, &error);
        error
    }

    fn room_for_effect(&self) -> Result<(), SendError> {
        if self.effects.len() >= self.cell.spec.limits.effects_per_turn as usize {
            self.cell.node.stats.refused_full();
            return Err(SendError::Full);
        }
        Ok(())
    }

    /// Sends a message and waits for the reply, at most `timeout_ms` milliseconds.
    /// Releases the effects held so far.
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn ask(
        &mut self,
        to: ActorId,
        message: Bytes,
        timeout_ms: u64,
    ) -> Result<Bytes, AskError> {
        if to == self.cell.id {
            return Err(AskError::Deadlock);
        }
        self.flush();
        let target = self.target(to, &message)?;
        self.cell
            .node
            .ask_cell(&target, Some(&self.cell), message, timeout_ms)
            .await
    }

    /// Spawns a child whose life begins when the turn succeeds.
    ///
    /// # Errors
    /// Why it cannot be spawned.
    pub fn spawn(
        &mut self,
        behaviour: &str,
        args: Bytes,
        name: Option<&str>,
    ) -> Result<ActorId, SpawnError> {
        let spec = &self.cell.spec;
        let limit = spec.limits.message_bytes;
        if args.len() as u64 > limit {
            return Err(SpawnError::TooLarge { limit });
        }
        if name.is_some_and(|name| !is_valid_name(name)) {
            return Err(SpawnError::BadName);
        }
        if !spec.may_spawn.iter().any(|granted| **granted == *behaviour) {
            return Err(SpawnError::Denied);
        }
        if self.room_for_effect().is_err() || !self.cell.lineage.enter() {
            return Err(SpawnError::Quota);
        }
        // From here on the place in the lineage is given back by the child's end, or
        // here when there is no child.
        let spawned = self.spawn_counted(behaviour, args, name);
        if spawned.is_err() {
            self.cell.lineage.leave();
        }
        spawned
    }

    fn spawn_counted(
        &mut self,
        behaviour: &str,
        args: Bytes,
        name: Option<&str>,
    ) -> Result<ActorId, SpawnError> {
        let mut child = self
            .cell
            .node
            .spec_of(behaviour)
            .ok_or(SpawnError::UnknownBehaviour)?;
        child.args = args;
        // A dynamic child ends when it stops by itself; only a crash is mended.
        child.restart = RestartType::Transient;
        let parent = Parent::Actor(Arc::downgrade(&self.cell));
        let cell = self
            .cell
            .node
            .embryo(parent, &self.cell.path, name, child)?;
        let id = cell.id;
        self.cell.children.lock().insert(id);
        let embryo = Embryo { cell: Some(cell) };
        self.effects.push(Effect::Spawn(embryo));
        Ok(id)
    }

    /// Stops an actor, or this one after the running turn.
    pub fn stop(&mut self, target: ActorId, mode: StopMode) {
        if target == self.cell.id {
            self.stop_self = Some(mode);
        } else {
            self.effects.push(Effect::Stop { target, mode });
        }
    }

    /// Asks for one `down` when `target` ends.
    pub fn watch(&mut self, target: ActorId) {
        self.effects.push(Effect::Watch(target));
    }

    /// Takes a watch back.
    pub fn unwatch(&mut self, target: ActorId) {
        self.effects.push(Effect::Unwatch(target));
    }

    /// Releases the effects held so far.
    pub fn flush(&mut self) {
        self.commit();
    }

    /// Writes a line to the node's log.
    pub fn log(&mut self, level: LogLevel, line: String) {
        self.cell.node.guest_log(&self.cell, level, line);
    }

    /// Carries the held effects out, in the order in which they were asked for.
    pub(crate) fn commit(&mut self) {
        // First: a link that is taken back and an actor that is then stopped must not
        // meet, and who hears from this actor may look it up.
        if let Some(held) = self.held.take() {
            held.commit(&self.cell);
        }
        // Taken out whole, and given back emptied: its room is used again.
        let mut effects = std::mem::take(&mut self.effects);
        for effect in effects.drain(..) {
            match effect {
                Effect::Tell(parcel) => parcel.send(),
                Effect::Spawn(embryo) => embryo.start(),
                Effect::Stop { target, mode } => {
                    self.cell.node.signal_stop(self.cell.id, target, mode)
                }
                Effect::Watch(target) => self.cell.node.watch(&self.cell, target),
                Effect::Unwatch(target) => self.cell.node.unwatch(&self.cell, target),
                Effect::Keep { .. } => {}
                Effect::Reply { kept, message, .. } => self.answer_kept(kept, message),
                Effect::Forward(parcel) => self.hand_on(parcel),
                Effect::AskLater {
                    parcel,
                    ask,
                    timeout_ms,
                } => {
                    self.cell.begin_later_ask(ask, timeout_ms);
                    parcel.send();
                }
                Effect::StartTimer(timer) => self.cell.start_timer(timer),
                Effect::EndTimer(timer) => self.end_timer(timer),
            }
        }
        self.effects = effects;
        self.commit_unstash();
    }

    /// Forgets the held effects, the last one first; reserved places, unborn children
    /// and questions are given back.
    pub(crate) fn roll_back(&mut self) {
        while let Some(effect) = self.effects.pop() {
            self.undo(effect);
        }
        self.held = None;
        self.stop_self = None;
        self.forget_stash();
    }

    /// Whether the turn asked for this actor's own end.
    pub(crate) fn take_stop_self(&mut self) -> Option<StopMode> {
        self.stop_self.take()
    }
}
