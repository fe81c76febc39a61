//! Supervisors: a list of children, and what follows when one of them ends.
//!
//! A supervisor is a task of the machine. A child that has ended a life waits
//! between two lives until its supervisor has decided (`ChildEvent::Exited`); the
//! decisions themselves are [`crate::policy::restart`] and
//! [`crate::policy::strategy`]. Supervisors are children of supervisors; the root,
//! whose path is `/`, is one as well, and its failure is the node's. The rules are
//! those of OTP's supervisor.
//!
//! `task` decides, `group` starts and stops, `manage` answers orders on single
//! children, `spec` says what all this is given.

mod group;
mod manage;
mod spec;
mod task;

pub use manage::{ChildCounts, ChildError, ChildView};
pub(crate) use manage::{Order, Request};
pub use spec::{ChildEntry, ChildKind, SUPERVISOR_DEPTH_MAX, StartFailed, SupervisorSpec};

use crate::{
    ActorId, Engine, ExitReason, RestartType,
    actor::{Cell, Latch, Phase},
    dispatcher::spawn_task,
    node::{Node, NodeInner, SpawnFailed},
    turn::SpawnError,
};
use manage::Fault;
use parking_lot::Mutex;
use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// What a child tells its supervisor.
pub(crate) enum ChildEvent<E: Engine> {
    /// An actor's life ended; the actor waits for a decision.
    Exited { child: ActorId, reason: ExitReason },
    /// An actor began another life.
    Begun { child: ActorId },
    /// An actor is gone for good; `ordered` when neither it nor its supervisor's
    /// decision was the cause.
    Ended { child: ActorId, ordered: bool },
    /// A supervisor is gone: it failed, or (without a cause) shut itself down.
    Left {
        child: Arc<Supervisor<E>>,
        failed: Option<String>,
    },
}

enum Command<E: Engine> {
    Child(ChildEvent<E>),
    Request(Request),
    ShutDown,
}

struct Inbox<E: Engine> {
    commands: VecDeque<Command<E>>,
    /// Overtakes everything else.
    shut_down: bool,
    /// Nobody reads it any more.
    closed: bool,
    waker: Option<Waker>,
}

/// A child as its supervisor keeps it.
pub(crate) struct Slot<E: Engine> {
    pub entry: ChildEntry,
    pub running: Running<E>,
}

/// What runs of a child.
pub(crate) enum Running<E: Engine> {
    /// It ended, was terminated, or has not started yet.
    Nothing,
    Actor(Arc<Cell<E>>),
    Supervisor(Arc<Supervisor<E>>),
}

impl<E: Engine> Clone for Running<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Actor(cell) => Self::Actor(cell.clone()),
            Self::Supervisor(supervisor) => Self::Supervisor(supervisor.clone()),
        }
    }
}

impl<E: Engine> Running<E> {
    fn is_actor(&self, id: ActorId) -> bool {
        matches!(self, Self::Actor(cell) if cell.id == id)
    }

    /// Between two lives.
    fn is_restarting(&self) -> bool {
        matches!(self, Self::Actor(cell) if cell.phase() == Phase::Between)
    }
}

pub(crate) struct Supervisor<E: Engine> {
    pub path: Arc<str>,
    pub spec: SupervisorSpec,
    /// None for the root.
    parent: Option<Arc<Supervisor<E>>>,
    inbox: Mutex<Inbox<E>>,
    /// Children in order of start: static ones, then those added later.
    pub slots: Mutex<Vec<Slot<E>>>,
    /// Its task exists.
    begun: AtomicBool,
    started: Latch<Result<(), StartFailed>>,
    ended: Latch<()>,
}

impl<E: Engine> Supervisor<E> {
    fn new(spec: SupervisorSpec, path: Arc<str>, parent: Option<Arc<Self>>) -> Arc<Self> {
        let slot = |entry: &ChildEntry| Slot {
            entry: entry.clone(),
            running: Running::Nothing,
        };
        Arc::new(Self {
            path,
            slots: Mutex::new(spec.children.iter().map(slot).collect()),
            spec,
            parent,
            inbox: Mutex::new(Inbox {
                commands: VecDeque::new(),
                shut_down: false,
                closed: false,
                waker: None,
            }),
            begun: AtomicBool::new(false),
            started: Latch::new(),
            ended: Latch::new(),
        })
    }

