//! Supervisors: a list of children, and what follows when one of them ends.
//!
//! A supervisor is a task of the machine. A child that has ended a life waits
//! between two lives until its supervisor has decided (`ChildEvent::Exited`); the
//! decision itself is [`crate::policy::restart`]. A restart that fails is reported
//! in the same way and counts against the same budget, so a shutdown can come in
//! between (OTP's supervisor does it so).

use crate::{
    ActorId, ChildSpec, Crash, Engine, ExitReason,
    actor::{Cell, Latch, System},
    dispatcher::spawn_task,
    node::{Node, NodeInner, Parent, SpawnFailed},
    observe::Event,
    policy::restart::{Decision, RestartWindow, wish},
    spec::{Directive, RestartBudget},
    turn::StopMode,
};
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::Arc,
    task::{Poll, Waker},
};

/// A static supervisor, strategy one-for-one.
#[derive(Debug, Clone)]
pub struct SupervisorSpec {
    /// Its name; its path is `/NAME`.
    pub name: String,
    /// Restarts of its children, taken together, before it fails.
    pub budget: RestartBudget,
    /// Its children by name, in order of start.
    pub children: Vec<(String, ChildSpec)>,
}

/// Why a supervisor was not started. Nothing is left running of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartFailed {
    /// A child could not be spawned.
    #[error("{path}: {error}")]
    Spawn {
        /// The child's path.
        path: String,
        /// Why.
        error: SpawnFailed,
    },
    /// A child's `init` failed.
    #[error("{path}: {crash}")]
    Init {
        /// The child's path.
        path: String,
        /// Why.
        crash: Arc<Crash>,
    },
}

/// What a child tells its supervisor.
pub(crate) enum ChildEvent {
    /// A life ended; the child waits for a decision.
    Exited { child: ActorId, reason: ExitReason },
    /// It is gone for good.
    Ended { child: ActorId },
}

enum Command {
    Child(ChildEvent),
    ShutDown,
}

#[derive(Default)]
struct Inbox {
    commands: VecDeque<Command>,
    waker: Option<Waker>,
}

pub(crate) struct Supervisor<E: Engine> {
    pub path: Arc<str>,
    pub spec: SupervisorSpec,
    inbox: Mutex<Inbox>,
    /// Living children, in order of start.
    children: Mutex<Vec<Arc<Cell<E>>>>,
    ended: Latch<()>,
}

enum End {
    ShutDown,
    Failed(String),
}

impl<E: Engine> Supervisor<E> {
    pub fn send(&self, event: ChildEvent) {
        self.push(Command::Child(event));
    }

    fn push(&self, command: Command) {
        let mut inbox = self.inbox.lock();
        inbox.commands.push_back(command);
        let waker = inbox.waker.take();
        drop(inbox);
        waker.into_iter().for_each(Waker::wake);
    }

