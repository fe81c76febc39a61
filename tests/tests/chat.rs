//! The example `chat`: groups, watches, timers.

use actorhost_tests::{Node, Shell, guest, typed_lines, workspace};
use serde_json::{Value, json};
use std::fs;

fn example(file: &str) -> String {
    let path = workspace().join("examples/chat").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The example's own manifest, on modules that are built already.
fn start() -> Node {
    let mut manifest = example("actorhost.toml");
    for name in ["lobby", "member"] {
        let built = format!("crate = \"{name}\"");
        assert!(manifest.contains(&built), "{manifest}");
        manifest = manifest.replace(&built, &format!("module = \"{{chat-{name}}}\""));
    }
    Node::start(&manifest)
}

fn enter(node: &Node, name: &str, room: &str, idle_ms: u64) {
    let ticket = json!({"name": name, "room": room, "idle_ms": idle_ms}).to_string();
    node.ok(&[
        "spawn", "--pool", "members", "--name", name, "--args", &ticket,
    ]);
}

fn heard(node: &Node, name: &str) -> Vec<Value> {
    let reply = node.ask(&format!("/members/{name}"), json!("Heard"));
    reply["Heard"].as_array().expect("a list").clone()
}

fn until_heard(node: &Node, name: &str, news: &Value) {
    node.until("the news are heard", || heard(node, name).contains(news));
}

fn who(node: &Node, room: &str) -> Value {
    node.ask("/chat/lobby", json!({"Who": {"room": room}}))["In"].clone()
}

fn said(from: &str, text: &str) -> Value {
    json!({"Said": {"from": from, "text": text}})
}

#[test]
fn a_room_hears_what_is_said_in_it_in_order_and_no_other_room_does() {
    let node = start();
    for (name, room) in [
        ("ann", "tea"),
        ("bob", "tea"),
        ("cid", "tea"),
        ("eve", "bar"),
    ] {
        enter(&node, name, room, 600_000);
    }
    node.until("the lobby knows them", || {
        who(&node, "tea") == json!(["ann", "bob", "cid"])
    });
    for n in 0..50 {
        let told = node.ask("/members/ann", json!({"Say": n.to_string()}));
        assert_eq!(told, json!({"Told": 2}));
    }
    let words: Vec<Value> = (0..50).map(|n| said("ann", &n.to_string())).collect();
    for name in ["bob", "cid"] {
        until_heard(&node, name, &words[49]);
        let mut news = heard(&node, name);
        news.retain(|news| news.get("Said").is_some());
        assert_eq!(news, words, "{name}");
    }
    for name in ["ann", "eve"] {
        let news = heard(&node, name);
        assert!(news.iter().all(|news| news.get("Said").is_none()), "{name}");
    }
}

#[test]
fn a_room_hears_of_each_that_leaves_or_is_lost_exactly_once() {
    let node = start();
    for name in ["ann", "bob", "cid"] {
        enter(&node, name, "tea", 600_000);
    }
    node.until("the lobby knows them", || {
        who(&node, "tea") == json!(["ann", "bob", "cid"])
    });
    node.ask("/members/bob", json!("Leave"));
    until_heard(&node, "ann", &json!({"Left": "bob"}));
    node.ok(&["kill", "/members/cid"]);
    until_heard(&node, "ann", &json!({"Left": "cid"}));
    assert_eq!(who(&node, "tea"), json!(["ann"]));
    let told = node.ask("/members/ann", json!({"Say": "anybody?"}));
    assert_eq!(told, json!({"Told": 0}));
    let lost = heard(&node, "ann");
    let lost = lost.iter().filter(|news| news.get("Left").is_some());
    assert_eq!(lost.count(), 2);
}

#[test]
fn silence_is_told_once_and_a_word_begins_it_anew() {
    let node = start();
    enter(&node, "ann", "tea", 600_000);
    enter(&node, "bob", "tea", 4_000);
    for n in 0..6 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        node.ask("/members/bob", json!({"Say": n.to_string()}));
    }
    let away = json!({"Away": "bob"});
    until_heard(&node, "ann", &away);
    let news = heard(&node, "ann");
    let times = news.iter().filter(|news| **news == away).count();
    assert_eq!(times, 1, "{news:?}");
    let last = news.iter().position(|news| *news == said("bob", "5"));
    let away = news.iter().position(|news| *news == away);
    assert!(last.is_some() && away > last, "{news:?}");
}

#[test]
fn the_readme_is_true() {
    let data_dir = tempfile::tempdir().expect("a temporary directory");
    guest("chat-member");
    let mut shell = Shell::new(&workspace().join("examples/chat"));
    shell.export("ACTORHOST_DATA_DIR", &data_dir.path().display().to_string());
    let mut replies = Vec::new();
    for line in typed_lines(&example("README.md"), "# chat") {
        if line == "actorhost up" {
            shell.up();
            continue;
        }
        if line.starts_with("actorhost ask /members/ann Heard") {
            // The kill is told to the lobby and by it to the room: not at once.
            let left = || shell.ok(&line).contains("Left");
            for _ in 0..1_000 {
                if left() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
        let ran = shell.run(&line);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
        if line.starts_with("actorhost ask") {
            replies.push(serde_json::from_str::<Value>(&ran.stdout).expect("JSON"));
        }
    }
    assert_eq!(replies[0], json!({"In": ["ann", "bob"]}));
    assert_eq!(replies[1], json!({"Told": 1}));
    let kettle = said("ann", "is the kettle on?");
    assert!(
        replies[2]["Heard"]
            .as_array()
            .expect("a list")
            .contains(&kettle)
    );
    let left = json!({"Left": "bob"});
    assert!(
        replies[3]["Heard"]
            .as_array()
            .expect("a list")
            .contains(&left)
    );
    shell.ok("actorhost down");
}
