//! `stats`: what a node says of itself in figures.

use actorhost_tests::Node;
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 2 }

[dispatchers.slow]
threads = 3

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

#[test]
fn stats_count_what_happened_and_show_every_dispatcher() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    for n in 1..=5 {
        assert_eq!(node.ask("/probes/a", json!({"Add": {"n": 1}}))["Number"], n);
    }
    node.ask_fails("/probes/a", json!({"Panic": {"text": "ordered"}}));
    node.occupy("/probes/a", 2_000);
    let tell = ["tell", "/probes/a", "Total"];
    for _ in 0..2 {
        node.ok(&tell);
    }
    assert_eq!(node.fails(&tell, 1)["code"], "full");

    let stats = node.ok(&["stats"]);
    assert_eq!(stats["actors"], 1, "{stats}");
    assert_eq!(stats["handled"], 5, "{stats}");
    assert_eq!(stats["crashes"], 1);
    assert_eq!(stats["restarts"], 1);
    assert_eq!(stats["refused_by_cause"], json!({"full": 1}));
    assert_eq!(stats["dead_letters_by_reason"]["crashed"], 1);
    assert!(stats["mailbox_bytes"].as_u64() > Some(0), "{stats}");
    assert!(stats["mailbox_bytes"].as_u64() < stats["mailbox_bytes_max"].as_u64());
    let dispatchers = stats["dispatchers"].as_array().expect("a list");
    let shown: Vec<(&Value, &Value)> = dispatchers
        .iter()
        .map(|one| (&one["name"], &one["threads"]))
        .collect();
    let expected = [("default", 2), ("slow", 3), ("blocking", 4)];
    let expected = expected.map(|(name, threads)| (json!(name), json!(threads)));
    assert_eq!(
        shown,
        expected.each_ref().map(|(name, threads)| (name, threads))
    );
    for dispatcher in dispatchers {
        let share = dispatcher["utilisation"].as_f64().expect("a share");
        assert!((0.0..=1.0).contains(&share), "{dispatcher}");
    }
    assert!(dispatchers[0]["runs"].as_u64() > Some(5));
    assert_eq!(dispatchers[1]["runs"], 0, "no actor is pinned to it");
}

#[test]
fn stats_for_people_name_the_dispatchers() {
    let node = Node::start(MANIFEST);
    let ran = node.run(&["stats"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for words in [
        "DISPATCHER",
        "BUSY",
        "default",
        "slow",
        "blocking",
        "mailbox bytes",
    ] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}
