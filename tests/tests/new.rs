//! The README's five minutes, from nothing to an actor whose code is replaced, with
//! every command as it is typed there.

use actorhost_tests::{Shell, typed_lines, workspace};
use serde_json::{Value, json};
use std::{fs, os::unix::fs::symlink, path::Path};

/// What the reader is told to change.
const BEFORE: &str = "self.value += n;";
const AFTER: &str = "self.value += 2 * n;";

/// Compiled crates are kept from one run of this test to the next, where the crate's
/// own folder would have them.
fn keep_target(krate: &Path) {
    let kept = workspace().join("target/new-guest");
    fs::create_dir_all(&kept).expect("the target folder is writable");
    symlink(kept, krate.join("target")).expect("a new crate has no target folder");
}

fn change_the_code(krate: &Path, before: &str, after: &str) {
    let file = krate.join("src/lib.rs");
    let text = fs::read_to_string(&file).expect("a new crate has it");
    assert!(text.contains(before), "{text}");
    fs::write(&file, text.replace(before, after)).expect("it is writable");
}

fn count(reply: &str) -> Value {
    let reply: Value = serde_json::from_str(reply).unwrap_or_else(|_| panic!("JSON: {reply}"));
    reply["Count"]["value"].clone()
}

#[test]
fn the_five_minutes_of_the_readme_work_as_they_are_written() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let krate = dir.path().join("counter");
    let mut shell = Shell::new(dir.path());
    let readme = fs::read_to_string(workspace().join("README.md")).expect("it is there");
    let mut builds = 0;
    let mut swapped = false;
    let mut ran = Vec::new();
    for line in typed_lines(&readme, "## Five minutes to an actor of your own") {
        ran.push(line.clone());
        match line.as_str() {
            // The harness has built it and put it on the path.
            "cargo build --release -p actorhost" => continue,
            line if line.starts_with("export PATH=") => continue,
            "cd counter" => {
                shell.cd("counter");
                keep_target(&krate);
                continue;
            }
            "actorhost up" => {
                shell.up();
                assert_eq!(count(&shell.ok("actorhost ask /app/counter Get")), 0);
                continue;
            }
            "actorhost build" => {
                builds += 1;
                if builds == 2 {
                    assert_eq!(count(&shell.ok("actorhost ask /app/counter Get")), 2);
                    change_the_code(&krate, BEFORE, AFTER);
                }
            }
            _ => {}
        }
        let printed = shell.ok(&line);
        match line.as_str() {
            "cargo test" => assert!(printed.contains("2 passed"), "{printed}"),
            "actorhost ps" => {
                assert!(printed.contains("/app/counter"), "{printed}");
                assert!(printed.contains("/counters/mine"), "{printed}");
            }
            "actorhost ask /counters/mine Get" => assert_eq!(count(&printed), 0),
            line if line.starts_with("actorhost swap ") => {
                assert!(printed.contains("version 1") && printed.contains("version 2"));
                // Both actors: the state stays, the new code runs.
                assert_eq!(count(&shell.ok("actorhost ask /counters/mine Get")), 0);
                swapped = true;
            }
            "actorhost ask /app/counter Get" if swapped => {
                assert_eq!(count(&printed), 2);
                let add = "actorhost ask /app/counter '{\"Add\": {\"n\": 5}}'";
                assert_eq!(count(&shell.ok(add)), 12);
            }
            _ => {}
        }
    }
    assert!(builds == 2 && swapped, "{ran:#?}");
    let built: Value =
        serde_json::from_str(&shell.ok("actorhost build --json")).expect("JSON was asked for");
    let module = built["modules"][0].as_str().expect("a path");
    assert!(
        module.ends_with("wasm32-wasip2/release/counter.wasm"),
        "{built}"
    );
    assert_eq!(
        shell.run("actorhost ps").code,
        3,
        "the last line was `down`"
    );

    // What the crate's own README says works as well.
    let readme = fs::read_to_string(krate.join("README.md")).expect("a new crate has it");
    change_the_code(&krate, AFTER, BEFORE);
    let mut ran = 0;
    for line in typed_lines(&readme, "# counter") {
        if line.starts_with("actorhost up") {
            shell.up();
            continue;
        }
        if line.starts_with("actorhost swap") {
            change_the_code(&krate, BEFORE, AFTER);
            shell.ok("actorhost build");
        }
        shell.ok(&line);
        ran += 1;
    }
    assert!(ran >= 6, "{readme}");
    let add = "actorhost ask /app/counter '{\"Add\": {\"n\": 1}}'";
    assert_eq!(
        count(&shell.ok(add)),
        4,
        "2 from before the swap, and twice 1"
    );
    shell.ok("actorhost down");
}

#[test]
fn a_crate_is_made_where_there_is_none_and_by_a_good_name() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shell = Shell::new(dir.path());
    let made: Value = serde_json::from_str(&shell.ok("actorhost new guests/my-actor --json"))
        .expect("JSON was asked for");
    assert_eq!(made["name"], "my-actor");
    for file in made["files"].as_array().expect("a list") {
        let file = file.as_str().expect("a path");
        assert!(
            dir.path().join("guests/my-actor").join(file).is_file(),
            "{file}"
        );
    }
    let fails = |line: &str, code| {
        let ran = shell.run(&format!("actorhost new {line} --json"));
        ran.error(code)
    };
    assert_eq!(fails("guests/my-actor", 1)["code"], "exists");
    fs::write(dir.path().join("file"), "mine").expect("it is writable");
    assert_eq!(fails("file", 1)["code"], "exists");
    assert_eq!(
        fs::read_to_string(dir.path().join("file")).expect("it is there"),
        "mine"
    );
    for name in ["2fast", "'a b'", "fn", "ünter", "a.b"] {
        let error = fails(name, 2);
        assert_eq!(error["code"], "bad-name", "{name}: {error}");
        assert_ne!(error["help"], json!(null), "{name}");
    }
    let left: Vec<_> = fs::read_dir(dir.path()).expect("it is there").collect();
    assert_eq!(left.len(), 2, "only what was made: {left:?}");
    assert_eq!(fails("x --sdk no/such/folder", 2)["code"], "bad-sdk");
}

#[test]
fn what_cannot_be_built_is_said() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shell = Shell::new(dir.path());
    let error = shell.run("actorhost build --json").error(1);
    assert_eq!(error["code"], "no-crate", "{error}");
    let krate = dir.path().join("broken");
    fs::create_dir_all(krate.join("src")).expect("it is writable");
    let manifest = "[package]\nname = \"broken\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(krate.join("Cargo.toml"), manifest).expect("it is writable");
    fs::write(krate.join("src/lib.rs"), "fn broken( {}").expect("it is writable");
    let ran = shell.run("actorhost build broken");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("src/lib.rs:1"),
        "the compiler's words: {ran:?}"
    );
    assert!(
        ran.stderr.contains("`cargo build` failed in broken"),
        "{ran:?}"
    );
    // It compiles, but into nothing that can be deployed.
    fs::write(krate.join("src/lib.rs"), "").expect("it is writable");
    let error = shell.run("actorhost build broken --json 2>&1 >/dev/null | tail -n 1");
    assert!(error.stdout.contains("no-module"), "{error:?}");
    assert!(error.stdout.contains("cdylib"), "{error:?}");
}
