//! Management of a supervisor's children by an actor whose spec grants it.

use super::Turn;
use crate::{
    ActorId, Engine, RestartType,
    supervisor::{ChildCounts, ChildEntry, ChildError, Order},
};
use bytes::Bytes;

/// A child that an actor adds to a supervisor. What it does not say is that of its
/// behaviour's template.
#[derive(Debug, Clone)]
pub struct NewChild<'a> {
    /// Its name among the supervisor's children.
    pub id: &'a str,
    /// Name of its behaviour.
    pub behaviour: &'a str,
    /// Arguments of `init`.
    pub args: Bytes,
    /// When it is started again.
    pub restart: RestartType,
    /// Whether its end counts for the supervisor's automatic shutdown.
    pub significant: bool,
}

/// Each of these releases the effects held so far, as [`Turn::ask`] does, and waits
/// at most `timeout_ms` milliseconds; an order that timed out may still be carried
/// out. An actor that has its own supervisor stop it hears `timeout`, or is killed
/// after its shutdown time if that comes first.
impl<E: Engine> Turn<E> {
    /// Adds a child to a supervisor and waits until it has started.
    ///
    /// # Errors
    /// Why there is no such child now.
    pub async fn start_child(
        &mut self,
        supervisor: &str,
        child: NewChild<'_>,
        timeout_ms: u64,
    ) -> Result<ActorId, ChildError> {
        self.may_supervise(supervisor)?;
        let spec = &self.cell.spec;
        let limit = spec.limits.message_bytes;
        if child.args.len() as u64 > limit {
            let why = format!("the arguments are larger than {limit} bytes");
            return Err(ChildError::BadSpec(why));
        }
        let mut spec = self.cell.node.spec_of(child.behaviour).ok_or_else(|| {
            ChildError::BadSpec(format!("the node has no behaviour {}", child.behaviour))
        })?;
        spec.args = child.args;
        spec.restart = child.restart;
        let mut entry = ChildEntry::actor(child.id, spec);
        entry.significant = child.significant;
        let started = self.order(supervisor, Order::Start(entry.into()), timeout_ms);
        self::started(started.await?)
    }

    /// Stops a child as a shutdown would and keeps its spec, unless it is temporary.
    ///
    /// # Errors
    /// When there is no such child, or no answer.
    pub async fn terminate_child(
        &mut self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<(), ChildError> {
        let order = Order::Terminate(id.into());
        self.order(supervisor, order, timeout_ms).await.map(drop)
    }

    /// Starts a child again that does not run. It has a new address.
    ///
    /// # Errors
    /// Why it does not run now, or runs already. A child that is a supervisor has no
    /// address to return: for it that is the error `bad-spec`, and nothing is done.
    pub async fn restart_child(
        &mut self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<ActorId, ChildError> {
        self.may_supervise(supervisor)?;
        if self.cell.node.is_supervisor(supervisor, id) {
            let why = format!("{id} is a supervisor, which the operator restarts");
            return Err(ChildError::BadSpec(why));
        }
        let order = Order::Restart(id.into());
        started(self.order(supervisor, order, timeout_ms).await?)
    }

    /// Forgets the spec of a child that does not run.
    ///
    /// # Errors
    /// When it runs, or there is no such child.
    pub async fn delete_child(
        &mut self,
        supervisor: &str,
        id: &str,
        timeout_ms: u64,
    ) -> Result<(), ChildError> {
        let order = Order::Delete(id.into());
        self.order(supervisor, order, timeout_ms).await.map(drop)
    }

    /// Counts a supervisor's children. It does not wait for the supervisor.
    ///
    /// # Errors
    /// When there is no such supervisor, or the spec does not grant it.
    pub async fn count_children(
        &mut self,
        supervisor: &str,
        _timeout_ms: u64,
    ) -> Result<ChildCounts, ChildError> {
        self.may_supervise(supervisor)?;
        self.flush();
        self.cell.node.child_counts(supervisor)
    }

    async fn order(
        &mut self,
        supervisor: &str,
        order: Order,
        timeout_ms: u64,
    ) -> Result<Option<ActorId>, ChildError> {
        self.may_supervise(supervisor)?;
        self.flush();
        let node = self.cell.node.clone();
        node.order_within(supervisor, order, timeout_ms).await
    }

    fn may_supervise(&self, supervisor: &str) -> Result<(), ChildError> {
        let granted = self.cell.spec.may_supervise.iter();
        let mut granted = granted.map(|grant| grants(grant, supervisor));
        let is_granted = granted.any(|granted| granted);
        is_granted.then_some(()).ok_or(ChildError::Denied)
    }
}

/// The supervisor answers a start with an address; it has none for a supervisor,
/// which an actor cannot start.
fn started(id: Option<ActorId>) -> Result<ActorId, ChildError> {
    id.ok_or(ChildError::NotFound)
}

/// Whether a grant, an exact path or a prefix that ends in `/*`, covers a path.
fn grants(grant: &str, path: &str) -> bool {
    match grant.strip_suffix("/*") {
        Some(prefix) => path
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| !rest.is_empty()),
        None => grant == path,
    }
}

#[cfg(test)]
mod tests {
    use super::grants;

    #[test]
    fn a_grant_is_a_path_or_all_below_one() {
        for (grant, path, expected) in [
            ("/app", "/app", true),
            ("/app", "/app/a", false),
            ("/app", "/apple", false),
            ("/app/*", "/app", false),
            ("/app/*", "/app/a", true),
            ("/app/*", "/app/a/b", true),
            ("/app/*", "/apple/a", false),
            ("/*", "/app", true),
            ("/*", "/", false),
            ("/", "/", true),
        ] {
            assert_eq!(grants(grant, path), expected, "{grant} {path}");
        }
    }
}
