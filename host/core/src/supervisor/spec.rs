//! What a supervisor is started with, and why it is not.

use crate::{
    ChildSpec, Crash, RestartType,
    address::is_valid_name,
    node::SpawnFailed,
    policy::strategy::significance_fault,
    spec::{AutoShutdown, RestartBudget, Strategy},
};
use std::{collections::HashSet, sync::Arc};

/// Deepest nesting of supervisors under the root.
pub const SUPERVISOR_DEPTH_MAX: usize = 64;

/// A supervisor with the children that it starts with.
#[derive(Debug, Clone)]
pub struct SupervisorSpec {
    /// Its name; its path is its parent's with this.
    pub name: String,
    /// Which siblings a restart takes along.
    pub strategy: Strategy,
    /// Restarts of its children, taken together, before it fails.
    pub budget: RestartBudget,
    /// Whether it ends when significant children do.
    pub auto_shutdown: AutoShutdown,
    /// Its children in order of start.
    pub children: Vec<ChildEntry>,
}

/// One child of a supervisor.
#[derive(Debug, Clone)]
pub struct ChildEntry {
    /// Its name among its siblings, the last part of its path.
    pub id: String,
    /// Whether its end counts for the automatic shutdown.
    pub significant: bool,
    /// What it is.
    pub kind: ChildKind,
}

/// What a child is.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "specs are few, and nearly all are actors'"
)]
pub enum ChildKind {
    /// An actor.
    Actor(ChildSpec),
    /// A supervisor. It may take as long as it needs to stop (OTP's `infinity`).
    Supervisor {
        /// What it is started with.
        spec: SupervisorSpec,
        /// When it is started again; its failure is an abnormal end, its automatic
        /// shutdown a normal one.
        restart: RestartType,
    },
}

impl SupervisorSpec {
    /// A supervisor with every default and no children.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            strategy: Strategy::default(),
            budget: RestartBudget::default(),
            auto_shutdown: AutoShutdown::default(),
            children: Vec::new(),
        }
    }
}

impl ChildEntry {
    /// An actor that is not significant.
    pub fn actor(id: &str, spec: ChildSpec) -> Self {
        Self {
            id: id.into(),
            significant: false,
            kind: ChildKind::Actor(spec),
        }
    }

    /// A permanent supervisor under its own name.
    pub fn supervisor(spec: SupervisorSpec) -> Self {
        Self {
            id: spec.name.clone(),
            significant: false,
            kind: ChildKind::Supervisor {
                spec,
                restart: RestartType::Permanent,
            },
        }
    }

    /// When it is started again.
    pub fn restart(&self) -> RestartType {
        match &self.kind {
            ChildKind::Actor(spec) => spec.restart,
            ChildKind::Supervisor { restart, .. } => *restart,
        }
    }

    /// Whether it may be a child of a supervisor with this automatic shutdown.
    /// `depth` is how many supervisors are above it.
    pub(crate) fn check(&self, auto: AutoShutdown, depth: usize) -> Result<(), String> {
        let Self {
            id,
            significant,
            kind,
        } = self;
        if !is_valid_name(id) {
            return Err(format!("\"{id}\" cannot be part of a path"));
        }
        let fault = significant
            .then(|| significance_fault(auto, self.restart()))
            .flatten();
        if let Some(fault) = fault {
            return Err(format!("{id}: {fault}"));
        }
        match kind {
            ChildKind::Actor(_) => Ok(()),
            ChildKind::Supervisor { spec, .. } if spec.name != *id => {
                let name = &spec.name;
                Err(format!(
                    "{id}: the supervisor calls itself \"{name}\": its name is its id"
                ))
            }
            ChildKind::Supervisor { spec, .. } => {
                spec.check(depth + 1).map_err(|why| format!("{id}/{why}"))
            }
        }
    }
}

impl SupervisorSpec {
    fn check(&self, depth: usize) -> Result<(), String> {
        if depth > SUPERVISOR_DEPTH_MAX {
            return Err(format!(
                "supervisors are nested deeper than {SUPERVISOR_DEPTH_MAX}"
            ));
        }
        let mut ids = HashSet::new();
        for child in &self.children {
            if !ids.insert(&child.id) {
                return Err(format!("{}: two children have this id", child.id));
            }
            child.check(self.auto_shutdown, depth)?;
        }
        Ok(())
    }
}

/// Why a supervisor or a child was not started. Nothing is left running of it.
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
    /// The spec contradicts itself; nothing was started.
    #[error("{0}")]
    BadSpec(String),
}