    /// The supervisor of all top-level ones.
    pub fn root(budget: crate::spec::RestartBudget) -> Arc<Self> {
        let spec = SupervisorSpec {
            budget,
            ..SupervisorSpec::new("")
        };
        Self::new(spec, "/".into(), None)
    }

    /// Starts its task, unless that was done before.
    fn begin(self: &Arc<Self>, node: &Arc<NodeInner<E>>) {
        if !self.begun.swap(true, Ordering::AcqRel) {
            spawn_task(
                node.dispatchers.main(),
                task::run(node.clone(), self.clone()),
            );
        }
    }

    fn child_path(&self, id: &str) -> String {
        format!("{}/{id}", self.path.trim_end_matches('/'))
    }

    pub fn send(&self, event: ChildEvent<E>) {
        self.push(Command::Child(event));
    }

    fn push(&self, command: Command<E>) {
        let mut inbox = self.inbox.lock();
        if inbox.closed {
            // A request answers for itself when it is dropped.
            drop(inbox);
            return;
        }
        match command {
            Command::ShutDown => inbox.shut_down = true,
            other => inbox.commands.push_back(other),
        }
        let waker = inbox.waker.take();
        drop(inbox);
        waker.into_iter().for_each(Waker::wake);
    }

    fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Command<E>> {
        let mut inbox = self.inbox.lock();
        if inbox.shut_down {
            return Poll::Ready(Command::ShutDown);
        }
        match inbox.commands.pop_front() {
            Some(command) => Poll::Ready(command),
            None => {
                inbox.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    async fn next(&self) -> Command<E> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// What `work` comes to, or none as soon as the supervisor is to shut down.
    async fn unless_shut_down<F: Future>(&self, work: F) -> Option<F::Output> {
        let mut work = pin!(work);
        poll_fn(|cx| {
            let mut inbox = self.inbox.lock();
            if inbox.shut_down {
                return Poll::Ready(None);
            }
            inbox.waker = Some(cx.waker().clone());
            drop(inbox);
            work.as_mut().poll(cx).map(Some)
        })
        .await
    }

    /// Forgets what actors reported of lives that a restart of the group has ended.
    fn forget_exits(&self, of: &[ActorId]) {
        let stale = |command: &Command<E>| matches!(command, Command::Child(ChildEvent::Exited { child, .. }) if of.contains(child));
        self.inbox.lock().commands.retain(|command| !stale(command));
    }

    /// Takes no more commands; requests that wait are refused.
    fn close(&self) {
        let commands = {
            let mut inbox = self.inbox.lock();
            inbox.closed = true;
            std::mem::take(&mut inbox.commands)
        };
        drop(commands);
    }

    /// Stops the children in reverse order, depth first, and ends.
    pub async fn shut_down(&self) {
        self.push(Command::ShutDown);
        if self.begun.load(Ordering::Acquire) {
            self.ended.wait().await;
        }
    }
}

impl<E: Engine> Node<E> {
    /// Starts a top-level supervisor and, in order, its children; waits for every
    /// `init`.
    ///
    /// # Errors
    /// When a child fails to start: those before it are stopped in reverse order.
    pub async fn start_supervisor(&self, spec: SupervisorSpec) -> Result<(), StartFailed> {
        let entry = ChildEntry::supervisor(spec);
        let path = self.0.root.child_path(&entry.id);
        let spawn = |error| StartFailed::Spawn { path, error };
        match self.0.order(&self.0.root, Order::Start(entry.into())).await {
            Ok(_) => Ok(()),
            Err(Fault::Failed(failed)) => Err(failed),
            Err(Fault::Refused(ChildError::AlreadyPresent)) => {
                Err(spawn(SpawnError::NameTaken.into()))
            }
            Err(Fault::Refused(_)) => Err(spawn(SpawnFailed::ShuttingDown)),
        }
    }
}

/// The stable name of a restart type.
pub(crate) fn restart_text(restart: RestartType) -> &'static str {
    match restart {
        RestartType::Permanent => "permanent",
        RestartType::Transient => "transient",
        RestartType::Temporary => "temporary",
    }
}
