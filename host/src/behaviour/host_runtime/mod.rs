//! The interface `runtime`: what the node does for an actor. Each function is one
//! step on the actor's [`Turn`], which holds back its effects.
//!
//! Those that may wait are `async`; the others cost a guest no switch of stacks.

mod convert;

use super::{
    bindings::{
        runtime::{
            self, ActorId, AskError, ChildCounts, ChildError, ChildSpec, Level, LinkError,
            NameError, Published, ReplyError, SendError, SpawnError, StashError, StopMode,
            TimerError,
        },
        types,
    },
    crash::clip,
    engine::WasmEngine,
    state::HostState,
};
use actorhost_core::{self as core, Turn};
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

    fn ask_later(
        &mut self,
        to: ActorId,
        message: Vec<u8>,
        timeout_ms: u32,
    ) -> Result<Result<u64, SendError>> {
        let (to, timeout_ms) = (core::ActorId(to), timeout_ms.into());
        let asked = self.actor()?.ask_later(to, message.into(), timeout_ms);
        Ok(asked.map_err(SendError::from))
    }

    fn reply_later(&mut self) -> Result<Option<u64>> {
        Ok(self.actor()?.reply_later())
    }

    fn reply(&mut self, token: u64, message: Vec<u8>) -> Result<Result<(), ReplyError>> {
        let replied = self.actor()?.reply(token, message.into());
        Ok(replied.map_err(ReplyError::from))
    }

    fn forward(&mut self, to: ActorId, message: Vec<u8>) -> Result<Result<(), SendError>> {
        let forwarded = self.actor()?.forward(core::ActorId(to), message.into());
        Ok(forwarded.map_err(SendError::from))
    }

    fn set_timer(
        &mut self,
        key: Option<String>,
        message: Vec<u8>,
        after_ms: u64,
        every_ms: Option<u64>,
    ) -> Result<Result<u64, TimerError>> {
        let turn = self.actor()?;
        let set = turn.set_timer(key.as_deref(), message.into(), after_ms, every_ms);
        Ok(set.map_err(TimerError::from))
    }

    fn cancel_timer(&mut self, timer: u64) -> Result<bool> {
        Ok(self.actor()?.cancel_timer(timer))
    }

    fn cancel_timer_key(&mut self, key: String) -> Result<bool> {
        Ok(self.actor()?.cancel_timer_key(&key))
    }

    fn stash(&mut self) -> Result<Result<(), StashError>> {
        Ok(self.actor()?.stash().map_err(StashError::from))
    }

    fn unstash_all(&mut self) -> Result<u32> {
        Ok(self.actor()?.unstash_all())
    }

    fn link(&mut self, target: ActorId) -> Result<Result<(), LinkError>> {
        let linked = self.actor()?.link(core::ActorId(target));
        Ok(linked.map_err(LinkError::from))
    }

    fn unlink(&mut self, target: ActorId) -> Result<()> {
        self.actor()?.unlink(core::ActorId(target));
        Ok(())
    }

    fn trap_exit(&mut self, yes: bool) -> Result<()> {
        self.actor()?.trap_exit(yes);
        Ok(())
    }

    fn register(&mut self, name: String) -> Result<Result<(), NameError>> {
        Ok(self.actor()?.register(&name).map_err(NameError::from))
    }

    fn unregister(&mut self, name: String) -> Result<()> {
        self.actor()?.unregister(&name);
        Ok(())
    }

    fn join(&mut self, group: String) -> Result<Result<(), NameError>> {
        Ok(self.actor()?.join(&group).map_err(NameError::from))
    }

    fn leave(&mut self, group: String) -> Result<()> {
        self.actor()?.leave(&group);
        Ok(())
    }

    fn publish(&mut self, group: String, message: Vec<u8>) -> Result<Published> {
        Ok(self.actor()?.publish(&group, message.into()).into())
    }

    fn members(&mut self, group: String) -> Result<Vec<ActorId>> {
        let members = self.actor()?.members(&group);
        Ok(members.into_iter().map(|id| id.0).collect())
    }

    async fn start_child(
        &mut self,
        supervisor: String,
        spec: ChildSpec,
        timeout_ms: u32,
    ) -> Result<Result<ActorId, ChildError>> {
        let turn = self.actor()?;
        let child = core::NewChild {
            id: &spec.id,
            behaviour: &spec.behaviour,
            args: spec.args.into(),
            restart: spec.restart.into(),
            significant: spec.significant,
        };
        let started = turn
            .start_child(&supervisor, child, timeout_ms.into())
            .await;
        Ok(started.map(|id| id.0).map_err(ChildError::from))
    }

    async fn terminate_child(
        &mut self,
        supervisor: String,
        id: String,
        timeout_ms: u32,
    ) -> Result<Result<(), ChildError>> {
        let turn = self.actor()?;
        let terminated = turn
            .terminate_child(&supervisor, &id, timeout_ms.into())
            .await;
        Ok(terminated.map_err(ChildError::from))
    }

    async fn restart_child(
        &mut self,
        supervisor: String,
        id: String,
        timeout_ms: u32,
    ) -> Result<Result<ActorId, ChildError>> {
        let turn = self.actor()?;
        let started = turn
            .restart_child(&supervisor, &id, timeout_ms.into())
            .await;
        Ok(started.map(|id| id.0).map_err(ChildError::from))
    }

    async fn delete_child(
        &mut self,
        supervisor: String,
        id: String,
        timeout_ms: u32,
    ) -> Result<Result<(), ChildError>> {
        let turn = self.actor()?;
        let deleted = turn.delete_child(&supervisor, &id, timeout_ms.into()).await;
        Ok(deleted.map_err(ChildError::from))
    }

    async fn count_children(
        &mut self,
        supervisor: String,
        timeout_ms: u32,
    ) -> Result<Result<ChildCounts, ChildError>> {
        let turn = self.actor()?;
        let counted = turn.count_children(&supervisor, timeout_ms.into()).await;
        Ok(counted.map(ChildCounts::from).map_err(ChildError::from))
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
