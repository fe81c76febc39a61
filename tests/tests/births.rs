//! Actors are born, one and in numbers.

use actorhost_tests::Node;
use serde_json::json;

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
restart = "temporary"
"#;

fn actors(node: &Node) -> u64 {
    node.ok(&["stats"])["actors"].as_u64().expect("a number")
}

#[test]
fn c55_spawns_from_init_from_a_handler_and_ten_thousand_at_once() {
    let node = Node::start(MANIFEST);
    let args = json!({"start": 0, "children": ["x", "y"]}).to_string();
    node.ok(&["spawn", "--pool", "probes", "--name", "a", "--args", &args]);
    let spawn = json!({"Spawn": {"behaviour": "probe", "name": "z", "fault": null}});
    assert!(node.ask("/probes/a", spawn)["Spawned"].is_object());
    for name in ["x", "y", "z"] {
        let path = format!("/probes/a/{name}");
        assert_eq!(node.me(&path)["path"], path.as_str());
    }

    node.spawn("probes", "b");
    let many = |count: u32| {
        let many = json!({"SpawnMany": {"behaviour": "probe", "count": count}});
        node.ask("/probes/b", many)["Told"].clone()
    };
    let told = many(10_001);
    assert_eq!(
        (&told["accepted"], &told["refused"]),
        (&json!(10_000), &json!(1)),
        "{told}"
    );
    let cause = told["cause"].as_str().expect("a text");
    assert_eq!(
        cause, "this actor has as many children as it may have",
        "`quota`"
    );
    assert_eq!(actors(&node), 10_005);
    let list = node.ok(&["ps", "--under", "/probes/b/", "--limit", "10000"]);
    let born = list["actors"].as_array().expect("a list");
    assert_eq!(born.len(), 10_000);
    for one in born.iter().step_by(499) {
        let path = one["path"].as_str().expect("a text");
        assert_eq!(node.me(path)["id"], one["id"]);
    }
    // One that ends makes room for one.
    node.ok(&["stop", born[7]["path"].as_str().expect("a text")]);
    let told = many(2);
    assert_eq!(
        (&told["accepted"], &told["refused"]),
        (&json!(1), &json!(1)),
        "{told}"
    );
}
