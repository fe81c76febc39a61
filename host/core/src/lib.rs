//! The actor machine: addresses, mailboxes, the dispatcher, supervision, asks,
//! watches, hibernation and hot swap.
//!
//! It knows no wasm, no network and no wall clock. A behaviour is anything that
//! implements [`Engine`] and [`Instance`]; time comes from a [`Clock`]; threads
//! come from a [`dispatcher::Dispatcher`]. The node in the `actorhost` crate
//! plugs wasmtime, real threads and the monotonic clock in; tests plug in native
//! behaviours, a seeded scheduler and virtual time.

pub mod actor;
pub mod address;
pub mod ask;
pub mod clock;
pub mod dead_letters;
pub mod dispatcher;
pub mod engine;
pub mod exit;
pub mod groups;
pub mod mailbox;
pub mod node;
pub mod observe;
pub mod policy;
pub mod registry;
pub mod sim;
pub mod spec;
pub mod supervisor;
pub mod swap;
pub mod timers;
pub mod turn;

pub use address::ActorId;
pub use clock::Clock;
pub use engine::{Engine, Envelope, Instance, ModuleInfo, Payload};
pub use exit::{Crash, CrashKind, ExitReason};
pub use node::{Node, NodeConfig};
pub use spec::{ChildSpec, Limits, MailboxSpec, Overflow, RestartType};
pub use supervisor::{ChildCounts, ChildError};
pub use turn::{
    AskError, LinkError, NameError, NewChild, Published, ReplyError, SendError, SpawnError,
    StashError, StopMode, TimerError, Turn,
};
