//! The calls of a context, as a component's imports have them, on a mock.

use super::{Effect, MockNode, SELF_ID};
use crate::{ActorRef, AskError, Level, SendError, SpawnError, StopMode};

/// The first address that the mock gives to a spawned child.
const FIRST_CHILD: u64 = 1_000;

impl MockNode {
    pub(crate) fn id(&self) -> ActorRef {
        SELF_ID
    }

    pub(crate) fn path(&self) -> String {
        "/under-test".to_owned()
    }

    pub(crate) fn tell(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        if let Some(&error) = self.0.borrow().refusals.get(&to) {
            return Err(error);
        }
        self.record(Effect::Tell { to, message });
        Ok(())
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
        let planned = self.0.borrow_mut().replies.pop_front();
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
        let mut state = self.0.borrow_mut();
        if let Some(planned) = state.spawns.pop_front() {
            return planned;
        }
        state.children += 1;
        Ok(ActorRef::from_raw(FIRST_CHILD + state.children - 1))
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

    pub(crate) fn lookup(&self, path: &str) -> Option<ActorRef> {
        self.0.borrow().names.get(path).copied()
    }

    pub(crate) fn flush(&self) {
        self.record(Effect::Flush);
        self.release();
    }

    pub(crate) fn log(&self, level: Level, line: String) {
        self.record(Effect::Log { level, line });
    }
}
