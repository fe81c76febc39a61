//! What an address that no actor has may have meant.

use super::{Api, ApiError};
use axum::http::StatusCode;

impl Api {
    /// Nobody lives at this address: what is there instead, or what was meant.
    pub(super) fn no_such_actor(&self, address: &str) -> ApiError {
        let refused = ApiError::no_such_actor(address);
        let path = format!("/{}", address.trim_matches('/'));
        if let Some(kind) = self.host.node.kind_of(&path) {
            return is_no_actor(&path, kind);
        }
        if path != address && self.host.node.resolve(&path).is_some() {
            return refused.help(format!("did you mean `{path}`?"));
        }
        refused
    }
}

fn is_no_actor(path: &str, kind: &str) -> ApiError {
    let help = match kind {
        "supervisor" => format!(
            "`actorhost child list {path}` shows its children; `actorhost child terminate` \
             and `actorhost child restart` act on them"
        ),
        _ => format!("`actorhost ps --under {path}` lists its actors"),
    };
    let message = format!("`{path}` is a {kind}, not an actor");
    ApiError::new(StatusCode::NOT_FOUND, "no-such-actor", message).help(help)
}
