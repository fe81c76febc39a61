//! Orders to stop: how often, of whom, and what is done when they are answered.

use actorhost_tests::Node;
use serde_json::{Value, json};
use std::{fs, process::Command, thread, time::Duration};

const MANIFEST: &str = r#"
[node]
threads = 2
log = "debug"
shutdown-timeout = "10m"

[behaviour.probe]
module = "{probe}"
fuel-per-turn = "unlimited"
deadline = "unlimited"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "60s"

[[pool]]
name = "once"
behaviour = "probe"
args = { start = 0 }
restart = "temporary"

[[pool]]
name = "slow"
behaviour = "probe"
args = { start = 0 }
backoff = { first = "10m", cap = "10m" }
"#;

fn farewell(node: &Node, path: &str, farewell: Value) {
    node.ask(path, json!({"OnStop": {"farewell": farewell}}));
}

#[test]
fn c12_a_child_has_its_time_to_stop_and_is_then_killed_and_named() {
    let child = |name: &str, keys: &str| {
        format!(
            "[[supervisor.child]]\nname = \"{name}\"\nbehaviour = \"probe\"\n\
             args = {{ start = 0 }}\n{keys}\n"
        )
    };
    let mut node = Node::start(&format!(
        "{MANIFEST}\n[[supervisor]]\nname = \"app\"\n{}{}{}{}\
         [[supervisor.child]]\nname = \"deep\"\nsupervisor = \"deep\"\n\
         [[supervisor]]\nname = \"deep\"\n{}",
        child("default", ""),
        child("quick", "shutdown = \"300ms\""),
        child("at-once", "shutdown = \"kill\""),
        child("good", ""),
        child("patient", "shutdown = \"2m\""),
    ));
    for name in ["default", "quick", "at-once"] {
        let path = format!("/app/{name}");
        farewell(&node, &path, json!({"Log": {"text": "never said"}}));
        node.occupy(&path, 3_600_000);
    }
    farewell(&node, "/app/good", json!({"Log": {"text": "well"}}));
    // Longer than the five seconds of an actor, which its supervisor does not have.
    let slow = json!({"SleepAloud": {"ms": 7_000}});
    farewell(&node, "/app/deep/patient", slow);

    let down = node.ok(&["down", "--timeout", "10m"]);
    assert_eq!(down["killed"], json!(["/app/default", "/app/quick"]));
    assert!(node.ended().success());
    let killed = |name: &str, ms: u64| {
        let path = format!("actor=/app/{name} ");
        let named = "killed: it did not stop in time";
        let lines = node.log_lines(&[named, &path, &format!("shutdown_ms={ms}")]);
        (
            lines.len(),
            node.log_lines(&[&path, "ended", "reason=killed"]).len(),
        )
    };
    assert_eq!(killed("default", 5_000), (1, 1), "{}", node.log());
    assert_eq!(killed("quick", 300), (1, 1), "{}", node.log());
    // No time at all was given, so that none was exceeded.
    assert_eq!(killed("at-once", 0), (0, 1), "{}", node.log());
    assert!(!node.log().contains("never said"), "{}", node.log());
    for path in ["/app/good", "/app/deep/patient"] {
        let path = format!("actor={path} ");
        assert_eq!(
            node.log_lines(&[&path, "ended", "reason=shutdown"]).len(),
            1
        );
    }
    assert_eq!(
        node.log_lines(&["farewell ends", "/app/deep/patient"])
            .len(),
        1
    );
}

