//! Messages: tell, ask, watch, and what becomes of those that reach nobody.

use super::{Node, NodeInner};
use crate::{
    ActorId, Engine, ExitReason, Payload,
    actor::{Cell, LogLine, StopBy, System},
    dead_letters::{DeadLetter, DeadReason},
    mailbox::{Letter, cost},
    observe::{Event, LogLevel, Subject},
    spec::Overflow,
    timers::before,
    turn::{AskError, SendError, StopMode},
};
use bytes::Bytes;
use rustc_hash::FxHashSet;
use std::sync::{Arc, atomic::Ordering};

impl<E: Engine> Node<E> {
    /// The living actor of a path such as `/fleet/N14228`, of a registered name, or of
    /// an id in digits.
    pub fn resolve(&self, address: &str) -> Option<ActorId> {
        if let Ok(id) = address.trim_start_matches('#').parse() {
            return self.0.registry.get(ActorId(id)).map(|cell| cell.id);
        }
        self.0.lookup(address, None)
    }

    /// Sends a message from outside, waiting for room where the target's policy is
    /// `block`.
    ///
    /// # Errors
    /// Why it was not accepted.
    pub async fn tell(&self, to: ActorId, message: Bytes) -> Result<(), SendError> {
        let target = self.0.find_sized(to, None, &message)?;
        let reserved = match target.mailbox.reserve(cost(&message)) {
            Err(SendError::Full)
                if matches!(target.spec.mailbox.overflow, Overflow::Block { .. }) =>
            {
                self.0.reserve(&target, &message).await
            }
            decided => decided,
        };
        self.0.deliver(&target, reserved, message)
    }

    /// As [`Node::tell`], but waits for room up to `wait_ms` milliseconds whatever
    /// the target's policy: a sender with patience of its own.
    ///
    /// # Errors
    /// Why it was not accepted.
    pub async fn tell_within(
        &self,
        to: ActorId,
        message: Bytes,
        wait_ms: u64,
    ) -> Result<(), SendError> {
        let target = self.0.find_sized(to, None, &message)?;
        let reserved = match target.mailbox.reserve(cost(&message)) {
            Err(SendError::Full) => self.0.reserve_within(&target, &message, wait_ms).await,
            decided => decided,
        };
        self.0.deliver(&target, reserved, message)
    }

    /// Sends a message from outside and waits for its reply, at most `timeout_ms`
    /// milliseconds.
    ///
    /// # Errors
    /// Why there is no reply.
    pub async fn ask(
        &self,
        to: ActorId,
        message: Bytes,
        timeout_ms: u64,
    ) -> Result<Bytes, AskError> {
        let target = self.0.find_sized(to, None, &message)?;
        self.0.ask_cell(&target, None, message, timeout_ms).await
    }
}

impl<E: Engine> NodeInner<E> {
    /// The living actor of a path, or of a registered name as `by` sees it.
    pub fn lookup(&self, address: &str, by: Option<ActorId>) -> Option<ActorId> {
        if address.starts_with('/') {
            self.registry.lookup(address)
        } else {
            self.registry.lookup_name(address, by)
        }
    }

    /// The target of a send, which also refuses what is larger than its limit.
    pub fn find_sized(
        &self,
        to: ActorId,
        sender: Option<ActorId>,
        message: &Bytes,
    ) -> Result<Arc<Cell<E>>, SendError> {
        let target = self.find_for_send(to, sender, message)?;
        self.check_size(target.spec.limits.message_bytes, message)?;
        Ok(target)
    }

    pub fn check_size(&self, limit: u64, message: &Bytes) -> Result<(), SendError> {
        if message.len() as u64 > limit {
            self.stats.too_large();
            return Err(SendError::TooLarge { limit });
        }
        Ok(())
    }

    /// The target of a send; one that there is not makes a dead letter.
    pub(super) fn find_for_send(
        &self,
        to: ActorId,
        sender: Option<ActorId>,
        message: &Bytes,
    ) -> Result<Arc<Cell<E>>, SendError> {
        if let Some(cell) = self.registry.get(to) {
            return Ok(cell);
        }
        let (reason, error, detail) = if to.0 > 0 && to.0 < self.next_id.load(Ordering::Relaxed) {
            (
                DeadReason::Stopped,
                SendError::Stopped,
                "the actor has stopped",
            )
        } else {
            (
                DeadReason::NoSuchActor,
                SendError::NoSuchActor,
                "no actor has this address",
            )
        };
        let ended = self.registry.ended(to);
        let letter = DeadLetter {
            id: 0,
            at_ms: self.clock.wall_ms(),
            reason,
            detail: detail.into(),
            to,
            to_path: ended
                .as_ref()
                .map_or_else(|| to.to_string().into(), |ended| ended.path.clone()),
            sender: self.named(sender),
            behaviour: ended
                .as_ref()
                .map_or_else(|| "".into(), |ended| ended.behaviour.clone()),
            version: ended.map_or(0, |ended| ended.version),
            crashes: 0,
            message: message.clone(),
        };
        self.add_dead_letter(letter);
        Err(error)
    }

