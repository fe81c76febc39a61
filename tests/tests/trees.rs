//! Supervisors within supervisors, and what a crash takes along.

use actorhost_tests::Node;
use serde_json::{Value, json};

const NODE: &str = "[node]\nthreads = 2\nlog = \"debug\"\n\
                    [behaviour.probe]\nmodule = \"{probe}\"\n";

/// A supervisor with further keys and its children: an actor by its name, a supervisor
/// by its name in brackets.
fn supervisor(name: &str, keys: &str, children: &[&str]) -> String {
    let mut text = format!("[[supervisor]]\nname = \"{name}\"\n{keys}\n");
    for child in children {
        text += "[[supervisor.child]]\n";
        text += &match child.strip_prefix('[').and_then(|c| c.strip_suffix(']')) {
            Some(below) => format!("name = \"{below}\"\nsupervisor = \"{below}\"\n"),
            None => format!("name = \"{child}\"\nbehaviour = \"probe\"\nargs = {{ start = 0 }}\n"),
        };
    }
    text
}

/// Has a probe log a line when it stops.
fn say_farewell(node: &Node, path: &str) {
    let text = format!("farewell of {path}.");
    node.ask(
        path,
        json!({"OnStop": {"farewell": {"Log": {"text": text}}}}),
    );
}

#[track_caller]
fn crash(node: &Node, path: &str) {
    let error = node.ask_fails(path, json!({"Panic": {"text": "as told"}}));
    assert_eq!(error["code"], "crashed", "{error}");
}

fn token(node: &Node, path: &str) -> Value {
    node.me(path)["token"].clone()
}

/// Which of these comes first in the lines of a log, and so on.
#[track_caller]
fn order<'w>(log: &str, words: &[&'w str]) -> Vec<&'w str> {
    let mut found: Vec<(usize, &str)> = Vec::new();
    for word in words {
        let places: Vec<usize> = log.match_indices(word).map(|(at, _)| at).collect();
        assert_eq!(places.len(), 1, "`{word}` is not once in: {log}");
        found.push((places[0], word));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, word)| word).collect()
}

/// Crashes `/app/b` of three children under a strategy, and waits until those that are
/// `restarted` have begun anew. They were stopped in the order `stopped`.
fn crash_the_second(strategy: &str, restarted: &[&str], stopped: &[&str]) {
    let keys = format!("strategy = \"{strategy}\"\nintensity = 5\nperiod = \"60s\"");
    let node = Node::start(&format!(
        "{NODE}{}",
        supervisor("app", &keys, &["a", "b", "c"])
    ));
    let paths = ["/app/a", "/app/b", "/app/c"];
    let before = paths.map(|path| {
        say_farewell(&node, path);
        node.ask(path, json!({"Add": {"n": 7}}));
        (node.id(path), token(&node, path))
    });
    crash(&node, "/app/b");
    let last = restarted.last().expect("one is");
    node.until("the last of them is restarted", || {
        let line = format!("restarted actor={last} ");
        !node.log_lines(&[&line]).is_empty()
    });

    for (path, (id, old)) in paths.into_iter().zip(before) {
        let is_new = restarted.contains(&path);
        assert_eq!(node.id(path), id, "{path} keeps its address");
        assert_eq!(token(&node, path) != old, is_new, "{path}");
        let total = if is_new { 0 } else { 7 };
        assert_eq!(node.ask(path, json!("Total"))["Number"], total, "{path}");
    }
    // The crash, then the stops in reverse order, then the starts in order.
    let mut words = vec!["crashed actor=/app/b ".to_owned()];
    words.extend(stopped.iter().map(|path| format!("farewell of {path}.")));
    words.extend(
        restarted
            .iter()
            .map(|path| format!("restarted actor={path} ")),
    );
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let log = node.log();
    assert_eq!(order(&log, &words), words, "{log}");
    let farewells = log.matches("farewell of ").count();
    assert_eq!(farewells, stopped.len(), "{log}");
}

#[test]
fn c02_one_for_all_stops_in_reverse_order_and_starts_in_order() {
    crash_the_second(
        "one-for-all",
        &["/app/a", "/app/b", "/app/c"],
        &["/app/c", "/app/a"],
    );
}

#[test]
fn c03_rest_for_one_leaves_those_started_before_alone() {
    crash_the_second("rest-for-one", &["/app/b", "/app/c"], &["/app/c"]);
}

#[test]
fn c02_a_supervisor_is_restarted_with_its_siblings() {
    let keys = "strategy = \"one-for-all\"\nintensity = 5\nperiod = \"60s\"";
    let node = Node::start(&format!(
        "{NODE}{}{}",
        supervisor("app", keys, &["a", "[inner]"]),
        supervisor("inner", "", &["x"]),
    ));
    let before = ["/app/a", "/app/inner/x"].map(|path| token(&node, path));
    crash(&node, "/app/a");
    node.until("both have begun anew", || {
        node.actor("/app/inner/x").is_some() && token(&node, "/app/inner/x") != before[1]
    });
    assert_ne!(token(&node, "/app/a"), before[0]);
    // A crash below stays there as long as the inner supervisor can answer it.
    let a = token(&node, "/app/a");
    crash(&node, "/app/inner/x");
    node.until("it has begun anew", || {
        !node
            .log_lines(&["restarted actor=/app/inner/x "])
            .is_empty()
    });
    assert_eq!(token(&node, "/app/a"), a);
}

