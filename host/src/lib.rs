//! The actorhost node as a library.

pub mod behaviour;
