//! Every form of fault, with its place.

use super::{super::*, faults, parse, pool_fault};
use serde_json::json;

/// The one fault of `lines` within a behaviour that is otherwise right.
pub fn behaviour_fault(lines: &str) -> String {
    let faults = faults(&format!("[behaviour.b]\nmodule = \"b.wasm\"\n{lines}\n"));
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.into_iter().next().unwrap()
}

#[test]
fn every_fault_is_found_at_once_and_in_order() {
    let text = "[node]\nthreads = 0\nlgo = \"info\"\n\n[behaviour.aircraft]\nmodule = \"a.wasm\"\n\
                \x20   memroy = \"16MiB\"\n\n[[pool]]\nname = \"fleet\"\nbehaviour = \"aircarft\"\n";
    assert_eq!(
        Manifest::parse("actorhost.toml", text)
            .unwrap_err()
            .to_string(),
        "actorhost.toml:2:11: node.threads: 0 is out of bounds: 1 to 1024 are allowed\n\
         actorhost.toml:3:1: node.lgo: unknown key; did you mean `log`?\n\
         actorhost.toml:7:5: behaviour.aircraft.memroy: unknown key; did you mean `memory`?\n\
         actorhost.toml:11:13: pool[0].behaviour: no behaviour of this name; \
         did you mean \"aircraft\"?"
    );
}

#[test]
fn faults_can_be_read_by_programs() {
    let errors = Manifest::parse("m", "nod = 1").unwrap_err();
    assert_eq!(
        serde_json::to_value(&errors).unwrap(),
        json!([{
            "file": "m", "line": 1, "column": 1, "key": "nod",
            "message": "unknown key", "help": "did you mean `node`?",
        }])
    );
}

#[test]
fn broken_toml_has_its_place() {
    assert!(
        faults("a = \n")[0].starts_with("1:5: "),
        "{:?}",
        faults("a = \n")
    );
    let twice = faults("[node]\nlog = \"info\"\nlog = \"warn\"\n");
    assert_eq!(twice, ["3:1: duplicate key"]);
    assert!(faults("[behaviour.b]\nmodule=\"b\"\n[behaviour.b]\n")[0].starts_with("3:"));
    let deep = format!("a{} = 1", ".a".repeat(100_000));
    assert_eq!(faults(&deep), ["1:66: a key with too many dots"]);
    let brackets = format!("a = {}", "[".repeat(100_000));
    assert!(!faults(&brackets).is_empty());
    let long = "#".repeat(limits::MANIFEST_BYTES_MAX + 1);
    assert_eq!(
        faults(&long),
        ["1:1: the manifest has more than 4194304 bytes"]
    );
}

#[test]
fn columns_count_characters() {
    assert_eq!(
        faults("node = { name = \"a\", \"é\" = 1 }")[0],
        "1:22: node.\"é\": unknown key; the keys here are `name`, `data-dir`, `threads`, \
         `live-max`, `shutdown-timeout`, `dead-letters`, \
         `dead-letter-bytes`, `mailbox-bytes`, `intensity`, `period`, `log`"
    );
    assert!(faults("node = { name = \"é\", lgo = 1 }")[0].starts_with("1:22: node.lgo"));
}

#[test]
fn other_types_are_refused() {
    for (text, fault) in [
        (
            "node = 1",
            "1:8: node: expected a table, found a whole number",
        ),
        (
            "behaviour = []",
            "1:13: behaviour: expected a table, found an array",
        ),
        ("pool = {}", "1:8: pool: expected an array, found a table"),
        (
            "pool = [1]",
            "1:9: pool[0]: expected a table, found a whole number",
        ),
        (
            "node.name = 1.5",
            "1:13: node.name: expected a string, found a number with a point",
        ),
        (
            "node.threads = \"2\"",
            "1:16: node.threads: expected a whole number, found a string",
        ),
        (
            "node.log = true",
            "1:12: node.log: expected a string, found true or false",
        ),
    ] {
        assert_eq!(faults(text), [fault]);
    }
    assert_eq!(
        behaviour_fault("hibernate = 2013-01-01"),
        "3:13: behaviour.b.hibernate: expected true or false, found a date or time"
    );
}

