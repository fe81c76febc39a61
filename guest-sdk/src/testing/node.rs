//! A node that records instead of acting.

use super::{Effect, Spawned};
use crate::{
    ActorRef, AskError, Context, DecodeError, Level, SendError, SpawnError, StopMode,
    codec::{decode, encode_own},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    rc::Rc,
};

/// The address of the actor under test.
///
/// ```
/// # use actorhost_sdk::{Context, testing::SELF_ID};
/// # struct Any;
/// let ctx: Context<Any> = Context::mock();
/// assert_eq!(ctx.id(), SELF_ID);
/// ```
pub const SELF_ID: ActorRef = ActorRef::from_raw(1);

#[derive(Default)]
pub(super) struct State {
    pub(super) effects: Vec<Effect>,
    /// How many of `effects` a crash can no longer undo.
    pub(super) released: usize,
    pub(super) replies: VecDeque<Result<Vec<u8>, AskError>>,
    pub(super) spawns: VecDeque<Result<ActorRef, SpawnError>>,
    pub(super) refusals: HashMap<ActorRef, SendError>,
    pub(super) names: HashMap<String, ActorRef>,
    pub(super) children: u64,
}

/// A node that records what the actor under test does, and answers as the test
/// says. Clones are the same node.
///
/// ```
/// use actorhost_sdk::{ActorRef, AskError, Context, testing::MockNode};
/// use std::time::Duration;
/// # struct Any;
///
/// let node = MockNode::new();
/// node.will_fail_ask(AskError::Timeout);
/// let ctx: Context<Any> = node.context();
/// let reply = ctx.ask::<_, u32>(ActorRef::from_raw(2), &(), Duration::from_millis(5));
/// assert_eq!(reply, Err(AskError::Timeout));
/// ```
#[derive(Clone, Default)]
pub struct MockNode(pub(super) Rc<RefCell<State>>);

impl MockNode {
    /// A node where nothing happened yet. It takes every message, gives each child
    /// a new address, knows no names, and lets every ask time out.
    ///
    /// ```
    /// # use actorhost_sdk::testing::MockNode;
    /// assert!(MockNode::new().effects().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// A context of this node, without a sender.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::MockNode};
    /// # struct Any;
    /// let ctx: Context<Any> = MockNode::new().context();
    /// assert_eq!(ctx.sender(), None);
    /// ```
    pub fn context<A>(&self) -> Context<A> {
        Context::new(self.clone(), None)
    }

    /// A context in which `sender` sent the message being handled.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, testing::MockNode};
    /// # struct Any;
    /// let friend = ActorRef::from_raw(2);
    /// let ctx: Context<Any> = MockNode::new().context_from(friend);
    /// assert_eq!(ctx.sender(), Some(friend));
    /// ```
    pub fn context_from<A>(&self, sender: ActorRef) -> Context<A> {
        Context::new(self.clone(), Some(sender))
    }

    /// The reply to the next ask that has none planned yet.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_reply("yes");
    /// let reply = ctx.ask::<_, String>(ctx.id(), "well?", std::time::Duration::ZERO);
    /// assert_eq!(reply, Ok("yes".to_owned()));
    /// ```
    pub fn will_reply<R: Serialize + ?Sized>(&self, reply: &R) {
        self.0.borrow_mut().replies.push_back(Ok(encode_own(reply)));
    }

    /// The next ask that has no reply planned yet fails.
    ///
    /// ```
    /// # use actorhost_sdk::{AskError, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_ask(AskError::Stopped);
    /// let reply = ctx.ask::<_, u8>(ctx.id(), "well?", std::time::Duration::ZERO);
    /// assert_eq!(reply, Err(AskError::Stopped));
    /// ```
    pub fn will_fail_ask(&self, error: AskError) {
        self.0.borrow_mut().replies.push_back(Err(error));
    }

    /// The outcome of the next spawn that has none planned yet.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, SpawnError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_spawn(Err(SpawnError::Quota));
    /// assert_eq!(ctx.spawn("counter", &(), None), Err(SpawnError::Quota));
    /// ```
    pub fn will_spawn(&self, outcome: Result<ActorRef, SpawnError>) {
        self.0.borrow_mut().spawns.push_back(outcome);
    }

    /// From now on, tells to this target are refused.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, SendError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().refuse(ctx.id(), SendError::Stopped);
    /// assert_eq!(ctx.tell(ctx.id(), "hello"), Err(SendError::Stopped));
    /// ```
    pub fn refuse(&self, target: ActorRef, error: SendError) {
        self.0.borrow_mut().refusals.insert(target, error);
    }

    /// From now on, a lookup of `path` finds `actor`.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().register("/bank", ctx.id());
    /// assert_eq!(ctx.lookup("/bank"), Some(ctx.id()));
    /// ```
    pub fn register(&self, path: &str, actor: ActorRef) {
        self.0.borrow_mut().names.insert(path.to_owned(), actor);
    }

