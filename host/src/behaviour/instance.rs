//! One incarnation: a store, an instance in it, and the calls into the guest.

use super::{
    WasmEngine, WasmModule,
    bindings::types::HandleError,
    calls::{BeginResult, ExitReasonArg, HandleArgs, HandleResult, SaveResult},
    crash::{Facts, clip, crash_of},
    engine::arm,
    module::Compiled,
    state::HostState,
};
use actorhost_core::{Crash, CrashKind, Envelope, ExitReason, Instance, Limits, Turn};
use bytes::Bytes;
use std::sync::Arc;
use wasmtime::{
    Error, Store, Trap,
    component::{self, ComponentExportIndex, ComponentNamedList, Lift, Lower, TypedFunc},
};

/// One incarnation's private sandbox.
pub struct WasmInstance {
    store: Store<HostState>,
    instance: component::Instance,
    /// Looked up at the first message and kept: the type check takes longer than
    /// many a turn.
    handle: Option<TypedFunc<HandleArgs<'static>, HandleResult>>,
    compiled: Arc<Compiled>,
    limits: Limits,
}

impl WasmInstance {
    /// A fresh instance of `module`; without a turn it cannot call the node.
    pub(super) async fn new(
        engine: &WasmEngine,
        module: &WasmModule,
        turn: Option<Turn<WasmEngine>>,
        limits: &Limits,
    ) -> Result<Self, Crash> {
        let state = HostState::new(turn, limits, &module.grant);
        let mut store = engine.store(state, limits);
        let compiled = module.compiled.clone();
        match compiled.pre.instantiate_async(&mut store).await {
            Ok(instance) => Ok(Self {
                store,
                instance,
                handle: None,
                compiled,
                limits: *limits,
            }),
            Err(error) => Err(not_made(crash(&mut store, limits, &error), &error)),
        }
    }

    fn begin_call(&mut self) {
        arm(&mut self.store, &self.limits);
        self.store.data_mut().begin_call();
    }

    /// Hands out what the guest printed, and makes a crash of an error.
    fn end_call<T>(&mut self, called: Result<T, Error>) -> Result<T, Crash> {
        self.store.data_mut().log_output();
        called.map_err(|error| crash(&mut self.store, &self.limits, &error))
    }

    async fn call<P, R>(
        &mut self,
        export: impl Fn(&Compiled) -> &ComponentExportIndex,
        params: P,
    ) -> Result<R, Crash>
    where
        P: ComponentNamedList + Lower + Send,
        R: ComponentNamedList + Lift + Send + 'static,
    {
        self.begin_call();
        let func = self.typed::<P, R>(export)?;
        let called = func.call_async(&mut self.store, params).await;
        self.end_call(called)
    }

    fn typed<P, R>(
        &mut self,
        export: impl Fn(&Compiled) -> &ComponentExportIndex,
    ) -> Result<TypedFunc<P, R>, Crash>
    where
        P: ComponentNamedList + Lower,
        R: ComponentNamedList + Lift,
    {
        let func = self
            .instance
            .get_typed_func(&mut self.store, export(&self.compiled));
        func.map_err(|error| crash(&mut self.store, &self.limits, &error))
    }

    fn handle_func(&mut self) -> Result<TypedFunc<HandleArgs<'static>, HandleResult>, Crash> {
        if let Some(func) = self.handle {
            return Ok(func);
        }
        let func = self.typed(|compiled| &compiled.exports.handle)?;
        self.handle = Some(func);
        Ok(func)
    }

    /// Takes bytes from the guest, if they are within the limit.
    fn accept(&self, bytes: Vec<u8>, kind: CrashKind, what: &str) -> Result<Bytes, Crash> {
        let (size, limit) = (bytes.len(), self.limits.message_bytes);
        if size as u64 > limit {
            let cause = format!("{what} has {size} bytes; the limit is {limit}");
            return Err(Crash::new(kind, cause));
        }
        Ok(bytes.into())
    }
}

fn crash(store: &mut Store<HostState>, limits: &Limits, error: &Error) -> Crash {
    let state = store.data_mut();
    let (panic, refused) = (state.panic.take(), state.limiter.refused());
    crash_of(
        error,
        Facts {
            limits,
            panic,
            refused,
        },
    )
}

/// A failure before any guest code ran, or one that wasn't the guest's, is the
/// host's want of room.
fn not_made(mut crash: Crash, error: &Error) -> Crash {
    if crash.kind == CrashKind::Trap && !error.is::<Trap>() {
        crash.kind = CrashKind::Instantiate;
        crash.message = format!("no room for another live instance: {}", crash.message);
    }
    crash
}

fn refused(kind: CrashKind) -> impl FnOnce(String) -> Crash {
    move |cause| Crash::new(kind, clip(cause))
}

impl Instance for WasmInstance {
    type Engine = WasmEngine;

    fn turn(&mut self) -> &mut Turn<WasmEngine> {
        self.store
            .data_mut()
            .turn()
            .expect("an actor's instance owns its turn")
    }

    async fn init(&mut self, args: Bytes) -> Result<(), Crash> {
        let (begun,): BeginResult = self
            .call(|compiled| &compiled.exports.init, (&*args,))
            .await?;
        begun.map_err(refused(CrashKind::InitFailed))
    }

    async fn handle(&mut self, envelope: Envelope) -> Result<Option<Bytes>, Crash> {
        self.begin_call();
        let func: TypedFunc<HandleArgs<'_>, HandleResult> = self.handle_func()?;
        let called = func
            .call_async(&mut self.store, ((&envelope).into(),))
            .await;
        let (handled,) = self.end_call(called)?;
        match handled {
            Ok(Some(reply)) => self.accept(reply, CrashKind::Trap, "the reply").map(Some),
            Ok(None) => Ok(None),
            Err(HandleError::BadMessage(cause)) => {
                Err(Crash::new(CrashKind::BadMessage, clip(cause)))
            }
        }
    }

    async fn save(&mut self) -> Result<Bytes, Crash> {
        let (saved,): SaveResult = self.call(|compiled| &compiled.exports.save, ()).await?;
        let state = saved.map_err(refused(CrashKind::SaveFailed))?;
        self.accept(state, CrashKind::SaveFailed, "the saved state")
    }

    async fn load(&mut self, state: Bytes, from_version: u32) -> Result<(), Crash> {
        let params = (&*state, from_version);
        let (begun,): BeginResult = self.call(|compiled| &compiled.exports.load, params).await?;
        begun.map_err(refused(CrashKind::LoadFailed))
    }

    async fn stopping(&mut self, reason: &ExitReason) -> Result<(), Crash> {
        let params: (ExitReasonArg<'_>,) = (reason.into(),);
        self.call(|compiled| &compiled.exports.stopping, params)
            .await
    }

    fn memory_bytes(&self) -> u64 {
        self.store.data().limiter.memory_bytes()
    }
}
