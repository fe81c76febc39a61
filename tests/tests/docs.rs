//! What the documents say of the tests is so.

use actorhost_tests::workspace;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The scenarios of every semantic that is promised, by their names.
const SCENARIOS: &str = "c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14 c15 c16 c17 \
    c18 c18a c18b c18c c18d c18e c18f c18g c20 c21 c22 c23 c24 c25 c26 c27 c28 c29 c29a c29b \
    c29c c30 c31 c32 c33 c34 c35 c36 c37 c38 c40 c41 c42 c43 c44 c45 c46 c47 c50 c51 c52 c53 \
    c54 c55 c56 c57 c58 c59 c59a";

/// Names of the tests under a folder that are named after a scenario.
fn scenario_tests(dir: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    for entry in entries {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            scenario_tests(&path, found);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source is text");
        let mut is_test = false;
        for line in text.lines().map(str::trim_start) {
            is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            let signature = line.strip_prefix("async ").unwrap_or(line);
            let Some(name) = signature.strip_prefix("fn ") else {
                continue;
            };
            let name = name.split('(').next().unwrap_or_default();
            if std::mem::take(&mut is_test)
                && let Some(scenario) = scenario_of(name)
            {
                let tests = found.entry(scenario.to_owned()).or_default();
                tests.insert(name.to_owned());
            }
        }
    }
}

/// `c18a` of `c18a_references_from_before_a_crash`.
fn scenario_of(name: &str) -> Option<&str> {
    let (scenario, _) = name.split_once('_')?;
    let digits = scenario.strip_prefix('c')?;
    let digits = digits
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .unwrap_or(digits);
    (digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(scenario)
}

fn all_tests() -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for dir in [
        "host/core/src",
        "host/core/tests",
        "host/src",
        "tests/tests",
    ] {
        scenario_tests(&workspace().join(dir), &mut found);
    }
    found
}

#[test]
fn each_scenario_has_a_test_of_its_name() {
    let tests = all_tests();
    let missing: Vec<_> = SCENARIOS
        .split_whitespace()
        .filter(|scenario| !tests.contains_key(*scenario))
        .collect();
    assert_eq!(missing, [""; 0], "scenarios without a test");
}

#[test]
fn the_table_of_scenarios_names_each_and_every_test() {
    let table = fs::read_to_string(workspace().join("docs/promises/conformance.md"))
        .expect("the table is there");
    let named: BTreeSet<&str> = table
        .split('`')
        .filter(|word| scenario_of(word).is_some())
        .collect();
    let tests = all_tests();
    let there: BTreeSet<&str> = tests.values().flatten().map(String::as_str).collect();
    let gone: Vec<_> = named.difference(&there).collect();
    let unnamed: Vec<_> = there.difference(&named).collect();
    assert!(
        gone.is_empty(),
        "named in the table and not there: {gone:?}"
    );
    assert!(unnamed.is_empty(), "not named in the table: {unnamed:?}");
}

#[test]
fn the_pages_of_the_promises_name_scenarios_that_have_tests() {
    let tests = all_tests();
    let dir = workspace().join("docs/promises");
    let mut pages = 0;
    for entry in fs::read_dir(dir).expect("it is there") {
        let path = entry.expect("a folder can be listed").path();
        let text = fs::read_to_string(&path).expect("a page is text");
        pages += 1;
        for word in text.split('`') {
            // A scenario alone, such as `c18a`.
            if scenario_of(&format!("{word}_")) == Some(word) {
                assert!(tests.contains_key(word), "{}: {word}", path.display());
            }
        }
    }
    assert_eq!(pages, 16, "an index, a table and a page for each promise");
}
