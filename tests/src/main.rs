//! The `actorhost` binary.

fn main() -> std::process::ExitCode {
    actorhost::cli::main()
}
