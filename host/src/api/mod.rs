//! The node's HTTP API, on a Unix socket in the data directory.
//!
//! Bodies are those of [`actorhost_wire::api`]; every error is an
//! [`actorhost_wire::api::ErrorBody`].

mod actors;
mod children;
mod dead_letters;
mod deploy;
mod error;
mod events;
mod feed;
mod json;
mod listener;
mod lookup;
mod node;
mod stats;

pub use error::ApiError;
pub use listener::Listener;

use crate::node::{EventHub, Host};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use std::sync::Arc;
use tokio::sync::Notify;

/// Largest module that is taken, in bytes.
pub const MODULE_BYTES_MAX: usize = 64 << 20;

/// Largest JSON body, in bytes: a feed batch, or one message of the largest size.
pub const BODY_BYTES_MAX: usize = 16 << 20;

/// What every handler sees.
pub struct Api {
    /// The node.
    pub host: Arc<Host>,
    /// Those who listen to its events.
    pub events: Arc<EventHub>,
    /// Wakes whoever waits for an order to shut down; the order itself.
    pub shutdown: ShutdownOrder,
}

/// An order to shut down, given once, and its outcome.
#[derive(Default)]
pub struct ShutdownOrder {
    ordered: Notify,
    timeout_ms: parking_lot::Mutex<Option<u64>>,
    summary: tokio::sync::watch::Sender<Option<actorhost_wire::api::ShutdownReply>>,
}

impl ShutdownOrder {
    /// Orders the node to shut down, within `timeout_ms` milliseconds if given.
    pub fn order(&self, timeout_ms: Option<u64>) {
        *self.timeout_ms.lock() = timeout_ms;
        self.ordered.notify_one();
    }

    /// Waits for the order; returns its time limit, in milliseconds.
    pub async fn ordered(&self) -> Option<u64> {
        self.ordered.notified().await;
        *self.timeout_ms.lock()
    }

    /// Says how the shutdown went.
    pub fn finished(&self, summary: actorhost_wire::api::ShutdownReply) {
        self.summary.send_replace(Some(summary));
    }

    /// Waits for the shutdown's end.
    pub async fn outcome(&self) -> Option<actorhost_wire::api::ShutdownReply> {
        let mut summary = self.summary.subscribe();
        let outcome = summary.wait_for(Option::is_some).await.ok()?;
        outcome.clone()
    }
}

/// The routes.
pub fn router(api: Arc<Api>) -> Router {
    let modules = Router::new()
        .route("/v1/deploy", post(deploy::deploy))
        .route("/v1/swap", post(deploy::swap))
        .layer(DefaultBodyLimit::max(MODULE_BYTES_MAX));
    Router::new()
        .route("/v1/node", get(node::info))
        .route("/v1/stats", get(stats::stats))
        .route("/v1/tree", get(node::tree))
        .route("/v1/dead-letters", get(dead_letters::list))
        .route("/v1/dead-letters/{id}", get(dead_letters::show))
        .route("/v1/dead-letters/redrive", post(dead_letters::redrive))
        .route("/v1/dead-letters/purge", post(dead_letters::purge))
        .route("/v1/events", get(events::events))
        .route("/v1/shutdown", post(node::shutdown))
        .route("/v1/actors", get(actors::list))
        .route("/v1/spawn", post(actors::spawn))
        .route("/v1/tell", post(actors::tell))
        .route("/v1/ask", post(actors::ask))
        .route("/v1/stop", post(actors::stop))
        .route("/v1/restart", post(actors::restart))
        .route("/v1/feed", post(feed::feed))
        .route("/v1/children", get(children::list))
        .route("/v1/children/count", get(children::count))
        .route("/v1/children/add", post(children::add))
        .route("/v1/children/terminate", post(children::terminate))
        .route("/v1/children/restart", post(children::restart))
        .route("/v1/children/remove", post(children::remove))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .merge(modules)
        .fallback(error::no_such_route)
        .with_state(api)
}
