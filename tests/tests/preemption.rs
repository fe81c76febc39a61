//! Guests that do not give way, and the limits that end them.

use actorhost_tests::Node;
use actorhost_wire::api::{StopMode, StopRequest};
use serde_json::{Value, json};
use std::time::Duration;

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.unlimited]
module = "{probe}"
fuel-per-turn = "unlimited"

[behaviour.limited]
module = "{probe}"
fuel-per-turn = 50_000_000
memory = "8MiB"

[[pool]]
name = "spinners"
behaviour = "unlimited"
args = { start = 0 }

[[pool]]
name = "probes"
behaviour = "limited"
args = { start = 0 }
intensity = 100
period = "5s"
"#;

const SPINNERS: usize = 64;

#[tokio::test]
async fn c30_a_quiet_actor_answers_beside_64_that_spin_and_they_can_be_killed() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "quiet");
    for n in 0..SPINNERS {
        let name = format!("s{n}");
        node.spawn("spinners", &name);
        node.tell(&format!("/spinners/{name}"), json!("Spin"));
    }
    for n in 1..=20 {
        let reply = node.ask("/probes/quiet", json!({"Add": {"n": 1}}));
        assert_eq!(reply["Number"], n);
    }
    // New actors begin, timers run, and the command line is served.
    node.spawn("probes", "late");
    node.ask("/probes/late", json!({"SleepMs": {"ms": 10}}));
    let list = node.ok(&["ps", "--under", "/spinners"]);
    let actors = list["actors"].as_array().expect("a list");
    assert_eq!(actors.len(), SPINNERS);
    assert!(actors.iter().all(|actor| actor["status"] == "running"));

    let client = node.client();
    for n in 0..SPINNERS {
        let kill = StopRequest {
            actor: format!("/spinners/s{n}"),
            mode: StopMode::Kill,
            timeout_ms: None,
        };
        let killed = tokio::time::timeout(Duration::from_secs(60), client.stop(&kill)).await;
        let killed = killed.expect("it ends").expect("it is there");
        assert_eq!(killed.reason, "killed");
    }
    assert_eq!(node.ok(&["ps", "--under", "/spinners"])["total"], 0);
}

#[test]
fn c30_a_long_computation_is_interrupted_and_comes_to_its_end() {
    let node = Node::start(&MANIFEST.replace("threads = 2", "threads = 1"));
    node.spawn("spinners", "computes");
    node.spawn("probes", "quiet");
    let expected = {
        let mut x = 1_u64;
        for round in 0..300_000_000_u64 {
            x = x.rotate_left(7).wrapping_mul(31) ^ round;
        }
        x.cast_signed()
    };
    let compute = json!({"SpinFor": {"iterations": 300_000_000}});
    let reply = std::thread::scope(|scope| {
        let reply = scope.spawn(|| node.ask("/spinners/computes", compute));
        node.until("it computes", || {
            node.actor("/spinners/computes").expect("it lives")["status"] == "running"
        });
        node.ask("/probes/quiet", json!("Total"));
        reply.join().expect("it ends")
    });
    assert_eq!(reply["Number"], expected);
}

#[test]
fn c34_fuel_and_memory_have_limits_and_the_crash_says_which() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "a");
    let faults: [(Value, &str); 3] = [
        (json!("Spin"), "fuel-exhausted"),
        (
            json!({"SpinFor": {"iterations": 100_000_000}}),
            "fuel-exhausted",
        ),
        (json!({"Allocate": {"bytes": 32 << 20}}), "memory-limit"),
    ];
    for (n, (message, cause)) in faults.iter().enumerate() {
        node.ask("/probes/a", json!({"Add": {"n": 1}}));
        let error = node.ask_fails("/probes/a", message.clone());
        assert_eq!(error["code"], "crashed", "{error}");
        let said = error["message"].as_str().expect("a text");
        assert!(said.contains(cause), "{cause}: {said}");
        // It begins anew, and the message is kept to look at.
        assert_eq!(node.ask("/probes/a", json!("Total"))["Number"], 0);
        assert_eq!(
            node.actor("/probes/a").expect("it lives")["restarts"],
            n + 1
        );
        let letter = node.ok(&["dead-letters"])["letters"][0].clone();
        assert_eq!(&letter["message"], message);
        let detail = letter["detail"].as_str().expect("a text");
        assert!(detail.contains(cause), "{cause}: {detail}");
    }
    // Memory counts over all turns, fuel in each one.
    let part = json!({"Allocate": {"bytes": 2 << 20}});
    assert_eq!(node.ask("/probes/a", part.clone())["Number"], 2 << 20);
    node.until("it has taken too much", || {
        node.run(&["ask", "/probes/a", &part.to_string()]).code != 0
    });
    assert_eq!(node.ask("/probes/a", json!("Total"))["Number"], 0);
    assert_eq!(node.actor("/probes/a").expect("it lives")["restarts"], 4);
    for _ in 0..20 {
        node.ask("/probes/a", json!({"SpinFor": {"iterations": 1_000_000}}));
    }
}

#[test]
fn c34_init_has_the_same_limits() {
    let node = Node::start(MANIFEST);
    let spin = json!({"start": 0, "fault": "Spin"}).to_string();
    let spawn = ["spawn", "--pool", "probes", "--name", "a", "--args", &spin];
    let error = node.fails(&spawn, 1);
    assert_eq!(error["code"], "init-failed", "{error}");
    let said = error["message"].as_str().expect("a text");
    assert!(said.contains("fuel-exhausted"), "{said}");
    assert!(node.actor("/probes/a").is_none());
}
