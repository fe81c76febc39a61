//! The wasm engine: behaviours as sandboxed components, run by wasmtime.
//!
//! A [`WasmModule`] is a deployed component: checked, compiled once, shared by all
//! its instances. A [`WasmInstance`] is one incarnation: a store of its own, with
//! its memory, its fuel, its WASI state and its [`actorhost_core::Turn`]. Nothing is
//! ever shared between two instances but compiled code, and no instance is used
//! again after an error.
//!
//! A deployment reads `layout` → `compile` → `world` → `describe`; a call reads
//! `instance` → `calls` → `host_runtime` and `wasi` → `crash`.

mod bindings;
mod cache;
mod calls;
mod capabilities;
mod crash;
mod deploy_error;
mod describe;
mod engine;
mod host_runtime;
mod inspect;
mod instance;
mod layout;
mod limiter;
mod module;
mod output;
mod pool;
mod state;
mod wasi;
mod world;

pub use capabilities::{Access, Capabilities, CapabilityError, Directory};
pub use deploy_error::DeployError;
pub use describe::Description;
pub use engine::{EngineError, WasmConfig, WasmEngine};
pub use inspect::{Described, Import, Inspection, Kind, Problem, inspect};
pub use instance::WasmInstance;
pub use module::WasmModule;
pub use pool::{
    MEMORY_BYTES_MAX, dirty_page_scan_available, live_max_for_this_machine, map_count_max,
};
pub use world::{Capability, WIT_VERSION};

#[cfg(test)]
mod tests;
