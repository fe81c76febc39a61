//! Tests of a behaviour without a node, on native targets: a context that records
//! what the actor does ([`Context::mock`], [`MockNode`]), and an actor that is
//! driven turn by turn through the same bytes as in a component ([`TestActor`]).

mod effect;
mod imports;
mod node;
mod test_actor;

pub use effect::{AskedLater, Effect, SetTimer, Spawned};
pub use node::{MockNode, SELF_ID};
pub use test_actor::{Crash, TestActor};

use crate::{Actor, Behaviour, Context, InitError};

/// An actor of texts that does nothing, for the examples of this documentation.
#[doc(hidden)]
#[derive(Debug)]
pub struct Texts;

impl Actor for Texts {
    type Args = ();
    type Message = String;
    type Reply = ();

    fn init((): (), _ctx: &mut Context<Self>) -> Result<Self, InitError> {
        Ok(Self)
    }

    fn handle(&mut self, _text: String, _ctx: &mut Context<Self>) {}
}

impl<A> Context<A> {
    /// A context for tests: it does nothing and records everything, in a
    /// [`MockNode`] of its own.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert_eq!(ctx.sender(), None);
    /// ```
    pub fn mock() -> Self {
        MockNode::new().context()
    }
}

/// The bytes that the node would keep of this actor.
///
/// # Errors
/// A text, when the state can't be written.
///
/// ```
/// use actorhost_sdk::{prelude::*, testing};
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Total(u32);
///
/// #[actor]
/// impl Actor for Total {
///     type Args = ();
///     type Message = u32;
///     type Reply = ();
///
///     fn handle(&mut self, n: u32, _ctx: &mut Context<Self>) {
///         self.0 += n;
///     }
/// }
///
/// let bytes = testing::save(&Total(5)).unwrap();
/// assert_eq!(testing::load::<Total>(&bytes, 1).unwrap().0, 5);
/// ```
pub fn save<A: Behaviour>(actor: &A) -> Result<Vec<u8>, String> {
    actor.save()
}

/// The actor that the node would make from saved bytes, by way of
/// [`Actor::migrate`] when they are of another
/// `state_version`. See [`save`] for an example.
///
/// # Errors
/// A text that says why the state is refused.
pub fn load<A: Behaviour>(state: &[u8], from_version: u32) -> Result<A, String> {
    A::load(state, from_version)
}
