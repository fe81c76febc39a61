//! Actors begin, sleep and end, and so does the node.

use actorhost_tests::Node;
use actorhost_wire::api::SpawnRequest;
use serde_json::{Value, json};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const MANIFEST: &str = r#"
[node]
threads = 2
log = "debug"
shutdown-timeout = "1s"

[behaviour.probe]
module = "{probe}"
fuel-per-turn = "unlimited"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"

[[supervisor]]
name = "app"

[[supervisor.child]]
name = "a"
behaviour = "probe"
args = { start = 0 }

[[supervisor.child]]
name = "b"
behaviour = "probe"
args = { start = 0 }
"#;

fn seen(node: &Node, path: &str) -> Value {
    node.ask(path, json!("Seen"))["Texts"].clone()
}

/// Reasons and messages of the dead letters.
fn letters(node: &Node) -> Vec<(String, Value)> {
    let letters = node.dead_letters().into_iter().map(|letter| {
        let reason = letter["reason"].as_str().expect("a text");
        (reason.to_owned(), letter["message"].clone())
    });
    letters.collect()
}

/// An actor in the middle of a message, two more queued, that tells at its end what
/// it handled (by way of `/probes/log`) and why it ends.
fn busy(node: &Node, name: &str) -> String {
    let log = node.id("/probes/log");
    node.spawn("probes", name);
    let path = format!("/probes/{name}");
    node.ask(
        &path,
        json!({"OnStop": {"farewell": {"Tell": {"to": log}}}}),
    );
    node.occupy(&path, 1_500);
    for n in 0..2 {
        let text = format!("queued {n}");
        node.tell(
            &path,
            json!({"Tell": {"to": log, "text": text, "times": 1}}),
        );
    }
    path
}

#[test]
fn c50_drain_handles_what_is_queued_and_then_stops() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "log");
    let path = busy(&node, "a");
    assert_eq!(node.ok(&["stop", &path])["reason"], "shutdown");
    assert_eq!(
        seen(&node, "/probes/log"),
        json!(["queued 0", "queued 1", "shutdown"])
    );
    assert_eq!(letters(&node), []);
}

#[test]
fn c50_a_drain_goes_on_after_a_crash() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "log");
    let path = busy(&node, "a");
    node.tell(&path, json!({"Panic": {"text": "storm"}}));
    let log = node.id("/probes/log");
    node.tell(
        &path,
        json!({"Tell": {"to": log, "text": "after", "times": 1}}),
    );
    node.ok(&["stop", &path, "--timeout", "60s"]);
    assert_eq!(
        seen(&node, "/probes/log"),
        json!(["queued 0", "queued 1", "after"])
    );
    let lost = json!({"Panic": {"text": "storm"}});
    assert_eq!(letters(&node), [("crashed".into(), lost)]);
    assert!(node.actor(&path).is_none());
}

#[test]
fn c50_now_finishes_the_current_message_and_the_rest_become_dead_letters() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "log");
    let path = busy(&node, "a");
    let stopped = node.ok(&["stop", &path, "--mode", "now"]);
    assert_eq!(stopped["reason"], "shutdown");
    assert_eq!(seen(&node, "/probes/log"), json!(["shutdown"]));
    let reasons: Vec<_> = letters(&node)
        .into_iter()
        .map(|(reason, _)| reason)
        .collect();
    assert_eq!(
        reasons,
        ["stopped", "stopped"],
        "the current one is none of them"
    );
}

#[test]
fn c50_kill_abandons_the_running_handler() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "log");
    let path = busy(&node, "a");
    let begun = Instant::now();
    node.tell("/probes/a", json!("Spin"));
    assert_eq!(node.ok(&["kill", &path])["reason"], "killed");
    // A spinner as well, which never comes to an end by itself.
    node.spawn("probes", "spins");
    node.tell("/probes/spins", json!("Spin"));
    assert_eq!(node.ok(&["kill", "/probes/spins"])["reason"], "killed");
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert_eq!(seen(&node, "/probes/log"), json!([]), "no hook runs");

    let letters = letters(&node);
    let of = |reason: &str| letters.iter().filter(|(was, _)| was == reason).count();
    assert!(
        letters.contains(&("killed".into(), json!({"SleepMs": {"ms": 1_500}}))),
        "{letters:?}"
    );
    assert_eq!(of("killed") + of("stopped"), 5, "{letters:?}");
}

