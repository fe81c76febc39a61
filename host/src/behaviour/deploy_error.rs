//! Why a file cannot be deployed: what was found, what was expected, what helps.

use super::world::WIT_VERSION;
use actorhost_core::Crash;

/// Why a file cannot be deployed as a behaviour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeployError {
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file is too large to be looked at.
    #[error("the file has {bytes} bytes; the limit is {limit}")]
    TooLarge {
        /// Its size, in bytes.
        bytes: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The file isn't WebAssembly.
    #[error("not a WebAssembly file: it begins with {first_bytes}")]
    NotWasm {
        /// Its first bytes, as text or hex.
        first_bytes: String,
    },
    /// The file stops in the middle.
    #[error("the file is cut off after {at} bytes: at least {missing} more belong to it")]
    Truncated {
        /// Its size, in bytes.
        at: usize,
        /// Bytes that are certainly missing.
        missing: usize,
    },
    /// The file is a core module, not a component.
    #[error("the file is a core WebAssembly module, not a component")]
    CoreModule,
    /// The file is no valid component, or one that the sandbox has no place for.
    #[error("the component cannot be used: {cause}")]
    Invalid {
        /// What is wrong with it.
        cause: String,
    },
    /// The component was built for another version of the contract.
    #[error(
        "the component was built for actorhost:actor@{found}; this node speaks actorhost:actor@{WIT_VERSION}"
    )]
    OtherVersion {
        /// The version that it was built for.
        found: String,
    },
    /// The component is not a behaviour.
    #[error(
        "the component is of another world than actorhost:actor/actor@{WIT_VERSION}: it lacks the exports {}{}",
        listed(missing),
        has(exports)
    )]
    OtherWorld {
        /// Exports that it lacks.
        missing: Vec<String>,
        /// Exports that it has.
        exports: Vec<String>,
    },
    /// An export has another type than the contract says.
    #[error("the export `{export}` has the wrong type: {cause}")]
    WrongType {
        /// Its name.
        export: String,
        /// What differs.
        cause: String,
    },
    /// The component needs something that no behaviour is given.
    #[error(
        "the component imports {}, which this node does not provide",
        listed(imports)
    )]
    UnknownImport {
        /// Interfaces, or functions of them, that are not provided.
        imports: Vec<String>,
    },
    /// The component imports a known interface in a form that this node does not
    /// provide.
    #[error("the component imports something that differs from what this node provides: {cause}")]
    WrongImport {
        /// Interface, function and difference.
        cause: String,
    },
    /// `describe` did not return.
    #[error("`describe` failed: {crash}")]
    DescribeCrashed {
        /// How it ended.
        crash: Crash,
    },
    /// `describe` waited longer than it may.
    #[error("`describe` did not return within {limit_ms} ms")]
    DescribeTimeout {
        /// The limit, in milliseconds.
        limit_ms: u64,
    },
    /// `describe` returned something that cannot be.
    #[error("`describe` returned a bad {field}: {cause}")]
    BadDescription {
        /// Which part of the description.
        field: &'static str,
        /// What is wrong with it.
        cause: String,
    },
}

impl DeployError {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "module-empty",
            Self::TooLarge { .. } => "module-too-large",
            Self::NotWasm { .. } => "not-wasm",
            Self::Truncated { .. } => "module-truncated",
            Self::CoreModule => "core-module",
            Self::Invalid { .. } => "module-invalid",
            Self::OtherVersion { .. } => "other-wit-version",
            Self::OtherWorld { .. } => "other-world",
            Self::WrongType { .. } => "wrong-export-type",
            Self::UnknownImport { .. } => "unknown-import",
            Self::WrongImport { .. } => "wrong-import",
            Self::DescribeCrashed { .. } => "describe-crashed",
            Self::DescribeTimeout { .. } => "describe-timeout",
            Self::BadDescription { .. } => "bad-description",
        }
    }

    /// What to do about it, where that is known.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Empty | Self::Truncated { .. } => {
                Some("the build may have been interrupted, or the copy: build it again")
            }
            Self::NotWasm { .. } => Some(
                "a behaviour is the .wasm file that `cargo build --release --target wasm32-wasip2` \
                 leaves under target/wasm32-wasip2/release",
            ),
            Self::CoreModule => Some(
                "build with `--target wasm32-wasip2`, with `crate-type = [\"cdylib\"]` in the \
                 guest's Cargo.toml; the targets wasm32-unknown-unknown and wasm32-wasip1 give \
                 core modules",
            ),
            Self::OtherVersion { .. } | Self::WrongType { .. } => {
                Some("build the guest again with the actorhost-sdk that belongs to this node")
            }
            Self::OtherWorld { .. } => Some(
                "a behaviour is a library crate (`crate-type = [\"cdylib\"]`) with one \
                 `#[actor]`; `actorhost new` makes one",
            ),
            Self::WrongImport { .. } => Some(
                "build the guest again with the actorhost-sdk that belongs to this node; \
                 `actorhost inspect` lists what a module imports",
            ),
            Self::UnknownImport { .. } => Some(
                "behaviours are given actorhost:actor/runtime and WASI 0.2 without http; \
                 `actorhost inspect` lists what a module imports",
            ),
            Self::DescribeCrashed { .. } | Self::DescribeTimeout { .. } => Some(
                "`describe` is called once at deployment, with little fuel and memory, and must \
                 not call the node",
            ),
            Self::TooLarge { .. } => {
                Some("build with `--release`, and strip debug information from dependencies")
            }
            Self::Invalid { .. } => Some(
                "a file that a compiler made is valid: this one may be damaged, so build or copy \
                 it again",
            ),
            Self::BadDescription { .. } => None,
        }
    }
}

fn listed(names: &[String]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn has(exports: &[String]) -> String {
    if exports.is_empty() {
        "; it has none".into()
    } else {
        format!("; it has {}", listed(exports))
    }
}
