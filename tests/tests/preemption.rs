//! Guests that do not give way, and the limits that end them.

use actorhost_tests::{Node, bytes_of};
use actorhost_wire::api::{AskRequest, SpawnRequest, StopMode, StopRequest, TellRequest};
use serde_json::{Value, json};
use std::{
    fs,
    time::{Duration, Instant},
};

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

[behaviour.pinned]
module = "{probe}"
fuel-per-turn = "unlimited"
dispatcher = "slow"

[behaviour.hurried]
module = "{probe}"
deadline = "300ms"
fuel-per-turn = 50_000_000

[dispatchers.slow]
threads = 1

[[pool]]
name = "pinned"
behaviour = "pinned"
args = { start = 0 }

[[pool]]
name = "hurried"
behaviour = "hurried"
args = { start = 0 }
intensity = 100
period = "5s"

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

fn dispatcher(node: &Node, name: &str) -> Value {
    let stats = node.ok(&["stats"]);
    let dispatchers = stats["dispatchers"].as_array().expect("a list");
    let found = dispatchers.iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {stats}")).clone()
}

/// Kills actors of the pool `spinners`, which is possible though they never end.
#[track_caller]
fn kill(node: &Node, path: &str) {
    assert_eq!(node.ok(&["kill", path])["reason"], "killed");
}

/// So many new actors sleep in the host, all told before the first is asked; returns
/// how long it took until all had answered.
async fn sleep_together(node: &Node, actors: usize, ms: u64) -> Duration {
    let client = node.client();
    for n in 0..actors {
        let spawn = SpawnRequest {
            behaviour: None,
            pool: Some("probes".into()),
            name: Some(format!("p{n}")),
            args: None,
        };
        client.spawn(&spawn).await.expect("it spawns");
    }
    let begun = Instant::now();
    for n in 0..actors {
        for message in [json!({"SleepMs": {"ms": ms}}), json!({"Add": {"n": 1}})] {
            let to = format!("/probes/p{n}");
            let tell = TellRequest { to, message };
            client.tell(&tell).await.expect("it is accepted");
        }
    }
    for n in 0..actors {
        let ask = AskRequest {
            to: format!("/probes/p{n}"),
            message: json!("Total"),
            timeout_ms: 60_000,
        };
        let reply = client.ask(&ask).await.expect("it answers").reply;
        assert_eq!(reply["Number"], 1, "p{n}");
    }
    begun.elapsed()
}

#[tokio::test]
async fn c32_a_thousand_that_wait_in_the_host_hold_no_thread() {
    let node = Node::start(MANIFEST);
    let took = sleep_together(&node, 1_000, 1_000).await;
    // One after the other on two threads they would sleep for 500 s.
    assert!(took < Duration::from_secs(50), "{took:?}");
}

