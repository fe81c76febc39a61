//! Links: one actor's crash is the other's, also round a ring of thousands.

use actorhost::client::Client;
use actorhost_tests::Node;
use actorhost_wire::api::{FeedRequest, FeedRow};
use serde_json::{Value, json};
use std::collections::HashMap;

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100_000
period = "5s"

[[pool]]
name = "once"
behaviour = "probe"
args = { start = 0 }
restart = "temporary"
"#;

const A: &str = "/probes/a";

const B: &str = "/probes/b";

fn start() -> (Node, u64, u64) {
    let node = Node::start(MANIFEST);
    let (a, b) = (node.spawn("probes", "a"), node.spawn("probes", "b"));
    (node, a, b)
}

#[track_caller]
fn done(node: &Node, probe: &str, message: Value) {
    assert_eq!(node.ask(probe, message), "Done");
}

fn link(node: &Node, probe: &str, target: u64) {
    done(node, probe, json!({"Link": {"target": target}}));
}

fn token(node: &Node, probe: &str) -> Value {
    node.me(probe)["token"].clone()
}

/// Ends of linked actors that a probe has trapped.
fn exits(node: &Node, probe: &str) -> Vec<Value> {
    let reply = node.ask(probe, json!("Events"));
    let events = reply["Events"].as_array().expect("a list").iter();
    events
        .filter_map(|event| event.get("Exit").cloned())
        .collect()
}

fn restarts(node: &Node, probe: &str) -> Value {
    node.actor(probe).expect("it lives")["restarts"].clone()
}

#[test]
fn c45_a_crash_takes_the_linked_peer_with_it_unless_it_traps_exits() {
    // Whoever made the link, it goes both ways.
    for crashing in [A, B] {
        let (node, _, b) = start();
        link(&node, A, b);
        let other = if crashing == A { B } else { A };
        let before = token(&node, other);
        let storm = json!({"Panic": {"text": "storm"}});
        assert_eq!(node.ask_fails(crashing, storm)["code"], "crashed");
        node.until("the peer began anew", || token(&node, other) != before);
        assert_eq!(restarts(&node, other), 1);
        // A life's links end with it.
        let before = token(&node, other);
        node.ask_fails(crashing, json!("Unreachable"));
        assert_eq!(token(&node, other), before);
        assert_eq!(restarts(&node, other), 1);
    }
}

#[test]
fn c45_one_that_traps_exits_hears_of_the_end_and_lives_on() {
    let (node, a, _) = start();
    let before = token(&node, B);
    done(&node, B, json!({"TrapExit": {"on": true}}));
    link(&node, B, a);
    node.ask_fails(A, json!({"Panic": {"text": "storm"}}));
    node.until("it hears", || exits(&node, B).len() == 1);
    let exit = exits(&node, B).remove(0);
    assert_eq!(exit["id"], a, "{exit}");
    assert_eq!(exit["reason"]["Crashed"]["kind"], "panic", "{exit}");
    // Of a normal end too, for it trapped exits.
    link(&node, B, a);
    node.ok(&["stop", A]);
    node.until("it hears again", || exits(&node, B).len() == 2);
    assert_eq!(token(&node, B), before);
}

#[test]
fn c45_a_normal_exit_ends_no_peer() {
    let (node, ..) = start();
    let a = node.spawn("once", "a");
    let before = token(&node, B);
    link(&node, B, a);
    done(&node, "/once/a", json!("StopSelf"));
    node.until("it has stopped", || node.actor("/once/a").is_none());
    assert_eq!(token(&node, B), before);
    assert_eq!(restarts(&node, B), 0);
}

