//! Behaviours: what they are made of, what they may use and reach.

use super::{DEFAULT_DISPATCHER, Mailbox};
use std::collections::BTreeMap;

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
    /// How long one turn may wait, in milliseconds; none is unlimited.
    pub deadline_ms: Option<u64>,
    /// Largest message and saved state, in bytes.
    pub message_bytes: u64,
    /// Log lines of one actor in a second.
    pub log_lines_per_second: u32,
    /// Living children of one actor.
    pub children: u32,
    /// Effects that one turn may hold.
    pub effects_per_turn: u32,
    /// Timers that one actor may have set.
    pub timers: u32,
    /// Questions of one actor under way whose replies come as messages.
    pub asks: u32,
    /// Messages in the stash of one actor.
    pub stash: u32,
    /// Links of one actor.
    pub links: u32,
    /// Names that one actor may have registered.
    pub names: u32,
    /// Groups that one actor may have joined.
    pub groups: u32,
    /// Messages handled before an actor gives way to another.
    pub throughput: u32,
    /// The dispatcher of each actor, unless its child or pool says otherwise.
    pub dispatcher: String,
    /// Crashes that one message may cause, unless a child or pool says otherwise.
    pub attempts: u32,
    /// Whether children outlive a restart of their parent, unless a child or pool says
    /// otherwise.
    pub keep_children: bool,
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
            deadline_ms: Some(60_000),
            message_bytes: 1 << 20,
            log_lines_per_second: 100,
            children: 10_000,
            effects_per_turn: 100_000,
            timers: 1_000,
            asks: 1_000,
            stash: 1_024,
            links: 10_000,
            names: 100,
            groups: 1_000,
            throughput: 64,
            dispatcher: DEFAULT_DISPATCHER.to_owned(),
            attempts: 1,
            keep_children: false,
            hibernate: true,
            mailbox: Mailbox::default(),
            capabilities: Capabilities::default(),
        }
    }
}

/// What a behaviour may reach. By default nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Behaviours that it may spawn; each is one of the manifest's.
    pub spawn: Vec<String>,
    /// Paths of supervisors whose children it may manage; a last part `*` stands for
    /// every supervisor below.
    pub supervise: Vec<String>,
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
