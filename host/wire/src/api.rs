//! Bodies of the node's HTTP API, which the command line prints with `--json`.
//!
//! Every field is stable: it may gain neighbours, but keeps its name and meaning.

mod children;
mod dead_letters;
mod events;
mod stats;

pub use children::{
    ChildAddRequest, ChildCounts, ChildInfo, ChildList, ChildReply, ChildRequest, RestartType,
};
pub use dead_letters::{
    DeadLetterInfo, DeadLetterList, LetterSelection, PurgeReply, PurgeRequest, RedriveReply,
    RedriveRequest, RedrivenLetter, RefusedLetter,
};
pub use events::{EVENT_TYPES, EventInfo};
pub use stats::{DispatcherStats, NodeStats};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What went wrong with a request, in the same form for every one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// A stable word for programs, such as `no-such-actor` or `bad-message`.
    pub code: String,
    /// One sentence for people, which names the thing and the place.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// `GET /v1/node`: the node itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeInfo {
    /// The node's name.
    pub name: String,
    /// Version of the program that runs it.
    pub version: String,
    /// Its process.
    pub pid: u32,
    /// Time since its start, in milliseconds.
    pub uptime_ms: u64,
    /// Where it keeps its files.
    pub data_dir: String,
    /// Living actors, asleep or awake.
    pub actors: u64,
    /// Actors that hold an instance now.
    pub live: u64,
    /// Instances that may be held at once.
    pub live_max: u64,
    /// Actors whose state is kept as bytes.
    pub hibernated: u64,
    /// User messages handled since the start.
    pub handled: u64,
    /// Turns that crashed since the start.
    pub crashes: u64,
    /// Lives that followed a crash or an end since the start.
    pub restarts: u64,
    /// Dead letters since the start, also those no longer kept.
    pub dead_letters: u64,
    /// Dead letters since the start, by reason.
    pub dead_letters_by_reason: std::collections::BTreeMap<String, u64>,
    /// Worker threads.
    pub threads: u32,
    /// What actors can run.
    pub behaviours: Vec<BehaviourInfo>,
}

/// One behaviour and its current module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BehaviourInfo {
    /// Its name.
    pub name: String,
    /// Number of the current module version, from 1.
    pub version: u32,
    /// Version that the module gives itself, such as `0.1.0`.
    pub module_version: String,
    /// SHA-256 of the module's bytes, in hex.
    pub digest: String,
    /// Living actors of it.
    pub actors: u64,
    /// Whether its state can be saved, hence its actors put to sleep and swapped.
    pub can_save: bool,
}

/// `POST /v1/deploy?behaviour=NAME`, whose body is the module's bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeployReport {
    /// The behaviour as it is now.
    pub behaviour: BehaviourInfo,
    /// False when the very same bytes were current already.
    pub changed: bool,
}

/// `POST /v1/spawn`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpawnRequest {
    /// Name of a behaviour; the actor gets the path `/NAME`. Either this or `pool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
    /// Name of a pool; the actor gets the path `/POOL/NAME`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// One is made up when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Arguments in the form of the module's schema; the spec's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
}

/// Answer to a spawn, sent once the actor's `init` has succeeded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpawnReply {
    /// Its address.
    pub id: u64,
    /// Where it is found, such as `/fleet/N14228`.
    pub path: String,
}

/// `POST /v1/tell`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TellRequest {
    /// Path of an actor, such as `/fleet/N14228`, or its id.
    pub to: String,
    /// The message in the form of the module's schema.
    pub message: Value,
}

/// Answer to a tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TellReply {
    /// Always true: a message that is not accepted is an error.
    pub accepted: bool,
}

/// `POST /v1/ask`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// Path of an actor, or its id.
    pub to: String,
    /// The message in the form of the module's schema.
    pub message: Value,
    /// Longest wait for the reply, in milliseconds.
    pub timeout_ms: u64,
}

/// Answer to an ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskReply {
    /// The reply in the form of the module's schema.
    pub reply: Value,
}

/// `POST /v1/feed`: one batch of rows for the actors of a pool. An actor is spawned
/// for a key that has none. Rows of one key keep their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedRequest {
    /// Name of the pool.
    pub pool: String,
    /// The message variant that a row's fields belong to; without it the row is
    /// the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The rows, in order.
    pub rows: Vec<FeedRow>,
}

/// One row of a feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedRow {
    /// Number of the row in its source, from 1, for error messages.
    pub row: u64,
    /// Name of the actor within the pool.
    pub key: String,
    /// The message, or (with `variant`) an object of columns. CSV columns are
    /// strings and are read by the type of the field they fill.
    pub message: Value,
}

