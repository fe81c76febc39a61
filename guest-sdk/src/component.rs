//! The component's face: generated bindings, and the exports over [`Life`].

use crate::{
    ActorRef, AskError, Behaviour, Description, ExitReason, Level, Life, SendError, SpawnError,
    StopMode,
};
use bindings::actorhost::actor::{runtime, types};
use std::sync::Once;

/// Generated from the WIT package.
#[allow(
    unsafe_code,
    missing_docs,
    clippy::all,
    reason = "generated: memory crosses the component boundary by raw pointers"
)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../wit",
        world: "actor",
        pub_export_macro: true,
        runtime_path: "::actorhost_sdk::component::wit_bindgen::rt",
        default_bindings_module: "::actorhost_sdk::component::bindings",
    });
}

pub use wit_bindgen;

/// Where a component keeps its one actor. Written by the `#[actor]` attribute, as a
/// static can't be generic.
pub trait Hosted {
    /// The behaviour of this component.
    type Actor: Behaviour;

    /// Runs `act` on the life of this instance.
    fn with_life<R>(act: impl FnOnce(&mut Life<Self::Actor>) -> R) -> R;
}

impl<H: Hosted> bindings::Guest for H {
    fn describe() -> types::Description {
        report_panics();
        let d = Description::of::<H::Actor>();
        types::Description {
            name: d.name.to_owned(),
            version: d.version.to_owned(),
            state_version: d.state_version,
            can_save: d.can_save,
            args_schema: d.args_schema,
            message_schema: d.message_schema,
            reply_schema: d.reply_schema,
            state_schema: d.state_schema,
        }
    }

    fn init(args: Vec<u8>) -> Result<(), String> {
        report_panics();
        H::with_life(|life| life.init(&args, Node))
    }

    fn handle(envelope: types::Envelope) -> Result<Option<Vec<u8>>, types::HandleError> {
        let sender = envelope.sender.map(ActorRef::from_raw);
        H::with_life(|life| match envelope.payload {
            types::Payload::Message(message) => life
                .handle(&message, envelope.wants_reply, sender, Node)
                .map_err(types::HandleError::BadMessage),
            types::Payload::Down(down) => {
                life.down(ActorRef::from_raw(down.who), down.reason.into(), Node);
                Ok(None)
            }
        })
    }

    fn save() -> Result<Vec<u8>, String> {
        H::with_life(Life::save)
    }

    fn load(state: Vec<u8>, from_version: u32) -> Result<(), String> {
        report_panics();
        H::with_life(|life| life.load(&state, from_version))
    }

    fn stopping(reason: types::ExitReason) {
        H::with_life(|life| life.stopping(&reason.into(), Node));
    }
}

/// Hands a panic's text to the node before it traps. Called by every export that
/// can be an instance's first.
fn report_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.payload_as_str().unwrap_or("a value that is no text");
            match panic.location() {
                Some(place) => runtime::report_panic(&format!("{message}, at {place}")),
                None => runtime::report_panic(message),
            }
        }));
    });
}

/// The node, by way of this component's imports.
#[derive(Clone, Copy)]
pub(crate) struct Node;

impl Node {
    pub(crate) fn id(&self) -> ActorRef {
        ActorRef::from_raw(runtime::self_id())
    }

    pub(crate) fn path(&self) -> String {
        runtime::self_path()
    }

    pub(crate) fn tell(&self, to: ActorRef, message: Vec<u8>) -> Result<(), SendError> {
        runtime::tell(to.raw(), &message).map_err(SendError::from)
    }

    pub(crate) fn ask(&self, to: ActorRef, message: Vec<u8>, ms: u32) -> Result<Vec<u8>, AskError> {
        runtime::ask(to.raw(), &message, ms).map_err(AskError::from)
    }

    pub(crate) fn spawn(
        &self,
        behaviour: &str,
        args: Vec<u8>,
        name: Option<&str>,
    ) -> Result<ActorRef, SpawnError> {
        match runtime::spawn(behaviour, &args, name) {
            Ok(id) => Ok(ActorRef::from_raw(id)),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn stop(&self, target: ActorRef, mode: StopMode) {
        let mode = match mode {
            StopMode::Drain => types::StopMode::Drain,
            StopMode::Now => types::StopMode::Now,
            StopMode::Kill => types::StopMode::Kill,
        };
        runtime::stop(target.raw(), mode);
    }

    pub(crate) fn watch(&self, target: ActorRef) {
        runtime::watch(target.raw());
    }

    pub(crate) fn unwatch(&self, target: ActorRef) {
        runtime::unwatch(target.raw());
    }

    pub(crate) fn lookup(&self, path: &str) -> Option<ActorRef> {
        runtime::lookup(path).map(ActorRef::from_raw)
    }

    pub(crate) fn flush(&self) {
        runtime::flush();
    }

    pub(crate) fn log(&self, level: Level, line: String) {
        let level = match level {
            Level::Trace => types::Level::Trace,
            Level::Debug => types::Level::Debug,
            Level::Info => types::Level::Info,
            Level::Warn => types::Level::Warn,
            Level::Error => types::Level::Error,
        };
        runtime::log(level, &line);
    }
}

impl From<types::ExitReason> for ExitReason {
    fn from(reason: types::ExitReason) -> Self {
        match reason {
            types::ExitReason::Normal => Self::Normal,
            types::ExitReason::Shutdown => Self::Shutdown,
            types::ExitReason::Killed => Self::Killed,
            types::ExitReason::Crashed(cause) => Self::Crashed(cause),
            types::ExitReason::NoSuchActor => Self::NoSuchActor,
        }
    }
}

impl From<types::SendError> for SendError {
    fn from(error: types::SendError) -> Self {
        match error {
            types::SendError::Full => Self::Full,
            types::SendError::Stopped => Self::Stopped,
            types::SendError::NoSuchActor => Self::NoSuchActor,
            types::SendError::TooLarge(limit) => Self::TooLarge { limit },
            types::SendError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<types::AskError> for AskError {
    fn from(error: types::AskError) -> Self {
        match error {
            types::AskError::Timeout => Self::Timeout,
            types::AskError::Crashed(cause) => Self::Crashed(cause),
            types::AskError::Stopped => Self::Stopped,
            types::AskError::Full => Self::Full,
            types::AskError::NoSuchActor => Self::NoSuchActor,
            types::AskError::TooLarge(limit) => Self::TooLarge { limit },
            types::AskError::Overloaded => Self::Overloaded,
            types::AskError::Deadlock => Self::Deadlock,
        }
    }
}

impl From<types::SpawnError> for SpawnError {
    fn from(error: types::SpawnError) -> Self {
        match error {
            types::SpawnError::UnknownBehaviour => Self::UnknownBehaviour,
            types::SpawnError::Denied => Self::Denied,
            types::SpawnError::NameTaken => Self::NameTaken,
            types::SpawnError::BadName => Self::BadName,
            types::SpawnError::TooLarge(limit) => Self::TooLarge { limit },
            types::SpawnError::Quota => Self::Quota,
        }
    }
}
