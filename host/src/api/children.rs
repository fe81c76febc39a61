//! Children of a supervisor, by the operator: list, count, add, terminate, restart,
//! remove.

use super::{
    Api, ApiError,
    actors::no_args,
    json::{Body, encode},
};
use actorhost_core::{
    RestartType,
    node::TreeView,
    supervisor::{ChildEntry, ChildError, ChildKind},
};
use actorhost_wire::api::{
    self, ChildAddRequest, ChildCounts, ChildInfo, ChildList, ChildReply, ChildRequest,
};
use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use std::sync::Arc;

/// Longest wait for a supervisor where the request says nothing, in milliseconds.
const WAIT_MS: u64 = 30_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whose {
    supervisor: String,
}

pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Query(whose): Query<Whose>,
) -> Result<Json<ChildList>, ApiError> {
    let supervisor = whose.supervisor;
    let views = api.host.node.which_children(&supervisor);
    let views = views.map_err(|error| api.child_error(&supervisor, "", &error))?;
    let children = views.into_iter().map(|view| ChildInfo {
        path: path_of(&supervisor, &view.id),
        id: view.id,
        kind: if view.is_supervisor {
            "supervisor".into()
        } else {
            "actor".into()
        },
        state: view.state.into(),
        actor: view.actor.map(|id| id.0),
        restart: match view.restart {
            RestartType::Permanent => api::RestartType::Permanent,
            RestartType::Transient => api::RestartType::Transient,
            RestartType::Temporary => api::RestartType::Temporary,
        },
        significant: view.significant,
    });
    Ok(Json(ChildList {
        children: children.collect(),
        supervisor,
    }))
}

pub(super) async fn count(
    State(api): State<Arc<Api>>,
    Query(whose): Query<Whose>,
) -> Result<Json<ChildCounts>, ApiError> {
    let supervisor = whose.supervisor;
    let counts = api.host.node.count_children(&supervisor);
    let counts = counts.map_err(|error| api.child_error(&supervisor, "", &error))?;
    Ok(Json(ChildCounts {
        supervisor,
        specs: counts.specs,
        active: counts.active,
        supervisors: counts.supervisors,
        workers: counts.workers,
    }))
}

pub(super) async fn add(
    State(api): State<Arc<Api>>,
    Body(request): Body<ChildAddRequest>,
) -> Result<Json<ChildReply>, ApiError> {
    let node = &api.host.node;
    let module = api.module(&request.behaviour)?;
    let path = path_of(&request.supervisor, &request.id);
    let args = match &request.args {
        Some(args) => encode(&module.description().args, args, "arguments", &path)?,
        None => no_args(&module, &path)?,
    };
    // A behaviour that has a module has a template.
    let mut spec = node
        .template(&request.behaviour)
        .unwrap_or_else(|| crate::node::default_spec(&request.behaviour));
    spec.args = args;
    spec.restart = match request.restart {
        api::RestartType::Permanent => RestartType::Permanent,
        api::RestartType::Transient => RestartType::Transient,
        api::RestartType::Temporary => RestartType::Temporary,
    };
    let child = ChildEntry {
        id: request.id.clone(),
        significant: request.significant,
        kind: ChildKind::Actor(spec),
    };
    let wait_ms = request.timeout_ms.unwrap_or(WAIT_MS);
    let started = node.start_child(&request.supervisor, child, wait_ms).await;
    let id = started.map_err(|error| api.child_error(&request.supervisor, &request.id, &error))?;
    Ok(Json(ChildReply {
        path,
        actor: id.map(|id| id.0),
    }))
}

pub(super) async fn terminate(
    State(api): State<Arc<Api>>,
    Body(request): Body<ChildRequest>,
) -> Result<Json<ChildReply>, ApiError> {
    let ChildRequest { supervisor, id, .. } = &request;
    let wait_ms = request.timeout_ms.unwrap_or(WAIT_MS);
    let done = api.host.node.terminate_child(supervisor, id, wait_ms).await;
    api.answer(&request, done.map(|()| None))
}

pub(super) async fn restart(
    State(api): State<Arc<Api>>,
    Body(request): Body<ChildRequest>,
) -> Result<Json<ChildReply>, ApiError> {
    let ChildRequest { supervisor, id, .. } = &request;
    let wait_ms = request.timeout_ms.unwrap_or(WAIT_MS);
    let started = api.host.node.restart_child(supervisor, id, wait_ms).await;
    api.answer(&request, started.map(|id| id.map(|id| id.0)))
}

