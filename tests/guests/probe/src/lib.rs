//! A behaviour for tests: it does as it is told, also what is wrong, and says what
//! it has seen. The second version (feature `v2`) has one more field in its state.
#![allow(
    missing_docs,
    reason = "fields of messages are told by their variant's line"
)]

mod acts;
mod faults;
mod messages;

pub use faults::SaveFault;
pub use messages::*;

use actorhost_sdk::prelude::*;
use std::{
    hash::{BuildHasher, RandomState},
    time::SystemTime,
};

/// What both versions remember.
#[derive(Default, Serialize, Deserialize, Schema)]
pub struct Memory {
    total: i64,
    seen: Vec<String>,
    notes: Vec<SenderReport>,
    downs: Vec<SeenDown>,
    token: u64,
    farewell: Farewell,
    load_fault: Fault,
    save_fault: SaveFault,
    events: Vec<Event>,
    /// Whether records are stashed.
    stashing: bool,
    /// Whether questions for records are kept open.
    keeping: bool,
    kept: Vec<ReplyToken>,
    answered: Option<ReplyToken>,
    stashed_twice: bool,
}

/// One probe.
#[derive(Default, Serialize, Deserialize, Schema)]
pub struct Probe {
    memory: Memory,
    #[cfg(feature = "v2")]
    migrated_from: Option<u32>,
    #[serde(skip)]
    turns_here: u64,
    #[serde(skip)]
    hoard: Vec<Vec<u8>>,
}

#[cfg_attr(not(feature = "v2"), actor(name = "probe"))]
#[cfg_attr(feature = "v2", actor(name = "probe", state_version = 2))]
impl Actor for Probe {
    type Args = Args;
    type Message = Message;
    type Reply = Reply;

    fn init(args: Args, ctx: &mut Context<Self>) -> Result<Self, InitError> {
        if args.announce == Some(true) {
            ctx.info("init");
        }
        if let Some(fault) = &args.fault {
            fault.strike(ctx)?;
        }
        if let Some(target) = args.watch {
            ctx.watch(target);
        }
        let children = args.children.iter().flatten();
        for name in args.child.iter().chain(children) {
            ctx.spawn("probe", &Args::default(), Some(name))?;
        }
        if let Some(target) = args.link {
            ctx.link(target)?;
        }
        if let Some(yes) = args.trap_exit {
            ctx.trap_exit(yes);
        }
        if let Some(name) = &args.register {
            ctx.register(name)?;
        }
        if let Some(ms) = args.tick_ms {
            let (period, text) = (Duration::from_millis(ms), "tick".to_owned());
            ctx.set_interval("tick", period, period, &Message::Record { text })?;
        }
        let mut probe = Self::default();
        probe.memory.total = args.start;
        probe.memory.token = RandomState::new().hash_one(SystemTime::now());
        Ok(probe)
    }

    fn handle(&mut self, message: Message, ctx: &mut Context<Self>) -> Reply {
        self.turns_here += 1;
        self.act(message, ctx)
    }

    fn down(&mut self, who: ActorRef, reason: ExitReason, _ctx: &mut Context<Self>) {
        self.turns_here += 1;
        self.memory.downs.push(SeenDown {
            id: who,
            reason: reason.to_string(),
        });
        self.memory.events.push(Event::Down { id: who, reason });
    }

    fn exit(&mut self, who: ActorRef, reason: ExitReason, _ctx: &mut Context<Self>) {
        self.turns_here += 1;
        self.memory.events.push(Event::Exit { id: who, reason });
    }

    fn replied(&mut self, ask: AskId, reply: LaterReply, _ctx: &mut Context<Self>) {
        self.turns_here += 1;
        let (text, error) = match reply.decode() {
            Ok(Reply::Text(text)) => (Some(text), None),
            Ok(other) => (None, Some(format!("{other:?}"))),
            Err(error) => (None, Some(error.to_string())),
        };
        self.memory.events.push(Event::Reply { ask, text, error });
    }

    fn stopping(&mut self, reason: &ExitReason, ctx: &mut Context<Self>) {
        self.memory.farewell.bid(reason, ctx);
    }

    #[cfg(feature = "v2")]
    fn migrate(from_version: u32, bytes: &[u8]) -> Result<Self, String> {
        if from_version != 1 {
            return Err(format!("state version {from_version} is not known"));
        }
        let memory: Memory = actorhost_sdk::decode(bytes)?;
        memory.load_fault.strike("load")?;
        Ok(Self {
            memory,
            migrated_from: Some(from_version),
            ..Self::default()
        })
    }
}

impl Probe {
    fn migrated_from(&self) -> Option<u32> {
        #[cfg(feature = "v2")]
        return self.migrated_from;
        #[cfg(not(feature = "v2"))]
        None
    }
}

#[cfg(test)]
mod tests;
