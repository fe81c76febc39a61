//! Asks, which always end, and watches, which are answered once.

use actorhost_tests::Node;
use actorhost_wire::api::AskRequest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MANIFEST: &str = r#"
[node]
threads = 2
dead-letters = 100

[behaviour.probe]
module = "{probe}"
mailbox = { capacity = 20000 }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"

[[pool]]
name = "mortals"
behaviour = "probe"
args = { start = 0 }
restart = "temporary"
"#;

/// An ask's timeout that no test waits for, and a time that it is well below.
const LONG_MS: u64 = 300_000;
const AT_ONCE: Duration = Duration::from_secs(60);

fn echo_of(to: u64, timeout_ms: u64) -> Value {
    json!({"AskThenReply": {"to": to, "text": "ahoy", "timeout_ms": timeout_ms}})
}

fn dead(node: &Node, reason: &str) -> u64 {
    let runtime = tokio::runtime::Runtime::new().expect("threads start");
    let info = runtime.block_on(node.client().node());
    let by_reason = info.expect("the node lives").dead_letters_by_reason;
    by_reason.get(reason).copied().unwrap_or(0)
}

#[test]
fn c40_an_ask_is_answered_or_times_out_and_a_late_reply_is_a_dead_letter() {
    let node = Node::start(MANIFEST);
    let a = node.spawn("probes", "a");
    node.spawn("probes", "asker");
    assert_eq!(
        node.ask("/probes/asker", echo_of(a, LONG_MS)),
        json!({"Text": "ahoy"})
    );

    node.occupy("/probes/a", 1_500);
    let add = json!({"Add": {"n": 7}}).to_string();
    let error = node.fails(&["ask", "/probes/a", &add, "--timeout", "20ms"], 1);
    assert_eq!(error["code"], "timeout", "{error}");
    let failed = node.ask("/probes/asker", echo_of(a, 20))["Failed"].clone();
    let cause = failed["cause"].as_str().expect("it fails");
    assert!(
        cause.contains("timeout") || cause.contains("in time"),
        "{cause}"
    );

    // Both were handled all the same.
    assert_eq!(node.ask("/probes/a", json!("Total"))["Number"], 7);
    assert_eq!(
        node.ask("/probes/a", json!("Seen"))["Texts"],
        json!(["ahoy", "ahoy"])
    );
    node.until("both replies are dead letters", || {
        dead(&node, "late-reply") == 2
    });
    let list = node.ok(&["dead-letters"]);
    let of_asker = &list["letters"][0];
    assert_eq!(of_asker["reason"], "late-reply");
    assert_eq!(of_asker["to"], "/probes/asker");
    assert_eq!(of_asker["sender"], "/probes/a");
    assert_eq!(of_asker["message"], json!({"Text": "ahoy"}));
}

const ASKS: u64 = 10_000;
const ASKERS: u64 = 50;

#[tokio::test]
async fn c40_of_many_asks_that_timed_out_nothing_is_kept() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    let client = std::sync::Arc::new(node.client());
    node.occupy("/probes/a", 3_000);
    let askers = (0..ASKERS).map(|_| {
        let client = client.clone();
        tokio::spawn(async move {
            let mut timeouts = 0;
            for _ in 0..ASKS / ASKERS {
                let ask = AskRequest {
                    to: "/probes/a".into(),
                    message: json!({"Add": {"n": 1}}),
                    timeout_ms: 1,
                };
                // Where the machine is slow, the last are answered.
                if let Err(error) = client.ask(&ask).await {
                    assert_eq!(error.code(), "timeout");
                    timeouts += 1;
                }
            }
            timeouts
        })
    });
    let mut timeouts = 0_u64;
    for asker in askers.collect::<Vec<_>>() {
        timeouts += asker.await.expect("each is answered or times out");
    }
    assert!(timeouts > 100, "{timeouts}");
    let total = node.ask("/probes/a", json!("Total"));
    assert_eq!(total["Number"], ASKS);
    let info = client.node().await.expect("the node lives");
    assert_eq!(info.dead_letters_by_reason["late-reply"], timeouts);
    let letters = client.dead_letters(Some(ASKS)).await.expect("it lives");
    assert_eq!(
        (letters.letters.len(), letters.dropped),
        (100, timeouts - 100)
    );
    assert_eq!(node.actor("/probes/a").expect("it lives")["queued"], 0);
}

