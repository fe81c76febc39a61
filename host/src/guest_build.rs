//! Builds guest crates into modules with plain cargo, and brings the wasm target
//! where rustup lacks it.
//!
//! Where cargo puts a module is never guessed: cargo says it.

use serde::Deserialize;
use std::{
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
};

/// The target that gives components.
pub const TARGET: &str = "wasm32-wasip2";

/// Why a guest could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no crate.
    #[error("{} has no Cargo.toml", dir.display())]
    NoCrate {
        /// The folder that was to have it.
        dir: PathBuf,
    },
    /// A tool cannot be run.
    #[error("cannot run `{tool}`: {error}")]
    Tool {
        /// Its name.
        tool: String,
        /// Why.
        error: io::Error,
    },
    /// The target is missing and rustup could not add it.
    #[error("the Rust target {TARGET} is not installed: {cause}")]
    NoTarget {
        /// What stood in the way.
        cause: String,
    },
    /// The compiler found errors, which it has shown.
    #[error("`cargo build` failed in {}", dir.display())]
    Failed {
        /// Where it ran.
        dir: PathBuf,
    },
    /// The build made no module.
    #[error("{what} made no module: a guest needs `crate-type = [\"cdylib\"]` under [lib]")]
    NoModule {
        /// The package or folder.
        what: String,
    },
}

impl BuildError {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoCrate { .. } => "no-crate",
            Self::Tool { .. } => "no-tool",
            Self::NoTarget { .. } => "no-target",
            Self::Failed { .. } => "build-failed",
            Self::NoModule { .. } => "no-module",
        }
    }

    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoCrate { .. } => Some("`actorhost new NAME` makes a crate"),
            Self::Tool { .. } => Some("install Rust from https://rustup.rs"),
            Self::NoTarget { .. } => Some(
                "run `rustup target add wasm32-wasip2`; without rustup, install that target the way Rust was installed",
            ),
            Self::Failed { .. } | Self::NoModule { .. } => None,
        }
    }
}

/// Whether the wasm target had to be brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetState {
    /// It was there.
    Present,
    /// rustup added it just now.
    Added,
}

/// Builds the crate (or the workspace's default members) in `dir` and returns its
/// modules. The compiler's words go to standard error.
///
/// # Errors
/// [`BuildError`]
pub fn build_crate(dir: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let modules = build(dir, &[])?;
    if modules.is_empty() {
        return Err(BuildError::NoModule {
            what: dir.display().to_string(),
        });
    }
    Ok(modules.into_iter().map(|module| module.path).collect())
}

/// Builds some packages of the workspace in `dir` by one run of cargo and returns
/// their modules, in the order of the packages.
///
/// # Errors
/// [`BuildError`]
pub fn build_packages(dir: &Path, packages: &[&str]) -> Result<Vec<PathBuf>, BuildError> {
    let modules = build(dir, packages)?;
    let module_of = |package: &&str| {
        let found = modules.iter().find(|module| module.package == *package);
        found
            .map(|module| module.path.clone())
            .ok_or_else(|| BuildError::NoModule {
                what: (*package).into(),
            })
    };
    packages.iter().map(module_of).collect()
}

fn build(dir: &Path, packages: &[&str]) -> Result<Vec<Module>, BuildError> {
    if !dir.join("Cargo.toml").is_file() {
        return Err(BuildError::NoCrate { dir: dir.into() });
    }
    ensure_target(dir)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = tool(&cargo, dir);
    command.args(["build", "--release", "--target", TARGET]);
    command.arg("--message-format=json-render-diagnostics");
    for package in packages {
        command.args(["--package", package]);
    }
    let built = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_run(&cargo, error))?;
    if !built.status.success() {
        return Err(BuildError::Failed { dir: dir.into() });
    }
    Ok(modules(&String::from_utf8_lossy(&built.stdout)))
}

/// One at a time in this process: two runs of rustup stand in each other's way.
static RUSTUP: Mutex<()> = Mutex::new(());

/// Brings the wasm target of the toolchain that is used in `dir`, if it is missing,
/// and says so on standard error.
///
/// # Errors
/// [`BuildError::Tool`] when there is no compiler, [`BuildError::NoTarget`] when the
/// target is missing and cannot be added.
pub fn ensure_target(dir: &Path) -> Result<TargetState, BuildError> {
    // A panic while it was held leaves nothing half done here.
    let _one = RUSTUP
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if target_installed(dir)? {
        return Ok(TargetState::Present);
    }
    eprintln!("The Rust target {TARGET} is missing; adding it with `rustup target add {TARGET}`");
    let added = tool(&"rustup".into(), dir)
        .args(["target", "add", TARGET])
        .stdout(Stdio::null())
        .status();
    let cause = match added {
        Ok(status) if status.success() => {
            if target_installed(dir)? {
                return Ok(TargetState::Added);
            }
            "rustup added it to another toolchain than the one in use".into()
        }
        Ok(_) => "rustup could not add it".into(),
        Err(error) => format!("rustup, which could add it, cannot be run ({error})"),
    };
    Err(BuildError::NoTarget { cause })
}

