//! What holds from one life of an actor to the next.

use actorhost_tests::Node;
use actorhost_wire::api::{ChildAddRequest, RestartType};
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[node]
threads = 2
log = "debug"

[behaviour.probe]
module = "{probe}"
capabilities = { spawn = ["probe"] }

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
restart = "transient"
intensity = 1000
period = "60s"
"#;

/// A supervisor `/app` of one child `/app/a`.
fn app(keys: &str, args: &str, child_keys: &str) -> String {
    format!(
        "{MANIFEST}\n[[supervisor]]\nname = \"app\"\n{keys}\n[[supervisor.child]]\n\
         name = \"a\"\nbehaviour = \"probe\"\nargs = {{ start = 0{args} }}\n{child_keys}\n"
    )
}

const MANY: &str = "intensity = 2000\nperiod = \"1h\"";

/// Words that are in a text, in this order.
#[track_caller]
fn in_order(log: &str, words: &[&str]) {
    let mut rest = log;
    for word in words {
        let at = rest.find(word);
        let at = at.unwrap_or_else(|| panic!("`{word}` is missing or out of order in {log}"));
        rest = &rest[at + word.len()..];
    }
}

#[track_caller]
fn crash_and_return(node: &Node, path: &str) {
    let restarts = node.restarts(path).expect("it lives");
    node.crash(path);
    node.until("it is restarted", || {
        let actor = node.actor(path).unwrap_or_default();
        actor["restarts"].as_u64() > Some(restarts) && actor["status"] == "idle"
    });
}

#[test]
fn c14_a_restart_of_a_parent_ends_its_children_first_or_keeps_them() {
    for keep in [false, true] {
        let keys = format!("keep-children = {keep}");
        let node = Node::start(&app(MANY, ", announce = true", &keys));
        let spawn = json!({"Spawn": {"behaviour": "probe", "name": "kid", "fault": null}});
        let kid = node.ask("/app/a", spawn)["Spawned"]["id"].clone();
        let log = json!({"Log": {"text": "farewell of the kid"}});
        node.ask("/app/a/kid", json!({"OnStop": {"farewell": log}}));
        node.ask("/app/a/kid", json!({"Add": {"n": 7}}));
        crash_and_return(&node, "/app/a");
        let log = node.log();
        if keep {
            assert!(!log.contains("farewell of the kid"), "{log}");
            assert_eq!(json!(node.id("/app/a/kid")), kid);
            assert_eq!(node.ask("/app/a/kid", json!("Total"))["Number"], 7);
            let of = node.actor("/app/a/kid").expect("it lives")["supervisor"].clone();
            assert_eq!(of, "/app/a");
        } else {
            assert!(node.actor("/app/a/kid").is_none());
            in_order(
                &log,
                &[
                    " init actor=/app/a ",
                    "crashed actor=/app/a ",
                    "farewell of the kid",
                    "ended actor=/app/a/kid ",
                    " init actor=/app/a ",
                ],
            );
        }
        // Kept or not, a parent outlives its children.
        node.ok(&["stop", "/app/a"]);
        assert!(node.actor("/app/a/kid").is_none());
    }
}

#[test]
fn c18_a_life_begins_when_the_last_ones_hook_has_ended() {
    let node = Node::start(&app(MANY, ", announce = true", ""));
    let farewell = || {
        let farewell = json!({"SleepAloud": {"ms": 500}});
        node.ask("/app/a", json!({"OnStop": {"farewell": farewell}}));
    };
    farewell();
    let begun = |lives: usize| node.log_lines(&["init actor=/app/a "]).len() >= lives;
    node.ask("/app/a", json!("StopSelf"));
    node.until("the second life", || begun(2));
    farewell();
    node.ask("/app/a", json!("StopSelf"));
    node.until("the third life", || begun(3));
    let lines = node.log_lines(&["actor=/app/a "]);
    let steps = ["init actor", "farewell begins actor", "farewell ends actor"];
    let seen: Vec<usize> = lines
        .iter()
        .filter_map(|line| steps.iter().position(|step| line.contains(step)))
        .collect();
    assert_eq!(seen, [0, 1, 2, 0, 1, 2, 0], "{lines:?}");
}

