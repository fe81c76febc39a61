//! Defaults, the example, and every form of fault.

mod actor_faults;
mod faults;
mod mutated;
mod tree;

use super::*;
use serde_json::json;

const EXAMPLE: &str = include_str!("../../../examples/actorhost.toml");

fn parse(text: &str) -> Manifest {
    Manifest::parse("actorhost.toml", text).unwrap()
}

/// What the one child or pool of the behaviour `b` is when nothing is said of it.
fn plain_actor() -> Actor {
    Actor {
        behaviour: "b".to_owned(),
        args: None,
        restart: Restart::Permanent,
        shutdown: Shutdown::Within { timeout_ms: 5_000 },
        on_crash: Directive::Restart.into(),
        backoff: None,
        attempts: 1,
        keep_children: false,
        mailbox: Mailbox::default(),
        dispatcher: "default".to_owned(),
    }
}

/// The actor that a pool of the behaviour `b` with `lines` has.
fn pool_actor(behaviour: &str, lines: &str) -> Actor {
    let manifest = parse(&format!(
        "[behaviour.b]\nmodule = \"b\"\n{behaviour}\n\
         [[pool]]\nname = \"p\"\nbehaviour = \"b\"\n{lines}"
    ));
    manifest.pools[0].actor.clone()
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
            significant: false,
            kind: ChildKind::Actor(plain_actor()),
        }
    );
    assert_eq!(supervisor.strategy, Strategy::OneForOne);
    assert_eq!(supervisor.auto_shutdown, AutoShutdown::Never);
    assert_eq!(supervisor.restart, Restart::Permanent);
    assert_eq!(manifest.pools[0].actor, plain_actor());
    assert_eq!(manifest.pools[0].budget, RestartBudget::default());
}

