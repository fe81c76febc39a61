//! Starting and stopping of children, one by one and as a group.

use super::{
    ChildEvent, ChildKind, Command, Running, Slot, StartFailed, Supervisor,
    task::{End, Overseer},
};
use crate::{
    ActorId, Engine, ExitReason, RestartType, SpawnError,
    actor::{Cell, System},
    mailbox::Closed,
    node::{Parent, SpawnFailed},
    observe::Event,
    policy::restart::Decision,
    turn::StopMode,
};
use std::sync::{Arc, atomic::Ordering};

/// Why a group did not come up.
enum Stuck {
    /// The supervisor is to shut down.
    ShutDown,
    /// The child at this place did not start, and is to be tried again.
    Again { at: usize },
    /// A child took the supervisor with it.
    End(End),
}

impl<E: Engine> Overseer<E> {
    /// Starts every child in order; none when the supervisor is to shut down instead.
    pub(super) async fn start_all(&mut self) -> Option<Result<(), StartFailed>> {
        let count = self.supervisor.slots.lock().len();
        for at in 0..count {
            if let Err(failed) = self.start(at).await? {
                return Some(Err(failed));
            }
        }
        Some(Ok(()))
    }

    /// Starts the child at a place anew and waits for its `init`; none when the
    /// supervisor is to shut down instead (what has begun then stays in its slot).
    pub(super) async fn start(&mut self, at: usize) -> Option<Result<(), StartFailed>> {
        let supervisor = self.supervisor.clone();
        let entry = supervisor.slots.lock()[at].entry.clone();
        let path = supervisor.child_path(&entry.id);
        let refused = |error| StartFailed::Spawn {
            path: path.clone(),
            error,
        };
        if self.node.shutting_down.load(Ordering::Acquire) {
            return Some(Err(refused(SpawnFailed::ShuttingDown)));
        }
        let (running, started) = match entry.kind {
            ChildKind::Actor(spec) => {
                let node = &self.node;
                let parent = Parent::Supervisor(supervisor.clone());
                let embryo = node.checked_behaviour(&spec).and_then(|_| {
                    Ok(node.embryo(parent, &supervisor.path, Some(&entry.id), spec)?)
                });
                let cell = match embryo {
                    Ok(cell) => cell,
                    Err(error) => return Some(Err(refused(error))),
                };
                self.put(at, Running::Actor(cell.clone()));
                node.start(&cell);
                let started = supervisor.unless_shut_down(cell.started.wait()).await?;
                if started.is_err() {
                    // Its path is free once it is gone.
                    cell.ended.wait().await;
                }
                let started = started.map_err(|crash| StartFailed::Init { path, crash });
                (Running::Actor(cell), started)
            }
            ChildKind::Supervisor { spec, .. } => {
                let child = Supervisor::new(spec, path.as_str().into(), Some(supervisor.clone()));
                if !self.node.add_supervisor(&child) {
                    return Some(Err(refused(SpawnError::NameTaken.into())));
                }
                self.put(at, Running::Supervisor(child.clone()));
                child.begin(&self.node);
                let started = supervisor.unless_shut_down(child.started.wait()).await?;
                (Running::Supervisor(child), started)
            }
        };
        self.put(
            at,
            if started.is_ok() {
                running
            } else {
                Running::Nothing
            },
        );
        Some(started)
    }

    fn put(&self, at: usize, running: Running<E>) {
        self.supervisor.slots.lock()[at].running = running;
    }

    /// Stops the child at a place for good: an actor within its shutdown time, a
    /// supervisor however long it takes.
    pub(super) async fn stop(&mut self, at: usize) {
        match self.running(at) {
            Running::Nothing => {}
            Running::Actor(cell) => {
                let mode = if cell.spec.shutdown_ms == 0 {
                    StopMode::Kill
                } else {
                    StopMode::Drain
                };
                if cell.ended.get().is_none() {
                    let shutdown_ms = cell.spec.shutdown_ms;
                    self.node.order_stop(&cell, mode, shutdown_ms).await;
                    self.node.report_killed(&cell, cell.spec.shutdown_ms);
                }
            }
            Running::Supervisor(supervisor) => supervisor.shut_down().await,
        }
        self.put(at, Running::Nothing);
    }

    /// Stops every child in reverse order.
    pub(super) async fn stop_all(&mut self) {
        let count = self.supervisor.slots.lock().len();
        for at in (0..count).rev() {
            self.stop(at).await;
        }
    }

    /// Restarts the child at a place, which does not run, with the siblings that the
    /// strategy takes along, until they all run, the budget is used up, or the
    /// supervisor is to shut down.
    pub(super) async fn restart_group(&mut self, failed: usize) -> Option<End> {
        let mut failed = failed;
        loop {
            let plan = self.plan(failed);
            for &at in &plan.stop {
                self.stop_for_restart(at).await;
            }
            self.forget_exits(&plan.start);
            let delay_ms = match self.running(failed) {
                Running::Actor(cell) => cell.restart_delay_ms(),
                _ => 0,
            };
            let supervisor = self.supervisor.clone();
            let sleep = self.node.timers.sleep(delay_ms);
            if supervisor.unless_shut_down(sleep).await.is_none() {
                return Some(End::ShutDown);
            }
            let stuck = self.start_group(&plan.start, delay_ms).await;
            if !matches!(stuck, Some(Stuck::Again { .. })) {
                // The stopped temporary siblings are forgotten only now, so that
                // places hold until here.
                self.forget_stopped_temporaries();
            }
            match stuck? {
                Stuck::ShutDown => return Some(End::ShutDown),
                Stuck::End(end) => return Some(end),
                Stuck::Again { at } => failed = at,
            }
        }
    }

