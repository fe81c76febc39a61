//! `actorhost.toml`: the node, its behaviours, supervisors and pools.
//!
//! A manifest is checked as a whole and as text: nothing is opened, so that it is
//! known to be right before anything is started. Every error has its line, column and
//! key. The bounds of the numbers are in [`limits`].
//!
//! What a manifest looks like is in `examples/actorhost.toml` beside this crate.

mod actor;
mod behaviour;
mod capabilities;
mod dispatchers;
mod errors;
mod key_depth;
mod mailbox;
mod nest;
mod node;
mod paths;
mod places;
mod restarts;
mod section;
mod tree;
mod types;
mod units;
mod value;

pub use errors::{ManifestError, ManifestErrors, Place};
pub use places::Places;
pub use types::{
    Actor, AutoShutdown, BLOCKING_DISPATCHER, Backoff, Behaviour, Capabilities, Cause, Child,
    ChildKind, DEFAULT_DISPATCHER, DirGrant, Directive, Directives, LogLevel, Mailbox,
    NodeSettings, Overflow, Pool, Priority, Restart, RestartBudget, Shutdown, Strategy, Supervisor,
};

use errors::Report;
use section::Section;
use toml::de::DeTable;

/// Bounds of what a manifest may ask for.
pub mod limits {
    use std::ops::RangeInclusive;

    /// Largest manifest, in bytes.
    pub const MANIFEST_BYTES_MAX: usize = 4 << 20;
    /// Deepest nesting of a value in `args`.
    pub const ARGS_DEPTH_MAX: usize = 64;
    /// Most supervisors within each other.
    pub const TREE_DEPTH_MAX: usize = 32;
    /// Longest name of a node, behaviour, supervisor, pool or child, in bytes.
    pub const NAME_BYTES_MAX: usize = 128;
    /// Threads of one dispatcher.
    pub const THREADS: RangeInclusive<u64> = 1..=1_024;
    /// Live instances.
    pub const LIVE: RangeInclusive<u64> = 1..=10_000_000;
    /// Dead letters kept.
    pub const DEAD_LETTERS: RangeInclusive<u64> = 0..=10_000_000;
    /// Bytes of dead letters kept.
    pub const DEAD_LETTER_BYTES: RangeInclusive<u64> = 0..=1 << 40;
    /// Bytes of messages in all mailboxes.
    pub const MAILBOX_BYTES: RangeInclusive<u64> = 1 << 20..=1 << 40;
    /// Memory of one actor, in bytes.
    pub const MEMORY_BYTES: RangeInclusive<u64> = 64 << 10..=64 << 20;
    /// Fuel for one turn.
    pub const FUEL_PER_TURN: RangeInclusive<u64> = 10_000..=i64::MAX as u64;
    /// One message or saved state, in bytes.
    pub const MESSAGE_BYTES: RangeInclusive<u64> = 64..=64 << 20;
    /// Log lines a second.
    pub const LOG_LINES: RangeInclusive<u64> = 0..=1_000_000;
    /// Living children of one actor.
    pub const CHILDREN: RangeInclusive<u64> = 0..=10_000_000;
    /// Effects held by one turn.
    pub const EFFECTS: RangeInclusive<u64> = 1..=10_000_000;
    /// How long one turn may wait, in milliseconds.
    pub const DEADLINE_MS: RangeInclusive<u64> = 1..=86_400_000;
    /// Timers, asks, stashed messages, links, names or groups of one actor.
    pub const HELD: RangeInclusive<u64> = 0..=10_000_000;
    /// Crashes that one message may cause.
    pub const ATTEMPTS: RangeInclusive<u64> = 1..=1_000;
    /// Messages handled before an actor gives way.
    pub const THROUGHPUT: RangeInclusive<u64> = 1..=1_000_000;
    /// Messages in one mailbox.
    pub const CAPACITY: RangeInclusive<u64> = 1..=10_000_000;
    /// Level of a message variant.
    pub const PRIORITY: RangeInclusive<u64> = 1..=255;
    /// How long a blocked sender waits, in milliseconds.
    pub const BLOCK_TIMEOUT_MS: RangeInclusive<u64> = 1..=3_600_000;
    /// How long actors may take to stop, in milliseconds.
    pub const SHUTDOWN_MS: RangeInclusive<u64> = 0..=3_600_000;
    /// Any of the times of a backoff, in milliseconds.
    pub const BACKOFF_MS: RangeInclusive<u64> = 1..=86_400_000;
    /// What each further wait of a backoff is multiplied with.
    pub const BACKOFF_FACTOR: RangeInclusive<f64> = 1.0..=1_000.0;
    /// Share of a wait that chance may add.
    pub const BACKOFF_JITTER: RangeInclusive<f64> = 0.0..=1.0;
    /// Restarts within the period.
    pub const INTENSITY: RangeInclusive<u64> = 0..=1_000_000;
    /// The window in which restarts are counted, in milliseconds.
    pub const PERIOD_MS: RangeInclusive<u64> = 1..=86_400_000;
}

/// A manifest without a fault: every name in it is known, every number in bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The node itself.
    pub node: NodeSettings,
    /// Behaviours, in the order of the file.
    pub behaviours: Vec<Behaviour>,
    /// Supervisors of the top, each with what is below it, in start order.
    pub supervisors: Vec<Supervisor>,
    /// Pools, in the order of the file.
    pub pools: Vec<Pool>,
}

impl Manifest {
    /// Reads a manifest; `file_name` is what the errors call it.
    ///
    /// # Errors
    /// [`ManifestErrors`], with everything that is wrong, in the order of the file.
    pub fn parse(file_name: &str, text: &str) -> Result<Self, ManifestErrors> {
        let mut report = Report::new(file_name, text);
        let manifest = read(text, &mut report);
        report.finish(manifest)
    }

    /// The behaviour of this name.
    pub fn behaviour(&self, name: &str) -> Option<&Behaviour> {
        self.behaviours.iter().find(|b| b.name == name)
    }
}

fn read(text: &str, report: &mut Report<'_>) -> Manifest {
    let mut manifest = Manifest {
        node: NodeSettings::default(),
        behaviours: Vec::new(),
        supervisors: Vec::new(),
        pools: Vec::new(),
    };
    if text.len() > limits::MANIFEST_BYTES_MAX {
        let message = format!(
            "the manifest has more than {} bytes",
            limits::MANIFEST_BYTES_MAX
        );
        report.add(0, "", &message, None);
        return manifest;
    }
    if let Some(at) = key_depth::too_deep(text) {
        report.add(at, "", "a key with too many dots", None);
        return manifest;
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().map_or(text.len(), |span| span.start);
        report.add(at, "", error.message(), None);
    }
    // What the parser made of a broken text would give errors that aren't there.
    if !errors.is_empty() {
        return manifest;
    }
    let root = Section::root(document.get_ref());
    root.only(
        &["node", "dispatchers", "behaviour", "supervisor", "pool"],
        report,
    );
    if let Some(entry) = root.get("node") {
        manifest.node = node::read(&entry, report);
    }
    let dispatchers = dispatchers::read(&root, &mut manifest.node, report);
    let known = behaviour::read_all(&root, dispatchers, report);
    (manifest.supervisors, manifest.pools) = tree::read(&root, &known, report);
    manifest.behaviours = known.finish(&manifest.supervisors, report);
    manifest
}

#[cfg(test)]
mod tests;
