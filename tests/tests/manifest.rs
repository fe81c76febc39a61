//! `up` checks its manifest and its data directory whole before it starts anything.

use actorhost_tests::{Node, Ran, run};
use serde_json::json;
use std::{fs, os::unix::fs::PermissionsExt, os::unix::net::UnixListener, path::Path};

/// What `up` says of a manifest that is wrong.
#[track_caller]
fn refused(manifest: &str) -> Ran {
    match Node::try_start(manifest) {
        Ok(node) => panic!("it came up: {}", node.log()),
        Err(ran) => {
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!(ran.stderr.starts_with("error"), "{}", ran.stderr);
            ran
        }
    }
}

#[track_caller]
fn assert_has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
}

const PROBE: &str = "[behaviour.probe]\nmodule = \"{probe}\"\n";

/// A supervisor with one child, made of these lines.
fn child(lines: &str) -> String {
    format!("{PROBE}[[supervisor]]\nname = \"app\"\n[[supervisor.child]]\nname = \"a\"\n{lines}\n")
}

#[test]
fn every_fault_is_told_at_once_with_its_file_line_column_and_key() {
    let ran = refused(
        "[node]\nlgo = \"info\"\nthreads = 0\n\n[behaviour.probe]\nmodule = \"{probe}\"\n\
         \x20 memroy = \"16MiB\"\n\n[[supervisor]]\nname = \"app\"\n[[supervisor]]\nname = \"app\"\n\
         [[pool]]\nname = \"probes\"\nbehaviour = \"prob\"\n",
    );
    assert_has(
        &ran.stderr,
        &[
            "actorhost.toml:2:1: node.lgo: unknown key; did you mean `log`?",
            "actorhost.toml:3:11: node.threads: 0 is out of bounds",
            "actorhost.toml:7:3: behaviour.probe.memroy: unknown key; did you mean `memory`?",
            "actorhost.toml:12:8: supervisor[1].name: a supervisor or pool has the name `app` already, in line 10",
            "actorhost.toml:15:13: pool[0].behaviour: no behaviour of this name; did you mean \"probe\"?",
        ],
    );
}

#[test]
fn broken_toml_and_keys_given_twice_have_their_place() {
    let ran = refused("[node]\nname = \n");
    assert_has(&ran.stderr, &["actorhost.toml:2:"]);
    let ran = refused("[node]\nname = \"a\"\nname = \"b\"\n");
    assert_has(&ran.stderr, &["duplicate key", "actorhost.toml:3:1"]);
    let twice =
        child("behaviour = \"probe\"\n[[supervisor.child]]\nname = \"a\"\nbehaviour = \"probe\"");
    assert_has(
        &refused(&twice).stderr,
        &["a child of this supervisor has the name `a` already, in line "],
    );
}

#[test]
fn a_manifest_or_a_module_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let error = run(dir.path(), &["up", "--json"]).error(1);
    assert_eq!(error["code"], "no-manifest", "{error}");
    let error = run(dir.path(), &["up", "--manifest", "other.toml", "--json"]).error(1);
    assert_has(&error.to_string(), &["other.toml", "actorhost new"]);

    let ran = refused("[behaviour.b]\nmodule = \"modules/b.wasm\"\n");
    assert_has(
        &ran.stderr,
        &[
            "behaviour `b`",
            "modules/b.wasm",
            "actorhost build",
            "at: actorhost.toml:2:10 (behaviour.b.module)",
        ],
    );
    let ran = refused("[behaviour.b]\ncrate = \"guests/b\"\n");
    assert_has(
        &ran.stderr,
        &[
            "behaviour `b`",
            "guests/b",
            "Cargo.toml",
            "actorhost.toml:2:9 (behaviour.b.crate)",
        ],
    );
}

