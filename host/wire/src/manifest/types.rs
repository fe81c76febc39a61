//! What a manifest says, as plain values: durations in milliseconds, sizes in bytes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// `[node]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSettings {
    /// The node's name; by default the name of the manifest's folder.
    pub name: Option<String>,
    /// Where it keeps its files and socket, relative to the manifest.
    pub data_dir: String,
    /// Worker threads; by default one for each core.
    pub threads: Option<u32>,
    /// Live instances at once; by default sized from the machine.
    pub live_max: Option<u64>,
    /// How long actors may take to stop with the node, in milliseconds.
    pub shutdown_timeout_ms: u64,
    /// How many dead letters are kept.
    pub dead_letters: u64,
    /// How much is logged.
    pub log: LogLevel,
}

impl Default for NodeSettings {
    fn default() -> Self {
        Self {
            name: None,
            data_dir: ".actorhost".to_owned(),
            threads: None,
            live_max: None,
            shutdown_timeout_ms: 10_000,
            dead_letters: 10_000,
            log: LogLevel::Info,
        }
    }
}

/// The least severe lines that are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogLevel {
    /// None.
    Off,
    /// What failed.
    Error,
    /// What may become a failure.
    Warn,
    /// What happened.
    Info,
    /// How it happened.
    Debug,
    /// Every step.
    Trace,
}

impl LogLevel {
    /// Its name in the manifest.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// `[behaviour.NAME]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behaviour {
    /// Its name.
    pub name: String,
    /// The component, relative to the manifest. Either this or `crate_dir` is given.
    pub module: Option<String>,
    /// Folder of the crate that builds it, relative to the manifest.
    pub crate_dir: Option<String>,
    /// Memory of one actor, in bytes.
    pub memory_bytes: u64,
    /// Fuel for one turn; none is unlimited.
    pub fuel_per_turn: Option<u64>,
    /// Largest message and saved state, in bytes.
    pub message_bytes: u64,
    /// Log lines of one actor in a second.
    pub log_lines_per_second: u32,
    /// Living children of one actor.
    pub children: u32,
    /// Effects that one turn may hold.
    pub effects_per_turn: u32,
    /// Messages handled before an actor gives way to another.
    pub throughput: u32,
    /// Whether an idle instance may be put to sleep.
    pub hibernate: bool,
    /// Mailbox of each actor, unless its child or pool says otherwise.
    pub mailbox: Mailbox,
    /// What it is granted.
    pub capabilities: Capabilities,
}

impl Behaviour {
    /// A behaviour with every default and no module yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            module: None,
            crate_dir: None,
            memory_bytes: 16 << 20,
            fuel_per_turn: Some(10_000_000_000),
            message_bytes: 1 << 20,
            log_lines_per_second: 100,
            children: 10_000,
            effects_per_turn: 100_000,
            throughput: 64,
            hibernate: true,
            mailbox: Mailbox::default(),
            capabilities: Capabilities::default(),
        }
    }
}

/// Bounds of a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mailbox {
    /// Most messages that may wait.
    pub capacity: u32,
    /// What a full one does.
    pub overflow: Overflow,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self {
            capacity: 1_024,
            overflow: Overflow::Reject,
        }
    }
}

/// What a full mailbox does with the next message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The sender is told at once.
    Reject,
    /// The sender waits for room, then is told.
    Block {
        /// Longest wait, in milliseconds.
        timeout_ms: u64,
    },
}

/// What a behaviour may reach. By default nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Behaviours that it may spawn; each is one of the manifest's.
    pub spawn: Vec<String>,
    /// Environment variables that it sees.
    pub env: BTreeMap<String, String>,
    /// Folders that it sees.
    pub dirs: Vec<DirGrant>,
    /// Whether what it prints is logged.
    pub stdout: bool,
}

/// A folder that a behaviour sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirGrant {
    /// The folder, relative to the manifest.
    pub host: String,
    /// Where the guest sees it; an absolute path.
    pub guest: String,
    /// Whether it may write there.
    pub write: bool,
}

/// `[[supervisor]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Supervisor {
    /// Its name; its children's paths are `/NAME/CHILD`.
    pub name: String,
    /// Whom a crash restarts.
    pub strategy: Strategy,
    /// How many restarts it allows.
    pub budget: RestartBudget,
    /// Its children, in start order.
    pub children: Vec<Child>,
}

/// Whom the crash of one child restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// That child.
    OneForOne,
}

/// More than `intensity` restarts within `period_ms` is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartBudget {
    /// Restarts allowed within the period; 0 allows none.
    pub intensity: u32,
    /// Length of the sliding window, in milliseconds.
    pub period_ms: u64,
}

impl Default for RestartBudget {
    fn default() -> Self {
        Self {
            intensity: 1,
            period_ms: 5_000,
        }
    }
}

/// `[[supervisor.child]]`
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// Its name.
    pub name: String,
    /// Its behaviour; one of the manifest's.
    pub behaviour: String,
    /// Arguments in the form of the module's schema.
    pub args: Option<Value>,
    /// When it is started again.
    pub restart: Restart,
    /// How it is stopped.
    pub shutdown: Shutdown,
    /// What a crash does.
    pub on_crash: OnCrash,
    /// Its mailbox: the behaviour's, with what the child says otherwise.
    pub mailbox: Mailbox,
}

/// `[[pool]]`: many actors of one spec, spawned while the node runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    /// Its name; its actors' paths are `/NAME/ACTOR`.
    pub name: String,
    /// Their behaviour; one of the manifest's.
    pub behaviour: String,
    /// Arguments of an actor that is spawned without its own.
    pub args: Option<Value>,
    /// When an actor is started again.
    pub restart: Restart,
    /// How many restarts each actor is allowed.
    pub budget: RestartBudget,
    /// How an actor is stopped.
    pub shutdown: Shutdown,
    /// What a crash does; never [`OnCrash::Escalate`].
    pub on_crash: OnCrash,
    /// The mailbox of each: the behaviour's, with what the pool says otherwise.
    pub mailbox: Mailbox,
}

/// When an ended actor is started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// Always.
    Permanent,
    /// After a crash or a kill.
    Transient,
    /// Never.
    Temporary,
}

/// How an actor is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// Asked to stop, and killed when it has not within this time.
    Within {
        /// The time, in milliseconds.
        timeout_ms: u64,
    },
    /// Killed at once.
    Kill,
}

/// What a crash does to an actor that may be started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCrash {
    /// A fresh instance from the arguments.
    Restart,
    /// A fresh instance from the state before the failing turn.
    Resume,
    /// It ends.
    Stop,
    /// Its supervisor fails.
    Escalate,
}
