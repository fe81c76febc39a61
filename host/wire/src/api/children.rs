//! Bodies about a supervisor's children.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `GET /v1/children?supervisor=PATH`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildList {
    /// Path of the supervisor.
    pub supervisor: String,
    /// Its children in order of start, running or not.
    pub children: Vec<ChildInfo>,
}

/// One child of a supervisor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildInfo {
    /// Its name among the supervisor's children.
    pub id: String,
    /// Where it is found when it runs.
    pub path: String,
    /// `actor` or `supervisor`.
    pub kind: String,
    /// `running`, `restarting` or `stopped`.
    pub state: String,
    /// Its address, when it is an actor that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<u64>,
    /// When it is started again.
    pub restart: RestartType,
    /// Whether its end counts for the supervisor's automatic shutdown.
    pub significant: bool,
}

/// When an ended child is started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestartType {
    /// Always.
    Permanent,
    /// After a crash or a kill.
    Transient,
    /// Never.
    Temporary,
}

impl RestartType {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Transient => "transient",
            Self::Temporary => "temporary",
        }
    }
}

/// `GET /v1/children/count?supervisor=PATH` (OTP's `count_children`)
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildCounts {
    /// Path of the supervisor.
    pub supervisor: String,
    /// Children, running or not.
    pub specs: u32,
    /// Running children.
    pub active: u32,
    /// Children that are supervisors, running or not.
    pub supervisors: u32,
    /// Children that are actors, running or not.
    pub workers: u32,
}

/// `POST /v1/children/add`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChildAddRequest {
    /// Path of the supervisor.
    pub supervisor: String,
    /// The child's name among the supervisor's children.
    pub id: String,
    /// What it runs.
    pub behaviour: String,
    /// Arguments in the form of the module's schema; the unit when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// When it is started again.
    pub restart: RestartType,
    /// Whether its end counts for the supervisor's automatic shutdown.
    #[serde(default)]
    pub significant: bool,
    /// Longest wait for its `init`, in milliseconds; 30,000 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// `POST /v1/children/terminate`, `/restart` and `/remove`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChildRequest {
    /// Path of the supervisor.
    pub supervisor: String,
    /// The child's name among the supervisor's children.
    pub id: String,
    /// Longest wait until it is done, in milliseconds; 30,000 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Answer to an order about a child, sent once it is carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildReply {
    /// Where the child is found when it runs.
    pub path: String,
    /// Its address, when it is an actor and has been started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<u64>,
}
