//! How the world answers the actor under test.

use super::MockNode;
use crate::{
    ActorRef, AskError, ChildCounts, ChildError, LinkError, NameError, ReplyToken, SendError,
    SpawnError, StashError, TimerError, codec::encode_own,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};

/// Answers by kind. The queues hold what the next calls get.
#[derive(Default)]
pub(in crate::testing) struct Planned {
    pub(in crate::testing) replies: VecDeque<Result<Vec<u8>, AskError>>,
    pub(in crate::testing) spawns: VecDeque<Result<ActorRef, SpawnError>>,
    pub(in crate::testing) refusals: HashMap<ActorRef, SendError>,
    pub(in crate::testing) names: HashMap<String, ActorRef>,
    pub(in crate::testing) groups: HashMap<String, Vec<ActorRef>>,
    pub(in crate::testing) late: HashSet<u64>,
    pub(in crate::testing) timers: VecDeque<TimerError>,
    pub(in crate::testing) stash: VecDeque<StashError>,
    pub(in crate::testing) links: VecDeque<LinkError>,
    pub(in crate::testing) registrations: VecDeque<NameError>,
    pub(in crate::testing) children: VecDeque<ChildError>,
    pub(in crate::testing) counts: VecDeque<ChildCounts>,
}

impl MockNode {
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
        self.state()
            .planned
            .replies
            .push_back(Ok(encode_own(reply)));
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
        self.state().planned.replies.push_back(Err(error));
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
        self.state().planned.spawns.push_back(outcome);
    }

    /// From now on, messages to this target are refused: told, forwarded, published,
    /// or asked for later.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, SendError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().refuse(ctx.id(), SendError::Stopped);
    /// assert_eq!(ctx.tell(ctx.id(), "hello"), Err(SendError::Stopped));
    /// ```
    pub fn refuse(&self, target: ActorRef, error: SendError) {
        self.state().planned.refusals.insert(target, error);
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
        self.state().planned.names.insert(path.to_owned(), actor);
    }

    /// Whether somebody waits for the reply to the message being handled, for tests
    /// that call a handler themselves; false at first.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// assert_eq!(ctx.reply_later(), None);
    /// ctx.node().wants_reply(true);
    /// assert!(ctx.reply_later().is_some());
    /// ```
    pub fn wants_reply(&self, yes: bool) {
        self.state().handling.wants_reply = yes;
    }

    /// From now on, whoever asked this question no longer waits for its answer.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, ReplyError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().wants_reply(true);
    /// let token = ctx.reply_later().expect("somebody waits");
    /// ctx.node().give_up(&token);
    /// assert_eq!(ctx.reply(token, "yes"), Err(ReplyError::Late));
    /// ```
    pub fn give_up(&self, token: &ReplyToken) {
        self.state().planned.late.insert(token.raw());
    }

    /// From now on, a group has these members.
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().set_members("tills", &[ctx.id()]);
    /// assert_eq!(ctx.publish("tills", "open").accepted, 0, "to all but oneself");
    /// ```
    pub fn set_members(&self, group: &str, members: &[ActorRef]) {
        let members = members.to_vec();
        self.state()
            .planned
            .groups
            .insert(group.to_owned(), members);
    }

    /// The next timer is not set.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, TimerError, testing::Texts};
    /// # use std::time::Duration;
    /// let ctx: Context<Texts> = Context::mock();
    /// ctx.node().will_fail_timer(TimerError::Quota { limit: 0 });
    /// assert!(ctx.send_after(Duration::from_secs(1), &"tick".to_owned()).is_err());
    /// ```
    pub fn will_fail_timer(&self, error: TimerError) {
        self.state().planned.timers.push_back(error);
    }

    /// The next message is not stashed.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, StashError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_stash(StashError::Full { limit: 1 });
    /// assert_eq!(ctx.stash(), Err(StashError::Full { limit: 1 }));
    /// ```
    pub fn will_fail_stash(&self, error: StashError) {
        self.state().planned.stash.push_back(error);
    }

    /// The next link is not made.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, Context, LinkError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_link(LinkError::NoSuchActor);
    /// assert_eq!(ctx.link(ActorRef::from_raw(2)), Err(LinkError::NoSuchActor));
    /// ```
    pub fn will_fail_link(&self, error: LinkError) {
        self.state().planned.links.push_back(error);
    }

    /// The next name is not registered, or the next group not joined.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, NameError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_name(NameError::Taken);
    /// assert_eq!(ctx.register("till"), Err(NameError::Taken));
    /// ```
    pub fn will_fail_name(&self, error: NameError) {
        self.state().planned.registrations.push_back(error);
    }

    /// The next call of a supervisor fails.
    /// [`Supervisor::start`](crate::Supervisor::start) has an example.
    pub fn will_fail_child(&self, error: ChildError) {
        self.state().planned.children.push_back(error);
    }

    /// What the next count of children gives.
    /// [`Supervisor::count`](crate::Supervisor::count) has an example.
    pub fn will_count(&self, counts: ChildCounts) {
        self.state().planned.counts.push_back(counts);
    }
}
