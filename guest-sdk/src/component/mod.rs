//! The component's face: generated bindings, and the exports over [`Life`].

mod convert;
mod node;

pub(crate) use node::Node;

use crate::{ActorRef, AskError, AskId, Behaviour, Description, LaterReply, Life};
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
            types::Payload::Exit(end) => {
                life.exit(ActorRef::from_raw(end.who), end.reason.into(), Node);
                Ok(None)
            }
            types::Payload::Reply(reply) => {
                let ask = AskId::from_raw(reply.ask);
                let outcome = LaterReply::new(reply.outcome.map_err(AskError::from));
                life.replied(ask, outcome, Node);
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
