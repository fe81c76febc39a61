//! The `actorhost` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    actorhost::cli::main()
}
