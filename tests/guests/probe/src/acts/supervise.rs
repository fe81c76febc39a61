//! Supervisors and their children.

use super::failed;
use crate::{Probe, Reply};
use actorhost_sdk::prelude::*;

pub(super) fn start(
    ctx: &Context<Probe>,
    supervisor: &str,
    spec: &ChildSpec,
    timeout_ms: u64,
) -> Reply {
    let timeout = Duration::from_millis(timeout_ms);
    spawned(ctx.supervisor(supervisor).within(timeout).start(spec))
}

pub(super) fn restart(ctx: &Context<Probe>, supervisor: &str, id: &str) -> Reply {
    spawned(ctx.supervisor(supervisor).restart(id))
}

pub(super) fn count(ctx: &Context<Probe>, supervisor: &str) -> Reply {
    let counted = ctx.supervisor(supervisor).count();
    counted.map_or_else(failed, Reply::Counts)
}

fn spawned(started: Result<ActorRef, ChildError>) -> Reply {
    started.map_or_else(failed, |id| Reply::Spawned { id })
}
