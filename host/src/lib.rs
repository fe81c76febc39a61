//! The actorhost node as a library: the wasm engine, a running node, its API, and
//! the command line.

pub mod api;
pub mod behaviour;
mod bounded_read;
pub mod cli;
pub mod client;
pub mod guest_build;
pub mod node;
pub mod socket;
