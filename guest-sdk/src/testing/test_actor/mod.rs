//! An actor driven turn by turn, as a node would.

mod turns;

use super::{MockNode, SELF_ID, node::Due};
use crate::{
    ActorRef, AskError, AskId, Behaviour, ExitReason, LaterReply, Life,
    codec::{decode, encode_own},
};
use serde::Serialize;
use std::{collections::VecDeque, fmt, mem, time::Duration};
use turns::Letter;

/// A turn that panicked. What it held was undone.
///
/// ```
/// # use actorhost_sdk::testing::Crash;
/// let crash = Crash { message: "no disk".into() };
/// assert_eq!(crash.to_string(), "crashed: no disk");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// The panic's text.
    pub message: String,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "crashed: {}", self.message)
    }
}

impl std::error::Error for Crash {}

/// An actor under test with its node: messages reach it as bytes, turns are atomic,
/// and a crash is a value. After a crash, the test says as its supervisor how it
/// goes on: [`restart`](Self::restart) or [`resume`](Self::resume).
///
/// ```
/// use actorhost_sdk::{prelude::*, testing::TestActor};
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Total(u8);
///
/// #[actor]
/// impl Actor for Total {
///     type Args = ();
///     type Message = u8;
///     type Reply = u8;
///
///     fn handle(&mut self, n: u8, ctx: &mut Context<Self>) -> u8 {
///         ctx.tell(ActorRef::from_raw(9), &n).expect("the mock takes all");
///         self.0 = self.0.checked_add(n).expect("room for the total");
///         self.0
///     }
/// }
///
/// let mut total = TestActor::<Total>::start(&()).unwrap();
/// assert_eq!(total.ask(&200), Ok(200));
///
/// let crash = total.ask(&100).unwrap_err();
/// assert!(crash.message.contains("room for the total"));
/// assert_eq!(total.node().tells::<u8>().len(), 1, "the second tell was undone");
///
/// total.resume();
/// assert_eq!(total.ask(&1), Ok(201));
/// ```
///
/// The ends of others, and its own:
///
/// ```
/// use actorhost_sdk::{prelude::*, testing::{MockNode, TestActor}};
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Guard { ends: u32 }
///
/// #[actor]
/// impl Actor for Guard {
///     type Args = ();
///     type Message = ActorRef;
///     type Reply = ();
///
///     fn handle(&mut self, whom: ActorRef, ctx: &mut Context<Self>) {
///         ctx.watch(ctx.sender().unwrap_or(whom));
///     }
///
///     fn down(&mut self, _who: ActorRef, reason: ExitReason, _ctx: &mut Context<Self>) {
///         assert_ne!(reason, ExitReason::Killed, "nobody kills my friends");
///         self.ends += 1;
///     }
///
///     fn stopping(&mut self, reason: &ExitReason, ctx: &mut Context<Self>) {
///         ctx.info(reason);
///     }
/// }
///
/// let (node, friend) = (MockNode::new(), ActorRef::from_raw(2));
/// let mut guard = TestActor::<Guard>::start_on(node.clone(), &()).unwrap();
/// guard.tell(&friend).unwrap();
/// guard.tell_from(ActorRef::from_raw(3), &friend).unwrap();
/// assert_eq!(node.watches(), [friend, ActorRef::from_raw(3)]);
///
/// guard.down(friend, ExitReason::Normal).unwrap();
/// assert_eq!(guard.state().ends, 1);
/// guard.down(friend, ExitReason::Killed).unwrap_err();
/// guard.restart();
/// assert_eq!(guard.state().ends, 0);
///
/// guard.stop(&ExitReason::Shutdown).unwrap();
/// assert_eq!(node.logs()[0].1, "shutdown");
/// ```
pub struct TestActor<A: Behaviour> {
    /// None between a crash and what the test does about it.
    life: Option<Life<A>>,
    node: MockNode,
    args: Vec<u8>,
    /// The state before the last turn, where it can be saved.
    before: Option<Vec<u8>>,
    stash: VecDeque<Letter>,
    /// Messages that came back from the stash and are not handled yet.
    back: VecDeque<Letter>,
    answers: Vec<A::Reply>,
}

impl<A: Behaviour> TestActor<A> {
    /// Begins a life on a node of its own.
    ///
    /// # Errors
    /// What [`Actor::init`](crate::Actor::init) said.
    pub fn start(args: &A::Args) -> Result<Self, String> {
        Self::start_on(MockNode::new(), args)
    }

    /// Begins a life on a node that the test has prepared.
    ///
    /// # Errors
    /// What [`Actor::init`](crate::Actor::init) said.
    pub fn start_on(node: MockNode, args: &A::Args) -> Result<Self, String> {
        let args = encode_own(args);
        let mut life = Life::unbegun();
        life.init(&args, node.clone())?;
        node.release();
        Ok(Self {
            life: Some(life),
            node,
            args,
            before: None,
            stash: VecDeque::new(),
            back: VecDeque::new(),
            answers: Vec::new(),
        })
    }

    /// What the actor did, and how the world answers it.
    pub fn node(&self) -> &MockNode {
        &self.node
    }

    /// The actor itself.
    ///
    /// # Panics
    /// Between a crash and `restart` or `resume`.
    pub fn state(&mut self) -> &A {
        self.life().begun()
    }

