//! Behaviours are replaced while their actors run.

use actorhost::client::Client;
use actorhost_tests::{Node, guest};
use actorhost_wire::api::{AskRequest, FeedRequest, FeedRow};
use serde_json::{Value, json};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

const MANIFEST: &str = r#"
[node]
threads = 2

[behaviour.probe]
module = "{probe}"
fuel-per-turn = 200000000
mailbox = { capacity = 256 }

[behaviour.probe.capabilities]
env = { HARBOUR = "Bremen" }

[behaviour.stateless]
module = "{stateless}"

[[pool]]
name = "probes"
behaviour = "probe"
args = { start = 7 }
intensity = 100
period = "5s"

[[supervisor]]
name = "app"

[[supervisor.child]]
name = "echo"
behaviour = "stateless"
"#;

fn v2() -> String {
    guest("probe-v2").display().to_string()
}

fn spawn(node: &Node, name: &str) -> u64 {
    let spawned = node.ok(&["spawn", "--pool", "probes", "--name", name]);
    spawned["id"].as_u64().expect("an id is a number")
}

/// What an actor says of itself.
fn me(node: &Node, path: &str) -> Value {
    node.ask(path, json!("WhoAmI"))["Me"].clone()
}

fn total(node: &Node, path: &str) -> Value {
    node.ask(path, json!("Total"))["Number"].clone()
}

const ACTORS: u64 = 1_000;
const SENDERS: u32 = 8;

fn path(actor: u64) -> String {
    format!("/probes/p{actor}")
}

/// One message for each actor.
fn to_each(message: impl Fn(u64) -> Value) -> FeedRequest {
    let row = |actor| FeedRow {
        row: actor + 1,
        key: format!("p{actor}"),
        message: message(actor),
    };
    FeedRequest {
        pool: "probes".into(),
        variant: None,
        rows: (0..ACTORS).map(row).collect(),
    }
}

async fn send(client: &Client, request: &FeedRequest) {
    let reply = client.feed(request).await.expect("the node lives");
    assert_eq!(reply.accepted, ACTORS, "{:?}", reply.rejected);
}

async fn ask(client: &Client, actor: u64, message: &str) -> Value {
    let request = AskRequest {
        to: path(actor),
        message: json!(message),
        timeout_ms: 30_000,
    };
    client.ask(&request).await.expect("it replies").reply
}

/// Senders that send round after round, each a numbered note to every actor.
struct Load {
    rounds: Vec<Arc<AtomicU64>>,
    over: Arc<AtomicBool>,
    senders: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    fn start(client: &Arc<Client>) -> Self {
        let mut load = Self {
            rounds: Vec::new(),
            over: Arc::default(),
            senders: Vec::new(),
        };
        for from in 0..SENDERS {
            let (client, over) = (client.clone(), load.over.clone());
            let rounds = Arc::<AtomicU64>::default();
            load.rounds.push(rounds.clone());
            load.senders.push(tokio::spawn(async move {
                while !over.load(Ordering::SeqCst) {
                    let seq = rounds.load(Ordering::SeqCst) + 1;
                    send(
                        &client,
                        &to_each(|_| json!({"Note": {"from": from, "seq": seq}})),
                    )
                    .await;
                    rounds.store(seq, Ordering::SeqCst);
                }
            }));
        }
        load
    }