#[test]
fn c51_a_stopping_hook_that_fails_or_never_ends_does_not_block_the_stop() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "panics");
    node.ask("/probes/panics", json!({"OnStop": {"farewell": "Panic"}}));
    assert_eq!(node.ok(&["stop", "/probes/panics"])["reason"], "shutdown");
    let crashed = node.log_lines(&["crashed", "/probes/panics", "asked to panic in stopping"]);
    assert_eq!(crashed.len(), 1, "{crashed:?}");

    node.spawn("probes", "spins");
    node.ask("/probes/spins", json!({"OnStop": {"farewell": "Spin"}}));
    let stopped = node.ok(&["stop", "/probes/spins", "--timeout", "200ms"]);
    assert_eq!(stopped["reason"], "killed");
}

#[test]
fn c53_names_are_unique_among_the_living_and_free_again_after() {
    let node = Node::start(MANIFEST);
    let old = node.spawn("probes", "a");
    node.spawn("probes", "other");
    let again = ["spawn", "--pool", "probes", "--name", "a"];
    assert_eq!(node.fails(&again, 1)["code"], "name-taken");
    let by_guest = json!({"Spawn": {"behaviour": "probe", "name": "child", "fault": null}});
    assert!(node.ask("/probes/a", by_guest.clone())["Spawned"].is_object());
    let taken = node.ask("/probes/a", by_guest)["Failed"].clone();
    assert_eq!(taken["cause"], "a living actor has this name");

    node.ok(&["stop", "/probes/a"]);
    let new = node.spawn("probes", "a");
    assert_ne!(new, old);
    // The old address reaches nobody; a lookup finds the new one.
    let tell = json!({"Tell": {"to": old, "text": "ahoy", "times": 1}});
    let told = node.ask("/probes/other", tell)["Told"].clone();
    assert_eq!(told["cause"], "the target has stopped", "{told}");
    assert_eq!(
        node.fails(&["tell", &old.to_string(), "\"Total\""], 1)["code"],
        "stopped"
    );
    assert_eq!(seen(&node, "/probes/a"), json!([]));
    let found = node.ask("/probes/other", json!({"Lookup": {"path": "/probes/a"}}));
    assert_eq!(found["Found"]["id"], new);
    let none = node.ask("/probes/other", json!({"Lookup": {"path": "/probes/none"}}));
    assert_eq!(none["Found"]["id"], Value::Null);
}

#[tokio::test]
async fn c53_of_a_hundred_that_race_for_a_name_one_wins() {
    let node = Node::start(MANIFEST);
    let client = Arc::new(node.client());
    let racers = (0..100).map(|_| {
        let client = client.clone();
        tokio::spawn(async move {
            let request = SpawnRequest {
                behaviour: None,
                pool: Some("probes".into()),
                name: Some("a".into()),
                args: None,
            };
            match client.spawn(&request).await {
                Ok(spawned) => Some(spawned.id),
                Err(error) => {
                    assert_eq!(error.code(), "name-taken");
                    None
                }
            }
        })
    });
    let mut winners = Vec::new();
    for racer in racers.collect::<Vec<_>>() {
        winners.extend(racer.await.expect("it is told"));
    }
    assert_eq!(winners, [node.id("/probes/a")]);
}

#[test]
fn parents_end_after_their_children_and_a_restart_ends_them_first() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    let child = json!({"Spawn": {"behaviour": "probe", "name": "child", "fault": null}});
    node.ask("/probes/a", child.clone());
    let parent = node.actor("/probes/a/child").expect("it lives")["supervisor"].clone();
    assert_eq!(parent, "/probes/a");
    node.ask_fails("/probes/a", json!({"Panic": {"text": "storm"}}));
    node.until("the parent begins anew", || {
        node.actor("/probes/a").expect("it lives")["restarts"] == 1
    });
    assert!(node.actor("/probes/a/child").is_none());

    node.ask("/probes/a", child);
    node.ok(&["stop", "/probes/a"]);
    assert!(node.actor("/probes/a/child").is_none());
    let ended = node.log_lines(&["DEBUG", "ended actor=/probes/a"]);
    let paths: Vec<_> = ended
        .iter()
        .map(|line| line.contains("/probes/a/child"))
        .collect();
    assert_eq!(paths, [true, true, false], "{ended:?}");
}