#[test]
fn c41_an_ask_of_the_crashing_the_stopping_or_the_unknown_ends_at_once() {
    let node = Node::start(MANIFEST);
    let a = node.spawn("probes", "a");
    node.spawn("probes", "asker");
    let begun = Instant::now();
    let ask = |to: &str, message: Value| {
        node.fails(&["ask", to, &message.to_string(), "--timeout", "300s"], 1)
    };

    let crashed = ask("/probes/a", json!({"Panic": {"text": "storm"}}));
    assert_eq!(crashed["code"], "crashed", "{crashed}");
    let message = crashed["message"].as_str().expect("a text");
    assert!(message.contains("panic: storm"), "{message}");

    // One that waits in the mailbox when the actor stops, from outside and inside.
    node.occupy("/probes/a", 2_000);
    let (outside, inside) = std::thread::scope(|scope| {
        let outside = scope.spawn(|| ask("/probes/a", json!("Total")));
        let inside = scope.spawn(|| node.ask("/probes/asker", echo_of(a, LONG_MS)));
        node.until("both wait", || {
            node.actor("/probes/a").expect("it lives")["queued"] == 2
        });
        node.ok(&["stop", "/probes/a", "--mode", "now"]);
        (
            outside.join().expect("it ends"),
            inside.join().expect("it ends"),
        )
    });
    assert_eq!(outside["code"], "stopped", "{outside}");
    let cause = inside["Failed"]["cause"].as_str().expect("it fails");
    assert!(cause.contains("ended before it replied"), "{cause}");

    let gone = node.ask("/probes/asker", echo_of(a, LONG_MS));
    assert!(
        gone["Failed"]["cause"]
            .as_str()
            .is_some_and(|cause| cause.contains("ended before it replied"))
    );
    let nobody = node.ask("/probes/asker", echo_of(999_999, LONG_MS));
    let cause = nobody["Failed"]["cause"].as_str().expect("it fails");
    assert!(cause.contains("no actor"), "{cause}");
    assert_eq!(
        ask("/probes/nobody", json!("Total"))["code"],
        "no-such-actor"
    );
    assert!(begun.elapsed() < AT_ONCE);
}

#[test]
fn c41_an_ask_whose_handler_is_killed_ends_at_once() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    let spin = json!("Spin").to_string();
    let begun = Instant::now();
    let error = std::thread::scope(|scope| {
        let ask = scope.spawn(|| node.fails(&["ask", "/probes/a", &spin, "--timeout", "300s"], 1));
        node.until("it spins", || {
            node.actor("/probes/a").expect("it lives")["status"] == "running"
        });
        node.ok(&["kill", "/probes/a"]);
        ask.join().expect("it ends")
    });
    assert_eq!(error["code"], "stopped", "{error}");
    assert!(begun.elapsed() < AT_ONCE);
}

#[test]
fn c43_two_that_ask_each_other_both_get_an_answer() {
    let node = Node::start(MANIFEST);
    let (a, b) = (node.spawn("probes", "a"), node.spawn("probes", "b"));
    for path in ["/probes/a", "/probes/b"] {
        node.occupy(path, 1_000);
    }
    let ask = |path, to| node.ask(path, echo_of(to, 500));
    let (of_a, of_b) = std::thread::scope(|scope| {
        let of_a = scope.spawn(|| ask("/probes/a", b));
        let of_b = scope.spawn(|| ask("/probes/b", a));
        (of_a.join().expect("it ends"), of_b.join().expect("it ends"))
    });
    let failed = [of_a, of_b].iter().any(|reply| reply["Failed"].is_object());
    assert!(failed, "at least one of them waited for itself");
    // An actor that asks itself is told so at once.
    let itself = node.ask("/probes/a", echo_of(a, LONG_MS));
    let cause = itself["Failed"]["cause"].as_str().expect("it fails");
    assert!(cause.contains("wait for each other"), "{cause}");
}

fn downs(node: &Node, watcher: &str) -> Vec<Value> {
    let downs = node.ask(watcher, json!("Downs"));
    downs["Downs"].as_array().expect("a list").clone()
}

fn reasons(node: &Node, watcher: &str, count: usize) -> Vec<String> {
    node.until("the watcher hears", || downs(node, watcher).len() >= count);
    let downs = downs(node, watcher);
    let reasons = downs.iter().map(|down| down["reason"].as_str());
    reasons
        .map(|reason| reason.expect("a text").to_owned())
        .collect()
}

