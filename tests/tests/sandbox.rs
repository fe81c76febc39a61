//! A guest has what it was granted and nothing else.

use actorhost_tests::Node;
use serde_json::{Value, json};
use std::{fs, os::unix::fs::symlink};
use tempfile::TempDir;

const POOL: &str = r#"
[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
"#;

/// A node with files beside its manifest; its probes have these capabilities.
fn start(capabilities: &str) -> Node {
    let manifest = format!(
        "[node]\nthreads = 2\n[behaviour.probe]\nmodule = \"{{probe}}\"\n{capabilities}\n{POOL}"
    );
    let dir: TempDir = Node::dir(&manifest);
    let data = dir.path().join("data");
    fs::create_dir(&data).expect("it is new");
    fs::write(data.join("chart.txt"), "rocks").expect("it is writable");
    fs::write(dir.path().join("secret.txt"), "gold").expect("it is writable");
    symlink(dir.path().join("secret.txt"), data.join("way-out")).expect("it is writable");
    let node = Node::start_in(dir);
    let node = node.unwrap_or_else(|ran| panic!("the node did not start: {ran:?}"));
    node.spawn("probes", "a");
    node
}

fn read(node: &Node, path: &str) -> Value {
    node.ask("/probes/a", json!({"ReadFile": {"path": path}}))
}

fn env(node: &Node, name: &str) -> Value {
    node.ask("/probes/a", json!({"EnvVar": {"name": name}}))
}

#[test]
fn c72_without_a_grant_a_guest_sees_no_file_and_no_environment() {
    let node = start("");
    let there = node.path().join("secret.txt").display().to_string();
    for path in [
        "/data/chart.txt",
        "secret.txt",
        "/etc/hostname",
        "/",
        &there,
    ] {
        let reply = read(&node, path);
        assert!(reply["Failed"].is_object(), "{path}: {reply}");
    }
    for name in ["PATH", "HOME", "HARBOUR"] {
        let reply = env(&node, name);
        assert!(reply["Failed"].is_object(), "{name}: {reply}");
    }
    assert_eq!(node.actor("/probes/a").expect("it lives")["restarts"], 0);
}

#[test]
fn c72_a_guest_reads_what_it_was_granted_and_finds_no_way_out() {
    let node = start(
        "[behaviour.probe.capabilities]\nenv = { HARBOUR = \"Bremen\" }\n\
         dirs = [{ host = \"data\", guest = \"/data\" }]",
    );
    assert_eq!(read(&node, "/data/chart.txt"), json!({"Text": "rocks"}));
    assert_eq!(env(&node, "HARBOUR"), json!({"Text": "Bremen"}));
    assert!(env(&node, "PATH")["Failed"].is_object());
    let there = node.path().join("secret.txt").display().to_string();
    let ways = [
        "/data/../secret.txt",
        "/data/way-out",
        "../secret.txt",
        &there,
    ];
    for path in ways {
        let reply = read(&node, path);
        assert!(reply["Failed"].is_object(), "{path}: {reply}");
    }
}

#[test]
fn what_a_guest_prints_is_logged_where_that_is_granted() {
    let print = json!({"Print": {"text": "land ahoy"}});
    let node = start("[behaviour.probe.capabilities]\nstdout = true");
    node.ask("/probes/a", print.clone());
    node.until("it is logged", || {
        !node.log_lines(&["actor=/probes/a", "land ahoy"]).is_empty()
    });
    assert_eq!(node.log_lines(&["land ahoy"]).len(), 1);

    let node = start("");
    node.ask("/probes/a", print);
    node.ask("/probes/a", json!({"Log": {"text": "at sea"}}));
    assert_eq!(node.log_lines(&["at sea"]).len(), 1);
    assert!(node.log_lines(&["land ahoy"]).is_empty());
}
