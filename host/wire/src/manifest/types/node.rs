//! The node itself.

use super::RestartBudget;
use serde::{Deserialize, Serialize};

/// `[node]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSettings {
    /// The node's name; by default the name of the manifest's folder.
    pub name: Option<String>,
    /// Where it keeps its files and socket, relative to the manifest.
    pub data_dir: String,
    /// Threads of the dispatcher `default`; by default one for each core.
    pub threads: Option<u32>,
    /// The other dispatchers that the file names, each with its threads, in the order
    /// of the file.
    pub dispatchers: Vec<(String, usize)>,
    /// Live instances at once; by default sized from the machine.
    pub live_max: Option<u64>,
    /// How long actors may take to stop with the node, in milliseconds.
    pub shutdown_timeout_ms: u64,
    /// How many dead letters are kept.
    pub dead_letters: u64,
    /// Bytes of dead letters that are kept.
    pub dead_letter_bytes: u64,
    /// Bytes of messages that may wait in all mailboxes together; by default sized from
    /// the machine.
    pub mailbox_bytes: Option<u64>,
    /// How many restarts of top-level supervisors the node allows.
    pub budget: RestartBudget,
    /// How much is logged.
    pub log: LogLevel,
}

impl Default for NodeSettings {
    fn default() -> Self {
        Self {
            name: None,
            data_dir: ".actorhost".to_owned(),
            threads: None,
            dispatchers: Vec::new(),
            live_max: None,
            shutdown_timeout_ms: 10_000,
            dead_letters: 10_000,
            dead_letter_bytes: 64 << 20,
            mailbox_bytes: None,
            budget: RestartBudget::default(),
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
