//! What an actor under test did.

use crate::{ActorRef, Level, StopMode};

/// One thing that the actor under test did, in the order it was done.
///
/// ```
/// # use actorhost_sdk::{Context, testing::{Effect, SELF_ID}};
/// # struct Any;
/// let ctx: Context<Any> = Context::mock();
/// ctx.watch(SELF_ID);
/// assert_eq!(ctx.node().effects(), [Effect::Watch(SELF_ID)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// A message sent.
    Tell {
        /// To whom.
        to: ActorRef,
        /// Postcard bytes.
        message: Vec<u8>,
    },
    /// A question asked.
    Ask {
        /// Of whom.
        to: ActorRef,
        /// Postcard bytes.
        message: Vec<u8>,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
    /// A child spawned.
    Spawn {
        /// From which behaviour.
        behaviour: String,
        /// Postcard bytes.
        args: Vec<u8>,
        /// None when the node is to make one up.
        name: Option<String>,
        /// The address handed out.
        id: ActorRef,
    },
    /// An actor stopped.
    Stop {
        /// Which one.
        target: ActorRef,
        /// How.
        mode: StopMode,
    },
    /// A watch.
    Watch(ActorRef),
    /// A watch taken back.
    Unwatch(ActorRef),
    /// The effects so far were released.
    Flush,
    /// A log line, which is never held back.
    Log {
        /// How bad.
        level: Level,
        /// The text.
        line: String,
    },
}

/// A child spawned, with its arguments decoded.
///
/// ```
/// # use actorhost_sdk::Context;
/// # struct Any;
/// let ctx: Context<Any> = Context::mock();
/// let child = ctx.spawn("counter", &5_u32, None).unwrap();
/// let spawned = &ctx.node().spawns::<u32>()[0];
/// assert_eq!((spawned.id, spawned.args), (child, 5));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawned<Args> {
    /// From which behaviour.
    pub behaviour: String,
    /// What it begins with.
    pub args: Args,
    /// None when the node is to make one up.
    pub name: Option<String>,
    /// The address handed out.
    pub id: ActorRef,
}
