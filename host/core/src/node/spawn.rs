//! How actors come to be: deployment of behaviours, pools, spawning.

use super::{Behaviour, Node, NodeInner, Parent, Pool, Version};
use crate::{
    ActorId, ChildSpec, Crash, Engine, ExitReason,
    actor::{Cell, System},
    address::is_valid_name,
    dead_letters::DeadReason,
    dispatcher::Dispatcher,
    spec::{Directive, RestartBudget},
    supervisor::Supervisor,
    turn::SpawnError,
};
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashSet;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Where an actor is spawned from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// At the root, as `/NAME`, on this behaviour.
    Root {
        /// Name of the behaviour.
        behaviour: &'a str,
    },
    /// In a pool, as `/POOL/NAME`.
    Pool {
        /// Name of the pool.
        pool: &'a str,
    },
}

/// A spawned actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawned {
    /// Its address.
    pub id: ActorId,
    /// Its path.
    pub path: Arc<str>,
}

/// Why nothing was spawned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpawnFailed {
    /// Refused before anything was started.
    #[error("{0}")]
    Refused(#[from] SpawnError),
    /// There is no such pool.
    #[error("no-such-pool")]
    NoSuchPool,
    /// The node is shutting down.
    #[error("the node is shutting down")]
    ShuttingDown,
    /// Its `init` failed; nothing is left of it.
    #[error("{0}")]
    Init(Arc<Crash>),
    /// The spec asks to resume from saved state, which the module cannot save.
    #[error("on-crash \"resume\" needs a behaviour that can save its state")]
    CannotResume,
}

impl<E: Engine> Node<E> {
    /// Makes a module the current version of a behaviour; new lives begin on it.
    /// Returns the version's number, and whether it is new: the digest that is
    /// current already makes no new version.
    pub fn deploy(&self, name: &str, module: E::Module, template: ChildSpec) -> (u32, bool) {
        let behaviour = self.0.behaviour_or_new(name, template);
        self.0.add_version(&behaviour, module)
    }

    /// Adds a pool.
    ///
    /// # Errors
    /// When the name is taken or not valid, or the behaviour is unknown or cannot do
    /// what the spec asks.
    pub fn add_pool(
        &self,
        name: &str,
        spec: ChildSpec,
        budget: RestartBudget,
    ) -> Result<(), SpawnFailed> {
        if !is_valid_name(name) {
            return Err(SpawnError::BadName.into());
        }
        let behaviour = self.0.checked_behaviour(&spec)?;
        let mut pools = self.0.pools.write();
        if pools.contains_key(name) {
            return Err(SpawnError::NameTaken.into());
        }
        let pool = Arc::new(Pool {
            name: name.into(),
            path: format!("/{name}").into(),
            spec,
            budget,
            children: Mutex::new(FxHashSet::default()),
            behaviour,
        });
        pools.insert(pool.name.clone(), pool);
        Ok(())
    }

    /// Spawns an actor and waits for its `init`. Without `spec`, that of the pool or
    /// the behaviour is used; its args are replaced by `args`.
    ///
    /// # Errors
    /// Why there is no such actor now.
    pub async fn spawn(
        &self,
        place: Place<'_>,
        name: Option<&str>,
        args: Option<bytes::Bytes>,
        spec: Option<ChildSpec>,
    ) -> Result<Spawned, SpawnFailed> {
        let cell = self.0.place(place, name, args, spec)?;
        self.0.start(&cell);
        match cell.started.wait().await {
            Ok(()) => Ok(Spawned {
                id: cell.id,
                path: cell.path.clone(),
            }),
            Err(crash) => Err(SpawnFailed::Init(crash)),
        }
    }
}

impl<E: Engine> NodeInner<E> {
    fn behaviour_or_new(&self, name: &str, template: ChildSpec) -> Arc<Behaviour<E>> {
        let mut behaviours = self.behaviours.write();
        let entry = behaviours.entry(name.into()).or_insert_with(|| {
            Arc::new(Behaviour {
                name: name.into(),
                template: RwLock::new(template.clone()),
                versions: RwLock::default(),
                swapping: AtomicBool::new(false),
            })
        });
        *entry.template.write() = template;
        entry.clone()
    }

    pub fn add_version(&self, behaviour: &Behaviour<E>, module: E::Module) -> (u32, bool) {
        let mut versions = behaviour.versions.write();
        let digest = &self.engine.info(&module).digest;
        if let Some(last) = versions.last()
            && self.engine.info(&last.module).digest == *digest
        {
            return (last.number, false);
        }
        let number = versions.last().map_or(1, |last| last.number + 1);
        versions.push(Arc::new(Version {
            number,
            module: Arc::new(module),
        }));
        (number, true)
    }

    pub fn checked_behaviour(&self, spec: &ChildSpec) -> Result<Arc<Behaviour<E>>, SpawnFailed> {
        let behaviour = self
            .behaviour(&spec.behaviour)
            .ok_or(SpawnError::UnknownBehaviour)?;
        self.dispatcher_of(spec)?;
        let can_save = self.engine.info(&behaviour.current().module).can_save;
        if spec.on_crash.mention(Directive::Resume) && !can_save {
            return Err(SpawnFailed::CannotResume);
        }
        Ok(behaviour)
    }

