//! The seam between the machine and what runs a behaviour.

use crate::{ActorId, AskError, Crash, ExitReason, Limits, Turn};
use bytes::Bytes;
use std::{future::Future, sync::Arc};

/// What a module says of itself, as far as the machine needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleInfo {
    /// Version that the module gives itself, such as `0.1.0`.
    pub module_version: String,
    /// SHA-256 of its bytes in hex; for native behaviours any unique text.
    pub digest: String,
    /// Version of the state that it saves.
    pub state_version: u32,
    /// Whether its state can be saved and loaded.
    pub can_save: bool,
}

/// Makes instances of modules. One per node.
pub trait Engine: Send + Sync + Sized + 'static {
    /// A deployed module, shared by all its instances.
    type Module: Send + Sync + 'static;
    /// One incarnation's private sandbox.
    type Instance: Instance<Engine = Self>;

    /// What the module says of itself.
    fn info<'m>(&self, module: &'m Self::Module) -> &'m ModuleInfo;

    /// A fresh instance that runs nothing yet. It owns `turn` until it is dropped.
    ///
    /// # Errors
    /// A [`Crash`] when no instance can be made.
    fn instantiate(
        &self,
        module: &Arc<Self::Module>,
        turn: Turn<Self>,
        limits: &Limits,
    ) -> impl Future<Output = Result<Self::Instance, Crash>> + Send;
}

/// One incarnation of an actor. Every call may suspend: on a used-up fuel slice it
/// wakes itself before it returns pending, on a wait it is woken later. Dropping
/// the future of a call poisons the instance; the machine then drops it too.
///
/// After a call returned an error, no other is made, with one exception: a `save`
/// that ended with [`CrashKind::SaveFailed`](crate::CrashKind) only refused, and the
/// instance goes on as it was.
pub trait Instance: Send + 'static {
    /// The engine it belongs to.
    type Engine: Engine;

    /// What the running turn may do to the node.
    fn turn(&mut self) -> &mut Turn<Self::Engine>;

    /// Begins a life from arguments.
    fn init(&mut self, args: Bytes) -> impl Future<Output = Result<(), Crash>> + Send;

    /// Handles one envelope; the bytes are the reply, if one is wanted.
    fn handle(
        &mut self,
        envelope: Envelope,
    ) -> impl Future<Output = Result<Option<Bytes>, Crash>> + Send;

    /// The state as bytes.
    fn save(&mut self) -> impl Future<Output = Result<Bytes, Crash>> + Send;

    /// Begins a life from saved bytes.
    fn load(
        &mut self,
        state: Bytes,
        from_version: u32,
    ) -> impl Future<Output = Result<(), Crash>> + Send;

    /// The last call of an orderly end.
    fn stopping(&mut self, reason: &ExitReason) -> impl Future<Output = Result<(), Crash>> + Send;

    /// Memory held by the sandbox now, in bytes.
    fn memory_bytes(&self) -> u64;
}

/// What a behaviour is given to handle.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The sending actor; none for the command line and other outsiders.
    pub sender: Option<ActorId>,
    /// Whether somebody waits for the reply.
    pub wants_reply: bool,
    /// The thing itself.
    pub payload: Payload,
}

/// The content of an envelope.
#[derive(Debug, Clone)]
pub enum Payload {
    /// Postcard bytes of the behaviour's message type.
    Message(Bytes),
    /// A watched actor ended.
    Down {
        /// Which one.
        who: ActorId,
        /// Why.
        reason: ExitReason,
    },
    /// A linked actor's life ended, and this actor traps exits.
    Exit {
        /// Which one.
        who: ActorId,
        /// Why.
        reason: ExitReason,
    },
    /// The answer to a question asked with [`Turn::ask_later`].
    Reply {
        /// Which question.
        ask: u64,
        /// What came of it.
        // Boxed: rare, and larger than a message.
        outcome: Box<Result<Bytes, AskError>>,
    },
}
