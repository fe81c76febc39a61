//! Timers of real guests: when they are due, what takes them back, what they outlive.

use actorhost::client::Client;
use actorhost_tests::{Node, guest};
use actorhost_wire::api::{AskRequest, FeedRequest, FeedRow};
use serde_json::{Value, json};
use std::{thread, time::Duration};

const POOL: &str = r#"
[behaviour.probe]
module = "{probe}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 100
period = "5s"

[behaviour.crowd]
module = "{probe}"

[[pool]]
name = "crowd"
behaviour = "crowd"
args = { start = 0 }
"#;

const A: &str = "/probes/a";

fn start(node: &str) -> Node {
    let node = Node::start(&format!("[node]\nthreads = 2\n{node}\n{POOL}"));
    node.spawn("probes", "a");
    node
}

/// Sets a timer; its number.
#[track_caller]
fn set(node: &Node, key: Option<&str>, after_ms: u64, every_ms: Option<u64>, text: &str) -> Value {
    let timer = json!({"key": key, "after_ms": after_ms, "every_ms": every_ms, "text": text});
    let reply = node.ask(A, json!({"SetTimer": timer}));
    assert!(reply["Timer"].is_object(), "{reply}");
    reply["Timer"]["id"].clone()
}

/// How often a text was recorded.
fn count(node: &Node, text: &str) -> usize {
    let reply = node.ask(A, json!("Events"));
    let events = reply["Events"].as_array().expect("a list").iter();
    events
        .filter(|event| event["Record"]["text"] == text)
        .count()
}

