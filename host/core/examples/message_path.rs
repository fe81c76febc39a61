//! What the machine itself spends on a message, without any sandbox: run it under
//! `valgrind --tool=callgrind` and divide by the number of messages
//! (`just instructions` does both).
//!
//! `message_path tell|ask|nested-ask MESSAGES`: one thread, virtual time, behaviours
//! in native code that do nothing else.

use actorhost_core::{
    ActorId, ChildSpec, Crash, Engine, Envelope, ExitReason, Instance, Limits, ModuleInfo, Node,
    NodeConfig, Payload, Turn, node::Place, observe::Silent, sim::Sim, spec::RestartBudget,
};
use bytes::Bytes;
use std::sync::Arc;

struct Native;

struct Actor {
    turn: Turn<Native>,
}

/// Tag, peer, count.
fn message(tag: u8, peer: u64, left: u64) -> Bytes {
    let mut bytes = vec![tag];
    bytes.extend(peer.to_le_bytes());
    bytes.extend(left.to_le_bytes());
    bytes.into()
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}

const VOLLEY: u8 = 0;
const ECHO: u8 = 1;
const ASK_MANY: u8 = 2;

impl Engine for Native {
    type Module = ModuleInfo;
    type Instance = Actor;

    fn info<'m>(&self, module: &'m ModuleInfo) -> &'m ModuleInfo {
        module
    }

    async fn instantiate(
        &self,
        _: &Arc<ModuleInfo>,
        turn: Turn<Self>,
        _: &Limits,
    ) -> Result<Actor, Crash> {
        Ok(Actor { turn })
    }
}

impl Instance for Actor {
    type Engine = Native;

    fn turn(&mut self) -> &mut Turn<Native> {
        &mut self.turn
    }

    async fn init(&mut self, _: Bytes) -> Result<(), Crash> {
        Ok(())
    }

    async fn handle(&mut self, envelope: Envelope) -> Result<Option<Bytes>, Crash> {
        let Payload::Message(bytes) = envelope.payload else {
            return Ok(None);
        };
        let (peer, left) = (word(&bytes[1..]), word(&bytes[9..]));
        match bytes[0] {
            VOLLEY if left > 0 => {
                let back = message(VOLLEY, self.turn.self_id().0, left - 1);
                let _ = self.turn.try_tell(ActorId(peer), &back);
            }
            ASK_MANY => {
                for _ in 0..left {
                    let question = message(ECHO, 0, 0);
                    let answer = self.turn.ask(ActorId(peer), question, 1_000).await;
                    assert!(answer.is_ok());
                }
            }
            _ => {}
        }
        Ok(envelope.wants_reply.then_some(bytes))
    }

    async fn save(&mut self) -> Result<Bytes, Crash> {
        Ok(Bytes::new())
    }

    async fn load(&mut self, _: Bytes, _: u32) -> Result<(), Crash> {
        Ok(())
    }

    async fn stopping(&mut self, _: &ExitReason) -> Result<(), Crash> {
        Ok(())
    }

    fn memory_bytes(&self) -> u64 {
        0
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let workload = args.next().expect("a workload");
    let messages: u64 = args.next().expect("a number").parse().expect("a number");
    let mut sim = Sim::new(1);
    let node = Node::new(NodeConfig {
        engine: Native,
        clock: sim.clock.clone(),
        timers: sim.timers.clone(),
        dispatchers: sim.dispatchers(),
        observer: Arc::new(Silent),
        dead_letters_max: 1_000,
        dead_letter_bytes_max: u64::MAX,
        mailbox_bytes_max: u64::MAX,
        live_max: 1_000,
        live_hard_max: 1_100,
        root_budget: RestartBudget::default(),
    });
    let module = ModuleInfo {
        module_version: "1".into(),
        digest: "1".into(),
        state_version: 1,
        can_save: true,
    };
    node.deploy("b", module, ChildSpec::new("b"));
    let mut spawn = |name| {
        let place = Place::Root { behaviour: "b" };
        let spawned = node.spawn(place, Some(name), None, None);
        sim.block_on(spawned).expect("a free name").id
    };
    let (a, b) = (spawn("a"), spawn("b"));
    match workload.as_str() {
        "tell" => {
            let first = message(VOLLEY, b.0, messages);
            sim.block_on(node.tell(a, first)).expect("room");
            sim.settle();
        }
        "ask" => {
            for _ in 0..messages {
                let asked = node.ask(a, message(ECHO, 0, 0), 1_000);
                sim.block_on(asked).expect("an answer");
            }
        }
        "nested-ask" => {
            let asked = node.ask(a, message(ASK_MANY, b.0, messages), 1_000);
            sim.block_on(asked).expect("an answer");
        }
        other => panic!("unknown workload {other}"),
    }
    assert!(node.totals().handled >= messages, "all were handled");
}
