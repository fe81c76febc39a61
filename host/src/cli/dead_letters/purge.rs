//! `dead-letters purge`: throws dead letters away.

use super::selection::Selected;
use crate::cli::{CliError, Exit, Output, Place, examples, output::counted};
use actorhost_wire::api::{PurgeReply, PurgeRequest};

/// Throw dead letters away; they stay counted
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost dead-letters purge 7 8",
    "actorhost dead-letters purge --reason late-reply",
    "actorhost dead-letters purge --to '/fleet/*' --since 1h",
    "actorhost dead-letters purge --all",
))]
pub struct Args {
    #[command(flatten)]
    which: Selected,
    #[command(flatten)]
    place: Place,
}

/// Exits with 1 when a number is not kept.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let request = PurgeRequest {
        select: args.which.selection()?,
    };
    let reply = args.place.client()?.purge(&request).await?;
    output.result(&reply, text)?;
    Ok(if reply.not_kept.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn text(reply: &PurgeReply) -> String {
    let mut text = String::new();
    for id in &reply.not_kept {
        text += &format!("{id} is not kept\n");
    }
    text + &format!(
        "{} thrown away",
        counted(reply.purged, "dead letter", "dead letters")
    )
}
