//! `restart`: gives an actor a new life.

use super::{CliError, Exit, Output, Place, examples, output::counted};
use actorhost_wire::api::RestartRequest;

/// Restart an actor on its behaviour's current version; its state is lost, its mailbox kept
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost restart /bank/alice"))]
pub struct Args {
    /// The actor's path or id
    #[arg(value_name = "ACTOR")]
    actor: String,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let request = RestartRequest {
        actor: args.actor.clone(),
    };
    let reply = args.place.client()?.restart(&request).await?;
    output.result(&reply, |reply| {
        format!(
            "restarted {} ({} so far)",
            reply.path,
            counted(reply.restarts, "restart", "restarts")
        )
    })?;
    Ok(Exit::Done)
}