/// Whether the toolchain that is used in `dir` has the wasm target.
///
/// # Errors
/// [`BuildError::Tool`] when there is no compiler.
pub fn target_installed(dir: &Path) -> Result<bool, BuildError> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = tool(&rustc, dir)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| cannot_run(&rustc, error))?;
    let libdir = String::from_utf8_lossy(&asked.stdout);
    Ok(asked.status.success() && Path::new(libdir.trim()).is_dir())
}

/// A tool of the Rust toolchain, run in `dir` as from a terminal.
fn tool(name: &OsString, dir: &Path) -> Command {
    let mut command = Command::new(name);
    command.current_dir(dir).stdin(Stdio::null());
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_outer_cargos) {
            command.env_remove(name);
        }
    }
    command
}

/// Whether a variable is one that cargo gives to what it runs (a test, a build
/// script), or flags for the host's compiler: neither is meant for a guest. Flags for
/// guests go into `CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS`.
fn is_outer_cargos(name: &str) -> bool {
    const PREFIXES: [&str; 5] = [
        "CARGO_PKG_",
        "CARGO_BIN_",
        "CARGO_MANIFEST_",
        "CARGO_FEATURE_",
        "CARGO_CFG_",
    ];
    const NAMES: [&str; 16] = [
        "CARGO_CRATE_NAME",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_MAKEFLAGS",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "DEBUG",
        "HOST",
        "MAKEFLAGS",
        "MFLAGS",
        "NUM_JOBS",
        "OPT_LEVEL",
        "OUT_DIR",
        "PROFILE",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
        "TARGET",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn cannot_run(tool: &OsString, error: io::Error) -> BuildError {
    BuildError::Tool {
        tool: tool.to_string_lossy().into_owned(),
        error,
    }
}

/// A module that cargo made.
#[derive(Debug, PartialEq, Eq)]
struct Module {
    package: String,
    path: PathBuf,
}

/// The part of cargo's messages that matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    target: Option<CargoTarget>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct CargoTarget {
    #[serde(default)]
    kind: Vec<String>,
}

/// The modules in cargo's messages, one a line.
fn modules(messages: &str) -> Vec<Module> {
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let mut modules = Vec::new();
    for message in messages {
        let library = message
            .target
            .is_some_and(|target| target.kind.iter().any(|k| k == "cdylib"));
        if message.reason != "compiler-artifact" || !library {
            continue;
        }
        let made = message.filenames.into_iter().find(|path| is_module(path));
        let package = package_name(&message.package_id).to_owned();
        modules.extend(made.map(|path| Module { package, path }));
    }
    modules
}

/// Whether a file is a module that was asked for; those of dependencies stay in a
/// folder of their own.
fn is_module(path: &Path) -> bool {
    let wasm = path
        .extension()
        .is_some_and(|extension| extension == "wasm");
    wasm && path
        .parent()
        .and_then(Path::file_name)
        .is_none_or(|folder| folder != "deps")
}

/// The name in a package id such as `path+file:///guests/bank#account@0.1.0`; it is
/// the folder's where none is given: `path+file:///guests/account#0.1.0`.
fn package_name(id: &str) -> &str {
    let (place, version) = id.split_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_read_from_cargos_messages() {
        let messages = r#"
{"reason":"compiler-artifact","package_id":"registry+https://github.com/rust-lang/crates.io-index#serde@1.0.0","target":{"kind":["lib"]},"filenames":["/t/deps/libserde.rlib"]}
{"reason":"compiler-artifact","package_id":"path+file:///w/sdk#0.1.0","target":{"kind":["cdylib"]},"filenames":["/t/wasm32-wasip2/release/deps/sdk.wasm"]}
{"reason":"compiler-artifact","package_id":"path+file:///w/v1#fleet-v1@0.1.0","target":{"kind":["cdylib","rlib"]},"filenames":["/t/release/fleet_v1.wasm","/t/release/libfleet_v1.rlib"]}
{"reason":"compiler-artifact","package_id":"path+file:///w/v1#fleet-v1@0.1.0","target":{"kind":["bin"]},"filenames":["/t/release/tool.wasm"]}
not json
{"reason":"build-finished","success":true}
"#;
        let module = |package: &str, path: &str| Module {
            package: package.into(),
            path: path.into(),
        };
        assert_eq!(
            modules(messages),
            [module("fleet-v1", "/t/release/fleet_v1.wasm")]
        );
    }

    #[test]
    fn a_package_id_without_a_name_has_its_folders() {
        assert_eq!(
            package_name("path+file:///w/guests/account#0.1.0"),
            "account"
        );
        assert_eq!(
            package_name("path+file:///w/guests/bank#account@0.1.0"),
            "account"
        );
    }

    #[test]
    fn a_guest_build_sees_the_users_settings_but_not_the_outer_cargos() {
        for name in [
            "CARGO_PKG_NAME",
            "CARGO_MANIFEST_DIR",
            "RUSTFLAGS",
            "OUT_DIR",
        ] {
            assert!(is_outer_cargos(name), "{name}");
        }
        for name in [
            "CARGO_TARGET_DIR",
            "CARGO_HOME",
            "RUSTUP_TOOLCHAIN",
            "RUSTC_WRAPPER",
            "PATH",
        ] {
            assert!(!is_outer_cargos(name), "{name}");
        }
    }

    #[test]
    fn a_folder_without_a_crate_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = build_crate(dir.path()).unwrap_err();
        assert_eq!(error.code(), "no-crate");
    }
}
