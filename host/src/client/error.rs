//! Why a request to a node failed.

use actorhost_wire::api::ErrorBody;
use std::{error::Error, fmt::Write, io, path::PathBuf, time::Duration};

/// Why a request to a node failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens.
    #[error("no node is listening on {}{}", socket.display(), unusual(error))]
    NotReachable {
        /// The node's socket.
        socket: PathBuf,
        /// Why there is no connection.
        error: io::Error,
    },
    /// The connection broke; whether the request was carried out is not known.
    #[error("the connection to the node on {} broke: {cause}", socket.display())]
    Broken {
        /// The node's socket.
        socket: PathBuf,
        /// How.
        cause: String,
    },
    /// The request is larger than a node takes; it was not sent.
    #[error("the request has {bytes} bytes; a node takes at most {limit}")]
    TooLarge {
        /// Size of its body, in bytes.
        bytes: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The node said no.
    #[error("{}", body.message)]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the node says.
        body: ErrorBody,
    },
    /// The node did not answer in time; whether the request was carried out is not
    /// known.
    #[error("the node did not answer {path} within {} s", limit.as_secs_f32())]
    Timeout {
        /// The request.
        path: String,
        /// Its time limit.
        limit: Duration,
    },
    /// The node answered in a form that this client does not know.
    #[error("the node's answer to {path} (status {status}) is not understood: {cause}")]
    UnknownAnswer {
        /// The request.
        path: String,
        /// The HTTP status.
        status: u16,
        /// What is wrong with it.
        cause: String,
    },
}

impl ClientError {
    /// A stable word for programs: the node's own, where the node refused.
    pub fn code(&self) -> &str {
        match self {
            Self::NotReachable { .. } => "not-reachable",
            Self::Broken { .. } => "connection-broken",
            Self::TooLarge { .. } => "too-large",
            Self::Refused { body, .. } => &body.code,
            Self::Timeout { .. } => "no-answer",
            Self::UnknownAnswer { .. } => "unknown-answer",
        }
    }

    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::NotReachable { error, .. } if error.kind() == io::ErrorKind::PermissionDenied => {
                Some("the node belongs to another user; run this as that user")
            }
            Self::NotReachable { .. } => {
                Some("start one with `actorhost up`, or name its data directory with --data-dir")
            }
            Self::Broken { .. } => Some("see the node's log; `actorhost up` starts it again"),
            Self::TooLarge { .. } => None,
            Self::Refused { body, .. } => body.help.as_deref(),
            Self::Timeout { .. } => {
                Some("see the node's log; `actorhost doctor` checks the machine")
            }
            Self::UnknownAnswer { .. } => {
                Some("use the command line of the same version as the node")
            }
        }
    }
}

/// What is more than that nobody listens.
fn unusual(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => String::new(),
        _ => format!(": {error}"),
    }
}

/// An error and its causes in one line; hyper's own text leaves them out.
pub(super) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.ends_with(&said) {
            let _ = write!(text, ": {said}");
        }
        cause = error.source();
    }
    text
}
