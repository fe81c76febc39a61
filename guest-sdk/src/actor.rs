//! What a behaviour is made of.

use crate::{ActorRef, AskId, Context, ExitReason, InitError, LaterReply, Schema};
use postcard_schema::schema::NamedType;
use serde::{Serialize, de::DeserializeOwned};

/// What an actor of this kind does. Implemented under the attribute
/// [`macro@crate::actor`], which makes it a deployable component.
///
/// ```
/// use actorhost_sdk::prelude::*;
///
/// #[derive(Serialize, Deserialize, Schema)]
/// struct Limit { most: u32 }
///
/// #[derive(Serialize, Deserialize, Schema)]
/// struct Counter { most: u32, count: u32 }
///
/// #[actor]
/// impl Actor for Counter {
///     type Args = Limit;
///     type Message = u32;
///     type Reply = u32;
///
///     fn init(args: Limit, _ctx: &mut Context<Self>) -> Result<Self, InitError> {
///         if args.most == 0 {
///             return Err("`most` must be at least 1".into());
///         }
///         Ok(Self { most: args.most, count: 0 })
///     }
///
///     fn handle(&mut self, more: u32, ctx: &mut Context<Self>) -> u32 {
///         self.count = self.most.min(self.count + more);
///         if self.count == self.most {
///             ctx.stop_self();
///         }
///         self.count
///     }
/// }
/// ```
pub trait Actor: Sized + 'static {
    /// What a life begins with.
    type Args: Serialize + DeserializeOwned + Schema;
    /// What it is sent.
    type Message: Serialize + DeserializeOwned + Schema;
    /// What it answers. Of a message nobody waits on, the reply is let go.
    type Reply: Serialize + DeserializeOwned + Schema;

    /// Begins a life. Left out under [`macro@crate::actor`], it is
    /// `Default::default()`.
    ///
    /// # Errors
    /// Any [`InitError`] is a failed start and goes to the supervisor.
    fn init(args: Self::Args, ctx: &mut Context<Self>) -> Result<Self, InitError>;

    /// Handles one message: a turn. A panic ends this life and undoes the turn.
    fn handle(&mut self, message: Self::Message, ctx: &mut Context<Self>) -> Self::Reply;

    /// Hears that a watched actor's life ended. Does nothing by default.
    fn down(&mut self, who: ActorRef, reason: ExitReason, ctx: &mut Context<Self>) {
        let _ = (who, reason, ctx);
    }

    /// Hears that the life of a linked actor ended, once this one
    /// [traps exits](Context::trap_exit); its example shows it. Does nothing by
    /// default.
    fn exit(&mut self, who: ActorRef, reason: ExitReason, ctx: &mut Context<Self>) {
        let _ = (who, reason, ctx);
    }

    /// Hears what came of a question that it [asked for later](Context::ask_later);
    /// its example shows it. Does nothing by default.
    fn replied(&mut self, ask: AskId, reply: LaterReply, ctx: &mut Context<Self>) {
        let _ = (ask, reply, ctx);
    }

    /// The last call of a life that is drained, stopped now or stops itself. Does
    /// nothing by default.
    fn stopping(&mut self, reason: &ExitReason, ctx: &mut Context<Self>) {
        let _ = (reason, ctx);
    }

    /// Makes this state from one that another `state_version` saved, say with
    /// [`decode`](crate::decode) of the old state's type. Refuses by default.
    ///
    /// # Errors
    /// A text that says why; the actor then stays as it was.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing};
    ///
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Tally { count: u64, highest: u64 }
    ///
    /// #[actor(state_version = 2)]
    /// impl Actor for Tally {
    ///     type Args = ();
    ///     type Message = u64;
    ///     type Reply = u64;
    ///
    ///     fn handle(&mut self, n: u64, _ctx: &mut Context<Self>) -> u64 {
    ///         self.highest = self.highest.max(n);
    ///         self.count += n;
    ///         self.count
    ///     }
    ///
    ///     fn migrate(from_version: u32, bytes: &[u8]) -> Result<Self, String> {
    ///         match from_version {
    ///             1 => Ok(Self { count: actorhost_sdk::decode(bytes)?, highest: 0 }),
    ///             other => Err(format!("state version {other} is not known")),
    ///         }
    ///     }
    /// }
    ///
    /// let old = actorhost_sdk::encode(&12_u64).unwrap();
    /// assert_eq!(testing::load::<Tally>(&old, 1).unwrap().count, 12);
    /// assert!(testing::load::<Tally>(&old, 9).is_err());
    /// ```
    fn migrate(from_version: u32, bytes: &[u8]) -> Result<Self, String> {
        let _ = bytes;
        Err(format!(
            "state version {from_version} cannot be read: this behaviour has no `migrate`"
        ))
    }
}

/// What the node has to know of an [`Actor`] besides its code. Written by
/// [`macro@crate::actor`].
///
/// ```
/// use actorhost_sdk::{Behaviour, prelude::*};
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Echo;
///
/// #[actor(name = "echo", state_version = 3)]
/// impl Actor for Echo {
///     type Args = ();
///     type Message = String;
///     type Reply = String;
///
///     fn handle(&mut self, text: String, _ctx: &mut Context<Self>) -> String {
///         text
///     }
/// }
///
/// assert_eq!(Echo::NAME, "echo");
/// assert_eq!(Echo::STATE_VERSION, 3);
/// ```
pub trait Behaviour: Actor {
    /// The name it is deployed under unless told otherwise.
    const NAME: &'static str;
    /// Its crate's version.
    const VERSION: &'static str;
    /// The version of the state that [`save`](Self::save) writes.
    const STATE_VERSION: u32;
    /// Whether it can be saved and loaded. An actor that can't stays in memory and
    /// can't be swapped.
    const CAN_SAVE: bool;

    /// The state's schema; none without `save`.
    fn state_schema() -> Option<&'static NamedType>;

    /// The state as bytes.
    ///
    /// # Errors
    /// A text, when the state can't be written.
    fn save(&self) -> Result<Vec<u8>, String>;

    /// The actor from saved bytes, through [`Actor::migrate`] when `from_version`
    /// is another than [`STATE_VERSION`](Self::STATE_VERSION).
    ///
    /// # Errors
    /// A text that says why the bytes are refused.
    fn load(state: &[u8], from_version: u32) -> Result<Self, String>;
}
