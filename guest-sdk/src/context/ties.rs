//! Ties to the lives of other actors: watches, which tell, and links, which bind.

use super::Context;
use crate::{ActorRef, LinkError};

impl<A> Context<A> {
    /// Asks for exactly one [`Actor::down`](crate::Actor::down) when `target` ends,
    /// at once if it already has. Watching twice is watching once.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.watch(ActorRef::from_raw(2));
    /// assert_eq!(ctx.node().watches(), [ActorRef::from_raw(2)]);
    /// ```
    pub fn watch(&self, target: ActorRef) {
        self.node.watch(target);
    }

    /// Takes a watch back; no `down` of that target comes afterwards.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.unwatch(ActorRef::from_raw(2));
    /// assert_eq!(ctx.node().unwatches(), [ActorRef::from_raw(2)]);
    /// ```
    pub fn unwatch(&self, target: ActorRef) {
        self.node.unwatch(target);
    }

    /// Ties this actor's life to another's (OTP's links): when a life of one of the
    /// two ends other than by itself, so does the other's, unless it
    /// [traps exits](Self::trap_exit). Links belong to this life; linking twice is
    /// linking once.
    ///
    /// # Errors
    /// [`LinkError`] when there is nothing to be linked to, or no room.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, LinkError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.link(ActorRef::from_raw(2))?;
    /// assert_eq!(ctx.node().links(), [ActorRef::from_raw(2)]);
    /// assert_eq!(ctx.link(ctx.id()), Err(LinkError::Oneself));
    /// # Ok::<(), LinkError>(())
    /// ```
    pub fn link(&self, target: ActorRef) -> Result<(), LinkError> {
        self.node.link(target)
    }

    /// Takes a link back; the two lives are no longer tied.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.unlink(ActorRef::from_raw(2));
    /// assert_eq!(ctx.node().unlinks(), [ActorRef::from_raw(2)]);
    /// ```
    pub fn unlink(&self, target: ActorRef) {
        self.node.unlink(target);
    }

    /// Whether ends of linked actors come to [`Actor::exit`](crate::Actor::exit)
    /// instead of ending this actor (OTP's `trap_exit`). Belongs to this life; false
    /// at first.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing::TestActor};
    ///
    /// /// Stands by a worker and counts its ends.
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Partner { ends: u32 }
    ///
    /// #[actor]
    /// impl Actor for Partner {
    ///     type Args = ();
    ///     type Message = ActorRef;
    ///     type Reply = bool;
    ///
    ///     fn handle(&mut self, worker: ActorRef, ctx: &mut Context<Self>) -> bool {
    ///         ctx.trap_exit(true);
    ///         ctx.link(worker).is_ok()
    ///     }
    ///
    ///     fn exit(&mut self, _who: ActorRef, _reason: ExitReason, _ctx: &mut Context<Self>) {
    ///         self.ends += 1;
    ///     }
    /// }
    ///
    /// let worker = ActorRef::from_raw(2);
    /// let mut partner = TestActor::<Partner>::start(&()).unwrap();
    /// assert_eq!(partner.ask(&worker), Ok(true));
    /// partner.exit(worker, ExitReason::Killed).unwrap();
    /// assert_eq!(partner.state().ends, 1);
    /// ```
    pub fn trap_exit(&self, yes: bool) {
        self.node.trap_exit(yes);
    }
}