#[test]
fn args_that_do_not_fit_the_module_are_told_with_their_path() {
    let ran = refused(&child("behaviour = \"probe\"\nargs = { strat = 0 }"));
    assert_has(&ran.stderr, &["/app/a", "strat", "did you mean `start`?"]);
    let ran = refused(&child("behaviour = \"probe\"\nargs = { start = \"much\" }"));
    assert_has(&ran.stderr, &["/app/a", "$.start"]);
    assert_has(
        &ran.stderr,
        &["actorhost.toml:", "(supervisor[0].child[0].args)"],
    );
    let ran = refused(&child("behaviour = \"probe\""));
    assert_has(&ran.stderr, &["/app/a", "probe", "`args = { … }`"]);
    assert_has(&ran.stderr, &["(supervisor[0].child[0])"]);
    let fault = "behaviour = \"probe\"\nargs = { start = 0, fault = \"Panik\" }";
    let ran = refused(&child(fault));
    assert_has(&ran.stderr, &["$.fault", "did you mean `Panic`?"]);
}

#[test]
fn what_a_module_cannot_do_is_not_promised() {
    let ran = refused(
        "[behaviour.echo]\nmodule = \"{stateless}\"\n[[supervisor]]\nname = \"app\"\n\
         [[supervisor.child]]\nname = \"a\"\nbehaviour = \"echo\"\non-crash = \"resume\"\n",
    );
    assert_has(&ran.stderr, &["/app/a", "resume", "no_save"]);
    assert_has(
        &ran.stderr,
        &["actorhost.toml:8:12 (supervisor[0].child[0].on-crash)"],
    );
    let ran = refused(&format!(
        "{PROBE}[behaviour.probe.capabilities]\ndirs = [{{ host = \"nowhere\", guest = \"/d\" }}]\n"
    ));
    assert_has(&ran.stderr, &["behaviour `probe`", "nowhere"]);
    assert_has(&ran.stderr, &["(behaviour.probe.capabilities.dirs)"]);
}

#[test]
fn a_priority_is_of_a_message_that_the_module_has() {
    let ran = refused(
        "[behaviour.probe]\nmodule = \"{probe}\"\n\
         mailbox = { priority = { WhoAmI = 3, Toal = 2 } }\n\
         [[supervisor]]\nname = \"app\"\n[[supervisor.child]]\nname = \"a\"\n\
         behaviour = \"probe\"\nargs = { start = 0 }\n",
    );
    assert_has(
        &ran.stderr,
        &[
            "actorhost.toml:3:38",
            "behaviour.probe.mailbox.priority.Toal",
            "no message of behaviour `probe` is named `Toal`",
            "did you mean `Total`?",
        ],
    );
}

#[test]
fn everything_that_modules_cannot_do_is_told_at_once() {
    let ran = refused(
        "[behaviour.probe]\nmodule = \"{probe}\"\n[behaviour.echo]\nmodule = \"{stateless}\"\n\
         [[supervisor]]\nname = \"app\"\n[[supervisor.child]]\nname = \"a\"\nbehaviour = \"probe\"\n\
         args = { start = \"much\" }\nmailbox.priority = { Ehco = 1 }\n\
         [[pool]]\nname = \"echoes\"\nbehaviour = \"echo\"\non-crash = { panic = \"resume\" }\n",
    );
    assert_has(
        &ran.stderr,
        &[
            "3 faults",
            "/app/a: args do not fit behaviour `probe`",
            "supervisor[0].child[0].mailbox.priority.Ehco",
            "did you mean `Echo`?",
            "/echoes: on-crash = \"resume\" needs state that behaviour `echo` cannot save",
            "no_save",
        ],
    );
}

#[test]
fn trees_waits_and_dispatchers_are_checked_with_the_rest() {
    let ran = refused(
        "[behaviour.probe]\nmodule = \"{probe}\"\ndispatcher = \"slwo\"\n\
         [dispatchers]\nslow.threads = 1\n\
         [[supervisor]]\nname = \"a\"\n[[supervisor.child]]\nname = \"b\"\nsupervisor = \"b\"\n\
         [[supervisor]]\nname = \"b\"\nintensity = 3\n\
         [[supervisor.child]]\nname = \"a\"\nsupervisor = \"a\"\n\
         [[supervisor.child]]\nname = \"c\"\nbehaviour = \"probe\"\nargs = { start = 0 }\n\
         significant = true\nbackoff = { first = \"2s\", cap = \"1s\" }\n\
         mailbox = { overflow = \"unbounded\", capacity = 3 }\n",
    );
    assert_has(
        &ran.stderr,
        &[
            "actorhost.toml:3:14: behaviour.probe.dispatcher: no dispatcher of this name; did you mean \"slow\"?",
            "supervisors cannot be below each other in a ring: a → b → a",
            "supervisor[1].intensity: an intensity without a period",
            "a significant child of a supervisor that never shuts down by itself",
            "a significant child cannot be permanent",
            "the first wait, 2s, is longer than the longest, 1s",
            "a mailbox with `overflow = \"unbounded\"` has no capacity",
        ],
    );
}

