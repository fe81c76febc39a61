//! `dead-letters`: lists messages that reached nobody or crashed their handler.

use super::{
    CliError, Exit, Output, Place, duration, examples,
    output::{count, counted, lines, table},
};
use actorhost_wire::api::{DeadLetterInfo, DeadLetterList};
use std::time::{SystemTime, UNIX_EPOCH};

/// List messages that reached nobody or crashed their handler, the newest first
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost dead-letters",
    "actorhost dead-letters --limit 5 --json",
))]
pub struct Args {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let list = args.place.client()?.dead_letters(Some(args.limit)).await?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let now_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    output.result(&list, |list| text(list, now_ms))?;
    Ok(Exit::Done)
}

fn text(list: &DeadLetterList, now_ms: u64) -> String {
    let mut text = String::new();
    if !list.letters.is_empty() {
        let mut rows = table(&[">id", ">ago", "reason", "to", "from", "message", "cause"]);
        for letter in &list.letters {
            rows.add_row(row(letter, now_ms));
        }
        text += &lines(&rows);
    }
    text += &counted(list.total, "dead letter", "dead letters");
    text += " since the start";
    let shown = list.letters.len() as u64;
    let kept = list.total.saturating_sub(list.dropped);
    if shown < kept {
        text += &format!(", {} shown; see more with --limit", count(shown));
    }
    if list.dropped > 0 {
        text += &format!(", {} no longer kept", count(list.dropped));
    }
    text + "\n"
}

/// Characters of a message and of a cause that are shown.
const CELL_CHARS_MAX: usize = 60;

fn row(letter: &DeadLetterInfo, now_ms: u64) -> [String; 7] {
    let message = match (&letter.message, &letter.variant) {
        (Some(message), _) => message.to_string(),
        (None, Some(variant)) => format!("{variant}, {} bytes", letter.size),
        (None, None) => format!("{} bytes", letter.size),
    };
    [
        letter.id.to_string(),
        duration::show(now_ms.saturating_sub(letter.at_ms)),
        letter.reason.clone(),
        letter.to.clone(),
        letter.sender.clone().unwrap_or_else(|| "-".into()),
        clip(&message),
        clip(&letter.detail),
    ]
}

/// The first line, cut where it is long; the rest is in the JSON.
fn clip(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= CELL_CHARS_MAX && line.len() == text.len() {
        return line.into();
    }
    line.chars().take(CELL_CHARS_MAX).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_letter_is_one_line() {
        let letter = DeadLetterInfo {
            id: 7,
            at_ms: 1_000,
            reason: "crashed".into(),
            detail: "panic: boom\nat handle".into(),
            to: "/bank/alice".into(),
            sender: None,
            behaviour: "account".into(),
            version: 1,
            variant: Some("Crash".into()),
            size: 3,
            message: Some(json!("Crash")),
        };
        let list = DeadLetterList {
            letters: vec![letter],
            total: 12,
            dropped: 2,
        };
        let text = text(&list, 3_500);
        assert!(
            text.contains("7  2.5s  crashed  /bank/alice  -     \"Crash\"  panic: boom…"),
            "{text}"
        );
        assert!(text.ends_with(
            "12 dead letters since the start, 1 shown; see more with --limit, 2 no longer kept\n"
        ));
        assert_eq!(text.lines().count(), 3);
    }
}
