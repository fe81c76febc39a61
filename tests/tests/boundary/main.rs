//! Each thing that a guest can ask of its node, by a real guest in a real node: once
//! as it should be, and with what is wrong.

mod children;
mod later;
mod ties;
mod time;

use actorhost_tests::{Node, guest, run, workspace};
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 4 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

const A: &str = "/probes/a";

const B: &str = "/probes/b";

/// A node with two probes.
fn start() -> Node {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node.spawn("probes", "b");
    node
}

/// Why a probe did not do it.
#[track_caller]
fn refused(node: &Node, probe: &str, message: Value) -> String {
    let reply = node.ask(probe, message);
    let cause = reply["Failed"]["cause"].as_str();
    cause
        .unwrap_or_else(|| panic!("it did: {reply}"))
        .to_owned()
}

#[track_caller]
fn done(node: &Node, probe: &str, message: Value) {
    assert_eq!(node.ask(probe, message), "Done");
}

fn events(node: &Node, probe: &str) -> Vec<Value> {
    let reply = node.ask(probe, json!("Events"));
    reply["Events"].as_array().expect("a list").clone()
}

/// The texts recorded, in order.
fn recorded(node: &Node, probe: &str) -> Vec<String> {
    let events = events(node, probe).into_iter();
    let texts = events.filter_map(|event| event["Record"]["text"].as_str().map(str::to_owned));
    texts.collect()
}

/// The events of a kind, once there are any.
#[track_caller]
fn first(node: &Node, probe: &str, kind: &str) -> Value {
    let find = || {
        let mut events = events(node, probe).into_iter();
        events.find_map(|event| event.get(kind).cloned())
    };
    node.until(kind, || find().is_some());
    find().expect("it was there just now")
}

fn crash(node: &Node, probe: &str) {
    let error = node.ask_fails(probe, json!({"Panic": {"text": "as told"}}));
    assert_eq!(error["code"], "crashed", "{error}");
}

fn ask_later(node: &Node, asker: &str, to: u64, text: &str, timeout_ms: u32) -> Value {
    let ask = json!({"to": to, "text": text, "timeout_ms": timeout_ms});
    node.ask(asker, json!({"AskLater": ask}))["Asked"]["id"].clone()
}

#[test]
fn a_turn_that_crashes_did_none_of_it() {
    let node = start();
    let (a, b) = (node.id(A), node.id(B));
    done(&node, B, json!({"Join": {"group": "held"}}));
    let before = node.me(B)["token"].clone();
    let all = json!({"AllThenPanic": {"to": b, "name": "held"}});
    assert_eq!(node.ask_fails(A, all)["code"], "crashed");
    // Its next life answers; a timer of 1 ms would have been due before.
    assert_eq!(recorded(&node, A), [""; 0]);
    assert_eq!(recorded(&node, B), [""; 0]);
    let found = node.ask(B, json!({"Lookup": {"path": "held"}}));
    assert_eq!(found, json!({"Found": {"id": null}}));
    let members = node.ask(B, json!({"Members": {"group": "held"}}));
    assert_eq!(members, json!({"Actors": [b]}));
    assert_eq!(events(&node, A), [Value::Null; 0], "no reply to it");
    // Nor is there a link.
    crash(&node, A);
    assert_eq!(node.id(A), a);
    assert_eq!(node.me(B)["token"], before);
}

/// What a module imports from the node.
fn imports(package: &str) -> Vec<Value> {
    let module = guest(package).display().to_string();
    let inspected = run(&workspace(), &["inspect", &module, "--json"]).ok();
    let imports = inspected["imports"].as_array().expect("a list").iter();
    let of_node = imports.filter(|import| {
        let interface = import["interface"].as_str().expect("a name");
        interface.starts_with("actorhost:actor/runtime@")
    });
    let functions = of_node.flat_map(|import| import["functions"].as_array().expect("a list"));
    functions.cloned().collect()
}

#[test]
fn a_guest_imports_what_it_uses_and_no_more() {
    assert_eq!(imports("stateless"), ["report-panic"]);
    let probe = imports("probe");
    for used in [
        "set-timer",
        "stash",
        "link",
        "register",
        "publish",
        "forward",
        "start-child",
    ] {
        assert!(
            probe.contains(&json!(used)),
            "{used} is not among {probe:?}"
        );
    }
}
