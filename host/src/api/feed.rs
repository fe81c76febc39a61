//! A stream of rows, each a message for the actor of its key in a pool.

use super::{
    Api, ApiError,
    json::{Body, bad_message},
};
use actorhost_core::{
    ActorId, SpawnError,
    node::{Place, SpawnFailed},
};
use actorhost_wire::{
    api::{FeedRejection, FeedReply, FeedRequest, FeedRow},
    schema::{coerce_row, json_to_postcard},
};
use axum::{Json, extract::State};
use std::sync::Arc;

/// How long a row waits for room in its actor's mailbox, in milliseconds. The
/// feed's back-pressure: the client sends the next batch after this one.
const ROOM_MS_MAX: u64 = 30_000;

impl Api {
    pub(super) fn unknown_pool(&self, pool: &str) -> ApiError {
        let tree = self.host.node.tree();
        let pools = tree.children.iter().filter(|child| child.kind == "pool");
        let known = pools.map(|pool| pool.path.trim_start_matches('/'));
        ApiError::not_found("unknown-pool", "pool", pool, known)
    }

    /// The actor of a key, spawned if there is none; true if it was.
    async fn actor_of(&self, pool: &str, key: &str) -> Result<(ActorId, bool), ApiError> {
        let node = &self.host.node;
        let path = format!("/{pool}/{key}");
        if let Some(id) = node.resolve(&path) {
            return Ok((id, false));
        }
        match node
            .spawn(Place::Pool { pool }, Some(key), None, None)
            .await
        {
            Ok(spawned) => Ok((spawned.id, true)),
            // Another feed was faster.
            Err(SpawnFailed::Refused(SpawnError::NameTaken)) => node
                .resolve(&path)
                .map(|id| (id, false))
                .ok_or_else(|| ApiError::no_such_actor(&path)),
            Err(error) => Err(ApiError::spawn(&path, &error)),
        }
    }

    async fn feed_row(
        &self,
        request: &FeedRequest,
        behaviour: &str,
        row: &FeedRow,
    ) -> Result<bool, ApiError> {
        let path = format!("/{}/{}", request.pool, row.key);
        let module = self.module(behaviour)?;
        let schema = &module.description().message;
        let message = coerce_row(schema, request.variant.as_deref(), &row.message)
            .and_then(|message| json_to_postcard(schema, &message))
            .map_err(|error| bad_message(&error, "row", &path))?;
        let (id, spawned) = self.actor_of(&request.pool, &row.key).await?;
        let told = self
            .host
            .node
            .tell_within(id, message.into(), ROOM_MS_MAX)
            .await;
        told.map_err(|error| ApiError::send(&path, &error))?;
        Ok(spawned)
    }
}

pub(super) async fn feed(
    State(api): State<Arc<Api>>,
    Body(request): Body<FeedRequest>,
) -> Result<Json<FeedReply>, ApiError> {
    let behaviour = api.host.node.behaviour_of_pool(&request.pool);
    let behaviour = behaviour.ok_or_else(|| api.unknown_pool(&request.pool))?;
    let mut reply = FeedReply {
        accepted: 0,
        spawned: 0,
        rejected: Vec::new(),
    };
    for row in &request.rows {
        match api.feed_row(&request, &behaviour, row).await {
            Ok(spawned) => {
                reply.accepted += 1;
                reply.spawned += u64::from(spawned);
            }
            Err(error) => reply.rejected.push(FeedRejection {
                row: row.row,
                key: row.key.clone(),
                code: error.code().into(),
                message: error.message().into(),
            }),
        }
    }
    Ok(Json(reply))
}