#[test]
fn c18a_references_from_before_a_crash_reach_the_new_life() {
    let node = Node::start(MANIFEST);
    let id = node.spawn("probes", "a");
    node.spawn("probes", "friend");
    let friend = |message: Value| node.ask("/probes/friend", message);
    let old = node.me("/probes/a")["token"].clone();
    crash_and_return(&node, "/probes/a");
    let new = node.me("/probes/a")["token"].clone();
    assert_ne!(new, old);

    // By the id alone, which the friend and the command line had before.
    let told = friend(json!({"Tell": {"to": id, "text": "told", "times": 1}}));
    assert_eq!(told["Told"]["accepted"], 1, "{told}");
    let ask = json!({"AskThenReply": {"to": id, "text": "asked", "timeout_ms": 30_000}});
    assert_eq!(friend(ask)["Text"], "asked");
    let seen = node.ask(&id.to_string(), json!("Seen"));
    assert_eq!(seen["Texts"], json!(["told", "asked"]));
    friend(json!({"Watch": {"target": id}}));
    assert_eq!(friend(json!("Downs"))["Downs"], json!([]));
    friend(json!({"Stop": {"target": id, "mode": "Now"}}));
    let down = json!([{"id": id, "reason": "shutdown"}]);
    node.until("the end is heard of", || {
        friend(json!("Downs"))["Downs"] == down
    });
    assert!(node.actor("/probes/a").is_none());
    assert_eq!(node.me("/probes/friend")["path"], "/probes/friend");
}

#[test]
fn c18b_a_used_up_budget_makes_dead_letters_of_what_waits_and_ends_asks_at_once() {
    let none = "intensity = 0\nperiod = \"60s\"";
    let pool = format!(
        "{}\n[[pool]]\nname = \"frail\"\nbehaviour = \"probe\"\nargs = {{ start = 0 }}\n{none}\n",
        app(none, "", "")
    );
    let node = Node::start(&pool);
    node.spawn("frail", "a");
    node.spawn("probes", "sender");
    for path in ["/app/a", "/frail/a"] {
        let id = node.id(path);
        node.spawn("probes", "asker");
        let asks = json!({"AskLater": {"to": id, "text": "asked", "timeout_ms": 3_600_000}});
        node.occupy(path, 3_000);
        node.tell(path, json!({"Panic": {"text": "the last straw"}}));
        let tell = json!({"Tell": {"to": id, "text": "queued", "times": 10}});
        assert_eq!(node.ask("/probes/sender", tell)["Told"]["accepted"], 10);
        assert!(node.ask("/probes/asker", asks)["Asked"].is_object());
        // Its timeout is an hour; the answer comes with the end.
        let of_asker = || node.ask("/probes/asker", json!("Events"))["Events"].clone();
        node.until("the ask has ended", || of_asker() != json!([]));
        let error = of_asker()[0]["Reply"]["error"].clone();
        assert_eq!(
            error, "the target, or its life, ended before it replied",
            "{error}"
        );

        let letters = node.dead_letters();
        let of = |key: &str, value: Value| {
            let letters = letters.iter();
            letters
                .filter(|l| l["to_id"] == id && l[key] == value)
                .count()
        };
        assert_eq!(of("sender", json!("/probes/sender")), 10, "{letters:?}");
        assert_eq!(of("sender", json!("/probes/asker")), 1, "{letters:?}");
        assert_eq!(of("reason", json!("stopped")), 11, "{letters:?}");
        assert_eq!(of("reason", json!("crashed")), 1, "{letters:?}");
        let gone = node.fails(&["tell", &id.to_string(), "\"Total\""], 1);
        assert_eq!(gone["code"], "stopped");
        node.ok(&["stop", "/probes/asker"]);
    }
    assert_eq!(node.log_lines(&["supervisor failed", "/app"]).len(), 1);
    let used_up = node.log_lines(&["restart budget is used up", "/frail/a"]);
    assert_eq!(used_up.len(), 1, "{used_up:?}");
}

