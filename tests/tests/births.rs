//! Actors are born and end in numbers, and nothing of them is left.

use actorhost_tests::Node;
use actorhost_wire::api::{SpawnRequest, StopMode, StopRequest};
use serde_json::{Value, json};
use std::{
    fs,
    time::{Duration, Instant},
};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
restart = "temporary"
"#;

fn actors(node: &Node) -> u64 {
    node.ok(&["stats"])["actors"].as_u64().expect("a number")
}

#[test]
fn c55_spawns_from_init_from_a_handler_and_ten_thousand_at_once() {
    let node = Node::start(MANIFEST);
    let args = json!({"start": 0, "children": ["x", "y"]}).to_string();
    node.ok(&["spawn", "--pool", "probes", "--name", "a", "--args", &args]);
    let spawn = json!({"Spawn": {"behaviour": "probe", "name": "z", "fault": null}});
    assert!(node.ask("/probes/a", spawn)["Spawned"].is_object());
    for name in ["x", "y", "z"] {
        let path = format!("/probes/a/{name}");
        assert_eq!(node.me(&path)["path"], path.as_str());
    }

    node.spawn("probes", "b");
    let many = |count: u32| {
        let many = json!({"SpawnMany": {"behaviour": "probe", "count": count}});
        node.ask("/probes/b", many)["Told"].clone()
    };
    let told = many(10_001);
    assert_eq!(
        (&told["accepted"], &told["refused"]),
        (&json!(10_000), &json!(1)),
        "{told}"
    );
    let cause = told["cause"].as_str().expect("a text");
    assert_eq!(
        cause, "this actor has as many children as it may have",
        "`quota`"
    );
    assert_eq!(actors(&node), 10_005);
    let list = node.ok(&["ps", "--under", "/probes/b/", "--limit", "10000"]);
    let born = list["actors"].as_array().expect("a list");
    assert_eq!(born.len(), 10_000);
    for one in born.iter().step_by(499) {
        let path = one["path"].as_str().expect("a text");
        assert_eq!(node.me(path)["id"], one["id"]);
    }
    // One that ends makes room for one.
    node.ok(&["stop", born[7]["path"].as_str().expect("a text")]);
    let told = many(2);
    assert_eq!(
        (&told["accepted"], &told["refused"]),
        (&json!(1), &json!(1)),
        "{told}"
    );
}

/// Memory of the node's process in KiB, and its open files.
fn held(node: &Node) -> (u64, usize) {
    let of = format!("/proc/{}", node.pid());
    let status = fs::read_to_string(format!("{of}/status")).expect("it lives");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.expect("there is one").split_whitespace().nth(1);
    let files = fs::read_dir(format!("{of}/fd")).expect("it lives").count();
    (kib.expect("a number").parse().expect("a number"), files)
}

/// Lives of actors that watch and link the keeper, have a name, a child and a timer,
/// and end by a stop or a kill. How many there were.
async fn lives(node: &Node, keeper: u64, time: Duration) -> u64 {
    let client = node.client();
    let begun = Instant::now();
    let mut count: u64 = 0;
    while begun.elapsed() < time {
        let name = format!("a{}", count % 100);
        let args = json!({
            "start": 0, "watch": keeper, "link": keeper, "register": name, "tick_ms": 5,
            "child": "kid",
        });
        let spawn = SpawnRequest {
            behaviour: None,
            pool: Some("probes".into()),
            name: Some(name),
            args: Some(args),
        };
        let spawned = client.spawn(&spawn).await.expect("the last has ended");
        // The keeper traps exits, so that a kill does not reach it.
        let mode = [StopMode::Drain, StopMode::Now, StopMode::Kill][(count % 3) as usize];
        let stop = StopRequest {
            actor: spawned.path,
            mode,
            timeout_ms: None,
        };
        assert!(!client.stop(&stop).await.expect("it lived").already);
        count += 1;
        if count.is_multiple_of(EXITS_KEPT_MAX) {
            heard(node, EXITS_KEPT_MAX);
        }
    }
    heard(node, count % EXITS_KEPT_MAX);
    count
}

/// Ends that the keeper remembers before it forgets them.
const EXITS_KEPT_MAX: u64 = 300;

/// The keeper hears of each end once.
#[track_caller]
fn heard(node: &Node, ends: u64) {
    let exits = || {
        let events = node.ask("/probes/keeper", json!("Events"))["Events"].clone();
        events.as_array().map(Vec::len)
    };
    let ends = usize::try_from(ends).expect("they are few");
    node.until("every end is heard of", || exits() >= Some(ends));
    assert_eq!(exits(), Some(ends));
    node.ask("/probes/keeper", json!("ForgetEvents"));
}

#[tokio::test]
async fn c56_of_many_lives_nothing_is_left() {
    let node = Node::start(MANIFEST);
    let keeper = node.spawn("probes", "keeper");
    node.ask("/probes/keeper", json!({"TrapExit": {"on": true}}));
    // What grows once and stays: caches, pools, the memory of ended actors.
    let first = lives(&node, keeper, Duration::from_secs(5)).await;
    let before = held(&node);
    let count = lives(&node, keeper, Duration::from_secs(10)).await;
    println!("{count} lives, after {first} others");

    let stats = node.ok(&["stats"]);
    assert_eq!(
        (&stats["actors"], &stats["live"]),
        (&json!(1), &json!(1)),
        "{stats}"
    );
    assert_eq!(
        (&stats["mailbox_bytes"], &stats["crashes"]),
        (&json!(0), &json!(0))
    );
    // Nothing ticks any more, and nobody holds the names.
    heard(&node, 0);
    for n in 0..100 {
        let found = node.ask(
            "/probes/keeper",
            json!({"Lookup": {"path": format!("a{n}")}}),
        );
        assert_eq!(found["Found"]["id"], Value::Null);
    }
    let after = held(&node);
    println!("{before:?}, then {after:?}: memory in KiB, open files");
    // Some of it is the allocator's; a record kept of each life would be far more.
    let grown_kib = after.0.saturating_sub(before.0);
    assert!(grown_kib < 8 * 1024 + count / 4, "{before:?} {after:?}");
    assert!(after.1 <= before.1 + 4, "{before:?} {after:?}");
}
