//! Questions whose answers come later, and answers given later.

use super::{failed, tell_report};
use crate::{Event, Message, Probe, Reply};
use actorhost_sdk::prelude::*;

pub(super) fn ask(ctx: &Context<Probe>, to: ActorRef, message: &Message, timeout_ms: u32) -> Reply {
    let timeout = Duration::from_millis(timeout_ms.into());
    match ctx.ask_later(to, message, timeout) {
        Ok(id) => Reply::Asked { id },
        Err(error) => failed(error),
    }
}

impl Probe {
    /// Records, unless it is to stash it or to keep the question open.
    pub(super) fn record(&mut self, text: String, ctx: &Context<Self>) -> Reply {
        if self.memory.stashing {
            return super::done(ctx.stash());
        }
        let from = ctx.sender();
        let event = Event::Record {
            from,
            text: text.clone(),
        };
        self.memory.events.push(event);
        if self.memory.keeping {
            self.memory.kept.extend(ctx.reply_later());
        }
        Reply::Text(text)
    }

    pub(super) fn answer_kept(&mut self, text: &str, ctx: &Context<Self>) -> Reply {
        self.memory.answered = self.memory.kept.last().cloned();
        let answer = Reply::Text(text.to_owned());
        let kept = std::mem::take(&mut self.memory.kept);
        tell_report(kept.into_iter().map(|token| ctx.reply(token, &answer)))
    }

    pub(super) fn answer_again(&mut self, text: String, ctx: &Context<Self>) -> Reply {
        match self.memory.answered.clone() {
            Some(token) => super::done(ctx.reply(token, &Reply::Text(text))),
            None => failed("nothing was answered yet"),
        }
    }
}
