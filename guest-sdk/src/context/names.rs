//! Names and groups.

use super::Context;
use crate::{ActorRef, NameError, codec::encode_own};
use serde::Serialize;

/// What the members of a group made of a message.
///
/// ```
/// # use actorhost_sdk::{ActorRef, Context};
/// # struct Any;
/// let ctx: Context<Any> = Context::mock();
/// ctx.node().set_members("tills", &[ActorRef::from_raw(2), ActorRef::from_raw(3)]);
/// let published = ctx.publish("tills", "open");
/// assert_eq!((published.accepted, published.refused), (2, 0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// Members that accepted it.
    pub accepted: u32,
    /// Members that were full, stopped or allow no message of this size. Each such
    /// message is a dead letter.
    pub refused: u32,
}

impl<A> Context<A> {
    /// The living actor under a path such as `/fleet/N14228`, or under a name that
    /// it [registered](Self::register), such as `till`.
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

    /// Takes a name that no other living actor has, until
    /// [`unregister`](Self::unregister) or this actor's end; a restart keeps it. Others
    /// find it with [`lookup`](Self::lookup) once the turn has succeeded.
    ///
    /// # Errors
    /// [`NameError`] when the name is not to be had.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, NameError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.register("till")?;
    /// assert_eq!(ctx.node().registered(), ["till"]);
    /// assert_eq!(ctx.register("the till"), Err(NameError::BadName));
    /// # Ok::<(), NameError>(())
    /// ```
    pub fn register(&self, name: &str) -> Result<(), NameError> {
        self.node.register_self(name)
    }

    /// Gives a name back.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::Effect};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.unregister("till");
    /// assert_eq!(ctx.node().effects(), [Effect::Unregister("till".into())]);
    /// ```
    pub fn unregister(&self, name: &str) {
        self.node.unregister(name);
    }

    /// Joins a group (OTP's `pg`), until [`leave`](Self::leave) or this actor's end; a
    /// restart stays in it. Joining twice is joining once.
    ///
    /// # Errors
    /// [`NameError`], never `Taken`: a group belongs to nobody.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, NameError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.join("tills")?;
    /// assert_eq!(ctx.node().joined(), ["tills"]);
    /// # Ok::<(), NameError>(())
    /// ```
    pub fn join(&self, group: &str) -> Result<(), NameError> {
        self.node.join(group)
    }

    /// Leaves a group.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::Effect};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.leave("tills");
    /// assert_eq!(ctx.node().effects(), [Effect::Leave("tills".into())]);
    /// ```
    pub fn leave(&self, group: &str) {
        self.node.leave(group);
    }

    /// Sends a message to every member of a group but this actor, when the turn
    /// succeeds. Waits for nobody: a full mailbox refuses.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, SendError};
    /// # struct Any;
    /// let (quick, slow) = (ActorRef::from_raw(2), ActorRef::from_raw(3));
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().set_members("tills", &[quick, slow]);
    /// ctx.node().refuse(slow, SendError::Full);
    /// assert_eq!(ctx.publish("tills", "open").refused, 1);
    /// assert_eq!(ctx.node().publications::<String>(), [("tills".into(), "open".into())]);
    /// ```
    pub fn publish<M: Serialize + ?Sized>(&self, group: &str, message: &M) -> Published {
        self.node.publish(group, encode_own(message))
    }

    /// The living members of a group, in the order in which they joined.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().set_members("tills", &[ActorRef::from_raw(2)]);
    /// assert_eq!(ctx.members("tills"), [ActorRef::from_raw(2)]);
    /// ```
    pub fn members(&self, group: &str) -> Vec<ActorRef> {
        self.node.members(group)
    }
}