#[test]
fn c06_a_failure_climbs_from_supervisor_to_supervisor_to_the_end_of_the_node() {
    let none = "intensity = 0\nperiod = \"60s\"";
    let mut node = Node::start(&format!(
        "[node]\nthreads = 2\nlog = \"debug\"\n{none}\n\
         [behaviour.probe]\nmodule = \"{{probe}}\"\n{}{}{}",
        supervisor("inner", none, &["x", "y"]),
        supervisor("outer", none, &["a", "[middle]"]),
        supervisor("middle", none, &["m", "[inner]"]),
    ));
    let actors = [
        "/outer/a",
        "/outer/middle/m",
        "/outer/middle/inner/x",
        "/outer/middle/inner/y",
    ];
    for path in actors {
        say_farewell(&node, path);
    }
    let panic = json!({"Panic": {"text": "sunk"}}).to_string();
    node.run(&["tell", "/outer/middle/inner/x", &panic]);

    assert_eq!(node.ended().code(), Some(1));
    let log = node.log();
    // From the inside to the outside, each with what it was that failed below.
    let steps = [
        "supervisor failed supervisor=/outer/middle/inner ",
        "supervisor failed supervisor=/outer/middle ",
        "supervisor failed supervisor=/outer ",
        "error: the node stopped",
    ];
    assert_eq!(order(&log, &steps), steps, "{log}");
    let report = log.lines().find(|line| line.contains("the node stopped"));
    let report = report.unwrap_or_else(|| panic!("no report in {log}"));
    for word in ["/outer", "/outer/middle/inner/x", "panic: sunk"] {
        assert!(report.contains(word), "{word} is not in {report}");
    }
    // Nobody was left behind, and everybody heard of the end but the one that crashed.
    let farewells = ["/outer/middle/inner/y", "/outer/middle/m", "/outer/a"];
    let farewells = farewells.map(|path| format!("farewell of {path}."));
    let farewells = farewells.each_ref().map(String::as_str);
    assert_eq!(order(&log, &farewells), farewells, "{log}");
}

#[test]
fn c06_a_parent_mends_what_its_child_could_not() {
    let once = "intensity = 0\nperiod = \"60s\"";
    let often = "strategy = \"rest-for-one\"\nintensity = 5\nperiod = \"60s\"";
    let node = Node::start(&format!(
        "{NODE}{}{}",
        supervisor("app", often, &["a", "[inner]", "z"]),
        supervisor("inner", once, &["x"]),
    ));
    let tokens = || ["/app/a", "/app/inner/x", "/app/z"].map(|path| token(&node, path));
    let before = tokens();
    crash(&node, "/app/inner/x");
    node.until("the last sibling has begun anew", || {
        !node.log_lines(&["restarted actor=/app/z "]).is_empty()
    });
    let after = tokens();
    assert_eq!(after[0], before[0], "it was started before");
    assert_ne!(after[1], before[1]);
    assert_ne!(after[2], before[2], "it was started after");
    assert_eq!(
        node.log_lines(&["supervisor failed", "/app/inner"]).len(),
        1
    );
}

#[test]
fn c13_a_shutdown_is_in_reverse_order_of_start_and_depth_first() {
    let mut node = Node::start(&format!(
        "{NODE}{}{}{}",
        supervisor("app", "", &["a", "[inner]", "z"]),
        supervisor("inner", "", &["x", "y"]),
        supervisor("later", "", &["l"]),
    ));
    let stops = [
        "/later/l",
        "/app/z",
        "/app/inner/y",
        "/app/inner/x",
        "/app/a",
    ];
    for path in stops {
        say_farewell(&node, path);
    }
    node.ok(&["down"]);
    assert!(node.ended().success());
    let farewells = stops.map(|path| format!("farewell of {path}."));
    let farewells = farewells.each_ref().map(String::as_str);
    let log = node.log();
    assert_eq!(order(&log, &farewells), farewells, "{log}");
}

#[test]
fn a_supervisor_shuts_itself_down_when_its_significant_children_have_ended() {
    let keys = "auto-shutdown = \"all-significant\"\nrestart = \"transient\"";
    let mut inner = supervisor("inner", keys, &["x", "y"]);
    inner = inner.replace(
        "start = 0 }\n",
        "start = 0 }\nrestart = \"transient\"\nsignificant = true\n",
    );
    inner +=
        "[[supervisor.child]]\nname = \"helper\"\nbehaviour = \"probe\"\nargs = { start = 0 }\n";
    let node = Node::start(&format!(
        "{NODE}{}{inner}",
        supervisor("app", "", &["a", "[inner]"])
    ));
    node.ask("/app/inner/x", json!("StopSelf"));
    node.until("it is gone", || node.actor("/app/inner/x").is_none());
    assert!(node.actor("/app/inner/helper").is_some());
    node.ask("/app/inner/y", json!("StopSelf"));
    node.until("all are gone", || node.actor("/app/inner/helper").is_none());
    assert!(node.actor("/app/a").is_some(), "its parent lives on");
    assert!(node.log_lines(&["supervisor failed"]).is_empty());
}

#[test]
fn a_supervisor_has_the_name_that_its_parent_gives_it() {
    let mut app = supervisor("app", "", &["[inner]"]);
    app = app.replace("name = \"inner\"", "name = \"first\"");
    let node = Node::start(&format!("{NODE}{app}{}", supervisor("inner", "", &["x"])));
    assert!(node.actor("/app/first/x").is_some());
    assert_eq!(node.ok(&["child", "count", "/app/first"])["active"], 1);
}
