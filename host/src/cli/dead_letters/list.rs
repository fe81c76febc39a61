//! `dead-letters list`: the newest dead letters.

use super::selection::Filters;
use crate::cli::{
    CliError, Exit, Output, Place, duration, examples,
    output::{count, counted, lines, table},
};
use actorhost_wire::api::{DeadLetterInfo, DeadLetterList};
use std::time::{SystemTime, UNIX_EPOCH};

/// List dead letters, the newest first
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost dead-letters list",
    "actorhost dead-letters list --reason crashed --to /bank/alice --since 10m",
    "actorhost dead-letters list --limit 5 --json",
))]
pub struct Args {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let client = args.place.client()?;
    let filters = args.filters.selection();
    let list = client
        .select_dead_letters(&filters, Some(args.limit))
        .await?;
    output.result(&list, |list| text(list, now_ms()))?;
    Ok(Exit::Done)
}

pub(super) fn now_ms() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
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
    if list.selected < list.kept {
        text += &format!(", {} of them meant", count(list.selected));
    }
    if shown < list.selected {
        text += &format!(", {} shown; see more with --limit", count(shown));
    }
    if list.removed > 0 {
        text += &format!(", {} sent again or purged", count(list.removed));
    }
    if list.dropped > 0 {
        text += &format!(", {} dropped for want of room", count(list.dropped));
    }
    text + "\n"
}

/// Characters of a message and of a cause that are shown.
const CELL_CHARS_MAX: usize = 60;

fn row(letter: &DeadLetterInfo, now_ms: u64) -> [String; 7] {
    let message = match (&letter.message, &letter.variant, &letter.hex) {
        (Some(message), ..) => message.to_string(),
        (None, Some(variant), _) => format!("{variant}, {} bytes", letter.size),
        (None, None, Some(hex)) => format!("0x{hex}"),
        (None, None, None) => format!("{} bytes", letter.size),
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
            to_id: 4,
            sender: None,
            sender_id: None,
            behaviour: "account".into(),
            version: 1,
            crashes: 1,
            variant: Some("Crash".into()),
            size: 3,
            message: Some(json!("Crash")),
            hex: None,
        };
        let list = DeadLetterList {
            letters: vec![letter],
            selected: 9,
            kept: 10,
            kept_bytes: 3_000,
            total: 12,
            dropped: 2,
            dropped_by_reason: Default::default(),
            removed: 0,
        };
        let text = text(&list, 3_500);
        assert!(
            text.contains("7  2.5s  crashed  /bank/alice  -     \"Crash\"  panic: boom…"),
            "{text}"
        );
        assert!(text.ends_with(
            "12 dead letters since the start, 9 of them meant, 1 shown; see more with --limit, \
             2 dropped for want of room\n"
        ));
        assert_eq!(text.lines().count(), 3);
    }
}
