//! Timers and the stash.

use super::failed;
use crate::{Event, Message, Probe, Reply};
use actorhost_sdk::prelude::*;

pub(super) fn set(
    ctx: &Context<Probe>,
    key: Option<&str>,
    after_ms: u64,
    every_ms: Option<u64>,
    text: String,
) -> Reply {
    let (after, record) = (Duration::from_millis(after_ms), Message::Record { text });
    let set = match (key, every_ms.map(Duration::from_millis)) {
        (None, None) => ctx.send_after(after, &record),
        (None, Some(every)) => ctx.send_every(after, every, &record),
        (Some(key), None) => ctx.set_timer(key, after, &record),
        (Some(key), Some(every)) => ctx.set_interval(key, after, every, &record),
    };
    set.map_or_else(failed, |id| Reply::Timer { id })
}

impl Probe {
    pub(super) fn stash_records(&mut self, on: bool, ctx: &Context<Self>) -> Reply {
        self.memory.stashing = on;
        if on {
            return Reply::Done;
        }
        Reply::Number(ctx.unstash_all().into())
    }

    pub(super) fn stash_twice(&mut self, ctx: &Context<Self>) {
        if std::mem::replace(&mut self.memory.stashed_twice, true) {
            return;
        }
        let (first, second) = (ctx.stash(), ctx.stash());
        let text = format!("{first:?}, {second:?}");
        self.memory.events.push(Event::Record { from: None, text });
    }
}