    async fn next(&self) -> Command {
        poll_fn(|cx| {
            let mut inbox = self.inbox.lock();
            match inbox.commands.pop_front() {
                Some(command) => Poll::Ready(command),
                None => {
                    inbox.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// Its living children, in order of start.
    pub fn cells(&self) -> Vec<Arc<Cell<E>>> {
        self.children.lock().clone()
    }

    /// Stops the children in reverse order and ends.
    pub async fn shut_down(&self) {
        self.push(Command::ShutDown);
        self.ended.wait().await;
    }
}

impl<E: Engine> Node<E> {
    /// Starts a supervisor and, in order, its children; waits for every `init`.
    ///
    /// # Errors
    /// When a child fails to start: those before it are stopped in reverse order.
    pub async fn start_supervisor(&self, spec: SupervisorSpec) -> Result<(), StartFailed> {
        let path: Arc<str> = format!("/{}", spec.name).into();
        let supervisor = Arc::new(Supervisor {
            path,
            spec,
            inbox: Mutex::default(),
            children: Mutex::default(),
            ended: Latch::new(),
        });
        self.0.supervisors.lock().push(supervisor.clone());
        let started = Arc::new(Latch::new());
        let task = supervise(self.0.clone(), supervisor, started.clone());
        spawn_task(self.0.dispatchers.main(), task);
        started.wait().await
    }
}

async fn supervise<E: Engine>(
    node: Arc<NodeInner<E>>,
    supervisor: Arc<Supervisor<E>>,
    started: Arc<Latch<Result<(), StartFailed>>>,
) {
    loop {
        let end = match start_children(&node, &supervisor).await {
            Ok(()) => {
                started.set(Ok(()));
                oversee(&node, &supervisor).await
            }
            Err(failed) => {
                let cause = failed.to_string();
                let is_first = started.get().is_none();
                stop_children(&node, &supervisor).await;
                if is_first {
                    leave(&node, &supervisor, &cause);
                    started.set(Err(failed));
                    return;
                }
                End::Failed(cause)
            }
        };
        stop_children(&node, &supervisor).await;
        let End::Failed(cause) = end else {
            supervisor.ended.set(());
            return;
        };
        let now_ms = node.clock.now_ms();
        if !node.root_window.lock().grant(node.root_budget, now_ms) {
            leave(&node, &supervisor, &cause);
            node.failed
                .set(format!("supervisor {} failed: {cause}", supervisor.path));
            return;
        }
        let event = Event::SupervisorFailed {
            path: supervisor.path.clone(),
            cause,
        };
        node.observer.event(event);
    }
}

fn leave<E: Engine>(node: &NodeInner<E>, supervisor: &Arc<Supervisor<E>>, cause: &str) {
    node.supervisors
        .lock()
        .retain(|other| !Arc::ptr_eq(other, supervisor));
    let event = Event::SupervisorFailed {
        path: supervisor.path.clone(),
        cause: cause.into(),
    };
    node.observer.event(event);
    supervisor.ended.set(());
}

async fn start_children<E: Engine>(
    node: &Arc<NodeInner<E>>,
    supervisor: &Arc<Supervisor<E>>,
) -> Result<(), StartFailed> {
    for (name, spec) in &supervisor.spec.children {
        let path = format!("{}/{name}", supervisor.path);
        let parent = Parent::Supervisor(supervisor.clone());
        let cell = node
            .checked_behaviour(spec)
            .and_then(|_| Ok(node.embryo(parent, &supervisor.path, Some(name), spec.clone())?))
            .map_err(|error| StartFailed::Spawn {
                path: path.clone(),
                error,
            })?;
        node.start(&cell);
        cell.started
            .wait()
            .await
            .map_err(|crash| StartFailed::Init { path, crash })?;
        supervisor.children.lock().push(cell);
    }
    Ok(())
}

async fn stop_children<E: Engine>(node: &Arc<NodeInner<E>>, supervisor: &Arc<Supervisor<E>>) {
    let children = std::mem::take(&mut *supervisor.children.lock());
    for cell in children.iter().rev() {
        let mode = if cell.spec.shutdown_ms == 0 {
            StopMode::Kill
        } else {
            StopMode::Drain
        };
        node.order_stop(cell, mode, cell.spec.shutdown_ms).await;
    }
    // What they reported meanwhile is of no more use; an order to shut down is.
    let commands = &mut supervisor.inbox.lock().commands;
    commands.retain(|command| matches!(command, Command::ShutDown));
}

/// Decides until the supervisor ends.
async fn oversee<E: Engine>(node: &Arc<NodeInner<E>>, supervisor: &Arc<Supervisor<E>>) -> End {
    let mut window = RestartWindow::default();
    loop {
        match supervisor.next().await {
            Command::ShutDown => return End::ShutDown,
            Command::Child(ChildEvent::Ended { child }) => {
                supervisor.children.lock().retain(|cell| cell.id != child);
            }
            Command::Child(ChildEvent::Exited { child, reason }) => {
                let Some(cell) = node.registry.get(child) else {
                    continue;
                };
                let granted = match wish(cell.spec.restart, &cell.spec.on_crash, &reason) {
                    decided @ (Decision::End | Decision::Exhausted) => decided,
                    wish if window.grant(supervisor.spec.budget, node.clock.now_ms()) => wish,
                    _ => Decision::Exhausted,
                };
                match granted {
                    Decision::Restart => cell.system(System::Restart { resume: false }),
                    Decision::Resume => cell.system(System::Restart { resume: true }),
                    Decision::End => cell.system(System::Conclude {
                        reason,
                        exhausted: false,
                    }),
                    Decision::Exhausted => {
                        let RestartBudget {
                            intensity,
                            period_ms,
                        } = supervisor.spec.budget;
                        let cause = if cell.spec.on_crash.of(&reason) == Directive::Escalate {
                            format!("{} escalates: {reason}", cell.path)
                        } else {
                            format!(
                                "more than {intensity} restarts within {period_ms} ms; the last was of {}: {reason}",
                                cell.path
                            )
                        };
                        cell.system(System::Conclude {
                            reason,
                            exhausted: true,
                        });
                        return End::Failed(cause);
                    }
                }
            }
        }
    }
}
