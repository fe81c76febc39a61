//! Messages wait, are refused, keep their order, or end as dead letters.

use actorhost::client::Client;
use actorhost_tests::{Node, guest};
use actorhost_wire::api::{FeedRequest, FeedRow};
use serde_json::{Value, json};

/// A pool `/NAME` of probes whose behaviour has these further keys.
fn pool(name: &str, keys: &str) -> String {
    format!(
        "[behaviour.{name}]\nmodule = \"{{probe}}\"\n{keys}\n\
         [[pool]]\nname = \"{name}\"\nbehaviour = \"{name}\"\n\
         args = {{ start = 0 }}\nintensity = 100\nperiod = \"5s\"\n"
    )
}

fn start(node: &str, pools: &[(&str, &str)]) -> Node {
    let pools: String = pools.iter().map(|(name, keys)| pool(name, keys)).collect();
    Node::start(&format!("[node]\nthreads = 2\n{node}\n{pools}"))
}

/// A refusal in a guest's words.
const FULL: &str = "the target's mailbox is full, or a limit of the sender's own \
    (effects-per-turn, asks)";

fn note(from: u32, seq: u64) -> Value {
    json!({"Note": {"from": from, "seq": seq}})
}

#[test]
fn c20_a_full_mailbox_refuses_the_fourth_message_and_harms_nobody() {
    let bounded = "mailbox = { capacity = 2 }";
    let node = start("", &[("small", bounded), ("free", "")]);
    let target = node.spawn("small", "a");
    node.spawn("free", "sender");
    node.occupy("/small/a", 1_500);
    let tell = json!({"Tell": {"to": target, "text": "x", "times": 3}});
    assert_eq!(
        node.ask("/free/sender", tell)["Told"],
        json!({"accepted": 2, "refused": 1, "cause": FULL})
    );
    let add = json!({"Add": {"n": 1}}).to_string();
    for verb in ["tell", "ask"] {
        let error = node.fails(&[verb, "/small/a", &add], 1);
        assert_eq!(error["code"], "full", "{verb}: {error}");
    }
    // The two that were accepted come; the sender goes on.
    node.until("there is room", || {
        node.actor("/small/a").expect("it lives")["queued"] == 0
    });
    assert_eq!(
        node.ask("/small/a", json!("Seen"))["Texts"],
        json!(["x", "x"])
    );
    assert_eq!(node.actor("/free/sender").expect("it lives")["restarts"], 0);
}

#[test]
fn c21_block_makes_the_sender_wait_for_room_and_no_thread_with_it() {
    let block = "mailbox = { capacity = 1, overflow = \"block\", block-timeout = \"60s\" }";
    let pools = [pool("small", block), pool("free", "")].concat();
    let node = Node::start(&format!("[node]\nthreads = 1\n{pools}"));
    let target = node.spawn("small", "a");
    for name in ["sender", "bystander"] {
        node.spawn("free", name);
    }
    node.occupy("/small/a", 1_000);
    // The second of them waits; what is held comes after the turn, so one by one.
    let tell = json!({"Tell": {"to": target, "text": "x", "times": 1}});
    node.tell("/free/sender", tell.clone());
    node.tell("/free/sender", tell);
    node.until("the sender waits", || {
        node.actor("/free/sender").expect("it lives")["status"] == "waiting"
    });
    assert_eq!(node.ask("/free/bystander", json!("Total"))["Number"], 0);
    // So does one from outside.
    assert_eq!(
        node.ask("/small/a", json!("Seen"))["Texts"],
        json!(["x", "x"])
    );
}

#[test]
fn c21_no_sender_waits_for_room_that_turns_like_its_own_hold() {
    let block = "mailbox = { capacity = 10, overflow = \"block\", block-timeout = \"60s\" }";
    let node = start("", &[("small", block), ("free", "")]);
    let to = node.spawn("small", "a");
    let senders = ["/free/s", "/free/t", "/free/u"];
    for path in senders {
        node.spawn("free", &path["/free/".len()..]);
    }
    // More in one turn than the mailbox holds, alone and side by side.
    let tell = |path| {
        let reply = node.ask(path, json!({"Tell": {"to": to, "text": "x", "times": 200}}));
        let all = json!({"accepted": 200, "refused": 0, "cause": null});
        assert_eq!(reply["Told"], all, "{path}");
    };
    tell(senders[0]);
    std::thread::scope(|scope| {
        for path in senders {
            scope.spawn(move || tell(path));
        }
    });
    let seen = &node.ask("/small/a", json!("Seen"))["Texts"];
    assert_eq!(seen.as_array().map(Vec::len), Some(800));
}