#[test]
fn quantities_need_units_and_bounds() {
    for (lines, fault) in [
        (
            "memory = 16",
            "3:10: behaviour.b.memory: a number without a unit; \
             write a size such as \"16MiB\"",
        ),
        (
            "memory = \"16\"",
            "3:10: behaviour.b.memory: the size \"16\" has no unit; write a whole number and \
             `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB` or `GB`, such as \"16MiB\"",
        ),
        (
            "memory = \"65MiB\"",
            "3:10: behaviour.b.memory: \"65MiB\" is out of bounds: 64KiB to 64MiB are allowed",
        ),
        (
            "memory = \"1KiB\"",
            "3:10: behaviour.b.memory: \"1KiB\" is out of bounds: 64KiB to 64MiB are allowed",
        ),
        (
            "message-size = \"1GiB\"",
            "3:16: behaviour.b.message-size: \"1GiB\" is out of bounds: 64B to 64MiB are allowed",
        ),
        (
            "mailbox = { capacity = 0 }",
            "3:24: behaviour.b.mailbox.capacity: 0 is out of bounds: 1 to 10000000 are allowed",
        ),
        (
            "throughput = -1",
            "3:14: behaviour.b.throughput: -1 is out of bounds: 1 to 1000000 are allowed",
        ),
        (
            "fuel-per-turn = 5",
            "3:17: behaviour.b.fuel-per-turn: 5 is out of bounds: 10000 to 9223372036854775807 \
             are allowed",
        ),
        (
            "deadline = 60",
            "3:12: behaviour.b.deadline: a number without a unit; write a duration such as \"5s\"",
        ),
        (
            "deadline = \"0s\"",
            "3:12: behaviour.b.deadline: \"0s\" is out of bounds: 1ms to 24h are allowed",
        ),
        (
            "stash = -1",
            "3:9: behaviour.b.stash: -1 is out of bounds: 0 to 10000000 are allowed",
        ),
        (
            "groups = \"many\"",
            "3:10: behaviour.b.groups: expected a whole number, found a string",
        ),
        (
            "fuel-per-turn = \"endless\"",
            "3:17: behaviour.b.fuel-per-turn: expected a whole number or \"unlimited\"",
        ),
    ] {
        assert_eq!(behaviour_fault(lines), fault);
    }
    for (text, fault) in [
        (
            "node.shutdown-timeout = \"-5s\"",
            "1:25: node.shutdown-timeout: the duration \"-5s\" is negative; write a whole \
             number and `ms`, `s`, `m` or `h`, such as \"5s\"",
        ),
        (
            "node.shutdown-timeout = 5",
            "1:25: node.shutdown-timeout: a number without a unit; write a duration such as \
             \"5s\"",
        ),
        (
            "node.mailbox-bytes = \"1kB\"",
            "1:22: node.mailbox-bytes: \"1kB\" is out of bounds: 1MiB to 1024GiB are allowed",
        ),
        (
            "node.dead-letter-bytes = 5",
            "1:26: node.dead-letter-bytes: a number without a unit; write a size such as \
             \"16MiB\"",
        ),
        (
            "node.intensity = 3",
            "1:18: node.intensity: an intensity without a period; give both, such as \
             `intensity = 3` and `period = \"5s\"`",
        ),
        (
            "node.shutdown-timeout = \"2h\"",
            "1:25: node.shutdown-timeout: \"2h\" is out of bounds: 0ms to 1h are allowed",
        ),
    ] {
        assert_eq!(faults(text), [fault]);
    }
}

