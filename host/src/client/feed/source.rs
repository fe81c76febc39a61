//! Rows out of a CSV or NDJSON stream, one at a time.

use super::{
    FeedOptions,
    key::{self, Key},
    row_limit::RowLimit,
};
use actorhost_wire::api::{FeedRejection, FeedRow};
use csv::ByteRecord;
use serde_json::{Map, Value};
use std::io::{self, BufRead, BufReader, Read};

/// The form of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Comma-separated values, the names of the columns in the first line.
    Csv,
    /// One JSON value a line.
    Ndjson,
}

/// Why the input as a whole cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It cannot be read.
    #[error("cannot read row {row}: {error}")]
    Read {
        /// The row that was to be read, from 1.
        row: u64,
        /// Why.
        error: io::Error,
    },
    /// It has no line with the columns' names.
    #[error("the file is empty: its first line should name the columns")]
    NoHeader,
    /// Two columns have one name.
    #[error("the header names the column `{column}` twice")]
    SameColumn {
        /// The name.
        column: String,
    },
    /// The header is not text.
    #[error("the header is not UTF-8 text")]
    HeaderNotText,
    /// No column is named as the key is to be.
    #[error("the file has no column `{column}`; its columns are {}", columns.join(", "))]
    NoKeyColumn {
        /// The name.
        column: String,
        /// The columns that it has.
        columns: Vec<String>,
    },
}

/// One row, as far as it is a message for somebody.
#[derive(Debug)]
pub enum Found {
    /// A message for the actor of its key.
    Row(FeedRow),
    /// No key: nobody's row.
    NoKey(FeedRejection),
    /// Not in the form of the others.
    Wrong(FeedRejection),
}

/// A stream of rows.
pub enum Source<R> {
    Csv(Csv<R>),
    Ndjson(Ndjson<R>),
}

impl<R: Read> Source<R> {
    /// Reads as far as the first row.
    pub fn open(input: R, options: &FeedOptions) -> Result<Self, SourceError> {
        match options.format {
            Format::Csv => Csv::open(input, &options.key).map(Self::Csv),
            Format::Ndjson => Ok(Self::Ndjson(Ndjson::new(input))),
        }
    }

    /// The next row; none at the end.
    pub fn next(&mut self, options: &FeedOptions) -> Result<Option<Found>, SourceError> {
        match self {
            Self::Csv(csv) => csv.next(&options.no_keys),
            Self::Ndjson(lines) => lines.next(options),
        }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        match self {
            Self::Csv(csv) => csv.reader.get_ref().bytes(),
            Self::Ndjson(lines) => lines.reader.get_ref().bytes(),
        }
    }
}

pub struct Csv<R> {
    reader: csv::Reader<RowLimit<R>>,
    columns: Vec<String>,
    key_at: usize,
    record: ByteRecord,
    row: u64,
}

impl<R: Read> Csv<R> {
    fn open(input: R, key: &str) -> Result<Self, SourceError> {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .from_reader(RowLimit::new(input));
        let header = reader
            .byte_headers()
            .map_err(|error| unreadable(0, error))?;
        if header.is_empty() {
            return Err(SourceError::NoHeader);
        }
        let names = header
            .iter()
            .map(|name| std::str::from_utf8(name).map(|n| n.trim().to_owned()));
        let columns: Vec<String> = names
            .collect::<Result<_, _>>()
            .map_err(|_| SourceError::HeaderNotText)?;
        let twice = (1..columns.len()).find(|at| columns[..*at].contains(&columns[*at]));
        if let Some(at) = twice {
            return Err(SourceError::SameColumn {
                column: columns[at].clone(),
            });
        }
        let Some(key_at) = columns.iter().position(|column| column == key) else {
            return Err(SourceError::NoKeyColumn {
                column: key.into(),
                columns,
            });
        };
        Ok(Self {
            reader,
            columns,
            key_at,
            record: ByteRecord::new(),
            row: 0,
        })
    }

