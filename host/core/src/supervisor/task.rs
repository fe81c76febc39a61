//! A supervisor's task: its start, its decisions, its end.

use super::{ChildEvent, Command, Running, StartFailed, Supervisor, restart_text};
use crate::{
    ActorId, Engine, ExitReason, RestartType,
    actor::{Cell, System},
    node::NodeInner,
    observe::Event,
    policy::{
        restart::{Decision, RestartWindow, wants_restart, wish},
        strategy::{plan, shuts_down},
    },
    spec::Directive,
};
use std::{collections::VecDeque, future::poll_fn, sync::Arc};

/// Why a supervisor ends.
pub(super) enum End {
    /// Its parent or the node says so.
    ShutDown,
    /// Significant children have ended; the last of them by this path.
    Auto(String),
    /// It cannot go on.
    Failed(String),
    /// It has not started.
    NotStarted(StartFailed),
}

/// What the task of a supervisor knows beside what others may look at.
pub(super) struct Overseer<E: Engine> {
    pub node: Arc<NodeInner<E>>,
    pub supervisor: Arc<Supervisor<E>>,
    window: RestartWindow,
    /// Commands that came while it waited for something else.
    pub deferred: VecDeque<Command<E>>,
}

/// Runs a supervisor from its start to its end.
pub(super) async fn run<E: Engine>(node: Arc<NodeInner<E>>, supervisor: Arc<Supervisor<E>>) {
    let mut overseer = Overseer {
        node,
        supervisor,
        window: RestartWindow::default(),
        deferred: VecDeque::new(),
    };
    let end = match overseer.start_all().await {
        None => End::ShutDown,
        Some(Err(failed)) => End::NotStarted(failed),
        Some(Ok(())) => {
            overseer.supervisor.started.set(Ok(()));
            overseer.oversee().await
        }
    };
    overseer.finish(end).await;
}

impl<E: Engine> Overseer<E> {
    async fn finish(mut self, end: End) {
        let supervisor = self.supervisor.clone();
        if let (None, End::Failed(cause)) = (&supervisor.parent, &end) {
            // Told first: stopping the rest may take long.
            self.node.failed.set(cause.clone());
        }
        self.stop_all().await;
        self.node.supervisors.write().remove(&supervisor.path);
        supervisor.close();
        self.deferred.clear();
        let path = supervisor.path.clone();
        let failure = match &end {
            End::ShutDown => None,
            End::Auto(child) => Some(Event::SupervisorShutDown {
                path,
                cause: format!("the significant child {child} ended"),
            }),
            End::Failed(cause) => Some(Event::SupervisorFailed {
                path,
                cause: cause.clone(),
            }),
            End::NotStarted(failed) => Some(Event::SupervisorFailed {
                path,
                cause: failed.to_string(),
            }),
        };
        failure
            .into_iter()
            .for_each(|event| self.node.observer.event(event));
        supervisor.ended.set(());
        let failed = match end {
            End::ShutDown => {
                let path = supervisor.path.to_string();
                let error = crate::node::SpawnFailed::ShuttingDown;
                return supervisor
                    .started
                    .set(Err(StartFailed::Spawn { path, error }));
            }
            // Whoever starts it waits for this.
            End::NotStarted(failed) => return supervisor.started.set(Err(failed)),
            End::Auto(_) => None,
            End::Failed(cause) => Some(cause),
        };
        if let Some(parent) = &supervisor.parent {
            let child = supervisor.clone();
            parent.send(ChildEvent::Left { child, failed });
        }
    }

    async fn next(&mut self) -> Command<E> {
        let (supervisor, deferred) = (&self.supervisor, &mut self.deferred);
        poll_fn(|cx| {
            if supervisor.inbox.lock().shut_down {
                return std::task::Poll::Ready(Command::ShutDown);
            }
            match deferred.pop_front() {
                Some(command) => std::task::Poll::Ready(command),
                None => supervisor.poll_next(cx),
            }
        })
        .await
    }

