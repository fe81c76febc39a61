//! Timers.

use super::*;

fn timer(key: Option<&str>, after_ms: u64, every_ms: Option<u64>, text: &str) -> Value {
    let timer = json!({"key": key, "after_ms": after_ms, "every_ms": every_ms, "text": text});
    json!({"SetTimer": timer})
}

#[test]
fn timers_send_cancel_and_replace() {
    let node = start();
    let me = node.id(A);
    let late = node.ask(A, timer(None, 3_600_000, None, "late"));
    node.ask(A, timer(Some("k"), 3_600_000, None, "replaced"));
    node.ask(A, timer(Some("k"), 1, None, "soon"));
    let event = first(&node, A, "Record");
    assert_eq!(event, json!({"from": me, "text": "soon"}));

    node.ask(A, timer(Some("tick"), 1, Some(1), "tick"));
    node.until("it ticks", || recorded(&node, A).len() > 3);
    let cancel = json!({"CancelKey": {"key": "tick"}});
    assert_eq!(node.ask(A, cancel.clone()), json!({"Flag": true}));
    let ticks = recorded(&node, A).len();
    assert_eq!(node.ask(A, cancel), json!({"Flag": false}));
    let cancel = json!({"CancelTimer": {"timer": late["Timer"]["id"]}});
    assert_eq!(node.ask(A, cancel.clone()), json!({"Flag": true}));
    assert_eq!(node.ask(A, cancel), json!({"Flag": false}));
    assert_eq!(recorded(&node, A).len(), ticks);
}

#[test]
fn bad_timers_are_refused_with_a_reason() {
    let node = start();
    let short = "a timer takes at least 1 ms; to go on at once, tell yourself the message";
    assert_eq!(refused(&node, A, timer(None, 0, None, "")), short);
    assert_eq!(refused(&node, A, timer(None, 1, Some(0), "")), short);
    let key = "a timer's key has 1 to 128 bytes";
    assert_eq!(refused(&node, A, timer(Some(""), 1, None, "")), key);
    let long = "k".repeat(129);
    assert_eq!(refused(&node, A, timer(Some(&long), 1, None, "")), key);
    // As far away as can be is far away, and not a moment ago.
    let far = node.ask(A, timer(None, u64::MAX, Some(u64::MAX), "never"));
    assert!(far["Timer"].is_object(), "{far}");
    assert_eq!(recorded(&node, A), [""; 0]);
}
