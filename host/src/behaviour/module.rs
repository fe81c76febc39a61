//! A deployed module: compiled, checked, described, and granted what its behaviour
//! may use.

use super::{
    Capabilities, DeployError, Description,
    capabilities::Grant,
    layout,
    state::HostState,
    world::{self, EXPORTS},
};
use actorhost_core::ModuleInfo;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use wasmtime::{
    Engine, Error,
    component::{Component, ComponentExportIndex, InstancePre, Linker},
};

/// A deployed component, shared by all its instances. Cloning is cheap.
#[derive(Clone)]
pub struct WasmModule {
    pub(super) compiled: Arc<Compiled>,
    info: ModuleInfo,
    description: Arc<Description>,
    pub(super) grant: Arc<Grant>,
}

impl WasmModule {
    pub(super) fn new(compiled: Arc<Compiled>, description: Description) -> Self {
        let info = ModuleInfo {
            module_version: description.version.clone(),
            digest: compiled.digest.clone(),
            state_version: description.state_version,
            can_save: description.can_save,
        };
        Self {
            compiled,
            info,
            description: Arc::new(description),
            grant: Arc::default(),
        }
    }

    /// The same module for a behaviour that is granted `capabilities`. Code is
    /// shared; a module as deployed is granted nothing.
    #[must_use]
    pub fn with_capabilities(&self, capabilities: Capabilities) -> Self {
        Self {
            grant: Arc::new(Grant::new(capabilities)),
            ..self.clone()
        }
    }

    /// What its instances are granted.
    pub fn capabilities(&self) -> &Capabilities {
        &self.grant.capabilities
    }

    /// What the machine needs to know of it.
    pub fn info(&self) -> &ModuleInfo {
        &self.info
    }

    /// What it says of itself.
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// SHA-256 of its bytes, in hex.
    pub fn digest(&self) -> &str {
        &self.info.digest
    }

    /// Interfaces that it imports, with their versions.
    pub fn imports(&self) -> &[String] {
        &self.compiled.imports
    }

    /// Size of its file, in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.compiled.size_bytes
    }

    /// What its instances printed to nowhere so far, in bytes.
    pub fn discarded_output_bytes(&self) -> u64 {
        self.grant.discarded_bytes()
    }
}

/// A component that is linked and ready to be instantiated.
pub(super) struct Compiled {
    pub(super) pre: InstancePre<HostState>,
    pub(super) exports: Exports,
    digest: String,
    imports: Vec<String>,
    size_bytes: u64,
}

/// Where a behaviour's functions are.
pub(super) struct Exports {
    pub(super) describe: ComponentExportIndex,
    pub(super) init: ComponentExportIndex,
    pub(super) handle: ComponentExportIndex,
    pub(super) save: ComponentExportIndex,
    pub(super) load: ComponentExportIndex,
    pub(super) stopping: ComponentExportIndex,
}

/// Compiles `bytes`, or loads them from the cache, and links them. Takes as long as
/// compiling takes.
pub(super) fn compile(
    engine: &Engine,
    linker: &Linker<HostState>,
    bytes: &[u8],
) -> Result<Compiled, DeployError> {
    layout::check(bytes)?;
    let component =
        Component::from_binary(engine, bytes).map_err(|error| DeployError::Invalid {
            cause: chain(&error),
        })?;
    world::check(engine, &component)?;
    let exports = exports(&component);
    let imports = imports(engine, &component);
    let pre = linker
        .instantiate_pre(&component)
        .map_err(|error| DeployError::WrongImport {
            cause: chain(&error),
        })?;
    Ok(Compiled {
        pre,
        exports,
        digest: digest(bytes),
        imports,
        size_bytes: bytes.len() as u64,
    })
}

fn exports(component: &Component) -> Exports {
    let [describe, init, handle, save, load, stopping] = EXPORTS.map(|name| {
        component
            .get_export_index(None, name)
            .expect("checked to be exported")
    });
    Exports {
        describe,
        init,
        handle,
        save,
        load,
        stopping,
    }
}

/// Names of what a component imports.
pub(super) fn imports(engine: &Engine, component: &Component) -> Vec<String> {
    component
        .component_type()
        .imports(engine)
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// SHA-256 in hex.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// An error with its causes, on one line.
pub(super) fn chain(error: &Error) -> String {
    format!("{error:#}")
}
