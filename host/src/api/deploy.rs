//! Modules: deploy and swap.

use super::{Api, ApiError};
use crate::behaviour::{DeployError, WasmModule};
use actorhost_core::{Engine, node::SwapError};
use actorhost_wire::api::{BehaviourInfo, DeployReport, SwapFailure, SwapReport};
use axum::{
    Json,
    body::Bytes,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use std::{sync::Arc, time::Instant};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeployQuery {
    behaviour: String,
    /// How long actors may take to reach the end of their turn, in milliseconds.
    #[serde(default = "swap_timeout_ms")]
    timeout_ms: u64,
}

fn swap_timeout_ms() -> u64 {
    30_000
}

impl Api {
    /// What `behaviour` looks like with the version `number` of it.
    pub(super) fn behaviour_info(
        &self,
        behaviour: &str,
        number: u32,
        actors: u64,
    ) -> Option<BehaviourInfo> {
        let node = &self.host.node;
        let module = node.module_version(behaviour, number)?;
        let info = node.engine().info(&module);
        Some(BehaviourInfo {
            name: behaviour.into(),
            version: number,
            module_version: info.module_version.clone(),
            digest: info.digest.clone(),
            actors,
            can_save: info.can_save,
        })
    }

    fn actors_of(&self, behaviour: &str) -> u64 {
        let behaviours = self.host.node.behaviours();
        behaviours
            .iter()
            .find(|view| *view.name == *behaviour)
            .map_or(0, |view| view.actors)
    }

    async fn checked(&self, behaviour: &str, bytes: Bytes) -> Result<WasmModule, ApiError> {
        let node = &self.host.node;
        let deployed = node.engine().deploy(bytes).await;
        let module = deployed.map_err(|error| refused(behaviour, &error))?;
        // Grants belong to the behaviour, and stay when its module changes.
        Ok(match node.module(behaviour) {
            Some((_, current)) => module.with_capabilities(current.capabilities().clone()),
            None => module,
        })
    }
}

fn refused(behaviour: &str, error: &DeployError) -> ApiError {
    let refused = ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        error.code(),
        format!("module for `{behaviour}` refused: {error}"),
    );
    match error.help() {
        Some(help) => refused.help(help),
        None => refused,
    }
}

pub(super) async fn deploy(
    State(api): State<Arc<Api>>,
    Query(query): Query<DeployQuery>,
    bytes: Bytes,
) -> Result<Json<DeployReport>, ApiError> {
    let name = &query.behaviour;
    if !actorhost_core::address::is_valid_name(name) {
        let message = format!("`{name}` is not a name for a behaviour");
        return Err(ApiError::bad_request("bad-name", message));
    }
    let module = api.checked(name, bytes).await?;
    let node = &api.host.node;
    let template = node
        .template(name)
        .unwrap_or_else(|| crate::node::default_spec(name));
    let (number, changed) = node.deploy(name, module, template);
    let behaviour = api.behaviour_info(name, number, api.actors_of(name));
    let behaviour = behaviour.expect("it was deployed just now");
    Ok(Json(DeployReport { behaviour, changed }))
}

pub(super) async fn swap(
    State(api): State<Arc<Api>>,
    Query(query): Query<DeployQuery>,
    bytes: Bytes,
) -> Result<Json<SwapReport>, ApiError> {
    let name = &query.behaviour;
    // A name that nobody knows is said before the module is compiled.
    api.module(name)?;
    let module = api.checked(name, bytes).await?;
    let begun = Instant::now();
    let summary = api.host.node.swap(name, module, query.timeout_ms).await;
    let summary = summary.map_err(|error| not_swapped(name, &error))?;
    let elapsed_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let actors = api.actors_of(name);
    let info = |number| {
        let info = api.behaviour_info(name, number, actors);
        info.expect("versions are never removed")
    };
    let outcome = summary.outcome;
    let failed = outcome.failed.into_iter();
    Ok(Json(SwapReport {
        behaviour: name.clone(),
        from: info(summary.from),
        to: info(summary.to),
        swapped: outcome.swapped,
        deferred: outcome.deferred,
        failed: failed
            .map(|(path, cause)| SwapFailure {
                path: path.to_string(),
                cause,
            })
            .collect(),
        gone: outcome.gone,
        elapsed_ms,
    }))
}

fn not_swapped(behaviour: &str, error: &SwapError) -> ApiError {
    let refused = |code, message: String| ApiError::new(StatusCode::CONFLICT, code, message);
    match error {
        SwapError::UnknownBehaviour => {
            ApiError::not_found("unknown-behaviour", "behaviour", behaviour, [])
        }
        SwapError::InProgress => {
            refused("swap-in-progress", format!("another swap of `{behaviour}` is under way"))
                .help("wait for its end")
        }
        SwapError::SameModule { number } => refused(
            "same-module",
            format!("version {number} of `{behaviour}` is this very module; nothing to swap"),
        ),
        SwapError::CannotSave { number, actors } => refused(
            "cannot-save",
            format!(
                "version {number} of `{behaviour}` cannot save its state, and {actors} actors have some; nothing was changed"
            ),
        )
        .help("remove `no_save` from its #[actor], or `deploy` the module and restart the actors, which loses their state"),
        SwapError::CannotLoad { actors } => refused(
            "cannot-load",
            format!(
                "the new module for `{behaviour}` cannot load state, and {actors} actors have some; nothing was changed"
            ),
        )
        .help("remove `no_save` from its #[actor]"),
        SwapError::ShuttingDown => refused("shutting-down", "the node is shutting down".into()),
    }
}
