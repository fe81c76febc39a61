//! `dead-letters show`: one dead letter with all that is known of it.

use super::list::now_ms;
use crate::cli::{CliError, Exit, Output, Place, duration, examples, output};
use actorhost_wire::api::DeadLetterInfo;

/// Show one dead letter with its whole message, as JSON or else in hex
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost dead-letters show 7",
    "actorhost dead-letters show 7 --json",
))]
pub struct Args {
    /// Its number
    id: u64,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let letter = args.place.client()?.dead_letter(args.id).await?;
    output.result(&letter, |letter| text(letter, now_ms()))?;
    Ok(Exit::Done)
}

fn text(letter: &DeadLetterInfo, now_ms: u64) -> String {
    let age = duration::show(now_ms.saturating_sub(letter.at_ms));
    let crashes = match letter.crashes {
        0 => String::new(),
        1 => ", crashed 1 life".into(),
        lives => format!(", crashed {lives} lives"),
    };
    let with_id = |path: &str, id: u64| match path == id.to_string() {
        true => path.to_owned(),
        false => format!("{path} (id {id})"),
    };
    let sender = match (&letter.sender, letter.sender_id) {
        (Some(path), Some(id)) => with_id(path, id),
        _ => "outside".into(),
    };
    let mut text = format!("dead letter {}, {age} ago\n", letter.id);
    text += &format!("  reason   {}{crashes}\n", letter.reason);
    text += &format!("  to       {}\n", with_id(&letter.to, letter.to_id));
    if !letter.behaviour.is_empty() {
        text += &format!("  version  {} v{}\n", letter.behaviour, letter.version);
    }
    text += &format!("  from     {sender}\n");
    text += &format!(
        "  cause    {}\n",
        letter.detail.replace('\n', "\n           ")
    );
    let variant = letter.variant.as_deref().unwrap_or("message");
    text += &format!("  {variant}, {} bytes\n", letter.size);
    match (&letter.message, &letter.hex) {
        (Some(message), _) => text += &output::json(message, true),
        (None, Some(hex)) => text += &format!("0x{hex}"),
        (None, None) => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_does_not_decode_is_shown_in_hex() {
        let letter = DeadLetterInfo {
            id: 7,
            at_ms: 1_000,
            reason: "crashed".into(),
            detail: "bad-message".into(),
            to: "/a".into(),
            to_id: 4,
            sender: Some("/b".into()),
            sender_id: Some(5),
            behaviour: "account".into(),
            version: 1,
            crashes: 2,
            variant: None,
            size: 2,
            message: None,
            hex: Some("ff00".into()),
        };
        let expected = "dead letter 7, 2.5s ago
  reason   crashed, crashed 2 lives
  to       /a (id 4)
  version  account v1
  from     /b (id 5)
  cause    bad-message
  message, 2 bytes
0xff00";
        assert_eq!(text(&letter, 3_500), expected);
    }
}
