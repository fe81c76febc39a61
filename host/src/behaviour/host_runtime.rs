//! The interface `runtime`: what the node does for an actor. Each function is one
//! step on the actor's [`Turn`], which holds back its effects.

use super::{
    bindings::{
        runtime::{self, ActorId, AskError, Level, SendError, SpawnError, StopMode},
        types,
    },
    crash::clip,
    engine::WasmEngine,
    state::HostState,
};
use actorhost_core::{self as core, Turn, observe::LogLevel};
use bytes::Bytes;
use wasmtime::Result;

/// A guest called the node while it described itself, before there is an actor.
#[derive(Debug, thiserror::Error)]
#[error("`describe` called the node; it must not, since no actor exists yet")]
pub(super) struct NoActor;

impl HostState {
    fn actor(&mut self) -> Result<&mut Turn<WasmEngine>> {
        self.turn().ok_or_else(|| NoActor.into())
    }
}

impl types::Host for HostState {}

impl runtime::Host for HostState {
    fn self_id(&mut self) -> Result<ActorId> {
        Ok(self.actor()?.self_id().0)
    }

    fn self_path(&mut self) -> Result<String> {
        Ok(self.actor()?.self_path().to_owned())
    }

    async fn tell(&mut self, to: ActorId, message: Vec<u8>) -> Result<Result<(), SendError>> {
        let turn = self.actor()?;
        let (to, message) = (core::ActorId(to), Bytes::from(message));
        let sent = match turn.try_tell(to, &message) {
            Some(sent) => sent,
            None => turn.tell(to, message).await,
        };
        Ok(sent.map_err(SendError::from))
    }

    async fn ask(
        &mut self,
        to: ActorId,
        message: Vec<u8>,
        timeout_ms: u32,
    ) -> Result<Result<Vec<u8>, AskError>> {
        let turn = self.actor()?;
        let reply = turn
            .ask(core::ActorId(to), message.into(), timeout_ms.into())
            .await;
        // Hands the reply on without a copy where nobody else holds it.
        Ok(reply.map(Vec::from).map_err(AskError::from))
    }

    fn spawn(
        &mut self,
        behaviour: String,
        args: Vec<u8>,
        name: Option<String>,
    ) -> Result<Result<ActorId, SpawnError>> {
        let spawned = self
            .actor()?
            .spawn(&behaviour, args.into(), name.as_deref());
        Ok(spawned.map(|id| id.0).map_err(SpawnError::from))
    }

    fn stop(&mut self, target: ActorId, mode: StopMode) -> Result<()> {
        self.actor()?.stop(core::ActorId(target), mode.into());
        Ok(())
    }

    fn watch(&mut self, target: ActorId) -> Result<()> {
        self.actor()?.watch(core::ActorId(target));
        Ok(())
    }

    fn unwatch(&mut self, target: ActorId) -> Result<()> {
        self.actor()?.unwatch(core::ActorId(target));
        Ok(())
    }

    fn lookup(&mut self, path: String) -> Result<Option<ActorId>> {
        Ok(self.actor()?.lookup(&path).map(|id| id.0))
    }

    fn flush(&mut self) -> Result<()> {
        self.actor()?.flush();
        Ok(())
    }

    fn log(&mut self, level: Level, message: String) -> Result<()> {
        self.actor()?.log(level.into(), clip(message));
        Ok(())
    }

    fn report_panic(&mut self, message: String) -> Result<()> {
        // Also while a module describes itself: that is how its author sees why.
        self.panic = Some(clip(message));
        Ok(())
    }
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Trace => Self::Trace,
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Warn => Self::Warn,
            Level::Error => Self::Error,
        }
    }
}

impl From<StopMode> for core::StopMode {
    fn from(mode: StopMode) -> Self {
        match mode {
            StopMode::Drain => Self::Drain,
            StopMode::Now => Self::Now,
            StopMode::Kill => Self::Kill,
        }
    }
}

impl From<core::SendError> for SendError {
    fn from(error: core::SendError) -> Self {
        match error {
            core::SendError::Full => Self::Full,
            core::SendError::Stopped => Self::Stopped,
            core::SendError::NoSuchActor => Self::NoSuchActor,
            core::SendError::TooLarge { limit } => Self::TooLarge(limit),
            core::SendError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<core::AskError> for AskError {
    fn from(error: core::AskError) -> Self {
        match error {
            core::AskError::Timeout => Self::Timeout,
            core::AskError::Crashed(cause) => Self::Crashed(cause),
            core::AskError::Stopped => Self::Stopped,
            core::AskError::Full => Self::Full,
            core::AskError::NoSuchActor => Self::NoSuchActor,
            core::AskError::TooLarge { limit } => Self::TooLarge(limit),
            core::AskError::Overloaded => Self::Overloaded,
            core::AskError::Deadlock => Self::Deadlock,
        }
    }
}

impl From<core::SpawnError> for SpawnError {
    fn from(error: core::SpawnError) -> Self {
        match error {
            // A behaviour whose spec cannot be met here is no behaviour of this node:
            // the guest can do as little about it.
            core::SpawnError::UnknownBehaviour | core::SpawnError::UnknownDispatcher { .. } => {
                Self::UnknownBehaviour
            }
            core::SpawnError::Denied => Self::Denied,
            core::SpawnError::NameTaken => Self::NameTaken,
            core::SpawnError::BadName => Self::BadName,
            core::SpawnError::TooLarge { limit } => Self::TooLarge(limit),
            core::SpawnError::Quota => Self::Quota,
        }
    }
}
