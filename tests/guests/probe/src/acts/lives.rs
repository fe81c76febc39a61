//! Many lives at once, and many ends.

use super::tell_report;
use crate::{Args, Message, Probe, Reply};
use actorhost_sdk::prelude::*;

pub(super) fn spawn_many(ctx: &Context<Probe>, behaviour: &str, count: u32) -> Reply {
    let args = Args::default();
    let births = (0..count).map(|_| ctx.spawn(behaviour, &args, None));
    tell_report(births.map(|born| born.map(drop)))
}

pub(super) fn publish_panic(ctx: &Context<Probe>, group: &str, text: String) -> Reply {
    let published = ctx.publish(group, &Message::Panic { text });
    Reply::Published {
        accepted: published.accepted,
        refused: published.refused,
    }
}
