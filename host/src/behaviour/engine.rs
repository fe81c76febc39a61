//! One wasmtime engine for a node: its settings, what guests are linked against,
//! and the making of instances.

use super::{
    DeployError, WasmInstance, WasmModule, bindings, cache, describe,
    module::{self, Compiled},
    pool,
    state::HostState,
    wasi,
};
use actorhost_core::{Crash, Engine, Limits, ModuleInfo, Turn};
use bytes::Bytes;
use std::{path::PathBuf, sync::Arc};
use wasmtime::{
    Store,
    component::{HasSelf, Linker},
};

/// Fuel after which a running guest gives way: between 0.1 ms of plain arithmetic
/// and 1 ms of a loop that waits for memory, as measured. Giving way that often
/// costs less than 1 %; at a tenth of it, 15 %.
pub(super) const FUEL_SLICE: u64 = 1_000_000;

/// How an engine is set up.
#[derive(Debug, Clone)]
pub struct WasmConfig {
    /// Where compiled code is kept between runs; none compiles at each deployment.
    pub cache_dir: Option<PathBuf>,
    /// Most instances that are live at once, at most
    /// [`super::live_max_for_this_machine`].
    pub live_max: u32,
}

/// An engine that cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("the wasm engine cannot start: {cause}")]
pub struct EngineError {
    /// What wasmtime or the system says.
    pub cause: String,
}

/// Compiles modules and makes their instances. Cloning is cheap; one per node.
#[derive(Clone)]
pub struct WasmEngine {
    shared: Arc<Shared>,
}

struct Shared {
    engine: wasmtime::Engine,
    linker: Linker<HostState>,
    live_max: u32,
}

impl WasmEngine {
    /// Makes an engine and reserves address space for its instances.
    ///
    /// # Errors
    /// When the system refuses the address space or the mappings, mostly because
    /// `live_max` is too large for `vm.max_map_count`.
    pub fn new(config: WasmConfig) -> Result<Self, EngineError> {
        let cache = config.cache_dir.as_deref().and_then(cache::open);
        let settings = pool::config(config.live_max, cache);
        let failed = |error: wasmtime::Error| EngineError {
            cause: module::chain(&error),
        };
        let engine = wasmtime::Engine::new(&settings).map_err(failed)?;
        let linker = linker(&engine).map_err(failed)?;
        Ok(Self {
            shared: Arc::new(Shared {
                engine,
                linker,
                live_max: config.live_max,
            }),
        })
    }

    /// Most instances that are live at once.
    pub fn live_max(&self) -> u32 {
        self.shared.live_max
    }

    /// Checks, compiles and describes a component. It is granted nothing yet: see
    /// [`WasmModule::with_capabilities`]. Compiling runs on a thread for blocking
    /// work; needs a tokio runtime with timers.
    ///
    /// # Errors
    /// Why it cannot be deployed.
    pub async fn deploy(&self, bytes: Bytes) -> Result<WasmModule, DeployError> {
        let compiled = self.compile(bytes).await?;
        let description = describe::describe(self, &compiled).await?;
        Ok(WasmModule::new(compiled, description))
    }

    async fn compile(&self, bytes: Bytes) -> Result<Arc<Compiled>, DeployError> {
        let shared = self.shared.clone();
        let compiling = tokio::task::spawn_blocking(move || {
            module::compile(&shared.engine, &shared.linker, &bytes).map(Arc::new)
        });
        match compiling.await {
            Ok(compiled) => compiled,
            Err(failed) => Err(DeployError::Invalid {
                cause: format!("the compiler failed: {failed}"),
            }),
        }
    }

    /// wasmtime's own engine.
    pub(super) fn wasmtime(&self) -> &wasmtime::Engine {
        &self.shared.engine
    }

    /// A store with limits in force and fuel for a first call.
    pub(super) fn store(&self, state: HostState, limits: &Limits) -> Store<HostState> {
        let mut store = Store::new(&self.shared.engine, state);
        store.limiter(|state| &mut state.limiter);
        store
            .fuel_async_yield_interval(Some(FUEL_SLICE))
            .expect("fuel is on, and not zero");
        arm(&mut store, limits);
        store
    }
}

/// Gives a call its fuel.
pub(super) fn arm(store: &mut Store<HostState>, limits: &Limits) {
    store
        .set_fuel(limits.fuel_per_turn.unwrap_or(u64::MAX))
        .expect("fuel is on");
}

fn linker(engine: &wasmtime::Engine) -> wasmtime::Result<Linker<HostState>> {
    let mut linker = Linker::new(engine);
    bindings::runtime::add_to_linker::<_, HasSelf<HostState>>(&mut linker, |state| state)?;
    bindings::types::add_to_linker::<_, HasSelf<HostState>>(&mut linker, |state| state)?;
    wasi::add_to_linker(&mut linker)?;
    Ok(linker)
}

impl Engine for WasmEngine {
    type Module = WasmModule;
    type Instance = WasmInstance;

    fn info<'m>(&self, module: &'m WasmModule) -> &'m ModuleInfo {
        module.info()
    }

    async fn instantiate(
        &self,
        module: &Arc<WasmModule>,
        turn: Turn<Self>,
        limits: &Limits,
    ) -> Result<WasmInstance, Crash> {
        WasmInstance::new(self, module, Some(turn), limits).await
    }
}
