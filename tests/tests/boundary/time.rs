//! Timers and the stash.

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

#[test]
fn a_stash_keeps_messages_and_questions_until_they_are_wanted() {
    let node = start();
    let a = node.id(A);
    node.tell(A, json!({"StashRecords": {"on": true}}));
    node.tell(A, json!({"Record": {"text": "first"}}));
    let ask = ask_later(&node, B, a, "second", 60_000);
    assert_eq!(recorded(&node, A), [""; 0]);
    let back = node.ask(A, json!({"StashRecords": {"on": false}}));
    assert_eq!(back, json!({"Number": 2}));
    assert_eq!(recorded(&node, A), ["first", "second"]);
    let reply = json!({"ask": ask, "text": "second", "error": null});
    assert_eq!(first(&node, B, "Reply"), reply);
}

#[test]
fn a_message_is_stashed_once() {
    let node = start();
    node.tell(A, json!("StashTwice"));
    assert_eq!(recorded(&node, A), ["Ok(()), Err(NoMessage)"]);
    let back = node.ask(A, json!({"StashRecords": {"on": false}}));
    assert_eq!(back, json!({"Number": 1}));
}

#[test]
fn a_stash_counts_towards_the_mailbox_and_outlives_a_crash() {
    let node = start();
    node.tell(A, json!({"StashRecords": {"on": true}}));
    for text in ["1", "2"] {
        node.tell(A, json!({"Record": {"text": text}}));
    }
    crash(&node, A);
    // The next life stashes nothing.
    node.until("it is restarted", || recorded(&node, A) == ["1", "2"]);
}
