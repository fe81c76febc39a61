//! The order to stop one actor, from outside.

use super::Node;
use crate::{ActorId, Engine, ExitReason, turn::StopMode};
use std::sync::Arc;

/// An actor that has ended, as an order to stop it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Where it lived.
    pub path: Arc<str>,
    /// Why it ended: also another order or a crash may have come first.
    pub reason: ExitReason,
    /// Whether it had ended before the order came.
    pub already: bool,
}

impl<E: Engine> Node<E> {
    /// Stops an actor for good and waits for its end. After `timeout_ms` milliseconds
    /// (its own shutdown time if none) it is killed. Of one that has ended before it
    /// tells how. None when there never was such an actor, or it ended so long ago
    /// that it is forgotten.
    pub async fn stop(
        &self,
        id: ActorId,
        mode: StopMode,
        timeout_ms: Option<u64>,
    ) -> Option<Stopped> {
        let Some(cell) = self.0.registry.get(id) else {
            let ended = self.0.registry.ended(id)?;
            return Some(Stopped {
                path: ended.path,
                reason: ended.reason?,
                already: true,
            });
        };
        let timeout_ms = timeout_ms.unwrap_or(cell.spec.shutdown_ms);
        self.0.order_stop(&cell, mode, timeout_ms).await;
        Some(Stopped {
            path: cell.path.clone(),
            reason: cell.ended.wait().await,
            already: false,
        })
    }
}
