//! Write behaviours for actorhost: actors that run sandboxed, one WebAssembly
//! component instance each.
//!
//! A behaviour is a type that implements [`Actor`] under the attribute
//! [`macro@actor`]. A plain `cargo build --target wasm32-wasip2` of its crate (with
//! `crate-type = ["cdylib", "rlib"]` and a dependency on `serde`) makes a module
//! that a node can deploy; a plain `cargo test` tests it without a node, with the
//! help of the module `testing`, which only native targets have.
//!
//! ```
//! use actorhost_sdk::prelude::*;
//!
//! #[derive(Serialize, Deserialize, Schema)]
//! enum Msg { Deposit { cents: u64 }, Withdraw { cents: u64 }, Balance }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
//! enum Reply { Balance { cents: u64 }, InsufficientFunds { missing: u64 } }
//!
//! #[derive(Default, Serialize, Deserialize, Schema)]
//! struct Account { cents: u64 }
//!
//! #[actor]
//! impl Actor for Account {
//!     type Args = ();
//!     type Message = Msg;
//!     type Reply = Reply;
//!
//!     fn handle(&mut self, msg: Msg, _ctx: &mut Context<Self>) -> Reply {
//!         match msg {
//!             Msg::Deposit { cents } => self.cents += cents,
//!             Msg::Withdraw { cents } if cents > self.cents => {
//!                 return Reply::InsufficientFunds { missing: cents - self.cents };
//!             }
//!             Msg::Withdraw { cents } => self.cents -= cents,
//!             Msg::Balance => {}
//!         }
//!         Reply::Balance { cents: self.cents }
//!     }
//! }
//!
//! let mut ctx = Context::mock();
//! let mut account = Account::default();
//! account.handle(Msg::Deposit { cents: 70 }, &mut ctx);
//! assert_eq!(
//!     account.handle(Msg::Withdraw { cents: 100 }, &mut ctx),
//!     Reply::InsufficientFunds { missing: 30 },
//! );
//! ```
//!
//! # What the node promises a turn
//!
//! Handling one message is a *turn*. What a turn does outwardly (tells, spawns,
//! stops, watches, timers, names, its reply) is held until it succeeds, or until it
//! calls [`Context::ask`], [`Context::flush`] or a [`Supervisor`]. A turn that panics
//! does none of what is still held, and loses nothing but its own message.
//!
//! # What ends when
//!
//! | until | what |
//! |---|---|
//! | this life ends (crash, restart, stop) | timers, links, trapped exits, watches, kept [`ReplyToken`]s, questions asked for later |
//! | the actor ends | names, groups, stash, those who watch it |
//!
//! Sleep and hot swap end none of them.

/// The examples of that page.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guests.md")]
mod guests_page {}

// The derive names its trait by this path, in this crate too.
extern crate self as actorhost_sdk;

mod actor;
mod address;
mod child;
mod codec;
mod context;
mod description;
mod error;
mod exit;
mod later;
mod life;
pub mod machine;

#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod component;
#[cfg(not(target_family = "wasm"))]
pub mod testing;

pub use actor::{Actor, Behaviour};
/// See the examples at [`Actor`] and, for `state_version`, at [`Actor::migrate`].
///
/// ```
/// use actorhost_sdk::{Behaviour, prelude::*};
///
/// /// Holds an open connection, say, which no other instance could take over.
/// #[derive(Default)]
/// struct Unsaved;
///
/// #[actor(name = "unsaved", no_save)]
/// impl Actor for Unsaved {
///     type Args = ();
///     type Message = String;
///     type Reply = u64;
///
///     fn handle(&mut self, text: String, _ctx: &mut Context<Self>) -> u64 {
///         text.len() as u64
///     }
/// }
///
/// assert!(!Unsaved::CAN_SAVE);
/// ```
pub use actorhost_sdk_macros::actor;
pub use address::{ActorRef, Level, StopMode};
pub use child::{ChildCounts, ChildSpec, RestartType};
pub use codec::{DecodeError, decode, encode};
pub use context::{Context, Published, Supervisor, TimerId};
pub use description::Description;
pub use error::{
    AskError, ChildError, InitError, LinkError, NameError, ReplyError, SendError, SpawnError,
    StashError, TimerError,
};
pub use exit::{Crash, ExitReason};
pub use later::{AskId, LaterReply, ReplyToken};
pub use life::Life;
pub use postcard_schema;
/// ```
/// use actorhost_sdk::prelude::*;
///
/// #[derive(Serialize, Deserialize, Schema)]
/// #[serde(rename_all = "kebab-case")]
/// enum Order { TurnLeft { by_degrees: f32 }, GoStraight }
///
/// let schema = format!("{:?}", Order::SCHEMA);
/// assert!(schema.contains("turn-left") && schema.contains("by_degrees"));
/// ```
pub use schema::Schema;

/// The trait and the derive of one name.
mod schema {
    // Another crate of the build may switch on `postcard_schema`'s derive, which
    // has the same name as ours; an explicit import wins over a glob.
    pub use actorhost_sdk_macros::Schema;
    #[allow(unused_imports, reason = "only the trait of the glob is used")]
    pub use postcard_schema::*;
}

/// All that a behaviour usually needs.
///
/// ```
/// use actorhost_sdk::prelude::*;
///
/// #[derive(Serialize, Deserialize, Schema)]
/// struct Ping;
/// ```
pub mod prelude {
    pub use crate::{
        Actor, ActorRef, AskError, AskId, ChildError, ChildSpec, Context, Crash, ExitReason,
        InitError, LaterReply, Level, LinkError, NameError, ReplyError, ReplyToken, RestartType,
        Schema, SendError, SpawnError, StashError, StopMode, TimerError, TimerId, actor,
    };
    pub use serde::{Deserialize, Serialize};
    pub use std::time::Duration;
}
