//! Why a node does not come up, or goes down by itself.

use super::{DataDirError, HostError, SpecErrors};
use crate::behaviour::{CapabilityError, DeployError};
use actorhost_core::{node::SpawnFailed, supervisor::StartFailed};
use actorhost_wire::manifest::{ManifestErrors, Place, Places};

/// Why a node did not come up, or went down by itself.
#[derive(Debug, thiserror::Error)]
pub enum UpError {
    /// The manifest cannot be read.
    #[error("cannot read the manifest {path}: {error}")]
    Read {
        /// Its path.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The manifest is not right.
    #[error("{0}")]
    Manifest(ManifestErrors),
    /// What the manifest says cannot be had.
    #[error("{error}")]
    At {
        /// Where it says that.
        place: Place,
        /// What it is.
        error: Box<UpError>,
    },
    /// A guest crate does not build.
    #[error("behaviour `{behaviour}`: {error}")]
    Build {
        /// The behaviour.
        behaviour: String,
        /// Why.
        error: String,
    },
    /// A module file cannot be read.
    #[error("behaviour `{behaviour}`: cannot read its module {path}: {error}")]
    Module {
        /// The behaviour.
        behaviour: String,
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A module was refused.
    #[error("behaviour `{behaviour}`: {path} refused: {error}")]
    Deploy {
        /// The behaviour.
        behaviour: String,
        /// The file.
        path: String,
        /// Why.
        error: DeployError,
    },
    /// A grant cannot be made.
    #[error("behaviour `{behaviour}`: {error}")]
    Capability {
        /// The behaviour.
        behaviour: String,
        /// Which and why.
        error: CapabilityError,
    },
    /// The data directory cannot be used.
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    /// The node cannot be set up.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Behaviours, children or pools ask for what their modules cannot do.
    #[error(transparent)]
    Spec(#[from] SpecErrors),
    /// A pool cannot be made.
    #[error("pool `{pool}`: {error}")]
    Pool {
        /// Its name.
        pool: String,
        /// Why.
        error: SpawnFailed,
    },
    /// A child of a supervisor did not start; nothing is left running.
    #[error("the supervision tree did not start: {0}")]
    Start(#[from] StartFailed),
    /// The API's socket cannot be made.
    #[error("cannot listen on {path}: {error}")]
    Socket {
        /// Its path.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// Signals cannot be received.
    #[error("cannot receive signals: {0}")]
    Signals(std::io::Error),
    /// The root gave up.
    #[error("the node stopped: {cause}")]
    Failed {
        /// Which supervisor and why.
        cause: String,
    },
}

impl UpError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::At { error, .. } => error.code(),
            Self::Read { .. } => "no-manifest",
            Self::Manifest(_) => "bad-manifest",
            Self::Build { .. } => "build-failed",
            Self::Module { .. } => "no-module",
            Self::Deploy { error, .. } => error.code(),
            Self::Capability { .. } => "bad-capability",
            Self::DataDir(DataDirError::Locked { .. }) => "data-dir-locked",
            Self::DataDir(DataDirError::SocketInUse { .. }) => "socket-in-use",
            Self::DataDir(DataDirError::Write { .. }) => "data-dir",
            Self::Host(_) => "engine",
            Self::Spec(specs) => match specs.errors.as_slice() {
                [error] => error.code(),
                _ => "bad-manifest",
            },
            Self::Pool { .. } => "bad-pool",
            Self::Start(_) => "start-failed",
            Self::Socket { .. } => "socket",
            Self::Signals(_) => "signals",
            Self::Failed { .. } => "node-failed",
        }
    }

    /// The error with its place in the manifest, where it has one.
    pub(in crate::node) fn located(self, places: &Places) -> Self {
        let place = match &self {
            Self::Build { behaviour, .. } => places.behaviour(behaviour, "crate"),
            Self::Module { behaviour, .. } | Self::Deploy { behaviour, .. } => {
                places.behaviour(behaviour, "module")
            }
            Self::Capability { behaviour, error } => {
                let key = match error {
                    CapabilityError::BadVariable { .. } => "capabilities.env",
                    _ => "capabilities.dirs",
                };
                places.behaviour(behaviour, key)
            }
            Self::Spec(_) => None,
            _ => return self,
        };
        match (self, place) {
            (Self::Spec(specs), _) => Self::Spec(specs.locate(places)),
            (error, Some(place)) => Self::At {
                place,
                error: Box::new(error),
            },
            (error, None) => error,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::At { error, .. } => error.help(),
            Self::Read { .. } => {
                Some("name one with --manifest, or make a project with `actorhost new`".into())
            }
            Self::Module { .. } => Some("build it with `actorhost build`".into()),
            Self::Deploy { error, .. } => error.help().map(Into::into),
            Self::DataDir(DataDirError::Locked { .. }) => Some(
                "stop that node with `actorhost down`, or give this one another --data-dir".into(),
            ),
            Self::DataDir(DataDirError::SocketInUse { .. }) => {
                Some("end that program, or give the node another --data-dir".into())
            }
            Self::DataDir(DataDirError::Write { .. }) => {
                Some("name a folder that you may write with --data-dir or `node.data-dir`".into())
            }
            Self::Host(_) => Some("`actorhost doctor` checks the machine's limits".into()),
            Self::Start(_) => Some("nothing was left running".into()),
            _ => None,
        }
    }
}
