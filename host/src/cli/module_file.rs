//! A module's file, read for a request.

use super::CliError;
use crate::api::MODULE_BYTES_MAX;
use bytes::Bytes;
use std::{fs, path::Path};

/// Reads a module. Whether it is one is for the node to say.
///
/// # Errors
/// When the file cannot be read, or is larger than a node takes.
pub fn read(path: &Path) -> Result<Bytes, CliError> {
    let unreadable = |error| CliError::file("read", path, &error);
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MODULE_BYTES_MAX as u64 {
        let message = format!(
            "{} has {size} bytes; a module has at most {MODULE_BYTES_MAX}",
            path.display()
        );
        return Err(CliError::failed("module-too-large", message)
            .help("build with `--release`, and strip debug information from dependencies"));
    }
    fs::read(path).map(Bytes::from).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named() {
        let error = read(Path::new("no/such.wasm")).unwrap_err();
        assert!(error.message.contains("no/such.wasm"), "{error}");
        assert_eq!(error.exit.code(), 1);
    }
}
