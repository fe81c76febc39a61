//! The guests that the tests deploy.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

const PACKAGES: [&str; 9] = [
    "probe",
    "probe-v2",
    "stateless",
    "bank-account",
    "fleet-aircraft-v1",
    "fleet-aircraft-v2",
    "pipeline-stage",
    "chat-lobby",
    "chat-member",
];

/// The root of this repository's workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ is in the workspace")
        .into()
}

/// Path of a guest's module, by its package's name. All are built at the first call.
pub fn guest(package: &str) -> PathBuf {
    static BUILT: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let modules = actorhost::guest_build::build_packages(&workspace(), &PACKAGES)
            .unwrap_or_else(|error| panic!("the guests do not build: {error}"));
        let by_name = modules.into_iter().map(|path| {
            let stem = path
                .file_stem()
                .expect("a module has a name")
                .to_string_lossy();
            (stem.replace('_', "-"), path)
        });
        by_name.collect()
    });
    built
        .get(package)
        .unwrap_or_else(|| panic!("{package} is not among {PACKAGES:?}"))
        .clone()
}

/// A guest's module.
pub fn bytes_of(package: &str) -> Vec<u8> {
    fs::read(guest(package)).expect("it was built just now")
}
