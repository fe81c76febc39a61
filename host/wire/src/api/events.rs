//! The stream of what happens on a node.

use serde::{Deserialize, Serialize};

/// Every type of event but `gap`, which comes whatever is asked for.
pub const EVENT_TYPES: [&str; 12] = [
    "started",
    "crashed",
    "restarted",
    "ended",
    "swapped",
    "swap-failed",
    "killed-at-shutdown",
    "supervisor-restarted",
    "supervisor-shut-down",
    "supervisor-failed",
    "dead-letter",
    "log",
];

/// `GET /v1/events?types=T,T&under=PATH`: server-sent events, each named by its type
/// and with one of these as its data. A field is there where the type has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EventInfo {
    /// One of [`EVENT_TYPES`], or `gap`: events were left out because this client
    /// did not read fast enough.
    #[serde(rename = "type")]
    pub kind: String,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Path of the actor or supervisor that it is about; of a `dead-letter` the path
    /// of the actor that the message was for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// That actor's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
    /// Number of the module version it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Version that this module gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_version: Option<String>,
    /// `crashed`, `restarted`: its restarts so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restarts: Option<u64>,
    /// `restarted`: whether the new life began from saved state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<bool>,
    /// `restarted`, `supervisor-restarted`: how long that waited, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
    /// `killed-at-shutdown`: the time that it had to stop, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shutdown_ms: Option<u64>,
    /// `crashed`, `swap-failed`, `supervisor-shut-down`, `supervisor-failed`,
    /// `dead-letter`: why, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// `crashed`: functions of the guest, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backtrace: Vec<String>,
    /// `ended`: the exit reason; `dead-letter`: the stable name of its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `ended`: whether the restart budget was used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_exhausted: Option<bool>,
    /// `ended`: that its crash goes on to its supervisor (`on-crash = "escalate"`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated: Option<bool>,
    /// `swapped`: number of the version that it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_version: Option<u32>,
    /// `swap-failed`: number of the version that it should have had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_version: Option<u32>,
    /// `dead-letter`: its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<u64>,
    /// `dead-letter`: path of its sender, unless it came from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// `dead-letter`: others of its reason that were not told of before it, because
    /// they came too fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// `log`: `trace`, `debug`, `info`, `warn` or `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// `log`: what the guest wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// `log`: lines left out before it, over the actor's rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// `gap`: events that this client missed, of whatever type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<u64>,
    /// `gap`: whether the stream ends with it, since the client did not read at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<bool>,
}
