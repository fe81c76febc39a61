//! One node with the benchmark's behaviour, and the moves of all workloads.

use actorhost::{
    behaviour::{WasmEngine, WasmModule},
    node::{Host, HostConfig},
};
use actorhost_core::{
    ActorId, ChildSpec, MailboxSpec, Node, Overflow, node::Place, observe::Silent,
    spec::RestartBudget,
};
use anyhow::{Context, anyhow};
use bench_guest::Message;
use bytes::Bytes;
use std::{path::PathBuf, sync::Arc};

/// The root of this repository's workspace.
pub fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub struct Rig {
    host: Host,
    bytes: Vec<u8>,
}

/// Longest wait for anything, in milliseconds: a benchmark that hangs ends.
const WAIT_MS_MAX: u64 = 120_000;

pub fn encode(message: &Message) -> Bytes {
    postcard::to_stdvec(message)
        .expect("a message encodes")
        .into()
}

impl Rig {
    pub async fn start(bytes: Vec<u8>) -> anyhow::Result<Self> {
        let config = HostConfig {
            name: "bench".into(),
            ..HostConfig::default()
        };
        let rig = Self {
            host: Host::start(config, Arc::new(Silent))?,
            bytes,
        };
        let module = rig.module(0).await?;
        rig.node().deploy("device", module, spec());
        Ok(rig)
    }

    pub fn node(&self) -> &Node<WasmEngine> {
        &self.host.node
    }

    /// The module, made another one by a custom section of this number.
    pub async fn module(&self, number: u8) -> anyhow::Result<WasmModule> {
        let mut bytes = self.bytes.clone();
        // Section 0, 3 bytes: a name of one byte and its content.
        bytes.extend([0, 3, 1, b'n', number]);
        Ok(self.node().engine().deploy(bytes.into()).await?)
    }

    pub async fn spawn(&self) -> anyhow::Result<ActorId> {
        let place = Place::Root {
            behaviour: "device",
        };
        Ok(self.node().spawn(place, None, None, None).await?.id)
    }

    pub async fn spawn_many(&self, count: u32) -> anyhow::Result<Vec<ActorId>> {
        let mut ids = Vec::with_capacity(count as usize);
        for _ in 0..count {
            ids.push(self.spawn().await?);
        }
        Ok(ids)
    }

    pub async fn ask(&self, to: ActorId, message: &Message) -> anyhow::Result<u64> {
        let asked = self.node().ask(to, encode(message), WAIT_MS_MAX).await;
        let reply = asked.map_err(|error| anyhow!("ask: {error}"))?;
        postcard::from_bytes(&reply).context("a reply decodes")
    }

    pub async fn tell(&self, to: ActorId, message: &Message) -> anyhow::Result<()> {
        self.node()
            .tell(to, encode(message))
            .await
            .map_err(|error| anyhow!("tell: {error}"))
    }

    /// Waits until an actor has counted to `count`.
    pub async fn until(&self, id: ActorId, count: u64) -> anyhow::Result<()> {
        loop {
            let handled = self.node().actor(id).context("the actor lives")?.handled;
            if handled >= count {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_micros(200)).await;
        }
    }

    pub async fn close(self) {
        self.host.node.shutdown(WAIT_MS_MAX).await;
        self.host.close();
    }
}

fn spec() -> ChildSpec {
    ChildSpec {
        args: Bytes::new(),
        mailbox: MailboxSpec {
            capacity: 4_096,
            overflow: Overflow::Block {
                timeout_ms: WAIT_MS_MAX,
            },
            ..MailboxSpec::default()
        },
        own_budget: RestartBudget {
            intensity: 1_000_000,
            period_ms: 1_000,
        },
        ..ChildSpec::new("device")
    }
}
