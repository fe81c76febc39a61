//! What an actor can do to the world.

use crate::{ActorRef, AskError, Level, SendError, SpawnError, StopMode, codec, codec::encode_own};
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt, marker::PhantomData, time::Duration};

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

    /// Sends a message. Room in the target's mailbox is reserved at once, so that
    /// the result is true; the message leaves when the turn succeeds.
    ///
    /// # Errors
    /// [`SendError`] when the target takes no message. Nothing else happens.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, SendError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let busy = ActorRef::from_raw(2);
    /// ctx.node().refuse(busy, SendError::Full);
    /// assert_eq!(ctx.tell(busy, &1_u32), Err(SendError::Full));
    /// ```
    pub fn tell<M: Serialize + ?Sized>(&self, to: ActorRef, message: &M) -> Result<(), SendError> {
        self.node.tell(to, encode_own(message))
    }

    /// Sends a message and waits for its reply, at most for `timeout` (counted in
    /// whole milliseconds, rounded up). Releases the effects held so far. While it
    /// waits, this actor handles no other message.
    ///
    /// # Errors
    /// [`AskError`] says why there is no reply of type `R`.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, AskError, Context};
    /// # use std::time::Duration;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_reply(&12_u64);
    /// let reply = ctx.ask::<_, u64>(ActorRef::from_raw(2), "how many?", Duration::from_secs(1));
    /// assert_eq!(reply, Ok(12));
    /// ```
    pub fn ask<M: Serialize + ?Sized, R: DeserializeOwned>(
        &self,
        to: ActorRef,
        message: &M,
        timeout: Duration,
    ) -> Result<R, AskError> {
        let reply = self.node.ask(to, encode_own(message), millis(timeout))?;
        codec::decode(&reply).map_err(|error| AskError::BadReply(error.to_string()))
    }

    /// Spawns a child of this actor from a behaviour's name and arguments. Its
    /// address can be used at once; it starts when the turn succeeds. Without a
    /// name, the node makes one up.
    ///
    /// # Errors
    /// [`SpawnError`] when the node refuses; nothing is spawned.
    ///
    /// # Panics
    /// When the arguments' own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, SpawnError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let child = ctx.spawn("counter", &5_u32, Some("first"))?;
    /// ctx.tell(child, &1_u32).expect("a new child has room");
    /// # Ok::<(), SpawnError>(())
    /// ```
    pub fn spawn<Args: Serialize + ?Sized>(
        &self,
        behaviour: &str,
        args: &Args,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        self.node.spawn(behaviour, encode_own(args), name)
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

    /// Asks for exactly one [`Actor::down`](crate::Actor::down) when `target` ends,
    /// at once if it already has. Watching twice is watching once.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.watch(ActorRef::from_raw(2));
    /// assert_eq!(ctx.node().watches(), [ActorRef::from_raw(2)]);
    /// ```
    pub fn watch(&self, target: ActorRef) {
        self.node.watch(target);
    }

    /// Takes a watch back; no `down` of that target comes afterwards.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.unwatch(ActorRef::from_raw(2));
    /// assert_eq!(ctx.node().unwatches(), [ActorRef::from_raw(2)]);
    /// ```
    pub fn unwatch(&self, target: ActorRef) {
        self.node.unwatch(target);
    }

    /// The living actor under a path such as `/fleet/N14228`.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().register("/bank", ActorRef::from_raw(2));
    /// assert_eq!(ctx.lookup("/bank"), Some(ActorRef::from_raw(2)));
    /// assert_eq!(ctx.lookup("/shop"), None);
    /// ```
    pub fn lookup(&self, path: &str) -> Option<ActorRef> {
        self.node.lookup(path)
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

    /// Writes a line to the node's log under this actor's name. A log line is not
    /// held back: a crash does not undo it.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, Level};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.log(Level::Debug, format_args!("{} left", 3));
    /// assert_eq!(ctx.node().logs(), [(Level::Debug, "3 left".to_owned())]);
    /// ```
    pub fn log(&self, level: Level, line: impl fmt::Display) {
        self.node.log(level, line.to_string());
    }

    /// Logs at [`Level::Debug`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.debug("looking");
    /// ```
    pub fn debug(&self, line: impl fmt::Display) {
        self.log(Level::Debug, line);
    }

    /// Logs at [`Level::Info`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.info("found");
    /// ```
    pub fn info(&self, line: impl fmt::Display) {
        self.log(Level::Info, line);
    }

    /// Logs at [`Level::Warn`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.warn("found twice");
    /// ```
    pub fn warn(&self, line: impl fmt::Display) {
        self.log(Level::Warn, line);
    }

    /// Logs at [`Level::Error`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.error("lost");
    /// ```
    pub fn error(&self, line: impl fmt::Display) {
        self.log(Level::Error, line);
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
