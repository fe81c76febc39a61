//! The node as a whole: figures, tree, shutdown.

use super::{Api, ApiError, json::Body};
use actorhost_core::{dead_letters::DeadReason, node::TreeView};
use actorhost_wire::api::{NodeInfo, ShutdownReply, ShutdownRequest, TreeNode};
use axum::{Json, extract::State, http::StatusCode};
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