    /// Handles a message somebody waits on. What `handle` returned is the reply here
    /// even where the turn stashed or forwarded the question or kept it open; the node
    /// would not use it then.
    ///
    /// # Errors
    /// [`Crash`] when the handler panics.
    pub fn ask(&mut self, message: &A::Message) -> Result<A::Reply, Crash> {
        let reply = self.handle(message, true, None)?;
        Ok(read(&reply.expect("a reply was wanted")))
    }

    /// Handles a message from the outside that nobody waits on.
    ///
    /// # Errors
    /// [`Crash`] when the handler panics.
    pub fn tell(&mut self, message: &A::Message) -> Result<(), Crash> {
        self.handle(message, false, None).map(drop)
    }

    /// Handles a message from another actor that nobody waits on.
    ///
    /// # Errors
    /// [`Crash`] when the handler panics.
    pub fn tell_from(&mut self, sender: ActorRef, message: &A::Message) -> Result<(), Crash> {
        self.handle(message, false, Some(sender)).map(drop)
    }

    /// Hears the end of a watched actor.
    ///
    /// # Errors
    /// [`Crash`] when [`Actor::down`](crate::Actor::down) panics.
    pub fn down(&mut self, who: ActorRef, reason: ExitReason) -> Result<(), Crash> {
        self.notice(|life, node| life.down(who, reason, node))
    }

    /// Hears that the life of a linked actor ended, as one who
    /// [traps exits](crate::Context::trap_exit).
    ///
    /// # Errors
    /// [`Crash`] when [`Actor::exit`](crate::Actor::exit) panics.
    pub fn exit(&mut self, who: ActorRef, reason: ExitReason) -> Result<(), Crash> {
        self.notice(|life, node| life.exit(who, reason, node))
    }

    /// Hears what came of a question that it
    /// [asked for later](crate::Context::ask_later).
    ///
    /// # Errors
    /// [`Crash`] when [`Actor::replied`](crate::Actor::replied) panics.
    ///
    /// # Panics
    /// When no such question is under way.
    pub fn replied<R: Serialize>(
        &mut self,
        ask: AskId,
        outcome: Result<R, AskError>,
    ) -> Result<(), Crash> {
        assert!(self.node.end_ask(ask), "{ask:?} is not under way");
        let reply = LaterReply::new(outcome.map(|reply| encode_own(&reply)));
        self.notice(|life, node| life.replied(ask, reply, node))
    }

    /// Lets time go by: timers send their messages, and questions asked for later that
    /// have no answer time out, each at its time. Returns how many of them did.
    ///
    /// # Errors
    /// [`Crash`] when a handler panics; time then stands where it did.
    pub fn advance(&mut self, by: Duration) -> Result<u32, Crash> {
        let by_ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        let until_ms = self.node.now_ms().saturating_add(by_ms);
        let mut count = 0;
        while let Some(due) = self.node.next_due(until_ms) {
            count += 1;
            match due {
                Due::Message(message) => {
                    self.deliver(Letter {
                        message,
                        wants_reply: false,
                        sender: Some(SELF_ID),
                    })?;
                }
                Due::Timeout(ask) => {
                    let reply = LaterReply::new(Err(AskError::Timeout));
                    self.notice(|life, node| life.replied(ask, reply, node))?;
                }
            }
        }
        Ok(count)
    }

    /// How many messages are stashed.
    pub fn stashed(&self) -> usize {
        self.stash.len()
    }

    /// Replies to asks that came back from the stash, since the last call.
    pub fn answers(&mut self) -> Vec<A::Reply> {
        mem::take(&mut self.answers)
    }

    /// Ends the life in order.
    ///
    /// # Errors
    /// [`Crash`] when [`Actor::stopping`](crate::Actor::stopping) panics.
    pub fn stop(mut self, reason: &ExitReason) -> Result<(), Crash> {
        self.notice(|life, node| life.stopping(reason, node))
    }

    /// A new life from the arguments, as the directive `restart` gives. What was
    /// stashed is handled before the next message.
    ///
    /// # Panics
    /// When [`Actor::init`](crate::Actor::init) fails.
    pub fn restart(&mut self) {
        let mut life = Life::unbegun();
        life.init(&self.args, self.node.clone())
            .expect("init succeeds as it did before");
        self.node.release();
        self.life = Some(life);
        self.bring_back();
    }

    /// A new life with the state before the last turn, as the directive `resume`
    /// gives.
    ///
    /// # Panics
    /// When the behaviour can't be saved, or there was no turn yet.
    pub fn resume(&mut self) {
        let state = self.before.take().expect("a turn saved its state before");
        let mut life = Life::unbegun();
        life.load(&state, A::STATE_VERSION)
            .expect("a saved state loads");
        self.life = Some(life);
    }

    fn handle(
        &mut self,
        message: &A::Message,
        wants_reply: bool,
        sender: Option<ActorRef>,
    ) -> Result<Option<Vec<u8>>, Crash> {
        self.deliver(Letter {
            message: encode_own(message),
            wants_reply,
            sender,
        })
    }

    fn life(&mut self) -> &mut Life<A> {
        self.life
            .as_mut()
            .expect("after a crash, `restart` or `resume` comes first")
    }
}

fn read<R: serde::de::DeserializeOwned>(reply: &[u8]) -> R {
    decode(reply).expect("a reply reads back as it was written")
}