/// Lets the time of every timer that was taken back pass.
fn pass(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

/// Puts the probe to sleep, for want of room.
fn put_to_sleep(node: &Node) {
    node.until("it sleeps", || {
        for n in 0..6 {
            let path = format!("/crowd/p{n}");
            if node.actor(&path).is_none() {
                node.spawn("crowd", &format!("p{n}"));
            }
            node.tell(&path, json!({"Add": {"n": 1}}));
        }
        node.actor(A).expect("it lives")["status"] == "asleep"
    });
}

#[test]
fn c52_once_means_once_and_not_before_its_time() {
    let node = start("");
    let begun = std::time::Instant::now();
    set(&node, None, 1_000, None, "once");
    while count(&node, "once") == 0 {
        pass(10);
    }
    assert!(begun.elapsed() >= Duration::from_secs(1));
    pass(1_500);
    assert_eq!(count(&node, "once"), 1);
}

#[test]
fn c52_a_periodic_timer_neither_drifts_nor_piles_up_behind_a_slow_handler() {
    let node = start("");
    let begun = std::time::Instant::now();
    set(&node, Some("tick"), 100, Some(100), "tick");
    node.until("it has ticked", || count(&node, "tick") >= 40);
    let ticks = count(&node, "tick");
    // However late each was handled, there was one in each period: a timer that drifts
    // by the handling's time falls behind, one that makes up for it runs ahead.
    let periods = usize::try_from(begun.elapsed().as_millis() / 100).expect("few");
    assert!(ticks <= periods, "{ticks} in {periods} periods");
    assert!(ticks * 2 >= periods, "{ticks} in {periods} periods");

    // Thirty periods pass while it is busy; one tick waits.
    set(&node, Some("tick"), 100, Some(100), "late");
    node.tell(A, json!({"SleepMs": {"ms": 3_000}}));
    node.until("it is busy", || {
        node.actor(A).expect("it lives")["status"] == "waiting"
    });
    let waits = || node.actor(A).expect("it lives")["queued"].clone();
    node.until("a tick waits", || waits() == 1);
    pass(1_000);
    assert_eq!(waits(), 1, "and no other");
}

#[test]
fn c52_a_key_names_one_timer_which_is_replaced_or_taken_back() {
    let node = start("");
    set(&node, Some("k"), 800, None, "first");
    set(&node, Some("k"), 900, None, "second");
    let third = set(&node, None, 800, None, "third");
    set(&node, Some("other"), 800, None, "fourth");
    set(&node, Some("last"), 1_000, None, "fifth");
    let cancelled = node.ask(A, json!({"CancelKey": {"key": "other"}}));
    assert_eq!(cancelled, json!({"Flag": true}));
    let cancelled = node.ask(A, json!({"CancelTimer": {"timer": third}}));
    assert_eq!(cancelled, json!({"Flag": true}));
    node.until("the others have come", || {
        count(&node, "second") == 1 && count(&node, "fifth") == 1
    });
    pass(500);
    let comes = ["first", "second", "third", "fourth", "fifth"].map(|text| count(&node, text));
    assert_eq!(comes, [0, 1, 0, 0, 1]);

    // One whose message waits already is taken back as well.
    set(&node, Some("waits"), 300, None, "waits");
    node.tell(A, json!({"SleepMs": {"ms": 2_000}}));
    node.tell(A, json!({"CancelKey": {"key": "waits"}}));
    pass(500);
    assert_eq!(count(&node, "waits"), 0);
    pass(500);
    assert_eq!(count(&node, "waits"), 0);
}

#[test]
fn c52_none_of_an_earlier_life_arrives() {
    let node = start("");
    let all = |node: &Node| {
        set(node, None, 700, None, "old");
        set(node, Some("tick"), 1, Some(1), "old");
    };
    // After a crash, one of them waiting while the life ends.
    all(&node);
    let token = node.me(A)["token"].clone();
    node.tell(A, json!({"SleepMs": {"ms": 300}}));
    node.ask_fails(A, json!({"Panic": {"text": "storm"}}));
    assert_ne!(node.me(A)["token"], token);
    // After an operator's restart.
    assert_eq!(count(&node, "old"), 0);
    all(&node);
    node.ok(&["restart", A]);
    assert_eq!(count(&node, "old"), 0);
    // After a stop; the next actor of the name has none of them.
    all(&node);
    node.ok(&["stop", A]);
    node.until("it has stopped", || node.actor(A).is_none());
    node.spawn("probes", "a");
    pass(1_500);
    assert_eq!(count(&node, "old"), 0);
    assert_eq!(node.ok(&["stats"])["mailbox_bytes"], 0);
}

#[test]
fn c52_timers_outlive_sleep_and_swap() {
    let node = start("live-max = 3");
    let token = node.me(A)["token"].clone();
    set(&node, None, 1_500, None, "once");
    set(&node, Some("tick"), 500, Some(500), "tick");
    put_to_sleep(&node);
    node.until("it is woken", || count(&node, "once") == 1);
    let ticks = count(&node, "tick");
    let v2 = guest("probe-v2").display().to_string();
    let swapped = node.ok(&["swap", "probe", &v2]);
    assert_eq!(swapped["failed"], json!([]), "{swapped}");
    node.until("it ticks on", || count(&node, "tick") > ticks + 2);
    let me = node.me(A);
    assert_eq!((&me["version"], &me["token"]), (&json!("0.2.0"), &token));
    let cancel = json!({"CancelKey": {"key": "tick"}});
    assert_eq!(node.ask(A, cancel), json!({"Flag": true}));
    assert_eq!(count(&node, "once"), 1);
}

/// More actors than a node with so little room has instances for, with its reserve:
/// each that wakes puts another one to sleep.
const SLEEPERS: u64 = 700;

/// Messages to each of them, from each of two sides; and as many timers.
const ROUNDS: u64 = 8;

fn sleeper(n: u64) -> String {
    format!("p{n}")
}

/// Sends rows to the sleepers, a batch at a time.
async fn feed(client: &Client, rows: impl Iterator<Item = (u64, Value)>) {
    let row = |(n, message)| FeedRow {
        row: n + 1,
        key: sleeper(n),
        message,
    };
    let rows: Vec<FeedRow> = rows.map(row).collect();
    for rows in rows.chunks(100) {
        let request = FeedRequest {
            pool: "crowd".into(),
            variant: None,
            rows: rows.to_vec(),
        };
        let reply = client.feed(&request).await.expect("the node lives");
        assert_eq!(reply.accepted, rows.len() as u64, "{:?}", reply.rejected);
    }
}

/// What each of the sleepers replies.
async fn ask_all(client: &Client, message: Value) -> Vec<Value> {
    let mut replies = Vec::new();
    for n in 0..SLEEPERS {
        let request = AskRequest {
            to: format!("/crowd/{}", sleeper(n)),
            message: message.clone(),
            timeout_ms: 60_000,
        };
        let reply = client.ask(&request).await.expect("it replies");
        replies.push(reply.reply);
    }
    replies
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c59b_what_comes_while_an_actor_falls_asleep_is_neither_lost_nor_doubled() {
    let node = start("live-max = 2");
    let client = node.client();
    // Their timers are due all the while.
    for round in 0..ROUNDS {
        let timers = (0..SLEEPERS).map(|n| {
            let after_ms = 1 + (n * 37 + round * 911) % 3_000;
            let timer = json!({"key": null, "after_ms": after_ms, "every_ms": null, "text": "due"});
            (n, json!({"SetTimer": timer}))
        });
        feed(&client, timers).await;
    }
    // Two sides go round at different paces, so that an actor falls asleep as the
    // other comes to it.
    let side = |stride: u64| {
        let rows = (0..ROUNDS * SLEEPERS).map(move |i| i * stride % SLEEPERS);
        rows.map(|n| (n, json!({"Add": {"n": 1}})))
    };
    tokio::join!(feed(&client, side(1)), feed(&client, side(3)));

    let expected = i64::try_from(2 * ROUNDS).expect("few");
    for reply in ask_all(&client, json!("Total")).await {
        assert_eq!(reply, json!({"Number": expected}));
    }
    // Each turn was somebody's, and most were of an instance that is gone since.
    let me = ask_all(&client, json!("WhoAmI")).await;
    let here = me.iter().map(|me| me["Me"]["turns_here"].as_u64());
    let here: u64 = here.map(|turns| turns.expect("a number")).sum();
    let woken = "they fell asleep and woke again";
    assert!(here < SLEEPERS * ROUNDS, "{woken}: {here}");
    let mut due = Vec::new();
    for _ in 0..100 {
        due = ask_all(&client, json!("Events")).await;
        let came = |events: &Value| events["Events"].as_array().map(Vec::len);
        if due
            .iter()
            .all(|events| came(events) >= Some(ROUNDS as usize))
        {
            break;
        }
    }
    for events in due {
        let events = events["Events"].as_array().expect("a list").clone();
        assert_eq!(events.len() as u64, ROUNDS, "{events:?}");
    }
    assert_eq!(node.dead_letters(), [Value::Null; 0]);
    let stats = node.ok(&["stats"]);
    assert_eq!(stats["crashes"], 0, "{stats}");
    assert_eq!(stats["restarts"], 0, "{stats}");
}
