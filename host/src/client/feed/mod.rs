//! A file of rows, sent as messages to the actors of a pool: one actor a key.
//!
//! One thread reads and makes batches while the batch before is on its way, so at
//! most three batches are in memory. One batch is under way at a time: rows of one
//! key arrive in the order of the file. The node answers a batch when each of its
//! rows has found room, which is the back-pressure.

mod batch;
mod key;
mod row_limit;
mod source;
mod summary;

pub use source::{Format, SourceError};
pub use summary::{FeedSummary, REJECTIONS_SHOWN};

use super::{Client, ClientError};
use actorhost_wire::api::{FeedRejection, FeedRequest};
use batch::Batch;
use source::Source;
use std::{io::Read, time::Instant};
use tokio::sync::mpsc;

/// How rows become messages.
#[derive(Debug, Clone)]
pub struct FeedOptions {
    /// The pool whose actors get them.
    pub pool: String,
    /// The column that names the actor. In NDJSON it may be a path such as
    /// `Reading.device`.
    pub key: String,
    /// The message variant that a row's columns fill; without it the row is the
    /// message.
    pub variant: Option<String>,
    /// The form of the rows.
    pub format: Format,
    /// Rows in one request, at least 1.
    pub batch_rows: usize,
    /// What a row that is wrong, or that the node rejects, does.
    pub on_error: OnError,
    /// Keys that count as no key, beside the empty one. Rows without a key are
    /// rejected and never stop the feed.
    pub no_keys: Vec<String>,
}

impl FeedOptions {
    /// CSV rows for `pool`, by the column `key`, with every other option at its
    /// default.
    pub fn new(pool: impl Into<String>, key: impl Into<String>) -> Self {
        Self {
            pool: pool.into(),
            key: key.into(),
            variant: None,
            format: Format::Csv,
            batch_rows: 512,
            on_error: OnError::Stop,
            no_keys: vec!["NA".into()],
        }
    }
}

/// What a row that is wrong, or that the node rejects, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OnError {
    /// It ends the feed: the rows before it are sent, and of a rejected one also the
    /// rest of its batch.
    Stop,
    /// It is counted and left out.
    Skip,
}

/// Why a feed ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The input cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A row is not in the form of the others, and errors stop this feed.
    #[error("row {}: {}", .0.row, .0.message)]
    Row(FeedRejection),
    /// The node rejected a row, and errors stop this feed. Rows that follow it in its
    /// batch were sent.
    #[error("row {}: {}", .0.row, .0.message)]
    Rejected(FeedRejection),
    /// A request failed.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// A feed that ended before its input did, and what it had done by then.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct FeedFailed {
    /// Why.
    pub error: FeedError,
    /// What was done before.
    pub summary: Box<FeedSummary>,
}

/// Batches that wait for the one under way.
const BATCHES_READ_AHEAD: usize = 1;

/// Sends the rows of `input` to the actors of a pool; an actor is spawned for a key
/// that has none. `progress` hears of each batch that was answered.
///
/// # Errors
/// [`FeedFailed`] when the input cannot be read, a request fails, or (by
/// [`OnError::Stop`]) a row is wrong or rejected. Rows of the same batch that follow a
/// row which the node rejects have been sent.
pub async fn run(
    client: &Client,
    input: impl Read + Send + 'static,
    options: &FeedOptions,
    mut progress: impl FnMut(&FeedSummary),
) -> Result<FeedSummary, FeedFailed> {
    let begun = Instant::now();
    let mut summary = FeedSummary::default();
    let mut tell = |summary: &mut FeedSummary| {
        summary.timed(begun.elapsed());
        progress(summary);
    };
    let outcome = send_all(client, input, options, &mut summary, &mut tell).await;
    summary.timed(begun.elapsed());
    match outcome {
        Ok(()) => Ok(summary),
        Err(error) => Err(FeedFailed {
            error,
            summary: Box::new(summary),
        }),
    }
}

async fn send_all(
    client: &Client,
    input: impl Read + Send + 'static,
    options: &FeedOptions,
    summary: &mut FeedSummary,
    progress: &mut impl FnMut(&mut FeedSummary),
) -> Result<(), FeedError> {
    let mut batches = read_ahead(input, options.clone());
    while let Some(batch) = batches.recv().await {
        let Batch {
            rows,
            mut rejected,
            rows_read,
            bytes_read,
            end,
            ..
        } = batch?;
        let mut stop = None;
        if !rows.is_empty() {
            let request = FeedRequest {
                pool: options.pool.clone(),
                variant: options.variant.clone(),
                rows,
            };
            let reply = client.feed(&request).await?;
            summary.accepted += reply.accepted;
            summary.spawned += reply.spawned;
            if options.on_error == OnError::Stop {
                stop = reply.rejected.first().cloned();
            }
            rejected.extend(reply.rejected);
        }
        rejected.sort_by_key(|rejection| rejection.row);
        summary.add_batch(rows_read, bytes_read, rejected);
        progress(summary);
        if let Some(rejected) = stop {
            return Err(FeedError::Rejected(rejected));
        }
        if let Some(wrong) = end {
            return Err(FeedError::Row(wrong));
        }
    }
    Ok(())
}

/// Reads on a thread of its own, which ends with the input or when nobody listens.
fn read_ahead(
    input: impl Read + Send + 'static,
    options: FeedOptions,
) -> mpsc::Receiver<Result<Batch, SourceError>> {
    let (sender, receiver) = mpsc::channel(BATCHES_READ_AHEAD);
    // Not one of tokio's blocking threads: the end of a runtime waits for those, and
    // a terminal that nobody types on never ends.
    std::thread::spawn(move || {
        let mut source = match Source::open(input, &options) {
            Ok(source) => source,
            Err(error) => {
                // Nobody listens when the feed was given up; then nobody minds.
                let _ = sender.blocking_send(Err(error));
                return;
            }
        };
        loop {
            let batch = batch::next(&mut source, &options);
            let last = !matches!(&batch, Ok(batch) if batch.has_more());
            if sender.blocking_send(batch).is_err() || last {
                return;
            }
        }
    });
    receiver
}