#[test]
fn names_are_checked_and_unique() {
    let child = "[[supervisor.child]]\nname = \"c\"\nbehaviour = \"b\"\n";
    let text = format!(
        "behaviour.b.module = \"b\"\n[[supervisor]]\nname = \"s\"\n{child}{child}\
         [[supervisor]]\nname = \"s\"\n[[pool]]\nname = \"s\"\nbehaviour = \"b\"\n"
    );
    assert_eq!(
        faults(&text),
        [
            "8:8: supervisor[0].child[1].name: a child of this supervisor has the name `c` \
             already, in line 5",
            "11:8: supervisor[1].name: a supervisor or pool has the name `s` already, in line 3",
            "13:8: pool[0].name: a supervisor or pool has the name `s` already, in line 11",
        ]
    );
    let help = "not a name; a name has 1 to 128 bytes of letters, digits, `-`, `_`, `.`, \
                `:` or `@`";
    for name in ["", "a b", "a/b", "..", &"x".repeat(129)] {
        let text = format!("[[supervisor]]\nname = \"{name}\"");
        assert_eq!(faults(&text), [format!("2:8: supervisor[0].name: {help}")]);
    }
    assert_eq!(
        faults("behaviour.\"a b\".module = \"x\""),
        [format!("1:11: behaviour.\"a b\": {help}")]
    );
    assert_eq!(
        faults("[[supervisor]]"),
        ["1:1: supervisor[0].name: missing key"]
    );
    // Two supervisors may each have a child of the same name.
    parse(&format!(
        "behaviour.b.module = \"b\"\n[[supervisor]]\nname = \"s\"\n{child}\
         [[supervisor]]\nname = \"t\"\n{child}"
    ));
}

#[test]
fn a_behaviour_needs_something_to_run() {
    assert_eq!(
        faults("[behaviour.b]\nmemory = \"1MiB\""),
        [
            "1:1: behaviour.b: nothing says what it runs; give `module`, a component's file, \
             or `crate`, the folder that builds it"
        ]
    );
    assert_eq!(
        faults("behaviour.b.module = \" \""),
        ["1:22: behaviour.b.module: the string is empty or holds a zero byte"]
    );
}

#[test]
fn unknown_behaviours_are_refused_wherever_they_are_named() {
    assert_eq!(
        pool_fault(
            "[[supervisor]]\nname = \"s\"\n[[supervisor.child]]\nname = \"c\"\n\
                    behaviour = \"other\""
        ),
        "9:13: supervisor[0].child[0].behaviour: no behaviour of this name; \
         give it a table `[behaviour.NAME]`"
    );
    assert_eq!(
        behaviour_fault("capabilities.spawn = [\"b\", \"c\"]"),
        "3:28: behaviour.b.capabilities.spawn[1]: no behaviour of this name; \
         give it a table `[behaviour.NAME]`"
    );
}

#[test]
fn capabilities_are_checked() {
    for (lines, fault) in [
        (
            "capabilities = 1",
            "3:16: behaviour.b.capabilities: expected a table, found a whole number",
        ),
        (
            "capabilities.spwan = []",
            "3:14: behaviour.b.capabilities.spwan: unknown key; did you mean `spawn`?",
        ),
        (
            "capabilities.env = { A = 1 }",
            "3:26: behaviour.b.capabilities.env.A: expected a string, found a whole number",
        ),
        (
            "capabilities.env = { \"A=B\" = \"\" }",
            "3:22: behaviour.b.capabilities.env.\"A=B\": not a name of a variable",
        ),
        (
            "capabilities.supervise = [\"/x\"]",
            "3:27: behaviour.b.capabilities.supervise[0]: no supervisor of this path; give a \
             supervisor's path, such as \"/bank\", or \"/bank/*\" for every supervisor below it",
        ),
        (
            "capabilities.supervise = [\"/*\", 1]",
            "3:33: behaviour.b.capabilities.supervise[1]: expected a string, found a whole number",
        ),
        (
            "capabilities.dirs = [{ host = \"data\" }]",
            "3:22: behaviour.b.capabilities.dirs[0].guest: missing key",
        ),
        (
            "capabilities.dirs = [{ host = \"data\", guest = \"data\" }]",
            "3:47: behaviour.b.capabilities.dirs[0].guest: not an absolute path; the guest \
             sees it under an absolute path, such as \"/data\"",
        ),
    ] {
        assert_eq!(behaviour_fault(lines), fault);
    }
}
