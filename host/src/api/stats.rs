//! `GET /v1/stats`: the node in figures.

use super::Api;
use actorhost_core::{dead_letters::DeadReason, dispatcher::DispatcherView};
use actorhost_wire::api::{DispatcherStats, NodeStats};
use axum::{Json, extract::State};
use std::{collections::BTreeMap, sync::Arc};

pub(super) async fn stats(State(api): State<Arc<Api>>) -> Json<NodeStats> {
    let host = &api.host;
    let totals = host.node.totals();
    let letters = host.node.dead_letters();
    let refused = [
        ("full", totals.refused_full),
        ("too-large", totals.refused_too_large),
        ("overloaded", totals.refused_overloaded),
    ];
    let by_reason = DeadReason::ALL.map(|reason| (reason.as_str(), letters.count(reason)));
    Json(NodeStats {
        uptime_ms: u64::try_from(host.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        actors: totals.actors,
        live: totals.live,
        live_max: totals.live_max,
        asleep: totals.hibernated,
        handled: totals.handled,
        crashes: totals.crashes,
        restarts: totals.restarts,
        refused_by_cause: occurred(refused),
        dead_letters: letters.total(),
        dead_letters_by_reason: occurred(by_reason),
        mailbox_bytes: totals.mailbox_bytes,
        mailbox_bytes_max: totals.mailbox_bytes_max,
        questions_open: totals.questions_open,
        dispatchers: host.node.dispatchers().into_iter().map(shown).collect(),
    })
}

fn occurred<const N: usize>(counts: [(&str, u64); N]) -> BTreeMap<String, u64> {
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts
        .map(|(name, count)| (name.to_owned(), count))
        .collect()
}

fn shown(view: DispatcherView) -> DispatcherStats {
    DispatcherStats {
        name: view.name.to_string(),
        threads: view.load.threads as u64,
        utilisation: view.utilisation,
        busy_ms: view.load.busy_ns / 1_000_000,
        queued: view.load.queued,
        runs: view.load.runs,
        steals: view.load.steals,
        parks: view.load.parks,
    }
}
