//! Defaults, the example, and every form of fault.

use super::*;
use serde_json::json;

const EXAMPLE: &str = include_str!("../../examples/actorhost.toml");

fn parse(text: &str) -> Manifest {
    Manifest::parse("actorhost.toml", text).unwrap()
}

/// The faults of a text, each as `LINE:COLUMN: …`.
fn faults(text: &str) -> Vec<String> {
    let errors = Manifest::parse("m", text).unwrap_err().errors;
    errors
        .iter()
        .map(|e| e.to_string()[2..].to_owned())
        .collect()
}

/// The one fault of `lines` within a behaviour that is otherwise right.
fn behaviour_fault(lines: &str) -> String {
    let faults = faults(&format!("[behaviour.b]\nmodule = \"b.wasm\"\n{lines}\n"));
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.into_iter().next().unwrap()
}

/// The one fault of `lines` within a pool that is otherwise right.
fn pool_fault(lines: &str) -> String {
    let faults = faults(&format!(
        "behaviour.b.module = \"b.wasm\"\n[[pool]]\nname = \"p\"\nbehaviour = \"b\"\n{lines}\n"
    ));
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.into_iter().next().unwrap()
}

#[test]
fn an_empty_manifest_is_all_defaults() {
    let manifest = parse("");
    assert_eq!(manifest.node, NodeSettings::default());
    assert!(manifest.behaviours.is_empty());
    assert!(manifest.supervisors.is_empty() && manifest.pools.is_empty());
}

#[test]
fn what_is_not_said_has_its_default() {
    let manifest = parse(
        "[behaviour.b]\ncrate = \"b\"\n[[supervisor]]\nname = \"s\"\n\
         [[supervisor.child]]\nname = \"c\"\nbehaviour = \"b\"\n\
         [[pool]]\nname = \"p\"\nbehaviour = \"b\"\n",
    );
    let behaviour = Behaviour {
        crate_dir: Some("b".to_owned()),
        ..Behaviour::new("b")
    };
    assert_eq!(manifest.behaviours, [behaviour]);
    let supervisor = &manifest.supervisors[0];
    assert_eq!(supervisor.budget, RestartBudget::default());
    assert_eq!(
        supervisor.children[0],
        Child {
            name: "c".to_owned(),
            behaviour: "b".to_owned(),
            args: None,
            restart: Restart::Permanent,
            shutdown: Shutdown::Within { timeout_ms: 5_000 },
            on_crash: OnCrash::Restart,
            mailbox: Mailbox::default(),
        }
    );
    assert_eq!(manifest.pools[0].on_crash, OnCrash::Restart);
    assert_eq!(manifest.pools[0].budget, RestartBudget::default());
}

#[test]
fn the_example_says_everything() {
    let manifest = parse(EXAMPLE);
    assert_eq!(manifest.node.name.as_deref(), Some("harbour"));
    assert_eq!(manifest.node.threads, Some(2));
    assert_eq!(manifest.node.live_max, Some(12_000));
    let account = manifest.behaviour("account").unwrap();
    assert_eq!(
        *account,
        Behaviour {
            module: Some("modules/account.wasm".to_owned()),
            crate_dir: Some("guests/account".to_owned()),
            mailbox: Mailbox {
                capacity: 1_024,
                overflow: Overflow::Block { timeout_ms: 5_000 },
            },
            capabilities: Capabilities {
                spawn: vec!["ship".to_owned()],
                env: [("CURRENCY".to_owned(), "EUR".to_owned())].into(),
                dirs: vec![DirGrant {
                    host: "data".to_owned(),
                    guest: "/data".to_owned(),
                    write: false,
                }],
                stdout: true,
            },
            // Every other value shown is the default.
            ..Behaviour::new("account")
        }
    );
    let alice = &manifest.supervisors[0].children[0];
    assert_eq!(
        alice.args,
        Some(json!({"owner": "Alice", "cents": 12_500, "limits": [100, 1000]}))
    );
    assert_eq!(
        alice.mailbox,
        Mailbox {
            capacity: 16,
            overflow: Overflow::Block { timeout_ms: 5_000 },
        }
    );
    let fleet = &manifest.pools[0];
    assert_eq!(fleet.on_crash, OnCrash::Resume);
    assert_eq!(
        fleet.budget,
        RestartBudget {
            intensity: 3,
            period_ms: 5_000
        }
    );
    assert_eq!(fleet.mailbox, Mailbox::default());
}

