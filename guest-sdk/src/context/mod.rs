//! What an actor can do to the world: one file for each theme.

mod children;
mod log;
mod messages;
mod names;
mod stash;
mod ties;
mod timers;

pub use children::Supervisor;
pub use names::Published;
pub use timers::TimerId;

use crate::{ActorRef, StopMode};
use std::{marker::PhantomData, time::Duration};

#[cfg(target_family = "wasm")]
pub(crate) use crate::component::Node;
#[cfg(not(target_family = "wasm"))]
pub(crate) use crate::testing::MockNode as Node;

/// An actor's way to its node, handed to each of its methods.
///
/// ```
/// use actorhost_sdk::prelude::*;
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Greeter;
///
/// #[actor]
/// impl Actor for Greeter {
///     type Args = ();
///     type Message = ActorRef;
///     type Reply = bool;
///
///     fn handle(&mut self, whom: ActorRef, ctx: &mut Context<Self>) -> bool {
///         ctx.info(format_args!("greeting {whom}"));
///         ctx.tell(whom, "hello").is_ok()
///     }
/// }
///
/// let mut ctx = Context::mock();
/// let whom = ActorRef::from_raw(4);
/// assert!(Greeter.handle(whom, &mut ctx));
/// assert_eq!(ctx.node().tells::<String>(), [(whom, "hello".to_owned())]);
/// ```
pub struct Context<A> {
    node: Node,
    sender: Option<ActorRef>,
    actor: PhantomData<fn(A)>,
}

impl<A> Context<A> {
    pub(crate) fn new(node: Node, sender: Option<ActorRef>) -> Self {
        Self {
            node,
            sender,
            actor: PhantomData,
        }
    }

    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn mock_node(&self) -> &Node {
        &self.node
    }

    /// This actor's own address.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert_eq!(ctx.id(), testing::SELF_ID);
    /// ```
    pub fn id(&self) -> ActorRef {
        self.node.id()
    }

    /// This actor's path, such as `/fleet/N14228`.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert_eq!(ctx.path(), "/under-test");
    /// ```
    pub fn path(&self) -> String {
        self.node.path()
    }

    /// The actor that sent the message being handled; none for the command line and
    /// other outsiders.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, testing::MockNode};
    /// # struct Any;
    /// let friend = ActorRef::from_raw(2);
    /// let ctx: Context<Any> = MockNode::new().context_from(friend);
    /// assert_eq!(ctx.sender(), Some(friend));
    /// ```
    pub fn sender(&self) -> Option<ActorRef> {
        self.sender
    }

    /// Stops another actor, or this one after the running turn.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, StopMode};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let other = ActorRef::from_raw(2);
    /// ctx.stop(other, StopMode::Now);
    /// assert_eq!(ctx.node().stops(), [(other, StopMode::Now)]);
    /// ```
    pub fn stop(&self, target: ActorRef, mode: StopMode) {
        self.node.stop(target, mode);
    }

    /// Stops this actor once the running turn has succeeded; what is still queued
    /// becomes dead letters. The reply of this turn goes out.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, StopMode};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.stop_self();
    /// assert_eq!(ctx.node().stops(), [(ctx.id(), StopMode::Now)]);
    /// ```
    pub fn stop_self(&self) {
        self.stop(self.id(), StopMode::Now);
    }

    /// Releases the effects held so far: a crash later in this turn no longer
    /// undoes them.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::Effect};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.flush();
    /// assert_eq!(ctx.node().effects(), [Effect::Flush]);
    /// ```
    pub fn flush(&self) {
        self.node.flush();
    }
}

/// Rounded up, so that a short wait is not none; the longest is 49 days.
fn millis(timeout: Duration) -> u32 {
    u32::try_from(timeout.as_nanos().div_ceil(1_000_000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_rounded_up_and_bounded() {
        assert_eq!(millis(Duration::ZERO), 0);
        assert_eq!(millis(Duration::from_nanos(1)), 1);
        assert_eq!(millis(Duration::from_millis(250)), 250);
        assert_eq!(millis(Duration::MAX), u32::MAX);
    }
}
