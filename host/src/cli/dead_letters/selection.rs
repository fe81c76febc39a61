//! The flags that say which dead letters are meant.

use crate::cli::{CliError, duration};
use actorhost_core::dead_letters::DeadReason;
use actorhost_wire::api::LetterSelection;
use clap::builder::PossibleValuesParser;

/// Filters; a letter must fit all that are given.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Filters {
    /// Only those of this reason
    #[arg(long, value_name = "REASON", value_parser = reasons())]
    reason: Option<String>,
    /// Only those for this actor: its path, its id, or /fleet/* for all below a path
    #[arg(long, value_name = "PATH")]
    to: Option<String>,
    /// Only those of the last while, such as 10m
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis)]
    since: Option<u64>,
}

fn reasons() -> PossibleValuesParser {
    PossibleValuesParser::new(DeadReason::ALL.map(DeadReason::as_str))
}

impl Filters {
    pub fn selection(&self) -> LetterSelection {
        LetterSelection {
            reason: self.reason.clone(),
            to: self.to.clone(),
            younger_ms: self.since,
            ..LetterSelection::default()
        }
    }
}

/// Letters by their numbers, by filters, or all.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Selected {
    /// Numbers of letters, as `dead-letters list` shows them
    #[arg(value_name = "ID", conflicts_with_all = ["all", "reason", "to", "since"])]
    ids: Vec<u64>,
    /// Every letter that is kept
    #[arg(long, conflicts_with_all = ["reason", "to", "since"])]
    all: bool,
    #[command(flatten)]
    filters: Filters,
}

impl Selected {
    /// What the node is asked for.
    ///
    /// # Errors
    /// When nothing says which letters are meant.
    pub fn selection(&self) -> Result<LetterSelection, CliError> {
        let selection = LetterSelection {
            ids: self.ids.clone(),
            all: self.all,
            ..self.filters.selection()
        };
        if selection == LetterSelection::default() {
            let message = "which letters is not said";
            return Err(CliError::usage("usage", message)
                .help("give their numbers, or --reason, --to or --since, or --all"));
        }
        Ok(selection)
    }
}
