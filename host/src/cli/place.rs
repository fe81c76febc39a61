//! Which node is meant: the one on a data directory.

use super::CliError;
use crate::{bounded_read, client::Client};
use actorhost_wire::manifest::limits::MANIFEST_BYTES_MAX;
use std::{
    io,
    path::{Path, PathBuf},
};

/// The manifest that is taken when none is named.
pub const MANIFEST: &str = "actorhost.toml";

/// The data directory that is taken when nobody names one.
pub const DATA_DIR: &str = ".actorhost";

/// The flags that say which node is meant.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Place {
    /// The node's data directory; by default the manifest's, else `.actorhost`
    #[arg(long, value_name = "DIR", env = "ACTORHOST_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// The node's manifest; by default `actorhost.toml` where it is there
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
}

impl Place {
    /// The node's data directory.
    ///
    /// # Errors
    /// When the manifest that should name it cannot be read.
    pub fn data_dir(&self) -> Result<PathBuf, CliError> {
        if let Some(dir) = &self.data_dir {
            return Ok(dir.clone());
        }
        let file = self.manifest.as_deref().unwrap_or(Path::new(MANIFEST));
        let text = match bounded_read::text_file(file, MANIFEST_BYTES_MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.manifest.is_none() => {
                return Ok(DATA_DIR.into());
            }
            read => read.map_err(|error| CliError::file("read", file, &error))?,
        };
        let dir = named_by(&text).map_err(|error| {
            let at = file.display().to_string();
            CliError::failed("bad-manifest", error.to_string()).at(at)
        })?;
        Ok(file.parent().unwrap_or(Path::new("")).join(dir))
    }

    /// The manifest: the one that is named, or the usual one where it is there.
    pub fn manifest_file(&self) -> Option<PathBuf> {
        let usual = || Some(PathBuf::from(MANIFEST)).filter(|file| file.exists());
        self.manifest.clone().or_else(usual)
    }

    /// A client of the node.
    ///
    /// # Errors
    /// As [`data_dir`](Self::data_dir). Whether a node is there shows at the first
    /// request.
    pub fn client(&self) -> Result<Client, CliError> {
        self.data_dir().map(Client::new)
    }
}

/// The data directory that a manifest names. The rest of it may be wrong: a running
/// node can be asked while its manifest is being changed.
fn named_by(manifest: &str) -> Result<String, toml::de::Error> {
    let manifest: toml::Table = toml::from_str(manifest)?;
    match manifest.get("node").and_then(|node| node.get("data-dir")) {
        None => Ok(DATA_DIR.to_owned()),
        Some(toml::Value::String(dir)) => Ok(dir.clone()),
        // Another node than the one that is meant would answer.
        Some(_) => Err(serde::de::Error::custom("node.data-dir is not a string")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_manifest_names_the_data_directory_from_its_own_folder() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("node.toml");
        let place = Place {
            data_dir: None,
            manifest: Some(file.clone()),
        };

        assert_eq!(place.data_dir().unwrap_err().code, "file");
        fs::write(&file, "[node]\ndata-dir = \"state\"\nunknown = 1\n").unwrap();
        assert_eq!(place.data_dir().unwrap(), dir.path().join("state"));
        fs::write(&file, "").unwrap();
        assert_eq!(place.data_dir().unwrap(), dir.path().join(".actorhost"));
        fs::write(&file, "[node").unwrap();
        assert_eq!(place.data_dir().unwrap_err().code, "bad-manifest");
        fs::write(&file, "[node]\ndata-dir = 7\n").unwrap();
        assert_eq!(place.data_dir().unwrap_err().code, "bad-manifest");

        let named = Place {
            data_dir: Some("other".into()),
            ..place
        };
        assert_eq!(named.data_dir().unwrap(), Path::new("other"));
    }
}