    /// Ends what the child at a place does: an actor's life, so that its address and
    /// mailbox wait for the next one; a temporary child and a supervisor for good.
    async fn stop_for_restart(&mut self, at: usize) {
        let cell = match self.running(at) {
            Running::Actor(cell) if cell.spec.restart != RestartType::Temporary => cell,
            _ => return self.stop(at).await,
        };
        self.node.pause(&cell).await;
        if matches!(cell.mailbox.closed(), Some(Closed::Ended(_))) {
            // It was on its way to its end: OTP starts it again with its group, and its
            // name is free once it is gone.
            cell.ended.wait().await;
        }
    }

    /// What the group's actors reported of lives that this restart has ended.
    fn forget_exits(&mut self, group: &[usize]) {
        let ids: Vec<ActorId> = {
            let slots = self.supervisor.slots.lock();
            let id = |at: &usize| slots[*at].running.actor_id();
            group.iter().filter_map(id).collect()
        };
        self.supervisor.forget_exits(&ids);
        self.deferred.retain(
            |command| !matches!(command, Command::Child(ChildEvent::Exited { child, .. }) if ids.contains(child)),
        );
    }

    fn forget_stopped_temporaries(&self) {
        let stopped = |slot: &Slot<E>| {
            slot.entry.restart() == RestartType::Temporary
                && matches!(slot.running, Running::Nothing)
        };
        self.supervisor.slots.lock().retain(|slot| !stopped(slot));
    }

    async fn start_group(&mut self, group: &[usize], after_ms: u64) -> Option<Stuck> {
        for &at in group {
            let stuck = match self.running(at) {
                Running::Actor(cell) if cell.ended.get().is_none() => {
                    self.next_life(at, &cell).await
                }
                Running::Nothing | Running::Actor(_) => self.start_again(at, after_ms).await,
                // It was not stopped: it is not part of the group.
                Running::Supervisor(_) => None,
            };
            if stuck.is_some() {
                return stuck;
            }
        }
        None
    }

    /// Another life for an actor between two.
    async fn next_life(&mut self, at: usize, cell: &Arc<Cell<E>>) -> Option<Stuck> {
        cell.system(System::Restart {
            resume: false,
            after_ms: 0,
        });
        let reason = match self.begun(cell.id).await {
            Err(stuck) => return Some(stuck),
            Ok(None) => return None,
            Ok(Some(reason)) => reason,
        };
        match self.decide(cell, &reason) {
            Decision::Restart | Decision::Resume => Some(Stuck::Again { at }),
            Decision::Exhausted => Some(Stuck::End(self.exhausted(cell, reason))),
            Decision::End => {
                cell.system(System::Conclude {
                    reason,
                    exhausted: false,
                });
                None
            }
        }
    }

    /// Waits until an actor's life has begun (none), or has not, and why.
    async fn begun(&mut self, id: ActorId) -> Result<Option<ExitReason>, Stuck> {
        let supervisor = self.supervisor.clone();
        loop {
            match supervisor.next().await {
                Command::ShutDown => return Err(Stuck::ShutDown),
                Command::Child(ChildEvent::Begun { child }) if child == id => return Ok(None),
                Command::Child(ChildEvent::Exited { child, reason }) if child == id => {
                    return Ok(Some(reason));
                }
                ended @ Command::Child(ChildEvent::Ended { child, .. }) if child == id => {
                    // Somebody stopped it for good: that is dealt with as ever.
                    self.deferred.push_back(ended);
                    return Ok(None);
                }
                other => self.deferred.push_back(other),
            }
        }
    }

    /// A child that had ended, or a supervisor.
    async fn start_again(&mut self, at: usize, after_ms: u64) -> Option<Stuck> {
        let Some(started) = self.start(at).await else {
            return Some(Stuck::ShutDown);
        };
        match (started, self.running(at)) {
            (Ok(()), Running::Supervisor(supervisor)) => {
                let path = supervisor.path.clone();
                let event = Event::SupervisorRestarted { path, after_ms };
                self.node.observer.event(event);
                None
            }
            (Ok(()), _) => None,
            (Err(_), _) if self.grant() => Some(Stuck::Again { at }),
            (Err(failed), _) => {
                let id = self.supervisor.slots.lock()[at].entry.id.clone();
                let path = self.supervisor.child_path(&id);
                let cause = self.used_up(&path, &failed.to_string());
                Some(Stuck::End(End::Failed(cause)))
            }
        }
    }
}

impl<E: Engine> Slot<E> {
    /// What runs of the child, for others to look at.
    pub fn running(&self) -> Running<E> {
        self.running.clone()
    }
}

impl<E: Engine> Running<E> {
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The address, if an actor runs.
    pub fn actor_id(&self) -> Option<ActorId> {
        match self {
            Self::Actor(cell) => Some(cell.id),
            _ => None,
        }
    }
}
