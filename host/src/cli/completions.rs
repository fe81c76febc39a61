//! `completions`: a script that completes the command line in a shell.

use super::{CliError, Exit, Output, examples};
use clap_complete::{Shell, generate};

/// Print a script that completes this command line in your shell
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost completions bash > ~/.local/share/bash-completion/completions/actorhost",
    "actorhost completions zsh > ~/.zfunc/_actorhost",
    "actorhost completions fish > ~/.config/fish/completions/actorhost.fish",
))]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &Args, output: &Output, command: &mut clap::Command) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    generate(args.shell, command, "actorhost", &mut script);
    output.write(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
