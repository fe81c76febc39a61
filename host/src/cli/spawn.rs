//! `spawn`: starts an actor.

use super::{CliError, Exit, Output, Place, examples, json_arg};
use actorhost_wire::api::SpawnRequest;

/// Start an actor, of a behaviour or in a pool, and wait for its `init`
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("where").required(true).args(["behaviour", "pool"]),
    after_help = examples!(
        "actorhost spawn --behaviour account --name alice",
        "actorhost spawn --pool fleet --name N14228",
        "actorhost spawn --pool counters --args '{\"start\": 5}'",
    )
)]
pub struct Args {
    /// The behaviour; the actor's path is /NAME
    #[arg(long, value_name = "BEHAVIOUR")]
    behaviour: Option<String>,
    /// The pool; the actor's path is /POOL/NAME
    #[arg(long, value_name = "POOL")]
    pool: Option<String>,
    /// The actor's name; by default one is made up
    #[arg(long)]
    name: Option<String>,
    /// Arguments as JSON, @FILE, or - for standard input; by default the pool's, or none
    #[arg(long, value_name = "JSON")]
    args: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let request = SpawnRequest {
        behaviour: args.behaviour.clone(),
        pool: args.pool.clone(),
        name: args.name.clone(),
        args: args.args.as_deref().map(json_arg::read).transpose()?,
    };
    let reply = args.place.client()?.spawn(&request).await?;
    output.result(&reply, |reply| {
        format!("spawned {} (id {})", reply.path, reply.id)
    })?;
    Ok(Exit::Done)
}
