//! What happens on a node, as it is told to those who listen.

use actorhost_tests::Node;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
log-rate = 100000

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

/// A running `actorhost events --json`.
struct Events {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Events {
    /// Listens; returns once it is certain that it does.
    fn of(node: &Node, args: &[&str]) -> Self {
        // The probe lives before anything is listened to, and is the first to be heard of.
        let binary = std::env::current_exe().expect("a test has a path");
        let dir = binary.parent().and_then(|deps| deps.parent());
        let mut child = Command::new(dir.expect("target").join("actorhost-under-test"))
            .args(["events", "--json"])
            .args(args)
            .current_dir(node.path())
            .env_remove("ACTORHOST_DATA_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, lines }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("it prints text");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The next event of a type.
    fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next();
            if event["type"] == kind {
                return event;
            }
        }
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log(text: &str) -> Value {
    json!({"Log": {"text": text}})
}

/// Makes a probe log until the listener has heard of it.
fn heard(node: &Node, events: &mut Events, probe: &str) {
    std::thread::scope(|scope| {
        let (done, until) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let pause = Duration::from_millis(50);
            while until.recv_timeout(pause) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                node.tell(probe, log("is anybody there?"));
            }
        });
        events.next_of("log");
        drop(done);
    });
    node.ask(probe, log("the last"));
    while events.next_of("log")["line"] != "the last" {}
}

#[test]
fn c16_a_listener_hears_each_crash_and_restart_once_and_the_nodes_end() {
    let mut node = Node::start(MANIFEST);
    let id = node.spawn("probes", "a");
    let mut events = Events::of(&node, &[]);
    heard(&node, &mut events, "/probes/a");

    node.ask_fails("/probes/a", json!({"Panic": {"text": "storm"}}));
    let mut crash = Vec::new();
    while crash.len() < 3 {
        crash.push(events.next());
    }
    let of = |kind: &str| {
        let found: Vec<_> = crash.iter().filter(|event| event["type"] == kind).collect();
        assert_eq!(found.len(), 1, "{kind}: {crash:?}");
        found[0].clone()
    };
    let crashed = of("crashed");
    assert_eq!(
        (&crashed["path"], &crashed["id"]),
        (&json!("/probes/a"), &json!(id))
    );
    assert_eq!(
        (&crashed["behaviour"], &crashed["version"]),
        (&json!("probe"), &json!(1))
    );
    assert_eq!(crashed["restarts"], 0);
    let cause = crashed["cause"].as_str().expect("a text");
    assert!(cause.contains("panic: storm"), "{cause}");
    assert!(!crashed["backtrace"].as_array().expect("a list").is_empty());
    let letter = of("dead-letter");
    assert_eq!(
        (&letter["reason"], &letter["letter"]),
        (&json!("crashed"), &json!(1))
    );
    assert_eq!(of("restarted")["restarts"], 1);
    // It is in the log once as well.
    assert_eq!(node.log_lines(&["crashed", "/probes/a", "storm"]).len(), 1);

    node.spawn("probes", "b");
    let started = events.next_of("started");
    assert_eq!(started["path"], "/probes/b");
    node.ok(&["stop", "/probes/b"]);
    let ended = events.next_of("ended");
    assert_eq!(
        (&ended["path"], &ended["reason"]),
        (&json!("/probes/b"), &json!("shutdown"))
    );

    node.ok(&["down"]);
    assert_eq!(events.next_of("ended")["path"], "/probes/a");
    assert_eq!(events.exit_code(), Some(0));
    assert!(node.ended().success());
}

#[test]
fn a_listener_hears_what_it_chose_and_ends_on_ctrl_c() {
    let node = Node::start(MANIFEST);
    for name in ["a", "b"] {
        node.spawn("probes", name);
    }
    let mut events = Events::of(&node, &["--type", "log", "ended", "--under", "/probes/b"]);
    heard(&node, &mut events, "/probes/b");
    node.ask("/probes/a", log("not this"));
    node.ask_fails("/probes/b", json!({"Panic": {"text": "nor this"}}));
    node.ask("/probes/b", log("this"));
    assert_eq!(events.next()["line"], "this");
    node.ok(&["stop", "/probes/b"]);
    assert_eq!(events.next()["type"], "ended");
    let pid = events.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    assert_eq!(events.exit_code(), Some(0));

    let error = node.fails(&["events", "--type", "logs"], 2);
    assert_eq!(error["code"], "usage");
    let empty = Node::dir(MANIFEST);
    let ran = actorhost_tests::run(empty.path(), &["events"]);
    assert_eq!(ran.code, 3, "{ran:?}");
}

