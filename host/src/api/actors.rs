//! Single actors: spawn, tell, ask, stop, restart, list.

use super::{
    Api, ApiError,
    json::{Body, encode},
};
use crate::behaviour::WasmModule;
use actorhost_core::{
    StopMode,
    node::{ActorView, Place},
};
use actorhost_wire::api::{
    ActorInfo, ActorList, AskReply, AskRequest, RestartReply, RestartRequest, SpawnReply,
    SpawnRequest, StopReply, StopRequest, TellReply, TellRequest,
};
use actorhost_wire::schema::example;
use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    #[serde(default)]
    under: String,
    #[serde(default = "list_limit")]
    limit: usize,
}

fn list_limit() -> usize {
    1_000
}

pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Query(query): Query<ListQuery>,
) -> Json<ActorList> {
    let (views, total) = api.host.node.actors(&query.under, query.limit);
    Json(ActorList {
        actors: views.into_iter().map(info).collect(),
        total,
    })
}

fn info(view: ActorView) -> ActorInfo {
    ActorInfo {
        id: view.id.0,
        path: view.path.to_string(),
        behaviour: view.behaviour.to_string(),
        version: view.version,
        module_version: view.module_version,
        status: view.status.into(),
        queued: view.queued,
        stashed: view.stashed,
        oldest_ms: view.oldest_ms,
        handled: view.handled,
        restarts: view.restarts,
        memory: view.memory_bytes,
        supervisor: view.supervisor.to_string(),
    }
}

pub(super) async fn spawn(
    State(api): State<Arc<Api>>,
    Body(request): Body<SpawnRequest>,
) -> Result<Json<SpawnReply>, ApiError> {
    let node = &api.host.node;
    let (place, behaviour) = match (&request.behaviour, &request.pool) {
        (Some(behaviour), None) => (Place::Root { behaviour }, behaviour.clone()),
        (None, Some(pool)) => {
            let behaviour = node
                .behaviour_of_pool(pool)
                .ok_or_else(|| api.unknown_pool(pool))?;
            (Place::Pool { pool }, behaviour.to_string())
        }
        _ => {
            let message = "exactly one of `behaviour` and `pool` says where to spawn";
            return Err(ApiError::bad_request("bad-body", message));
        }
    };
    let module = api.module(&behaviour)?;
    let what = request.name.as_deref().unwrap_or(&behaviour);
    let args = match &request.args {
        Some(args) => Some(encode(&module.description().args, args, "arguments", what)?),
        // A spec of a pool has its own; a behaviour's has none unless the type is
        // the unit.
        None if request.pool.is_some() => None,
        None => Some(no_args(&module, what)?),
    };
    let spawned = node
        .spawn(place, request.name.as_deref(), args, None)
        .await
        .map_err(|error| ApiError::spawn(what, &error))?;
    Ok(Json(SpawnReply {
        id: spawned.id.0,
        path: spawned.path.to_string(),
    }))
}

pub(super) async fn tell(
    State(api): State<Arc<Api>>,
    Body(request): Body<TellRequest>,
) -> Result<Json<TellReply>, ApiError> {
    let target = api.target(&request.to)?;
    let message = target.encode(&request.to, &request.message)?;
    let told = api.host.node.tell(target.id, message).await;
    told.map_err(|error| ApiError::send(&request.to, &error))?;
    Ok(Json(TellReply { accepted: true }))
}

pub(super) async fn ask(
    State(api): State<Arc<Api>>,
    Body(request): Body<AskRequest>,
) -> Result<Json<AskReply>, ApiError> {
    let target = api.target(&request.to)?;
    let message = target.encode(&request.to, &request.message)?;
    let asked = api
        .host
        .node
        .ask(target.id, message, request.timeout_ms)
        .await;
    let reply = asked.map_err(|error| ApiError::ask(&request.to, &error, request.timeout_ms))?;
    // The reply may come from a version that the actor moved to meanwhile.
    let by = api.target(&request.to).unwrap_or(target);
    Ok(Json(AskReply {
        reply: by.decode_reply(&request.to, &reply)?,
    }))
}

pub(super) async fn stop(
    State(api): State<Arc<Api>>,
    Body(request): Body<StopRequest>,
) -> Result<Json<StopReply>, ApiError> {
    use actorhost_wire::api::StopMode as Wire;
    let node = &api.host.node;
    let mode = match request.mode {
        Wire::Drain => StopMode::Drain,
        Wire::Now => StopMode::Now,
        Wire::Kill => StopMode::Kill,
    };
    // Also one that has ended, as long as it is known.
    let ended = || node.ended(&request.actor).map(|(id, ..)| id);
    let stopped = match node.resolve(&request.actor).or_else(ended) {
        Some(id) => node.stop(id, mode, request.timeout_ms).await,
        None => None,
    };
    let stopped = stopped.ok_or_else(|| api.no_such_actor(&request.actor))?;
    Ok(Json(StopReply {
        path: stopped.path.to_string(),
        reason: stopped.reason.to_string(),
        already: stopped.already,
    }))
}

/// How long a restart may take, in milliseconds, once the old life had to end: the
/// children's stop and `init`.
const RESTART_MS_MAX: u64 = 30_000;

pub(super) async fn restart(
    State(api): State<Arc<Api>>,
    Body(request): Body<RestartRequest>,
) -> Result<Json<RestartReply>, ApiError> {
    let node = &api.host.node;
    let id = node.resolve(&request.actor);
    let view = id.and_then(|id| node.actor(id));
    let view = view.ok_or_else(|| api.no_such_actor(&request.actor))?;
    // A task of its own: it goes on though the client hangs up.
    let restart = {
        let node = node.clone();
        tokio::spawn(async move { node.restart(view.id, RESTART_MS_MAX).await })
    };
    let restarts = restart.await.ok().flatten().ok_or_else(|| {
        let message = format!("{} did not begin a new life", view.path);
        ApiError::new(StatusCode::CONFLICT, "not-restarted", message)
            .help("the node's log says what its init did")
    })?;
    Ok(Json(RestartReply {
        path: view.path.to_string(),
        restarts,
    }))
}

/// The arguments of an actor that is spawned without any.
pub(super) fn no_args(module: &WasmModule, what: &str) -> Result<bytes::Bytes, ApiError> {
    let schema = &module.description().args;
    encode(schema, &serde_json::Value::Null, "arguments", what).map_err(|error| {
        let example = example(schema);
        error.help(format!("give them with --args, such as --args '{example}'"))
    })
}
