//! Messages put aside for later.

use super::Context;
use crate::StashError;

impl<A> Context<A> {
    /// Puts the message being handled aside until [`unstash_all`](Self::unstash_all)
    /// (Akka's stash), when the turn succeeds; what `handle` returns is then not used.
    /// The stash keeps order and counts towards the mailbox's capacity. A restart
    /// brings its messages back before newer ones.
    ///
    /// # Errors
    /// [`StashError`] when there is nothing to put aside or no room; the message is
    /// then handled as ever.
    ///
    /// ```
    /// use actorhost_sdk::{prelude::*, testing::TestActor};
    ///
    /// #[derive(Serialize, Deserialize, Schema)]
    /// enum Msg { Open, Sell(u32) }
    ///
    /// /// Sells nothing before it opens, but forgets nobody.
    /// #[derive(Default, Serialize, Deserialize, Schema)]
    /// struct Shop { open: bool, sold: Vec<u32> }
    ///
    /// #[actor]
    /// impl Actor for Shop {
    ///     type Args = ();
    ///     type Message = Msg;
    ///     type Reply = Result<(), String>;
    ///
    ///     fn handle(&mut self, msg: Msg, ctx: &mut Context<Self>) -> Result<(), String> {
    ///         match msg {
    ///             Msg::Open => {
    ///                 self.open = true;
    ///                 ctx.unstash_all();
    ///             }
    ///             Msg::Sell(_) if !self.open => {
    ///                 return ctx.stash().map_err(|error| error.to_string());
    ///             }
    ///             Msg::Sell(thing) => self.sold.push(thing),
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut shop = TestActor::<Shop>::start(&()).unwrap();
    /// shop.tell(&Msg::Sell(1)).unwrap();
    /// shop.tell(&Msg::Sell(2)).unwrap();
    /// assert_eq!((shop.stashed(), shop.state().sold.len()), (2, 0));
    /// shop.tell(&Msg::Open).unwrap();
    /// assert_eq!(shop.state().sold, [1, 2]);
    /// ```
    pub fn stash(&self) -> Result<(), StashError> {
        self.node.stash()
    }

    /// Brings the messages that earlier turns stashed back, before newer ones, when the
    /// turn succeeds. Returns how many. One that this turn stashes stays.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert_eq!(ctx.unstash_all(), 0);
    /// ```
    pub fn unstash_all(&self) -> u32 {
        self.node.unstash_all()
    }
}
