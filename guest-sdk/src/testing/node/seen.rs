//! What the actor under test did, by kind.

use super::MockNode;
use crate::{
    ActorRef, DecodeError, Level, StopMode,
    codec::decode,
    testing::{AskedLater, Effect, SetTimer, Spawned},
};
use serde::de::DeserializeOwned;

impl MockNode {
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

    /// The questions asked for later.
    /// [`Context::ask_later`](crate::Context::ask_later) has an example.
    ///
    /// # Panics
    /// When one of them is not an `M`.
    pub fn later_asks<M: DeserializeOwned>(&self) -> Vec<AskedLater<M>> {
        self.select(|effect| match effect {
            Effect::AskLater {
                to,
                message,
                timeout_ms,
                ask,
            } => Some(AskedLater {
                ask: *ask,
                to: *to,
                message: decoded(message),
                timeout_ms: *timeout_ms,
            }),
            _ => None,
        })
    }

    /// The answers to questions that were kept open.
    /// [`Context::reply_later`](crate::Context::reply_later) has an example.
    ///
    /// # Panics
    /// When one of them is not an `R`.
    pub fn replies<R: DeserializeOwned>(&self) -> Vec<R> {
        self.select(|effect| match effect {
            Effect::Reply { reply } => Some(decoded(reply)),
            _ => None,
        })
    }

    /// The messages handed on. [`Context::forward`](crate::Context::forward) has an
    /// example.
    ///
    /// # Panics
    /// When one of them is not an `M`.
    pub fn forwards<M: DeserializeOwned>(&self) -> Vec<(ActorRef, M)> {
        self.select(|effect| match effect {
            Effect::Forward { to, message } => Some((*to, decoded(message))),
            _ => None,
        })
    }

    /// The messages to groups. [`Context::publish`](crate::Context::publish) has an
    /// example.
    ///
    /// # Panics
    /// When one of them is not an `M`.
    pub fn publications<M: DeserializeOwned>(&self) -> Vec<(String, M)> {
        self.select(|effect| match effect {
            Effect::Publish { group, message } => Some((group.clone(), decoded(message))),
            _ => None,
        })
    }

    /// The timers that are set now, in the order in which they were.
    /// [`Context::set_timer`](crate::Context::set_timer) has an example.
    ///
    /// # Panics
    /// When the message of one of them is not an `M`.
    pub fn timers<M: DeserializeOwned>(&self) -> Vec<SetTimer<M>> {
        let state = self.0.borrow();
        let timers = state.life.timers.iter().map(|timer| SetTimer {
            timer: timer.id,
            key: timer.key.clone(),
            message: decoded(&timer.message),
            after_ms: timer.due_ms - state.now_ms,
            every_ms: timer.every_ms,
        });
        timers.collect()
    }

    /// The actors linked to. [`Context::link`](crate::Context::link) has an example.
    pub fn links(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Link(target) => Some(*target),
            _ => None,
        })
    }

    /// The links taken back. [`Context::unlink`](crate::Context::unlink) has an
    /// example.
    pub fn unlinks(&self) -> Vec<ActorRef> {
        self.select(|effect| match effect {
            Effect::Unlink(target) => Some(*target),
            _ => None,
        })
    }

    /// The names taken. [`Context::register`](crate::Context::register) has an
    /// example.
    pub fn registered(&self) -> Vec<String> {
        self.select(|effect| match effect {
            Effect::Register(name) => Some(name.clone()),
            _ => None,
        })
    }

    /// The groups joined. [`Context::join`](crate::Context::join) has an example.
    pub fn joined(&self) -> Vec<String> {
        self.select(|effect| match effect {
            Effect::Join(group) => Some(group.clone()),
            _ => None,
        })
    }

    fn select<T>(&self, pick: impl FnMut(&Effect) -> Option<T>) -> Vec<T> {
        self.0.borrow().effects.iter().filter_map(pick).collect()
    }
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> T {
    let value: Result<T, DecodeError> = decode(bytes);
    match value {
        Ok(value) => value,
        Err(error) => panic!("the actor sent {error}"),
    }
}
