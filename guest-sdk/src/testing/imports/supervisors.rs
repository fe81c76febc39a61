//! Supervisors and their children. Each call releases what is held, as a wait does.

use crate::{
    ActorRef, ChildCounts, ChildError, ChildSpec,
    testing::{Effect, MockNode},
};

impl MockNode {
    pub(crate) fn start_child(
        &self,
        supervisor: &str,
        spec: &ChildSpec,
        timeout_ms: u32,
    ) -> Result<ActorRef, ChildError> {
        self.managed(Effect::StartChild {
            supervisor: supervisor.to_owned(),
            id: spec.id.clone(),
            behaviour: spec.behaviour.clone(),
            args: spec.args.clone(),
            restart: spec.restart,
            significant: spec.significant,
            timeout_ms,
        })?;
        Ok(self.new_child())
    }

    pub(crate) fn terminate_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u32,
    ) -> Result<(), ChildError> {
        self.managed(Effect::TerminateChild {
            supervisor: supervisor.to_owned(),
            id: id.to_owned(),
            timeout_ms,
        })
    }

    pub(crate) fn restart_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u32,
    ) -> Result<ActorRef, ChildError> {
        self.managed(Effect::RestartChild {
            supervisor: supervisor.to_owned(),
            id: id.to_owned(),
            timeout_ms,
        })?;
        Ok(self.new_child())
    }

    pub(crate) fn delete_child(
        &self,
        supervisor: &str,
        id: &str,
        timeout_ms: u32,
    ) -> Result<(), ChildError> {
        self.managed(Effect::DeleteChild {
            supervisor: supervisor.to_owned(),
            id: id.to_owned(),
            timeout_ms,
        })
    }

    pub(crate) fn count_children(
        &self,
        supervisor: &str,
        timeout_ms: u32,
    ) -> Result<ChildCounts, ChildError> {
        self.managed(Effect::CountChildren {
            supervisor: supervisor.to_owned(),
            timeout_ms,
        })?;
        Ok(self.state().planned.counts.pop_front().unwrap_or_default())
    }

    fn managed(&self, effect: Effect) -> Result<(), ChildError> {
        self.record(effect);
        self.release();
        let planned = self.state().planned.children.pop_front();
        planned.map_or(Ok(()), Err)
    }
}