    /// Waits until every sender has sent some more rounds.
    async fn go_on(&self) {
        for rounds in &self.rounds {
            let goal = rounds.load(Ordering::SeqCst) + 3;
            while rounds.load(Ordering::SeqCst) < goal {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }

    /// Ends it; how many rounds each sender has sent.
    async fn end(self) -> Vec<u64> {
        self.over.store(true, Ordering::SeqCst);
        for sender in self.senders {
            sender.await.expect("no message was refused");
        }
        let rounds = self.rounds.iter();
        rounds.map(|rounds| rounds.load(Ordering::SeqCst)).collect()
    }
}

/// That each sender's notes came once, all, and in order.
fn assert_notes(actor: u64, report: &Value, rounds: &[u64]) {
    let notes = report["Report"].as_array().expect("a list");
    assert_eq!(notes.len(), rounds.len(), "actor {actor}");
    for note in notes {
        let from = note["from"].as_u64().expect("a number");
        let sent = rounds[usize::try_from(from).expect("it is small")];
        let right = json!({"from": from, "count": sent, "last_seq": sent, "out_of_order": 0});
        assert_eq!(note, &right, "actor {actor}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c60_a_swap_under_load_loses_nothing_doubles_nothing_and_carries_the_state() {
    let node = Node::start(MANIFEST);
    let client = Arc::new(Client::new(node.data_dir()));
    send(&client, &to_each(|actor| json!({"Add": {"n": actor}}))).await;
    let mut tokens = Vec::new();
    for actor in 0..ACTORS {
        tokens.push(ask(&client, actor, "WhoAmI").await["Me"]["token"].clone());
    }

    let load = Load::start(&client);
    load.go_on().await;
    let report = node.ok(&["swap", "probe", &v2()]);
    load.go_on().await;
    let rounds = load.end().await;

    assert_eq!(report["failed"], json!([]));
    assert_eq!(report["gone"], 0);
    let moved = report["swapped"].as_u64().zip(report["deferred"].as_u64());
    assert_eq!(moved.map(|(now, later)| now + later), Some(ACTORS));
    assert_eq!(report["from"]["version"], 1);
    assert_eq!(report["to"]["version"], 2);
    assert_eq!(report["to"]["module_version"], "0.2.0");
    for actor in 0..ACTORS {
        assert_notes(actor, &ask(&client, actor, "Report").await, &rounds);
        assert_eq!(
            ask(&client, actor, "Total").await,
            json!({"Number": 7 + actor})
        );
        let me = &ask(&client, actor, "WhoAmI").await["Me"];
        assert_eq!(me["token"], tokens[actor as usize]);
        assert_eq!(me["version"], "0.2.0");
        assert_eq!(me["migrated_from"], 1);
    }
    let letters = node.ok(&["dead-letters"]);
    assert_eq!(letters["total"], 0, "{letters}");
}

#[test]
fn c61_actors_whose_state_is_not_taken_keep_the_old_version_and_are_named() {
    let node = Node::start(MANIFEST);
    let faults = [
        ("load-refuses", "Refuse", "asked to refuse in load"),
        ("load-panics", "Panic", "asked to panic in load"),
        ("load-spins", "Spin", "fuel"),
    ];
    for name in ["well", "also-well"] {
        spawn(&node, name);
    }
    for (name, fault, _) in faults {
        spawn(&node, name);
        node.ask(&format!("/probes/{name}"), json!({"Add": {"n": 1}}));
        let fail = json!({"FailLoad": {"fault": fault}});
        node.ask(&format!("/probes/{name}"), fail);
    }
    let tokens = faults.map(|(name, ..)| me(&node, &format!("/probes/{name}"))["token"].clone());

    let ran = node.run(&["swap", "probe", &v2(), "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report = ran.json();
    assert_eq!(report["swapped"], 2, "{report}");
    let failed = report["failed"].as_array().expect("a list");
    assert_eq!(failed.len(), faults.len(), "{report}");
    for ((name, _, cause), token) in faults.into_iter().zip(tokens) {
        let path = format!("/probes/{name}");
        let failure = failed.iter().find(|failure| failure["path"] == path);
        let failure = failure.unwrap_or_else(|| panic!("{name} is not in {report}"));
        let said = failure["cause"].as_str().expect("a text");
        assert!(said.contains(cause), "{name}: {said}");

        assert_eq!(node.actor(&path).expect("it lives")["version"], 1, "{name}");
        let me = me(&node, &path);
        assert_eq!(me["token"], token, "{name} goes on as it was");
        assert_eq!(me["version"], "0.1.0");
        assert_eq!(total(&node, &path), 8);
    }
    assert_eq!(node.actor("/probes/well").expect("it lives")["version"], 2);
    assert_eq!(me(&node, "/probes/well")["version"], "0.2.0");

    // Those who read it as text are told the same.
    let node = Node::start(MANIFEST);
    spawn(&node, "a");
    node.ask("/probes/a", json!({"FailLoad": {"fault": "Refuse"}}));
    let ran = node.run(&["swap", "probe", &v2()]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("/probes/a") && ran.stdout.contains("asked to refuse in load"),
        "{ran:?}"
    );
    // A new life begins on the version that is current now.
    node.ok(&["restart", "/probes/a"]);
    assert_eq!(me(&node, "/probes/a")["version"], "0.2.0");
}

#[test]
fn an_actor_whose_save_fails_is_named_and_lives_on() {
    let node = Node::start(MANIFEST);
    let faults = [
        ("refuses", "Refuse", "save-failed"),
        ("panics", "Panic", "asked to panic in save"),
    ];
    let mut ids = Vec::new();
    for (name, fault, _) in faults {
        ids.push(spawn(&node, name));
        let fail = json!({"FailSave": {"fault": fault}});
        node.ask(&format!("/probes/{name}"), fail);
    }
    let ran = node.run(&["swap", "probe", &v2(), "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report = ran.json();
    for ((name, _, cause), id) in faults.into_iter().zip(ids) {
        let path = format!("/probes/{name}");
        let failed = report["failed"].as_array().expect("a list").iter();
        let said = failed
            .filter(|failure| failure["path"] == path)
            .filter_map(|failure| failure["cause"].as_str())
            .next();
        assert!(said.is_some_and(|said| said.contains(cause)), "{report}");
        assert_eq!(me(&node, &path)["id"], id);
    }
    // A panic takes the life with it; the next one begins on the new version.
    assert_eq!(me(&node, "/probes/panics")["version"], "0.2.0");
}

#[test]
fn c63_a_swap_keeps_spec_args_capabilities_mailbox_name_and_watches() {
    let node = Node::start(MANIFEST);
    let [a, b, watcher] = ["a", "b", "watcher"].map(|name| spawn(&node, name));
    node.ask("/probes/watcher", json!({"Watch": {"target": a}}));
    node.ask("/probes/a", json!({"Add": {"n": 5}}));
    // Busy, with messages waiting, while it is swapped.
    node.tell("/probes/a", json!({"SleepMs": {"ms": 300}}));
    for seq in 1..=20 {
        node.tell("/probes/a", json!({"Note": {"from": 0, "seq": seq}}));
    }
    node.ok(&["swap", "probe", &v2()]);

    let queued = json!([{"from": 0, "count": 20, "last_seq": 20, "out_of_order": 0}]);
    assert_eq!(node.ask("/probes/a", json!("Report"))["Report"], queued);
    let me = me(&node, "/probes/a");
    assert_eq!(me["id"], a);
    assert_eq!(me["path"], "/probes/a");
    assert_eq!(me["version"], "0.2.0");
    let env = json!({"EnvVar": {"name": "HARBOUR"}});
    assert_eq!(node.ask("/probes/a", env), json!({"Text": "Bremen"}));
    let found = node.ask("/probes/watcher", json!({"Lookup": {"path": "/probes/a"}}));
    assert_eq!(found["Found"]["id"], a);

    // The mailbox has the room that it had.
    node.tell("/probes/b", json!({"SleepMs": {"ms": 600_000}}));
    node.until("it sleeps", || {
        node.actor("/probes/b").expect("it lives")["status"] == "waiting"
    });
    let many = json!({"Tell": {"to": b, "text": "x", "times": 300}});
    let told = node.ask("/probes/watcher", many)["Told"].clone();
    assert_eq!(told["accepted"], 256, "{told}");
    assert_eq!(told["refused"], 44, "{told}");
    node.ok(&["kill", "/probes/b"]);

    // The args are the spec's, the watch is from before the swap.
    node.ok(&["restart", "/probes/a"]);
    assert_eq!(total(&node, "/probes/a"), 7);
    node.ok(&["stop", "/probes/a"]);
    let downs = || node.ask("/probes/watcher", json!("Downs"))["Downs"].clone();
    node.until("the watcher hears", || downs() != json!([]));
    let downs = downs();
    assert_eq!(downs.as_array().map(Vec::len), Some(1), "{downs}");
    assert_eq!(downs[0]["id"], a);
    assert_eq!(node.id("/probes/watcher"), watcher);
}

#[test]
fn c64_an_actor_asleep_takes_the_new_version_up_when_it_wakes() {
    let node = Node::start(&MANIFEST.replace("threads = 2", "threads = 2\nlive-max = 4"));
    for actor in 0..20 {
        spawn(&node, &format!("p{actor}"));
        node.ask(&path(actor), json!({"Add": {"n": actor}}));
    }
    let asleep = || {
        let actors = node.ok(&["ps", "--under", "/probes"]);
        let actors = actors["actors"].as_array().expect("a list").clone();
        actors.iter().filter(|a| a["status"] == "asleep").count()
    };
    node.until("most are asleep", || asleep() >= 10);

    let report = node.ok(&["swap", "probe", &v2()]);
    assert_eq!(report["failed"], json!([]));
    assert!(report["deferred"].as_u64() >= Some(1), "{report}");
    for actor in 0..20 {
        assert_eq!(total(&node, &path(actor)), 7 + actor);
        assert_eq!(me(&node, &path(actor))["version"], "0.2.0");
    }
}

#[test]
fn c65_of_two_swaps_at_once_the_second_is_refused() {
    let node = Node::start(&MANIFEST.replace("200000000", "\"unlimited\""));
    for name in ["spins", "well"] {
        spawn(&node, name);
    }
    // The first swap waits for it until it is killed.
    node.tell("/probes/spins", json!("Spin"));
    std::thread::scope(|scope| {
        let first = scope.spawn(|| node.ok(&["swap", "probe", &v2(), "--timeout", "10m"]));
        let runtime = tokio::runtime::Runtime::new().expect("threads start");
        let client = Client::new(node.data_dir());
        node.until("the first has begun", || {
            let info = runtime.block_on(client.node()).expect("the node lives");
            let probe = info.behaviours.iter().find(|b| b.name == "probe");
            probe.is_some_and(|probe| probe.version == 2)
        });
        let v1 = guest("probe").display().to_string();
        let error = node.fails(&["swap", "probe", &v1], 1);
        assert_eq!(error["code"], "swap-in-progress", "{error}");
        node.ok(&["kill", "/probes/spins"]);
        let report = first.join().expect("it is not disturbed");
        assert_eq!(report["swapped"], 1, "{report}");
        assert_eq!(report["gone"], 1, "{report}");
    });
    assert_eq!(me(&node, "/probes/well")["version"], "0.2.0");
}

#[test]
fn c67_an_actor_that_does_not_end_its_turn_is_reported_and_the_others_move() {
    let node = Node::start(&MANIFEST.replace("200000000", "\"unlimited\""));
    for name in ["spins", "well"] {
        spawn(&node, name);
    }
    node.tell("/probes/spins", json!("Spin"));
    let ran = node.run(&["swap", "probe", &v2(), "--timeout", "3s", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report = ran.json();
    assert_eq!(report["swapped"], 1, "{report}");
    assert_eq!(report["failed"][0]["path"], "/probes/spins");
    let cause = report["failed"][0]["cause"].as_str().expect("a text");
    assert!(cause.contains("did not finish its turn"), "{cause}");
    assert_eq!(me(&node, "/probes/well")["version"], "0.2.0");
    node.ok(&["kill", "/probes/spins"]);
}

#[test]
fn a_swap_that_cannot_be_is_refused_and_changes_nothing() {
    let node = Node::start(MANIFEST);
    spawn(&node, "a");
    node.ask("/probes/a", json!({"Add": {"n": 1}}));
    node.ask("/app/echo", json!({"Echo": {"text": "one"}}));
    let not_wasm = node.path().join("notes.txt");
    fs::write(&not_wasm, "not a module").expect("it is writable");
    let file = |package| guest(package).display().to_string();

    let (probe, stateless) = (file("probe"), file("stateless"));
    let not_wasm = not_wasm.display().to_string();
    let refused = [
        (
            ["stateless", &probe],
            "cannot-save",
            "cannot save its state",
        ),
        (["probe", &stateless], "cannot-load", "cannot load state"),
        (["probe", &probe], "same-module", "nothing to swap"),
        (["prob", &probe], "unknown-behaviour", "prob"),
        (["probe", &not_wasm], "not-wasm", "not a WebAssembly file"),
        (["probe", "missing.wasm"], "file", "missing.wasm"),
    ];
    for ([behaviour, file], code, words) in refused {
        let error = node.fails(&["swap", behaviour, file], 1);
        assert_eq!(error["code"], code, "{error}");
        assert!(
            error["message"].as_str().expect("a text").contains(words),
            "{error}"
        );
    }
    let help = node.fails(&["swap", "prob", &probe], 1)["help"].clone();
    assert_eq!(help, "did you mean `probe`?");

    assert_eq!(total(&node, "/probes/a"), 8);
    assert_eq!(me(&node, "/probes/a")["version"], "0.1.0");
    let echoed = node.ask("/app/echo", json!({"Echo": {"text": "two"}}));
    assert_eq!(echoed, json!({"text": "two", "count": 2}));
    for actor in ["/probes/a", "/app/echo"] {
        let actor = node.actor(actor).expect("it lives");
        assert_eq!(
            (&actor["version"], &actor["restarts"]),
            (&json!(1), &json!(0))
        );
    }
}
