//! `doctor`: checks the machine and the data directory, and says how to mend what
//! is wrong. `facts` looks, `checks` judges.

mod checks;
mod facts;

use super::{
    CliError, Exit, Output, Place, examples,
    output::{lines, table},
};
use checks::{Check, Status};
use serde::Serialize;

/// Check the manifest, the data directory and this machine, and say how to mend what is wrong
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost doctor", "actorhost doctor --json"))]
pub struct Args {
    #[command(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Report {
    checks: Vec<Check>,
    /// How many found something that must be mended.
    broken: usize,
}

/// Exits with 1 when something is broken; warnings are no failure.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let data_dir = args.place.data_dir()?;
    let manifest = args.place.manifest_file();
    let facts = facts::gather(&data_dir, manifest.as_deref()).await;
    let checks = checks::all(&facts);
    let broken = checks
        .iter()
        .filter(|check| check.status == Status::Broken)
        .count();
    let report = Report { checks, broken };
    output.result(&report, text)?;
    Ok(if broken == 0 {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn text(report: &Report) -> String {
    let mut rows = table(&["", "check", "found"]);
    for check in &report.checks {
        rows.add_row([check.status.as_str(), check.name, &check.found]);
    }
    let mut text = lines(&rows);
    let mut to_mend = report
        .checks
        .iter()
        .filter(|check| check.help.is_some())
        .peekable();
    if to_mend.peek().is_some() {
        text += "\nTo mend\n";
    }
    for check in to_mend {
        let help = check.help.as_deref().unwrap_or_default();
        text += &format!("  {}: {help}\n", check.name);
    }
    text
}
