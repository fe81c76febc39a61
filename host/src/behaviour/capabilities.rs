//! What a behaviour is granted beyond the node's own functions. Nothing, unless its
//! manifest says so: no environment, no files, no output; network never.

use std::{
    fs, io,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

/// What a guest may do with a granted directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read files and list directories.
    ReadOnly,
    /// Also make, change and remove them.
    ReadWrite,
}

/// A directory of the host that a guest may use, with all below it and nothing
/// outside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Where it is on the host.
    pub host: PathBuf,
    /// How the guest calls it, such as `/data`.
    pub guest: String,
    /// What the guest may do with it.
    pub access: Access,
}

/// What one behaviour is granted. The default grants nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Environment variables that the guest sees, and no others.
    pub env: Vec<(String, String)>,
    /// Directories that the guest may use.
    pub directories: Vec<Directory>,
    /// Whether stdout and stderr go to the node's log, line by line. Otherwise they
    /// are counted and thrown away.
    pub output: bool,
}

/// A grant that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CapabilityError {
    /// The host has no such directory, or it cannot be read.
    #[error("the directory `{}` cannot be granted: {cause}", host.display())]
    Directory {
        /// Where it should be on the host.
        host: PathBuf,
        /// What the host says.
        cause: io::Error,
    },
    /// Two directories have one name in the guest.
    #[error("two directories are granted under the same guest path `{guest}`")]
    SameGuestPath {
        /// The name.
        guest: String,
    },
    /// An environment variable without a name, or with `=` or a zero byte in it.
    #[error("`{name}` cannot name an environment variable")]
    BadVariable {
        /// The name.
        name: String,
    },
}

impl Capabilities {
    /// Checks that each grant can be made now. A directory that vanishes later is
    /// left out, with a warning, when an instance first uses WASI.
    ///
    /// # Errors
    /// The first grant that cannot be made.
    pub fn check(&self) -> Result<(), CapabilityError> {
        for (name, _) in &self.env {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(CapabilityError::BadVariable { name: name.clone() });
            }
        }
        for (index, Directory { host, guest, .. }) in self.directories.iter().enumerate() {
            fs::read_dir(host).map_err(|cause| CapabilityError::Directory {
                host: host.clone(),
                cause,
            })?;
            if self.directories[..index]
                .iter()
                .any(|other| other.guest == *guest)
            {
                return Err(CapabilityError::SameGuestPath {
                    guest: guest.clone(),
                });
            }
        }
        Ok(())
    }
}

/// A behaviour's capabilities with what came of them, shared by its instances.
#[derive(Debug, Default)]
pub(super) struct Grant {
    pub(super) capabilities: Capabilities,
    discarded_bytes: AtomicU64,
}

impl Grant {
    pub(super) fn new(capabilities: Capabilities) -> Self {
        Self {
            capabilities,
            discarded_bytes: AtomicU64::new(0),
        }
    }

    /// Counts output that goes nowhere.
    pub(super) fn discard(&self, bytes: usize) {
        self.discarded_bytes
            .fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Output thrown away so far, in bytes.
    pub(super) fn discarded_bytes(&self) -> u64 {
        self.discarded_bytes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Capabilities, CapabilityError, Directory};

    fn directory(host: &std::path::Path, guest: &str) -> Directory {
        Directory {
            host: host.into(),
            guest: guest.into(),
            access: Access::ReadOnly,
        }
    }

    #[test]
    fn the_default_grants_nothing_and_is_fine() {
        Capabilities::default().check().unwrap();
    }

    #[test]
    fn a_missing_directory_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let gone = dir.path().join("gone");
        let capabilities = Capabilities {
            directories: vec![directory(&gone, "/data")],
            ..Default::default()
        };
        let error = capabilities.check().unwrap_err();
        assert!(error.to_string().contains("gone"), "{error}");
    }

    #[test]
    fn guest_paths_are_unique() {
        let dir = tempfile::tempdir().unwrap();
        let twice = vec![directory(dir.path(), "/a"), directory(dir.path(), "/a")];
        let capabilities = Capabilities {
            directories: twice,
            ..Default::default()
        };
        let error = capabilities.check().unwrap_err();
        assert!(matches!(error, CapabilityError::SameGuestPath { .. }));
    }

    #[test]
    fn variables_need_a_name() {
        for name in ["", "A=B"] {
            let env = vec![(name.to_owned(), String::new())];
            let capabilities = Capabilities {
                env,
                ..Default::default()
            };
            assert!(matches!(
                capabilities.check(),
                Err(CapabilityError::BadVariable { .. })
            ));
        }
    }
}
