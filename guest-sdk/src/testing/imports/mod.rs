//! The calls of a context, as a component's imports have them, on a mock.

mod later;
mod names;
mod supervisors;

use super::{Effect, MockNode, SELF_ID};
use crate::{ActorRef, AskError, Level, LinkError, SendError, SpawnError, StashError, StopMode};

/// Addresses that the mock gives to children come after this one.
const CHILDREN_AFTER: u64 = 1_000;

impl MockNode {
    pub(crate) fn id(&self) -> ActorRef {
        SELF_ID
    }

    pub(crate) fn path(&self) -> String {
        "/under-test".to_owned()
    }

    pub(crate) fn tell(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        self.refusal(to)?;
        self.record(Effect::Tell { to, message });
        Ok(())
    }

    fn refusal(&self, to: ActorRef) -> Result<(), SendError> {
        let refusal = self.0.borrow().planned.refusals.get(&to).copied();
        refusal.map_or(Ok(()), Err)
    }

    pub(crate) fn ask(
        &self,
        to: ActorRef,
        message: Vec<u8>,
        timeout_ms: u32,
    ) -> Result<Vec<u8>, AskError> {
        self.record(Effect::Ask {
            to,
            message,
            timeout_ms,
        });
        self.release();
        let planned = self.state().planned.replies.pop_front();
        planned.unwrap_or(Err(AskError::Timeout))
    }

    pub(crate) fn spawn(
        &self,
        behaviour: &str,
        args: Vec<u8>,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        let id = self.child()?;
        self.record(Effect::Spawn {
            behaviour: behaviour.to_owned(),
            args,
            name: name.map(str::to_owned),
            id,
        });
        Ok(id)
    }

    fn child(&self) -> Result<ActorRef, SpawnError> {
        let planned = self.state().planned.spawns.pop_front();
        planned.unwrap_or_else(|| Ok(self.new_child()))
    }

    fn new_child(&self) -> ActorRef {
        ActorRef::from_raw(CHILDREN_AFTER + self.next_number())
    }

    pub(crate) fn stop(&self, target: ActorRef, mode: StopMode) {
        self.record(Effect::Stop { target, mode });
    }

    pub(crate) fn watch(&self, target: ActorRef) {
        self.record(Effect::Watch(target));
    }

    pub(crate) fn unwatch(&self, target: ActorRef) {
        self.record(Effect::Unwatch(target));
    }

    pub(crate) fn link(&self, target: ActorRef) -> Result<(), LinkError> {
        if target == SELF_ID {
            return Err(LinkError::Oneself);
        }
        if let Some(error) = self.state().planned.links.pop_front() {
            return Err(error);
        }
        self.record(Effect::Link(target));
        Ok(())
    }

    pub(crate) fn unlink(&self, target: ActorRef) {
        self.record(Effect::Unlink(target));
    }

    pub(crate) fn trap_exit(&self, yes: bool) {
        self.record(Effect::TrapExit(yes));
    }

    pub(crate) fn stash(&self) -> Result<(), StashError> {
        {
            let mut state = self.state();
            if !state.handling.message {
                return Err(StashError::NoMessage);
            }
            if let Some(error) = state.planned.stash.pop_front() {
                return Err(error);
            }
            state.handling.message = false;
        }
        self.record(Effect::Stash);
        Ok(())
    }

    pub(crate) fn unstash_all(&self) -> u32 {
        self.record(Effect::UnstashAll);
        self.0.borrow().stashed
    }

    pub(crate) fn lookup(&self, path: &str) -> Option<ActorRef> {
        self.0.borrow().planned.names.get(path).copied()
    }

    pub(crate) fn flush(&self) {
        self.record(Effect::Flush);
        self.release();
    }

    pub(crate) fn log(&self, level: Level, line: String) {
        self.record(Effect::Log { level, line });
    }
}