#[tokio::test]
async fn c18c_a_thousand_lives_that_die_at_once_are_heard_of_and_leave_no_ghost() {
    let first =
        r#", fault = { FailFirst = { counter = "/aid/counter", lives = 1000, by_panic = true } }"#;
    let aid = "\n[[supervisor]]\nname = \"aid\"\n[[supervisor.child]]\nname = \"counter\"\n\
               behaviour = \"probe\"\nargs = { start = 1000 }\n";
    let app = app(MANY, first, "");
    let at = app.find("[[supervisor]]").expect("there is one");
    let node = Node::start(&format!("{}{aid}{}", &app[..at], &app[at..]));
    let id = node.id("/app/a");
    // Life 1,001 was the first; after its crash a thousand die in `init`.
    node.ask("/aid/counter", json!({"Add": {"n": -1001}}));
    node.crash("/app/a");
    node.until("it lives again", || {
        node.actor("/app/a").is_some_and(|a| a["status"] == "idle")
    });
    let count = |words: &[&str]| node.log_lines(words).len();
    assert_eq!(count(&["crashed actor=/app/a ", "panics in init"]), 1_000);
    assert_eq!(
        count(&["restarted actor=/app/a "]),
        1,
        "the others did not begin"
    );
    assert_eq!(count(&["supervisor failed"]), 0);
    assert_eq!(node.id("/app/a"), id);

    // Children that are added and die at once were never there.
    let client = node.client();
    let add = ChildAddRequest {
        supervisor: "/app".into(),
        id: "b".into(),
        behaviour: "probe".into(),
        args: Some(json!({"start": 0, "fault": "Panic"})),
        restart: RestartType::Permanent,
        significant: false,
        timeout_ms: None,
    };
    for _ in 0..1_000 {
        let error = client.add_child(&add).await.expect_err("it dies");
        assert_eq!(error.code(), "start-failed");
        assert!(
            error.to_string().contains("asked to panic in init"),
            "{error}"
        );
    }
    let counts = node.ok(&["child", "count", "/app"]);
    let one =
        json!({"supervisor": "/app", "specs": 1, "active": 1, "supervisors": 0, "workers": 1});
    assert_eq!(counts, one);
    let list = node.ok(&["ps", "--under", "/app"]);
    assert_eq!(list["actors"].as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!(node.ok(&["stats"])["actors"], 2);
    assert_eq!(node.ask("/app/a", json!({"Add": {"n": 1}}))["Number"], 1);
}

#[test]
fn c18d_an_init_that_spawns_fixed_names_crashes_again_and_again() {
    let node = Node::start(&app(MANY, r#", children = ["x", "y"]"#, ""));
    let family = || {
        let list = node.ok(&["ps", "--under", "/app"]);
        let actors = list["actors"].as_array().expect("a list").clone();
        let all = actors.into_iter().map(|actor| {
            let path = actor["path"].as_str().expect("a text").to_owned();
            (path, actor["id"].as_u64())
        });
        let mut all: Vec<_> = all.collect();
        all.sort();
        all
    };
    let mut before = family();
    for _ in 0..5 {
        crash_and_return(&node, "/app/a");
        node.until("all are there", || family().len() == 3);
        let after = family();
        let paths: Vec<_> = after.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["/app/a", "/app/a/x", "/app/a/y"]);
        assert_eq!(after[0], before[0], "the parent is the same actor");
        assert!(
            after[1] != before[1] && after[2] != before[2],
            "new children"
        );
        assert_eq!(node.ask("/app/a/x", json!({"Add": {"n": 1}}))["Number"], 1);
        before = after;
    }
    assert_eq!(
        node.log_lines(&["crashed actor="]).len(),
        5,
        "{}",
        node.log()
    );
    assert_eq!(node.ok(&["stats"])["actors"], 3, "no orphan");
}

#[test]
fn the_log_says_what_ends_a_life_for_good() {
    let child = |on_crash: &str| {
        format!(
            "[behaviour.probe]\nmodule = \"{{probe}}\"\n[[supervisor]]\nname = \"app\"\n\
             [[supervisor.child]]\nname = \"a\"\nbehaviour = \"probe\"\n\
             args = {{ start = 0 }}\non-crash = \"{on_crash}\"\n"
        )
    };
    for (on_crash, said) in [
        ("escalate", "ended: it escalates to its supervisor"),
        ("stop", "ended: its spec gives it no other life"),
    ] {
        let node = Node::start(&child(on_crash));
        node.crash("/app/a");
        let lines = || node.log_lines(&[said, "actor=/app/a ", "reason=crashed: panic"]);
        node.until("its end is said", || !lines().is_empty());
        assert_eq!(lines().len(), 1, "{}", node.log());
        let budget = node.log_lines(&["budget is used up", "actor=/app/a "]);
        assert!(budget.is_empty(), "{budget:?}");
    }
}

#[test]
fn c51_a_restart_kills_a_turn_that_does_not_end_in_the_shutdown_time() {
    let node = Node::start(&app(MANY, "", "shutdown = \"200ms\""));
    node.occupy("/app/a", 60_000);
    node.tell("/app/a", json!({"Add": {"n": 7}}));
    let reply = node.ok(&["restart", "/app/a"]);
    assert_eq!(reply["restarts"], 1, "{reply}");
    // What waited is handled by the new life; what was being handled is a dead letter.
    assert_eq!(node.ask("/app/a", json!({"Add": {"n": 0}}))["Number"], 7);
    let letters = node.dead_letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(letters[0]["reason"], "killed");
    assert_eq!(node.restarts("/app/a"), Some(1));
}