#[test]
fn c21_block_ends_at_its_deadline_also_between_two_that_block_each_other() {
    let block = "mailbox = { capacity = 1, overflow = \"block\", block-timeout = \"500ms\" }";
    let node = start("", &[("small", block)]);
    let (a, b) = (node.spawn("small", "a"), node.spawn("small", "b"));
    for path in ["/small/a", "/small/b"] {
        node.occupy(path, 600);
    }
    let tell = |path, to| node.ask(path, json!({"Tell": {"to": to, "text": "x", "times": 2}}));
    let (of_a, of_b) = std::thread::scope(|scope| {
        let of_a = scope.spawn(|| tell("/small/a", b));
        let of_b = scope.spawn(|| tell("/small/b", a));
        (of_a.join().expect("it ends"), of_b.join().expect("it ends"))
    });
    // Whoever gives up first makes room for the other, which may not have given up yet.
    let one = json!({"accepted": 1, "refused": 1, "cause": FULL});
    let both = json!({"accepted": 2, "refused": 0, "cause": null});
    let told = [&of_a["Told"], &of_b["Told"]];
    assert!(told.contains(&&one), "{told:?}");
    assert!(
        told.iter().all(|&told| *told == one || *told == both),
        "{told:?}"
    );
    for (path, told) in [("/small/b", told[0]), ("/small/a", told[1])] {
        let seen = &node.ask(path, json!("Seen"))["Texts"];
        let seen = seen.as_array().map(Vec::len).unwrap_or_default();
        assert_eq!(json!(seen), told["accepted"], "{path}");
    }
}

#[test]
fn c25_a_crash_loses_the_message_being_handled_and_nothing_else() {
    let node = start("", &[("probes", "")]);
    let id = node.spawn("probes", "a");
    node.occupy("/probes/a", 500);
    for seq in 1..=20 {
        if seq == 11 {
            node.tell("/probes/a", json!({"Panic": {"text": "storm"}}));
        }
        node.tell("/probes/a", note(0, seq));
    }
    let report = node.ask("/probes/a", json!("Report"));
    // The first ten went with the old life's state; the others come in order.
    let rest = json!([{"from": 0, "count": 10, "last_seq": 20, "out_of_order": 0}]);
    assert_eq!(report["Report"], rest);
    let actor = node.actor("/probes/a").expect("it lives");
    assert_eq!((&actor["id"], &actor["restarts"]), (&json!(id), &json!(1)));
    let letters = node.dead_letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(letters[0]["reason"], "crashed");
    assert_eq!(letters[0]["message"], json!({"Panic": {"text": "storm"}}));
    let detail = letters[0]["detail"].as_str().expect("a text");
    assert!(detail.contains("panic: storm"), "{detail}");
}

