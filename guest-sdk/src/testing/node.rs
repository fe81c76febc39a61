//! A node that records instead of acting.

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
pub const SELF_ID: ActorRef = ActorRef::from_raw(1);

/// The first address that the mock gives to a spawned child.
const FIRST_CHILD: u64 = 1_000;

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

#[derive(Default)]
struct State {
    effects: Vec<Effect>,
    /// How many of `effects` a crash can no longer undo.
    released: usize,
    replies: VecDeque<Result<Vec<u8>, AskError>>,
    spawns: VecDeque<Result<ActorRef, SpawnError>>,
    refusals: HashMap<ActorRef, SendError>,
    names: HashMap<String, ActorRef>,
    children: u64,
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
pub struct MockNode(Rc<RefCell<State>>);

impl MockNode {
    /// A node where nothing happened yet. It takes every message, gives each child
    /// a new address, knows no names, and lets every ask time out.
    pub fn new() -> Self {
        Self::default()
    }

    /// A context of this node, without a sender.
    pub fn context<A>(&self) -> Context<A> {
        Context::new(self.clone(), None)
    }

    /// A context in which `sender` sent the message being handled.
    pub fn context_from<A>(&self, sender: ActorRef) -> Context<A> {
        Context::new(self.clone(), Some(sender))
    }

    /// The reply to the next ask that has none planned yet.
    pub fn will_reply<R: Serialize + ?Sized>(&self, reply: &R) {
        self.0.borrow_mut().replies.push_back(Ok(encode_own(reply)));
    }

    /// The next ask that has no reply planned yet fails.
    pub fn will_fail_ask(&self, error: AskError) {
        self.0.borrow_mut().replies.push_back(Err(error));
    }

    /// The outcome of the next spawn that has none planned yet.
    pub fn will_spawn(&self, outcome: Result<ActorRef, SpawnError>) {
        self.0.borrow_mut().spawns.push_back(outcome);
    }

    /// From now on, tells to this target are refused.
    pub fn refuse(&self, target: ActorRef, error: SendError) {
        self.0.borrow_mut().refusals.insert(target, error);
    }

    /// From now on, a lookup of `path` finds `actor`.
    pub fn register(&self, path: &str, actor: ActorRef) {
        self.0.borrow_mut().names.insert(path.to_owned(), actor);
    }

    /// All that was done, in order.
    pub fn effects(&self) -> Vec<Effect> {
        self.0.borrow().effects.clone()
    }

    /// Forgets what was done so far.
    pub fn clear(&self) {
        let mut state = self.0.borrow_mut();
        state.effects.clear();
        state.released = 0;
    }

    /// The messages sent and accepted.
    ///
    /// # Panics
    /// When one of them is not an `M`.
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
    pub fn stops(&self) -> Vec<(ActorRef, StopMode)> {
        self.select(|effect| match effect {
            Effect::Stop { target, mode } => Some((*target, *mode)),
            _ => None,
        })
    }

    /// The actors watched.
    pub fn watches(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Watch(target) => Some(*target),
            _ => None,
        })
    }

    /// The watches taken back.
    pub fn unwatches(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Unwatch(target) => Some(*target),
            _ => None,
        })
    }

    /// The lines logged.
    pub fn logs(&self) -> Vec<(Level, String)> {
        self.select(|effect| match effect {
            Effect::Log { level, line } => Some((*level, line.clone())),
            _ => None,
        })
    }

    fn select<T>(&self, pick: impl FnMut(&Effect) -> Option<T>) -> Vec<T> {
        self.0.borrow().effects.iter().filter_map(pick).collect()
    }

    fn record(&self, effect: Effect) {
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

/// The calls of a [`Context`], as the component's imports have them.
impl MockNode {
    pub(crate) fn id(&self) -> ActorRef {
        SELF_ID
    }

    pub(crate) fn path(&self) -> String {
        "/under-test".to_owned()
    }

    pub(crate) fn tell(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        if let Some(&error) = self.0.borrow().refusals.get(&to) {
            return Err(error);
        }
        self.record(Effect::Tell { to, message });
        Ok(())
    }

    pub(crate) fn ask(
        &self,
        to: ActorRef,
        message: Vec<u8>,
        timeout_ms: u32,
    ) -> Result<Vec<u8>, AskError> {
        self.record(Effect::Ask {
            to,
            message,
            timeout_ms,
        });
        self.release();
        let planned = self.0.borrow_mut().replies.pop_front();
        planned.unwrap_or(Err(AskError::Timeout))
    }

    pub(crate) fn spawn(
        &self,
        behaviour: &str,
        args: Vec<u8>,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        let id = self.child()?;
        self.record(Effect::Spawn {
            behaviour: behaviour.to_owned(),
            args,
            name: name.map(str::to_owned),
            id,
        });
        Ok(id)
    }

    fn child(&self) -> Result<ActorRef, SpawnError> {
        let mut state = self.0.borrow_mut();
        if let Some(planned) = state.spawns.pop_front() {
            return planned;
        }
        state.children += 1;
        Ok(ActorRef::from_raw(FIRST_CHILD + state.children - 1))
    }

    pub(crate) fn stop(&self, target: ActorRef, mode: StopMode) {
        self.record(Effect::Stop { target, mode });
    }

    pub(crate) fn watch(&self, target: ActorRef) {
        self.record(Effect::Watch(target));
    }

    pub(crate) fn unwatch(&self, target: ActorRef) {
        self.record(Effect::Unwatch(target));
    }

    pub(crate) fn lookup(&self, path: &str) -> Option<ActorRef> {
        self.0.borrow().names.get(path).copied()
    }

    pub(crate) fn flush(&self) {
        self.record(Effect::Flush);
        self.release();
    }

    pub(crate) fn log(&self, level: Level, line: String) {
        self.record(Effect::Log { level, line });
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
