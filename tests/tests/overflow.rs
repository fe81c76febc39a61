//! What a full mailbox does, by whichever way a message comes, and what stands behind
//! all mailboxes together.

use actorhost_tests::Node;
use actorhost_wire::api::TellRequest;
use serde_json::{Value, json};

/// A pool `/NAME` of probes with this mailbox.
fn pool(name: &str, mailbox: &str) -> String {
    format!(
        "[behaviour.{name}]\nmodule = \"{{probe}}\"\nmailbox = {{ {mailbox} }}\n\
         capabilities = {{ spawn = [\"small\"] }}\n\
         [[pool]]\nname = \"{name}\"\nbehaviour = \"{name}\"\nargs = {{ start = 0 }}\n"
    )
}

/// A node with a pool `small` of this mailbox, and a pool `free`.
fn start(node: &str, small: &str) -> Node {
    let pools = [pool("small", small), pool("free", "capacity = 10_000")].concat();
    Node::start(&format!("[node]\nthreads = 2\n{node}\n{pools}"))
}

/// Each policy that does not wait, and what becomes of a message too many.
const POLICIES: [(&str, &str); 3] = [
    ("reject", "full"),
    ("drop-newest", "drop-newest"),
    ("drop-oldest", "drop-oldest"),
];

/// A refusal in a guest's words.
const FULL: &str = "the target's mailbox is full, or a limit of the sender's own \
    (effects-per-turn, asks)";

/// Numbered messages, told in one turn: all of them wait before the first is handled.
fn notes(to: u64, first: u64, count: u64) -> Value {
    json!({"NoteMany": {"to": to, "from": 0, "first": first, "count": count}})
}

#[track_caller]
fn done(node: &Node, probe: &str, message: Value) {
    assert_eq!(node.ask(probe, message), "Done");
}

/// Waits until an actor has handled what it has.
#[track_caller]
fn idle(node: &Node, path: &str) {
    node.until("it has room", || {
        let actor = node.actor(path).expect("it lives");
        actor["queued"] == 0 && actor["status"] != "waiting"
    });
}

fn texts(node: &Node, probe: &str) -> Vec<String> {
    let reply = node.ask(probe, json!("Events"));
    let events = reply["Events"].as_array().expect("a list").iter();
    let texts = events.filter_map(|event| event["Record"]["text"].as_str().map(str::to_owned));
    texts.collect()
}

#[test]
fn c22_drop_newest_and_drop_oldest_leave_exactly_the_others() {
    for (overflow, first, last) in [("drop-newest", 1, 3), ("drop-oldest", 8, 10)] {
        let node = start("", &format!("capacity = 3, overflow = \"{overflow}\""));
        let target = node.spawn("small", "a");
        node.spawn("free", "sender");
        node.occupy("/small/a", 2_000);
        let told = node.ask("/free/sender", notes(target, 1, 10));
        let all = json!({"accepted": 10, "refused": 0, "cause": null});
        assert_eq!(told["Told"], all, "a drop is not the sender's affair");
        idle(&node, "/small/a");
        // Three in order, of which the last is known: there is one such three.
        let report = node.ask("/small/a", json!("Report"))["Report"].clone();
        let survivors = json!([{"from": 0, "count": 3, "last_seq": last, "out_of_order": 0}]);
        assert_eq!(report, survivors, "{overflow}");
        let dropped = node.dead_letters();
        assert_eq!(dropped.len(), 7, "{dropped:?}");
        let mut numbers: Vec<u64> = dropped
            .iter()
            .map(|letter| {
                assert_eq!(letter["reason"], overflow);
                assert_eq!(letter["sender"], "/free/sender");
                letter["message"]["Note"]["seq"].as_u64().expect("a number")
            })
            .collect();
        numbers.reverse();
        let others: Vec<u64> = (1..=10).filter(|n| *n < first || *n > last).collect();
        assert_eq!(numbers, others);
        let stats = node.ok(&["stats"]);
        assert_eq!(stats["dead_letters_by_reason"], json!({overflow: 7}));
        assert_eq!(stats["refused_by_cause"], json!({}));
    }
}