/// A client that asks for the stream and reads no more than it is told to.
fn raw(node: &Node) -> UnixStream {
    let mut stream = UnixStream::connect(node.data_dir().join("node.sock")).expect("it listens");
    let request = b"GET /v1/events HTTP/1.1\r\nHost: node\r\n\r\n";
    stream.write_all(request).expect("it reads");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("it can be set");
    stream
}

/// The answer's head and the first bytes of its body.
fn greeting(stream: &mut UnixStream) -> String {
    let mut read = Vec::new();
    let mut byte = [0];
    loop {
        assert_eq!(stream.read(&mut byte).expect("it answers"), 1);
        read.push(byte[0]);
        let text = String::from_utf8_lossy(&read);
        if text.contains(": listening") || text.contains('}') {
            return text.into_owned();
        }
    }
}

#[test]
fn c59a_an_event_stream_client_that_never_reads_slows_nobody_and_is_dropped_with_a_gap() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    let mut silent = raw(&node);
    assert!(greeting(&mut silent).starts_with("HTTP/1.1 200"));
    let mut others = Events::of(&node, &["--type", "ended"]);
    let runtime = tokio::runtime::Runtime::new().expect("threads start");
    let line = "x".repeat(2_000);
    let flood = |times: u64| {
        let request = actorhost_wire::api::FeedRequest {
            pool: "probes".into(),
            variant: None,
            rows: (1..=times)
                .map(|row| actorhost_wire::api::FeedRow {
                    row,
                    key: "a".into(),
                    message: log(&line),
                })
                .collect(),
        };
        let client = node.client();
        let reply = runtime.block_on(client.feed(&request)).expect("it lives");
        assert_eq!(reply.accepted, times);
    };
    // Far more than the connection's buffers and the node's own hold.
    for _ in 0..4 {
        flood(1_000);
        assert_eq!(node.ask("/probes/a", json!("Total"))["Number"], 0);
    }
    node.until("the silent client is dropped", || {
        !node
            .log_lines(&["a client of the event stream does not read"])
            .is_empty()
    });
    // Nobody else was harmed.
    assert_eq!(node.ask("/probes/a", json!("Total"))["Number"], 0);
    node.spawn("probes", "b");
    node.ok(&["stop", "/probes/b"]);
    let heard = others.next_of("ended");
    assert_eq!(heard["path"], "/probes/b");
    // Now it reads: what was on its way, then the gap, then the end.
    let mut rest = Vec::new();
    let mut part = [0; 65_536];
    while !rest.ends_with(b"\r\n0\r\n\r\n") {
        let read = silent.read(&mut part).expect("there is an end");
        assert_ne!(read, 0, "the stream has an orderly end");
        rest.extend_from_slice(&part[..read]);
    }
    let text = String::from_utf8_lossy(&rest);
    let last = text.rfind("event: ").expect("there are events");
    assert!(text[last..].starts_with("event: gap"), "{}", &text[last..]);
    assert!(
        text[last..].contains("\"dropped\":true"),
        "{}",
        &text[last..]
    );
    let told = text.matches("event: log").count() as u64;
    assert!(told < 4_000, "{told}");
}

#[test]
fn only_so_many_clients_listen_and_a_place_is_free_when_one_goes() {
    let node = Node::start(MANIFEST);
    let mut all: Vec<_> = (0..64)
        .map(|_| {
            let mut stream = raw(&node);
            assert!(greeting(&mut stream).starts_with("HTTP/1.1 200"));
            stream
        })
        .collect();
    let error = node.fails(&["events"], 1);
    assert_eq!(error["code"], "too-many-listeners", "{error}");
    let message = error["message"].as_str().expect("a text");
    assert!(message.contains("64 clients"), "{message}");
    all.pop();
    node.until("there is a place", || {
        greeting(&mut raw(&node)).starts_with("HTTP/1.1 200")
    });
}
