//! The harness of the integration tests: guests built once, a node in a directory of
//! its own, and the command line run as a user runs it.

mod guests;
mod node;
mod shell;

pub use guests::{bytes_of, guest, workspace};
pub use node::{Node, Ran, run};
pub use shell::{Shell, typed_lines};
