//! Requests about a supervisor's children.

use super::{Client, ClientError, MARGIN, WORK, query};
use actorhost_wire::api::{ChildAddRequest, ChildCounts, ChildList, ChildReply, ChildRequest};
use std::time::Duration;

impl Client {
    /// The children of a supervisor, by its path.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn children(&self, supervisor: &str) -> Result<ChildList, ClientError> {
        let query = query(&[("supervisor", Some(supervisor))]);
        self.get(&format!("/v1/children{query}")).await
    }

    /// How many children a supervisor has.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn count_children(&self, supervisor: &str) -> Result<ChildCounts, ClientError> {
        let query = query(&[("supervisor", Some(supervisor))]);
        self.get(&format!("/v1/children/count{query}")).await
    }

    /// Adds a child and waits for its `init`.
    ///
    /// # Errors
    /// [`ClientError`]; then it was not added.
    pub async fn add_child(&self, request: &ChildAddRequest) -> Result<ChildReply, ClientError> {
        let limit = limit(request.timeout_ms);
        self.post("/v1/children/add", request, limit).await
    }

    /// Stops a child and keeps its place.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn terminate_child(&self, request: &ChildRequest) -> Result<ChildReply, ClientError> {
        let limit = limit(request.timeout_ms);
        self.post("/v1/children/terminate", request, limit).await
    }

    /// Starts a terminated child again and waits for its `init`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn restart_child(&self, request: &ChildRequest) -> Result<ChildReply, ClientError> {
        let limit = limit(request.timeout_ms);
        self.post("/v1/children/restart", request, limit).await
    }

    /// Gives up the place of a child that does not run.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn remove_child(&self, request: &ChildRequest) -> Result<ChildReply, ClientError> {
        let limit = limit(request.timeout_ms);
        self.post("/v1/children/remove", request, limit).await
    }
}

fn limit(timeout_ms: Option<u64>) -> Duration {
    timeout_ms
        .map_or(WORK, Duration::from_millis)
        .saturating_add(MARGIN)
}
