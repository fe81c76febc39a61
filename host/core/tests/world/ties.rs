//! What ties actors to each other, asked for in one turn and in order.

use super::{Cmd, Native};
use actorhost_core::{ActorId, Node, Published, StopMode, Turn};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// One act of a turn. As arguments of an actor, a list of them is what its `init`
/// does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Tie {
    Link(u64),
    Unlink(u64),
    Trap(bool),
    Watch(u64),
    Kill(u64),
    /// Stop this actor by `d`rain, `n`ow or `k`ill.
    StopSelf(char),
    /// Spawn a child without a name and perhaps link to it.
    Spawn {
        link: bool,
    },
    /// Spawn a child under a name.
    SpawnAs(String),
    Register(String),
    Unregister(String),
    Lookup(String),
    Join(String),
    Leave(String),
    Members(String),
    /// Publish a `Take` of this number; as `accepted/refused`.
    Publish {
        group: String,
        seq: u64,
    },
    /// Publish so many bytes that are no command.
    PublishBytes {
        group: String,
        bytes: usize,
    },
    /// What `stopping` does from now on.
    OnStop(OnStop),
}

/// What a `stopping` hook does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnStop {
    #[default]
    Return,
    Crash,
    /// Wait for what never comes.
    Hang,
}

thread_local! {
    static NODE: RefCell<Option<Node<Native>>> = const { RefCell::new(None) };
}

/// The node that an actor of this thread's world may shut down.
pub fn set_node(node: Node<Native>) {
    NODE.set(Some(node));
}

pub(super) fn node() -> Node<Native> {
    NODE.with_borrow(|node| node.clone().expect("the test has set its node"))
}

/// The arguments of an actor whose `init` does this.
pub fn args(ties: &[Tie]) -> Bytes {
    postcard::to_stdvec(ties).expect("ties encode").into()
}

/// One turn that does this, and succeeds.
pub fn ties(ties: impl Into<Vec<Tie>>) -> Cmd {
    Cmd::Ties {
        ties: ties.into(),
        crash: false,
    }
}

fn text<T: ToString, E: ToString>(outcome: Result<T, E>) -> String {
    outcome.map_or_else(|error| error.to_string(), |value| value.to_string())
}

fn outcome(published: Published) -> String {
    format!("{}/{}", published.accepted, published.refused)
}

/// Does one act; the text is its result.
pub fn act(turn: &mut Turn<Native>, on_stop: &mut OnStop, tie: Tie) -> String {
    let ok = String::from("ok");
    match tie {
        Tie::Link(to) => return text(turn.link(ActorId(to)).map(|()| "ok")),
        Tie::Unlink(to) => turn.unlink(ActorId(to)),
        Tie::Trap(yes) => turn.trap_exit(yes),
        Tie::Watch(to) => turn.watch(ActorId(to)),
        Tie::Kill(to) => turn.stop(ActorId(to), StopMode::Kill),
        Tie::StopSelf(mode) => {
            let mode = match mode {
                'd' => StopMode::Drain,
                'n' => StopMode::Now,
                _ => StopMode::Kill,
            };
            turn.stop(turn.self_id(), mode);
        }
        Tie::Spawn { link } => {
            let spawned = turn.spawn("b", Bytes::new(), None);
            if let (Ok(id), true) = (&spawned, link) {
                turn.link(*id).expect("a child can be linked");
            }
            return text(spawned.map(|id| id.0));
        }
        Tie::SpawnAs(name) => {
            let spawned = turn.spawn("b", Bytes::new(), Some(&name));
            return text(spawned.map(|id| id.0));
        }
        Tie::Register(name) => return text(turn.register(&name).map(|()| "ok")),
        Tie::Unregister(name) => turn.unregister(&name),
        Tie::Lookup(address) => {
            return turn
                .lookup(&address)
                .map_or_else(|| "none".into(), |id| id.0.to_string());
        }
        Tie::Join(group) => return text(turn.join(&group).map(|()| "ok")),
        Tie::Leave(group) => turn.leave(&group),
        Tie::Members(group) => {
            let ids = turn.members(&group).into_iter();
            let ids: Vec<_> = ids.map(|id| id.0.to_string()).collect();
            return ids.join(" ");
        }
        Tie::Publish { group, seq } => {
            let from = turn.self_id().0;
            return outcome(turn.publish(&group, super::bytes(&super::take(from, seq))));
        }
        Tie::PublishBytes { group, bytes } => {
            return outcome(turn.publish(&group, vec![0; bytes].into()));
        }
        Tie::OnStop(what) => *on_stop = what,
    }
    ok
}

impl super::World {
    /// Does acts in one turn of `id`; the results, with commas.
    pub fn tie(&mut self, id: ActorId, acts: impl Into<Vec<Tie>>) -> String {
        self.ask(id, ties(acts))
    }

    /// Does acts in one turn that crashes.
    pub fn tie_and_crash(&mut self, id: ActorId, acts: impl Into<Vec<Tie>>) -> String {
        let cmd = Cmd::Ties {
            ties: acts.into(),
            crash: true,
        };
        self.ask(id, cmd)
    }

    /// Sends acts without running the world.
    pub fn tie_now(&mut self, id: ActorId, acts: impl Into<Vec<Tie>>) {
        self.tell_now(id, ties(acts));
    }
}
