//! A node as its own process, and the command line that talks to it.

use crate::guest;
use actorhost::client::Client;
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Longest wait for a node's start or end. Generous: machines are busy.
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Longest wait for a reply, as the command line is told it.
const PATIENCE: &str = "30s";

pub(crate) fn binary() -> PathBuf {
    // Beside the test's own binary, which is in `deps`.
    let test = std::env::current_exe().expect("a test has a path");
    let dir = test
        .parent()
        .and_then(Path::parent)
        .expect("tests are in target/*/deps");
    dir.join("actorhost-under-test")
}

/// What one run of the command line gave.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; 128 and more for a signal.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Standard output as JSON, of a run that succeeded.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.code, 0, "{self:?}");
        self.json()
    }

    /// The error of a run that ended with `code`; it is on standard error, as JSON.
    #[track_caller]
    pub fn error(self, code: i32) -> Value {
        assert_eq!(self.code, code, "{self:?}");
        let error: Value = serde_json::from_str(self.stderr.trim())
            .unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"));
        error["error"].clone()
    }
}

/// Runs the command line in a directory.
pub fn run(dir: &Path, args: &[&str]) -> Ran {
    let output = Command::new(binary())
        .args(args)
        .current_dir(dir)
        .env_remove("ACTORHOST_DATA_DIR")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    Ran {
        code: output.status.code().unwrap_or(128),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A running node. Dropping it kills it.
pub struct Node {
    child: Child,
    dir: TempDir,
}

impl Node {
    /// Starts a node from a manifest in which `{probe}` and the like stand for the
    /// paths of guests, and waits until it answers.
    #[track_caller]
    pub fn start(manifest: &str) -> Self {
        let dir = Self::dir(manifest);
        Self::start_in(dir).unwrap_or_else(|ran| panic!("the node did not start: {ran:?}"))
    }

    /// As [`Node::start`]; a node that ends instead is what it printed.
    pub fn try_start(manifest: &str) -> Result<Self, Ran> {
        Self::start_in(Self::dir(manifest))
    }

    /// A directory with a manifest and no node.
    pub fn dir(manifest: &str) -> TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::write(dir.path().join("actorhost.toml"), fill_in(manifest)).expect("it is writable");
        dir
    }

    /// Starts a node in a directory that has a manifest.
    pub fn start_in(dir: TempDir) -> Result<Self, Ran> {
        let log = File::create(dir.path().join("log")).expect("it is writable");
        let child = Command::new(binary())
            .arg("up")
            .current_dir(dir.path())
            .env_remove("ACTORHOST_DATA_DIR")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file can be shared"))
            .stderr(log)
            .spawn()
            .expect("the binary runs");
        let mut node = Self { child, dir };
        let begun = Instant::now();
        loop {
            if let Some(status) = node.child.try_wait().expect("a child can be asked") {
                let code = status.code().unwrap_or(128);
                return Err(Ran {
                    code,
                    stdout: String::new(),
                    stderr: node.log(),
                });
            }
            // Not by asking it: another node may live on its data directory.
            if node.log().contains(" is up with ") {
                return Ok(node);
            }
            assert!(
                begun.elapsed() < WAIT_MAX,
                "the node does not answer: {}",
                node.log()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Its directory.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Its data directory.
    pub fn data_dir(&self) -> PathBuf {
        self.dir.path().join(".actorhost")
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it printed so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).expect("it was created")
    }

    /// Runs the command line against it.
    pub fn run(&self, args: &[&str]) -> Ran {
        run(self.dir.path(), args)
    }

    /// Runs with `--json`; the answer of a run that succeeded.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).ok()
    }

    /// Runs with `--json`; the error of a run that ended with `code`.
    #[track_caller]
    pub fn fails(&self, args: &[&str], code: i32) -> Value {
        self.run(&[args, &["--json"]].concat()).error(code)
    }

    /// The reply to an ask.
    #[track_caller]
    pub fn ask(&self, to: &str, message: Value) -> Value {
        let message = message.to_string();
        self.ok(&["ask", to, &message, "--timeout", PATIENCE])["reply"].clone()
    }

    /// The error of an ask.
    #[track_caller]
    pub fn ask_fails(&self, to: &str, message: Value) -> Value {
        let message = message.to_string();
        self.fails(&["ask", to, &message, "--timeout", PATIENCE], 1)
    }

    /// A client of its API, for many requests at once.
    pub fn client(&self) -> Client {
        Client::new(self.data_dir())
    }

    /// Spawns an actor of a pool from the pool's own arguments; its id.
    #[track_caller]
    pub fn spawn(&self, pool: &str, name: &str) -> u64 {
        let spawned = self.ok(&["spawn", "--pool", pool, "--name", name]);
        spawned["id"].as_u64().expect("an id is a number")
    }

    /// What a probe says of itself.
    #[track_caller]
    pub fn me(&self, probe: &str) -> Value {
        self.ask(probe, json!("WhoAmI"))["Me"].clone()
    }

    /// Has a probe panic, and waits for the end of that turn.
    #[track_caller]
    pub fn crash(&self, probe: &str) {
        let error = self.ask_fails(probe, json!({"Panic": {"text": "as told"}}));
        assert_eq!(error["code"], "crashed", "{error}");
    }

    /// Restarts of a living actor so far.
    pub fn restarts(&self, path: &str) -> Option<u64> {
        self.actor(path)?["restarts"].as_u64()
    }

    /// Keeps a probe in one turn for a while, in the host.
    #[track_caller]
    pub fn occupy(&self, probe: &str, ms: u64) {
        self.tell(probe, json!({"SleepMs": {"ms": ms}}));
        self.until("it is occupied", || {
            let actor = self.actor(probe).expect("it lives");
            actor["status"] == "waiting" && actor["queued"] == 0
        });
    }

    /// The newest dead letters, the newest first.
    pub fn dead_letters(&self) -> Vec<Value> {
        let list = self.ok(&["dead-letters"]);
        list["letters"].as_array().expect("a list").clone()
    }

    /// The lines of its log that have all of these words, in order.
    pub fn log_lines(&self, words: &[&str]) -> Vec<String> {
        let log = self.log();
        let lines = log.lines();
        let right = lines.filter(|line| words.iter().all(|word| line.contains(word)));
        right.map(ToOwned::to_owned).collect()
    }

    /// Tells, and is accepted.
    #[track_caller]
    pub fn tell(&self, to: &str, message: Value) {
        assert_eq!(
            self.ok(&["tell", to, &message.to_string()])["accepted"],
            true
        );
    }

    /// A living actor as `ps` shows it; none when there is none.
    pub fn actor(&self, path: &str) -> Option<Value> {
        let list = self.ok(&["ps", "--under", path]);
        let actors = list["actors"].as_array().expect("a list").iter();
        actors
            .into_iter()
            .find(|actor| actor["path"] == path)
            .cloned()
    }

    /// The id of a living actor.
    #[track_caller]
    pub fn id(&self, path: &str) -> u64 {
        let actor = self
            .actor(path)
            .unwrap_or_else(|| panic!("no actor {path}"));
        actor["id"].as_u64().expect("an id is a number")
    }

    /// Waits until `done` says so.
    #[track_caller]
    pub fn until(&self, what: &str, done: impl Fn() -> bool) {
        let begun = Instant::now();
        while !done() {
            assert!(
                begun.elapsed() < WAIT_MAX,
                "waited in vain until {what}: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a signal by its name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "the node lives");
    }

    /// Waits for its end.
    #[track_caller]
    pub fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                return status;
            }
            assert!(
                begun.elapsed() < WAIT_MAX,
                "the node does not end: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Puts the guests' paths into a manifest.
fn fill_in(manifest: &str) -> String {
    let mut text = manifest.to_owned();
    for name in [
        "probe-v2",
        "probe",
        "stateless",
        "bank-account",
        "pipeline-stage",
        "chat-lobby",
        "chat-member",
    ] {
        let mark = format!("{{{name}}}");
        if text.contains(&mark) {
            text = text.replace(&mark, &guest(name).display().to_string());
        }
    }
    text
}