#[test]
fn behaviours_keep_the_order_of_the_file() {
    let manifest = parse("behaviour.z.module = \"z\"\nbehaviour.a.module = \"a\"\n");
    let names: Vec<_> = manifest.behaviours.iter().map(|b| &b.name).collect();
    assert_eq!(names, ["z", "a"]);
}

#[test]
fn every_fault_is_found_at_once_and_in_order() {
    let text = "[node]\nthreads = 0\nlgo = \"info\"\n\n[behaviour.aircraft]\nmodule = \"a.wasm\"\n\
                \x20   memroy = \"16MiB\"\n\n[[pool]]\nname = \"fleet\"\nbehaviour = \"aircarft\"\n";
    assert_eq!(
        Manifest::parse("actorhost.toml", text)
            .unwrap_err()
            .to_string(),
        "actorhost.toml:2:11: node.threads: out of bounds: 1 to 1024 are allowed\n\
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
         `live-max`, `shutdown-timeout`, `dead-letters`, `log`"
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
            "3:10: behaviour.b.memory: out of bounds: 64KiB to 64MiB are allowed",
        ),
        (
            "memory = \"1KiB\"",
            "3:10: behaviour.b.memory: out of bounds: 64KiB to 64MiB are allowed",
        ),
        (
            "message-size = \"1GiB\"",
            "3:16: behaviour.b.message-size: out of bounds: 64B to 64MiB are allowed",
        ),
        (
            "mailbox = { capacity = 0 }",
            "3:24: behaviour.b.mailbox.capacity: out of bounds: 1 to 10000000 are allowed",
        ),
        (
            "throughput = -1",
            "3:14: behaviour.b.throughput: out of bounds: 1 to 1000000 are allowed",
        ),
        (
            "fuel-per-turn = 5",
            "3:17: behaviour.b.fuel-per-turn: out of bounds: 10000 to 9223372036854775807 \
             are allowed",
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
            "node.shutdown-timeout = \"2h\"",
            "1:25: node.shutdown-timeout: out of bounds: 0ms to 1h are allowed",
        ),
    ] {
        assert_eq!(faults(text), [fault]);
    }
}

#[test]
fn fuel_may_be_unlimited() {
    let manifest = parse("behaviour.b = { module = \"b\", fuel-per-turn = \"unlimited\" }");
    assert_eq!(manifest.behaviours[0].fuel_per_turn, None);
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
             already",
            "11:8: supervisor[1].name: a supervisor or pool has the name `s` already",
            "13:8: pool[0].name: a supervisor or pool has the name `s` already",
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
fn a_mailbox_says_only_what_differs_from_its_behaviours() {
    let mailbox = |lines: &str| {
        parse(&format!(
            "[behaviour.b]\nmodule = \"b\"\n\
             mailbox = {{ capacity = 7, overflow = \"block\", block-timeout = \"2s\" }}\n\
             [[pool]]\nname = \"p\"\nbehaviour = \"b\"\nmailbox = {lines}"
        ))
        .pools[0]
            .mailbox
    };
    let block = |capacity, timeout_ms| Mailbox {
        capacity,
        overflow: Overflow::Block { timeout_ms },
    };
    assert_eq!(mailbox("{}"), block(7, 2_000));
    assert_eq!(mailbox("{ block-timeout = \"1s\" }"), block(7, 1_000));
    assert_eq!(mailbox("{ capacity = 3 }"), block(3, 2_000));
    assert_eq!(
        mailbox("{ overflow = \"reject\" }"),
        Mailbox {
            capacity: 7,
            overflow: Overflow::Reject
        }
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
            "5:11: pool[0].restart: unknown word; did you mean \"permanent\"?",
        ),
        (
            "on-crash = \"escalate\"",
            "5:12: pool[0].on-crash: unknown word; it is one of \"restart\", \"resume\", \
             \"stop\"",
        ),
        (
            "shutdown = \"never\"",
            "5:12: pool[0].shutdown: the duration \"never\" is not a whole number with a \
             unit; write a whole number and `ms`, `s`, `m` or `h`, such as \"5s\"",
        ),
        (
            "mailbox = { block-timeout = \"1s\" }",
            "5:29: pool[0].mailbox.block-timeout: only a mailbox with `overflow = \"block\"` \
             has a timeout",
        ),
        (
            "mailbox = { overflow = \"drop\" }",
            "5:24: pool[0].mailbox.overflow: unknown word; it is one of \"reject\", \
             \"block\"",
        ),
    ] {
        assert_eq!(pool_fault(lines), fault);
    }
}