#[test]
fn c42_a_child_that_asks_its_stopping_parent_holds_up_nothing() {
    let stops: [&[&str]; 4] = [
        &["stop", "/probes/a", "--mode", "drain", "--timeout", "10m"],
        &["stop", "/probes/a", "--mode", "now", "--timeout", "10m"],
        &["kill", "/probes/a"],
        &["down"],
    ];
    for stop in stops {
        let mut node = Node::start(MANIFEST);
        let parent = node.spawn("probes", "a");
        let spawn = json!({"Spawn": {"behaviour": "probe", "name": "kid", "fault": null}});
        node.ask("/probes/a", spawn);
        let ask = json!({"Ask": {"to": parent, "timeout_ms": 3_600_000}});
        farewell(&node, "/probes/a/kid", ask);
        node.ok(stop);
        if stop == ["down"] {
            assert!(node.ended().success());
        } else {
            assert!(node.actor("/probes/a").is_none());
        }
        // At once, not after an hour, nor by a kill after the child's five seconds.
        let asked = node.log_lines(&["farewell asked", "actor=/probes/a/kid "]);
        assert_eq!(asked.len(), 1, "{stop:?}: {}", node.log());
        assert!(asked[0].contains("Err(Stopped)"), "{asked:?}");
        assert!(node.log_lines(&["killed: it did not"]).is_empty());
    }
}

fn stop(node: &Node, actor: &str) -> Value {
    node.ok(&["stop", actor])
}

fn told(path: &str, reason: &str, already: bool) -> Value {
    json!({"path": path, "reason": reason, "already": already})
}

#[test]
fn c58_a_stop_is_the_same_however_often_and_of_whomever() {
    let node = Node::start(MANIFEST);
    // Twice at the same time, while the hook of the first runs.
    let id = node.spawn("probes", "a");
    farewell(&node, "/probes/a", json!({"SleepAloud": {"ms": 2_000}}));
    thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| stop(&node, &id.to_string())));
        for one in both {
            let one = one.join().expect("it is answered");
            assert_eq!(
                (&one["path"], &one["reason"]),
                (&json!("/probes/a"), &json!("shutdown"))
            );
        }
    });
    assert_eq!(node.log_lines(&["farewell begins"]).len(), 1, "one hook");
    // One that has stopped, by whatever name and order.
    for address in ["/probes/a", &id.to_string()] {
        assert_eq!(stop(&node, address), told("/probes/a", "shutdown", true));
        let killed = node.ok(&["kill", address]);
        assert_eq!(killed, told("/probes/a", "shutdown", true));
    }
    let text = node.run(&["stop", "/probes/a"]);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    assert_eq!(text.stdout, "/probes/a had ended already: shutdown\n");
    // One that stopped itself, and one that crashed for good.
    node.spawn("once", "left");
    node.ask("/once/left", json!("StopSelf"));
    node.spawn("once", "crashed");
    node.crash("/once/crashed");
    node.until("both are gone", || {
        ["/once/left", "/once/crashed"]
            .iter()
            .all(|path| node.actor(path).is_none())
    });
    assert_eq!(
        stop(&node, "/once/left"),
        told("/once/left", "normal", true)
    );
    let crashed = stop(&node, "/once/crashed");
    let reason = crashed["reason"].as_str().expect("a text");
    assert!(reason.starts_with("crashed: panic: as told"), "{reason}");
    assert_eq!(crashed, told("/once/crashed", reason, true));
    // One that waits ten minutes for its next life ends now.
    node.spawn("slow", "a");
    node.crash("/slow/a");
    assert_eq!(
        node.actor("/slow/a").expect("it lives")["status"],
        "restarting"
    );
    assert_eq!(stop(&node, "/slow/a"), told("/slow/a", "shutdown", false));
    assert_eq!(stop(&node, "/slow/a"), told("/slow/a", "shutdown", true));
    // One that never was.
    for nobody in ["/probes/nobody", "987654"] {
        for verb in ["stop", "kill"] {
            assert_eq!(node.fails(&[verb, nobody], 1)["code"], "no-such-actor");
        }
    }
    let help = node.run(&["stop", "--help"]).stdout;
    for word in ["already", "no-such-actor", "exits with 0"] {
        assert!(help.contains(word), "{word} is not in {help}");
    }
}

