//! The node of the demo, as a process of its own.

use actorhost::client::Client;
use actorhost_wire::api::ShutdownRequest;
use anyhow::{Context as _, bail};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A start compiles two small modules at most.
const START_MAX: Duration = Duration::from_secs(60);

pub struct NodeProcess {
    pub client: Client,
    pub log: PathBuf,
    child: Child,
}

impl NodeProcess {
    pub async fn start(folder: &Path) -> anyhow::Result<Self> {
        let data_dir = folder.join(".actorhost");
        fs::create_dir_all(&data_dir).with_context(|| format!("making {}", data_dir.display()))?;
        let log = data_dir.join("demo.log");
        let output = File::create(&log).with_context(|| format!("making {}", log.display()))?;
        let program = std::env::current_exe().context("finding this program")?;
        let child = Command::new(program)
            .arg("up")
            .arg("--manifest")
            .arg(folder.join("actorhost.toml"))
            .stdin(Stdio::null())
            .stdout(output.try_clone().context("sharing the log")?)
            .stderr(output)
            .spawn()
            .context("starting the node")?;
        let mut node = Self {
            client: Client::new(data_dir),
            log,
            child,
        };
        let begun = Instant::now();
        loop {
            if let Ok(info) = node.client.node().await
                && info.pid == node.child.id()
            {
                println!("node `{}` is up, with {} threads", info.name, info.threads);
                return Ok(node);
            }
            if let Some(status) = node.child.try_wait()? {
                let said = fs::read_to_string(&node.log).unwrap_or_default();
                bail!("the node did not come up ({status}):\n{said}");
            }
            if begun.elapsed() > START_MAX {
                bail!(
                    "the node does not answer; its log is {}",
                    node.log.display()
                );
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.client
            .shutdown(&ShutdownRequest { timeout_ms: None })
            .await?;
        self.child.wait().context("waiting for the node's end")?;
        Ok(())
    }
}

impl Drop for NodeProcess {
    fn drop(&mut self) {
        // After an error; a node that was stopped has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
