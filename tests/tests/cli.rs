//! Every verb: its help, its errors, and how it exits.

use actorhost_tests::{Node, Shell, guest, run};
use std::fs;

const MANIFEST: &str = r#"
[node]
name = "harbour"
threads = 2

[behaviour.probe]
module = "{probe}"

[[supervisor]]
name = "app"
intensity = 10
period = "5s"

[[supervisor.child]]
name = "a"
behaviour = "probe"
args = { start = 0 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 10
period = "5s"
"#;

const VERBS: [&str; 21] = [
    "new",
    "build",
    "inspect",
    "up",
    "down",
    "deploy",
    "spawn",
    "tell",
    "ask",
    "feed",
    "ps",
    "tree",
    "stats",
    "swap",
    "restart",
    "stop",
    "kill",
    "dead-letters",
    "events",
    "doctor",
    "completions",
];

#[test]
fn a_request_that_fails_exits_with_1_and_says_why() {
    let node = Node::start(MANIFEST);
    let file = guest("probe").display().to_string();
    for (args, code, words) in [
        (&["tell", "/app/b", "Total"][..], "no-such-actor", "/app/b"),
        (&["ask", "/app/b", "Total"], "no-such-actor", "/app/b"),
        (&["ask", "123456", "Total"], "no-such-actor", "123456"),
        (&["stop", "/app/b"], "no-such-actor", "/app/b"),
        (&["kill", "/app/b"], "no-such-actor", "/app/b"),
        (&["restart", "/app/b"], "no-such-actor", "/app/b"),
        (
            &["spawn", "--behaviour", "prob"],
            "unknown-behaviour",
            "prob",
        ),
        (&["spawn", "--pool", "probe"], "unknown-pool", "probe"),
        (
            &["spawn", "--pool", "probes", "--name", "a/b"],
            "bad-name",
            "a/b",
        ),
        (&["swap", "prob", &file], "unknown-behaviour", "prob"),
        (&["deploy", "a b", &file], "bad-name", "a b"),
        (&["deploy", "b", "no/such.wasm"], "file", "no/such.wasm"),
        (&["swap", "probe", "no/such.wasm"], "file", "no/such.wasm"),
        (&["inspect", "no/such.wasm"], "file", "no/such.wasm"),
        (
            &["feed", "no/such.csv", "--pool", "probes", "--key", "k"],
            "file",
            "no/such.csv",
        ),
        (&["ask", "/app/a", "@no/such.json"], "file", "no/such.json"),
        (&["build", "no/such"], "no-crate", "no/such"),
        (
            &["ps", "--manifest", "no/such.toml"],
            "file",
            "no/such.toml",
        ),
        (
            &[
                "ask",
                "/app/a",
                "{\"SleepMs\": {\"ms\": 3000}}",
                "--timeout",
                "50ms",
            ],
            "timeout",
            "50 ms",
        ),
        (
            &[
                "spawn",
                "--pool",
                "probes",
                "--args",
                "{\"start\": 0, \"fault\": {\"Fail\": {\"cause\": \"no berth\"}}}",
            ],
            "init-failed",
            "no berth",
        ),
    ] {
        let error = node.fails(args, 1);
        assert_eq!(error["code"], code, "{args:?}: {error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| text.contains(words)),
            "{error}"
        );
        // As text, it is one block that says the same.
        let ran = node.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran:?}");
        assert!(
            ran.stderr.starts_with("error: ") && ran.stderr.contains(words),
            "{ran:?}"
        );
        let rest = ran.stderr.lines().skip(1);
        assert!(
            rest.into_iter().all(|line| line.starts_with("  ")),
            "{ran:?}"
        );
    }
    for (args, code, words) in [
        (
            &["stop", "/app"][..],
            "no-such-actor",
            &["`/app` is a supervisor", "child terminate"][..],
        ),
        (
            &["restart", "/app/"],
            "no-such-actor",
            &["`/app` is a supervisor"],
        ),
        (
            &["tell", "/probes", "Total"],
            "no-such-actor",
            &["is a pool", "ps --under /probes"],
        ),
        (
            &["ask", "app/a", "Total"],
            "no-such-actor",
            &["did you mean `/app/a`?"],
        ),
        (
            &["ask", "/app/a/", "Total"],
            "no-such-actor",
            &["did you mean `/app/a`?"],
        ),
        (
            &["child", "list", "/probes"],
            "no-such-supervisor",
            &["is a pool", "ps --under /probes"],
        ),
        (
            &["child", "count", "/probes"],
            "no-such-supervisor",
            &["is a pool"],
        ),
        (
            &["child", "restart", "/app", "zz"],
            "not-found",
            &["/app has no child `zz`", "`a`"],
        ),
        (
            &["spawn", "--pool", "zzzz"],
            "unknown-pool",
            &["no pool `zzzz`", "known are `probes`"],
        ),
        (
            &["spawn", "--behaviour", "zz"],
            "unknown-behaviour",
            &["known are `probe`"],
        ),
        (
            &["spawn", "--pool", "probes", "--name", ""],
            "bad-name",
            &["`` is no name"],
        ),
        (
            &["feed", "no/such", "--pool", "p", "--key", "k"],
            "file",
            &["no/such"],
        ),
    ] {
        let error = node.fails(args, 1);
        assert_eq!(error["code"], code, "{args:?}: {error}");
        let text = error.to_string();
        assert!(
            words.iter().all(|word| text.contains(word)),
            "{args:?}: {error}"
        );
    }
    let name = ["spawn", "--pool", "probes", "--name", "taken"];
    node.ok(&name);
    assert_eq!(node.fails(&name, 1)["code"], "name-taken");
    assert_eq!(
        node.fails(&["spawn", "--pool", "probe"], 1)["help"],
        "did you mean `probes`?"
    );
}

