//! JSON bodies, and messages between JSON and the bytes of a module's schema.

use super::{Api, ApiError};
use crate::behaviour::{Description, WasmModule};
use actorhost_core::ActorId;
use actorhost_wire::schema::{CodecError, json_to_postcard, postcard_to_json};
use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Path, Query, Request},
    http::{StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// A JSON body whose errors are in the API's own form, with line and column.
pub(super) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| {
                ApiError::new(rejection.status(), "bad-body", rejection.body_text())
            })?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| ApiError::bad_request("bad-body", format!("request body: {error}")))
    }
}

/// A query whose errors are in the API's own form.
pub(super) struct Words<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Words<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(query)| Self(query))
            .map_err(|rejection| ApiError::bad_request("bad-query", rejection.body_text()))
    }
}

/// A number as the last part of the path.
pub(super) struct PathId(pub u64);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = Path::<u64>::from_request_parts(parts, state).await;
        id.map(|Path(id)| Self(id))
            .map_err(|rejection| ApiError::bad_request("bad-id", rejection.body_text()))
    }
}

/// An actor and the module that it runs, or ran last.
pub(super) struct Target {
    pub id: ActorId,
    pub module: Arc<WasmModule>,
}

impl Api {
    pub(super) fn target(&self, address: &str) -> Result<Target, ApiError> {
        let node = &self.host.node;
        let living = || {
            let id = node.resolve(address)?;
            let (behaviour, version) = node.behaviour_of(id)?;
            Some((id, behaviour, version))
        };
        // One that has ended is still known for a while: the node then refuses the
        // message as `stopped`, and keeps it.
        let found = living().or_else(|| node.ended(address));
        let module = found.and_then(|(id, behaviour, version)| {
            Some(Target {
                id,
                module: node.module_version(&behaviour, version)?,
            })
        });
        module.ok_or_else(|| self.no_such_actor(address))
    }

    pub(super) fn module(&self, behaviour: &str) -> Result<Arc<WasmModule>, ApiError> {
        let node = &self.host.node;
        node.module(behaviour)
            .map(|(_, module)| module)
            .ok_or_else(|| {
                let known = node.behaviour_names();
                let known = known.iter().map(|name| &**name);
                ApiError::not_found("unknown-behaviour", "behaviour", behaviour, known)
            })
    }
}

impl Target {
    pub fn description(&self) -> &Description {
        self.module.description()
    }

    /// A message for this actor.
    pub fn encode(&self, to: &str, message: &Value) -> Result<bytes::Bytes, ApiError> {
        encode(&self.description().message, message, "message", to)
    }

    /// A reply of this actor.
    pub fn decode_reply(&self, to: &str, reply: &[u8]) -> Result<Value, ApiError> {
        postcard_to_json(&self.description().reply, reply).map_err(|error| {
            ApiError::new(
                StatusCode::BAD_GATEWAY,
                "bad-reply",
                format!("{to} replied with bytes that are not of its reply type: {error}"),
            )
        })
    }
}

/// Bytes of a schema from JSON; the error names the JSON path.
pub(super) fn encode(
    schema: &actorhost_wire::schema::Schema,
    value: &Value,
    what: &str,
    whose: &str,
) -> Result<bytes::Bytes, ApiError> {
    let bytes =
        json_to_postcard(schema, value).map_err(|error| bad_message(&error, what, whose))?;
    Ok(bytes.into())
}

pub(super) fn bad_message(error: &CodecError, what: &str, whose: &str) -> ApiError {
    let body = ApiError::bad_request(
        "bad-message",
        format!("cannot use the {what} for {whose}: {error}"),
    );
    match error.help() {
        Some(help) => body.help(help),
        None => body,
    }
}
