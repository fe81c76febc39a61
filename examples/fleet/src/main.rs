//! The fleet example, from nothing to a checked answer: builds the guests, starts a
//! node, feeds it the flights of January 2013 (one actor for each aircraft), swaps the
//! behaviour while they fly, poisons a few aircraft, and compares every figure with
//! the answer file.

mod flights;
mod node;
mod report;
mod run;

use anyhow::Context as _;
use std::{path::PathBuf, process::ExitCode};

/// The folder of this example.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn main() -> ExitCode {
    // The node runs in a process of its own: this program again, as `actorhost up`.
    if std::env::args().nth(1).as_deref() == Some("up") {
        return actorhost::cli::main();
    }
    match demo() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn demo() -> anyhow::Result<bool> {
    let workspace = folder().join("../..");
    let packages = ["fleet-aircraft-v1", "fleet-aircraft-v2"];
    println!("building the guests {} and {}", packages[0], packages[1]);
    let modules = actorhost::guest_build::build_packages(&workspace, &packages)?;
    let second = modules.get(1).context("cargo built no second version")?;
    let second = std::fs::read(second).with_context(|| format!("reading {}", second.display()))?;
    let flights = flights::Flights::read(&folder().join("data/flights-2013-01.csv"))?;
    let expected = flights::expected(&folder().join("data/expected-2013-01.json"))?;
    let node = node::NodeProcess::start(&folder()).await?;
    let ran = run::run(&node.client, &flights, second.into()).await;
    let ran = ran.with_context(|| format!("the node's log is {}", node.log.display()))?;
    node.stop().await?;
    report::print(&ran, &expected);
    Ok(report::agrees(&ran, &expected))
}