#[test]
fn c44_a_watch_is_answered_exactly_once_with_the_reason() {
    let node = Node::start(MANIFEST);
    let watcher = "/probes/watcher";
    node.spawn("probes", "watcher");
    let watch = |verb: &str, id: u64| node.ask(watcher, json!({verb: {"target": id}}));

    // Each way to end, watched twice.
    let ends: [(&str, Value); 4] = [
        ("by-itself", json!("StopSelf")),
        ("crashed", json!({"Panic": {"text": "storm"}})),
        ("stopped", Value::Null),
        ("killed", Value::Null),
    ];
    let mut ids = Vec::new();
    for (end, message) in &ends {
        let id = node.spawn("mortals", end);
        let path = format!("/mortals/{end}");
        watch("Watch", id);
        watch("Watch", id);
        match *end {
            "stopped" => drop(node.ok(&["stop", &path])),
            "killed" => drop(node.ok(&["kill", &path])),
            _ => node.tell(&path, message.clone()),
        }
        ids.push(id);
        reasons(&node, watcher, ids.len());
    }
    // The dead, and one that never was.
    for id in [ids[0], 999_999] {
        watch("Watch", id);
        ids.push(id);
        reasons(&node, watcher, ids.len());
    }
    // Unwatched before its end.
    let unwatched = node.spawn("mortals", "unwatched");
    watch("Watch", unwatched);
    watch("Unwatch", unwatched);
    node.ok(&["stop", "/mortals/unwatched"]);

    let heard = reasons(&node, watcher, ids.len());
    let expected = ["normal", "panic: storm", "shutdown", "killed"];
    assert_eq!(heard.len(), ids.len(), "{heard:?}");
    for (heard, expected) in heard.iter().zip(expected) {
        assert!(heard.contains(expected), "{expected}: {heard}");
    }
    for heard in &heard[4..] {
        assert_eq!(heard, "no such actor");
    }
    let of: Vec<Value> = downs(&node, watcher)
        .iter()
        .map(|down| down["id"].clone())
        .collect();
    assert_eq!(json!(of), json!(ids));
}

#[test]
fn c44_a_watchers_own_restart_drops_its_watches_unless_it_makes_them_again() {
    let node = Node::start(MANIFEST);
    let target = node.spawn("mortals", "target");
    node.spawn("probes", "forgets");
    node.ask("/probes/forgets", json!({"Watch": {"target": target}}));
    let args = json!({"start": 0, "watch": target}).to_string();
    node.ok(&[
        "spawn",
        "--pool",
        "probes",
        "--name",
        "remembers",
        "--args",
        &args,
    ]);
    for watcher in ["/probes/forgets", "/probes/remembers"] {
        node.ask_fails(watcher, json!({"Panic": {"text": "storm"}}));
        // The new life is there.
        assert!(downs(&node, watcher).is_empty());
    }
    node.ok(&["stop", "/mortals/target"]);
    assert_eq!(reasons(&node, "/probes/remembers", 1).len(), 1);
    assert!(downs(&node, "/probes/forgets").is_empty());
}

#[test]
fn c44_a_restart_is_no_end() {
    let node = Node::start(MANIFEST);
    let target = node.spawn("probes", "target");
    node.spawn("probes", "watcher");
    node.ask("/probes/watcher", json!({"Watch": {"target": target}}));
    for _ in 0..3 {
        node.ask_fails("/probes/target", json!({"Panic": {"text": "storm"}}));
    }
    node.ask("/probes/target", json!("Total"));
    assert!(downs(&node, "/probes/watcher").is_empty());
    node.ok(&["stop", "/probes/target"]);
    assert_eq!(reasons(&node, "/probes/watcher", 1).len(), 1);
}

#[test]
fn an_ordered_end_of_a_life_answers_the_questions_that_it_kept_truly() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "keeper");
    node.ask("/probes/keeper", json!({"KeepQuestions": {"on": true}}));
    let error = std::thread::scope(|scope| {
        let record = json!({"Record": {"text": "kept"}});
        let asking = scope.spawn(|| node.ask_fails("/probes/keeper", record));
        node.until("it has the question", || {
            node.actor("/probes/keeper").expect("it lives")["handled"] == 2
        });
        node.ok(&["restart", "/probes/keeper"]);
        asking.join().expect("it is answered")
    });
    assert_eq!(error["code"], "stopped", "{error}");
    let said = error["message"].as_str().expect("a text");
    assert!(said.contains("did not reply before its end"), "{said}");
    assert_eq!(node.ask("/probes/keeper", json!("Total"))["Number"], 0);
}
