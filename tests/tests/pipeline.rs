//! The example `pipeline`: back-pressure from the disk to whoever sends, rest-for-one,
//! a dispatcher of its own for what blocks.

use actorhost::client::Client;
use actorhost_tests::{Node, Shell, guest, typed_lines, workspace};
use actorhost_wire::api::TellRequest;
use serde_json::{Value, json};
use std::{fs, path::Path, sync::Arc};

const STAGES: [&str; 3] = ["/pipeline/write", "/pipeline/tally", "/pipeline/parse"];

fn example(file: &str) -> String {
    let path = workspace().join("examples/pipeline").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The example's own manifest, on a module that is built already.
fn start() -> Node {
    let manifest = example("actorhost.toml");
    assert!(manifest.contains("crate = \"stage\""));
    let dir = Node::dir(&manifest.replace("crate = \"stage\"", "module = \"{pipeline-stage}\""));
    fs::create_dir(dir.path().join("out")).expect("it is writable");
    Node::start_in(dir).unwrap_or_else(|ran| panic!("the node did not start: {ran:?}"))
}

fn report(node: &Node, stage: &str) -> Value {
    node.ask(stage, json!("Report"))["Report"].clone()
}

fn restarts(node: &Node) -> Vec<u64> {
    let of = |stage: &&str| node.actor(stage).expect("it lives")["restarts"].as_u64();
    STAGES
        .iter()
        .map(|stage| of(stage).expect("a number"))
        .collect()
}

async fn tell(client: &Client, line: String) {
    let request = TellRequest {
        to: "/pipeline/parse".into(),
        message: json!({"Line": line}),
    };
    client.tell(&request).await.expect("it is accepted");
}

const SENDERS: u64 = 40;
const LINES_EACH: u64 = 250;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_lines_go_through_and_no_stage_ever_holds_more_than_its_mailbox() {
    let node = start();
    let client = Arc::new(node.client());
    let senders: Vec<_> = (0..SENDERS)
        .map(|sensor| {
            let client = client.clone();
            tokio::spawn(async move {
                for n in 0..LINES_EACH {
                    tell(&client, format!("sensor-{sensor},{n}")).await;
                }
            })
        })
        .collect();
    let mut deepest = 0;
    while !senders.iter().all(|sender| sender.is_finished()) {
        let list = node.ok(&["ps", "--under", "/pipeline"]);
        for actor in list["actors"].as_array().expect("a list") {
            deepest = deepest.max(actor["queued"].as_u64().expect("a number"));
        }
    }
    for sender in senders {
        sender.await.expect("it was accepted");
    }
    assert!(deepest > 0, "the disk was never slower than the senders");
    assert!(deepest <= 16, "{deepest} waited in one mailbox of 16");

    let lines = SENDERS * LINES_EACH;
    node.until("the writer has written them", || {
        report(&node, "/pipeline/write")["handed_on"] == lines / 10
    });
    for (stage, taken, handed_on) in [
        ("/pipeline/parse", lines, lines),
        ("/pipeline/tally", lines, lines / 10),
        ("/pipeline/write", lines / 10, lines / 10),
    ] {
        let expected = json!({"taken": taken, "handed_on": handed_on, "refused": 0});
        assert_eq!(report(&node, stage), expected, "{stage}");
    }
    // Each sensor's readings came in order: a mean of 0..10 is 4.5, of 10..20 14.5 …
    let means: String = (0..LINES_EACH / 10).map(|n| format!("{n}4.5\n")).collect();
    let means = means.replacen("04.5", "4.5", 1);
    for sensor in 0..SENDERS {
        assert_eq!(written(node.path(), sensor), means, "sensor {sensor}");
    }
    assert_eq!(node.dead_letters(), Vec::<Value>::new());
}

fn written(dir: &Path, sensor: u64) -> String {
    fs::read_to_string(dir.join(format!("out/sensor-{sensor}.csv"))).expect("it was written")
}

#[test]
fn a_crash_of_the_writer_starts_every_stage_anew_and_loses_one_message() {
    let node = start();
    let line = |text: &str| node.tell("/pipeline/parse", json!({"Line": text}));
    for n in 0..10 {
        line(&format!("boiler,{n}"));
    }
    node.until("the first mean is written", || {
        report(&node, "/pipeline/write")["handed_on"] == 1
    });
    assert_eq!(restarts(&node), [0, 0, 0]);
    for _ in 0..10 {
        line("no/such,1");
    }
    node.until("all three have started anew", || {
        restarts(&node) == [1, 1, 1]
    });
    let letters = node.dead_letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!(letters[0]["reason"], "crashed");
    assert_eq!(letters[0]["to"], "/pipeline/write");
    let nothing = json!({"taken": 0, "handed_on": 0, "refused": 0});
    assert_eq!(report(&node, "/pipeline/parse"), nothing);

    // The same addresses, and what was written stays.
    for n in 10..20 {
        line(&format!("boiler,{n}"));
    }
    node.until("the second mean is written", || {
        report(&node, "/pipeline/write")["handed_on"] == 1
    });
    let boiler = fs::read_to_string(node.path().join("out/boiler.csv")).expect("it was written");
    assert_eq!(boiler, "4.5\n14.5\n");
}

#[test]
fn the_writer_alone_runs_on_the_disks_dispatcher_and_reaches_the_disk() {
    let node = start();
    for n in 0..10 {
        node.tell("/pipeline/parse", json!({"Line": format!("boiler,{n}")}));
    }
    node.until("the mean is written", || {
        report(&node, "/pipeline/write")["handed_on"] == 1
    });
    let stats = node.ok(&["stats"]);
    let disk = stats["dispatchers"].as_array().expect("a list").iter();
    let disk = disk.into_iter().find(|view| view["name"] == "disk");
    let disk = disk.expect("the manifest names it");
    assert_eq!(disk["threads"], 1);
    assert!(disk["runs"].as_u64().expect("a number") > 0, "{disk}");

    // The same module without the grant cannot write.
    let misuse = node.run(&[
        "spawn",
        "--behaviour",
        "stage",
        "--name",
        "rogue",
        "--args",
        r#"{"Write": {"dir": "/out"}}"#,
    ]);
    assert_eq!(misuse.code, 0, "{misuse:?}");
    let mean = json!({"Mean": {"sensor": "boiler", "mean": 1.0}});
    let error = node.ask_fails("/rogue", mean);
    assert_eq!(error["code"], "crashed", "{error}");
}

#[test]
fn the_readme_is_true() {
    let data_dir = tempfile::tempdir().expect("a temporary directory");
    guest("pipeline-stage");
    let mut shell = Shell::new(&workspace().join("examples/pipeline"));
    shell.export("ACTORHOST_DATA_DIR", &data_dir.path().display().to_string());
    let mut replies = Vec::new();
    for line in typed_lines(&example("README.md"), "# pipeline") {
        if line == "actorhost up" {
            shell.up();
            continue;
        }
        let ran = shell.run(&line);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
        if line.starts_with("actorhost ask") {
            replies.push(serde_json::from_str::<Value>(&ran.stdout).expect("JSON"));
        }
    }
    assert_eq!(replies[0], json!("Done"));
    let refused = replies[1]["Refused"].as_str().expect("it is refused");
    assert!(refused.contains("hot"), "{refused}");
    assert_eq!(
        replies[2]["Report"],
        json!({"taken": 1, "handed_on": 0, "refused": 0})
    );
    shell.ok("actorhost down");
}
