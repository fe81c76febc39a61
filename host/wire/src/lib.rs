//! What crosses the edge of a node: the schemas that modules carry, the way from
//! JSON to postcard and back, the manifest, and the bodies of the HTTP API.
//!
//! Nothing here runs a guest or opens a file or a socket, so all of it can be
//! tested and fuzzed by itself.

pub mod api;
pub mod compat;
pub mod manifest;
mod nearest;
pub mod schema;

pub use nearest::nearest;
