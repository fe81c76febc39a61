//! Bodies about dead letters.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `GET /v1/dead-letters/ID`: a message that reached nobody, or whose handling
/// crashed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeadLetterInfo {
    /// Its number.
    pub id: u64,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// `crashed`, `killed`, `stopped`, `no-such-actor`, `late-reply`, `full`,
    /// `drop-newest`, `drop-oldest`, `poison` or `too-large`.
    pub reason: String,
    /// The cause in words.
    pub detail: String,
    /// Path of the actor that it was for, or its id when nothing else is known.
    pub to: String,
    /// Id of the actor that it was for; 0 for a reply to the command line.
    pub to_id: u64,
    /// Path of the actor that sent it; none for the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// Id of the actor that sent it; none for the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_id: Option<u64>,
    /// Behaviour of the actor that it was for.
    pub behaviour: String,
    /// Number of the module version that the actor ran.
    pub version: u32,
    /// Lives that crashed on it, also before it was sent again.
    pub crashes: u32,
    /// The message's variant, where the schema knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Size of the message, in bytes.
    pub size: u64,
    /// The message as JSON, where it can be decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Value>,
    /// Its bytes in hex, where it cannot. A list has them of short messages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
}

/// `GET /v1/dead-letters?limit=N&reason=R&to=ACTOR&younger_ms=MS`: the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeadLetterList {
    /// The letters.
    pub letters: Vec<DeadLetterInfo>,
    /// Those kept that fit the selection; more than the list when `limit` cut it.
    #[serde(default)]
    pub selected: u64,
    /// Those kept.
    #[serde(default)]
    pub kept: u64,
    /// What they take, in bytes.
    #[serde(default)]
    pub kept_bytes: u64,
    /// All since the start.
    pub total: u64,
    /// Those dropped for want of room.
    pub dropped: u64,
    /// Those dropped, by reason.
    #[serde(default)]
    pub dropped_by_reason: std::collections::BTreeMap<String, u64>,
    /// Those sent again or thrown away.
    #[serde(default)]
    pub removed: u64,
}

/// Which letters are meant: `ids`, or `all`, or those that fit every one of the
/// filters given. A request that says none of them is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterSelection {
    /// Their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<u64>,
    /// Every letter that is kept.
    #[serde(default)]
    pub all: bool,
    /// Those of this reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Those for this actor: its path, its id, or `/fleet/*` for all below a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Those that are younger than this, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub younger_ms: Option<u64>,
}

/// `POST /v1/dead-letters/redrive`: sends letters again, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RedriveRequest {
    /// Which.
    pub select: LetterSelection,
    /// Path or id of the actor that gets them all, instead of each its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_actor: Option<String>,
    /// Also those that are poison.
    #[serde(default)]
    pub force: bool,
}

/// Answer to a redrive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RedriveReply {
    /// Those that were sent and are no longer kept.
    pub sent: Vec<RedrivenLetter>,
    /// Those that were not and stay.
    pub refused: Vec<RefusedLetter>,
}

/// A letter that was sent again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RedrivenLetter {
    /// Its number.
    pub id: u64,
    /// Path of the actor that got it.
    pub to: String,
    /// That actor's id.
    pub to_id: u64,
    /// `address`: it is the actor that the letter was for; `path`: that one has
    /// ended, and this one has its path; `name`: the request named it.
    pub found_by: String,
}

/// A letter that was not sent again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefusedLetter {
    /// Its number.
    pub id: u64,
    /// A stable word: `not-kept`, `late-reply`, `poison`, `no-such-actor`, or as a
    /// tell is refused.
    pub code: String,
    /// One sentence for people.
    pub message: String,
}

/// `POST /v1/dead-letters/purge`: throws letters away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurgeRequest {
    /// Which.
    pub select: LetterSelection,
}

/// Answer to a purge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PurgeReply {
    /// How many were thrown away.
    pub purged: u64,
    /// Numbers that were asked for and are not kept.
    pub not_kept: Vec<u64>,
}