/// Answer to a feed batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedReply {
    /// Rows whose messages were accepted.
    pub accepted: u64,
    /// Actors that were spawned for new keys.
    pub spawned: u64,
    /// Rows that were not delivered.
    pub rejected: Vec<FeedRejection>,
}

/// A row that was not delivered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedRejection {
    /// Number of the row in its source.
    pub row: u64,
    /// Its key.
    pub key: String,
    /// A stable word, as in [`ErrorBody::code`].
    pub code: String,
    /// One sentence, as in [`ErrorBody::message`].
    pub message: String,
}

/// One actor, as `GET /v1/actors` and `ps` show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActorInfo {
    /// Its address.
    pub id: u64,
    /// Where it is found.
    pub path: String,
    /// What it runs.
    pub behaviour: String,
    /// Number of the module version it runs.
    pub version: u32,
    /// Version that this module gives itself.
    pub module_version: String,
    /// `starting`, `idle`, `running`, `waiting`, `asleep`, `restarting`, `stopping`.
    pub status: String,
    /// Messages that wait in the mailbox.
    pub queued: u64,
    /// Messages that it has put aside; they count towards the mailbox's capacity.
    #[serde(default)]
    pub stashed: u64,
    /// Age of the oldest that waits or is put aside, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_ms: Option<u64>,
    /// Messages that it has handled.
    pub handled: u64,
    /// Lives after its first.
    pub restarts: u64,
    /// Bytes of linear memory, when it holds an instance.
    pub memory: u64,
    /// Path of what restarts it; empty for an actor that nothing supervises.
    pub supervisor: String,
}

/// `GET /v1/actors?under=PATH&limit=N`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActorList {
    /// The actors.
    pub actors: Vec<ActorInfo>,
    /// How many there are in all; more than the list when `limit` cut it.
    pub total: u64,
}

/// `GET /v1/tree`: the supervision tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeNode {
    /// Path of the supervisor, pool or actor.
    pub path: String,
    /// `supervisor`, `pool` or `actor`.
    pub kind: String,
    /// Strategy, restart type and budget in words.
    pub detail: String,
    /// Children; of a pool at most the first hundred.
    pub children: Vec<TreeNode>,
    /// How many children there are in all.
    pub children_total: u64,
}

/// `POST /v1/swap?behaviour=NAME`, whose body is the new module's bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SwapReport {
    /// The behaviour.
    pub behaviour: String,
    /// It before the swap.
    pub from: BehaviourInfo,
    /// It after the swap.
    pub to: BehaviourInfo,
    /// Actors that run the new version now.
    pub swapped: u64,
    /// Actors asleep or between two lives, which take it up when they next wake.
    pub deferred: u64,
    /// Actors that stayed on the old version, with the cause.
    pub failed: Vec<SwapFailure>,
    /// Actors that ended or restarted meanwhile.
    pub gone: u64,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

/// An actor that could not be swapped and keeps its old instance and state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SwapFailure {
    /// The actor.
    pub path: String,
    /// Why its state was not taken, in words.
    pub cause: String,
}

/// `POST /v1/stop`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// Path of an actor, or its id.
    pub actor: String,
    /// How it is stopped.
    pub mode: StopMode,
    /// How long to wait for the end before the actor is killed, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// How an actor is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopMode {
    /// Handle what is queued, then stop.
    Drain,
    /// Finish the current message, then stop.
    Now,
    /// Abandon the running handler.
    Kill,
}

/// Answer to a stop, sent once the actor has ended. It is the same answer, but for
/// `already`, when it had ended before; one that never lived, or ended so long ago that
/// it is forgotten, is `404 no-such-actor`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StopReply {
    /// The actor.
    pub path: String,
    /// Why it ended: `normal`, `shutdown`, `killed` or `crashed: …`.
    pub reason: String,
    /// Whether it had ended before this request came.
    pub already: bool,
}

/// `POST /v1/restart`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestartRequest {
    /// Path of an actor, or its id.
    pub actor: String,
}

/// Answer to a restart, sent once the new life has begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestartReply {
    /// The actor.
    pub path: String,
    /// Its lives after the first, this one included.
    pub restarts: u64,
}

/// `POST /v1/shutdown`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShutdownRequest {
    /// How long actors may take, in milliseconds; the node's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Answer to a shutdown, sent when every actor has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShutdownReply {
    /// Actors that ended by themselves when asked to.
    pub stopped: u64,
    /// Actors that did not end in time and were killed, by path.
    pub killed: Vec<String>,
}