    fn named(&self, sender: Option<ActorId>) -> Option<(ActorId, Arc<str>)> {
        let id = sender?;
        let path = match self.registry.get(id) {
            Some(cell) => cell.path.clone(),
            None => self
                .registry
                .ended(id)
                .map_or_else(|| id.to_string().into(), |ended| ended.path),
        };
        Some((id, path))
    }

    /// Waits for room as long as the target's policy says.
    pub async fn reserve(&self, target: &Arc<Cell<E>>, message: &Bytes) -> Result<(), SendError> {
        match target.mailbox.overflow() {
            Overflow::Reject
            | Overflow::DropNewest
            | Overflow::DropOldest
            | Overflow::Unbounded => target.mailbox.reserve(cost(message)),
            Overflow::Block { timeout_ms } => {
                self.reserve_within(target, message, timeout_ms).await
            }
        }
    }

    pub(super) async fn reserve_within(
        &self,
        target: &Arc<Cell<E>>,
        message: &Bytes,
        wait_ms: u64,
    ) -> Result<(), SendError> {
        self.room_within(target, message, self.clock.now_ms(), wait_ms)
            .await
    }

    /// Waits for room until `wait_ms` milliseconds after `now_ms`.
    pub async fn room_within(
        &self,
        target: &Arc<Cell<E>>,
        message: &Bytes,
        now_ms: u64,
        wait_ms: u64,
    ) -> Result<(), SendError> {
        let wait = target.mailbox.reserve_or_wait(cost(message));
        before(self.timers.sleep_from(now_ms, wait_ms), wait)
            .await
            .unwrap_or(Err(SendError::Full))
    }

    fn deliver(
        &self,
        target: &Arc<Cell<E>>,
        reserved: Result<(), SendError>,
        message: Bytes,
    ) -> Result<(), SendError> {
        if let Err(error) = reserved {
            self.refused(target, None, &message, &error);
            return Err(error);
        }
        let letter = Letter::message(None, message, self.clock.now_ms());
        self.put(target, letter)
    }

    /// Counts a refusal; a message to one that has stopped is a dead letter.
    pub fn refused(
        &self,
        target: &Arc<Cell<E>>,
        sender: Option<ActorId>,
        message: &Bytes,
        error: &SendError,
    ) {
        match error {
            SendError::Stopped => {
                let detail = "the actor takes no more messages".into();
                self.bury(target, sender, message.clone(), DeadReason::Stopped, detail);
            }
            SendError::Full => self.stats.refused_full(),
            // Counted where it was refused.
            _ => {}
        }
    }

    /// `target`'s end is to be told to `watcher`.
    pub fn watch(&self, watcher: &Arc<Cell<E>>, target: ActorId) {
        if !watcher.keep.lock().watching.insert(target) {
            return;
        }
        let watched =
            self.registry
                .get(target)
                .is_some_and(|cell| match &mut *cell.watchers.lock() {
                    Some(watchers) => {
                        watchers.insert(watcher.id);
                        true
                    }
                    None => false,
                });
        if !watched {
            self.tell_down(watcher, target, ExitReason::NoSuchActor);
        }
    }

    pub fn unwatch(&self, watcher: &Arc<Cell<E>>, target: ActorId) {
        if watcher.keep.lock().watching.remove(&target) {
            self.remove_watcher(watcher, target);
        }
    }

    fn remove_watcher(&self, watcher: &Cell<E>, target: ActorId) {
        if let Some(cell) = self.registry.get(target)
            && let Some(watchers) = &mut *cell.watchers.lock()
        {
            watchers.remove(&watcher.id);
        }
    }

    /// The watches of a life end with it.
    pub fn forget_watches(&self, watcher: &Arc<Cell<E>>) {
        let watching = std::mem::take(&mut watcher.keep.lock().watching);
        for target in watching {
            self.remove_watcher(watcher, target);
        }
    }

    pub fn tell_down(&self, watcher: &Arc<Cell<E>>, who: ActorId, reason: ExitReason) {
        let notice = Letter::notice(Payload::Down { who, reason }, self.clock.now_ms());
        if watcher.mailbox.push_notice(notice) {
            watcher.notify();
        }
    }

    /// One actor stops another.
    pub fn signal_stop(&self, sender: ActorId, target: ActorId, mode: StopMode) {
        let Some(cell) = self.registry.get(target) else {
            return;
        };
        let is_parent = matches!(&cell.parent, super::Parent::Actor(parent)
            if parent.upgrade().is_some_and(|parent| parent.id == sender));
        let by = if is_parent {
            StopBy::Order
        } else {
            StopBy::Signal
        };
        match mode {
            StopMode::Kill => cell.kill(by),
            mode => cell.system(System::Stop { mode, by }),
        }
    }

