//! Actors crash, and their supervisors answer.

use actorhost_tests::{Node, Ran};
use serde_json::{Value, json};
use std::{thread::sleep, time::Duration};

const PROBE: &str = r#"
[node]
threads = 2
log = "debug"

[behaviour.probe]
module = "{probe}"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

/// A supervisor `/app` with children of these names and further keys.
fn supervisor(keys: &str, children: &[(&str, &str)]) -> String {
    let mut text = format!("{PROBE}\n[[supervisor]]\nname = \"app\"\n{keys}\n");
    for (name, keys) in children {
        text += "[[supervisor.child]]\nbehaviour = \"probe\"\n";
        text += &format!("name = \"{name}\"\n{keys}\n");
    }
    text
}

const ARGS: &str = "args = { start = 0 }";

fn token(node: &Node, path: &str) -> Value {
    node.me(path)["token"].clone()
}

#[track_caller]
fn crash(node: &Node, path: &str) {
    let error = node.ask_fails(path, json!({"Panic": {"text": "as told"}}));
    assert_eq!(error["code"], "crashed", "{error}");
}

/// Crashes an actor and waits for its next life.
#[track_caller]
fn crash_and_return(node: &Node, path: &str) {
    let restarts = node.actor(path).expect("it lives")["restarts"].as_u64();
    crash(node, path);
    node.until("it is restarted", || {
        node.actor(path)
            .is_some_and(|actor| actor["restarts"].as_u64() > restarts)
    });
}

#[test]
fn c01_one_for_one_restarts_only_the_child_that_crashed() {
    let children = [("a", ARGS), ("b", ARGS), ("c", ARGS)];
    let node = Node::start(&supervisor("", &children));
    let paths = ["/app/a", "/app/b", "/app/c"];
    let before = paths.map(|path| {
        node.ask(path, json!({"Add": {"n": 7}}));
        (node.id(path), token(&node, path))
    });
    crash_and_return(&node, "/app/b");

    for (path, (id, old)) in paths.into_iter().zip(before) {
        let crashed = path == "/app/b";
        assert_eq!(node.id(path), id, "{path} keeps its address");
        assert_eq!(token(&node, path) != old, crashed, "{path}");
        let total = if crashed { 0 } else { 7 };
        assert_eq!(node.ask(path, json!("Total"))["Number"], total, "{path}");
        let restarts = u64::from(crashed);
        assert_eq!(node.actor(path).expect("it lives")["restarts"], restarts);
    }
}

#[test]
fn c04_restart_types_answer_each_kind_of_end() {
    let pools = ["permanent", "transient", "temporary"].map(|restart| {
        format!(
            "[[pool]]\nname = \"{restart}\"\nbehaviour = \"probe\"\n{ARGS}\nrestart = \"{restart}\"\n"
        )
    });
    let node = Node::start(&format!("{PROBE}\n{}", pools.concat()));
    node.spawn("probes", "killer");
    // Whether permanent, transient and temporary live on.
    let ends = [
        ("by-itself", [true, false, false]),
        ("crash", [true, true, false]),
        ("kill", [true, true, false]),
    ];
    for (end, expected) in ends {
        for (pool, lives) in ["permanent", "transient", "temporary"].iter().zip(expected) {
            let path = format!("/{pool}/{end}");
            let id = node.spawn(pool, end);
            let old = token(&node, &path);
            match end {
                "by-itself" => drop(node.ask(&path, json!("StopSelf"))),
                "crash" => crash(&node, &path),
                _ => {
                    let stop = json!({"Stop": {"target": id, "mode": "Kill"}});
                    node.ask("/probes/killer", stop);
                }
            }
            node.until("its supervisor has decided", || {
                let actor = node.actor(&path);
                actor.map_or(!lives, |actor| lives && actor["restarts"] == 1)
            });
            if lives {
                assert_eq!(node.id(&path), id);
                assert_ne!(token(&node, &path), old, "{path} begins anew");
            }
        }
    }
}

