//! Names and groups.

use crate::{
    ActorRef, NameError, Published,
    testing::{Effect, MockNode, SELF_ID},
};

impl MockNode {
    pub(crate) fn register_self(&self, name: &str) -> Result<(), NameError> {
        self.name(name)?;
        self.record(Effect::Register(name.to_owned()));
        Ok(())
    }

    pub(crate) fn unregister(&self, name: &str) {
        self.record(Effect::Unregister(name.to_owned()));
    }

    pub(crate) fn join(&self, group: &str) -> Result<(), NameError> {
        self.name(group)?;
        self.record(Effect::Join(group.to_owned()));
        Ok(())
    }

    pub(crate) fn leave(&self, group: &str) {
        self.record(Effect::Leave(group.to_owned()));
    }

    pub(crate) fn publish(&self, group: &str, message: Vec<u8>) -> Published {
        self.record(Effect::Publish {
            group: group.to_owned(),
            message,
        });
        let others = self.members(group).into_iter().filter(|m| *m != SELF_ID);
        let mut published = Published {
            accepted: 0,
            refused: 0,
        };
        for member in others {
            match self.refusal(member) {
                Ok(()) => published.accepted += 1,
                Err(_) => published.refused += 1,
            }
        }
        published
    }

    pub(crate) fn members(&self, group: &str) -> Vec<ActorRef> {
        let state = self.0.borrow();
        state.planned.groups.get(group).cloned().unwrap_or_default()
    }

    fn name(&self, name: &str) -> Result<(), NameError> {
        let fits = |c: char| c.is_alphanumeric() || "-_.:@".contains(c);
        if matches!(name, "" | "." | "..") || name.len() > 128 || !name.chars().all(fits) {
            return Err(NameError::BadName);
        }
        let planned = self.state().planned.registrations.pop_front();
        planned.map_or(Ok(()), Err)
    }
}
