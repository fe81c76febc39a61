//! `dead-letters`: works with messages that reached nobody or crashed their handler.

mod list;
mod purge;
mod redrive;
mod selection;
mod show;

use super::{CliError, Exit, Output, examples};
use clap::Subcommand;

/// List, show, send again or throw away messages that reached nobody or crashed their handler
///
/// Without a verb of its own it lists the newest, as `dead-letters list` does.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = examples!(
        "actorhost dead-letters",
        "actorhost dead-letters list --reason crashed --since 10m",
        "actorhost dead-letters show 7",
        "actorhost dead-letters redrive --to '/bank/*'",
        "actorhost dead-letters purge --all",
    )
)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    list: list::Args,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Redrive(redrive::Args),
    Purge(purge::Args),
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    match &args.verb {
        None => list::run(&args.list, output).await,
        Some(Verb::List(args)) => list::run(args, output).await,
        Some(Verb::Show(args)) => show::run(args, output).await,
        Some(Verb::Redrive(args)) => redrive::run(args, output).await,
        Some(Verb::Purge(args)) => purge::run(args, output).await,
    }
}
