//! A node that records instead of acting.

mod planned;
mod seen;
mod turns;

pub(super) use planned::Planned;
pub(super) use turns::{Due, Handling, LifeOnly, Timer};

use super::Effect;
use crate::{ActorRef, Context};
use std::{
    cell::{RefCell, RefMut},
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
    /// How the world answers.
    pub(super) planned: Planned,
    /// What the actor handles now.
    pub(super) handling: Handling,
    /// What ends with the actor's life, and how it was before this turn.
    pub(super) life: LifeOnly,
    pub(super) life_before: LifeOnly,
    /// Messages stashed by turns that succeeded, as the test's actor counts them.
    pub(super) stashed: u32,
    /// Milliseconds of virtual time.
    pub(super) now_ms: u64,
    /// Numbers handed out so far, to children, timers, questions and tokens.
    pub(super) handed_out: u64,
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

    /// Forgets what was done so far. Timers that are set stay so.
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
        state.handling = Handling::default();
    }

    pub(super) fn record(&self, effect: Effect) {
        self.state().effects.push(effect);
    }

    pub(super) fn state(&self) -> RefMut<'_, State> {
        self.0.borrow_mut()
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
