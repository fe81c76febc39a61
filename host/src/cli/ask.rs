//! `ask`: sends a message and prints the reply.

use super::{CliError, Exit, Output, Place, duration, examples, json_arg, output};
use actorhost_wire::api::AskRequest;
use std::io::{self, IsTerminal};

/// Send a message to an actor and print its reply
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost ask /bank/alice Balance",
    "actorhost ask /bank/alice '{\"Deposit\": {\"cents\": 100}}' --timeout 1s",
    "actorhost ask --json /bank/alice @message.json",
))]
pub struct Args {
    /// The actor's path or id
    #[arg(value_name = "ACTOR")]
    to: String,
    /// The message as JSON, a bare word, @FILE, or - for standard input
    #[arg(value_name = "MESSAGE")]
    message: String,
    /// How long to wait for the reply
    #[arg(long, value_name = "TIME", default_value = "5s", allow_hyphen_values = true, value_parser = duration::millis)]
    timeout: u64,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let message = json_arg::read(&args.message)?;
    let request = AskRequest {
        to: args.to.clone(),
        message,
        timeout_ms: args.timeout,
    };
    let reply = args.place.client()?.ask(&request).await?;
    output.result(&reply, |reply| {
        output::json(&reply.reply, io::stdout().is_terminal())
    })?;
    Ok(Exit::Done)
}
