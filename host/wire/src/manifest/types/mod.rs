//! What a manifest says, as plain values: durations in milliseconds, sizes in bytes.

mod actor;
mod behaviour;
mod mailbox;
mod node;
mod tree;

pub use actor::{Actor, Backoff, Cause, Directive, Directives, Restart, Shutdown};
pub use behaviour::{Behaviour, Capabilities, DirGrant};
pub use mailbox::{Mailbox, Overflow, Priority};
pub use node::{LogLevel, NodeSettings};
pub use tree::{AutoShutdown, Child, ChildKind, Pool, RestartBudget, Strategy, Supervisor};

/// The dispatcher that runs whatever names no other.
pub const DEFAULT_DISPATCHER: &str = "default";

/// A dispatcher for behaviours that compute long, which every node has.
pub const BLOCKING_DISPATCHER: &str = "blocking";
