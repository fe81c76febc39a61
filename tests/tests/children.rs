//! c15: children of a supervisor by id, while it runs.

use actorhost_tests::Node;
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2
log = "debug"

[behaviour.probe]
module = "{probe}"

[[supervisor]]
name = "app"

[[supervisor.child]]
name = "a"
behaviour = "probe"
args = { start = 0 }

[[supervisor.child]]
name = "inner"
supervisor = "inner"

[[supervisor]]
name = "inner"
auto-shutdown = "any-significant"
"#;

const ARGS: &str = r#"{"start": 5}"#;

fn add<'a>(id: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["child", "add", "/app", id, "--behaviour", "probe"];
    args.extend(["--args", ARGS]);
    args.extend(more);
    args
}

/// The children of `/app` by id, with their states.
fn states(node: &Node) -> Vec<(String, String)> {
    let list = node.ok(&["child", "list", "/app"]);
    let children = list["children"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    children
        .map(|child| (text(&child["id"]), text(&child["state"])))
        .collect()
}

#[track_caller]
fn assert_states(node: &Node, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(id, state)| ((*id).to_owned(), (*state).to_owned()))
        .collect();
    assert_eq!(states(node), expected);
}

#[test]
fn c15_children_are_added_terminated_restarted_and_removed_by_id() {
    let node = Node::start(MANIFEST);
    let added = node.ok(&add("b", &[]));
    assert_eq!(added["path"], "/app/b");
    assert_eq!(added["actor"], node.id("/app/b"));
    assert_eq!(node.ask("/app/b", json!("Total"))["Number"], 5);
    assert_states(
        &node,
        &[("a", "running"), ("inner", "running"), ("b", "running")],
    );
    let counts = node.ok(&["child", "count", "/app"]);
    assert_eq!(
        counts,
        json!({"supervisor": "/app", "specs": 3, "active": 3, "supervisors": 1, "workers": 2})
    );

    // It is one of its supervisor's children now: a crash restarts it.
    node.ask_fails("/app/b", json!({"Panic": {"text": "as told"}}));
    node.until("it is restarted", || {
        node.actor("/app/b").is_some_and(|b| b["restarts"] == 1)
    });

    node.ok(&["child", "terminate", "/app", "b"]);
    assert!(node.actor("/app/b").is_none());
    assert_states(
        &node,
        &[("a", "running"), ("inner", "running"), ("b", "stopped")],
    );
    assert_eq!(node.ok(&["child", "count", "/app"])["active"], 2);

    let again = node.ok(&["child", "restart", "/app", "b"]);
    assert_ne!(again["actor"], added["actor"], "it is another actor");
    assert_eq!(node.ask("/app/b", json!("Total"))["Number"], 5);

    node.ok(&["child", "terminate", "/app", "b"]);
    node.ok(&["child", "remove", "/app", "b"]);
    assert_states(&node, &[("a", "running"), ("inner", "running")]);
    // The id is free again.
    node.ok(&add("b", &["--restart", "transient"]));
    let list = node.ok(&["child", "list", "/app"]);
    assert_eq!(list["children"][2]["restart"], "transient");
}

#[test]
fn c15_what_runs_is_there_twice_or_is_not_there_is_refused() {
    let node = Node::start(MANIFEST);
    let on = |verb, id| node.fails(&["child", verb, "/app", id], 1);
    let twice = node.fails(&add("a", &[]), 1);
    assert_eq!(twice["code"], "already-present", "{twice}");
    for verb in ["restart", "remove"] {
        let error = on(verb, "a");
        assert_eq!(error["code"], "running", "{error}");
        let help = error["help"].as_str().expect("a help");
        assert!(help.contains("actorhost child terminate /app a"), "{help}");
    }
    for verb in ["terminate", "restart", "remove"] {
        let error = on(verb, "inenr");
        assert_eq!(error["code"], "not-found", "{error}");
        assert_eq!(error["help"], "did you mean `inner`?");
    }
    // A child that does not run still has its id, until it is removed.
    node.ok(&["child", "terminate", "/app", "a"]);
    let error = node.fails(&add("a", &[]), 1);
    assert_eq!(error["code"], "already-present", "{error}");
    node.ok(&["child", "remove", "/app", "a"]);
    assert_eq!(on("restart", "a")["code"], "not-found");

    for (supervisor, help) in [
        ("/ap", Value::from("did you mean `/app`?")),
        ("/app/a", Value::Null),
    ] {
        let error = node.fails(&["child", "count", supervisor], 1);
        assert_eq!(error["code"], "no-such-supervisor", "{error}");
        if !help.is_null() {
            assert_eq!(error["help"], help);
        }
    }
}

#[test]
fn c15_a_child_that_is_wrong_or_does_not_start_is_not_added() {
    let node = Node::start(MANIFEST);
    let broken = r#"{"start": 0, "fault": {"Fail": {"cause": "no harbour"}}}"#;
    let wrong = [
        (vec!["--behaviour", "porbe"], "unknown-behaviour"),
        (vec!["--behaviour", "probe"], "bad-message"),
        (
            vec!["--behaviour", "probe", "--args", broken],
            "start-failed",
        ),
        (
            // `/app` never shuts down by itself.
            vec![
                "--behaviour",
                "probe",
                "--args",
                ARGS,
                "--significant",
                "--restart",
                "transient",
            ],
            "bad-spec",
        ),
    ];
    for (more, code) in wrong {
        let error = node.fails(&[&["child", "add", "/app", "b"], &more[..]].concat(), 1);
        assert_eq!(error["code"], code, "{error}");
        if code == "start-failed" {
            let message = error["message"].as_str().expect("a text");
            assert!(message.contains("no harbour"), "{message}");
        }
    }
    let error = node.fails(&add("a b", &[]), 1);
    assert_eq!(error["code"], "bad-spec", "{error}");
    assert_states(&node, &[("a", "running"), ("inner", "running")]);
}

#[test]
fn c15_a_supervisor_is_a_child_as_well_and_starts_with_the_children_of_its_spec() {
    let node = Node::start(MANIFEST);
    let mut significant = add("x", &["--significant", "--restart", "temporary"]);
    significant[2] = "/app/inner";
    node.ok(&significant);
    node.ok(&["child", "terminate", "/app", "inner"]);
    assert!(node.actor("/app/inner/x").is_none());
    assert_states(&node, &[("a", "running"), ("inner", "stopped")]);
    node.ok(&["child", "restart", "/app", "inner"]);
    assert_states(&node, &[("a", "running"), ("inner", "running")]);
    // What was added to it while it ran is no part of its spec.
    assert_eq!(node.ok(&["child", "count", "/app/inner"])["specs"], 0);
    let text = node.run(&["child", "list", "/app"]).stdout;
    assert!(text.contains("2 children"), "{text}");
}

#[test]
fn c15_a_temporary_child_is_forgotten_when_it_is_terminated() {
    let node = Node::start(MANIFEST);
    node.ok(&add("once", &["--restart", "temporary"]));
    node.ok(&["child", "terminate", "/app", "once"]);
    assert_states(&node, &[("a", "running"), ("inner", "running")]);
    let error = node.fails(&["child", "restart", "/app", "once"], 1);
    assert_eq!(error["code"], "not-found", "{error}");
}
