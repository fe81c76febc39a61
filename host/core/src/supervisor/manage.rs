//! Orders on single children while their supervisor runs (OTP's `start_child`,
//! `terminate_child`, `restart_child`, `delete_child`, `count_children`,
//! `which_children`).

use super::{ChildEntry, ChildKind, Command, Running, StartFailed, Supervisor, task::Overseer};
use crate::{
    ActorId, Engine, RestartType, SpawnError,
    actor::Latch,
    node::{Node, NodeInner, SpawnFailed},
    timers::within,
};
use std::sync::{Arc, atomic::Ordering};

/// Why a supervisor did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChildError {
    /// The asking actor's spec grants no management of this supervisor.
    #[error("denied")]
    Denied,
    /// There is no such supervisor.
    #[error("no-such-supervisor")]
    NoSuchSupervisor,
    /// It has no child of this id.
    #[error("not-found")]
    NotFound,
    /// It has a child of this id, running or not.
    #[error("already-present")]
    AlreadyPresent,
    /// The child runs; terminate it first.
    #[error("running")]
    Running,
    /// It is on its way to a restart.
    #[error("restarting")]
    Restarting,
    /// The spec is refused, with the reason.
    #[error("bad-spec: {0}")]
    BadSpec(String),
    /// It did not start, with path and cause.
    #[error("start-failed: {0}")]
    StartFailed(String),
    /// The supervisor, or the node, is shutting down.
    #[error("shutting-down")]
    ShuttingDown,
    /// The supervisor did not answer within the time given. What it was asked may
    /// still be done later.
    #[error("timeout")]
    Timeout,
}

/// How many children a supervisor has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChildCounts {
    /// Child specs, running or not.
    pub specs: u32,
    /// Running children.
    pub active: u32,
    /// Of the specs, those of supervisors.
    pub supervisors: u32,
    /// Of the specs, those of actors.
    pub workers: u32,
}

/// One child of a supervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildView {
    /// Its name among its siblings.
    pub id: String,
    /// Its address, if it is an actor that runs.
    pub actor: Option<ActorId>,
    /// Whether it is a supervisor.
    pub is_supervisor: bool,
    /// `running`, `restarting` or `stopped`.
    pub state: &'static str,
    /// When it is started again.
    pub restart: RestartType,
    /// Whether its end counts for the automatic shutdown.
    pub significant: bool,
}

/// Why an order was not carried out.
#[derive(Clone)]
pub(crate) enum Fault {
    Refused(ChildError),
    Failed(StartFailed),
}

impl From<ChildError> for Fault {
    fn from(error: ChildError) -> Self {
        Self::Refused(error)
    }
}

impl From<Fault> for ChildError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(error) => error,
            Fault::Failed(StartFailed::BadSpec(why)) => Self::BadSpec(why),
            Fault::Failed(StartFailed::Spawn {
                error: SpawnFailed::ShuttingDown,
                ..
            }) => Self::ShuttingDown,
            Fault::Failed(
                failed @ StartFailed::Spawn {
                    error:
                        SpawnFailed::CannotResume | SpawnFailed::Refused(SpawnError::UnknownBehaviour),
                    ..
                },
            ) => Self::BadSpec(failed.to_string()),
            Fault::Failed(failed) => Self::StartFailed(failed.to_string()),
        }
    }
}

/// What is to be done with a child; started children that are actors are answered
/// with their address.
pub(crate) enum Order {
    Start(Box<ChildEntry>),
    Terminate(String),
    Restart(String),
    Delete(String),
}

type Answer = Result<Option<ActorId>, Fault>;

/// An order with the place for its answer. Dropped, it answers that the supervisor
/// shuts down, so that nobody waits for ever.
pub(crate) struct Request {
    pub(super) order: Option<Order>,
    pub(super) answer: Arc<Latch<Answer>>,
}

impl Drop for Request {
    fn drop(&mut self) {
        self.answer.set(Err(ChildError::ShuttingDown.into()));
    }
}