#[test]
fn c32_reading_files_holds_no_thread_either() {
    let grant = "\ncapabilities.dirs = [{ host = \"data\", guest = \"/data\" }]\n";
    let behaviour = "memory = \"8MiB\"";
    let dir = Node::dir(&MANIFEST.replace(behaviour, &format!("{behaviour}{grant}")));
    let data = dir.path().join("data");
    fs::create_dir(&data).expect("it is new");
    // A pipe that nobody writes to: whoever opens it waits.
    let made = std::process::Command::new("mkfifo")
        .arg(data.join("pipe"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let node = Node::start_in(dir).expect("it starts");
    node.spawn("probes", "quiet");
    for n in 0..4 {
        let name = format!("reader{n}");
        node.spawn("probes", &name);
        node.tell(
            &format!("/probes/{name}"),
            json!({"ReadFile": {"path": "/data/pipe"}}),
        );
    }
    for n in 1..=20 {
        let reply = node.ask("/probes/quiet", json!({"Add": {"n": 1}}));
        assert_eq!(reply["Number"], n);
    }
    // Let go of the readers: the host's threads wait in the system's open.
    for _ in 0..4 {
        drop(
            fs::OpenOptions::new()
                .read(true)
                .write(true)
                .open(data.join("pipe")),
        );
    }
}

#[test]
fn c33_actors_pinned_to_another_dispatcher_do_not_delay_the_default() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "quiet");
    for n in 0..4 {
        let name = format!("s{n}");
        node.spawn("pinned", &name);
        node.tell(&format!("/pinned/{name}"), json!("Spin"));
    }
    node.until("the other dispatcher is full", || {
        dispatcher(&node, "slow")["queued"] == 3
    });
    let before = dispatcher(&node, "default");
    assert_eq!(before["queued"], 0);
    for n in 1..=20 {
        let reply = node.ask("/probes/quiet", json!({"Add": {"n": 1}}));
        assert_eq!(reply["Number"], n);
    }
    let (default, slow) = (dispatcher(&node, "default"), dispatcher(&node, "slow"));
    assert_eq!(
        (&default["threads"], &slow["threads"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(dispatcher(&node, "blocking")["threads"], 4);
    assert!(default["runs"].as_u64() >= before["runs"].as_u64().map(|runs| runs + 20));
    // Spinners take their one thread whole, and nothing of the others.
    let busy = |name| {
        dispatcher(&node, name)["utilisation"]
            .as_f64()
            .expect("a share")
    };
    node.until("looks speak of the time of the spinners only", || {
        busy("slow") > 0.9
    });
    assert!(busy("default") < 0.9);
    for n in 0..4 {
        kill(&node, &format!("/pinned/s{n}"));
    }
}

#[test]
fn c35_a_turn_has_one_budget_for_computing_and_one_for_waiting() {
    let node = Node::start(MANIFEST);
    node.spawn("hurried", "a");
    node.spawn("probes", "slow");
    let slow = node.id("/probes/slow");
    let ask_slow = |timeout_ms: u32| json!({"AskToSleep": {"to": slow, "ms": 60_000, "timeout_ms": timeout_ms}});
    // Waiting in WASI and in the node counts alike.
    for message in [json!({"SleepMs": {"ms": 60_000}}), ask_slow(59_000)] {
        node.ask("/hurried/a", json!({"Add": {"n": 1}}));
        let error = node.ask_fails("/hurried/a", message);
        assert_eq!(error["code"], "crashed", "{error}");
        let said = error["message"].as_str().expect("a text");
        assert!(
            said.contains("deadline") && said.contains("300 ms"),
            "{said}"
        );
        // It begins anew.
        assert_eq!(node.ask("/hurried/a", json!("Total"))["Number"], 0);
    }
    // Each turn has both budgets whole.
    for _ in 0..3 {
        node.ask("/hurried/a", json!({"SleepMs": {"ms": 50}}));
        node.ask("/hurried/a", json!({"SpinFor": {"iterations": 1_000_000}}));
    }
    let spun = node.ask_fails("/hurried/a", json!("Spin"));
    let said = spun["message"].as_str().expect("a text");
    assert!(said.contains("fuel-exhausted"), "{said}");
}

#[test]
fn c35_queueing_behind_others_never_counts() {
    let hurried = "deadline = \"300ms\"\nfuel-per-turn = ";
    let manifest = MANIFEST.replace("threads = 2", "threads = 1").replace(
        &format!("{hurried}50_000_000"),
        &format!("{hurried}\"unlimited\""),
    );
    let node = Node::start(&manifest);
    node.spawn("hurried", "a");
    for n in 0..8 {
        let name = format!("s{n}");
        node.spawn("spinners", &name);
        node.tell(&format!("/spinners/{name}"), json!("Spin"));
    }
    // A hundred slices, each behind eight spinners: more than the deadline.
    let compute = json!({"SpinFor": {"iterations": 100_000_000}});
    let begun = Instant::now();
    node.ask("/hurried/a", compute);
    assert!(
        begun.elapsed() > Duration::from_millis(300),
        "it was long enough to tell"
    );
    node.ask("/hurried/a", json!({"SleepMs": {"ms": 10}}));
    assert_eq!(node.actor("/hurried/a").expect("it lives")["restarts"], 0);
    for n in 0..8 {
        kill(&node, &format!("/spinners/s{n}"));
    }
}

#[test]
fn c36_as_many_endless_loops_as_threads_leave_the_node_usable() {
    let node = Node::start(MANIFEST);
    node.spawn("probes", "quiet");
    for name in ["s0", "s1"] {
        node.spawn("spinners", name);
        node.tell(&format!("/spinners/{name}"), json!("Spin"));
    }
    node.until("all threads are taken", || {
        dispatcher(&node, "default")["utilisation"].as_f64() > Some(0.9)
    });
    assert_eq!(node.ok(&["ps", "--under", "/spinners"])["total"], 2);
    assert_eq!(
        node.ask("/probes/quiet", json!({"Add": {"n": 1}}))["Number"],
        1
    );
    node.ask("/probes/quiet", json!({"SleepMs": {"ms": 10}}));
    kill(&node, "/spinners/s0");
    // A stop that waits for the turn ends as a kill at its own timeout.
    let stop = node.ok(&["stop", "/spinners/s1", "--timeout", "100ms"]);
    assert_eq!(stop["reason"], "killed");
    assert_eq!(node.ok(&["ps", "--under", "/spinners"])["total"], 0);
    assert_eq!(
        node.ask("/probes/quiet", json!({"Add": {"n": 1}}))["Number"],
        2
    );
}

#[test]
fn c37_deployments_do_not_keep_actors_from_answering() {
    const COMPONENTS: u8 = 20;
    let node = Node::start(MANIFEST);
    node.spawn("probes", "quiet");
    let probe = bytes_of("probe");
    std::thread::scope(|scope| {
        let deploys: Vec<_> = (0..COMPONENTS)
            .map(|n| {
                let file = node.path().join(format!("m{n}.wasm"));
                // A custom section of its own makes each another module to compile.
                let mut bytes = probe.clone();
                bytes.extend([0, 3, 1, b'n', n]);
                fs::write(&file, bytes).expect("it is writable");
                let node = &node;
                scope.spawn(move || {
                    let file = file.display().to_string();
                    node.ok(&["deploy", &format!("b{n}"), &file]);
                })
            })
            .collect();
        let mut answered = 0;
        while !deploys
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            answered += 1;
            let reply = node.ask("/probes/quiet", json!({"Add": {"n": 1}}));
            assert_eq!(reply["Number"], answered);
        }
        assert!(answered > 0, "it answers meanwhile");
    });
}

#[tokio::test]
async fn c38_actors_beyond_the_instances_wait_and_later_ones_work() {
    // 512 more instances than `live-max` may be held by actors that cannot sleep.
    const ACTORS: usize = 600;
    let node = Node::start(&MANIFEST.replace("threads = 2", "threads = 2\nlive-max = 8"));
    sleep_together(&node, ACTORS, 1_000).await;
    let stats = node.ok(&["stats"]);
    assert_eq!(stats["actors"], ACTORS);
    assert!(stats["asleep"].as_u64() >= Some(80), "{stats}");
    assert_eq!(stats["crashes"], 0);
    node.spawn("probes", "late");
    assert_eq!(node.ask("/probes/late", json!("Total"))["Number"], 0);
}