#[test]
fn other_strategies_are_not_supported_yet() {
    let fault = |strategy: &str| {
        faults(&format!(
            "[[supervisor]]\nname = \"s\"\nstrategy = \"{strategy}\""
        ))
        .join("")
    };
    assert_eq!(
        fault("one-for-all"),
        "3:12: supervisor[0].strategy: the strategy \"one-for-all\" is not supported yet; \
         use \"one-for-one\""
    );
    assert!(fault("rest-for-one").contains("not supported yet"));
    assert!(fault("one-for-on").ends_with("did you mean \"one-for-one\"?"));
}

#[test]
fn arguments_keep_their_values() {
    let args = |toml: &str| {
        let text = format!(
            "behaviour.b.module = \"b\"\n[[pool]]\nname = \"p\"\nbehaviour = \"b\"\nargs = {toml}"
        );
        parse(&text).pools[0].args.clone().unwrap()
    };
    let exact = |digits: &str| serde_json::from_str::<serde_json::Value>(digits).unwrap();
    assert_eq!(args("0xff"), json!(255));
    assert_eq!(args("9_223_372_036_854_775_807"), json!(i64::MAX));
    assert_eq!(args("18446744073709551616"), exact("18446744073709551616"));
    assert_eq!(args("-5"), json!(-5));
    assert_eq!(args("1_0.50"), exact("10.50"));
    assert_eq!(
        args("[nan, inf, -inf, +1.5]"),
        json!(["NaN", "inf", "-inf", 1.5])
    );
    assert_eq!(args("2013-01-31T10:00:00Z"), json!("2013-01-31T10:00:00Z"));
    assert_eq!(args("true"), json!(true));
    let ordered = args("{ z = 1, a = { y = [], b = \"\" } }");
    assert_eq!(ordered.to_string(), r#"{"z":1,"a":{"y":[],"b":""}}"#);
    assert_eq!(
        pool_fault(&format!("args = [1{}]", "0".repeat(39))),
        "5:9: pool[0].args[0]: the number has more than 128 bits"
    );
    let deep = format!("args = {}1{}", "[".repeat(70), "]".repeat(70));
    assert!(pool_fault(&deep).ends_with("nested more than 64 levels deep"));
}

mod mutated {
    use super::{EXAMPLE, Manifest};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Whatever is done to a manifest, the answer is a manifest or faults in it.
        #[test]
        fn never_panics(
            edits in prop::collection::vec(
                (any::<prop::sample::Index>(), 0..20_usize, "[-=\\[\\]{}\"'.,#\na-z0-9é]{0,6}"),
                1..6,
            ),
        ) {
            let mut chars: Vec<char> = EXAMPLE.chars().collect();
            for (place, removed, added) in edits {
                let at = place.index(chars.len());
                let end = (at + removed).min(chars.len());
                chars.splice(at..end, added.chars());
            }
            let text: String = chars.into_iter().collect();
            if let Err(errors) = Manifest::parse("m", &text) {
                prop_assert!(!errors.errors.is_empty());
                for error in errors.errors {
                    prop_assert!(error.line <= text.matches('\n').count() + 1);
                    prop_assert!(error.column >= 1 && !error.message.is_empty());
                }
            }
        }
    }
}
