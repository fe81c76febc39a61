//! A module's file, read for a request.

use super::CliError;
use crate::{api::MODULE_BYTES_MAX, bounded_read};
use bytes::Bytes;
use std::{io::ErrorKind, path::Path};

/// Reads a module. Whether it is one is for the node to say.
///
/// # Errors
/// When the file cannot be read, or is larger than a node takes.
pub fn read(path: &Path) -> Result<Bytes, CliError> {
    let read = bounded_read::file(path, MODULE_BYTES_MAX);
    read.map(Bytes::from).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            let message = format!(
                "{} is no module: {error}, and a module has no more",
                path.display()
            );
            CliError::failed("module-too-large", message)
                .help("build with `--release`, and strip debug information from dependencies")
        }
        _ => CliError::file("read", path, &error),
    })
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

    #[test]
    fn a_file_without_an_end_is_too_large() {
        let error = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.code, "module-too-large");
    }
}
