//! Messages and questions to other actors, and the answering of questions later.

use super::{Context, millis};
use crate::{
    ActorRef, AskError, AskId, ReplyError, ReplyToken, SendError, codec, codec::encode_own,
};
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;

impl<A> Context<A> {
    /// Sends a message. Room in the target's mailbox is reserved at once, so that
    /// the result is true; the message leaves when the turn succeeds.
    ///
    /// # Errors
    /// [`SendError`] when the target takes no message. Nothing else happens.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, SendError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let busy = ActorRef::from_raw(2);
    /// ctx.node().refuse(busy, SendError::Full);
    /// assert_eq!(ctx.tell(busy, &1_u32), Err(SendError::Full));
    /// ```
    pub fn tell<M: Serialize + ?Sized>(&self, to: ActorRef, message: &M) -> Result<(), SendError> {
        self.node.tell(to, encode_own(message))
    }

    /// Sends a message and waits for its reply, at most for `timeout` (counted in
    /// whole milliseconds, rounded up). Releases the effects held so far. While it
    /// waits, this actor handles no other message.
    ///
    /// # Errors
    /// [`AskError`] says why there is no reply of type `R`.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, AskError, Context};
    /// # use std::time::Duration;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_reply(&12_u64);
    /// let reply = ctx.ask::<_, u64>(ActorRef::from_raw(2), "how many?", Duration::from_secs(1));
    /// assert_eq!(reply, Ok(12));
    /// ```
    pub fn ask<M: Serialize + ?Sized, R: DeserializeOwned>(
        &self,
        to: ActorRef,
        message: &M,
        timeout: Duration,
    ) -> Result<R, AskError> {
        let reply = self.node.ask(to, encode_own(message), millis(timeout))?;
        codec::decode(&reply).map_err(|error| AskError::BadReply(error.to_string()))
    }

    /// Sends a message whose reply comes later, to
    /// [`Actor::replied`](crate::Actor::replied), with the error
    /// [`AskError::Timeout`] after `timeout` (counted in whole milliseconds, rounded
    /// up). This actor goes on with other messages. The question leaves when the turn
    /// succeeds, and is forgotten when this life ends.
    ///
    /// # Errors
    /// [`SendError`] when the target takes no message, or too many questions are under
    /// way (`Full`); then no reply comes.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing::TestActor};
    ///
    /// /// Asks a shop for its price, and remembers the answer.
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Buyer { price: Option<u64>, gave_up: bool }
    ///
    /// #[actor]
    /// impl Actor for Buyer {
    ///     type Args = ();
    ///     type Message = ActorRef;
    ///     type Reply = ();
    ///
    ///     fn handle(&mut self, shop: ActorRef, ctx: &mut Context<Self>) {
    ///         if let Err(error) = ctx.ask_later(shop, "what price?", Duration::from_secs(5)) {
    ///             ctx.warn(format_args!("not asked: {error}"));
    ///         }
    ///     }
    ///
    ///     fn replied(&mut self, _ask: AskId, reply: LaterReply, _ctx: &mut Context<Self>) {
    ///         match reply.decode() {
    ///             Ok(price) => self.price = Some(price),
    ///             Err(_) => self.gave_up = true,
    ///         }
    ///     }
    /// }
    ///
    /// let mut buyer = TestActor::<Buyer>::start(&()).unwrap();
    /// buyer.tell(&ActorRef::from_raw(7)).unwrap();
    /// let asked = buyer.node().later_asks::<String>()[0].ask;
    /// buyer.replied(asked, Ok(250_u64)).unwrap();
    /// assert_eq!(buyer.state().price, Some(250));
    /// ```
    pub fn ask_later<M: Serialize + ?Sized>(
        &self,
        to: ActorRef,
        message: &M,
        timeout: Duration,
    ) -> Result<AskId, SendError> {
        let asked = self
            .node
            .ask_later(to, encode_own(message), millis(timeout));
        asked.map(AskId::from_raw)
    }

    /// Keeps the question being handled open beyond this turn, to be answered with
    /// [`reply`](Self::reply); what `handle` returns is then not used. None when
    /// nobody waits for a reply. When this life ends first, the asker hears of it.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing::TestActor};
    ///
    /// #[derive(Serialize, Deserialize, Schema)]
    /// enum Msg { Take, Put(u32) }
    ///
    /// /// A shelf on which those who take wait for those who put.
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Shelf { waiting: Vec<ReplyToken> }
    ///
    /// #[actor]
    /// impl Actor for Shelf {
    ///     type Args = ();
    ///     type Message = Msg;
    ///     type Reply = Option<u32>;
    ///
    ///     fn handle(&mut self, msg: Msg, ctx: &mut Context<Self>) -> Option<u32> {
    ///         match msg {
    ///             Msg::Take => self.waiting.extend(ctx.reply_later()),
    ///             Msg::Put(thing) => {
    ///                 // One who gave up leaves the thing to the next.
    ///                 while let Some(asker) = self.waiting.pop() {
    ///                     if ctx.reply(asker, &Some(thing)).is_ok() {
    ///                         break;
    ///                     }
    ///                 }
    ///             }
    ///         }
    ///         None
    ///     }
    /// }
    ///
    /// let mut shelf = TestActor::<Shelf>::start(&()).unwrap();
    /// shelf.ask(&Msg::Take).unwrap();
    /// shelf.tell(&Msg::Put(9)).unwrap();
    /// assert_eq!(shelf.node().replies::<Option<u32>>(), [Some(9)]);
    /// ```
    pub fn reply_later(&self) -> Option<ReplyToken> {
        self.node.reply_later().map(ReplyToken::new)
    }

    /// Answers a question that was kept open with
    /// [`reply_later`](Self::reply_later); its example shows it. The reply leaves when
    /// the turn succeeds.
    ///
    /// # Errors
    /// [`ReplyError`] when nobody waits for it.
    ///
    /// # Panics
    /// When the reply's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, ReplyError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().wants_reply(true);
    /// let token = ctx.reply_later().expect("somebody waits");
    /// assert_eq!(ctx.reply(token.clone(), "yes"), Ok(()));
    /// assert_eq!(ctx.reply(token, "yes again"), Err(ReplyError::UnknownToken));
    /// ```
    pub fn reply<R: Serialize + ?Sized>(
        &self,
        token: ReplyToken,
        reply: &R,
    ) -> Result<(), ReplyError> {
        self.node.reply(token.raw(), encode_own(reply))
    }

    /// Hands a message to another actor in the name of the sender of the one being
    /// handled (Akka's `forward`). If somebody waits for a reply, it is for that actor
    /// to give, and what `handle` returns is not used.
    ///
    /// # Errors
    /// [`SendError`] when the target takes no message; the question is then still this
    /// actor's to answer.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let worker = ActorRef::from_raw(2);
    /// ctx.forward(worker, "do it")?;
    /// assert_eq!(ctx.node().forwards::<String>(), [(worker, "do it".to_owned())]);
    /// # Ok::<(), actorhost_sdk::SendError>(())
    /// ```
    pub fn forward<M: Serialize + ?Sized>(
        &self,
        to: ActorRef,
        message: &M,
    ) -> Result<(), SendError> {
        self.node.forward(to, encode_own(message))
    }
}