    /// A message that was queued when its target ended.
    pub fn bury_stopped(&self, target: &Arc<Cell<E>>, letter: Letter) {
        if letter.tick.is_some() {
            // Its timer has ended with the life.
            self.stats.tick_thrown_away();
            return;
        }
        if let Payload::Reply { outcome, .. } = letter.payload {
            target.bury_outcome(*outcome);
        } else if let Payload::Message(message) = letter.payload {
            let detail = "the actor stopped before it came to this message".into();
            self.bury_crashed(
                target,
                letter.sender.id(),
                message,
                DeadReason::Stopped,
                detail,
                letter.crashes,
            );
        }
    }

    pub fn bury(
        &self,
        target: &Arc<Cell<E>>,
        sender: Option<ActorId>,
        message: Bytes,
        reason: DeadReason,
        detail: String,
    ) {
        self.bury_crashed(target, sender, message, reason, detail, 0);
    }

    /// As `bury`, of a message on which lives have crashed.
    pub fn bury_crashed(
        &self,
        target: &Arc<Cell<E>>,
        sender: Option<ActorId>,
        message: Bytes,
        reason: DeadReason,
        detail: String,
        crashes: u32,
    ) {
        let letter = DeadLetter {
            id: 0,
            at_ms: self.clock.wall_ms(),
            reason,
            detail,
            to: target.id,
            to_path: target.path.clone(),
            sender: self.named(sender),
            behaviour: target.behaviour.name.clone(),
            version: target.figures.version.load(Ordering::Relaxed),
            crashes,
            message,
        };
        self.add_dead_letter(letter);
    }

    fn add_dead_letter(&self, letter: DeadLetter) {
        let letter = self.dead_letters.add(letter);
        self.observer.event(Event::DeadLetter(letter));
    }

    /// A reply for which nobody waits any more. It was for the asker, from `from`.
    pub fn bury_reply(
        &self,
        from: &Arc<Cell<E>>,
        asker: Option<ActorId>,
        reply: Bytes,
        detail: &str,
    ) {
        let asker = self.named(asker);
        let letter = DeadLetter {
            id: 0,
            at_ms: self.clock.wall_ms(),
            reason: DeadReason::LateReply,
            detail: detail.into(),
            to: asker.as_ref().map_or(ActorId(0), |(id, _)| *id),
            to_path: asker.map_or_else(|| "outside".into(), |(_, path)| path),
            sender: Some((from.id, from.path.clone())),
            behaviour: from.behaviour.name.clone(),
            version: from.figures.version.load(Ordering::Relaxed),
            crashes: 0,
            message: reply,
        };
        self.add_dead_letter(letter);
    }

    pub fn guest_log(&self, cell: &Arc<Cell<E>>, level: LogLevel, line: String) {
        match cell.gate_log_line(self.clock.now_ms()) {
            LogLine::Admitted { suppressed } => {
                self.observer.event(Event::Log {
                    subject: cell.subject(),
                    level,
                    line,
                    suppressed,
                });
            }
            LogLine::LeftOut { first: true } => {
                let rate = cell.spec.limits.log_lines_per_second;
                let line = format!("over its rate of {rate} log lines a second: leaving lines out");
                let (level, suppressed) = (LogLevel::Warn, 0);
                self.observer.event(Event::Log {
                    subject: cell.subject(),
                    level,
                    line,
                    suppressed,
                });
            }
            LogLine::LeftOut { first: false } => {}
        }
    }

    /// Says how many log lines of an ending life were left out.
    pub fn flush_log_gate(&self, cell: &Arc<Cell<E>>) {
        let suppressed = cell.take_suppressed();
        if suppressed > 0 {
            let line = "the life that wrote them has ended".into();
            let (subject, level) = (cell.subject(), LogLevel::Warn);
            self.observer.event(Event::Log {
                subject,
                level,
                line,
                suppressed,
            });
        }
    }
}

impl<E: Engine> Cell<E> {
    /// How many watch it.
    pub(crate) fn watcher_count(&self) -> usize {
        self.watchers.lock().as_ref().map_or(0, FxHashSet::len)
    }

    pub(crate) fn subject(&self) -> Subject {
        let number = self.figures.version.load(Ordering::Relaxed);
        let version = self
            .behaviour
            .version(number)
            .unwrap_or_else(|| self.behaviour.current());
        Subject {
            id: self.id,
            path: self.path.clone(),
            behaviour: self.behaviour.name.clone(),
            version: version.number,
            module_version: self
                .node
                .engine
                .info(&version.module)
                .module_version
                .clone(),
        }
    }
}
