//! What every verb prints with `--json`: fields that programs rely on.

use actorhost_tests::{Node, Shell, guest};
use serde_json::{Value, json};
use std::fs;

const MANIFEST: &str = r#"
[node]
name = "harbour"
threads = 2

[behaviour.probe]
module = "{probe}"

[[supervisor]]
name = "app"
intensity = 10
period = "5s"

[[supervisor.child]]
name = "a"
behaviour = "probe"
args = { start = 0 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 10
period = "5s"
"#;

/// That an object has these fields and no others.
#[track_caller]
fn assert_fields(value: &Value, fields: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
    let mut found: Vec<&str> = object.keys().map(String::as_str).collect();
    let mut fields = fields.to_vec();
    found.sort_unstable();
    fields.sort_unstable();
    assert_eq!(found, fields, "{value}");
}

const BEHAVIOUR: [&str; 6] = [
    "name",
    "version",
    "module_version",
    "digest",
    "actors",
    "can_save",
];

#[test]
fn the_json_of_actors_has_its_fields() {
    let node = Node::start(MANIFEST);
    let spawned = node.ok(&["spawn", "--pool", "probes", "--args", "{\"start\": 5}"]);
    assert_fields(&spawned, &["id", "path"]);
    let path = spawned["path"].as_str().expect("a path").to_owned();
    assert!(path.starts_with("/probes/"), "a name is made up: {path}");

    assert_eq!(
        node.ok(&["tell", &path, "Total"]),
        json!({"accepted": true})
    );
    let asked = node.ok(&["ask", &path, "{\"Add\": {\"n\": 2}}", "--timeout", "30s"]);
    assert_eq!(asked, json!({"reply": {"Number": 7}}));
    // An id is as good as a path.
    let asked = node.ok(&["ask", &spawned["id"].to_string(), "Total"]);
    assert_eq!(asked, json!({"reply": {"Number": 7}}));

    let list = node.ok(&["ps", "--under", "/probes"]);
    assert_fields(&list, &["actors", "total"]);
    assert_eq!(list["total"], 1);
    let actor = &list["actors"][0];
    let fields = "id path behaviour version module_version status queued stashed handled restarts \
                  memory supervisor";
    assert_fields(actor, &fields.split_whitespace().collect::<Vec<_>>());
    assert_eq!(actor["behaviour"], "probe");
    assert_eq!(actor["module_version"], "0.1.0");
    assert_eq!(actor["handled"], 3);
    assert_eq!(actor["supervisor"], "/probes");
    let cut = node.ok(&["ps", "--limit", "1"]);
    assert_eq!(
        (cut["actors"].as_array().map(Vec::len), &cut["total"]),
        (Some(1), &json!(2))
    );

    let tree = node.ok(&["tree"]);
    let fields = ["path", "kind", "detail", "children", "children_total"];
    assert_fields(&tree, &fields);
    let children = tree["children"].as_array().expect("a list");
    let kinds: Vec<_> = children
        .iter()
        .map(|c| (c["path"].as_str(), c["kind"].as_str()))
        .collect();
    assert!(
        kinds.contains(&(Some("/app"), Some("supervisor"))),
        "{tree}"
    );
    assert!(kinds.contains(&(Some("/probes"), Some("pool"))), "{tree}");
    for child in children {
        assert_eq!(child["children_total"], 1);
        assert_fields(&child["children"][0], &fields);
    }

    let restarted = node.ok(&["restart", &path]);
    assert_eq!(restarted, json!({"path": path, "restarts": 1}));
    let stopped = node.ok(&["stop", &path]);
    assert_eq!(stopped["path"], path.as_str());
    assert_fields(&stopped, &["already", "path", "reason"]);
    node.ok(&[
        "spawn",
        "--behaviour",
        "probe",
        "--name",
        "solo",
        "--args",
        "{\"start\": 0}",
    ]);
    let killed = node.ok(&["kill", "/solo"]);
    assert_eq!(
        killed,
        json!({"path": "/solo", "reason": "killed", "already": false})
    );
}

#[test]
fn the_json_of_modules_has_its_fields() {
    let node = Node::start(MANIFEST);
    let (v1, v2) = (
        guest("probe").display().to_string(),
        guest("probe-v2").display().to_string(),
    );
    let deployed = node.ok(&["deploy", "other", &v1]);
    assert_fields(&deployed, &["behaviour", "changed"]);
    assert_fields(&deployed["behaviour"], &BEHAVIOUR);
    assert_eq!(
        deployed["behaviour"]["digest"].as_str().map(str::len),
        Some(64)
    );

    let swapped = node.ok(&["swap", "probe", &v2, "--timeout", "60s"]);
    let fields = [
        "behaviour",
        "from",
        "to",
        "swapped",
        "deferred",
        "failed",
        "gone",
        "elapsed_ms",
    ];
    assert_fields(&swapped, &fields);
    assert_fields(&swapped["from"], &BEHAVIOUR);
    assert_fields(&swapped["to"], &BEHAVIOUR);
    assert_eq!(swapped["swapped"], 1);

    let inspected = node.ok(&["inspect", &v1]);
    let fields =
        "file kind size_bytes digest wit_version imports exports described problem schemas";
    assert_fields(&inspected, &fields.split_whitespace().collect::<Vec<_>>());
    assert_eq!(inspected["kind"], "behaviour");
    assert_eq!(inspected["wit_version"], "0.1.0");
    assert_eq!(inspected["digest"], deployed["behaviour"]["digest"]);
    assert_fields(
        &inspected["described"],
        &["name", "version", "state_version", "can_save"],
    );
    assert_fields(
        &inspected["imports"][0],
        &["interface", "functions", "capability"],
    );
    assert_fields(
        &inspected["schemas"],
        &["args", "message", "reply", "state"],
    );
    let shown = node.run(&["inspect", &v1]).stdout;
    for part in [
        "a behaviour",
        "Imports",
        "Message",
        "NoteMany",
        "actorhost ask",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
}

#[test]
fn the_json_of_dead_letters_doctor_and_down_has_its_fields() {
    let mut node = Node::start(MANIFEST);
    let error = node.ask_fails("/app/a", json!({"Panic": {"text": "boom"}}));
    assert_eq!(error["code"], "crashed", "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("boom"))
    );
    let letters = node.ok(&["dead-letters", "--limit", "5"]);
    assert_fields(
        &letters,
        &[
            "letters",
            "selected",
            "kept",
            "kept_bytes",
            "total",
            "dropped",
            "dropped_by_reason",
            "removed",
        ],
    );
    assert_eq!(letters["total"], 1);
    let letter = &letters["letters"][0];
    let fields = "id at_ms reason detail to to_id behaviour version crashes variant size message";
    assert_fields(letter, &fields.split_whitespace().collect::<Vec<_>>());
    assert_eq!(letter["reason"], "crashed");
    assert_eq!(letter["to"], "/app/a");
    assert_eq!(letter["variant"], "Panic");
    assert_eq!(letter["message"], json!({"Panic": {"text": "boom"}}));

    let checked = node.run(&["doctor", "--json"]);
    let report = checked.json();
    assert_fields(&report, &["checks", "broken"]);
    assert_eq!(checked.code, i32::from(report["broken"] != 0));
    let checks = report["checks"].as_array().expect("a list");
    assert!(checks.len() >= 5, "{report}");
    for check in checks {
        let status = check["status"].as_str().expect("a word");
        assert!(["ok", "warning", "broken"].contains(&status), "{check}");
        // Whoever is told that something is wrong is told how to mend it.
        assert_eq!(check["help"] == json!(null), status == "ok", "{check}");
    }
    let data_dir = checks
        .iter()
        .find(|check| check["name"] == "data directory");
    let found = data_dir
        .and_then(|check| check["found"].as_str())
        .expect("it is checked");
    assert!(found.contains(&node.pid().to_string()), "{found}");

    assert_eq!(node.ok(&["down"]), json!({"stopped": 1, "killed": []}));
    assert!(node.ended().success());
    assert!(node.log().contains("boom"), "{}", node.log());
}

#[test]
fn a_node_says_in_json_that_it_is_up_and_how_it_went_down() {
    let dir = Node::dir(MANIFEST);
    let shell = Shell::new(dir.path());
    let script = "actorhost up --json >up.json 2>log & up=$!
        tries=0
        until [ -s up.json ] || [ $tries -gt 600 ]; do tries=$((tries + 1)); sleep 0.1; done
        kill $up; wait $up; echo \"exit $?\"";
    assert_eq!(shell.ok(script).trim(), "exit 0");
    let said = fs::read_to_string(dir.path().join("up.json")).expect("it was written");
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    let [ready, down] = lines.as_slice() else {
        panic!("two lines: {said}");
    };
    assert_fields(ready, &["name", "pid", "data_dir", "socket", "actors"]);
    assert_eq!(
        (&ready["name"], &ready["actors"]),
        (&json!("harbour"), &json!(1))
    );
    assert_eq!(down, &json!({"stopped": 1, "killed": []}));
    let log = fs::read_to_string(dir.path().join("log")).expect("it was written");
    for line in log.lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
    }
}
