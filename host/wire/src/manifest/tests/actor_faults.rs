//! What may be wrong with an actor: its restarts, its mailbox, its dispatcher.

use super::{faults, faults::behaviour_fault, pool_fault};

#[test]
fn restarts_are_checked() {
    for (lines, fault) in [
        (
            "intensity = 3",
            "5:13: pool[0].intensity: an intensity without a period; give both, such as \
             `intensity = 3` and `period = \"5s\"`",
        ),
        (
            "period = \"5s\"",
            "5:10: pool[0].period: a period without an intensity; give both, such as \
             `intensity = 3` and `period = \"5s\"`",
        ),
        (
            "restart = \"permanant\"",
            "5:11: pool[0].restart: unknown word \"permanant\"; did you mean \"permanent\"?",
        ),
        (
            "shutdown = \"never\"",
            "5:12: pool[0].shutdown: the duration \"never\" is not a whole number with a \
             unit; write a whole number and `ms`, `s`, `m` or `h`, such as \"5s\"",
        ),
        (
            "attempts = 0",
            "5:12: pool[0].attempts: 0 is out of bounds: 1 to 1000 are allowed",
        ),
        (
            "keep-children = 1",
            "5:17: pool[0].keep-children: expected true or false, found a whole number",
        ),
        (
            "significant = true",
            "5:1: pool[0].significant: unknown key; the keys here are `name`, `intensity`, \
             `period`, `behaviour`, `args`, `restart`, `shutdown`, `on-crash`, `backoff`, \
             `attempts`, `keep-children`, `mailbox`, `dispatcher`",
        ),
    ] {
        assert_eq!(pool_fault(lines), fault);
    }
}

#[test]
fn directives_are_checked() {
    for (lines, fault) in [
        (
            "on-crash = \"escalate\"",
            "5:12: pool[0].on-crash: unknown word \"escalate\"; it is one of \"restart\", \"resume\", \
             \"stop\"",
        ),
        (
            "on-crash = { panic = \"escalate\" }",
            "5:22: pool[0].on-crash.panic: unknown word \"escalate\"; it is one of \"restart\", \"resume\", \
             \"stop\"",
        ),
        (
            "on-crash = { panik = \"stop\" }",
            "5:14: pool[0].on-crash.panik: unknown key; did you mean `panic`?",
        ),
        (
            "on-crash = { else = \"stop\" }",
            "5:14: pool[0].on-crash.else: unknown key; the keys here are `otherwise`, `trap`, \
             `panic`, `fuel-exhausted`, `memory-limit`, `deadline`, `init-failed`, \
             `load-failed`, `save-failed`, `bad-message`, `instantiate`, `linked`, `killed`",
        ),
        (
            "on-crash = { killed = \"stopp\" }",
            "5:23: pool[0].on-crash.killed: unknown word \"stopp\"; did you mean \"stop\"?",
        ),
        (
            "on-crash = { otherwise = 1 }",
            "5:26: pool[0].on-crash.otherwise: expected a string, found a whole number",
        ),
        (
            "on-crash = 1",
            "5:12: pool[0].on-crash: expected a string, found a whole number",
        ),
    ] {
        assert_eq!(pool_fault(lines), fault);
    }
}

#[test]
fn waits_before_a_restart_are_checked() {
    let units = "write a whole number and `ms`, `s`, `m` or `h`, such as \"5s\"";
    for (inside, fault) in [
        (
            "first = \"0ms\"",
            "21: pool[0].backoff.first: \"0ms\" is out of bounds: 1ms to 24h are allowed"
                .to_owned(),
        ),
        (
            "first = \"-1s\"",
            format!("21: pool[0].backoff.first: the duration \"-1s\" is negative; {units}"),
        ),
        (
            "first = 100",
            "21: pool[0].backoff.first: a number without a unit; write a duration such as \
             \"5s\""
                .to_owned(),
        ),
        (
            "reset = \"60\"",
            format!("21: pool[0].backoff.reset: the duration \"60\" has no unit; {units}"),
        ),
        (
            "first = \"2s\", cap = \"1s\"",
            "21: pool[0].backoff.first: the first wait, 2s, is longer than the longest, 1s; \
             `cap` is at least `first`"
                .to_owned(),
        ),
        (
            "cap = \"50ms\"",
            "19: pool[0].backoff.cap: the first wait, 100ms, is longer than the longest, \
             50ms; `cap` is at least `first`"
                .to_owned(),
        ),
        (
            "factor = 0.9",
            "22: pool[0].backoff.factor: 0.9 is out of bounds: 1 to 1000 are allowed".to_owned(),
        ),
        (
            "factor = nan",
            "22: pool[0].backoff.factor: nan is out of bounds: 1 to 1000 are allowed".to_owned(),
        ),
        (
            "factor = \"2\"",
            "22: pool[0].backoff.factor: expected a number, found a string".to_owned(),
        ),
        (
            "jitter = -0.1",
            "22: pool[0].backoff.jitter: -0.1 is out of bounds: 0 to 1 are allowed".to_owned(),
        ),
        (
            "jitter = 1.01",
            "22: pool[0].backoff.jitter: 1.01 is out of bounds: 0 to 1 are allowed".to_owned(),
        ),
        (
            "frist = \"1s\"",
            "13: pool[0].backoff.frist: unknown key; did you mean `first`?".to_owned(),
        ),
    ] {
        let found = pool_fault(&format!("backoff = {{ {inside} }}"));
        assert_eq!(found, format!("5:{fault}"));
    }
}

