//! A user's shell: command lines as they are typed, with `actorhost` on the path.

use crate::{Ran, node::binary};
use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Longest wait for a node that builds its guests first.
const UP_MAX: Duration = Duration::from_secs(300);

/// A shell in a directory, and the node that was started from it.
pub struct Shell {
    dir: PathBuf,
    path: TempDir,
    env: Vec<(String, String)>,
    node: Option<Child>,
}

impl Shell {
    /// A shell in `dir`.
    pub fn new(dir: &Path) -> Self {
        let path = tempfile::tempdir().expect("a temporary directory");
        symlink(binary(), path.path().join("actorhost")).expect("it is empty");
        Self {
            dir: dir.into(),
            path,
            env: Vec::new(),
            node: None,
        }
    }

    /// Sets a variable for all that follows.
    pub fn export(&mut self, name: &str, value: &str) {
        self.env.push((name.into(), value.into()));
    }

    /// Goes into a directory.
    pub fn cd(&mut self, dir: &str) {
        self.dir.push(dir);
    }

    /// Runs one line.
    pub fn run(&self, line: &str) -> Ran {
        let output = self.command(line).output().expect("a shell runs");
        Ran {
            code: output.status.code().unwrap_or(128),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs one line that succeeds, and returns what it printed.
    #[track_caller]
    pub fn ok(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
        ran.stdout
    }

    /// Runs `actorhost up` in a terminal of its own, until it answers.
    #[track_caller]
    pub fn up(&mut self) {
        let log = File::create(self.log_file()).expect("it is writable");
        let child = self
            .command("exec actorhost up")
            .stdout(log.try_clone().expect("a file can be shared"))
            .stderr(log)
            .spawn();
        let mut child = child.expect("a shell runs");
        let begun = Instant::now();
        while self.run("actorhost ps").code != 0 {
            let ended = child.try_wait().expect("a child can be asked");
            assert!(ended.is_none(), "the node did not start: {}", self.log());
            assert!(
                begun.elapsed() < UP_MAX,
                "the node does not answer: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        self.node = Some(child);
    }

    /// What the node printed so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_file()).expect("a node was started")
    }

    fn log_file(&self) -> PathBuf {
        self.path.path().join("log")
    }

    fn command(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(&self.dir)
            .env("PATH", format!("{}:{path}", self.path.path().display()))
            .env_remove("ACTORHOST_DATA_DIR")
            .env_remove("CARGO_TARGET_DIR")
            .stdin(Stdio::null());
        for (name, value) in &self.env {
            command.env(name, value);
        }
        command
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        if let Some(node) = &mut self.node {
            // It may have ended already.
            let _ = node.kill();
            let _ = node.wait();
        }
    }
}

/// The lines of the fenced blocks in the part of a text that begins at `heading`.
pub fn typed_lines(markdown: &str, heading: &str) -> Vec<String> {
    let from = markdown.find(heading).expect("the heading is there");
    let part = &markdown[from + heading.len()..];
    let part = &part[..part.find("\n## ").unwrap_or(part.len())];
    let blocks = part.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines().skip(1));
    lines
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}
