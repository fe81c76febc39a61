//! Dead letters are looked at, sent again and thrown away.

use actorhost_tests::Node;
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"

[behaviour.small]
module = "{probe}"
mailbox = { capacity = 1 }

[[pool]]
name = "small"
behaviour = "small"
args = { start = 0 }

[behaviour.stateless]
module = "{stateless}"

[[pool]]
name = "others"
behaviour = "stateless"
intensity = 100
period = "5s"
"#;

fn echo(text: &str) -> Value {
    json!({"Echo": {"text": text}})
}

fn panics() -> Value {
    json!({"Panic": {"text": "storm"}})
}

/// A message to a stopped probe, which becomes a dead letter; its number.
fn lost(node: &Node, to: &str, message: &Value) -> u64 {
    let error = node.fails(&["tell", to, &message.to_string()], 1);
    assert_eq!(error["code"], "stopped", "{error}");
    newest(node)["id"].as_u64().expect("a number")
}

fn newest(node: &Node) -> Value {
    node.ok(&["dead-letters", "list", "--limit", "1"])["letters"][0].clone()
}

fn ids(list: &Value) -> Vec<u64> {
    let letters = list["letters"].as_array().expect("a list").iter();
    letters
        .map(|letter| letter["id"].as_u64().expect("a number"))
        .collect()
}