#[test]
fn c26_messages_to_the_stopped_are_refused_and_shown_with_all_that_is_known() {
    let node = start("", &[("probes", "")]);
    let target = node.spawn("probes", "a");
    node.spawn("probes", "sender");
    node.occupy("/probes/a", 1_500);
    node.tell("/probes/a", json!({"Add": {"n": 300}}));
    // What is queued at the end.
    node.ok(&["stop", "/probes/a", "--mode", "now"]);
    // What comes after it.
    let tell = json!({"Tell": {"to": target, "text": "ahoy", "times": 2}});
    assert_eq!(
        node.ask("/probes/sender", tell)["Told"],
        json!({"accepted": 0, "refused": 2, "cause": "the target has stopped"})
    );
    let nobody = json!({"Tell": {"to": 999_999, "text": "ahoy", "times": 1}});
    let told = node.ask("/probes/sender", nobody)["Told"].clone();
    assert_eq!(told["cause"], "no actor has this address", "{told}");
    for verb in ["tell", "ask"] {
        let error = node.fails(&[verb, "/probes/a", "\"Total\""], 1);
        assert_eq!(error["code"], "stopped", "{error}");
        let error = node.fails(&[verb, &target.to_string(), "\"Total\""], 1);
        assert_eq!(error["code"], "stopped", "{error}");
        let error = node.fails(&[verb, "/probes/nobody", "\"Total\""], 1);
        assert_eq!(error["code"], "no-such-actor", "{error}");
    }

    let letters = node.dead_letters();
    assert_eq!(letters.len(), 8, "{letters:?}");
    for letter in &letters[..4] {
        assert_eq!(letter["reason"], "stopped");
        assert_eq!(letter["to"], "/probes/a");
        assert_eq!(letter["sender"], Value::Null, "the command line sent it");
        assert_eq!(letter["message"], json!("Total"));
    }
    let letters = &letters[4..];
    assert_eq!(letters[0]["reason"], "no-such-actor");
    for letter in &letters[1..3] {
        assert_eq!(letter["reason"], "stopped");
        assert_eq!(letter["to"], "/probes/a");
        assert_eq!(letter["sender"], "/probes/sender");
        assert_eq!(letter["behaviour"], "probes");
        assert_eq!(letter["version"], 1);
        assert_eq!(letter["variant"], "Echo");
        // The variant's number, the text's length, the text.
        assert_eq!(letter["size"], 6);
        assert_eq!(letter["message"], json!({"Echo": {"text": "ahoy"}}));
    }
    let queued = &letters[3];
    assert_eq!(queued["reason"], "stopped");
    assert_eq!(queued["sender"], Value::Null, "the command line sent it");
    assert_eq!(queued["message"], json!({"Add": {"n": 300}}));
    assert_eq!(queued["size"], 3);
    // Those who read it as text see the same.
    let shown = node.run(&["dead-letters"]).stdout;
    for word in ["stopped", "/probes/a", "/probes/sender", "Echo", "ahoy"] {
        assert!(shown.contains(word), "{word} is not in {shown}");
    }
}

#[test]
fn c27_a_message_over_the_limit_is_refused_at_the_sender_with_the_limit_named() {
    let node = start("", &[("small", "message-size = \"4KiB\""), ("free", "")]);
    let target = node.spawn("small", "a");
    node.spawn("free", "sender");
    let text = "x".repeat(4_096);
    let echo = json!({"Echo": {"text": text}}).to_string();
    for verb in ["tell", "ask"] {
        let error = node.fails(&[verb, "/small/a", &echo], 1);
        assert_eq!(error["code"], "too-large", "{error}");
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains("4096 bytes"), "{message}");
    }
    let cause = "too-large: the limit is 4096 bytes";
    let tell = json!({"Tell": {"to": target, "text": text, "times": 2}});
    let told = node.ask("/free/sender", tell)["Told"].clone();
    assert_eq!(
        (&told["accepted"], &told["refused"]),
        (&json!(0), &json!(2))
    );
    let said = told["cause"].as_str().expect("a text");
    assert!(said.contains("4096"), "{said} is not {cause}");
    let ask = json!({"AskThenReply": {"to": target, "text": text, "timeout_ms": 30_000}});
    let said = node.ask("/free/sender", ask)["Failed"]["cause"].clone();
    let said = said.as_str().expect("it fails");
    assert!(said.contains("4096"), "{said}");
    // Nobody was harmed, and a message within the limit is accepted.
    let tell = json!({"Tell": {"to": target, "text": "x".repeat(4_000), "times": 1}});
    assert_eq!(node.ask("/free/sender", tell)["Told"]["accepted"], 1);
    for path in ["/small/a", "/free/sender"] {
        assert_eq!(node.actor(path).expect("it lives")["restarts"], 0);
    }
}

const SENDERS: u32 = 2;
const NOTES: u64 = 100_000;
/// One sender's notes in one turn.
const TURN: u64 = 1_000;
/// Each tests what happens in the middle: nothing, a crash, a swap, a sleep.
const PARTS: u64 = 4;