#[test]
fn c04_a_temporary_child_and_its_spec_are_forgotten() {
    let temporary = format!("{ARGS}\nrestart = \"temporary\"");
    let children = [("a", ARGS), ("once", temporary.as_str())];
    let node = Node::start(&supervisor("", &children));
    crash(&node, "/app/once");
    node.until("it is gone", || node.actor("/app/once").is_none());
    let tree = node.ok(&["tree"]);
    let app = tree["children"].as_array().expect("a list").iter();
    let app = app.into_iter().find(|child| child["path"] == "/app");
    assert_eq!(app.expect("it is there")["children_total"], 1, "{tree}");
    crash_and_return(&node, "/app/a");
    assert!(node.actor("/app/once").is_none());
    assert_eq!(
        node.fails(&["restart", "/app/once"], 1)["code"],
        "no-such-actor"
    );
}

#[test]
fn c05_one_restart_more_than_the_intensity_fails_the_supervisor() {
    for intensity in [0, 1, 5] {
        let keys = format!("intensity = {intensity}\nperiod = \"60s\"");
        let children = [("a", ARGS), ("b", ARGS), ("c", ARGS)];
        let node = Node::start(&supervisor(&keys, &children));
        let bystander = token(&node, "/app/c");
        for round in 0..intensity {
            let path = ["/app/a", "/app/b"][round % 2];
            crash_and_return(&node, path);
            assert_eq!(token(&node, "/app/c"), bystander);
        }
        assert!(node.log_lines(&["supervisor failed"]).is_empty());
        let old = ["/app/a", "/app/b", "/app/c"].map(|path| node.id(path));

        crash(&node, "/app/a");
        // Its parent, the root, starts it again: all its children are new ones.
        node.until("the supervisor is restarted", || {
            node.actor("/app/c")
                .is_some_and(|c| c["id"] != old[2] && c["status"] == "idle")
        });
        for (path, old) in ["/app/a", "/app/b", "/app/c"].into_iter().zip(old) {
            assert_ne!(node.id(path), old);
        }
        assert_ne!(token(&node, "/app/c"), bystander);
        let failed = node.log_lines(&["supervisor failed", "/app"]);
        assert_eq!(failed.len(), 1, "{failed:?}");
        let cause = format!("more than {intensity} restarts within 60000 ms");
        assert!(
            failed[0].contains(&cause) && failed[0].contains("/app/a"),
            "{failed:?}"
        );
    }
}

#[test]
fn c05_a_restart_older_than_the_period_does_not_count() {
    let keys = "intensity = 1\nperiod = \"100ms\"";
    let node = Node::start(&supervisor(keys, &[("a", ARGS)]));
    for _ in 0..4 {
        crash_and_return(&node, "/app/a");
        sleep(Duration::from_millis(150));
    }
    assert_eq!(node.actor("/app/a").expect("it lives")["restarts"], 4);
    assert!(node.log_lines(&["supervisor failed"]).is_empty());
}

#[test]
fn c06_a_root_that_gives_up_ends_the_node_and_says_why() {
    let node = supervisor(
        "intensity = 0\nperiod = \"5s\"",
        &[("a", ARGS), ("b", ARGS)],
    );
    let mut node = Node::start(&node);
    let panic = json!({"Panic": {"text": "sunk"}}).to_string();
    // The root allows one restart; how long each takes is not known here.
    node.until("the node is down", || {
        node.run(&["ask", "/app/a", &panic, "--json"]).code == 3
    });
    assert_eq!(node.ended().code(), Some(1));
    let log = node.log();
    let report = log.lines().last().expect("it says something");
    for word in ["the node stopped", "/app/a", "panic: sunk"] {
        assert!(log.contains(word), "{word} is not in {log}");
    }
    assert!(report.contains("/app"), "{report}");
    let ended = node.log_lines(&["ended", "actor=/app/b"]);
    assert!(!ended.is_empty(), "{log}");
}

#[track_caller]
fn does_not_start(manifest: &str) -> Ran {
    match Node::try_start(manifest) {
        Ok(node) => panic!("it started: {}", node.log()),
        Err(ran) => ran,
    }
}