pub(super) async fn remove(
    State(api): State<Arc<Api>>,
    Body(request): Body<ChildRequest>,
) -> Result<Json<ChildReply>, ApiError> {
    let ChildRequest { supervisor, id, .. } = &request;
    let wait_ms = request.timeout_ms.unwrap_or(WAIT_MS);
    let done = api.host.node.delete_child(supervisor, id, wait_ms).await;
    api.answer(&request, done.map(|()| None))
}

fn path_of(supervisor: &str, id: &str) -> String {
    format!("{}/{id}", supervisor.trim_end_matches('/'))
}

impl Api {
    fn answer(
        &self,
        request: &ChildRequest,
        done: Result<Option<u64>, ChildError>,
    ) -> Result<Json<ChildReply>, ApiError> {
        let ChildRequest { supervisor, id, .. } = request;
        match done {
            Ok(actor) => Ok(Json(ChildReply {
                path: path_of(supervisor, id),
                actor,
            })),
            Err(error) => Err(self.child_error(supervisor, id, &error)),
        }
    }

    /// Why a supervisor did not do what it was asked.
    fn child_error(&self, supervisor: &str, id: &str, error: &ChildError) -> ApiError {
        let path = path_of(supervisor, id);
        let refused = |status, code, message| ApiError::new(status, code, message);
        match error {
            ChildError::Denied => refused(
                StatusCode::FORBIDDEN,
                "denied",
                format!("the children of {supervisor} may not be managed"),
            ),
            ChildError::NoSuchSupervisor if self.host.node.kind_of(supervisor) == Some("pool") => refused(
                StatusCode::NOT_FOUND,
                "no-such-supervisor",
                format!("`{supervisor}` is a pool, not a supervisor"),
            )
            .help(format!(
                "`actorhost ps --under {supervisor}` lists its actors; `actorhost spawn --pool` \
                 adds one, `actorhost stop` ends one"
            )),
            ChildError::NoSuchSupervisor => {
                let mut known = Vec::new();
                supervisors(&self.host.node.tree(), &mut known);
                let known = known.iter().map(String::as_str);
                ApiError::not_found("no-such-supervisor", "supervisor", supervisor, known)
            }
            ChildError::NotFound => {
                let children = self.host.node.which_children(supervisor);
                let children = children.unwrap_or_default();
                let known = children.iter().map(|child| &*child.id);
                ApiError::not_found("not-found", "child", id, known)
                    .in_words(format!("{supervisor} has no child `{id}`"))
            }
            ChildError::AlreadyPresent => refused(
                StatusCode::CONFLICT,
                "already-present",
                format!("{supervisor} has a child `{id}` already"),
            )
            .help(format!(
                "start it with `actorhost child restart {supervisor} {id}` if it does not run, \
                 or terminate and remove it first"
            )),
            ChildError::Running => refused(StatusCode::CONFLICT, "running", format!("{path} runs"))
                .help(format!(
                    "end it first with `actorhost child terminate {supervisor} {id}`"
                )),
            ChildError::Restarting => refused(
                StatusCode::CONFLICT,
                "restarting",
                format!("{path} is on its way to a restart"),
            )
            .help(format!(
                "wait for it, or end it first with `actorhost child terminate {supervisor} {id}`"
            )),
            ChildError::BadSpec(why) => refused(
                StatusCode::BAD_REQUEST,
                "bad-spec",
                format!("{supervisor} refuses the child `{id}`: {why}"),
            ),
            ChildError::StartFailed(why) => refused(
                StatusCode::BAD_GATEWAY,
                "start-failed",
                format!("{path} did not start: {why}"),
            )
            .help("it was not added; the node's log says more"),
            ChildError::ShuttingDown => refused(
                StatusCode::SERVICE_UNAVAILABLE,
                "shutting-down",
                format!("{supervisor} is shutting down"),
            ),
            ChildError::Timeout => refused(
                StatusCode::GATEWAY_TIMEOUT,
                "timeout",
                format!("{supervisor} was not done in time"),
            )
            .help("it may still be done; see `actorhost child list`, or give more with --timeout"),
        }
    }
}

/// Paths of all supervisors of a tree.
fn supervisors(tree: &TreeView, into: &mut Vec<String>) {
    if tree.kind == "supervisor" {
        into.push(tree.path.to_string());
    }
    for child in &tree.children {
        supervisors(child, into);
    }
}