#[test]
fn c28_a_mailbox_that_is_full_before_init_ends_does_not_deadlock() {
    for (overflow, accepted) in [("reject", 1), ("block", 3), ("drop-newest", 3)] {
        let node = start("", &format!("capacity = 1, overflow = \"{overflow}\""));
        node.spawn("free", "parent");
        let fault = json!({"Sleep": {"ms": 3_000}});
        let spawn = json!({"behaviour": "small", "name": "late", "fault": fault});
        let child = node.ask("/free/parent", json!({"Spawn": spawn}));
        let child = child["Spawned"]["id"].as_u64().expect("an id");
        // One by one: what a turn tells is held, and so is the place of each.
        let told: u64 = (1..=3)
            .map(|seq| {
                let told = node.ask("/free/parent", notes(child, seq, 1));
                told["Told"]["accepted"].as_u64().expect("a number")
            })
            .sum();
        assert_eq!(told, accepted, "{overflow}");
        let late = "/free/parent/late";
        node.until("its init has ended", || {
            node.actor(late).expect("it lives")["handled"].as_u64() > Some(0)
        });
        idle(&node, late);
        let report = node.ask(late, json!("Report"))["Report"].clone();
        let handled = if overflow == "block" { 3 } else { 1 };
        assert_eq!(report[0]["count"], handled, "{overflow}: {report}");
        assert_eq!(report[0]["out_of_order"], 0);
    }
}

#[test]
fn c29_a_used_up_budget_of_bytes_refuses_and_nobody_dies() {
    let node = start("mailbox-bytes = \"1MiB\"", "overflow = \"unbounded\"");
    let target = node.spawn("small", "wedged");
    node.spawn("free", "sender");
    node.occupy("/small/wedged", 3_000);
    let tell = json!({"Tell": {"to": target, "text": "x".repeat(10_000), "times": 1_000}});
    let told = node.ask("/free/sender", tell.clone())["Told"].clone();
    // A message costs its bytes and its place in the queue.
    let accepted = told["accepted"].as_u64().expect("a number");
    assert_eq!(accepted, (1 << 20) / 10_067, "{told}");
    assert_eq!(told["refused"], 1_000 - accepted);
    let cause = "the node has no room for more queued messages";
    assert_eq!(told["cause"], cause);
    let echo = json!({"Echo": {"text": "x".repeat(10_000)}}).to_string();
    for verb in ["tell", "ask"] {
        let error = node.fails(&[verb, "/free/sender", &echo], 1);
        assert_eq!(error["code"], "overloaded", "of any actor: {error}");
    }
    let stats = node.ok(&["stats"]);
    let bytes = |name: &str| stats[name].as_u64().expect("a number");
    assert_eq!(bytes("mailbox_bytes_max"), 1 << 20);
    assert!(bytes("mailbox_bytes") <= 1 << 20, "{stats}");
    assert_eq!(
        stats["refused_by_cause"],
        json!({"overloaded": 1_000 - accepted + 2})
    );
    // It was no harm to anybody, and all that was accepted comes.
    idle(&node, "/small/wedged");
    let seen = node.ask("/small/wedged", json!("Seen"))["Texts"].clone();
    assert_eq!(
        seen.as_array().map(Vec::len),
        usize::try_from(accepted).ok()
    );
    let told = node.ask("/free/sender", tell)["Told"].clone();
    assert!(told["accepted"].as_u64() >= Some(accepted), "{told}");
    for path in ["/small/wedged", "/free/sender"] {
        assert_eq!(node.actor(path).expect("it lives")["restarts"], 0);
    }
}

