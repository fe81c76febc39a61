//! Defaults, the example, and every form of fault.

mod faults;
mod mutated;

use super::*;
use serde_json::json;

const EXAMPLE: &str = include_str!("../../../examples/actorhost.toml");

fn parse(text: &str) -> Manifest {
    Manifest::parse("actorhost.toml", text).unwrap()
}

/// The one fault of `lines` within a pool that is otherwise right.
fn pool_fault(lines: &str) -> String {
    let faults = faults(&format!(
        "behaviour.b.module = \"b.wasm\"\n[[pool]]\nname = \"p\"\nbehaviour = \"b\"\n{lines}\n"
    ));
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.into_iter().next().unwrap()
}

/// The faults of a text, each as `LINE:COLUMN: …`.
fn faults(text: &str) -> Vec<String> {
    let errors = Manifest::parse("m", text).unwrap_err().errors;
    errors
        .iter()
        .map(|e| e.to_string()[2..].to_owned())
        .collect()
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
fn fuel_may_be_unlimited() {
    let manifest = parse("behaviour.b = { module = \"b\", fuel-per-turn = \"unlimited\" }");
    assert_eq!(manifest.behaviours[0].fuel_per_turn, None);
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
