//! Groups.

use crate::{Message, Probe, Reply};
use actorhost_sdk::prelude::*;

pub(super) fn publish(ctx: &Context<Probe>, group: &str, text: String) -> Reply {
    let published = ctx.publish(group, &Message::Record { text });
    Reply::Published {
        accepted: published.accepted,
        refused: published.refused,
    }
}
