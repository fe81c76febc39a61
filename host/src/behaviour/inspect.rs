//! Looking at a file without a node: what it is, what it needs, and what it says
//! of itself.

use super::{
    DeployError, Description, WasmConfig, WasmEngine,
    module::{digest, imports},
    world::{Capability, capability_of, wit_version},
};
use bytes::Bytes;
use serde::Serialize;
use wasmtime::component::{Component, types::ComponentItem};

/// What kind of file was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A component that can be deployed.
    Behaviour,
    /// A component that cannot.
    Component,
    /// A core WebAssembly module.
    CoreModule,
    /// Something else.
    Other,
}

/// One imported interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    /// Its name with its version, such as `wasi:cli/stdout@0.2.6`.
    pub interface: String,
    /// Functions of it that the module uses.
    pub functions: Vec<String>,
    /// Which grant it belongs to.
    pub capability: Capability,
}

/// What a module says of itself, without its schemas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Version of the state that it saves.
    pub state_version: u32,
    /// Whether its state can be saved and loaded.
    pub can_save: bool,
}

/// Why a file cannot be deployed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// A stable name.
    pub code: String,
    /// What was found, and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What a look at a file found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// What it is.
    pub kind: Kind,
    /// Its size, in bytes.
    pub size_bytes: u64,
    /// SHA-256 of it, in hex.
    pub digest: String,
    /// Version of the contract that it was built for.
    pub wit_version: Option<String>,
    /// What it imports.
    pub imports: Vec<Import>,
    /// Names of what it exports.
    pub exports: Vec<String>,
    /// What it says of itself, where it can be asked.
    pub described: Option<Described>,
    /// Its schemas and all else that it says; not part of the serialized form.
    #[serde(skip)]
    pub description: Option<Description>,
    /// Why it cannot be deployed, if so.
    pub problem: Option<Problem>,
}

/// Instances that an inspection may have at once.
const LIVE_MAX: u32 = 1;

/// Looks at `bytes` as a deployment would, and tells all that can be told even
/// where it would fail. Needs a tokio runtime with timers.
pub async fn inspect(bytes: Bytes) -> Inspection {
    let mut inspection = Inspection {
        kind: Kind::Other,
        size_bytes: bytes.len() as u64,
        digest: digest(&bytes),
        wit_version: None,
        imports: Vec::new(),
        exports: Vec::new(),
        described: None,
        description: None,
        problem: None,
    };
    let engine = match WasmEngine::new(WasmConfig {
        cache_dir: None,
        live_max: LIVE_MAX,
    }) {
        Ok(engine) => engine,
        Err(error) => {
            inspection.problem = Some(Problem {
                code: "engine".into(),
                message: error.to_string(),
                help: None,
            });
            return inspection;
        }
    };
    match engine.deploy(bytes.clone()).await {
        Ok(module) => {
            let description = module.description().as_ref().clone();
            inspection.kind = Kind::Behaviour;
            inspection.described = Some(Described {
                name: description.name.clone(),
                version: description.version.clone(),
                state_version: description.state_version,
                can_save: description.can_save,
            });
            inspection.description = Some(description);
            list_items(&engine, module.compiled.pre.component(), &mut inspection);
        }
        Err(error) => {
            inspection.kind = kind_by(&error);
            inspection.problem = Some(Problem {
                code: error.code().into(),
                message: error.to_string(),
                help: error.help().map(str::to_owned),
            });
            if inspection.kind == Kind::Component
                && let Ok(component) = Component::from_binary(engine.wasmtime(), &bytes)
            {
                list_items(&engine, &component, &mut inspection);
            }
        }
    }
    inspection
}

fn kind_by(error: &DeployError) -> Kind {
    match error {
        DeployError::Empty
        | DeployError::TooLarge { .. }
        | DeployError::NotWasm { .. }
        | DeployError::Truncated { .. } => Kind::Other,
        DeployError::CoreModule => Kind::CoreModule,
        _ => Kind::Component,
    }
}

fn list_items(engine: &WasmEngine, component: &Component, inspection: &mut Inspection) {
    let engine = engine.wasmtime();
    let ty = component.component_type();
    inspection.exports = ty
        .exports(engine)
        .map(|(name, _)| name.to_owned())
        .collect();
    inspection.wit_version =
        wit_version(imports(engine, component).iter().map(String::as_str)).map(str::to_owned);
    inspection.imports = ty
        .imports(engine)
        .map(|(name, item)| Import {
            interface: name.to_owned(),
            functions: functions(engine, &item.ty),
            capability: capability_of(name),
        })
        .collect();
}

fn functions(engine: &wasmtime::Engine, item: &ComponentItem) -> Vec<String> {
    let ComponentItem::ComponentInstance(interface) = item else {
        return Vec::new();
    };
    interface
        .exports(engine)
        .filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_)))
        .map(|(name, _)| name.to_owned())
        .collect()
}
