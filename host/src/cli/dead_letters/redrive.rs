//! `dead-letters redrive`: sends dead letters again.

use super::selection::Selected;
use crate::cli::{CliError, Exit, Output, Place, examples, output::counted};
use actorhost_wire::api::{RedriveReply, RedriveRequest};

/// Send dead letters again, the oldest first
///
/// Each goes to the living actor that it was for, or else to the one that has its path
/// now, or to the one named with --to-actor, as a message without an asker. It keeps
/// its sender where that one lives. The mailbox's bound holds. What was sent is kept
/// no longer; what was refused stays.
///
/// The bytes are sent as they are: an actor that has moved to another version
/// meanwhile, or another one, may not understand them, and crashes as on any bad
/// message. A letter that crashed three lives is `poison` and needs --force. A
/// late-reply cannot be sent again: no handler takes replies.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost dead-letters redrive 7 8",
    "actorhost dead-letters redrive --reason stopped --to '/bank/*'",
    "actorhost dead-letters redrive --since 10m --to-actor /bank/spare",
    "actorhost dead-letters redrive 9 --force",
))]
pub struct Args {
    #[command(flatten)]
    which: Selected,
    /// The actor that gets them, by path or id, instead of each its own
    #[arg(long, value_name = "ADDRESS")]
    to_actor: Option<String>,
    /// Send those that are poison, too
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: Place,
}

/// Exits with 1 when any letter was refused.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let request = RedriveRequest {
        select: args.which.selection()?,
        to_actor: args.to_actor.clone(),
        force: args.force,
    };
    let reply = args.place.client()?.redrive(&request).await?;
    output.result(&reply, text)?;
    Ok(if reply.refused.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn text(reply: &RedriveReply) -> String {
    let mut text = String::new();
    for sent in &reply.sent {
        let how = match &*sent.found_by {
            "path" => ", which has its path now",
            _ => "",
        };
        text += &format!("{} sent to {} (id {}){how}\n", sent.id, sent.to, sent.to_id);
    }
    for refused in &reply.refused {
        let (id, code, message) = (refused.id, &refused.code, &refused.message);
        text += &format!("{id} not sent, {code}: {message}\n");
    }
    let (sent, refused) = (reply.sent.len() as u64, reply.refused.len() as u64);
    text += &format!(
        "{} sent again",
        counted(sent, "dead letter", "dead letters")
    );
    if refused > 0 {
        text += &format!(", {} not", counted(refused, "other", "others"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_wire::api::{RedrivenLetter, RefusedLetter};

    #[test]
    fn each_letter_has_its_line() {
        let reply = RedriveReply {
            sent: vec![RedrivenLetter {
                id: 7,
                to: "/a".into(),
                to_id: 12,
                found_by: "path".into(),
            }],
            refused: vec![RefusedLetter {
                id: 8,
                code: "poison".into(),
                message: "it crashed 3 lives".into(),
            }],
        };
        assert_eq!(
            text(&reply),
            "7 sent to /a (id 12), which has its path now\n\
             8 not sent, poison: it crashed 3 lives\n\
             1 dead letter sent again, 1 other not"
        );
    }
}
