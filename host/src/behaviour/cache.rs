//! Compiled code on disk, by wasmtime's own cache: keyed by the component's bytes,
//! the engine's settings and wasmtime's version, so a stale entry is never used.
//!
//! A cache only saves time. Whatever is wrong with it is a warning, and the node
//! compiles at each deployment.

use std::{fs, path::Path};
use wasmtime::{Cache, CacheConfig};

/// Opens the cache in `dir`; none, with a warning, where that does not work.
pub(super) fn open(dir: &Path) -> Option<Cache> {
    match try_open(dir) {
        Ok(cache) => Some(cache),
        Err(cause) => {
            tracing::warn!(
                dir = %dir.display(),
                cause,
                "the cache of compiled code is not usable; each deployment compiles again"
            );
            None
        }
    }
}

fn try_open(dir: &Path) -> Result<Cache, String> {
    fs::create_dir_all(dir).map_err(|error| format!("cannot make the directory: {error}"))?;
    // wasmtime hides a failing write in a debug log, so it is tried here.
    tempfile::tempfile_in(dir).map_err(|error| format!("cannot write: {error}"))?;
    // The cache wants an absolute path without links.
    let dir = dir.canonicalize().map_err(|error| error.to_string())?;
    let mut config = CacheConfig::new();
    config.with_directory(dir);
    Cache::new(config).map_err(|error| format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::open;

    #[test]
    fn a_usable_directory_is_made_and_used() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open(&dir.path().join("a/b")).is_some());
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_no_cache_and_no_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "in the way").unwrap();
        assert!(open(&file).is_none());
        assert!(open(&file.join("below")).is_none());
    }
}
