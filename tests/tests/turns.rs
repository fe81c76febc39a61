//! What a turn does outwardly is done once it has succeeded, or not at all.

use actorhost_tests::Node;
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 4 }
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

/// What a turn that crashes has told another actor.
#[track_caller]
fn told_by(node: &Node, message: impl Fn(u64) -> Value) -> Value {
    let target = node.id("/probes/target");
    let error = node.ask_fails("/probes/a", message(target));
    assert_eq!(error["code"], "crashed", "{error}");
    // It began anew: whatever it does comes before this.
    node.ask("/probes/a", json!("Total"));
    node.ask("/probes/target", json!("Seen"))["Texts"].clone()
}

fn start() -> Node {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node.spawn("probes", "target");
    node
}

#[test]
fn a_turn_that_crashes_tells_nobody() {
    let node = start();
    let told = told_by(&node, |to| json!({"TellThenPanic": {"to": to}}));
    assert_eq!(told, json!([]));
    // Nor does it keep the room that it had reserved.
    for _ in 0..8 {
        told_by(&node, |to| json!({"TellThenPanic": {"to": to}}));
    }
    let target = node.id("/probes/target");
    let tell = json!({"Tell": {"to": target, "text": "x", "times": 3}});
    assert_eq!(node.ask("/probes/a", tell)["Told"]["accepted"], 3);
}

#[test]
fn what_is_flushed_is_done_and_the_rest_is_not() {
    let node = start();
    let told = told_by(&node, |to| json!({"FlushThenPanic": {"to": to}}));
    assert_eq!(told, json!(["flushed"]));
}

#[test]
fn an_ask_releases_what_was_held_before_it() {
    let node = start();
    let ask = |to| json!({"AskThenPanic": {"to": to, "timeout_ms": 30_000}});
    assert_eq!(told_by(&node, ask), json!(["before", "asked"]));
}

#[test]
fn a_turn_that_crashes_spawns_nobody_and_frees_the_name() {
    let node = start();
    let spawn = json!({"SpawnThenPanic": {"behaviour": "probe", "name": "child"}});
    told_by(&node, |_| spawn.clone());
    assert!(node.actor("/probes/a/child").is_none());
    let spawn = json!({"Spawn": {"behaviour": "probe", "name": "child", "fault": null}});
    assert!(node.ask("/probes/a", spawn)["Spawned"].is_object());
    node.until("the child lives", || {
        node.actor("/probes/a/child").is_some()
    });
}

#[test]
fn a_guest_spawns_what_it_was_granted_and_nothing_else() {
    let granted = "capabilities = { spawn = [\"probe\"] }";
    let node = Node::start(&MANIFEST.replace(granted, ""));
    node.spawn("probes", "a");
    let spawn = json!({"Spawn": {"behaviour": "probe", "name": "child", "fault": null}});
    let failed = node.ask("/probes/a", spawn)["Failed"].clone();
    assert_eq!(failed["cause"], "this actor may not spawn this behaviour");
    assert!(node.actor("/probes/a/child").is_none());
}

#[test]
fn c57_an_actor_that_stops_itself_still_replies() {
    let node = start();
    assert_eq!(node.ask("/probes/a", json!("StopSelf")), json!("Done"));
    node.until("it has ended that life", || {
        node.actor("/probes/a").is_some_and(|a| a["restarts"] == 1)
    });
}
