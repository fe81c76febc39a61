//! The examples do what their READMEs say.

use actorhost_tests::{Shell, guest, typed_lines, workspace};
use serde_json::{Value, json};
use std::fs;

fn read(path: &str) -> String {
    let path = workspace().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A shell in an example's folder, whose node keeps its files elsewhere.
fn shell(example: &str, data_dir: &tempfile::TempDir) -> Shell {
    let mut shell = Shell::new(&workspace().join(example));
    shell.export("ACTORHOST_DATA_DIR", &data_dir.path().display().to_string());
    shell
}

#[test]
fn the_bank_does_what_its_readme_says() {
    let data_dir = tempfile::tempdir().expect("a temporary directory");
    // Built here, so that the node finds it built.
    guest("bank-account");
    let mut bank = shell("examples/bank", &data_dir);
    let mut printed = Vec::new();
    for line in typed_lines(&read("examples/bank/README.md"), "# bank") {
        if line == "actorhost up" {
            bank.up();
            continue;
        }
        // The reader puts in the id that `ps` has shown.
        let line = line.replace(
            "\"to\": 4",
            &format!("\"to\": {}", id(&bank, "/vault/dave")),
        );
        let ran = bank.run(&line);
        let claim = line
            .split_once(" # ")
            .map(|(_, claim)| claim.trim().to_owned());
        printed.push((line, claim, ran));
    }
    let mut crashes = 0;
    for (line, claim, ran) in &printed {
        let claim = claim.as_deref().unwrap_or_default();
        if claim.contains("crashed") || line.contains("\"crash_before_credit\": true") {
            assert_eq!(ran.code, 1, "{line}: {ran:?}");
            assert!(ran.stderr.contains("crashed"), "{line}: {ran:?}");
            crashes += 1;
            continue;
        }
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
        if claim.contains("3000 are missing") {
            let reply: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            assert_eq!(reply, json!({"InsufficientFunds": {"missing": 3000}}));
        }
        if line.contains(" Balance") {
            let figure = claim.rsplit(' ').next().expect("a claim has words");
            let cents: u64 = figure
                .parse()
                .unwrap_or_else(|_| panic!("{line}: no figure"));
            let reply: Value = serde_json::from_str(&ran.stdout).expect("JSON");
            assert_eq!(reply, json!({"Balance": {"cents": cents}}), "{line}");
        }
    }
    assert_eq!(crashes, 2, "{printed:?}");

    // Beyond the README: a balance survives a refusal, a transfer without a crash
    // moves the money, and the reference stays valid through it all.
    assert_eq!(
        ask(&bank, "/bank/bob", r#"{"Deposit": {"cents": 70}}"#),
        balance(70)
    );
    let refused = json!({"InsufficientFunds": {"missing": 30}});
    assert_eq!(
        ask(&bank, "/bank/bob", r#"{"Withdraw": {"cents": 100}}"#),
        refused
    );
    assert_eq!(ask(&bank, "/bank/bob", "Balance"), balance(70));
    let (carol, dave) = (id(&bank, "/vault/carol"), id(&bank, "/vault/dave"));
    let transfer =
        format!(r#"{{"Transfer": {{"to": {dave}, "cents": 3000, "crash_before_credit": false}}}}"#);
    assert_eq!(ask(&bank, &carol.to_string(), &transfer), balance(2000));
    assert_eq!(ask(&bank, &dave.to_string(), "Balance"), balance(3000));
    bank.ok("actorhost down");
}

fn balance(cents: u64) -> Value {
    json!({"Balance": {"cents": cents}})
}

fn ask(shell: &Shell, to: &str, message: &str) -> Value {
    let reply = shell.ok(&format!("actorhost ask {to} '{message}'"));
    serde_json::from_str(&reply).expect("a reply is JSON")
}

fn id(shell: &Shell, path: &str) -> u64 {
    let list: Value =
        serde_json::from_str(&shell.ok("actorhost ps --json")).expect("JSON was asked for");
    let mut actors = list["actors"].as_array().expect("a list").iter();
    let actor = actors.find(|actor| actor["path"] == path);
    actor
        .and_then(|actor| actor["id"].as_u64())
        .unwrap_or_else(|| panic!("no {path}"))
}

/// Rows of the flights that are fed here; the whole file is the quick start's.
const ROWS: usize = 3_000;

#[test]
fn the_fleet_counts_the_first_flights_right() {
    let data_dir = tempfile::tempdir().expect("a temporary directory");
    guest("fleet-aircraft-v1");
    let mut fleet = shell("examples/fleet", &data_dir);
    fleet.up();
    let flights = read("examples/fleet/data/flights-2013-01.csv");
    let lines: Vec<&str> = flights.lines().take(ROWS + 1).collect();
    let head = data_dir.path().join("head.csv");
    fs::write(&head, lines.join("\n")).expect("it is writable");
    let feed = format!(
        "actorhost feed {} --pool fleet --key tailnum --message Flight --json",
        head.display()
    );
    let summary: Value = serde_json::from_str(&fleet.ok(&feed)).expect("JSON was asked for");

    let columns: Vec<&str> = lines[0].split(',').collect();
    let column = |name| {
        columns
            .iter()
            .position(|column| *column == name)
            .expect("it is there")
    };
    let (tail, delay) = (column("tailnum"), column("arr_delay"));
    let rows: Vec<Vec<&str>> = lines[1..]
        .iter()
        .map(|line| line.split(',').collect())
        .collect();
    let (known, unknown): (Vec<_>, Vec<_>) = rows.iter().partition(|row| !no_value(row[tail]));
    assert_eq!(summary["rows"], ROWS);
    assert_eq!(summary["accepted"], known.len());
    assert_eq!(summary["rejected"], unknown.len());
    assert!(
        !unknown.is_empty(),
        "the head of the file has rows without an aircraft"
    );
    assert_eq!(
        summary["rejected_by_reason"],
        json!({"no-key": unknown.len()})
    );

    let mut tails: Vec<&str> = known.iter().map(|row| row[tail]).collect();
    tails.sort_unstable();
    tails.dedup();
    assert_eq!(summary["spawned"], tails.len());
    for name in tails.iter().step_by(tails.len() / 8) {
        let flights = known.iter().filter(|row| row[tail] == *name);
        let delays: Vec<Option<i64>> = flights.map(|row| row[delay].parse().ok()).collect();
        let arrived: Vec<i64> = delays.iter().flatten().copied().collect();
        let reply = ask(&fleet, &format!("/fleet/{name}"), "Summary");
        let summary = &reply["Summary"];
        assert_eq!(summary["flights"], delays.len(), "{name}");
        assert_eq!(summary["cancelled"], delays.len() - arrived.len(), "{name}");
        assert_eq!(summary["arrived"], arrived.len(), "{name}");
        assert_eq!(summary["delay_sum"], arrived.iter().sum::<i64>(), "{name}");
        assert_eq!(summary["worst"], json!(arrived.iter().max()), "{name}");
    }
    fleet.ok("actorhost down");
}

fn no_value(cell: &str) -> bool {
    matches!(cell, "" | "NA")
}