    /// Decides until the supervisor ends.
    async fn oversee(&mut self) -> End {
        loop {
            let end = match self.next().await {
                Command::ShutDown => Some(End::ShutDown),
                Command::Request(request) => {
                    self.obey(request).await;
                    None
                }
                Command::Child(ChildEvent::Begun { .. }) => None,
                Command::Child(ChildEvent::Exited { child, reason }) => {
                    self.exited(child, reason).await
                }
                Command::Child(ChildEvent::Ended { child, ordered }) => self.ended(child, ordered),
                Command::Child(ChildEvent::Left { child, failed }) => {
                    self.left(&child, failed).await
                }
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    fn find(&self, is_it: impl Fn(&Running<E>) -> bool) -> Option<usize> {
        let slots = self.supervisor.slots.lock();
        slots.iter().position(|slot| is_it(&slot.running))
    }

    pub(super) fn running(&self, at: usize) -> Running<E> {
        self.supervisor.slots.lock()[at].running.clone()
    }

    /// An actor waits for a decision.
    async fn exited(&mut self, child: ActorId, reason: ExitReason) -> Option<End> {
        let at = self.find(|running| running.is_actor(child))?;
        let Running::Actor(cell) = self.running(at) else {
            return None;
        };
        match self.decide(&cell, &reason) {
            Decision::Resume => {
                // It has lost nothing, so its siblings need not go back either (Akka).
                let after_ms = cell.restart_delay_ms();
                cell.system(System::Restart {
                    resume: true,
                    after_ms,
                });
                None
            }
            Decision::Restart if !self.plan(at).is_alone() => self.restart_group(at).await,
            Decision::Restart => {
                let after_ms = cell.restart_delay_ms();
                cell.system(System::Restart {
                    resume: false,
                    after_ms,
                });
                None
            }
            Decision::End => {
                cell.system(System::Conclude {
                    reason,
                    exhausted: false,
                });
                None
            }
            Decision::Exhausted => Some(self.exhausted(&cell, reason)),
        }
    }

    /// What follows the end of a life; a granted restart is entered into the window.
    pub(super) fn decide(&mut self, cell: &Cell<E>, reason: &ExitReason) -> Decision {
        match wish(cell.spec.restart, &cell.spec.on_crash, reason) {
            decided @ (Decision::End | Decision::Exhausted) => decided,
            wish if self.grant() => wish,
            _ => Decision::Exhausted,
        }
    }

    pub(super) fn grant(&mut self) -> bool {
        let now_ms = self.node.clock.now_ms();
        self.window.grant(self.supervisor.spec.budget, now_ms)
    }

    pub(super) fn plan(&self, failed: usize) -> crate::policy::strategy::Plan {
        let slots = self.supervisor.slots.lock();
        let restarts: Vec<_> = slots.iter().map(|slot| slot.entry.restart()).collect();
        plan(self.supervisor.spec.strategy, &restarts, failed)
    }

    /// Ends a child that gets no other life, and its supervisor with it.
    pub(super) fn exhausted(&self, cell: &Arc<Cell<E>>, reason: ExitReason) -> End {
        let cause = if cell.spec.on_crash.of(&reason) == Directive::Escalate && !reason.is_normal()
        {
            format!("{} escalates: {reason}", cell.path)
        } else {
            self.used_up(&cell.path, &reason.to_string())
        };
        cell.system(System::Conclude {
            reason,
            exhausted: true,
        });
        End::Failed(cause)
    }

    pub(super) fn used_up(&self, path: &str, cause: &str) -> String {
        let budget = self.supervisor.spec.budget;
        let (intensity, period_ms) = (budget.intensity, budget.period_ms);
        if self.supervisor.parent.is_none() {
            return format!(
                "supervisor {path} failed: {cause}; the root allows {intensity} restarts within {period_ms} ms"
            );
        }
        format!(
            "more than {intensity} restarts within {period_ms} ms; the last was of {path}: {cause}"
        )
    }

    /// An actor is gone for good.
    fn ended(&mut self, child: ActorId, ordered: bool) -> Option<End> {
        let at = self.find(|running| running.is_actor(child))?;
        self.supervisor.slots.lock()[at].running = Running::Nothing;
        if ordered {
            self.forget_if_temporary(at);
            return None;
        }
        self.ended_by_itself(at)
    }

    /// A supervisor is gone and has left nothing running.
    async fn left(&mut self, child: &Arc<Supervisor<E>>, failed: Option<String>) -> Option<End> {
        let at = self.find(
            |running| matches!(running, Running::Supervisor(running) if Arc::ptr_eq(running, child)),
        )?;
        let restart = {
            let slot = &mut self.supervisor.slots.lock()[at];
            slot.running = Running::Nothing;
            slot.entry.restart()
        };
        let again = match &failed {
            // Of the reason only its being abnormal matters here.
            Some(_) => wants_restart(restart, &ExitReason::Killed),
            None => wants_restart(restart, &ExitReason::Shutdown),
        };
        if !again {
            return self.ended_by_itself(at);
        }
        if !self.grant() {
            let cause = failed.unwrap_or_else(|| "it shut itself down".into());
            return Some(End::Failed(self.used_up(&child.path, &cause)));
        }
        self.restart_group(at).await
    }

    /// The automatic shutdown, if this end calls for it.
    fn ended_by_itself(&mut self, at: usize) -> Option<End> {
        let auto = self.supervisor.spec.auto_shutdown;
        let (significant, left, path) = {
            let slots = self.supervisor.slots.lock();
            let left = slots
                .iter()
                .filter(|slot| slot.entry.significant && !matches!(slot.running, Running::Nothing));
            let entry = &slots[at].entry;
            let path = self.supervisor.child_path(&entry.id);
            (entry.significant, left.count(), path)
        };
        self.forget_if_temporary(at);
        (significant && shuts_down(auto, left)).then_some(End::Auto(path))
    }

    /// OTP: a temporary child's spec goes with the child.
    pub(super) fn forget_if_temporary(&self, at: usize) {
        let mut slots = self.supervisor.slots.lock();
        if slots[at].entry.restart() == RestartType::Temporary {
            slots.remove(at);
        }
    }
}

impl<E: Engine> Supervisor<E> {
    /// Strategy, budget and automatic shutdown in words.
    pub fn detail(&self, budget: &str) -> String {
        use crate::spec::{AutoShutdown, Strategy};
        let strategy = match self.spec.strategy {
            Strategy::OneForOne => "one-for-one",
            Strategy::OneForAll => "one-for-all",
            Strategy::RestForOne => "rest-for-one",
        };
        let auto = match self.spec.auto_shutdown {
            AutoShutdown::Never => "",
            AutoShutdown::AnySignificant => ", ends with any significant child",
            AutoShutdown::AllSignificant => ", ends with its last significant child",
        };
        let restart = self.parent.as_ref().map_or("", |parent| {
            let slots = parent.slots.lock();
            let of_it = |slot: &&super::Slot<E>| {
                matches!(&slot.running, Running::Supervisor(s) if std::ptr::eq(&**s, self))
            };
            let slot = slots.iter().find(of_it);
            slot.map_or("", |slot| restart_text(slot.entry.restart()))
        });
        let restart = match restart {
            "" | "permanent" => String::new(),
            other => format!("{other}, "),
        };
        format!("{restart}{strategy}, {budget}{auto}")
    }

    /// How many supervisors are above it.
    pub fn depth(&self) -> usize {
        self.path.split('/').filter(|part| !part.is_empty()).count()
    }
}