impl<E: Engine> NodeInner<E> {
    /// Has a supervisor carry out an order, and waits for it.
    pub(super) async fn order(
        self: &Arc<Self>,
        supervisor: &Arc<Supervisor<E>>,
        order: Order,
    ) -> Answer {
        if self.shutting_down.load(Ordering::Acquire) {
            return Err(ChildError::ShuttingDown.into());
        }
        supervisor.begin(self);
        let answer = Arc::new(Latch::new());
        supervisor.push(Command::Request(Request {
            order: Some(order),
            answer: answer.clone(),
        }));
        answer.wait().await
    }

    /// The supervisor that runs under a path; `/` is the root.
    pub fn supervisor(&self, path: &str) -> Option<Arc<Supervisor<E>>> {
        if path == "/" {
            return Some(self.root.clone());
        }
        self.supervisors.read().get(path).cloned()
    }

    pub(crate) async fn order_within(
        self: &Arc<Self>,
        supervisor: &str,
        order: Order,
        timeout_ms: u64,
    ) -> Result<Option<ActorId>, ChildError> {
        let supervisor = self
            .supervisor(supervisor)
            .ok_or(ChildError::NoSuchSupervisor)?;
        within(&self.timers, timeout_ms, self.order(&supervisor, order))
            .await
            .ok_or(ChildError::Timeout)?
            .map_err(ChildError::from)
    }

    /// Whether the child of this id is a supervisor.
    pub(crate) fn is_supervisor(&self, supervisor: &str, id: &str) -> bool {
        let Some(supervisor) = self.supervisor(supervisor) else {
            return false;
        };
        let slots = supervisor.slots.lock();
        let mut of_id = slots.iter().filter(|slot| slot.entry.id == id);
        of_id.any(|slot| matches!(slot.entry.kind, ChildKind::Supervisor { .. }))
    }

    pub(crate) fn child_counts(&self, supervisor: &str) -> Result<ChildCounts, ChildError> {
        let supervisor = self
            .supervisor(supervisor)
            .ok_or(ChildError::NoSuchSupervisor)?;
        let mut counts = ChildCounts::default();
        for slot in supervisor.slots.lock().iter() {
            counts.specs += 1;
            counts.active += u32::from(slot.state() == "running");
            match slot.entry.kind {
                ChildKind::Actor(_) => counts.workers += 1,
                ChildKind::Supervisor { .. } => counts.supervisors += 1,
            }
        }
        Ok(counts)
    }
}

impl<E: Engine> super::Slot<E> {
    /// `running`, `restarting` or `stopped`.
    pub fn state(&self) -> &'static str {
        match &self.running {
            Running::Nothing => "stopped",
            running if running.is_restarting() => "restarting",
            _ => "running",
        }
    }
}

/// Management of a supervisor's children by the operator. `timeout_ms` bounds the
/// wait; an order that timed out may still be carried out.
impl<E: Engine> Node<E> {
    /// Adds a child after the others and waits until it has started. Of a supervisor
    /// there is no address to return.
    ///
    /// # Errors
    /// Why there is no such child now.
    pub async fn start_child(
        &self,
        supervisor: &str,
        child: ChildEntry,
        timeout_ms: u64,
    ) -> Result<Option<ActorId>, ChildError> {
        let order = Order::Start(child.into());
        self.0.order_within(supervisor, order, timeout_ms).await
    }

    /// Stops a child as a shutdown would and keeps its spec, unless it is temporary.
    ///
    /// # Errors
    /// When there is no such child, or no answer.
    pub async fn terminate_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<(), ChildError> {
        let order = Order::Terminate(id.into());
        let done = self.0.order_within(supervisor, order, timeout_ms).await;
        done.map(drop)
    }

    /// Starts a child again that does not run. It has a new address.
    ///
    /// # Errors
    /// Why it does not run now, or runs already.
    pub async fn restart_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<Option<ActorId>, ChildError> {
        let order = Order::Restart(id.into());
        self.0.order_within(supervisor, order, timeout_ms).await
    }