#[test]
fn wrong_usage_exits_with_2_and_shows_the_right_one() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (args, words) in [
        (&["spwan", "--pool", "p"][..], "'spawn'"),
        (&["ask"], "<ACTOR>"),
        (&["ask", "/app/a"], "<MESSAGE>"),
        (&["ask", "/app/a", "Total", "--timeot", "5s"], "--timeout"),
        (&["ask", "/app/a", "Total", "--timeout", "5"], "such as 5s"),
        (
            &["ask", "/app/a", "Total", "--timeout", "-1s"],
            "such as 5s",
        ),
        (&["spawn"], "--pool"),
        (
            &["spawn", "--pool", "p", "--behaviour", "b"],
            "cannot be used with",
        ),
        (&["stop", "/app/a", "--mode", "softly"], "drain"),
        (&["feed", "f.csv", "--pool", "p"], "--key"),
        (
            &["feed", "/dev/null", "--pool", "p", "--key", "k"],
            "--format csv",
        ),
        (&["ps", "--limit", "many"], "many"),
        (&["completions", "cmd"], "bash"),
        (&[], "Usage"),
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args:?}");
        if !args.is_empty() {
            let error = run(dir.path(), &[args, &["--json"]].concat()).error(2);
            assert!(error["message"].is_string(), "{error}");
        }
    }
}

#[test]
fn without_a_node_every_verb_that_needs_one_exits_with_3() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("rows.csv"), "k,n\na,1\n").expect("it is writable");
    let file = guest("probe").display().to_string();
    for args in [
        &["ps"][..],
        &["tree"],
        &["down"],
        &["dead-letters"],
        &["events"],
        &["deploy", "b", &file],
        &["swap", "b", &file],
        &["spawn", "--pool", "p"],
        &["tell", "/a", "Total"],
        &["ask", "/a", "Total"],
        &["stop", "/a"],
        &["kill", "/a"],
        &["restart", "/a"],
        &["feed", "rows.csv", "--pool", "p", "--key", "k"],
    ] {
        let error = run(dir.path(), &[args, &["--json"]].concat());
        assert_eq!(error.code, 3, "{args:?}: {error:?}");
        let error = error.error(3);
        assert_eq!(error["code"], "not-reachable", "{args:?}: {error}");
        assert!(
            error["help"]
                .as_str()
                .is_some_and(|help| help.contains("actorhost up"))
        );
        assert!(
            run(dir.path(), args)
                .stderr
                .contains("no node is listening on")
        );
    }
}

