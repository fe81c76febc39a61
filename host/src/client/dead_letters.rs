//! Requests about dead letters.

use super::{Client, ClientError, FEED, query};
use actorhost_wire::api::{
    DeadLetterInfo, DeadLetterList, LetterSelection, PurgeReply, PurgeRequest, RedriveReply,
    RedriveRequest,
};

impl Client {
    /// The newest dead letters, at most `limit`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn dead_letters(&self, limit: Option<u64>) -> Result<DeadLetterList, ClientError> {
        self.select_dead_letters(&LetterSelection::default(), limit)
            .await
    }

    /// The newest dead letters that fit the filters of a selection, at most `limit`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn select_dead_letters(
        &self,
        filters: &LetterSelection,
        limit: Option<u64>,
    ) -> Result<DeadLetterList, ClientError> {
        let limit = limit.map(|limit| limit.to_string());
        let younger_ms = filters.younger_ms.map(|ms| ms.to_string());
        let query = query(&[
            ("limit", limit.as_deref()),
            ("reason", filters.reason.as_deref()),
            ("to", filters.to.as_deref()),
            ("younger_ms", younger_ms.as_deref()),
        ]);
        self.get(&format!("/v1/dead-letters{query}")).await
    }

    /// One dead letter.
    ///
    /// # Errors
    /// [`ClientError`], also when it is not kept.
    pub async fn dead_letter(&self, id: u64) -> Result<DeadLetterInfo, ClientError> {
        self.get(&format!("/v1/dead-letters/{id}")).await
    }

    /// Sends dead letters again. Those that were refused are in the reply.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn redrive(&self, request: &RedriveRequest) -> Result<RedriveReply, ClientError> {
        self.post("/v1/dead-letters/redrive", request, FEED).await
    }

    /// Throws dead letters away.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn purge(&self, request: &PurgeRequest) -> Result<PurgeReply, ClientError> {
        self.post("/v1/dead-letters/purge", request, super::WORK)
            .await
    }
}