#[test]
fn c58_stopped_is_said_when_the_hook_has_ended_and_all_is_free() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "other");
    for (n, mode) in ["drain", "now"].into_iter().enumerate() {
        node.spawn("probes", "a");
        farewell(&node, "/probes/a", json!({"SleepAloud": {"ms": 700}}));
        let spawn = json!({"Spawn": {"behaviour": "probe", "name": "kid", "fault": null}});
        node.ask("/probes/a", spawn);
        assert_eq!(
            node.ask("/probes/a", json!({"Register": {"name": "harbour"}})),
            "Done"
        );
        assert_eq!(
            node.ask("/probes/a", json!({"Join": {"group": "fleet"}})),
            "Done"
        );
        let stopped = node.ok(&["stop", "/probes/a", "--mode", mode]);
        assert_eq!(stopped, told("/probes/a", "shutdown", false));
        // All of this is so at once, without waiting.
        assert_eq!(node.log_lines(&["farewell ends"]).len(), n + 1);
        let stats = node.ok(&["stats"]);
        assert_eq!((&stats["actors"], &stats["live"]), (&json!(1), &json!(1)));
        let found = node.ask("/probes/other", json!({"Lookup": {"path": "harbour"}}));
        assert_eq!(found["Found"]["id"], Value::Null);
        let members = node.ask("/probes/other", json!({"Members": {"group": "fleet"}}));
        assert_eq!(members["Actors"], json!([]));
    }
    // Path and name are free for the next.
    node.spawn("probes", "a");
    assert_eq!(
        node.ask("/probes/a", json!({"Register": {"name": "harbour"}})),
        "Done"
    );
}

#[test]
fn a_straggler_is_named_once_with_the_time_that_it_had() {
    let mut node = Node::start(MANIFEST);
    let named = |node: &Node, path: &str, ms: u64| {
        let path = format!("actor={path} ");
        let all = node.log_lines(&["killed: it did not stop in time", &path]);
        assert_eq!(all.len(), 1, "{}", node.log());
        assert!(all[0].contains(&format!("shutdown_ms={ms}")), "{all:?}");
        assert!(all[0].contains("behaviour="), "{all:?}");
    };
    // By an order with a time of its own.
    node.spawn("probes", "a");
    node.occupy("/probes/a", 3_600_000);
    let stopped = node.ok(&["stop", "/probes/a", "--mode", "now", "--timeout", "200ms"]);
    assert_eq!(stopped["reason"], "killed");
    named(&node, "/probes/a", 200);
    // At once is in time.
    node.spawn("probes", "b");
    node.occupy("/probes/b", 3_600_000);
    node.ok(&["kill", "/probes/b"]);
    // By the node's end: its own time, and then the node's.
    node.spawn("probes", "c");
    node.occupy("/probes/c", 3_600_000);
    let down = node.ok(&["down", "--timeout", "300ms"]);
    assert_eq!(down["killed"], json!(["/probes/c"]));
    assert!(node.ended().success());
    named(&node, "/probes/c", 300);
    let all = node.log_lines(&["killed: it did not stop in time"]);
    assert_eq!(all.len(), 2, "{}", node.log());
}

#[test]
fn a_signal_during_the_start_ends_it_in_order() {
    // A module that is never there: the start waits for it.
    let dir = Node::dir("[behaviour.slow]\nmodule = \"pipe\"\n");
    let made = Command::new("mkfifo").arg(dir.path().join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let lock = dir.path().join(".actorhost/lock");
    let starting = thread::spawn(|| Node::start_in(dir).err());
    let pid = loop {
        let text = fs::read_to_string(&lock).unwrap_or_default();
        if text.ends_with('\n') {
            break text.trim().to_owned();
        }
        assert!(!starting.is_finished(), "it waits for its module");
        thread::sleep(Duration::from_millis(10));
    };
    let sent = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let ran = starting.join().expect("no panic").expect("it never was up");
    assert_eq!(ran.code, 0, "{ran:?}");
    let said = "a signal during the start: nothing was started";
    assert!(ran.stderr.contains(said), "{ran:?}");
}
