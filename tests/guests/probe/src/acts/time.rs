//! Timers.

use super::failed;
use crate::{Message, Probe, Reply};
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
