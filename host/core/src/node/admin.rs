//! Orders from outside: restart, swap, shut down; and how an actor departs.

use super::{Node, NodeInner, Parent};
use crate::{
    ActorId, Engine, ExitReason,
    actor::{Cell, Latch, Pause, Paused, Renewal, StopBy, System},
    dispatcher::spawn_task,
    observe::{Ending, Event},
    spec::Directive,
    supervisor::ChildEvent,
    swap::{RollOut, SwapOutcome},
    timers::within,
    turn::StopMode,
};
use std::sync::{Arc, atomic::Ordering};

/// How a shutdown went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShutdownSummary {
    /// Actors that ended.
    pub stopped: u64,
    /// Paths of those that did not end in time and were killed.
    pub killed: Vec<Arc<str>>,
}

/// Why a swap was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SwapError {
    /// The node has no such behaviour.
    #[error("unknown-behaviour")]
    UnknownBehaviour,
    /// Another swap of it is under way.
    #[error("swap-in-progress")]
    InProgress,
    /// These bytes are current already.
    #[error("same-module: version {number} has this digest")]
    SameModule {
        /// The version's number.
        number: u32,
    },
    /// The running version cannot save its state.
    #[error("cannot-save: version {number} runs in {actors} actors and cannot save its state")]
    CannotSave {
        /// The running version.
        number: u32,
        /// Living actors on it.
        actors: u64,
    },
    /// The new version cannot load state.
    #[error("cannot-load: the new module cannot load state, and {actors} actors have some")]
    CannotLoad {
        /// Living actors.
        actors: u64,
    },
    /// The node is shutting down.
    #[error("shutting-down")]
    ShuttingDown,
}

/// A swap that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwapSummary {
    /// Number of the version that was current before.
    pub from: u32,
    /// Number of the version that is current now.
    pub to: u32,
    /// What became of the actors.
    pub outcome: SwapOutcome,
}

impl<E: Engine> Node<E> {
    /// Gives an actor a fresh life from its arguments, its mailbox kept, and waits
    /// for it. A turn that does not end within the actor's shutdown time is killed, as
    /// in any other restart. Returns the number of restarts, or none when there is no
    /// such actor, it ended instead, or there is no new life `timeout_ms` milliseconds
    /// after the old one had to end.
    pub async fn restart(&self, id: ActorId, timeout_ms: u64) -> Option<u64> {
        let cell = self.0.registry.get(id)?;
        let before = cell.figures.restarts.load(Ordering::Relaxed);
        let renewal = Renewal::default();
        cell.system(System::Renew(renewal.clone()));
        let restarted = || async {
            // The end of a renewal is seen by looking: it is rare and short.
            while cell.figures.restarts.load(Ordering::Relaxed) == before
                && cell.ended.get().is_none()
            {
                self.0.timers.sleep(1).await;
            }
        };
        let shutdown_ms = cell.spec.shutdown_ms;
        let in_time = within(&self.0.timers, shutdown_ms, restarted()).await;
        if in_time.is_none() {
            if renewal.begin() {
                cell.kill(StopBy::Renew);
                if shutdown_ms > 0 {
                    self.0.report_late(&cell, shutdown_ms);
                }
            }
            within(&self.0.timers, timeout_ms, restarted()).await?;
        }
        let restarts = cell.figures.restarts.load(Ordering::Relaxed);
        (restarts > before).then_some(restarts)
    }

    /// Moves every live actor of a behaviour to a new module between two turns.
    /// Actors that do not reach the end of their turn within `timeout_ms` milliseconds
    /// are reported as failed; they move if they get there later.
    ///
    /// # Errors
    /// Why nothing was changed.
    pub async fn swap(
        &self,
        behaviour: &str,
        module: E::Module,
        timeout_ms: u64,
    ) -> Result<SwapSummary, SwapError> {
        let node = &self.0;
        if node.shutting_down.load(Ordering::Acquire) {
            return Err(SwapError::ShuttingDown);
        }
        let behaviour = node
            .behaviour(behaviour)
            .ok_or(SwapError::UnknownBehaviour)?;
        if behaviour.swapping.swap(true, Ordering::AcqRel) {
            return Err(SwapError::InProgress);
        }
        let _busy = Busy(&behaviour.swapping);
        let from = behaviour.current();
        let actors = || node.members(&behaviour.name).len() as u64;
        let (old, new) = (node.engine.info(&from.module), node.engine.info(&module));
        if old.digest == new.digest {
            return Err(SwapError::SameModule {
                number: from.number,
            });
        }
        if !old.can_save && actors() > 0 {
            return Err(SwapError::CannotSave {
                number: from.number,
                actors: actors(),
            });
        }
        if !new.can_save && actors() > 0 {
            return Err(SwapError::CannotLoad { actors: actors() });
        }
        let (to, _) = node.add_version(&behaviour, module);
        // From here on new lives begin on the new version; those that began before
        // are in the registry and get a ticket.
        let roll_out = RollOut::new(behaviour.current());
        let members = node.members(&behaviour.name);
        for cell in &members {
            cell.system(System::Swap(roll_out.ticket()));
        }
        let in_time = within(&node.timers, timeout_ms, roll_out.done())
            .await
            .is_some();
        let (mut outcome, _) = roll_out.outcome();
        if !in_time {
            let late = members.iter().filter(|cell| {
                cell.figures.version.load(Ordering::Relaxed) != to
                    && !outcome.failed.iter().any(|(path, _)| *path == cell.path)
                    && cell.ended.get().is_none()
            });
            let cause =
                format!("did not finish its turn within {timeout_ms} ms; it moves when it does");
            let late: Vec<_> = late
                .map(|cell| (cell.path.clone(), cause.clone()))
                .collect();
            outcome.failed.extend(late);
        }
        outcome.failed.sort();
        Ok(SwapSummary {
            from: from.number,
            to,
            outcome,
        })
    }

