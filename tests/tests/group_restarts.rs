//! Restarts of a whole group: when one of it does not come back, and when it was added
//! while the supervisor ran.

use actorhost_tests::Node;
use serde_json::json;

const AID: &str = r#"
[node]
threads = 2
log = "debug"
intensity = 0
period = "60s"

[behaviour.probe]
module = "{probe}"

[[supervisor]]
name = "aid"

[[supervisor.child]]
name = "counter"
behaviour = "probe"
args = { start = 100 }
"#;

/// A supervisor `/app` of these children, each with further arguments.
fn app(strategy: &str, children: &[(&str, &str)]) -> String {
    let mut text = format!(
        "{AID}\n[[supervisor]]\nname = \"app\"\nstrategy = \"{strategy}\"\nintensity = 3\n\
         period = \"1h\"\n"
    );
    for (name, args) in children {
        text += &format!(
            "[[supervisor.child]]\nname = \"{name}\"\nbehaviour = \"probe\"\n\
             args = {{ start = 0, announce = true{args} }}\n"
        );
    }
    text
}

/// Crashes `/app/c` of a group whose `b` then fails to start so many times.
fn crash_while_another_fails(lives: i64) -> Node {
    let fails = format!(
        ", fault = {{ FailFirst = {{ counter = \"/aid/counter\", lives = {lives}, by_panic = false }} }}"
    );
    let node = app("one-for-all", &[("a", ""), ("b", &fails), ("c", "")]);
    let node = Node::start(&node);
    let total = node.ask("/aid/counter", json!("Total"))["Number"].clone();
    let total = total.as_i64().expect("a number");
    node.ask("/aid/counter", json!({"Add": {"n": -total}}));
    let panic = json!({"Panic": {"text": "as told"}}).to_string();
    node.run(&["ask", "/app/c", &panic]);
    node
}

/// The children of `/app` whose lives began after the first crash, in order.
fn story(node: &Node) -> Vec<String> {
    let log = node.log();
    let from = log.find("crashed actor=/app/c ").expect("it crashed");
    let lines = log[from..].lines();
    let inits = lines.filter_map(|line| {
        let (_, at) = line.split_once("init actor=/app/")?;
        Some(at[..1].to_owned())
    });
    inits.collect()
}

#[test]
fn c09_one_for_all_where_another_child_fails_to_restart() {
    let node = crash_while_another_fails(2);
    node.until("the group is back", || {
        !node.log_lines(&["restarted actor=/app/c "]).is_empty()
    });
    // Each time all of it is begun anew, in order, as far as it gets.
    assert_eq!(
        story(&node),
        ["a", "b", "a", "b", "a", "b", "c"],
        "{}",
        node.log()
    );
    let failed = node.log_lines(&["crashed actor=/app/b ", "init-failed"]);
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert!(node.log_lines(&["supervisor failed"]).is_empty());
    for path in ["/app/a", "/app/b", "/app/c"] {
        assert_eq!(node.me(path)["turns_here"], 1, "{path}");
    }

    // Three restarts were allowed, of which it takes one more.
    let mut node = crash_while_another_fails(50);
    assert_eq!(node.ended().code(), Some(1), "{}", node.log());
    let failed = node.log_lines(&["supervisor failed supervisor=/app "]);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("more than 3 restarts"), "{failed:?}");
    assert_eq!(
        story(&node),
        ["a", "b", "a", "b", "a", "b"],
        "{}",
        node.log()
    );
}

#[test]
fn c18e_a_child_that_was_added_is_part_of_the_group() {
    for (strategy, restarted) in [
        ("one-for-all", ["/app/a", "/app/d", "/app/e"].as_slice()),
        ("rest-for-one", &["/app/d", "/app/e"]),
    ] {
        let node = Node::start(&app(strategy, &[("a", "")]));
        for id in ["d", "e"] {
            let args = ["child", "add", "/app", id, "--behaviour", "probe", "--args"];
            node.ok(&[&args[..], &["{\"start\": 0}"]].concat());
        }
        let paths = ["/app/a", "/app/d", "/app/e"];
        let before = paths.map(|path| {
            let text = format!("farewell of {path}.");
            node.ask(
                path,
                json!({"OnStop": {"farewell": {"Log": {"text": text}}}}),
            );
            (node.id(path), node.me(path)["token"].clone())
        });
        node.crash("/app/d");
        node.until("the last is restarted", || {
            !node.log_lines(&["restarted actor=/app/e "]).is_empty()
        });
        for (path, (id, token)) in paths.into_iter().zip(before) {
            let is_new = restarted.contains(&path);
            assert_eq!(node.id(path), id, "{strategy}: {path}");
            assert_eq!(
                node.me(path)["token"] != token,
                is_new,
                "{strategy}: {path}"
            );
        }
        // In reverse order of their start, and without the one that crashed.
        let farewells = node.log_lines(&["farewell of"]).into_iter();
        let farewells = farewells.map(|line| line.contains("/app/e"));
        let all = if strategy == "one-for-all" {
            &[true, false][..]
        } else {
            &[true]
        };
        assert_eq!(farewells.collect::<Vec<_>>(), all, "{strategy}");
        // A crash of one that was there before takes them along as well.
        node.crash("/app/a");
        node.until("the last is restarted", || {
            node.log_lines(&["restarted actor=/app/e "]).len() == 2
        });
        assert_eq!(node.ok(&["child", "count", "/app"])["active"], 3);
    }
}