    /// Forgets the spec of a child that does not run.
    ///
    /// # Errors
    /// When it runs, or there is no such child.
    pub async fn delete_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<(), ChildError> {
        let order = Order::Delete(id.into());
        let done = self.0.order_within(supervisor, order, timeout_ms).await;
        done.map(drop)
    }

    /// Counts a supervisor's children.
    ///
    /// # Errors
    /// When there is no such supervisor.
    pub fn count_children(&self, supervisor: &str) -> Result<ChildCounts, ChildError> {
        self.0.child_counts(supervisor)
    }

    /// A supervisor's children in order of start.
    ///
    /// # Errors
    /// When there is no such supervisor.
    pub fn which_children(&self, supervisor: &str) -> Result<Vec<ChildView>, ChildError> {
        let supervisor = self
            .0
            .supervisor(supervisor)
            .ok_or(ChildError::NoSuchSupervisor)?;
        let slots = supervisor.slots.lock();
        let views = slots.iter().map(|slot| ChildView {
            id: slot.entry.id.clone(),
            actor: slot.running.actor_id(),
            is_supervisor: matches!(slot.entry.kind, ChildKind::Supervisor { .. }),
            state: slot.state(),
            restart: slot.entry.restart(),
            significant: slot.entry.significant,
        });
        Ok(views.collect())
    }
}

impl<E: Engine> Overseer<E> {
    /// Carries out an order and answers it.
    pub(super) async fn obey(&mut self, mut request: Request) {
        let answer = match request.order.take() {
            Some(Order::Start(entry)) => self.start_child(*entry).await,
            Some(Order::Terminate(id)) => self.terminate_child(&id).await,
            Some(Order::Restart(id)) => self.restart_child(&id).await,
            Some(Order::Delete(id)) => self.delete_child(&id),
            None => return,
        };
        request.answer.set(answer);
    }

    fn place_of(&self, id: &str) -> Result<usize, Fault> {
        let slots = self.supervisor.slots.lock();
        let at = slots.iter().position(|slot| slot.entry.id == id);
        at.ok_or(ChildError::NotFound.into())
    }

    async fn start_child(&mut self, entry: ChildEntry) -> Answer {
        if self.place_of(&entry.id).is_ok() {
            return Err(ChildError::AlreadyPresent.into());
        }
        let depth = self.supervisor.depth();
        entry
            .check(self.supervisor.spec.auto_shutdown, depth)
            .map_err(|why| Fault::Failed(StartFailed::BadSpec(why)))?;
        let at = {
            let mut slots = self.supervisor.slots.lock();
            slots.push(super::Slot {
                entry,
                running: Running::Nothing,
            });
            slots.len() - 1
        };
        let started = self.start_and_tell(at).await;
        if started.is_err() {
            // OTP: a child that does not start is not added.
            self.supervisor.slots.lock().remove(at);
        }
        started
    }

    async fn terminate_child(&mut self, id: &str) -> Answer {
        let at = self.place_of(id)?;
        self.stop(at).await;
        self.forget_if_temporary(at);
        Ok(None)
    }

    async fn restart_child(&mut self, id: &str) -> Answer {
        let at = self.place_of(id)?;
        self.must_not_run(at)?;
        self.start_and_tell(at).await
    }

    fn delete_child(&mut self, id: &str) -> Answer {
        let at = self.place_of(id)?;
        self.must_not_run(at)?;
        self.supervisor.slots.lock().remove(at);
        Ok(None)
    }

    fn must_not_run(&self, at: usize) -> Result<(), ChildError> {
        match self.supervisor.slots.lock()[at].state() {
            "running" => Err(ChildError::Running),
            "restarting" => Err(ChildError::Restarting),
            _ => Ok(()),
        }
    }

    async fn start_and_tell(&mut self, at: usize) -> Answer {
        match self.start(at).await {
            None => {
                // What has begun to start ends here, or its path would stay taken.
                self.stop(at).await;
                Err(ChildError::ShuttingDown.into())
            }
            Some(Ok(())) => Ok(self.supervisor.slots.lock()[at].running.actor_id()),
            Some(Err(failed)) => Err(Fault::Failed(failed)),
        }
    }
}