#[test]
fn many_more_actors_than_instances_sleep_and_nobody_notices() {
    let node = Node::start(&MANIFEST.replace("threads = 2", "threads = 2\nlive-max = 4"));
    let path = |n: u64| format!("/probes/p{n}");
    let mut tokens = Vec::new();
    for n in 0..40 {
        node.spawn("probes", &format!("p{n}"));
        node.ask(&path(n), json!({"Add": {"n": n}}));
        tokens.push(node.me(&path(n))["token"].clone());
    }
    let list = node.ok(&["ps", "--under", "/probes"]);
    let actors = list["actors"].as_array().expect("a list");
    let asleep = actors
        .iter()
        .filter(|actor| actor["status"] == "asleep")
        .count();
    assert!(asleep >= 30, "{asleep} of {}", actors.len());
    let sleeper = actors.iter().find(|actor| actor["status"] == "asleep");
    assert_eq!(sleeper.expect("there are some")["memory"], 0);
    assert!(node.run(&["ps"]).stdout.contains("asleep"));

    for n in 0..40 {
        assert_eq!(
            node.ask(&path(n), json!({"Add": {"n": 1}}))["Number"],
            n + 1
        );
        let me = node.me(&path(n));
        assert_eq!(me["token"], tokens[n as usize], "it is the same life");
        assert_eq!(node.actor(&path(n)).expect("it lives")["restarts"], 0);
    }
    assert_eq!(letters(&node), []);
}

#[test]
fn signals_shut_the_node_down_in_order() {
    for signal in ["TERM", "INT"] {
        let patient = MANIFEST.replace("timeout = \"1s\"", "timeout = \"60s\"");
        let mut node = Node::start(&patient);
        node.spawn("probes", "log");
        node.spawn("probes", "a");
        // What is queued is handled first.
        node.occupy("/app/a", 200);
        let log = node.id("/probes/log");
        node.tell(
            "/app/a",
            json!({"Tell": {"to": log, "text": "queued", "times": 1}}),
        );
        node.signal(signal);
        assert_eq!(node.ended().code(), Some(0), "{}", node.log());
        let at = |words: &[&str]| {
            let log = node.log();
            let place = log
                .lines()
                .position(|line| words.iter().all(|word| line.contains(word)));
            place.unwrap_or_else(|| panic!("{words:?} is not in {log}"))
        };
        // Supervisors first, each in reverse order of its start; then the pools.
        let b = at(&["ended actor=/app/b "]);
        let a = at(&["ended actor=/app/a "]);
        let pool = at(&["ended actor=/probes/a "]);
        assert!(b < a && a < pool, "{}", node.log());
        assert!(node.log_lines(&["killed"]).is_empty(), "{}", node.log());
        assert!(
            node.log().contains("down; 4 actors ended"),
            "{}",
            node.log()
        );
        assert!(!node.data_dir().join("node.sock").exists());
    }
}

#[test]
fn c59_whoever_does_not_end_in_time_is_killed_and_named() {
    for signal in ["TERM", "INT"] {
        let mut node = Node::start(MANIFEST);
        for name in ["spins", "ignores", "waits", "sleeps", "well"] {
            node.spawn("probes", name);
        }
        let sleeper = node.id("/probes/sleeps");
        node.ask("/probes/ignores", json!({"OnStop": {"farewell": "Spin"}}));
        node.tell("/probes/spins", json!("Spin"));
        node.occupy("/probes/sleeps", 600_000);
        let ask = json!({"AskToSleep": {"to": sleeper, "ms": 1, "timeout_ms": 600_000}});
        node.tell("/probes/waits", ask);
        node.until("all are at it", || {
            node.actor("/probes/sleeps").expect("it lives")["queued"] == 1
        });
        let begun = Instant::now();
        node.signal(signal);
        assert_eq!(node.ended().code(), Some(0), "{}", node.log());
        // One second is what the manifest allows; the rest is for a slow machine.
        assert!(begun.elapsed() < Duration::from_secs(30));
        for name in ["spins", "ignores", "waits", "sleeps"] {
            let path = format!("actor=/probes/{name}");
            let named = node.log_lines(&["WARN", "killed: it did not stop in time", &path]);
            assert_eq!(named.len(), 1, "{name}: {}", node.log());
        }
        assert!(
            node.log_lines(&["WARN", "killed", "/probes/well"])
                .is_empty()
        );
    }
}

#[test]
fn down_says_what_ended_and_what_was_killed() {
    let mut node = Node::start(MANIFEST);
    node.spawn("probes", "spins");
    node.tell("/probes/spins", json!("Spin"));
    let down = node.ok(&["down", "--timeout", "300ms"]);
    assert_eq!(down["killed"], json!(["/probes/spins"]));
    assert_eq!(node.ended().code(), Some(0));
}
