//! Children: an actor's own, and those of supervisors that it may manage.

use super::{Context, Node, millis};
use crate::{ActorRef, ChildCounts, ChildError, ChildSpec, SpawnError, codec::encode_own};
use serde::Serialize;
use std::{fmt, time::Duration};

/// How long a supervisor may take unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

impl<A> Context<A> {
    /// Spawns a child of this actor from a behaviour's name and arguments. Its
    /// address can be used at once; it starts when the turn succeeds. Without a
    /// name, the node makes one up.
    ///
    /// # Errors
    /// [`SpawnError`] when the node refuses; nothing is spawned.
    ///
    /// # Panics
    /// When the arguments' own `Serialize` fails; derived ones don't.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, SpawnError};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let child = ctx.spawn("counter", &5_u32, Some("first"))?;
    /// ctx.tell(child, &1_u32).expect("a new child has room");
    /// # Ok::<(), SpawnError>(())
    /// ```
    pub fn spawn<Args: Serialize + ?Sized>(
        &self,
        behaviour: &str,
        args: &Args,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        self.node.spawn(behaviour, encode_own(args), name)
    }

    /// The supervisor under a path such as `/shop`, to manage its children. The spec
    /// of this actor must grant it.
    ///
    /// ```
    /// # use actorhost_sdk::{ActorRef, ChildError, ChildSpec, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let shop = ctx.supervisor("/shop");
    /// let till: ActorRef = shop.start(&ChildSpec::new("till-2", "till", &()))?;
    /// ctx.tell(till, "open").expect("a new child has room");
    /// shop.terminate("till-2")?;
    /// shop.delete("till-2")?;
    /// # Ok::<(), ChildError>(())
    /// ```
    pub fn supervisor<'a>(&'a self, path: &'a str) -> Supervisor<'a> {
        Supervisor {
            node: &self.node,
            path,
            timeout: PATIENCE,
        }
    }
}

/// A supervisor whose children are managed while it runs (OTP's `start_child` and its
/// kin), made by [`Context::supervisor`]. Each call waits for its outcome, at most 5 s
/// unless told [otherwise](Self::within), and first releases the effects that the turn
/// holds.
pub struct Supervisor<'a> {
    node: &'a Node,
    path: &'a str,
    timeout: Duration,
}

impl fmt::Debug for Supervisor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supervisor")
            .field("path", &self.path)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Supervisor<'_> {
    /// The same, waiting as long as this (counted in whole milliseconds, rounded up).
    ///
    /// ```
    /// # use actorhost_sdk::{ChildError, Context, testing::Effect};
    /// # use std::time::Duration;
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// let outcome = ctx.supervisor("/shop").within(Duration::from_millis(5)).terminate("till");
    /// assert_eq!(outcome, Ok(()));
    /// let Effect::TerminateChild { timeout_ms, .. } = &ctx.node().effects()[0] else { panic!() };
    /// assert_eq!(*timeout_ms, 5);
    /// ```
    #[must_use]
    pub fn within(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Adds a child, after those that are there, and waits until it has started.
    ///
    /// # Errors
    /// [`ChildError`]; there is then no such child, unless it is `Timeout`.
    ///
    /// ```
    /// # use actorhost_sdk::{ChildError, ChildSpec, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_child(ChildError::AlreadyPresent);
    /// let started = ctx.supervisor("/shop").start(&ChildSpec::new("till", "till", &()));
    /// assert_eq!(started, Err(ChildError::AlreadyPresent));
    /// ```
    pub fn start(&self, spec: &ChildSpec) -> Result<ActorRef, ChildError> {
        self.node.start_child(self.path, spec, millis(self.timeout))
    }

    /// Stops a child and keeps its spec.
    ///
    /// # Errors
    /// [`ChildError`]. A child that does not run is terminated already.
    ///
    /// ```
    /// # use actorhost_sdk::{ChildError, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.supervisor("/shop").terminate("till")?;
    /// # Ok::<(), ChildError>(())
    /// ```
    pub fn terminate(&self, id: &str) -> Result<(), ChildError> {
        self.node
            .terminate_child(self.path, id, millis(self.timeout))
    }

    /// Starts a terminated child again, and waits until it has.
    ///
    /// # Errors
    /// [`ChildError`], such as `Running`.
    ///
    /// ```
    /// # use actorhost_sdk::{ChildError, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_child(ChildError::Running);
    /// assert_eq!(ctx.supervisor("/shop").restart("till"), Err(ChildError::Running));
    /// ```
    pub fn restart(&self, id: &str) -> Result<ActorRef, ChildError> {
        self.node.restart_child(self.path, id, millis(self.timeout))
    }

    /// Forgets the spec of a child that does not run.
    ///
    /// # Errors
    /// [`ChildError`], such as `Running`.
    ///
    /// ```
    /// # use actorhost_sdk::{ChildError, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_fail_child(ChildError::NotFound);
    /// assert_eq!(ctx.supervisor("/shop").delete("tile"), Err(ChildError::NotFound));
    /// ```
    pub fn delete(&self, id: &str) -> Result<(), ChildError> {
        self.node.delete_child(self.path, id, millis(self.timeout))
    }

    /// Counts the children.
    ///
    /// # Errors
    /// [`ChildError`], such as `NoSuchSupervisor`.
    ///
    /// ```
    /// # use actorhost_sdk::{ChildCounts, ChildError, Context};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.node().will_count(ChildCounts { specs: 3, active: 2, supervisors: 1, workers: 2 });
    /// assert_eq!(ctx.supervisor("/shop").count()?.active, 2);
    /// # Ok::<(), ChildError>(())
    /// ```
    pub fn count(&self) -> Result<ChildCounts, ChildError> {
        self.node.count_children(self.path, millis(self.timeout))
    }
}
