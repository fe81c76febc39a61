//! One life of an actor, driven by bytes: what the component's exports do, apart
//! from their types, and what native tests drive as well.

use crate::{
    ActorRef, AskId, Behaviour, Context, ExitReason, LaterReply,
    codec::{decode, encode_own},
    context::Node,
};

/// Holds the actor between the node's calls.
#[doc(hidden)]
pub struct Life<A> {
    actor: Option<A>,
}

impl<A: Behaviour> Life<A> {
    /// A life that has not begun.
    pub const fn unbegun() -> Self {
        Self { actor: None }
    }

    pub(crate) fn init(&mut self, args: &[u8], node: Node) -> Result<(), String> {
        let args = decode::<A::Args>(args)?;
        let actor = A::init(args, &mut Context::new(node, None));
        self.actor = Some(actor.map_err(crate::InitError::into_message)?);
        Ok(())
    }

    /// The reply's bytes when `wants_reply`. An error says that the bytes are not a
    /// message of this behaviour.
    pub(crate) fn handle(
        &mut self,
        message: &[u8],
        wants_reply: bool,
        sender: Option<ActorRef>,
        node: Node,
    ) -> Result<Option<Vec<u8>>, String> {
        let message = decode::<A::Message>(message)?;
        let reply = self
            .begun()
            .handle(message, &mut Context::new(node, sender));
        Ok(wants_reply.then(|| encode_own(&reply)))
    }

    pub(crate) fn down(&mut self, who: ActorRef, reason: ExitReason, node: Node) {
        self.begun()
            .down(who, reason, &mut Context::new(node, None));
    }

    pub(crate) fn exit(&mut self, who: ActorRef, reason: ExitReason, node: Node) {
        self.begun()
            .exit(who, reason, &mut Context::new(node, None));
    }

    pub(crate) fn replied(&mut self, ask: AskId, reply: LaterReply, node: Node) {
        self.begun()
            .replied(ask, reply, &mut Context::new(node, None));
    }

    pub(crate) fn stopping(&mut self, reason: &ExitReason, node: Node) {
        self.begun().stopping(reason, &mut Context::new(node, None));
    }

    pub(crate) fn save(&mut self) -> Result<Vec<u8>, String> {
        self.begun().save()
    }

    pub(crate) fn load(&mut self, state: &[u8], from_version: u32) -> Result<(), String> {
        self.actor = Some(A::load(state, from_version)?);
        Ok(())
    }

    pub(crate) fn begun(&mut self) -> &mut A {
        self.actor
            .as_mut()
            .expect("the node calls `init` or `load` before all else")
    }
}