#[test]
fn c46_two_that_stop_at_the_same_time_are_each_heard_of_once() {
    let node = Node::start(MANIFEST);
    let (a, b) = (node.spawn("once", "a"), node.spawn("once", "b"));
    node.spawn("probes", "witness");
    for target in [a, b] {
        done(
            &node,
            "/probes/witness",
            json!({"Watch": {"target": target}}),
        );
    }
    // Each watches the other, traps its exit, and stops it at the end of a turn; both
    // turns have begun before one ends, so that neither order can prevent the other.
    for (probe, other) in [("/once/a", b), ("/once/b", a)] {
        done(&node, probe, json!({"TrapExit": {"on": true}}));
        link(&node, probe, other);
        done(&node, probe, json!({"Watch": {"target": other}}));
    }
    for (probe, target) in [("/once/a", b), ("/once/b", a)] {
        node.tell(
            probe,
            json!({"StopSlowly": {"target": target, "ms": 2_000}}),
        );
    }
    node.until("both have ended", || {
        node.actor("/once/a").is_none() && node.actor("/once/b").is_none()
    });
    let downs = || node.ask("/probes/witness", json!("Downs"))["Downs"].clone();
    node.until("both were heard of", || {
        downs().as_array().map(Vec::len) >= Some(2)
    });
    let downs = downs();
    let mut ids: Vec<u64> = downs
        .as_array()
        .expect("a list")
        .iter()
        .map(|down| down["id"].as_u64().expect("an id"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [a, b], "each once: {downs}");
}

/// Actors of the ring. All of them exist at once; as many as the machine has room for
/// are awake.
const RING: u64 = 10_000;

fn row(n: u64, message: Value) -> FeedRow {
    FeedRow {
        row: n + 1,
        key: format!("r{n}"),
        message,
    }
}

async fn feed(client: &Client, rows: Vec<FeedRow>) {
    for rows in rows.chunks(1_000) {
        let request = FeedRequest {
            pool: "probes".into(),
            variant: None,
            rows: rows.to_vec(),
        };
        let reply = client.feed(&request).await.expect("the node lives");
        assert_eq!(reply.accepted, rows.len() as u64, "{:?}", reply.rejected);
    }
}

/// All actors of the ring by name: id and restarts.
fn ring(node: &Node) -> HashMap<String, (u64, u64)> {
    let list = node.ok(&["ps", "--under", "/probes", "--limit", "20000"]);
    let actors = list["actors"].as_array().expect("a list").iter();
    actors
        .map(|actor| {
            let path = actor["path"].as_str().expect("a path").to_owned();
            let number = |name: &str| actor[name].as_u64().expect("a number");
            (path, (number("id"), number("restarts")))
        })
        .collect()
}

#[tokio::test]
async fn c47_a_ring_of_ten_thousand_dies_of_one_cause() {
    let node = Node::start(MANIFEST);
    let client = node.client();
    feed(&client, (0..RING).map(|n| row(n, json!("Total"))).collect()).await;
    let all = ring(&node);
    assert_eq!(all.len() as u64, RING);
    let id = |n: u64| all[&format!("/probes/r{}", n % RING)].0;
    let links = (0..RING).map(|n| row(n, json!({"Link": {"target": id(n + 1)}})));
    feed(&client, links.collect()).await;
    let handled = || node.ok(&["stats"])["handled"].as_u64();
    node.until("all are linked", || handled() == Some(2 * RING));
    assert_eq!(node.ok(&["stats"])["crashes"], 0);

    node.ask_fails("/probes/r0", json!({"Panic": {"text": "storm"}}));
    node.until("the last has begun anew", || {
        ring(&node).values().all(|(_, restarts)| *restarts == 1)
    });
    assert_eq!(ring(&node).len() as u64, RING);
    // The node is well, and nobody is tied to anybody any more.
    node.ask_fails("/probes/r1", json!({"Panic": {"text": "again"}}));
    assert_eq!(restarts(&node, "/probes/r1"), 2);
    assert_eq!(
        node.ask("/probes/r2", json!({"Add": {"n": 1}}))["Number"],
        1
    );
    assert_eq!(restarts(&node, "/probes/r2"), 1);
}

/// How often two link each other at the same time.
const MEETINGS: u64 = 10_000;

#[tokio::test]
async fn c47_two_that_link_each_other_at_the_same_time_always_get_there() {
    let (node, a, b) = start();
    let client = node.client();
    // On two threads, each has a queue of links to the other, made and taken back.
    let rows = (0..MEETINGS).flat_map(|n| {
        [("a", b), ("b", a)]
            .into_iter()
            .flat_map(move |(key, other)| {
                ["Link", "Unlink"].map(move |act| FeedRow {
                    row: n + 1,
                    key: key.into(),
                    message: json!({act: {"target": other}}),
                })
            })
    });
    let rows: Vec<FeedRow> = rows.collect();
    for rows in rows.chunks(1_000) {
        feed(&client, rows.to_vec()).await;
        node.until("they have room", || {
            [A, B].iter().all(|probe| {
                let actor = node.actor(probe).expect("it lives");
                actor["queued"] == 0
            })
        });
    }
    link(&node, A, b);
    link(&node, B, a);
    let before = token(&node, B);
    node.ask_fails(A, json!({"Panic": {"text": "storm"}}));
    node.until("one link is one", || token(&node, B) != before);
    assert_eq!(restarts(&node, A), 1);
    assert_eq!(restarts(&node, B), 1);
}