    fn dispatcher_of(&self, spec: &ChildSpec) -> Result<&Arc<dyn Dispatcher>, SpawnError> {
        self.dispatchers.get(&spec.dispatcher).ok_or_else(|| {
            let name = spec.dispatcher.clone();
            SpawnError::UnknownDispatcher { name }
        })
    }

    fn place(
        self: &Arc<Self>,
        place: Place<'_>,
        name: Option<&str>,
        args: Option<bytes::Bytes>,
        spec: Option<ChildSpec>,
    ) -> Result<Arc<Cell<E>>, SpawnFailed> {
        if self.shutting_down.load(Ordering::Acquire) {
            return Err(SpawnFailed::ShuttingDown);
        }
        if name.is_some_and(|name| !is_valid_name(name)) {
            return Err(SpawnError::BadName.into());
        }
        let (parent, under, template) = match place {
            Place::Root { behaviour } => {
                let template = self
                    .spec_of(behaviour)
                    .ok_or(SpawnError::UnknownBehaviour)?;
                (Parent::Root, String::new(), template)
            }
            Place::Pool { pool } => {
                let pool = self
                    .pools
                    .read()
                    .get(pool)
                    .cloned()
                    .ok_or(SpawnFailed::NoSuchPool)?;
                let path = pool.path.to_string();
                let template = pool.spec.clone();
                (Parent::Pool(pool), path, template)
            }
        };
        let mut spec = spec.unwrap_or(template);
        if let Some(args) = args {
            spec.args = args;
        }
        self.checked_behaviour(&spec)?;
        let pool = match &parent {
            Parent::Pool(pool) => Some(pool.clone()),
            _ => None,
        };
        let cell = self.embryo(parent, &under, name, spec)?;
        pool.inspect(|pool| {
            pool.children.lock().insert(cell.id);
        });
        Ok(cell)
    }

    /// A cell that nobody finds by its path yet and that runs nothing.
    pub fn embryo(
        self: &Arc<Self>,
        parent: Parent<E>,
        under: &str,
        name: Option<&str>,
        spec: ChildSpec,
    ) -> Result<Arc<Cell<E>>, SpawnError> {
        let behaviour = self
            .behaviour(&spec.behaviour)
            .ok_or(SpawnError::UnknownBehaviour)?;
        let dispatcher = self.dispatcher_of(&spec)?.clone();
        let id = ActorId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let under = under.trim_end_matches('/');
        let path: Arc<str> = match name {
            Some(name) => format!("{under}/{name}").into(),
            // `+` cannot be part of a name that somebody gives.
            None => format!("{under}/+{}", id.0).into(),
        };
        if self.is_reserved(&path) {
            return Err(SpawnError::NameTaken);
        }
        let node = self.clone();
        let cell = Cell::new(id, path, spec, parent, behaviour, dispatcher, node, true);
        if !self.registry.insert(&cell) {
            return Err(SpawnError::NameTaken);
        }
        Ok(cell)
    }

    /// Paths of supervisors and pools are not for actors.
    fn is_reserved(&self, path: &str) -> bool {
        self.is_pool(path) || self.supervisors.read().contains_key(path)
    }

    pub(super) fn is_pool(&self, path: &str) -> bool {
        self.pools.read().values().any(|pool| *pool.path == *path)
    }

    /// Takes the supervisor's path; false when somebody has it.
    pub fn add_supervisor(&self, supervisor: &Arc<Supervisor<E>>) -> bool {
        let path = &supervisor.path;
        if self.is_reserved(path) || self.registry.lookup(path).is_some() {
            return false;
        }
        let mut supervisors = self.supervisors.write();
        supervisors
            .insert(path.clone(), supervisor.clone())
            .is_none()
    }

    /// Begins the life of an embryo.
    pub fn start(&self, cell: &Arc<Cell<E>>) {
        cell.hatch();
        cell.system(System::Start);
    }

    /// Undoes an embryo whose spawner's turn failed. Nobody but that turn could
    /// have sent it anything.
    pub fn discard_embryo(&self, cell: &Arc<Cell<E>>) {
        for letter in cell.mailbox.end(ExitReason::Shutdown).1 {
            if let crate::Payload::Message(message) = letter.payload {
                let detail = "the turn that spawned the actor failed".into();
                self.bury(
                    cell,
                    letter.sender.id(),
                    message,
                    DeadReason::Stopped,
                    detail,
                );
            }
        }
        self.leave_parent(cell);
        self.registry.remove(cell, 0, None);
        *cell.watchers.lock() = None;
        cell.keep.lock().ended = true;
        cell.ended.set(ExitReason::Shutdown);
    }

    pub(super) fn leave_parent(&self, cell: &Arc<Cell<E>>) {
        match &cell.parent {
            Parent::Root | Parent::Supervisor(_) => {}
            Parent::Pool(pool) => {
                pool.children.lock().remove(&cell.id);
            }
            Parent::Actor(parent) => {
                cell.lineage.leave();
                if let Some(parent) = parent.upgrade() {
                    parent.children.lock().remove(&cell.id);
                }
            }
        }
    }
}
