//! What can go wrong between actors. All of these are values in the caller's hand.

mod actors;
mod messages;

pub use actors::{ChildError, InitError, LinkError, NameError, SpawnError};
pub use messages::{AskError, ReplyError, SendError, StashError, TimerError};