#[test]
fn the_example_says_everything() {
    let manifest = parse(EXAMPLE);
    let node = NodeSettings {
        name: Some("harbour".to_owned()),
        threads: Some(2),
        dispatchers: vec![("slow".to_owned(), 2)],
        live_max: Some(12_000),
        mailbox_bytes: Some(512 << 20),
        ..NodeSettings::default()
    };
    assert_eq!(manifest.node, node);
    let account = manifest.behaviour("account").unwrap();
    let mailbox = &account.mailbox;
    assert_eq!(mailbox.overflow, Overflow::Block { timeout_ms: 5_000 });
    let [close] = mailbox.priorities.as_slice() else {
        panic!("{mailbox:?}")
    };
    assert_eq!((close.variant.as_str(), close.level), ("Close", 2));
    assert_eq!(close.place.key, "behaviour.account.mailbox.priority.Close");
    let line = EXAMPLE.lines().nth(close.place.line - 1).unwrap();
    assert!(line.contains("Close = 2"), "{line}");
    assert_eq!(
        *account,
        Behaviour {
            module: Some("modules/account.wasm".to_owned()),
            crate_dir: Some("guests/account".to_owned()),
            mailbox: mailbox.clone(),
            capabilities: Capabilities {
                spawn: vec!["ship".to_owned()],
                supervise: vec!["/bank".to_owned(), "/bank/*".to_owned()],
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
    let [bank] = manifest.supervisors.as_slice() else {
        panic!("{:?}", manifest.supervisors)
    };
    let ChildKind::Actor(alice) = &bank.children[0].kind else {
        panic!("{bank:?}")
    };
    let args = json!({"owner": "Alice", "cents": 12_500, "limits": [100, 1000]});
    assert_eq!(
        *alice,
        Actor {
            behaviour: "account".to_owned(),
            args: Some(args),
            attempts: 3,
            keep_children: true,
            dispatcher: "slow".to_owned(),
            mailbox: Mailbox {
                capacity: 16,
                ..mailbox.clone()
            },
            ..plain_actor()
        }
    );
    let ChildKind::Actor(bob) = &bank.children[1].kind else {
        panic!("{bank:?}")
    };
    assert_eq!(bob.on_crash.otherwise, Directive::Restart);
    assert_eq!(
        bob.on_crash.by_cause,
        [
            (Cause::FuelExhausted, Directive::Stop),
            (Cause::Killed, Directive::Stop)
        ]
    );
    assert_eq!(bob.backoff, Some(Backoff::default()));
    let ChildKind::Supervisor(tellers) = &bank.children[2].kind else {
        panic!("{bank:?}")
    };
    assert_eq!(tellers.restart, Restart::Transient);
    assert_eq!(tellers.auto_shutdown, AutoShutdown::AllSignificant);
    assert!(tellers.children[0].significant);
    let fleet = &manifest.pools[0];
    assert_eq!(fleet.actor.on_crash, Directive::Resume.into());
    assert_eq!(
        fleet.budget,
        RestartBudget {
            intensity: 3,
            period_ms: 5_000
        }
    );
    assert_eq!(fleet.actor.mailbox.overflow, Overflow::DropOldest);
}

/// What the documentation prints is what a manifest may say.
#[test]
fn the_documentation_shows_the_example_and_every_block_of_it_parses() {
    const PAGE: &str = include_str!("../../../../../docs/manifest.md");
    assert!(
        PAGE.contains(&format!("```toml\n{EXAMPLE}```")),
        "docs/manifest.md does not show examples/actorhost.toml as it is"
    );
    for block in PAGE.split("```toml\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        parse(block);
    }
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
fn a_deadline_may_be_unlimited() {
    let deadline = |value: &str| {
        let text = format!("behaviour.b = {{ module = \"b\", deadline = \"{value}\" }}");
        parse(&text).behaviours[0].deadline_ms
    };
    assert_eq!(deadline("unlimited"), None);
    assert_eq!(deadline("2s"), Some(2_000));
}

#[test]
fn a_mailbox_says_only_what_differs_from_its_behaviours() {
    let blocking = "mailbox = { capacity = 7, overflow = \"block\", block-timeout = \"2s\", \
                    priority = { Stop = 3 } }";
    let mailbox = |lines: &str| pool_actor(blocking, &format!("mailbox = {lines}")).mailbox;
    let inherited = mailbox("{}");
    let of = |capacity, overflow| Mailbox {
        capacity,
        overflow,
        priorities: inherited.priorities.clone(),
    };
    let block = |capacity, timeout_ms| of(capacity, Overflow::Block { timeout_ms });
    assert_eq!(inherited, block(7, 2_000));
    assert_eq!(inherited.priorities[0].variant, "Stop");
    assert_eq!(mailbox("{ block-timeout = \"1s\" }"), block(7, 1_000));
    assert_eq!(mailbox("{ capacity = 3 }"), block(3, 2_000));
    for (word, overflow) in [
        ("reject", Overflow::Reject),
        ("drop-newest", Overflow::DropNewest),
        ("drop-oldest", Overflow::DropOldest),
    ] {
        let own = mailbox(&format!("{{ overflow = \"{word}\" }}"));
        assert_eq!(own, of(7, overflow));
    }
    // The behaviour's capacity and timeout mean nothing to an unbounded one.
    let unbounded = mailbox("{ overflow = \"unbounded\", priority = {} }");
    assert_eq!(unbounded.overflow, Overflow::Unbounded);
    assert_eq!(unbounded.priorities, []);
}

#[test]
fn an_actor_says_only_what_differs_from_its_behaviour() {
    let behaviour = "attempts = 4\nkeep-children = true\ndispatcher = \"blocking\"";
    let inherited = pool_actor(behaviour, "");
    assert_eq!((inherited.attempts, inherited.keep_children), (4, true));
    assert_eq!(inherited.dispatcher, "blocking");
    let own = "attempts = 2\nkeep-children = false\ndispatcher = \"default\"";
    let own = pool_actor(behaviour, own);
    assert_eq!((own.attempts, own.keep_children), (2, false));
    assert_eq!(own.dispatcher, "default");
}

#[test]
fn waits_before_a_restart_have_defaults() {
    let backoff = |lines: &str| {
        pool_actor("", &format!("backoff = {lines}"))
            .backoff
            .unwrap()
    };
    assert_eq!(backoff("{}"), Backoff::default());
    let own = backoff("{ first = \"1ms\", factor = 3, cap = \"1ms\", jitter = 1, reset = \"1h\" }");
    let expected = Backoff {
        first_ms: 1,
        factor: 3.0,
        cap_ms: 1,
        jitter: 1.0,
        reset_ms: 3_600_000,
    };
    assert_eq!(own, expected);
}

#[test]
fn the_default_dispatcher_may_be_given_in_either_place() {
    let node =
        parse("node.threads = 3\n[dispatchers]\ndefault.threads = 3\nblocking.threads = 9").node;
    assert_eq!(node.threads, Some(3));
    assert_eq!(node.dispatchers, [("blocking".to_owned(), 9)]);
    assert_eq!(
        parse("dispatchers.default.threads = 5").node.threads,
        Some(5)
    );
}

#[test]
fn arguments_keep_their_values() {
    let args = |toml: &str| {
        let text = format!(
            "behaviour.b.module = \"b\"\n[[pool]]\nname = \"p\"\nbehaviour = \"b\"\nargs = {toml}"
        );
        parse(&text).pools[0].actor.args.clone().unwrap()
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
