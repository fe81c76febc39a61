//! `tell`: sends a message.

use super::{CliError, Exit, Output, Place, examples, json_arg};
use actorhost_wire::api::TellRequest;

/// Send a message to an actor, without waiting until it is handled
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost tell /bank/alice '{\"Deposit\": {\"cents\": 100}}'",
    "actorhost tell /bank/alice @message.json",
    "actorhost tell /bank/alice -",
))]
pub struct Args {
    /// The actor's path or id
    #[arg(value_name = "ACTOR")]
    to: String,
    /// The message as JSON, a bare word, @FILE, or - for standard input
    #[arg(value_name = "MESSAGE")]
    message: String,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let message = json_arg::read(&args.message)?;
    let request = TellRequest {
        to: args.to.clone(),
        message,
    };
    let reply = args.place.client()?.tell(&request).await?;
    output.result(&reply, |_| format!("sent to {}", args.to))?;
    Ok(Exit::Done)
}
