//! Messages that a real guest puts aside.

use actorhost_tests::{Node, guest};
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 4 }
stash = 3

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

const A: &str = "/probes/a";

fn start() -> Node {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node
}

fn record(node: &Node, text: &str) {
    node.tell(A, json!({"Record": {"text": text}}));
}

/// Puts these aside, one by one.
fn put_aside(node: &Node, texts: &[&str]) {
    assert_eq!(stash(node, true), "Done");
    for text in texts {
        record(node, text);
        node.until("it was handled", || {
            node.actor(A).expect("it lives")["queued"] == 0
        });
    }
    assert_eq!(texts_of(node), [""; 0]);
}

fn stash(node: &Node, on: bool) -> Value {
    node.ask(A, json!({"StashRecords": {"on": on}}))
}

/// The texts recorded, in order.
fn texts_of(node: &Node) -> Vec<String> {
    let reply = node.ask(A, json!("Events"));
    let events = reply["Events"].as_array().expect("a list").iter();
    let texts = events.filter_map(|event| event["Record"]["text"].as_str().map(str::to_owned));
    texts.collect()
}

#[test]
fn c54_stashed_messages_come_back_in_order_before_newer_ones() {
    let node = start();
    put_aside(&node, &["1", "2"]);
    node.occupy(A, 2_000);
    // Newer ones wait already when those come back.
    node.tell(A, json!({"StashRecords": {"on": false}}));
    record(&node, "3");
    node.until("all were handled", || {
        let actor = node.actor(A).expect("it lives");
        actor["queued"] == 0 && actor["status"] != "waiting"
    });
    assert_eq!(texts_of(&node), ["1", "2", "3"]);
}

#[test]
fn c54_the_stash_counts_towards_the_bound_and_has_its_own() {
    let node = start();
    put_aside(&node, &["1", "2", "3"]);
    // One place is left of four.
    node.occupy(A, 2_000);
    record(&node, "4");
    let error = node.fails(&["tell", A, "\"Total\""], 1);
    assert_eq!(error["code"], "full", "{error}");
    node.until("it has room", || {
        let actor = node.actor(A).expect("it lives");
        actor["queued"] == 0 && actor["status"] != "waiting"
    });
    // The stash of three took no fourth, which the actor hears.
    let refused = node.ask(A, json!({"Record": {"text": "5"}}));
    let cause = refused["Failed"]["cause"].as_str().expect("it is refused");
    assert!(cause.contains('3'), "{cause}");
    assert_eq!(stash(&node, false), json!({"Number": 3}));
    assert_eq!(texts_of(&node), ["1", "2", "3"]);
}

#[test]
fn c54_the_stash_outlives_a_restart_and_a_swap() {
    let node = start();
    put_aside(&node, &["1", "2"]);
    let v2 = guest("probe-v2").display().to_string();
    assert_eq!(node.ok(&["swap", "probe", &v2])["failed"], json!([]));
    assert_eq!(node.me(A)["version"], "0.2.0");
    assert_eq!(texts_of(&node), [""; 0], "a swap leaves it where it is");
    let error = node.ask_fails(A, json!({"Panic": {"text": "storm"}}));
    assert_eq!(error["code"], "crashed");
    // The next life has them, before all that is newer.
    record(&node, "3");
    assert_eq!(texts_of(&node), ["1", "2", "3"]);
}

#[test]
fn c54_at_the_end_the_stash_is_dead_letters() {
    let node = start();
    put_aside(&node, &["1", "2"]);
    node.ok(&["stop", A]);
    node.until("it has stopped", || node.actor(A).is_none());
    let mut letters = node.dead_letters();
    letters.reverse();
    let shown: Vec<_> = letters
        .iter()
        .map(|letter| (&letter["reason"], &letter["message"]["Record"]["text"]))
        .collect();
    let stopped = json!("stopped");
    assert_eq!(shown, [(&stopped, &json!("1")), (&stopped, &json!("2"))]);
}

#[test]
fn c54_stashing_while_unstashing_is_no_endless_loop() {
    let node = start();
    put_aside(&node, &["1", "2"]);
    let turns = || node.me(A)["turns_here"].as_u64().expect("a number");
    for _ in 0..3 {
        let before = turns();
        assert_eq!(node.ask(A, json!("StashAgain")), json!({"Number": 2}));
        assert_eq!(texts_of(&node), [""; 0]);
        // Itself, each of the two once, and the two questions.
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(turns(), before + 5, "it rests");
    }
    assert_eq!(stash(&node, false), json!({"Number": 2}));
    assert_eq!(texts_of(&node), ["1", "2"], "still in their order");
}

#[test]
fn what_is_put_aside_is_seen_from_outside_and_fills_the_mailbox() {
    let node = start();
    put_aside(&node, &["1", "2", "3"]);
    let actor = node.actor(A).expect("it lives");
    assert_eq!(
        (&actor["queued"], &actor["stashed"]),
        (&json!(0), &json!(3))
    );
    let shown = node.run(&["ps"]).stdout;
    assert!(shown.contains("0 + 3 stashed"), "{shown}");
}
