//! The data directory: one node's own, held by a lock for as long as the node runs.
//!
//! ```text
//! lock        held by the running node, with its process id
//! node.sock   the API, mode 0600
//! cache/      compiled code
//! ```

use crate::socket;
use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Another node runs on it.
    #[error("data directory {path} is in use by another node (process {pid})")]
    Locked {
        /// The directory.
        path: String,
        /// The other node's process, as far as it is known.
        pid: String,
    },
    /// Its socket belongs to a program that is no node: nobody holds the lock.
    #[error("the socket {path} is in use by another program")]
    SocketInUse {
        /// The socket.
        path: String,
    },
    /// It cannot be made or written.
    #[error("data directory {path} cannot be written: {error}")]
    Write {
        /// The directory.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}

/// A data directory that this process holds.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Makes the directory if need be, and takes it.
    ///
    /// # Errors
    /// When another node holds it, or it cannot be written.
    pub fn take(path: &Path) -> Result<Self, DataDirError> {
        let shown = path.display().to_string();
        let write = |error| DataDirError::Write {
            path: shown.clone(),
            error,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(write)?;
        let lock_path = path.join("lock");
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock_path)
            .map_err(write)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // Only to name the other node; without it the error still stands.
                let _ = lock.read_to_string(&mut pid);
                let pid = if pid.trim().is_empty() {
                    "unknown".into()
                } else {
                    pid.trim().into()
                };
                return Err(DataDirError::Locked { path: shown, pid });
            }
            Err(TryLockError::Error(error)) => return Err(write(error)),
        }
        lock.set_len(0).map_err(write)?;
        writeln!(lock, "{}", std::process::id()).map_err(write)?;
        if socket::connect(path).is_ok() {
            let path = socket::socket_path(path).display().to_string();
            return Err(DataDirError::SocketInUse { path });
        }
        // A socket left by a node that was killed: nobody listens on it.
        match fs::remove_file(path.join("node.sock")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(write(error)),
            _ => {}
        }
        Ok(Self {
            path: path.to_path_buf(),
            _lock: lock,
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where compiled code is kept.
    pub fn cache(&self) -> PathBuf {
        self.path.join("cache")
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        // The next node removes it as well; nobody is harmed if this fails.
        let _ = fs::remove_file(self.path.join("node.sock"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_node() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er");
        let held = DataDir::take(&path).unwrap();
        let refused = DataDir::take(&path).unwrap_err().to_string();
        assert!(
            refused.contains(&std::process::id().to_string()),
            "{refused}"
        );
        drop(held);
        DataDir::take(&path).unwrap();
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "").unwrap();
        let refused = DataDir::take(&path).unwrap_err().to_string();
        assert!(
            refused.contains("file") && refused.contains("cannot be written"),
            "{refused}"
        );
    }
}
