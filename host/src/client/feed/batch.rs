//! Rows put together into requests.

use super::{
    FeedOptions, OnError,
    source::{Found, Source, SourceError},
};
use actorhost_wire::api::{FeedRejection, FeedRow};
use serde_json::Value;
use std::io::Read;

/// Size at which a batch is full, in bytes of its rows, by estimate. A request may
/// have 16 MiB, and one row 8 MiB of them.
const BATCH_BYTES: usize = 4 << 20;

/// One request's worth of rows.
#[derive(Debug, Default)]
pub struct Batch {
    /// Rows to send.
    pub rows: Vec<FeedRow>,
    /// Rows that are not sent.
    pub rejected: Vec<FeedRejection>,
    /// Rows read for this batch, sent or not.
    pub rows_read: u64,
    /// Bytes read since the beginning of the input.
    pub bytes_read: u64,
    /// The row that ends the feed; it is among the rejected.
    pub end: Option<FeedRejection>,
    finished: bool,
}

impl Batch {
    /// Whether another batch may follow.
    pub fn has_more(&self) -> bool {
        !self.finished && self.end.is_none()
    }
}

/// The next batch: full, or cut short by the end of the input or of the feed.
pub fn next<R: Read>(source: &mut Source<R>, options: &FeedOptions) -> Result<Batch, SourceError> {
    let mut batch = Batch::default();
    let rows_max = options.batch_rows.max(1);
    let mut bytes = 0;
    while batch.rows_read < rows_max as u64 && bytes < BATCH_BYTES && batch.end.is_none() {
        let Some(read) = source.next(options)? else {
            batch.finished = true;
            break;
        };
        batch.rows_read += 1;
        match read {
            Found::Row(row) => {
                bytes += row.key.len() + size(&row.message);
                batch.rows.push(row);
            }
            Found::NoKey(rejection) => batch.rejected.push(rejection),
            Found::Wrong(rejection) => {
                if options.on_error == OnError::Stop {
                    batch.end = Some(rejection.clone());
                }
                batch.rejected.push(rejection);
            }
        }
    }
    batch.bytes_read = source.bytes_read();
    Ok(batch)
}

/// About how many bytes of JSON a value takes.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 20,
        Value::String(text) => text.len() + 2,
        Value::Array(list) => list.iter().map(|value| size(value) + 1).sum::<usize>() + 2,
        Value::Object(map) => {
            map.iter()
                .map(|(name, value)| name.len() + size(value) + 4)
                .sum::<usize>()
                + 2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Format, *};

    fn batches(text: &str, options: &FeedOptions) -> Result<Vec<Batch>, SourceError> {
        let mut source = Source::open(text.as_bytes(), options)?;
        let mut batches = Vec::new();
        loop {
            let batch = next(&mut source, options)?;
            let more = batch.has_more();
            batches.push(batch);
            if !more {
                return Ok(batches);
            }
        }
    }

    fn csv() -> FeedOptions {
        FeedOptions {
            batch_rows: 2,
            ..FeedOptions::new("fleet", "tail")
        }
    }

    fn keys(batch: &Batch) -> Vec<&str> {
        batch.rows.iter().map(|row| row.key.as_str()).collect()
    }

    #[test]
    fn rows_keep_their_order_and_number() {
        let found = batches("tail,delay\na,1\nb,2\na,3\n", &csv()).unwrap();
        assert_eq!(
            found.iter().map(keys).collect::<Vec<_>>(),
            [vec!["a", "b"], vec!["a"]]
        );
        assert_eq!(found[1].rows[0].row, 3);
        assert_eq!(
            found[1].rows[0].message,
            serde_json::json!({"tail": "a", "delay": "3"})
        );
        assert_eq!(found.iter().map(|batch| batch.rows_read).sum::<u64>(), 3);
        assert_eq!(found[1].bytes_read, 23);
    }

    #[test]
    fn a_row_without_a_key_never_stops_the_feed() {
        let found = batches("tail,delay\nNA,1\n,2\nb,3\n", &csv()).unwrap();
        let rejected = found.iter().flat_map(|batch| &batch.rejected);
        let rejected: Vec<_> = rejected.map(|row| (row.row, row.code.as_str())).collect();
        assert_eq!(rejected, [(1, "no-key"), (2, "no-key")]);
        assert_eq!(keys(&found[1]), ["b"]);
    }

    #[test]
    fn a_row_of_another_shape_stops_the_feed_or_is_skipped() {
        let text = "tail,delay\na,1\nb\nc,3,4\nd,5\n";
        let found = batches(text, &csv()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(keys(&found[0]), ["a"]);
        let end = found[0].end.as_ref().unwrap();
        assert_eq!((end.row, end.code.as_str()), (2, "columns"));
        assert_eq!(end.message, "the row, on line 3, has only 1 of 2 columns");

        let skip = FeedOptions {
            on_error: OnError::Skip,
            batch_rows: 100,
            ..csv()
        };
        let found = batches(text, &skip).unwrap();
        assert_eq!(keys(&found[0]), ["a", "d"]);
        assert_eq!(
            found[0].rejected[1].message,
            "the row, on line 4, has 3 of 2 columns"
        );
    }

    #[test]
    fn a_header_without_the_key_is_refused() {
        let error = batches("tail_number,delay\n", &csv()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file has no column `tail`; its columns are tail_number, delay"
        );
        assert!(matches!(
            batches("", &csv()).unwrap_err(),
            SourceError::NoHeader
        ));
        let error = batches("tail,tail\n", &csv()).unwrap_err();
        assert!(matches!(error, SourceError::SameColumn { .. }), "{error}");
    }

    #[test]
    fn json_lines_are_rows_and_empty_lines_are_not() {
        let options = FeedOptions {
            format: Format::Ndjson,
            on_error: OnError::Skip,
            batch_rows: 10,
            ..FeedOptions::new("fleet", "tail")
        };
        let text = "{\"tail\":\"a\",\"delay\":1}\n\n{\"tail\":null}\n{\"tail\":\n{\"tail\":[]}\n7";
        let found = batches(text, &options).unwrap();
        assert_eq!(keys(&found[0]), ["a"]);
        let rejected = found[0].rejected.iter();
        let rejected: Vec<_> = rejected.map(|row| (row.row, row.code.as_str())).collect();
        assert_eq!(
            rejected,
            [
                (3, "no-key"),
                (4, "bad-json"),
                (5, "bad-key"),
                (6, "no-key")
            ]
        );
    }

    #[test]
    fn a_row_without_end_does_not_fill_the_memory() {
        let options = csv();
        let endless = b"tail\n\"".chain(std::io::repeat(b'x'));
        let mut source = Source::open(endless, &options).unwrap();
        let error = next(&mut source, &options).unwrap_err().to_string();
        assert!(
            error.contains("row 1") && error.contains("quote"),
            "{error}"
        );
    }

    #[test]
    fn a_batch_ends_before_it_is_too_large_for_a_request() {
        let cell = "x".repeat(1 << 20);
        let row = format!("a,{cell}\n");
        let text = format!("tail,text\n{}", row.repeat(10));
        let options = FeedOptions {
            batch_rows: 1_000,
            ..csv()
        };
        let found = batches(&text, &options).unwrap();
        assert_eq!(
            found
                .iter()
                .map(|batch| batch.rows.len())
                .collect::<Vec<_>>(),
            [4, 4, 2]
        );
    }
}
