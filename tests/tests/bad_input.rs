//! Input that is wrong is told where and how, and nothing is lost by it.

use actorhost_tests::{Node, Ran};
use serde_json::{Value, json};
use std::fs::{self, File};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
message-size = "4KiB"

[[supervisor]]
name = "app"

[[supervisor.child]]
name = "a"
behaviour = "probe"
args = { start = 5 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
"#;

#[track_caller]
fn assert_has(error: &Value, words: &[&str]) {
    let text = error.to_string().replace("\\\"", "\"");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in {text}");
    }
}

#[test]
fn text_that_is_no_json_is_shown_where_it_breaks() {
    let node = Node::start(MANIFEST);
    for verb in ["ask", "tell"] {
        let error = node.fails(&[verb, "/app/a", "{\"Add\": {\"n\" 1}}"], 2);
        assert_eq!(error["code"], "bad-json", "{error}");
        assert_has(&error, &["expected `:`", "line 1 column 14", "^"]);
    }
    let error = node.fails(&["ask", "/app/a", "two words"], 2);
    assert_has(&error, &["is not JSON", "single quotes"]);
    let error = node.fails(&["ask", "/app/a", ""], 2);
    assert_eq!(error["code"], "bad-json", "{error}");
    let error = node.fails(&["spawn", "--pool", "probes", "--args", "{start: 1}"], 2);
    assert_eq!(error["code"], "bad-json", "{error}");
    fs::write(node.path().join("m.json"), "{\"Add\":\n {\"n\": }}").expect("it is writable");
    let error = node.fails(&["ask", "/app/a", "@m.json"], 2);
    assert_has(&error, &["m.json", "line 2 column 8"]);
}

