//! What the host keeps beside one instance.

use super::{
    capabilities::Grant, crash::clip, engine::WasmEngine, limiter::Limiter, output::Output,
    wasi::WasiSlot,
};
use actorhost_core::{Limits, Turn};
use std::sync::Arc;

/// The data of one store.
pub(super) struct HostState {
    /// What the actor may do to the node; none while a module describes itself.
    turn: Option<Turn<WasmEngine>>,
    /// What the instance holds.
    pub(super) limiter: Limiter,
    /// WASI, made on first use.
    pub(super) wasi: WasiSlot,
    /// What the guest said before it trapped.
    pub(super) panic: Option<String>,
}

impl HostState {
    pub(super) fn new(turn: Option<Turn<WasmEngine>>, limits: &Limits, grant: &Arc<Grant>) -> Self {
        Self {
            turn,
            limiter: Limiter::new(limits.memory_bytes),
            wasi: WasiSlot::new(grant.clone()),
            panic: None,
        }
    }

    /// Forgets what belongs to the call before.
    pub(super) fn begin_call(&mut self) {
        self.limiter.begin_call();
        self.panic = None;
    }

    /// The actor's turn; none while a module describes itself.
    pub(super) fn turn(&mut self) -> Option<&mut Turn<WasmEngine>> {
        self.turn.as_mut()
    }

    /// Hands what the guest printed to the node's log.
    pub(super) fn log_output(&mut self) {
        let (Some(turn), Some(output)) = (&mut self.turn, self.wasi.granted_output()) else {
            return;
        };
        for (level, line) in output.into_iter().flat_map(Output::take_lines) {
            turn.log(level, clip(line));
        }
    }
}
