//! `feed`: sends a file of rows to the actors of a pool.

use super::{
    CliError, Exit, Output, Place, examples,
    output::{count, counted},
};
use crate::client::feed::{self, FeedError, FeedFailed, FeedOptions, FeedSummary, Format, OnError};
use actorhost_wire::api::FeedRejection;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Send the rows of a CSV or NDJSON file to the actors of a pool, one actor a key
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost feed flights.csv --pool fleet --key tailnum --message Flight",
    "actorhost feed readings.ndjson --pool devices --key device --on-error skip",
    "actorhost feed - --format ndjson --pool devices --key Reading.device",
))]
pub struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// The pool; an actor is spawned for a key that has none
    #[arg(long)]
    pool: String,
    /// The column that names the actor; in NDJSON also a path such as Reading.device
    #[arg(long, value_name = "COLUMN")]
    key: String,
    /// The message variant whose fields the columns fill; by default the row is the message
    #[arg(long, value_name = "VARIANT")]
    message: Option<String>,
    /// The form of the rows; by default by the file's name
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Rows in one request
    #[arg(long, value_name = "ROWS", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..))]
    batch: u16,
    /// What a row that is malformed or rejected does
    #[arg(long, value_enum, default_value_t = OnError::Stop)]
    on_error: OnError,
    /// A key that counts as none, like the empty one: its rows are counted and left out
    #[arg(long, value_name = "TEXT", default_value = "NA")]
    no_key: Vec<String>,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let (input, bytes) = open(&args.file)?;
    let options = FeedOptions {
        pool: args.pool.clone(),
        key: args.key.clone(),
        variant: args.message.clone(),
        format: format(args)?,
        batch_rows: args.batch.into(),
        on_error: args.on_error,
        no_keys: args.no_key.clone(),
    };
    let client = args.place.client()?;
    let mut progress = Progress::new(output, bytes);
    let fed = feed::run(&client, input, &options, |so_far| progress.show(so_far)).await;
    progress.end();
    match fed {
        Ok(summary) => {
            output.result(&summary, text)?;
            Ok(Exit::Done)
        }
        Err(failed) => {
            // Where nothing was read, the error says it all.
            if output.is_json() || failed.summary.rows > 0 {
                output.result(&*failed.summary, text)?;
            }
            Err(stopped(failed, &args.file))
        }
    }
}

fn format(args: &Args) -> Result<Format, CliError> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    match args
        .file
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("csv") => Ok(Format::Csv),
        Some("ndjson" | "jsonl") => Ok(Format::Ndjson),
        _ => Err(CliError::usage(
            "no-format",
            format!(
                "the form of {} does not show in its name",
                args.file.display()
            ),
        )
        .help("add `--format csv` or `--format ndjson`")),
    }
}

/// The input, and its size where that is known.
fn open(path: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), CliError> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let unreadable = |error| CliError::file("read", path, &error);
    let file = File::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    Ok((Box::new(file), about.is_file().then_some(about.len())))
}

fn stopped(failed: FeedFailed, file: &Path) -> CliError {
    let name = shown(file);
    let row = |row: FeedRejection, before: &str| {
        CliError::failed(&row.code, row.message)
            .at(format!("{name} row {}", row.row))
            .help(format!(
                "{before}; `--on-error skip` counts such rows and goes on"
            ))
    };
    match failed.error {
        FeedError::Client(error) => error.into(),
        FeedError::Row(wrong) => row(wrong, "only the rows before it were sent"),
        FeedError::Rejected(rejected) => {
            row(rejected, "its batch was sent, the rows after that were not")
        }
        FeedError::Source(error) => CliError::failed("bad-input", error.to_string()).at(name),
    }
}

/// The file's name, for people.
fn shown(file: &Path) -> String {
    if file == Path::new("-") {
        return "standard input".into();
    }
    file.display().to_string()
}

/// How often a line is written where there is no terminal to draw on.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How far the feed is, on standard error.
enum Progress<'o> {
    Bar(ProgressBar),
    Lines { output: &'o Output, last: Instant },
    None,
}

impl<'o> Progress<'o> {
    fn new(output: &'o Output, bytes: Option<u64>) -> Self {
        if output.is_json() {
            return Self::None;
        }
        if !output.has_progress_bar() {
            return Self::Lines {
                output,
                last: Instant::now(),
            };
        }
        let (bar, template) = match bytes {
            Some(bytes) => (
                ProgressBar::new(bytes),
                "{bar:30} {percent:>3}%  {msg}  {eta} left",
            ),
            None => (ProgressBar::no_length(), "{spinner}  {msg}"),
        };
        let style = ProgressStyle::with_template(template).expect("both templates are right");
        Self::Bar(bar.with_style(style))
    }

    fn show(&mut self, so_far: &FeedSummary) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(line(so_far));
                bar.set_position(so_far.bytes_read);
            }
            Self::Lines { output, last } if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                output.note(&line(so_far));
            }
            Self::Lines { .. } | Self::None => {}
        }
    }

    fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn line(so_far: &FeedSummary) -> String {
    let rate = count(so_far.rows_per_second as u64);
    format!(
        "{}, {rate}/s, {} rejected",
        counted(so_far.rows, "row", "rows"),
        count(so_far.rejected)
    )
}

fn text(summary: &FeedSummary) -> String {
    let mut text = format!(
        "{} in {:.1} s ({}/s)\n  accepted  {}\n  rejected  {}\n",
        counted(summary.rows, "row", "rows"),
        summary.elapsed_ms as f64 / 1_000.0,
        count(summary.rows_per_second as u64),
        count(summary.accepted),
        count(summary.rejected),
    );
    for (reason, rows) in &summary.rejected_by_reason {
        text += &format!("    {reason}: {}\n", count(*rows));
    }
    for row in &summary.rejections {
        text += &format!("    row {}: {}\n", row.row, row.message);
    }
    if summary.rejected > summary.rejections.len() as u64 {
        text += "    …\n";
    }
    text + &format!(
        "  spawned   {}\n",
        counted(summary.spawned, "actor", "actors")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_shows_reasons_and_the_first_rows() {
        let rejection = FeedRejection {
            row: 12,
            key: "NA".into(),
            code: "no-key".into(),
            message: "line 13 has no tailnum".into(),
        };
        let summary = FeedSummary {
            rows: 27_004,
            accepted: 26_848,
            rejected: 156,
            rejected_by_reason: [("no-key".to_owned(), 156)].into(),
            rejections: vec![rejection],
            spawned: 3_148,
            bytes_read: 1,
            elapsed_ms: 1_500,
            rows_per_second: 18_002.6,
        };
        assert_eq!(
            text(&summary),
            "27,004 rows in 1.5 s (18,002/s)\n  accepted  26,848\n  rejected  156\n    \
             no-key: 156\n    row 12: line 13 has no tailnum\n    …\n  spawned   3,148 actors\n"
        );
    }

    #[test]
    fn a_wrong_row_is_named_by_file_and_number() {
        let row = FeedRejection {
            row: 7,
            key: "a".into(),
            code: "columns".into(),
            message: "line 8 has only 1 of 2 columns".into(),
        };
        let failed = FeedFailed {
            error: FeedError::Row(row),
            summary: Box::default(),
        };
        let error = stopped(failed, Path::new("f.csv"));
        assert_eq!(
            (error.exit, error.at.as_deref()),
            (Exit::Failed, Some("f.csv row 7"))
        );
    }
}
