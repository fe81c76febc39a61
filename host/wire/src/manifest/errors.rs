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
        Self {
            file,
            text,
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
        let errors = self.found.iter().map(|fault| self.place(fault)).collect();
        Err(ManifestErrors { errors })
    }

    fn place(&self, fault: &Fault) -> ManifestError {
        let before = self.text.get(..fault.at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        ManifestError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            key: fault.key.clone(),
            message: fault.message.clone(),
            help: fault.help.clone(),
        }
    }
}
