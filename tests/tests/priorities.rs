//! What comes first: the node's own messages before those of users, and of two busy
//! actors now one, now the other.

use actorhost_tests::{Node, guest};
use actorhost_wire::api::{FeedRequest, FeedRow};
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 20_000 }

[[supervisor]]
name = "all"
strategy = "one-for-all"

[[supervisor.child]]
name = "first"
behaviour = "probe"
args = { start = 0 }

[[supervisor.child]]
name = "second"
behaviour = "probe"
args = { start = 0 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
"#;

const A: &str = "/probes/a";

/// User messages that an order overtakes.
const QUEUED: u64 = 10_000;

/// A node whose actor `path` is busy, with ten thousand messages behind that.
fn behind(path: &str) -> Node {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node.spawn("probes", "sender");
    node.occupy(path, 2_000);
    let many = json!({"to": node.id(path), "from": 0, "first": 1, "count": QUEUED});
    let told = node.ask("/probes/sender", json!({"NoteMany": many}));
    assert_eq!(told["Told"]["accepted"], QUEUED);
    node
}

/// All of them came, in their order, to the life and instance that is there now.
fn all_came(node: &Node, path: &str) {
    let report = node.ask(path, json!("Report"))["Report"].clone();
    let all = json!([{"from": 0, "count": QUEUED, "last_seq": QUEUED, "out_of_order": 0}]);
    assert_eq!(report, all);
    // With the report before and this question.
    assert_eq!(node.me(path)["turns_here"], QUEUED + 2);
}

#[test]
fn c23_a_stop_overtakes_ten_thousand_user_messages() {
    let node = behind(A);
    node.ok(&["stop", A, "--mode", "now"]);
    let stats = node.ok(&["stats"]);
    assert_eq!(stats["dead_letters_by_reason"], json!({"stopped": QUEUED}));
    // Itself, and nothing of the queue.
    assert_eq!(stats["handled"], 2, "{stats}");
}

#[test]
fn c23_a_swap_overtakes_ten_thousand_user_messages() {
    let node = behind(A);
    let v2 = guest("probe-v2").display().to_string();
    let swapped = node.ok(&["swap", "probe", &v2]);
    assert_eq!(swapped["failed"], json!([]), "{swapped}");
    all_came(&node, A);
    assert_eq!(node.me(A)["version"], "0.2.0");
}

#[test]
fn c23_supervision_overtakes_ten_thousand_user_messages() {
    let node = behind("/all/second");
    let token = node.me("/all/first")["token"].clone();
    node.ask_fails("/all/first", json!({"Panic": {"text": "storm"}}));
    node.until("the other was restarted with it", || {
        let second = node.actor("/all/second");
        second.is_some_and(|second| second["restarts"] == 1)
    });
    all_came(&node, "/all/second");
    assert_ne!(node.me("/all/first")["token"], token);
}

/// Messages handled before an actor gives way.
const THROUGHPUT: usize = 10;

const BATCHES: &str = r#"
[node]
threads = 1

[behaviour.busy]
module = "{probe}"
throughput = 10

[behaviour.free]
module = "{probe}"
mailbox = { overflow = "unbounded" }

[[pool]]
name = "busy"
behaviour = "busy"
args = { start = 0 }

[[pool]]
name = "free"
behaviour = "free"
args = { start = 0 }
"#;

#[tokio::test]
async fn c31_a_busy_actor_gives_way_after_its_throughput() {
    let node = Node::start(BATCHES);
    let keeper = node.spawn("free", "keeper");
    let log = node.spawn("free", "log");
    for name in ["a", "b"] {
        node.spawn("busy", name);
    }
    // Both wait for one answer, each with a thousand messages behind that.
    node.ask("/free/keeper", json!({"KeepQuestions": {"on": true}}));
    let ask = json!({"to": keeper, "text": "go", "timeout_ms": 50_000});
    let ask = json!({"AskForRecord": ask});
    for path in ["/busy/a", "/busy/b"] {
        node.tell(path, ask.clone());
        node.until("it waits", || {
            let actor = node.actor(path).expect("it lives");
            actor["status"] == "waiting" && actor["queued"] == 0
        });
    }
    let rows = (0..1_000u64).flat_map(|n| {
        ["a", "b"].map(|key| FeedRow {
            row: n + 1,
            key: key.into(),
            message: json!({"Tell": {"to": log, "text": key, "times": 1}}),
        })
    });
    let request = FeedRequest {
        pool: "busy".into(),
        variant: None,
        rows: rows.collect(),
    };
    let fed = node.client().feed(&request).await.expect("the node lives");
    assert_eq!(fed.accepted, 2_000, "{:?}", fed.rejected);
    let answered = node.ask("/free/keeper", json!({"AnswerKept": {"text": "go"}}));
    assert_eq!(answered["Told"]["accepted"], 2, "{answered}");

    let seen = || node.ask("/free/log", json!("Seen"))["Texts"].clone();
    let all = |seen: &Value| seen.as_array().map(Vec::len) == Some(2_000);
    node.until("all were handled", || all(&seen()));
    let seen = seen();
    let texts = seen.as_array().expect("a list");
    // As long as both have some left, neither has two goes in one.
    let last_of = |key: &str| texts.iter().rposition(|text| text == key);
    let both = last_of("a").min(last_of("b")).expect("both are there");
    let goes = texts[..both].chunk_by(|a, b| a == b).map(<[Value]>::len);
    let longest = goes.max().expect("some");
    assert!(longest <= THROUGHPUT, "{longest} in one go");
}