#[test]
fn a_file_without_an_end_is_read_no_further_than_a_request_goes() {
    let node = Node::start(MANIFEST);
    for (args, words) in [
        (
            &["ask", "/app/a", "@/dev/zero"][..],
            "it has more than 16777216 bytes",
        ),
        (
            &["tell", "/app/a", "@/dev/zero"],
            "it has more than 16777216 bytes",
        ),
        (&["inspect", "/dev/zero"], "it has more than 67108864 bytes"),
        (
            &["swap", "probe", "/dev/zero"],
            "it has more than 67108864 bytes",
        ),
        (
            &["up", "--manifest", "/dev/zero"],
            "it has more than 4194304 bytes",
        ),
        (
            &["ps", "--manifest", "/dev/zero"],
            "it has more than 4194304 bytes",
        ),
    ] {
        assert_has(&node.fails(args, 1), &["/dev/zero", words]);
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_has(&node.fails(&["ask", "/app/a", &deep], 2), &["127 levels"]);
}

#[test]
fn json_that_does_not_fit_the_schema_is_told_with_its_path() {
    let node = Node::start(MANIFEST);
    for (message, words) in [
        (
            "Totl",
            &["$: no variant `Totl`", "did you mean `Total`?"][..],
        ),
        (
            "{\"Ad\": {\"n\": 1}}",
            &["no variant `Ad`", "did you mean `Add`?", "`Echo`"],
        ),
        ("{\"Add\": {\"m\": 1}}", &["$.Add", "`m`"]),
        ("{\"Add\": {}}", &["$.Add: missing field `n`"]),
        ("{\"Add\": {\"n\": \"x\"}}", &["$.Add.n: expected"]),
        ("{\"Add\": {\"n\": 1.5}}", &["$.Add.n", "1.5"]),
        (
            "{\"Note\": {\"from\": -1, \"seq\": 1}}",
            &["$.Note.from: -1 is out of range for u32"],
        ),
        (
            "{\"OnStop\": {\"farewell\": {\"Slep\": {\"ms\": 1}}}}",
            &["$.OnStop.farewell", "did you mean `Sleep`?"],
        ),
        ("Add", &["$", "Add"]),
        ("{\"Total\": {\"n\": 1}}", &["$.Total"]),
        ("[1]", &["$: expected"]),
        ("null", &["$: expected"]),
    ] {
        for verb in ["ask", "tell"] {
            let error = node.fails(&[verb, "/app/a", message], 1);
            assert_eq!(error["code"], "bad-message", "{message}: {error}");
            assert_has(&error, &[&["/app/a"], words].concat());
        }
    }
    for (args, words) in [
        ("{\"strat\": 1}", &["strat", "did you mean `start`?"][..]),
        ("{\"start\": true}", &["$.start"]),
        (
            "{\"start\": 0, \"fault\": \"Panik\"}",
            &["$.fault", "did you mean `Panic`?"],
        ),
        ("{}", &["missing field `start`"]),
    ] {
        let error = node.fails(&["spawn", "--pool", "probes", "--args", args], 1);
        assert_eq!(error["code"], "bad-message", "{args}: {error}");
        assert_has(&error, words);
    }
    let error = node.fails(&["spawn", "--behaviour", "probe", "--name", "b"], 1);
    assert_eq!(error["code"], "bad-message", "it has arguments: {error}");

    // Nothing of it reached an actor.
    let a = node.actor("/app/a").expect("it lives");
    assert_eq!((&a["handled"], &a["restarts"]), (&json!(0), &json!(0)));
    assert_eq!(node.ok(&["ps"])["total"], 1);
}

#[test]
fn what_is_too_large_is_refused_with_the_limit() {
    let node = Node::start(MANIFEST);
    let text = |bytes: usize| json!({"Echo": {"text": "x".repeat(bytes)}}).to_string();
    node.ok(&["tell", "/app/a", &text(4_000)]);
    for verb in ["ask", "tell"] {
        let error = node.fails(&[verb, "/app/a", &text(5_000)], 1);
        assert_eq!(error["code"], "too-large", "{error}");
        assert_has(&error, &["/app/a", "4096 bytes", "message-size"]);
    }
    // Larger than any request.
    let file = node.path().join("large.json");
    fs::write(&file, text(17 << 20)).expect("it is writable");
    let error = node.fails(&["tell", "/app/a", "@large.json"], 1);
    assert!(error["message"].is_string(), "{error}");
    let module = node.path().join("large.wasm");
    let large = File::create(&module).and_then(|file| file.set_len(65 << 20));
    large.expect("a sparse file takes no room");
    let error = node.fails(&["deploy", "b", &module.display().to_string()], 1);
    assert_eq!(error["code"], "module-too-large", "{error}");
    assert_has(&error, &["large.wasm", "67108864"]);

    assert_eq!(node.ask("/app/a", json!("Total")), json!({"Number": 5}));
    assert_eq!(node.actor("/app/a").expect("it lives")["restarts"], 0);
}

/// Feeds a file of this name and content to the probes.
fn feed(node: &Node, file: &str, content: impl AsRef<[u8]>, more: &[&str]) -> Ran {
    fs::write(node.path().join(file), content).expect("it is writable");
    let args = ["feed", file, "--pool", "probes", "--key", "key", "--json"];
    node.run(&[&args, more].concat())
}

/// The summary and the error of a feed that ended early.
#[track_caller]
fn stopped(ran: Ran) -> (Value, Value) {
    (ran.json(), ran.error(1))
}

const NOTE: [&str; 2] = ["--message", "Note"];

fn notes(node: &Node, name: &str) -> Value {
    node.ask(&format!("/probes/{name}"), json!("Report"))["Report"].clone()
}

#[test]
fn a_feed_keeps_the_order_of_each_key_and_counts_rows_without_one() {
    let node = Node::start(MANIFEST);
    let mut rows = String::from("seq,key,from,comment\n");
    for seq in 1..=1_000 {
        for key in ["a", "b", "NA", ""] {
            rows += &format!("{seq},{key},3,\"one, two\"\n");
        }
    }
    let summary = feed(
        &node,
        "rows.csv",
        &rows,
        &[NOTE.as_slice(), &["--batch", "300"]].concat(),
    )
    .ok();
    assert_eq!(summary["rows"], 4_000);
    assert_eq!(summary["accepted"], 2_000);
    assert_eq!(summary["rejected"], 2_000);
    assert_eq!(summary["rejected_by_reason"], json!({"no-key": 2_000}));
    assert_eq!(summary["rejections"][0]["row"], 3);
    assert_eq!(summary["spawned"], 2);
    assert_eq!(summary["bytes_read"], rows.len());
    assert!(summary["elapsed_ms"].is_u64() && summary["rows_per_second"].is_number());
    for key in ["a", "b"] {
        let whole = json!([{"from": 3, "count": 1_000, "last_seq": 1_000, "out_of_order": 0}]);
        assert_eq!(notes(&node, key), whole);
    }
    // As text, for people.
    let args = [
        "feed",
        "rows.csv",
        "--pool",
        "probes",
        "--key",
        "key",
        "--message",
        "Note",
    ];
    let shown = node.run(&args);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(shown.stdout.contains("no-key: 2,000"), "{shown:?}");
}

#[test]
fn a_csv_row_that_is_wrong_is_named_by_its_number() {
    let node = Node::start(MANIFEST);
    let rows = "key,from,seq\na,1,1\na,1\na,1,2\n";
    let (summary, error) = stopped(feed(&node, "rows.csv", rows, &NOTE));
    assert_has(
        &error,
        &["rows.csv row 2", "only 2 of 3 columns", "--on-error skip"],
    );
    assert_eq!(
        (&summary["accepted"], &summary["rejected"]),
        (&json!(1), &json!(1))
    );
    let skip = [NOTE.as_slice(), &["--on-error", "skip"]].concat();
    let summary = feed(&node, "rows.csv", rows, &skip).ok();
    assert_eq!(
        (&summary["accepted"], &summary["rejected"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(summary["rejections"][0]["row"], 2);

    let (_, error) = stopped(feed(
        &node,
        "rows.csv",
        "key,from,seq\nb,1,1\nb,1,x\n",
        &NOTE,
    ));
    assert_has(&error, &["rows.csv row 2", "seq", "x"]);
    let (_, error) = stopped(feed(&node, "rows.csv", "key,from,sequ\nb,1,1\n", &NOTE));
    assert_has(
        &error,
        &["row 1", "missing column `seq`", "did you mean `sequ`?"],
    );
    let (_, error) = stopped(feed(&node, "rows.csv", "key,from,seq\na/b,1,1\n", &NOTE));
    assert_eq!(error["code"], "bad-name", "{error}");
    assert_has(&error, &["row 1"]);
    let large = format!("key,text\nb,{}\n", "x".repeat(5_000));
    let (_, error) = stopped(feed(&node, "rows.csv", large, &["--message", "Echo"]));
    assert_eq!(error["code"], "too-large", "{error}");
    assert_has(&error, &["row 1", "4096"]);
}

#[test]
fn a_source_that_is_wrong_as_a_whole_is_told_so() {
    let node = Node::start(MANIFEST);
    let (_, error) = stopped(feed(&node, "rows.csv", "kay,from,seq\na,1,1\n", &NOTE));
    assert_has(&error, &["no column `key`", "kay, from, seq"]);
    let (_, error) = stopped(feed(&node, "rows.csv", "", &NOTE));
    assert_has(&error, &["rows.csv", "empty"]);
    let (_, error) = stopped(feed(&node, "rows.csv", b"\xff\xfe\x00,\n1,2\n", &NOTE));
    assert_has(&error, &["UTF-8"]);
    let (_, error) = stopped(feed(&node, "rows.csv", "key,key\n", &NOTE));
    assert_has(&error, &["`key` twice"]);
    let good = "key,from,seq\na,1,1\n";
    let (_, error) = stopped(feed(&node, "rows.csv", good, &["--message", "Nte"]));
    assert_has(&error, &["no variant `Nte`", "did you mean `Note`?"]);
    let args = ["feed", "rows.csv", "--pool", "probs", "--key", "key"];
    let ran = node.run(&[&args[..], &["--json"]].concat());
    assert_has(&ran.error(1), &["unknown-pool", "did you mean `probes`?"]);
    assert_eq!(node.ok(&["ps"])["total"], 1, "nobody was spawned");
}

#[test]
fn lines_of_json_are_messages() {
    let node = Node::start(MANIFEST);
    let rows =
        "{\"key\": \"a\", \"from\": 1, \"seq\": 1}\n\n{\"key\": 7, \"from\": 1, \"seq\": 1}\n";
    let summary = feed(&node, "rows.ndjson", rows, &NOTE).ok();
    assert_eq!(
        (&summary["accepted"], &summary["spawned"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(notes(&node, "7").as_array().map(Vec::len), Some(1));

    // Without a variant a row is the message, and the key lies within it.
    fs::write(
        node.path().join("own.ndjson"),
        "{\"Echo\": {\"text\": \"a\"}}\n",
    )
    .expect("it is writable");
    node.ok(&[
        "feed",
        "own.ndjson",
        "--pool",
        "probes",
        "--key",
        "Echo.text",
    ]);
    assert_eq!(
        node.ask("/probes/a", json!("Seen")),
        json!({"Texts": ["a"]})
    );

    let rows = "{\"key\": \"a\", \"from\": 1, \"seq\": 2}\n{\"key\": \"a\"\n";
    let (summary, error) = stopped(feed(&node, "rows.ndjson", rows, &NOTE));
    assert_eq!(error["code"], "bad-json", "{error}");
    assert_has(&error, &["rows.ndjson row 2", "column"]);
    assert_eq!(summary["accepted"], 1);
    let (_, error) = stopped(feed(&node, "rows.ndjson", "{\"key\": []}\n", &NOTE));
    assert_eq!(error["code"], "bad-key", "{error}");
}