#[test]
fn c29_timers_that_are_set_count_towards_the_budget() {
    let node = start("mailbox-bytes = \"1MiB\"", "capacity = 9");
    node.spawn("small", "a");
    node.spawn("free", "b");
    let text = "x".repeat(100_000);
    let timer = |key: u64| {
        let key = key.to_string();
        let timer = json!({"key": key, "after_ms": 3_600_000, "every_ms": null, "text": text});
        json!({"SetTimer": timer})
    };
    for key in 0..10 {
        assert!(node.ask("/small/a", timer(key))["Timer"].is_object());
    }
    let held = node.ok(&["stats"])["mailbox_bytes"].as_u64();
    assert!(held > Some(1_000_000) && held <= Some(1 << 20), "{held:?}");
    let echo = json!({"Echo": {"text": text}}).to_string();
    let error = node.fails(&["tell", "/free/b", &echo], 1);
    assert_eq!(error["code"], "overloaded", "{error}");
    // What a restart ends gives its bytes back.
    node.ok(&["restart", "/small/a"]);
    assert_eq!(node.ok(&["stats"])["mailbox_bytes"], 0);
    assert_eq!(node.ok(&["tell", "/free/b", &echo])["accepted"], true);
}

#[tokio::test]
async fn c29a_every_way_in_obeys_the_same_bound_and_policy() {
    for (overflow, reason) in POLICIES {
        let node = start("", &format!("capacity = 2, overflow = \"{overflow}\""));
        let (target, client) = (node.spawn("small", "a"), node.client());
        node.spawn("free", "sender");
        let refuses = overflow == "reject";
        let (accepted, refused) = if refuses { (0, 1) } else { (1, 0) };
        let cause = refuses.then_some(FULL);
        let told = json!({"accepted": accepted, "refused": refused, "cause": cause});
        done(&node, "/small/a", json!({"Join": {"group": "g"}}));

        // To itself, while its own turn runs.
        let own = node.ask("/small/a", notes(target, 1, 3))["Told"].clone();
        let of_three = json!({"accepted": 2 + accepted, "refused": refused, "cause": cause});
        assert_eq!(own, of_three, "{overflow}");
        // By timers of its own that are due while it is busy.
        for text in ["t1", "t2", "t3"] {
            let timer = json!({"key": null, "after_ms": 3_000, "every_ms": null, "text": text});
            node.ask("/small/a", json!({"SetTimer": timer}));
        }
        node.occupy("/small/a", 30_000);

        // A refusal makes a dead letter only where nobody is told of it.
        let lost = if refuses { 1 } else { 2 };
        node.until("the timers were due", || node.dead_letters().len() == lost);
        let queued = &node.actor("/small/a").expect("it lives")["queued"];
        assert_eq!(*queued, 2, "{overflow}: {:?}", node.dead_letters());

        // From an actor, as a tell and to its group; by the command line; by HTTP.
        assert_eq!(
            node.ask("/free/sender", notes(target, 9, 1))["Told"],
            told,
            "{overflow}"
        );
        let publish = json!({"Publish": {"group": "g", "text": "p"}});
        assert_eq!(
            node.ask("/free/sender", publish)["Published"],
            json!({"accepted": accepted, "refused": refused}),
            "{overflow}"
        );
        let ran = node.run(&["tell", "/small/a", "\"Total\"", "--json"]);
        if refuses {
            assert_eq!(ran.error(1)["code"], "full");
        } else {
            assert_eq!(ran.ok()["accepted"], true);
        }
        let request = TellRequest {
            to: "/small/a".into(),
            message: json!("Total"),
        };
        let posted = client.tell(&request).await;
        assert_eq!(posted.is_ok(), !refuses, "{overflow}: {posted:?}");
        // An ask hears so at once, also by way of a message that is thrown away.
        if overflow != "drop-oldest" {
            let ask = json!({"AskThenReply": {"to": target, "text": "", "timeout_ms": 60_000}});
            assert_eq!(node.ask("/free/sender", ask)["Failed"]["cause"], FULL);
            let error = node.fails(&["ask", "/small/a", "\"Total\""], 1);
            assert_eq!(error["code"], "full", "{overflow}: {error}");
        }

        let ways = if overflow == "drop-oldest" { 6 } else { 8 };
        let stats = node.ok(&["stats"]);
        let count = if refuses {
            &stats["refused_by_cause"]["full"]
        } else {
            &stats["dead_letters_by_reason"][reason]
        };
        assert_eq!(*count, ways, "{overflow}: {stats}");
        let actor = node.actor("/small/a").expect("it lives");
        assert_eq!(actor["queued"], 2, "{overflow}: never more than the bound");
    }
}