    /// All that was done, in order.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, testing::Effect};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.flush();
    /// assert_eq!(ctx.node().effects(), [Effect::Flush]);
    /// ```
    pub fn effects(&self) -> Vec<Effect> {
        self.0.borrow().effects.clone()
    }

    /// Forgets what was done so far.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.flush();
    /// ctx.node().clear();
    /// assert!(ctx.node().effects().is_empty());
    /// ```
    pub fn clear(&self) {
        let mut state = self.0.borrow_mut();
        state.effects.clear();
        state.released = 0;
    }

    /// The messages sent and accepted.
    ///
    /// # Panics
    /// When one of them is not an `M`.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.tell(ctx.id(), &7_u8).expect("the mock takes all");
    /// assert_eq!(ctx.node().tells::<u8>(), [(ctx.id(), 7)]);
    /// ```
    pub fn tells<M: DeserializeOwned>(&self) -> Vec<(ActorRef, M)> {
        self.select(|effect| match effect {
            Effect::Tell { to, message } => Some((*to, decoded(message))),
            _ => None,
        })
    }

    /// The questions asked.
    ///
    /// # Panics
    /// When one of them is not an `M`.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_reply(&true);
    /// ctx.ask::<_, bool>(ctx.id(), &7_u8, std::time::Duration::ZERO).expect("as planned");
    /// assert_eq!(ctx.node().asks::<u8>(), [(ctx.id(), 7)]);
    /// ```
    pub fn asks<M: DeserializeOwned>(&self) -> Vec<(ActorRef, M)> {
        self.select(|effect| match effect {
            Effect::Ask { to, message, .. } => Some((*to, decoded(message))),
            _ => None,
        })
    }

    /// The children spawned.
    ///
    /// # Panics
    /// When the arguments of one of them are no `Args`.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.spawn("counter", &7_u8, Some("first")).expect("the mock spawns all");
    /// assert_eq!(ctx.node().spawns::<u8>()[0].name.as_deref(), Some("first"));
    /// ```
    pub fn spawns<Args: DeserializeOwned>(&self) -> Vec<Spawned<Args>> {
        self.select(|effect| match effect {
            Effect::Spawn {
                behaviour,
                args,
                name,
                id,
            } => Some(Spawned {
                behaviour: behaviour.clone(),
                args: decoded(args),
                name: name.clone(),
                id: *id,
            }),
            _ => None,
        })
    }

    /// The actors stopped.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, StopMode};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.stop_self();
    /// assert_eq!(ctx.node().stops(), [(ctx.id(), StopMode::Now)]);
    /// ```
    pub fn stops(&self) -> Vec<(ActorRef, StopMode)> {
        self.select(|effect| match effect {
            Effect::Stop { target, mode } => Some((*target, *mode)),
            _ => None,
        })
    }

    /// The actors watched.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.watch(ctx.id());
    /// assert_eq!(ctx.node().watches(), [ctx.id()]);
    /// ```
    pub fn watches(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Watch(target) => Some(*target),
            _ => None,
        })
    }

    /// The watches taken back.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.unwatch(ctx.id());
    /// assert_eq!(ctx.node().unwatches(), [ctx.id()]);
    /// ```
    pub fn unwatches(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Unwatch(target) => Some(*target),
            _ => None,
        })
    }

    /// The lines logged.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, Level};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.warn("low");
    /// assert_eq!(ctx.node().logs(), [(Level::Warn, "low".to_owned())]);
    /// ```
    pub fn logs(&self) -> Vec<(Level, String)> {
        self.select(|effect| match effect {
            Effect::Log { level, line } => Some((*level, line.clone())),
            _ => None,
        })
    }

    fn select<T>(&self, pick: impl FnMut(&Effect) -> Option<T>) -> Vec<T> {
        self.0.borrow().effects.iter().filter_map(pick).collect()
    }

    pub(super) fn record(&self, effect: Effect) {
        self.0.borrow_mut().effects.push(effect);
    }

    /// A turn succeeded, or asked for it: nothing done so far can be undone.
    pub(super) fn release(&self) {
        let mut state = self.0.borrow_mut();
        state.released = state.effects.len();
    }

    /// A turn crashed: what it still held never happened.
    pub(super) fn undo_held(&self) {
        let mut state = self.0.borrow_mut();
        let held = state.released;
        let mut at = 0;
        state.effects.retain(|effect| {
            at += 1;
            at <= held || matches!(effect, Effect::Log { .. })
        });
        state.released = state.effects.len();
    }
}

impl<A> Context<A> {
    /// The mock behind a context of a test.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert!(ctx.node().effects().is_empty());
    /// ```
    pub fn node(&self) -> &MockNode {
        self.mock_node()
    }
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> T {
    let value: Result<T, DecodeError> = decode(bytes);
    match value {
        Ok(value) => value,
        Err(error) => panic!("the actor sent {error}"),
    }
}