/// A node of one probe on a data directory.
fn on(data_dir: &Path) -> String {
    let probe = child("behaviour = \"probe\"\nargs = { start = 4 }");
    format!("[node]\ndata-dir = \"{}\"\n{probe}", data_dir.display())
}

/// The command line against the node on `data_dir`.
fn ask_total(data_dir: &Path) -> Ran {
    let dir = data_dir.display().to_string();
    let args = ["ask", "/app/a", "Total", "--data-dir", &dir, "--json"];
    run(&std::env::temp_dir(), &args)
}

fn start_on(data_dir: &Path) -> Node {
    Node::start(&on(data_dir))
}

#[test]
fn a_data_directory_has_one_node_at_a_time() {
    let shared = tempfile::tempdir().expect("a temporary directory");
    let data_dir = shared.path().join("data");
    let mut first = start_on(&data_dir);
    let ran = refused(&on(&data_dir));
    assert_has(
        &ran.stderr,
        &[
            "in use by another node",
            &first.pid().to_string(),
            "--data-dir",
        ],
    );
    // The first did not notice.
    assert_eq!(ask_total(&data_dir).ok(), json!({"reply": {"Number": 4}}));

    // A node that was killed leaves its lock, its socket and no harm.
    first.signal("KILL");
    first.ended();
    assert!(data_dir.join("node.sock").exists());
    assert_eq!(ask_total(&data_dir).error(3)["code"], "not-reachable");
    let mut second = start_on(&data_dir);
    assert_eq!(ask_total(&data_dir).ok(), json!({"reply": {"Number": 4}}));
    second.signal("TERM");
    assert!(second.ended().success());
    assert!(!data_dir.join("node.sock").exists());
}

#[test]
fn a_socket_that_another_program_listens_on_is_left_to_it() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let socket = dir.path().join("node.sock");
    let other = UnixListener::bind(&socket).expect("the place is free");
    let ran = refused(&on(dir.path()));
    assert_has(&ran.stderr, &["node.sock", "in use"]);
    assert!(socket.exists());
    drop(other);
    let _node = start_on(dir.path());
}

#[test]
fn a_data_directory_that_cannot_be_written_is_refused() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("file");
    fs::write(&file, "").expect("it is writable");
    // A path below a file can be written by nobody, not even root.
    for data_dir in [&file, &file.join("below")] {
        let ran = refused(&on(data_dir));
        assert_has(&ran.stderr, &["file", "cannot be written", "--data-dir"]);
    }
    let read_only = dir.path().join("read-only");
    fs::create_dir(&read_only).expect("it is writable");
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o555)).expect("it is ours");
    // Root may write there all the same.
    if fs::write(read_only.join("x"), "").is_err() {
        let ran = refused(&on(&read_only));
        assert_has(
            &ran.stderr,
            &["read-only", "cannot be written", "--data-dir"],
        );
    }
}

#[test]
fn a_data_directory_may_have_a_long_path_and_is_nobody_elses() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let data_dir = dir.path().join("long".repeat(40));
    let _node = start_on(&data_dir);
    assert_eq!(ask_total(&data_dir).ok(), json!({"reply": {"Number": 4}}));
    for (file, mode) in [("", 0o700), ("node.sock", 0o600), ("lock", 0o600)] {
        let about = fs::metadata(data_dir.join(file)).expect("it is there");
        assert_eq!(about.permissions().mode() & 0o777, mode, "{file}");
    }
}
