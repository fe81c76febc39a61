//! Children of supervisors.

use super::*;

const SHOP: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
capabilities = { supervise = ["/shop"] }

[[supervisor]]
name = "shop"

[[supervisor.child]]
name = "first"
behaviour = "probe"
args = { start = 0 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
"#;

fn start_child(id: &str, fault: Value) -> Value {
    let start = json!({
        "supervisor": "/shop", "id": id, "restart": "Temporary", "significant": false,
        "fault": fault, "timeout_ms": 30_000,
    });
    json!({"StartChild": start})
}

#[test]
fn children_of_a_supervisor_are_managed_by_an_actor_that_may() {
    let node = Node::start(SHOP);
    node.spawn("probes", "a");
    let count = || node.ask(A, json!({"CountChildren": {"supervisor": "/shop"}}))["Counts"].clone();
    let child = |act: &str, id: &str| json!({act: {"supervisor": "/shop", "id": id}});

    let started = node.ask(A, start_child("second", Value::Null));
    assert_eq!(
        started["Spawned"]["id"],
        node.id("/shop/second"),
        "{started}"
    );
    let counts = json!({"specs": 2, "active": 2, "supervisors": 0, "workers": 2});
    assert_eq!(count(), counts);
    let present = "the supervisor has a child of this id; restart or delete that one";
    assert_eq!(
        refused(&node, A, start_child("second", Value::Null)),
        present
    );
    let running = "the child runs; terminate it first";
    assert_eq!(refused(&node, A, child("DeleteChild", "first")), running);

    done(&node, A, child("TerminateChild", "first"));
    let counts = json!({"specs": 2, "active": 1, "supervisors": 0, "workers": 2});
    assert_eq!(count(), counts);
    let again = node.ask(A, child("RestartChild", "first"));
    assert_eq!(again["Spawned"]["id"], node.id("/shop/first"), "{again}");
    done(&node, A, child("TerminateChild", "first"));
    done(&node, A, child("DeleteChild", "first"));
    let none = "the supervisor has no child of this id";
    assert_eq!(refused(&node, A, child("DeleteChild", "first")), none);

    let fault = json!({"Fail": {"cause": "as told"}});
    let failed = refused(&node, A, start_child("third", fault));
    assert!(failed.starts_with("the child did not start: "), "{failed}");
    assert!(failed.contains("as told"), "{failed}");
    let bad = refused(&node, A, start_child("a/b", Value::Null));
    assert!(bad.starts_with("the child's spec is refused: "), "{bad}");
    let denied = refused(&node, A, json!({"CountChildren": {"supervisor": "/other"}}));
    assert!(
        denied.starts_with("this actor may not manage this supervisor"),
        "{denied}"
    );
}