/// Lets both senders send one part of their notes.
async fn send_part(client: &Client, part: u64, to: u64) {
    let turns = (0..NOTES / PARTS / TURN).flat_map(|turn| {
        let first = part * (NOTES / PARTS) + turn * TURN + 1;
        (0..SENDERS).map(move |from| (from, first))
    });
    let row = |(n, (from, first)): (usize, (u32, u64))| FeedRow {
        row: n as u64 + 1,
        key: format!("s{from}"),
        message: json!({"NoteMany": {"to": to, "from": from, "first": first, "count": TURN}}),
    };
    let request = FeedRequest {
        pool: "sender".into(),
        variant: None,
        rows: turns.enumerate().map(row).collect(),
    };
    let reply = client.feed(&request).await.expect("the node lives");
    assert_eq!(reply.accepted, request.rows.len() as u64);
}

fn handled(node: &Node) -> u64 {
    let actor = node.actor("/receiver/r").expect("it lives");
    actor["handled"].as_u64().expect("a number")
}

#[tokio::test]
async fn c24_each_senders_order_holds_across_crash_swap_and_hibernation() {
    let block = "mailbox = { capacity = 4096, overflow = \"block\", block-timeout = \"60s\" }";
    let pools = [
        ("sender", "hibernate = false"),
        ("receiver", block),
        ("crowd", ""),
    ];
    let node = start("live-max = 6", &pools);
    let client = node.client();
    let receiver = node.spawn("receiver", "r");
    for from in 0..SENDERS {
        node.spawn("sender", &format!("s{from}"));
    }
    let notes = u64::from(SENDERS) * NOTES / PARTS;
    let all_handled = |parts: u64, others: u64| {
        node.until("all notes are handled", || {
            handled(&node) == parts * notes + others
        });
    };
    let report = |count: Option<u64>, last: u64| {
        let report = node.ask("/receiver/r", json!("Report"))["Report"].clone();
        let senders = report.as_array().expect("a list");
        assert_eq!(senders.len(), SENDERS as usize, "{report}");
        for sender in senders {
            assert_eq!(sender["last_seq"], last, "{report}");
            assert_eq!(sender["out_of_order"], 0, "{report}");
            assert!(
                count.is_none_or(|count| sender["count"] == count),
                "{report}"
            );
        }
    };

    send_part(&client, 0, receiver).await;
    all_handled(1, 0);
    report(Some(NOTES / PARTS), NOTES / PARTS);

    // A crash, after which the new life has the rest of the notes. The receiver is
    // behind, so that it comes in their middle; so does the swap.
    node.occupy("/receiver/r", 1_000);
    send_part(&client, 1, receiver).await;
    node.ask_fails("/receiver/r", json!({"Panic": {"text": "storm"}}));
    all_handled(2, 2);
    report(None, 2 * NOTES / PARTS);
    assert_eq!(node.actor("/receiver/r").expect("it lives")["restarts"], 1);

    // A swap, to which the state goes over.
    node.occupy("/receiver/r", 1_000);
    send_part(&client, 2, receiver).await;
    let v2 = guest("probe-v2").display().to_string();
    let swapped = node.ok(&["swap", "receiver", &v2]);
    assert_eq!(swapped["failed"], json!([]));
    all_handled(3, 4);
    report(None, 3 * NOTES / PARTS);
    assert_eq!(node.me("/receiver/r")["version"], "0.2.0");

    // A sleep, for want of room.
    node.until("the receiver sleeps", || {
        for n in 0..12 {
            let path = format!("/crowd/p{n}");
            if node.actor(&path).is_none() {
                node.spawn("crowd", &format!("p{n}"));
            }
            node.tell(&path, json!({"Add": {"n": 1}}));
        }
        node.actor("/receiver/r").expect("it lives")["status"] == "asleep"
    });
    send_part(&client, 3, receiver).await;
    all_handled(4, 6);
    report(None, NOTES);
    let letters = node.dead_letters();
    assert_eq!(letters.len(), 1, "only the crash's own: {letters:?}");
}
