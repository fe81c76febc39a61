//! What a behaviour says of itself when it is deployed.

use crate::{Behaviour, Schema, codec::encode_own};
use postcard_schema::schema::NamedType;

/// Name, versions and schemas of a behaviour. Each schema is the postcard bytes of
/// a [`NamedType`].
///
/// ```
/// use actorhost_sdk::{Description, prelude::*};
///
/// #[derive(Default, Serialize, Deserialize, Schema)]
/// struct Echo;
///
/// #[actor(name = "echo", no_save)]
/// impl Actor for Echo {
///     type Args = ();
///     type Message = String;
///     type Reply = String;
///
///     fn handle(&mut self, text: String, _ctx: &mut Context<Self>) -> String {
///         text
///     }
/// }
///
/// let description = Description::of::<Echo>();
/// assert_eq!(description.name, "echo");
/// assert_eq!(description.state_schema, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// By default the crate's name.
    pub name: &'static str,
    /// The crate's version.
    pub version: &'static str,
    /// The version of the saved state.
    pub state_version: u32,
    /// Whether the state can be saved and loaded.
    pub can_save: bool,
    /// Schema of [`Actor::Args`](crate::Actor::Args).
    pub args_schema: Vec<u8>,
    /// Schema of [`Actor::Message`](crate::Actor::Message).
    pub message_schema: Vec<u8>,
    /// Schema of [`Actor::Reply`](crate::Actor::Reply).
    pub reply_schema: Vec<u8>,
    /// Schema of the state, where it can be saved.
    pub state_schema: Option<Vec<u8>>,
}

impl Description {
    /// Describes a behaviour. The example of the type shows it.
    pub fn of<A: Behaviour>() -> Self {
        Self {
            name: A::NAME,
            version: A::VERSION,
            state_version: A::STATE_VERSION,
            can_save: A::CAN_SAVE,
            args_schema: schema_bytes(A::Args::SCHEMA),
            message_schema: schema_bytes(A::Message::SCHEMA),
            reply_schema: schema_bytes(A::Reply::SCHEMA),
            state_schema: A::state_schema().map(schema_bytes),
        }
    }
}

fn schema_bytes(schema: &'static NamedType) -> Vec<u8> {
    encode_own(schema)
}