    fn next(&mut self, no_keys: &[String]) -> Result<Option<Found>, SourceError> {
        self.row += 1;
        let read = self.reader.read_byte_record(&mut self.record);
        if !read.map_err(|error| unreadable(self.row, error))? {
            return Ok(None);
        }
        self.reader.get_mut().row_ended();
        let line = self.record.position().map_or(0, csv::Position::line);
        Ok(Some(self.classify(line, no_keys)))
    }

    fn classify(&self, line: u64, no_keys: &[String]) -> Found {
        let cells = self
            .record
            .iter()
            .map(std::str::from_utf8)
            .collect::<Result<Vec<_>, _>>();
        let Ok(cells) = cells else {
            let message = format!("the row, on line {line}, is not UTF-8 text");
            return Found::Wrong(rejection(self.row, "", "not-text", message));
        };
        let key = cells.get(self.key_at).copied().unwrap_or_default();
        let (found, expected) = (cells.len(), self.columns.len());
        if found != expected {
            let few = if found < expected { "only " } else { "" };
            let message =
                format!("the row, on line {line}, has {few}{found} of {expected} columns");
            return Found::Wrong(rejection(self.row, key, "columns", message));
        }
        let name = match key::of_text(key, no_keys) {
            Key::Name(name) => name,
            Key::Empty | Key::Wrong(_) => {
                let message = format!(
                    "the row, on line {line}, has no {}",
                    self.columns[self.key_at]
                );
                return Found::NoKey(rejection(self.row, key, "no-key", message));
            }
        };
        let columns = self.columns.iter().cloned();
        let cells = cells.into_iter().map(Value::from);
        let message: Map<String, Value> = columns.zip(cells).collect();
        Found::Row(FeedRow {
            row: self.row,
            key: name,
            message: message.into(),
        })
    }
}

fn unreadable(row: u64, error: csv::Error) -> SourceError {
    let error = match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, format!("{other:?}")),
    };
    SourceError::Read { row, error }
}

pub struct Ndjson<R> {
    reader: BufReader<RowLimit<R>>,
    line: Vec<u8>,
    row: u64,
}

impl<R: Read> Ndjson<R> {
    fn new(input: R) -> Self {
        let reader = BufReader::with_capacity(64 << 10, RowLimit::new(input));
        Self {
            reader,
            line: Vec::new(),
            row: 0,
        }
    }

    fn next(&mut self, options: &FeedOptions) -> Result<Option<Found>, SourceError> {
        loop {
            self.row += 1;
            self.line.clear();
            let read = self.reader.read_until(b'\n', &mut self.line);
            if read.map_err(|error| SourceError::Read {
                row: self.row,
                error,
            })? == 0
            {
                return Ok(None);
            }
            self.reader.get_mut().row_ended();
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(self.classify(options)));
            }
        }
    }

    fn classify(&self, options: &FeedOptions) -> Found {
        let message: Value = match serde_json::from_slice(self.line.trim_ascii()) {
            Ok(message) => message,
            Err(error) => {
                // Each row is a line of its own: only the column says anything.
                let cause = error.to_string();
                let cause = cause.split(" at line ").next().unwrap_or(&cause);
                let message = format!("not JSON at column {}: {cause}", error.column());
                return Found::Wrong(rejection(self.row, "", "bad-json", message));
            }
        };
        match key::of_json(&message, &options.key, &options.no_keys) {
            Key::Name(key) => Found::Row(FeedRow {
                row: self.row,
                key,
                message,
            }),
            Key::Empty => {
                let message = format!("no {}", options.key);
                Found::NoKey(rejection(self.row, "", "no-key", message))
            }
            Key::Wrong(kind) => {
                let message = format!("{} is {kind}, not a name", options.key);
                Found::Wrong(rejection(self.row, "", "bad-key", message))
            }
        }
    }
}

fn rejection(row: u64, key: &str, code: &str, message: String) -> FeedRejection {
    FeedRejection {
        row,
        key: key.into(),
        code: code.into(),
        message,
    }
}