    /// Stops everything: supervisors in reverse order of their start, then pools and
    /// the rest side by side. Whoever has not ended after its own shutdown time, or
    /// after `timeout_ms` milliseconds in all, is killed and named.
    ///
    /// It goes on when this future is dropped: an actor that asks for it is itself
    /// among those that end. Asking again while it is under way, also with a shorter
    /// time, is harmless.
    pub async fn shutdown(&self, timeout_ms: u64) -> ShutdownSummary {
        self.0.shutting_down.store(true, Ordering::Release);
        let summary = Arc::new(Latch::new());
        let (node, done) = (self.0.clone(), summary.clone());
        let task = async move { done.set(node.end_all(timeout_ms).await) };
        spawn_task(self.0.dispatchers.main(), task);
        summary.wait().await
    }
}

impl<E: Engine> NodeInner<E> {
    async fn end_all(self: Arc<Self>, timeout_ms: u64) -> ShutdownSummary {
        let node = &self;
        let before = node.registry.len() as u64;
        let orderly = async {
            node.root.shut_down().await;
            // Only those without a parent actor: parents stop their own children.
            let tops: Vec<_> = node
                .registry
                .all()
                .into_iter()
                .filter(|cell| !matches!(cell.parent, Parent::Actor(_)))
                .collect();
            node.order_stop_all(&tops).await;
        };
        within(&node.timers, timeout_ms, orderly).await;
        let mut killed = std::mem::take(&mut *node.killed.lock());
        // Whatever is left (also children spawned meanwhile) ends now.
        loop {
            let left = node.registry.all();
            if left.is_empty() {
                break;
            }
            killed.extend(left.iter().map(|cell| cell.path.clone()));
            for cell in &left {
                cell.kill(StopBy::Order);
            }
            for cell in &left {
                cell.ended.wait().await;
                self.report_killed(cell, timeout_ms);
            }
        }
        killed.sort();
        killed.dedup();
        ShutdownSummary {
            stopped: before,
            killed,
        }
    }
}

struct Busy<'a>(&'a std::sync::atomic::AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl<E: Engine> NodeInner<E> {
    /// Every living actor of a behaviour.
    pub fn members(&self, behaviour: &str) -> Vec<Arc<Cell<E>>> {
        let mut all = self.registry.all();
        all.retain(|cell| *cell.behaviour.name == *behaviour);
        all
    }

    /// Stops one actor for good, by a kill where it takes longer.
    pub async fn order_stop(&self, cell: &Arc<Cell<E>>, mode: StopMode, timeout_ms: u64) {
        let mut late = false;
        cell.keep.lock().stop_ordered = true;
        if mode != StopMode::Kill {
            cell.system(System::Stop {
                mode,
                by: StopBy::Order,
            });
            late = within(&self.timers, timeout_ms, cell.ended.wait())
                .await
                .is_none();
        }
        if mode == StopMode::Kill || late {
            cell.kill(StopBy::Order);
            cell.ended.wait().await;
        }
        if late {
            self.report_killed(cell, timeout_ms);
        }
    }

    /// Ends an actor's life within its shutdown time and leaves it between two lives.
    pub async fn pause(&self, cell: &Arc<Cell<E>>) {
        let paused = Arc::new(Latch::new());
        cell.system(System::Pause(Pause::new(paused.clone())));
        let shutdown_ms = cell.spec.shutdown_ms;
        let mut paused_as = None;
        if shutdown_ms > 0 {
            paused_as = within(&self.timers, shutdown_ms, paused.wait()).await;
        }
        let in_time = paused_as == Some(Paused::InTime);
        if paused_as.is_none() {
            cell.kill(StopBy::Pause);
            paused.wait().await;
        }
        if !in_time && shutdown_ms > 0 {
            self.report_late(cell, shutdown_ms);
        }
    }

