//! What a node takes as a behaviour, and what it refuses.

use actorhost_tests::{Node, bytes_of, guest};
use serde_json::{Value, json};
use std::fs;

const MANIFEST: &str = r#"
[behaviour.probe]
module = "{probe}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
"#;

/// A component with these imports, and a function without arguments under each name.
fn component(imports: &str, exports: &[&str]) -> Vec<u8> {
    let exports: String = exports
        .iter()
        .map(|name| format!("(export \"{name}\" (func $f))\n"))
        .collect();
    let text = format!(
        "(component
           {imports}
           (core module $m (func (export \"f\")))
           (core instance $i (instantiate $m))
           (func $f (canon lift (core func $i \"f\")))
           {exports})"
    );
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A file that is no behaviour, and what is said of it.
struct Refused {
    what: &'static str,
    bytes: Vec<u8>,
    code: &'static str,
    /// What was found, and what was expected.
    words: &'static [&'static str],
    help: &'static str,
}

fn refused() -> Vec<Refused> {
    let all = ["describe", "init", "handle", "save", "load", "stopping"];
    let whole = bytes_of("stateless");
    let refused = |what, bytes, code, words, help| Refused {
        what,
        bytes,
        code,
        words,
        help,
    };
    vec![
        refused(
            "not wasm",
            b"#!/bin/sh\necho hello\n".to_vec(),
            "not-wasm",
            &["not a WebAssembly file", "#!/bin"],
            "wasm32-wasip2",
        ),
        refused(
            "empty",
            Vec::new(),
            "module-empty",
            &["empty"],
            "build it again",
        ),
        refused(
            "truncated",
            whole[..whole.len() / 2].to_vec(),
            "module-truncated",
            &["cut off after", "more belong to it"],
            "build it again",
        ),
        refused(
            "cut off in its first bytes",
            whole[..6].to_vec(),
            "module-truncated",
            &["cut off after 6 bytes"],
            "build it again",
        ),
        refused(
            "a core module",
            wat::parse_str("(module (func (export \"handle\")))").expect("it is right"),
            "core-module",
            &["a core WebAssembly module, not a component"],
            "--target wasm32-wasip2",
        ),
        refused(
            "a component of another world",
            component("", &["run"]),
            "other-world",
            &["actorhost:actor/actor@0.1.0", "`handle`", "it has `run`"],
            "#[actor]",
        ),
        refused(
            "a missing export",
            component("", &all[..5]),
            "other-world",
            &["lacks the exports `stopping`"],
            "#[actor]",
        ),
        refused(
            "an export of another type",
            component("", &all),
            "wrong-export-type",
            &["has the wrong type"],
            "build the guest again",
        ),
        refused(
            "an unknown import",
            component("(import \"wasi:http/types@0.2.0\" (instance))", &all),
            "unknown-import",
            &["imports `wasi:http/types@0.2.0`", "does not provide"],
            "actorhost inspect",
        ),
        refused(
            "another version of the contract",
            component("(import \"actorhost:actor/types@0.9.0\" (instance))", &all),
            "other-wit-version",
            &["actorhost:actor@0.9.0", "actorhost:actor@0.1.0"],
            "build the guest again",
        ),
    ]
}

fn assert_says(refused: &Refused, message: &str, help: &str) {
    for words in refused.words {
        assert!(message.contains(words), "{}: {message}", refused.what);
    }
    assert!(help.contains(refused.help), "{}: {help}", refused.what);
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is a text"))
}

#[test]
fn c70_a_file_that_is_no_behaviour_is_refused_with_what_was_found_and_expected() {
    let node = Node::start(MANIFEST);
    node.ok(&["spawn", "--pool", "probes", "--name", "a"]);
    node.ask("/probes/a", json!({"Add": {"n": 3}}));
    let file = node.path().join("module.wasm");
    let path = file.display().to_string();
    for refused in refused() {
        fs::write(&file, &refused.bytes).expect("it is writable");
        // Under a new name, and in the place of one that works.
        for behaviour in ["bad", "probe"] {
            let error = node.fails(&["deploy", behaviour, &path], 1);
            assert_eq!(error["code"], refused.code, "{}: {error}", refused.what);
            assert_says(&refused, text(&error["message"]), text(&error["help"]));
        }
        let error = node.fails(&["swap", "probe", &path], 1);
        assert_eq!(error["code"], refused.code, "{}: {error}", refused.what);

        // Looked at without a node, it is the same.
        let ran = node.run(&["inspect", &path, "--json"]);
        assert_eq!(text(&ran.json()["problem"]["code"]), refused.code);
        let error = ran.error(1);
        assert_eq!(error["code"], refused.code, "{}: {error}", refused.what);

        // As text, it is one block.
        let ran = node.run(&["deploy", "bad", &path]);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        assert_says(&refused, &ran.stderr, &ran.stderr);
    }
    // Nobody noticed.
    assert_eq!(node.ask("/probes/a", json!("Total")), json!({"Number": 3}));
    let actor = node.actor("/probes/a").expect("it lives");
    assert_eq!(
        (&actor["version"], &actor["restarts"]),
        (&json!(1), &json!(0))
    );
    let error = node.fails(&["spawn", "--behaviour", "bad", "--name", "b"], 1);
    assert_eq!(error["code"], "unknown-behaviour", "{error}");
    assert_eq!(node.ok(&["ps"])["total"], 1);
}

#[test]
fn c70_a_manifest_with_such_a_file_starts_nothing() {
    for refused in refused() {
        let dir = Node::dir(
            "[behaviour.good]\nmodule = \"{probe}\"\n\n[behaviour.bad]\nmodule = \"bad.wasm\"\n\n\
             [[supervisor]]\nname = \"app\"\n\n[[supervisor.child]]\nname = \"a\"\n\
             behaviour = \"good\"\nargs = { start = 0 }\n",
        );
        fs::write(dir.path().join("bad.wasm"), &refused.bytes).expect("it is writable");
        let Err(ran) = Node::start_in(dir) else {
            panic!("{} came up", refused.what);
        };
        assert_eq!(ran.code, 1, "{}: {ran:?}", refused.what);
        assert!(
            ran.stderr.contains("behaviour `bad`") && ran.stderr.contains("bad.wasm"),
            "{}",
            ran.stderr
        );
        assert_says(&refused, &ran.stderr, &ran.stderr);
        assert!(!ran.stderr.contains("/app/a"), "{}", ran.stderr);
    }
}

#[test]
fn c69d_the_same_bytes_deployed_again_are_no_new_version() {
    let node = Node::start(MANIFEST);
    let again = node.ok(&["deploy", "probe", &guest("probe").display().to_string()]);
    assert_eq!(again["changed"], false);
    assert_eq!(again["behaviour"]["version"], 1);

    let copy = node.path().join("copy.wasm");
    fs::copy(guest("probe"), &copy).expect("it is readable");
    let copy = copy.display().to_string();
    let again = node.ok(&["deploy", "probe", &copy]);
    assert_eq!(again["changed"], false);
    assert_eq!(again["behaviour"]["version"], 1);
    // Another name is another behaviour.
    let other = node.ok(&["deploy", "other", &copy]);
    assert_eq!(other["changed"], true);
    assert_eq!(other["behaviour"]["version"], 1);
    assert_eq!(
        other["behaviour"]["digest"], again["behaviour"]["digest"],
        "it is of the bytes alone"
    );
}

#[test]
fn a_deployed_version_is_for_new_lives_and_the_living_keep_theirs() {
    let node = Node::start(MANIFEST);
    let version = |path: &str| node.actor(path).expect("it lives")["version"].clone();
    node.ok(&["spawn", "--pool", "probes", "--name", "old"]);
    node.ask("/probes/old", json!({"Add": {"n": 1}}));
    let v2 = guest("probe-v2").display().to_string();
    let report = node.ok(&["deploy", "probe", &v2]);
    assert_eq!(report["changed"], true);
    assert_eq!(report["behaviour"]["version"], 2);
    assert_eq!(report["behaviour"]["module_version"], "0.2.0");

    node.ok(&["spawn", "--pool", "probes", "--name", "new"]);
    assert_eq!(
        (version("/probes/old"), version("/probes/new")),
        (json!(1), json!(2))
    );
    assert_eq!(
        node.ask("/probes/old", json!("Total")),
        json!({"Number": 1})
    );
    node.ok(&["restart", "/probes/old"]);
    assert_eq!(version("/probes/old"), 2);
    assert_eq!(
        node.ask("/probes/old", json!("Total")),
        json!({"Number": 0})
    );
}

#[test]
fn c73_a_module_file_may_go_once_it_is_deployed() {
    let node = Node::start(MANIFEST);
    let file = node.path().join("stateless.wasm");
    fs::copy(guest("stateless"), &file).expect("it is readable");
    node.ok(&["deploy", "echo", &file.display().to_string()]);
    node.ok(&["spawn", "--behaviour", "echo", "--name", "before"]);
    fs::remove_file(&file).expect("it is there");
    node.ok(&["spawn", "--behaviour", "echo", "--name", "after"]);
    node.ok(&["restart", "/before"]);
    for path in ["/before", "/after"] {
        let echoed = node.ask(path, json!({"Echo": {"text": "here"}}));
        assert_eq!(echoed, json!({"text": "here", "count": 1}));
    }
}
