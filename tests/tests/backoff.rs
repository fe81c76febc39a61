//! Waits between two lives, and restarts that follow each other fast.

use actorhost_tests::Node;
use serde_json::{Value, json};
use std::{
    thread::sleep,
    time::{Duration, Instant},
};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 0 }
intensity = 1000
period = "60s"
"#;

/// The waits before the restarts of an actor so far, in milliseconds.
fn waits(node: &Node, path: &str) -> Vec<u64> {
    let lines = node.log_lines(&[&format!("restarted actor={path} ")]);
    let wait = |line: &String| {
        let ms = line.split("after_ms=").nth(1).expect("it is logged");
        let digits = ms.split(|c: char| !c.is_ascii_digit()).next();
        digits.expect("there is a first").parse().expect("a number")
    };
    lines.iter().map(wait).collect()
}

fn status(node: &Node, path: &str) -> Value {
    node.actor(path).expect("it lives")["status"].clone()
}

#[test]
fn c11_waits_grow_to_the_cap_begin_anew_after_quiet_and_messages_wait() {
    let keys = "backoff = { first = \"200ms\", factor = 2.0, cap = \"800ms\", jitter = 0.25, \
                reset = \"10s\" }";
    let node = Node::start(&format!(
        "{MANIFEST}\n[[pool]]\nname = \"slow\"\nbehaviour = \"probe\"\nargs = {{ start = 0 }}\n\
         intensity = 100\nperiod = \"60s\"\n{keys}\n[[supervisor]]\nname = \"app\"\n\
         intensity = 100\nperiod = \"60s\"\n[[supervisor.child]]\nname = \"a\"\n\
         behaviour = \"probe\"\nargs = {{ start = 0 }}\n{keys}\n"
    ));
    node.spawn("slow", "a");
    node.spawn("probes", "sender");
    let paths = ["/app/a", "/slow/a"];
    let bases = [200, 400, 800, 800, 800];
    for n in 0..bases.len() {
        for path in paths {
            let id = node.id(path);
            node.crash(path);
            // In the longer waits there is time enough to look.
            if n >= 2 {
                assert_eq!(status(&node, path), "restarting");
            }
            let text = format!("waits {n}");
            let tell = json!({"Tell": {"to": id, "text": text, "times": 1}});
            let told = node.ask("/probes/sender", tell);
            assert_eq!(told["Told"]["accepted"], 1, "{told}");
            node.until("the next life", || waits(&node, path).len() > n);
            assert_eq!(node.ask(path, json!("Seen"))["Texts"], json!([text]));
        }
    }
    // A quiet period, then the first wait again.
    sleep(Duration::from_secs(11));
    for path in paths {
        node.crash(path);
        node.until("the next life", || waits(&node, path).len() > bases.len());
        let waits = waits(&node, path);
        for (wait, base) in waits.iter().zip(bases.into_iter().chain([200])) {
            let bounds = base..=base * 5 / 4;
            assert!(
                bounds.contains(wait),
                "{wait} is not in {bounds:?}: {waits:?}"
            );
        }
    }
}

#[test]
fn c17_children_that_crash_on_each_start_starve_nobody() {
    const BAD: usize = 8;
    let mut app = "[[supervisor]]\nname = \"app\"\nintensity = 1000000\nperiod = \"1h\"\n\
                   [[supervisor.child]]\nname = \"good\"\nbehaviour = \"probe\"\n\
                   args = { start = 0 }\n"
        .to_owned();
    for n in 0..BAD {
        app += &format!(
            "[[supervisor.child]]\nname = \"bad{n}\"\nbehaviour = \"probe\"\n\
             args = {{ start = 0, fault = {{ FailWhile = {{ path = \"/probes/storm\" }} }} }}\n\
             backoff = {{ first = \"20ms\", factor = 1.0, cap = \"20ms\", jitter = 0.0 }}\n"
        );
    }
    let node = Node::start(&format!("{MANIFEST}\n{app}"));
    node.spawn("probes", "storm");
    let token = node.me("/app/good")["token"].clone();
    let begun = Instant::now();
    for n in 0..BAD {
        node.crash(&format!("/app/bad{n}"));
    }
    let crashes = || node.ok(&["stats"])["crashes"].as_u64().expect("a number");
    let mut answered = 0;
    while crashes() < 500 {
        // The bystander's answer is waited for at most as long as the harness has
        // patience; so is that of an actor outside of the supervisor.
        answered += 1;
        let add = json!({"Add": {"n": 1}});
        assert_eq!(node.ask("/app/good", add.clone())["Number"], answered);
        assert_eq!(node.ask("/probes/storm", add)["Number"], answered);
    }
    let most = BAD as u64 * (2 + begun.elapsed().as_millis() as u64 / 20);
    assert!(crashes() <= most, "the loop is not busy");
    assert!(answered > 0);
    assert_eq!(node.me("/app/good")["token"], token, "it is the same life");
    assert_eq!(node.restarts("/app/good"), Some(0));
    // With the cause gone they come back, each by itself.
    node.ok(&["stop", "/probes/storm"]);
    for n in 0..BAD {
        let path = format!("/app/bad{n}");
        assert_eq!(node.me(&path)["path"], path.as_str());
    }
    assert!(node.log_lines(&["supervisor failed"]).is_empty());
}

#[test]
fn c18g_of_fifty_that_crash_at_once_each_is_restarted_once() {
    let mut app = "[[supervisor]]\nname = \"app\"\nintensity = 50\nperiod = \"1h\"\n".to_owned();
    for n in 0..50 {
        app += &format!(
            "[[supervisor.child]]\nname = \"c{n}\"\nbehaviour = \"probe\"\n\
             args = {{ start = 0 }}\n\
             backoff = {{ first = \"300ms\", factor = 2.0, cap = \"1s\", jitter = 0.25 }}\n"
        );
    }
    let node = Node::start(&format!("{MANIFEST}\n{app}"));
    node.spawn("probes", "storm");
    let path = |n: u32| format!("/app/c{n}");
    let before: Vec<_> = (0..50)
        .map(|n| {
            let joined = node.ask(&path(n), json!({"Join": {"group": "fleet"}}));
            assert_eq!(joined, "Done");
            (node.id(&path(n)), node.me(&path(n))["token"].clone())
        })
        .collect();
    // All at the same moment: when the turn of the storm has succeeded.
    let panic = json!({"PublishPanic": {"group": "fleet", "text": "storm"}});
    let published = node.ask("/probes/storm", panic);
    assert_eq!(published["Published"]["accepted"], 50, "{published}");
    node.until("all are restarted", || {
        node.log_lines(&["restarted actor=/app/c"]).len() >= 50
    });
    for (n, (id, token)) in (0..50).zip(before) {
        let me = node.me(&path(n));
        assert_eq!(node.id(&path(n)), id);
        assert_ne!(me["token"], token);
        assert_eq!(node.restarts(&path(n)), Some(1), "{}", path(n));
    }
    assert_eq!(node.log_lines(&["crashed actor=/app/c"]).len(), 50);
    assert!(node.log_lines(&["supervisor failed"]).is_empty());
    // The budget was fifty: one more is too much.
    node.crash("/app/c7");
    node.until("the supervisor fails", || {
        node.log_lines(&["supervisor failed", "more than 50 restarts"])
            .len()
            == 1
    });
}
