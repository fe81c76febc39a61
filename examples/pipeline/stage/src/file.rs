//! Appending to a file, durably.

use std::{fs::OpenOptions, io::Write, path::Path};

/// Appends a line and waits until the disk has it.
pub fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())?;
    file.sync_data()
}