    /// Tells of an actor that has ended, if that took a kill because its shutdown time
    /// was over (its hook may have been abandoned at the same moment). Once, though
    /// several orders may have waited for it.
    pub fn report_killed(&self, cell: &Arc<Cell<E>>, shutdown_ms: u64) {
        let at_once = cell.spec.shutdown_ms == 0 && shutdown_ms == 0;
        if at_once || cell.ended.get() != Some(ExitReason::Killed) {
            return;
        }
        if !std::mem::replace(&mut cell.keep.lock().late_told, true) {
            self.report_late(cell, shutdown_ms);
        }
    }

    /// Tells of an actor whose time was over before it stopped.
    fn report_late(&self, cell: &Arc<Cell<E>>, shutdown_ms: u64) {
        if self.shutting_down.load(Ordering::Acquire) {
            self.killed.lock().push(cell.path.clone());
        }
        self.observer.event(Event::KilledAtShutdown {
            subject: cell.subject(),
            shutdown_ms,
        });
    }

    /// Stops many side by side, each within its own shutdown time, then kills it.
    pub async fn order_stop_all(&self, cells: &[Arc<Cell<E>>]) {
        let living = cells.iter().filter(|cell| cell.ended.get().is_none());
        let cells: Vec<_> = living.collect();
        for cell in &cells {
            cell.keep.lock().stop_ordered = true;
            if cell.spec.shutdown_ms == 0 {
                cell.kill(StopBy::Order);
            } else {
                cell.system(System::Stop {
                    mode: StopMode::Drain,
                    by: StopBy::Order,
                });
            }
        }
        let begun_ms = self.clock.now_ms();
        for cell in cells {
            // They all began at the same moment, so the waits do not add up.
            let spent_ms = self.clock.now_ms().saturating_sub(begun_ms);
            let left_ms = cell.spec.shutdown_ms.saturating_sub(spent_ms);
            let ended = within(&self.timers, left_ms, cell.ended.wait()).await;
            if ended.is_none() {
                cell.kill(StopBy::Order);
                cell.ended.wait().await;
            }
            self.report_killed(cell, cell.spec.shutdown_ms);
        }
    }

    /// Stops an actor's children; parents outlive children.
    pub async fn stop_children(&self, parent: &Arc<Cell<E>>) {
        loop {
            let ids: Vec<_> = parent.children.lock().iter().copied().collect();
            let children: Vec<_> = ids.iter().filter_map(|&id| self.registry.get(id)).collect();
            if children.is_empty() {
                return;
            }
            self.order_stop_all(&children).await;
        }
    }

    /// The last step of an actor's end: it leaves the registry, and everybody who
    /// waits for it hears.
    pub fn depart(&self, cell: &Arc<Cell<E>>, reason: ExitReason, exhausted: bool) {
        let subject = cell.subject();
        self.stats
            .add_handled(cell.figures.handled.load(Ordering::Relaxed));
        self.leave_parent(cell);
        self.registry.remove(cell, subject.version, Some(&reason));
        self.forget_known(cell);
        let watchers = cell.watchers.lock().take().unwrap_or_default();
        for watcher in watchers {
            if let Some(watcher) = self.registry.get(watcher) {
                self.tell_down(&watcher, cell.id, reason.clone());
            }
        }
        let failure = match &reason {
            ExitReason::Crashed(crash) => crash.clone(),
            other => Arc::new(crate::Crash::new(
                crate::CrashKind::InitFailed,
                format!("it ended before its start: {other}"),
            )),
        };
        cell.started.set(Err(failure));
        let event = Event::Ended {
            subject,
            reason: reason.clone(),
            how: ending(cell, &reason, exhausted),
        };
        self.observer.event(event);
        if let Parent::Supervisor(supervisor) = &cell.parent {
            supervisor.send(ChildEvent::Ended {
                child: cell.id,
                ordered: cell.keep.lock().stop_ordered,
            });
        }
        cell.ended.set(reason);
    }
}

/// What an end means; `exhausted` says that those above fail with it.
fn ending<E: Engine>(cell: &Cell<E>, reason: &ExitReason, exhausted: bool) -> Ending {
    let escalates = cell.spec.on_crash.of(reason) == Directive::Escalate;
    match (exhausted, reason) {
        (true, reason) if escalates && !reason.is_normal() => Ending::Escalated,
        (true, _) => Ending::BudgetExhausted,
        (false, ExitReason::Crashed(_)) => Ending::GivenUp,
        (false, _) => Ending::Orderly,
    }
}