#[test]
fn c07_a_child_that_fails_in_init_fails_the_start_and_nothing_is_left() {
    let faults = [
        (r#"{ Fail = { cause = "no harbour" } }"#, "no harbour"),
        (r#""Panic""#, "asked to panic in init"),
    ];
    for (fault, cause) in faults {
        let broken = format!("args = {{ start = 0, fault = {fault} }}");
        let children = [("a", ARGS), ("b", ARGS), ("c", &broken), ("d", ARGS)];
        let ran = does_not_start(&supervisor("", &children));
        assert_eq!(ran.code, 1, "{ran:?}");
        let log = &ran.stderr;
        let error = log.lines().find(|line| line.starts_with("error:"));
        let error = error.unwrap_or_else(|| panic!("no error in {log}"));
        for word in ["/app/c", "init-failed", cause] {
            assert!(error.contains(word), "{word} is not in {error}");
        }
        let at = |words: &[&str]| {
            log.lines()
                .position(|line| words.iter().all(|word| line.contains(word)))
        };
        let (a, b) = (
            at(&["ended", "actor=/app/a "]),
            at(&["ended", "actor=/app/b "]),
        );
        assert!(a.is_some() && b < a, "not in reverse order: {log}");
        assert_eq!(at(&["actor=/app/d"]), None, "{log}");
    }
}

#[test]
fn c08_a_restart_that_fails_is_tried_again_and_watchers_hear_of_the_end() {
    let pool =
        "\n[[pool]]\nname = \"fragile\"\nbehaviour = \"probe\"\nintensity = 3\nperiod = \"60s\"\n";
    let args = r#"args = { start = 0, fault = { FailWhile = { path = "/probes/storm" } } }"#;
    let node = Node::start(&format!("{PROBE}{pool}{args}\n"));
    let id = node.spawn("fragile", "a");
    node.spawn("probes", "watcher");
    node.ask("/probes/watcher", json!({"Watch": {"target": id}}));
    node.spawn("probes", "storm");
    crash(&node, "/fragile/a");
    node.until("it is gone", || node.actor("/fragile/a").is_none());

    let crashes = node.log_lines(&["crashed actor=/fragile/a "]);
    assert_eq!(crashes.len(), 4, "its own, and three starts: {crashes:?}");
    assert!(
        crashes[3].contains("init-failed: /probes/storm is alive"),
        "{crashes:?}"
    );
    let downs = || node.ask("/probes/watcher", json!("Downs"))["Downs"].clone();
    node.until("the watcher hears", || downs() != json!([]));
    let downs = downs();
    assert_eq!(downs.as_array().map(Vec::len), Some(1), "{downs}");
    let reason = downs[0]["reason"].as_str().expect("a text");
    assert!(reason.contains("/probes/storm is alive"), "{reason}");
}

#[test]
fn c16_each_crash_and_each_restart_is_logged_once_with_all_there_is_to_know() {
    let node = Node::start(PROBE);
    node.spawn("probes", "a");
    node.spawn("probes", "b");
    let faults = [
        (
            json!({"Panic": {"text": "no wind"}}),
            "panic: no wind",
            "probe::Probe",
        ),
        (json!("Overflow"), "trap: ", "probe::faults::deeper"),
        (json!("Unreachable"), "trap: ", "probe::Probe"),
    ];
    for (message, ..) in &faults {
        node.ask_fails("/probes/a", message.clone());
    }
    node.until("all restarts are logged", || {
        node.log_lines(&["restarted actor=/probes/a "]).len() >= faults.len()
    });

    let crashes = node.log_lines(&["crashed actor=/probes/a "]);
    let restarts = node.log_lines(&["restarted actor=/probes/a "]);
    assert_eq!(
        (crashes.len(), restarts.len()),
        (3, 3),
        "{crashes:?} {restarts:?}"
    );
    for (n, (_, cause, function)) in faults.iter().enumerate() {
        for word in [
            "ERROR",
            "behaviour=probe v1 (0.1.0)",
            &format!("restarts={n} "),
            &format!("cause={cause}"),
        ] {
            assert!(crashes[n].contains(word), "{word}: {}", crashes[n]);
        }
        let backtrace = crashes[n].split("backtrace=").nth(1);
        let backtrace = backtrace.unwrap_or_else(|| panic!("no backtrace: {}", crashes[n]));
        assert!(backtrace.contains(function), "{function}: {backtrace}");
        for word in [
            "behaviour=probe v1 (0.1.0)",
            &format!("restarts={}", n + 1),
            "resumed=false",
        ] {
            assert!(restarts[n].contains(word), "{word}: {}", restarts[n]);
        }
    }
    assert!(node.log_lines(&["crashed actor=/probes/b "]).is_empty());
}

#[test]
fn resume_goes_on_from_the_state_before_the_failing_turn() {
    let resume = format!("{ARGS}\non-crash = \"resume\"");
    let node = Node::start(&supervisor(
        "intensity = 5\nperiod = \"5s\"",
        &[("a", &resume)],
    ));
    let old = token(&node, "/app/a");
    node.ask("/app/a", json!({"Add": {"n": 7}}));
    crash_and_return(&node, "/app/a");
    assert_eq!(node.ask("/app/a", json!("Total"))["Number"], 7);
    let me = node.me("/app/a");
    assert_eq!(me["token"], old);
    assert_eq!(me["turns_here"], 2, "on an instance of its own");
    assert_eq!(node.log_lines(&["restarted", "resumed=true"]).len(), 1);
}

#[test]
fn stop_ends_a_crashed_child_and_escalate_takes_its_supervisor_along() {
    let stop = format!("{ARGS}\non-crash = \"stop\"");
    let escalate = format!("{ARGS}\non-crash = \"escalate\"");
    let children = [("stops", &*stop), ("escalates", &*escalate), ("b", ARGS)];
    let node = Node::start(&supervisor("intensity = 5\nperiod = \"5s\"", &children));
    let b = node.id("/app/b");
    crash(&node, "/app/stops");
    node.until("it is gone", || node.actor("/app/stops").is_none());
    assert_eq!(node.id("/app/b"), b);

    crash(&node, "/app/escalates");
    node.until("the supervisor is restarted", || {
        node.actor("/app/b").is_some_and(|actor| actor["id"] != b)
    });
    assert_eq!(node.log_lines(&["supervisor failed", "escalates"]).len(), 1);
    assert!(node.actor("/app/stops").is_some(), "all of it begins anew");
}

#[test]
fn a_guests_child_is_mended_after_a_crash_and_ends_when_it_stops_by_itself() {
    let node = Node::start(PROBE);
    node.spawn("probes", "a");
    let spawn = json!({"Spawn": {"behaviour": "probe", "name": "child", "fault": null}});
    let id = node.ask("/probes/a", spawn)["Spawned"]["id"].clone();
    node.ask("/probes/a", json!({"Watch": {"target": id}}));
    let child = "/probes/a/child";
    crash_and_return(&node, child);
    assert_eq!(json!(node.id(child)), id);
    assert_eq!(node.ask("/probes/a", json!("Downs"))["Downs"], json!([]));
    node.ask(child, json!("StopSelf"));
    node.until("it is gone", || node.actor(child).is_none());
    let down = json!([{"id": id, "reason": "normal"}]);
    node.until("its parent hears", || {
        node.ask("/probes/a", json!("Downs"))["Downs"] == down
    });
}

#[test]
fn an_operator_ends_an_actor_for_good_or_gives_it_a_new_life() {
    let children = [("a", ARGS), ("b", ARGS), ("c", ARGS)];
    let node = Node::start(&supervisor("", &children));
    for path in ["/app/a", "/app/b"] {
        let verb = if path == "/app/a" { "stop" } else { "kill" };
        let reason = if verb == "stop" { "shutdown" } else { "killed" };
        assert_eq!(node.ok(&[verb, path])["reason"], reason);
        assert!(node.actor(path).is_none(), "{verb} is for good");
    }
    let (id, old) = (node.id("/app/c"), token(&node, "/app/c"));
    assert_eq!(node.ok(&["restart", "/app/c"])["restarts"], 1);
    assert_eq!(node.id("/app/c"), id);
    assert_ne!(token(&node, "/app/c"), old);
    // An order does not count against the budget of crashes.
    crash_and_return(&node, "/app/c");
}
