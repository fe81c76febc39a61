//! What is wrong with a manifest, and where.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestError {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Character within the line, from 1.
    pub column: usize,
    /// The key, such as `behaviour.aircraft.memory`; empty when the text is no TOML.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// Where a manifest says something, for faults that only a module can show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Character within the line, from 1.
    pub column: usize,
    /// The key.
    pub key: String,
}

impl Place {
    /// A fault here.
    pub fn fault(&self, message: String, help: Option<String>) -> ManifestError {
        ManifestError {
            file: self.file.clone(),
            line: self.line,
            column: self.column,
            key: self.key.clone(),
            message,
            help,
        }
    }
}

/// Every fault of a manifest, in the order of the file; at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ManifestErrors {
    /// The faults.
    pub errors: Vec<ManifestError>,
}

impl fmt::Display for ManifestErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            let line = if at == 0 { "" } else { "\n" };
            write!(f, "{line}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ManifestErrors {}

/// Most faults that are reported: nobody reads more, and a broken file can have one a
/// byte.
const ERRORS_MAX: usize = 100;

/// Collects faults while the manifest is read on.
pub struct Report<'t> {
    file: &'t str,
    text: &'t str,
    /// First byte of each line.
    line_starts: Vec<usize>,
    found: Vec<Fault>,
}

struct Fault {
    at: usize,
    key: String,
    message: String,
    help: Option<String>,
}

impl<'t> Report<'t> {
    pub fn new(file: &'t str, text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(ends).collect(),
            found: Vec::new(),
        }
    }

    /// Enters a fault at a byte of the text.
    pub fn add(&mut self, at: usize, key: &str, message: &str, help: Option<String>) {
        self.found.push(Fault {
            at,
            key: key.to_owned(),
            message: message.to_owned(),
            help,
        });
    }

    /// The manifest, if nothing is wrong with it.
    pub fn finish<T>(mut self, manifest: T) -> Result<T, ManifestErrors> {
        if self.found.is_empty() {
            return Ok(manifest);
        }
        self.found.sort_by_key(|fault| fault.at);
        self.found.truncate(ERRORS_MAX);
        let found = std::mem::take(&mut self.found);
        let errors = found.into_iter().map(|fault| {
            let place = self.place(fault.at, &fault.key);
            place.fault(fault.message, fault.help)
        });
        let errors = errors.collect();
        Err(ManifestErrors { errors })
    }

    /// The place of a byte of the text.
    pub fn place(&self, at: usize, key: &str) -> Place {
        let line = self.line(at);
        let before = self.text.get(self.line_starts[line - 1]..at).unwrap_or("");
        Place {
            file: self.file.to_owned(),
            line,
            column: before.chars().count() + 1,
            key: key.to_owned(),
        }
    }

    /// The line of a byte of the text, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }
}