#[test]
fn c29b_a_down_is_never_evicted() {
    for (overflow, _) in POLICIES {
        let node = start("", &format!("capacity = 1, overflow = \"{overflow}\""));
        let watcher = node.spawn("small", "watcher");
        node.spawn("free", "sender");
        for name in ["first", "second"] {
            let watched = node.spawn("free", name);
            done(
                &node,
                "/small/watcher",
                json!({"Watch": {"target": watched}}),
            );
        }
        node.occupy("/small/watcher", 2_500);
        // One comes before the flood, one after it.
        node.ok(&["kill", "/free/first"]);
        node.ask("/free/sender", notes(watcher, 1, 100));
        node.ok(&["kill", "/free/second"]);
        idle(&node, "/small/watcher");
        let downs = node.ask("/small/watcher", json!("Downs"))["Downs"].clone();
        assert_eq!(
            downs.as_array().map(Vec::len),
            Some(2),
            "{overflow}: {downs}"
        );
        let report = node.ask("/small/watcher", json!("Report"))["Report"].clone();
        let last = if overflow == "drop-oldest" { 100 } else { 1 };
        assert_eq!(report[0]["last_seq"], last, "{overflow}");
    }
}

#[test]
fn c29c_one_overflow_cuts_nobody_off_for_ever() {
    for (overflow, reason) in POLICIES {
        let node = start("", &format!("capacity = 4, overflow = \"{overflow}\""));
        let target = node.spawn("small", "a");
        node.spawn("free", "sender");
        done(&node, "/small/a", json!({"Join": {"group": "g"}}));
        let tick = json!({"key": "tick", "after_ms": 2_500, "every_ms": 200, "text": "tick"});
        node.ask("/small/a", json!({"SetTimer": tick}));
        node.occupy("/small/a", 5_000);
        // The mailbox is full before the first tick or at it; all senders overflow.
        let publish = |text| json!({"Publish": {"group": "g", "text": text}});
        for _ in 0..6 {
            node.ask("/free/sender", publish("flood"));
            node.ask("/free/sender", notes(target, 1, 1));
        }
        node.until("it overflowed", || {
            let stats = node.ok(&["stats"]);
            let lost = if overflow == "reject" {
                &stats["refused_by_cause"]["full"]
            } else {
                &stats["dead_letters_by_reason"][reason]
            };
            lost.as_u64() > Some(8)
        });
        idle(&node, "/small/a");
        node.until("it ticks again", || {
            let ticks = texts(&node, "/small/a");
            ticks.iter().filter(|text| *text == "tick").count() > 3
        });
        let cancel = json!({"CancelKey": {"key": "tick"}});
        assert_eq!(node.ask("/small/a", cancel), json!({"Flag": true}));
        let published = json!({"Published": {"accepted": 1, "refused": 0}});
        assert_eq!(node.ask("/free/sender", publish("again")), published);
        idle(&node, "/small/a");
        let told = node.ask("/free/sender", notes(target, 2, 1));
        assert_eq!(told["Told"]["accepted"], 1);
        idle(&node, "/small/a");
        assert_eq!(
            texts(&node, "/small/a").last().map(String::as_str),
            Some("again")
        );
        let report = node.ask("/small/a", json!("Report"))["Report"].clone();
        assert_eq!(report[0]["last_seq"], 2, "{overflow}");
    }
}
