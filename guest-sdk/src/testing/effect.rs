//! What an actor under test did.

use crate::{ActorRef, AskId, Level, RestartType, StopMode, TimerId};

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
    /// A question asked whose answer comes later.
    AskLater {
        /// Of whom.
        to: ActorRef,
        /// Postcard bytes.
        message: Vec<u8>,
        /// How long it waits, in milliseconds.
        timeout_ms: u32,
        /// What was handed out.
        ask: AskId,
    },
    /// The question being handled was kept open.
    ReplyLater,
    /// A question that was kept open was answered.
    Reply {
        /// Postcard bytes.
        reply: Vec<u8>,
    },
    /// A message handed on in its sender's name.
    Forward {
        /// To whom.
        to: ActorRef,
        /// Postcard bytes.
        message: Vec<u8>,
    },
    /// A timer set.
    SetTimer {
        /// What was handed out.
        timer: TimerId,
        /// None for one without a key.
        key: Option<String>,
        /// Postcard bytes.
        message: Vec<u8>,
        /// Until the first message, in milliseconds.
        after_ms: u64,
        /// From message to message, in milliseconds; none for one alone.
        every_ms: Option<u64>,
    },
    /// A timer taken back.
    CancelTimer(TimerId),
    /// A timer taken back by its key.
    CancelTimerKey(String),
    /// The message being handled was put aside.
    Stash,
    /// The messages put aside were brought back.
    UnstashAll,
    /// A link.
    Link(ActorRef),
    /// A link taken back.
    Unlink(ActorRef),
    /// Whether exits are trapped from now on.
    TrapExit(bool),
    /// A name taken.
    Register(String),
    /// A name given back.
    Unregister(String),
    /// A group joined.
    Join(String),
    /// A group left.
    Leave(String),
    /// A message to a group.
    Publish {
        /// Which one.
        group: String,
        /// Postcard bytes.
        message: Vec<u8>,
    },
    /// A child added to a supervisor.
    StartChild {
        /// The supervisor's path.
        supervisor: String,
        /// The child's id.
        id: String,
        /// Its behaviour.
        behaviour: String,
        /// Postcard bytes.
        args: Vec<u8>,
        /// When it is started again.
        restart: RestartType,
        /// Whether its end counts for the automatic shutdown.
        significant: bool,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
    /// A supervisor's child stopped.
    TerminateChild {
        /// The supervisor's path.
        supervisor: String,
        /// The child's id.
        id: String,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
    /// A terminated child started again.
    RestartChild {
        /// The supervisor's path.
        supervisor: String,
        /// The child's id.
        id: String,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
    /// A child's spec forgotten.
    DeleteChild {
        /// The supervisor's path.
        supervisor: String,
        /// The child's id.
        id: String,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
    /// A supervisor's children counted.
    CountChildren {
        /// The supervisor's path.
        supervisor: String,
        /// How long it would have waited, in milliseconds.
        timeout_ms: u32,
    },
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

/// A question asked for later, with its message decoded.
/// [`Context::ask_later`](crate::Context::ask_later) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedLater<M> {
    /// What was handed out.
    pub ask: AskId,
    /// Of whom.
    pub to: ActorRef,
    /// What.
    pub message: M,
    /// How long it waits, in milliseconds.
    pub timeout_ms: u32,
}

/// A timer that is set, with its message decoded.
/// [`Context::set_timer`](crate::Context::set_timer) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetTimer<M> {
    /// What was handed out.
    pub timer: TimerId,
    /// None for one without a key.
    pub key: Option<String>,
    /// What it sends.
    pub message: M,
    /// Until the next message from now, in milliseconds.
    pub after_ms: u64,
    /// From message to message, in milliseconds; none for one alone.
    pub every_ms: Option<u64>,
}
