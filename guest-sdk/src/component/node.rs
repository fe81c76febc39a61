//! The imports, as a context calls them.

use super::bindings::actorhost::actor::{runtime, types};
use crate::{
    ActorRef, AskError, ChildCounts, ChildError, ChildSpec, Level, LinkError, NameError, Published,
    ReplyError, SendError, SpawnError, StashError, StopMode, TimerError,
};

/// The node, by way of this component's imports.
#[derive(Clone, Copy)]
pub(crate) struct Node;

impl Node {
    pub(crate) fn id(&self) -> ActorRef {
        ActorRef::from_raw(runtime::self_id())
    }

    pub(crate) fn path(&self) -> String {
        runtime::self_path()
    }

    pub(crate) fn tell(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        runtime::tell(to.raw(), &message).map_err(SendError::from)
    }

    pub(crate) fn ask(&self, to: ActorRef, message: Vec<u8>, ms: u32) -> Result<Vec<u8>, AskError> {
        runtime::ask(to.raw(), &message, ms).map_err(AskError::from)
    }

    pub(crate) fn spawn(
        &self,
        behaviour: &str,
        args: Vec<u8>,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        match runtime::spawn(behaviour, &args, name) {
            Ok(id) => Ok(ActorRef::from_raw(id)),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn stop(&self, target: ActorRef, mode: StopMode) {
        let mode = match mode {
            StopMode::Drain => types::StopMode::Drain,
            StopMode::Now => types::StopMode::Now,
            StopMode::Kill => types::StopMode::Kill,
        };
        runtime::stop(target.raw(), mode);
    }

    pub(crate) fn watch(&self, target: ActorRef) {
        runtime::watch(target.raw());
    }

    pub(crate) fn unwatch(&self, target: ActorRef) {
        runtime::unwatch(target.raw());
    }

    pub(crate) fn lookup(&self, path: &str) -> Option<ActorRef> {
        runtime::lookup(path).map(ActorRef::from_raw)
    }

    pub(crate) fn flush(&self) {
        runtime::flush();
    }

    pub(crate) fn log(&self, level: Level, line: String) {
        let level = match level {
            Level::Trace => types::Level::Trace,
            Level::Debug => types::Level::Debug,
            Level::Info => types::Level::Info,
            Level::Warn => types::Level::Warn,
            Level::Error => types::Level::Error,
        };
        runtime::log(level, &line);
    }

    pub(crate) fn ask_later(
        &self,
        to: ActorRef,
        message: Vec<u8>,
        ms: u32,
    ) -> Result<u64, SendError> {
        runtime::ask_later(to.raw(), &message, ms).map_err(SendError::from)
    }

    pub(crate) fn reply_later(&self) -> Option<u64> {
        runtime::reply_later()
    }

    pub(crate) fn reply(&self, token: u64, message: Vec<u8>) -> Result<(), ReplyError> {
        runtime::reply(token, &message).map_err(ReplyError::from)
    }

    pub(crate) fn forward(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        runtime::forward(to.raw(), &message).map_err(SendError::from)
    }

    pub(crate) fn set_timer(
        &self,
        key: Option<&str>,
        message: Vec<u8>,
        after_ms: u64,
        every_ms: Option<u64>,
    ) -> Result<u64, TimerError> {
        runtime::set_timer(key, &message, after_ms, every_ms).map_err(TimerError::from)
    }

    pub(crate) fn cancel_timer(&self, timer: u64) -> bool {
        runtime::cancel_timer(timer)
    }

    pub(crate) fn cancel_timer_key(&self, key: &str) -> bool {
        runtime::cancel_timer_key(key)
    }

    pub(crate) fn stash(&self) -> Result<(), StashError> {
        runtime::stash().map_err(StashError::from)
    }

    pub(crate) fn unstash_all(&self) -> u32 {
        runtime::unstash_all()
    }

    pub(crate) fn link(&self, target: ActorRef) -> Result<(), LinkError> {
        runtime::link(target.raw()).map_err(LinkError::from)
    }

    pub(crate) fn unlink(&self, target: ActorRef) {
        runtime::unlink(target.raw());
    }

    pub(crate) fn trap_exit(&self, yes: bool) {
        runtime::trap_exit(yes);
    }

    pub(crate) fn register_self(&self, name: &str) -> Result<(), NameError> {
        runtime::register(name).map_err(NameError::from)
    }

    pub(crate) fn unregister(&self, name: &str) {
        runtime::unregister(name);
    }

    pub(crate) fn join(&self, group: &str) -> Result<(), NameError> {
        runtime::join(group).map_err(NameError::from)
    }

    pub(crate) fn leave(&self, group: &str) {
        runtime::leave(group);
    }

    pub(crate) fn publish(&self, group: &str, message: Vec<u8>) -> Published {
        runtime::publish(group, &message).into()
    }

    pub(crate) fn members(&self, group: &str) -> Vec<ActorRef> {
        let members = runtime::members(group);
        members.into_iter().map(ActorRef::from_raw).collect()
    }

    pub(crate) fn start_child(
        &self,
        supervisor: &str,
        spec: &ChildSpec,
        ms: u32,
    ) -> Result<ActorRef, ChildError> {
        let spec = types::ChildSpec {
            id: spec.id.clone(),
            behaviour: spec.behaviour.clone(),
            args: spec.args.clone(),
            restart: spec.restart.into(),
            significant: spec.significant,
        };
        let started = runtime::start_child(supervisor, &spec, ms);
        started.map(ActorRef::from_raw).map_err(ChildError::from)
    }

    pub(crate) fn terminate_child(
        &self,
        supervisor: &str,
        id: &str,
        ms: u32,
    ) -> Result<(), ChildError> {
        runtime::terminate_child(supervisor, id, ms).map_err(ChildError::from)
    }

    pub(crate) fn restart_child(
        &self,
        supervisor: &str,
        id: &str,
        ms: u32,
    ) -> Result<ActorRef, ChildError> {
        let started = runtime::restart_child(supervisor, id, ms);
        started.map(ActorRef::from_raw).map_err(ChildError::from)
    }

    pub(crate) fn delete_child(
        &self,
        supervisor: &str,
        id: &str,
        ms: u32,
    ) -> Result<(), ChildError> {
        runtime::delete_child(supervisor, id, ms).map_err(ChildError::from)
    }

    pub(crate) fn count_children(
        &self,
        supervisor: &str,
        ms: u32,
    ) -> Result<ChildCounts, ChildError> {
        let counted = runtime::count_children(supervisor, ms);
        counted.map(ChildCounts::from).map_err(ChildError::from)
    }
}
