//! What the actors of a chat say to each other.

use actorhost_sdk::prelude::*;

/// To the lobby.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum ToLobby {
    /// A member has come into a room. The sender is the member.
    Came {
        /// The member's name.
        name: String,
        /// The room.
        room: String,
    },
    /// Who is in a room?
    Who {
        /// The room.
        room: String,
    },
}

/// To a member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum ToMember {
    /// From its user: say this in the room.
    Say(String),
    /// From its user: what have you heard?
    Heard,
    /// From its user: leave the room and end.
    Leave,
    /// From the room.
    News(News),
    /// From its own timer: its user has said nothing for a while.
    Idle,
}

/// What a room hears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum News {
    /// Somebody came.
    Came(String),
    /// Somebody said something.
    Said {
        /// Who.
        from: String,
        /// What.
        text: String,
    },
    /// Somebody has been quiet for a while.
    Away(String),
    /// Somebody left, or was lost.
    Left(String),
}

/// The group of a room's members.
pub fn group(room: &str) -> String {
    format!("room:{room}")
}
