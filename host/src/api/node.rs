//! The node as a whole: figures, tree, dead letters, shutdown.

use super::{Api, ApiError, json::Body};
use actorhost_core::{
    dead_letters::{DeadLetter, DeadReason},
    node::TreeView,
};
use actorhost_wire::{
    api::{DeadLetterInfo, DeadLetterList, NodeInfo, ShutdownReply, ShutdownRequest, TreeNode},
    schema::{postcard_to_json, variant_name},
};
use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use std::sync::Arc;

pub(super) async fn info(State(api): State<Arc<Api>>) -> Json<NodeInfo> {
    let host = &api.host;
    let totals = host.node.totals();
    let letters = host.node.dead_letters();
    let behaviours = host.node.behaviours().into_iter();
    let behaviours =
        behaviours.filter_map(|view| api.behaviour_info(&view.name, view.version, view.actors));
    let by_reason =
        DeadReason::ALL.map(|reason| (reason.as_str().to_string(), letters.count(reason)));
    Json(NodeInfo {
        name: host.name.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        pid: std::process::id(),
        uptime_ms: u64::try_from(host.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        data_dir: host.data_dir.clone(),
        actors: totals.actors,
        live: totals.live,
        live_max: totals.live_max,
        hibernated: totals.hibernated,
        handled: totals.handled,
        crashes: totals.crashes,
        restarts: totals.restarts,
        dead_letters: letters.total(),
        dead_letters_by_reason: by_reason
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect(),
        threads: u32::try_from(host.threads).unwrap_or(u32::MAX),
        behaviours: behaviours.collect(),
    })
}

pub(super) async fn tree(State(api): State<Arc<Api>>) -> Json<TreeNode> {
    Json(tree_node(api.host.node.tree()))
}

fn tree_node(view: TreeView) -> TreeNode {
    TreeNode {
        path: view.path.to_string(),
        kind: view.kind.into(),
        detail: view.detail,
        children: view.children.into_iter().map(tree_node).collect(),
        children_total: view.children_total,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LettersQuery {
    #[serde(default = "letters_limit")]
    limit: usize,
}

fn letters_limit() -> usize {
    100
}

pub(super) async fn dead_letters(
    State(api): State<Arc<Api>>,
    Query(query): Query<LettersQuery>,
) -> Json<DeadLetterList> {
    let store = api.host.node.dead_letters();
    Json(DeadLetterList {
        letters: store
            .newest(query.limit)
            .into_iter()
            .map(|letter| api.letter(&letter))
            .collect(),
        total: store.total(),
        dropped: store.dropped(),
    })
}

impl Api {
    fn letter(&self, letter: &DeadLetter) -> DeadLetterInfo {
        let module = self
            .host
            .node
            .module_version(&letter.behaviour, letter.version);
        let schema = module.as_ref().map(|module| match letter.reason {
            DeadReason::LateReply => &module.description().reply,
            _ => &module.description().message,
        });
        DeadLetterInfo {
            id: letter.id,
            at_ms: letter.at_ms,
            reason: letter.reason.as_str().into(),
            detail: letter.detail.clone(),
            to: letter.to_path.to_string(),
            sender: letter.sender.as_ref().map(|(_, path)| path.to_string()),
            behaviour: letter.behaviour.to_string(),
            version: letter.version,
            variant: schema.and_then(|schema| variant_name(schema, &letter.message)),
            size: letter.message.len() as u64,
            message: schema.and_then(|schema| postcard_to_json(schema, &letter.message).ok()),
        }
    }
}

pub(super) async fn shutdown(
    State(api): State<Arc<Api>>,
    Body(request): Body<ShutdownRequest>,
) -> Result<Json<ShutdownReply>, ApiError> {
    api.shutdown.order(request.timeout_ms);
    let outcome = api.shutdown.outcome().await.ok_or_else(|| {
        let message = "the node ended before it could say how its shutdown went";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "shutdown", message)
    })?;
    Ok(Json(outcome))
}
