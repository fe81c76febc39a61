//! An actor driven turn by turn, as a node would.

use super::MockNode;
use crate::{
    ActorRef, Behaviour, ExitReason, Life,
    codec::{decode, encode_own},
};
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

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

    /// Handles a message somebody waits on.
    ///
    /// # Errors
    /// [`Crash`] when the handler panics.
    pub fn ask(&mut self, message: &A::Message) -> Result<A::Reply, Crash> {
        let reply = self.handle(message, true, None)?;
        let reply = reply.expect("a reply was wanted");
        Ok(decode(&reply).expect("a reply reads back as it was written"))
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
        self.turn(|life, node| life.down(who, reason, node))
    }

    /// Ends the life in order.
    ///
    /// # Errors
    /// [`Crash`] when [`Actor::stopping`](crate::Actor::stopping) panics.
    pub fn stop(mut self, reason: &ExitReason) -> Result<(), Crash> {
        self.turn(|life, node| life.stopping(reason, node))
    }

    /// A new life from the arguments, as the directive `restart` gives.
    ///
    /// # Panics
    /// When [`Actor::init`](crate::Actor::init) fails.
    pub fn restart(&mut self) {
        let mut life = Life::unbegun();
        life.init(&self.args, self.node.clone())
            .expect("init succeeds as it did before");
        self.node.release();
        self.life = Some(life);
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
        let message = encode_own(message);
        self.turn(|life, node| {
            life.handle(&message, wants_reply, sender, node)
                .expect("a message reads back as it was written")
        })
    }

    fn turn<R>(&mut self, act: impl FnOnce(&mut Life<A>, MockNode) -> R) -> Result<R, Crash> {
        let node = self.node.clone();
        let life = self.life();
        let before = life.save().ok();
        // A life that panicked is dropped, so that nobody sees it half changed.
        let outcome = catch_unwind(AssertUnwindSafe(|| act(life, node)));
        self.before = before;
        match outcome {
            Ok(value) => {
                self.node.release();
                Ok(value)
            }
            Err(panic) => {
                self.node.undo_held();
                self.life = None;
                Err(Crash {
                    message: panic_text(&*panic),
                })
            }
        }
    }

    fn life(&mut self) -> &mut Life<A> {
        self.life
            .as_mut()
            .expect("after a crash, `restart` or `resume` comes first")
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a value that is no text".to_owned(),
    }
}
