//! `deploy`: makes a module the current version of a behaviour.

use super::{CliError, Exit, Output, Place, examples, module_file};
use actorhost_wire::api::DeployReport;
use std::path::PathBuf;

/// Make a module the current version of a behaviour; living actors keep theirs
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost deploy account target/wasm32-wasip2/release/account.wasm",
))]
pub struct Args {
    /// Name of the behaviour, new or known
    behaviour: String,
    /// The module: a component that `actorhost build` made
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let module = module_file::read(&args.file)?;
    let report = args.place.client()?.deploy(&args.behaviour, module).await?;
    output.result(&report, text)?;
    Ok(Exit::Done)
}

fn text(report: &DeployReport) -> String {
    let behaviour = &report.behaviour;
    let done = if report.changed {
        "deployed"
    } else {
        "unchanged:"
    };
    format!(
        "{done} {} version {} ({})",
        behaviour.name, behaviour.version, behaviour.module_version
    )
}