#[test]
fn every_verb_has_help_with_examples_and_exit_codes() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let all = run(dir.path(), &["--help"]);
    assert_eq!(all.code, 0);
    for verb in VERBS {
        assert!(
            all.stdout.contains(&format!("\n  {verb} ")),
            "{verb} is not in {}",
            all.stdout
        );
        for help in [[verb, "--help"], ["help", verb]] {
            let help = run(dir.path(), &help);
            assert_eq!(help.code, 0, "{verb}");
            for part in [
                "Usage: actorhost",
                "Examples:",
                "Exit codes:",
                "no node is reachable",
            ] {
                assert!(help.stdout.contains(part), "{verb}: {}", help.stdout);
            }
            assert!(
                help.stdout.contains(&format!("  actorhost {verb}")),
                "{}",
                help.stdout
            );
        }
    }
    let version = run(dir.path(), &["--version"]);
    assert_eq!(
        version.stdout.trim(),
        format!("actorhost {}", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn completions_know_every_verb() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for shell in ["bash", "zsh", "fish"] {
        let script = run(dir.path(), &["completions", shell]);
        assert_eq!(script.code, 0);
        for verb in VERBS {
            assert!(script.stdout.contains(verb), "{shell}: {verb}");
        }
    }
    let bash = run(dir.path(), &["completions", "bash"]).stdout;
    fs::write(dir.path().join("complete"), bash).expect("it is writable");
    Shell::new(dir.path()).ok("bash -n complete");
}

#[test]
fn there_is_no_colour_where_there_is_no_terminal() {
    let dir = Node::dir(MANIFEST);
    let mut shell = Shell::new(dir.path());
    shell.up();
    for line in [
        "ps",
        "tree",
        "doctor",
        "ask /app/a '{\"Panic\": {\"text\": \"boom\"}}'",
        "dead-letters",
        "ask /app/b Total",
        "aks",
        "--help",
    ] {
        let ran = shell.run(&format!("env -u NO_COLOR actorhost {line}"));
        assert!(
            !ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'),
            "{line}: {ran:?}"
        );
    }
    shell.ok("actorhost down");
    assert!(shell.log().contains("boom"), "{}", shell.log());
    assert!(!shell.log().contains('\x1b'), "{}", shell.log());
}

#[test]
fn a_message_may_come_from_a_file_or_from_standard_input() {
    let dir = Node::dir(MANIFEST);
    fs::write(dir.path().join("add.json"), "{\"Add\": {\"n\": 2}}").expect("it is writable");
    let mut shell = Shell::new(dir.path());
    shell.up();
    assert_eq!(
        shell.ok("actorhost ask /app/a @add.json").trim(),
        "{\"Number\":2}"
    );
    let piped = shell.ok("actorhost ask /app/a - < add.json");
    assert_eq!(piped.trim(), "{\"Number\":4}");
    assert_eq!(
        shell.ok("actorhost ask /app/a '\"Total\"'").trim(),
        "{\"Number\":4}"
    );
    // A reader that goes away is no error.
    shell.ok("actorhost inspect --help | head -n 1");
    shell.ok("actorhost down");
}

#[test]
fn json_is_asked_for_before_and_after_a_verb_of_a_verb() {
    let node = Node::start(MANIFEST);
    for line in [
        "dead-letters --json list",
        "dead-letters list --json",
        "--json dead-letters list",
        "dead-letters --json",
        "child --json list /",
        "child list --json /",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(node.run(&words).ok().is_object(), "{line}");
    }
    let error = node.run(&["dead-letters", "--json", "show", "7"]).error(1);
    assert!(error["code"].is_string(), "{error}");
    let error = node
        .run(&["dead-letters", "--limit", "5", "--json", "list"])
        .error(2);
    assert_eq!(error["code"], "usage", "{error}");
}
