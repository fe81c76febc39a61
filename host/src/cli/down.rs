//! `down`: shuts a node down.

use super::{CliError, Exit, Output, Place, duration, examples, output::counted};
use actorhost_wire::api::{ShutdownReply, ShutdownRequest};
use std::{fs, time::Duration};

/// Shut a node down: its actors stop, then it ends
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost down", "actorhost down --timeout 30s"))]
pub struct Args {
    /// How long actors may take before they are killed; by default the manifest's limit
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis)]
    timeout: Option<u64>,
    #[command(flatten)]
    place: Place,
}

/// How long the process may take to end once its actors have: its last files are
/// closed then, and the next node can start.
const PROCESS_END: Duration = Duration::from_secs(5);

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let client = args.place.client()?;
    let pid = client.node().await?.pid;
    let reply = client
        .shutdown(&ShutdownRequest {
            timeout_ms: args.timeout,
        })
        .await?;
    // Actors have ended in either case.
    let _ = tokio::time::timeout(PROCESS_END, ended(pid)).await;
    output.result(&reply, text)?;
    Ok(Exit::Done)
}

async fn ended(pid: u32) {
    while runs(pid) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A process that has ended, but whose parent has not asked for it yet, is listed as
/// a zombie; its files are closed.
fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    // `PID (NAME) STATE …`, where the name may hold anything.
    let state = stat.as_ref().ok().and_then(|stat| stat.rsplit_once(") "));
    state.is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

fn text(reply: &ShutdownReply) -> String {
    let mut text = format!(
        "down; {} ended\n",
        counted(reply.stopped, "actor", "actors")
    );
    if !reply.killed.is_empty() {
        let killed = counted(reply.killed.len() as u64, "actor", "actors");
        text += &format!("{killed} did not end in time and were killed:\n");
        text.extend(reply.killed.iter().map(|path| format!("  {path}\n")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_that_nobody_has_asked_for_has_ended() {
        assert!(runs(std::process::id()));
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(runs(child.id()));
        // It ends with its input, and stays a zombie until it is waited for.
        drop(child.stdin.take());
        while runs(child.id()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.wait().unwrap();
        assert!(!runs(child.id()));
    }
}