/// Runs a verb of dead letters that refuses some: exit 1, and the reply all the same.
fn refused(node: &Node, args: &[&str]) -> Value {
    let ran = node.run(&[&["dead-letters"], args, &["--json"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    ran.json()
}

fn stopped(node: &Node, name: &str) -> u64 {
    let id = node.spawn("probes", name);
    node.ok(&["stop", &format!("/probes/{name}")]);
    id
}

#[test]
fn letters_are_listed_by_filters_and_shown_one_by_one() {
    let node = Node::start(MANIFEST);
    let a = stopped(&node, "a");
    stopped(&node, "b");
    node.spawn("probes", "c");
    let first = lost(&node, "/probes/a", &echo("one"));
    let second = lost(&node, "/probes/b", &echo("two"));
    node.ask_fails("/probes/c", panics());
    let third = newest(&node)["id"].as_u64().expect("a number");

    let list = |args: &[&str]| node.ok(&[&["dead-letters", "list"], args].concat());
    assert_eq!(ids(&list(&[])), [third, second, first]);
    assert_eq!(ids(&node.ok(&["dead-letters"])), [third, second, first]);
    assert_eq!(ids(&list(&["--reason", "crashed"])), [third]);
    assert_eq!(ids(&list(&["--to", "/probes/a"])), [first]);
    assert_eq!(ids(&list(&["--to", &a.to_string()])), [first]);
    assert_eq!(ids(&list(&["--to", "/probes/*"])), [third, second, first]);
    assert!(ids(&list(&["--to", "/probes"])).is_empty());
    assert_eq!(
        ids(&list(&["--since", "1h", "--reason", "stopped"])),
        [second, first]
    );
    assert!(ids(&list(&["--since", "0s"])).is_empty());
    let cut = list(&["--reason", "stopped", "--limit", "1"]);
    assert_eq!((ids(&cut), &cut["selected"]), (vec![second], &json!(2)));

    let shown = node.ok(&["dead-letters", "show", &third.to_string()]);
    assert_eq!(shown["message"], panics());
    assert_eq!(shown["variant"], "Panic");
    assert_eq!(
        (&shown["crashes"], &shown["reason"]),
        (&json!(1), &json!("crashed"))
    );
    let text = node
        .run(&["dead-letters", "show", &third.to_string()])
        .stdout;
    for word in [
        "crashed",
        "/probes/c",
        "probe v1",
        "outside",
        "panic: storm",
        "\"text\": \"storm\"",
    ] {
        assert!(text.contains(word), "{word} is not in {text}");
    }
    let second = second.to_string();
    // Bytes that are no message of the behaviour.
    node.spawn("others", "x");
    let total = lost(&node, "/probes/a", &json!("Total")).to_string();
    let sent = node.ok(&["dead-letters", "redrive", &total, "--to-actor", "/others/x"]);
    assert_eq!(sent["sent"][0]["found_by"], "name", "{sent}");
    node.until("it is not understood", || {
        newest(&node)["to"] == "/others/x"
    });
    let letter = newest(&node);
    assert_eq!(
        (&letter["message"], &letter["hex"]),
        (&Value::Null, &json!("02"))
    );

    for (args, code, word) in [
        (&["show", "999"][..], 1, "not-kept"),
        (&["show", "x"], 2, "usage"),
        (&["list", "--reason", "crash"], 2, "usage"),
        (&["redrive"], 2, "usage"),
        (&["purge"], 2, "usage"),
        (&["purge", "1", "--all"], 2, "usage"),
        (&["redrive", "--all", "--reason", "full"], 2, "usage"),
        (
            &["redrive", &second, "--to-actor", "/nobody"],
            1,
            "no-such-actor",
        ),
    ] {
        let error = node.fails(&[&["dead-letters"], args].concat(), code);
        assert_eq!(error["code"], word, "{args:?}: {error}");
    }
    let empty = Node::dir(MANIFEST);
    for verb in [
        &["list"][..],
        &["show", "1"],
        &["redrive", "1"],
        &["purge", "--all"],
    ] {
        let ran = actorhost_tests::run(empty.path(), &[&["dead-letters"], verb].concat());
        assert_eq!(ran.code, 3, "{ran:?}");
    }
}

#[test]
fn letters_are_sent_again_to_the_living_of_the_same_path_with_their_sender() {
    let node = Node::start(MANIFEST);
    let old = stopped(&node, "a");
    let sender = node.spawn("probes", "sender");
    let tell = json!({"Tell": {"to": old, "text": "ahoy", "times": 3}});
    assert_eq!(node.ask("/probes/sender", tell)["Told"]["refused"], 3);
    // Nobody has the path yet: each is refused, and stays as it was.
    let reply = refused(&node, &["redrive", "--to", "/probes/a"]);
    assert_eq!(reply["sent"], json!([]));
    let codes: Vec<_> = reply["refused"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    assert_eq!(codes.len(), 3);
    assert!(
        codes.iter().all(|one| one["code"] == "no-such-actor"),
        "{reply}"
    );
    let list = node.ok(&["dead-letters", "list"]);
    assert_eq!((&list["total"], &list["kept"]), (&json!(3), &json!(3)));
    assert_eq!(list["letters"][0]["sender_id"], sender);

    let heir = node.spawn("probes", "a");
    let reply = node.ok(&["dead-letters", "redrive", "--to", "/probes/a"]);
    let sent = reply["sent"].as_array().expect("a list");
    assert_eq!(sent.len(), 3);
    for (letter, id) in sent.iter().zip(1..) {
        let expected = json!({"id": id, "to": "/probes/a", "to_id": heir, "found_by": "path"});
        assert_eq!(letter, &expected);
    }
    assert_eq!(
        node.ask("/probes/a", json!("Seen"))["Texts"],
        json!(["ahoy", "ahoy", "ahoy"])
    );
    let list = node.ok(&["dead-letters", "list"]);
    assert_eq!((&list["kept"], &list["removed"]), (&json!(0), &json!(3)));
    let reply = refused(&node, &["redrive", "1"]);
    assert_eq!(reply["refused"][0]["code"], "not-kept");
}

#[test]
fn a_full_mailbox_refuses_letters_line_by_line_and_they_stay() {
    let node = Node::start(MANIFEST);
    stopped(&node, "a");
    let first = lost(&node, "/probes/a", &echo("one"));
    lost(&node, "/probes/a", &echo("two"));
    node.spawn("small", "s");
    node.occupy("/small/s", 3_000);
    let ran = node.run(&["dead-letters", "redrive", "--all", "--to-actor", "/small/s"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{ran:?}");
    assert!(
        lines[0].starts_with(&format!("{first} sent to /small/s")),
        "{ran:?}"
    );
    assert!(lines[1].contains("not sent, full: "), "{ran:?}");
    assert_eq!(lines[2], "1 dead letter sent again, 1 other not");
    assert_eq!(node.ok(&["dead-letters", "list"])["kept"], 1);
    node.until("there is room", || {
        node.actor("/small/s").expect("it lives")["queued"] == 0
    });
    node.ok(&["dead-letters", "redrive", "--all", "--to-actor", "/small/s"]);
    node.until("both were handled", || {
        node.actor("/small/s").expect("it lives")["queued"] == 0
    });
    assert_eq!(
        node.ask("/small/s", json!("Seen"))["Texts"],
        json!(["one", "two"])
    );
}

#[test]
fn a_late_reply_cannot_be_sent_again() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node.occupy("/probes/a", 1_000);
    let total = json!("Total").to_string();
    node.fails(&["ask", "/probes/a", &total, "--timeout", "20ms"], 1);
    node.until("the reply is a dead letter", || {
        newest(&node)["reason"] == "late-reply"
    });
    for args in [&["redrive", "--all"][..], &["redrive", "1", "--force"]] {
        let reply = refused(&node, args);
        assert_eq!(reply["refused"][0]["code"], "late-reply");
        let said = reply["refused"][0]["message"].as_str().expect("a text");
        assert!(said.contains("asker no longer waits"), "{said}");
    }
    assert_eq!(newest(&node)["message"], json!({"Number": 0}));
}

#[test]
fn letters_are_thrown_away_by_number_by_filter_or_all() {
    let node = Node::start(MANIFEST);
    for name in ["a", "b"] {
        stopped(&node, name);
        for text in ["one", "two"] {
            lost(&node, &format!("/probes/{name}"), &echo(text));
        }
    }
    let purged = node.ok(&["dead-letters", "purge", "1"]);
    assert_eq!(purged, json!({"purged": 1, "not_kept": []}));
    let purged = refused(&node, &["purge", "1", "2"]);
    assert_eq!(purged, json!({"purged": 1, "not_kept": [1]}));
    let purged = node.ok(&["dead-letters", "purge", "--to", "/probes/a"]);
    assert_eq!(purged["purged"], 0);
    let said = node.run(&["dead-letters", "purge", "--all"]).stdout;
    assert_eq!(said.trim(), "2 dead letters thrown away");
    let list = node.ok(&["dead-letters", "list"]);
    assert_eq!((&list["total"], &list["kept"]), (&json!(4), &json!(0)));
    assert_eq!((&list["removed"], &list["dropped"]), (&json!(4), &json!(0)));
}

#[test]
fn c18f_a_letter_that_crashed_three_lives_is_poison_and_the_actor_goes_on() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    node.tell("/probes/a", panics());
    for crashes in 1..=2 {
        node.until("it has crashed", || newest(&node)["crashes"] == crashes);
        let letter = newest(&node);
        assert_eq!(letter["reason"], "crashed");
        let sent = node.ok(&["dead-letters", "redrive", &letter["id"].to_string()]);
        assert_eq!(sent["sent"][0]["found_by"], "address");
    }
    node.until("it is poison", || newest(&node)["reason"] == "poison");
    let letter = newest(&node);
    assert_eq!(letter["crashes"], 3);
    let id = letter["id"].to_string();
    let reply = refused(&node, &["redrive", &id]);
    assert_eq!(reply["refused"][0]["code"], "poison");
    assert_eq!(node.ask("/probes/a", json!({"Add": {"n": 7}}))["Number"], 7);
    assert_eq!(node.actor("/probes/a").expect("it lives")["restarts"], 3);

    node.ok(&["dead-letters", "redrive", &id, "--force"]);
    node.until("it has crashed again", || newest(&node)["crashes"] == 4);
    assert_eq!(newest(&node)["reason"], "poison");
    assert_eq!(node.ok(&["dead-letters", "list"])["kept"], 1);
}