#[test]
fn mailboxes_are_checked() {
    for (inside, fault) in [
        (
            "block-timeout = \"1s\"",
            "29: pool[0].mailbox.block-timeout: only a mailbox with `overflow = \"block\"` \
             has a timeout; take one of the two out",
        ),
        (
            "overflow = \"drop-oldest\", block-timeout = \"1s\"",
            "55: pool[0].mailbox.block-timeout: only a mailbox with `overflow = \"block\"` \
             has a timeout; take one of the two out",
        ),
        (
            "overflow = \"unbounded\", capacity = 5",
            "48: pool[0].mailbox.capacity: a mailbox with `overflow = \"unbounded\"` has no \
             capacity; take one of the two out",
        ),
        (
            "overflow = \"drop\"",
            "24: pool[0].mailbox.overflow: unknown word \"drop\"; it is one of \"reject\", \"block\", \
             \"drop-newest\", \"drop-oldest\", \"unbounded\"",
        ),
        (
            "overflow = \"drop-oldst\"",
            "24: pool[0].mailbox.overflow: unknown word \"drop-oldst\"; did you mean \"drop-oldest\"?",
        ),
        (
            "priority = { Alarm = 0 }",
            "34: pool[0].mailbox.priority.Alarm: 0 is out of bounds: 1 to 255 are allowed",
        ),
        (
            "priority = { Alarm = 256 }",
            "34: pool[0].mailbox.priority.Alarm: 256 is out of bounds: 1 to 255 are allowed",
        ),
        (
            "priority = [\"Alarm\"]",
            "24: pool[0].mailbox.priority: expected a table, found an array",
        ),
    ] {
        let found = pool_fault(&format!("mailbox = {{ {inside} }}"));
        assert_eq!(found, format!("5:{fault}"));
    }
    // What the behaviour says and what the pool says are one mailbox.
    let text = "[behaviour.b]\nmodule = \"b\"\nmailbox = { overflow = \"unbounded\" }\n\
                [[pool]]\nname = \"p\"\nbehaviour = \"b\"\nmailbox = { capacity = 5 }";
    assert_eq!(
        faults(text),
        [
            "7:24: pool[0].mailbox.capacity: a mailbox with `overflow = \"unbounded\"` has \
             no capacity; take one of the two out"
        ]
    );
}

#[test]
fn dispatchers_are_checked() {
    for (text, fault) in [
        (
            "dispatchers.slow = {}",
            "1:20: dispatchers.slow.threads: missing key",
        ),
        (
            "dispatchers.slow.threads = 0",
            "1:28: dispatchers.slow.threads: 0 is out of bounds: 1 to 1024 are allowed",
        ),
        (
            "dispatchers.slow.threads = 1025",
            "1:28: dispatchers.slow.threads: 1025 is out of bounds: 1 to 1024 are allowed",
        ),
        (
            "dispatchers.slow = { threads = 2, thread = 2 }",
            "1:35: dispatchers.slow.thread: unknown key; did you mean `threads`?",
        ),
        (
            "dispatchers.\"a b\".threads = 1",
            "1:13: dispatchers.\"a b\": not a name; a name has 1 to 128 bytes of letters, \
             digits, `-`, `_`, `.`, `:` or `@`",
        ),
        (
            "dispatchers = [1]",
            "1:15: dispatchers: expected a table, found an array",
        ),
        (
            "node.threads = 2\ndispatchers.default.threads = 3",
            "2:31: dispatchers.default.threads: `node.threads` says 2 of the same \
             dispatcher; give one of the two",
        ),
    ] {
        assert_eq!(faults(text), [fault]);
    }
    let slow = "dispatcher = \"slwo\"\n[dispatchers]\nslow.threads = 1";
    assert_eq!(
        behaviour_fault(slow),
        "3:14: behaviour.b.dispatcher: no dispatcher of this name; did you mean \"slow\"?"
    );
    assert_eq!(
        pool_fault("dispatcher = \"blokcing\""),
        "5:14: pool[0].dispatcher: no dispatcher of this name; did you mean \"blocking\"?"
    );
    assert_eq!(
        pool_fault("dispatcher = \"gpu\""),
        "5:14: pool[0].dispatcher: no dispatcher of this name; give it a table \
         `[dispatchers.NAME]`"
    );
}
