//! `swap`: moves living actors to a new module.

use super::{CliError, Exit, Output, Place, duration, examples, module_file, output::count};
use actorhost_wire::api::SwapReport;
use std::path::PathBuf;

/// Move a behaviour's living actors to a new module, state and mailbox kept
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost swap account target/wasm32-wasip2/release/account.wasm",
    "actorhost swap account account.wasm --timeout 10s",
))]
pub struct Args {
    /// Name of the behaviour
    behaviour: String,
    /// The new module
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
    /// How long each actor may take to end its current turn; by default 30s
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis)]
    timeout: Option<u64>,
    #[command(flatten)]
    place: Place,
}

/// Exits with 1 when any actor stayed on its version.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let module = module_file::read(&args.file)?;
    let report = args
        .place
        .client()?
        .swap(&args.behaviour, module, args.timeout)
        .await?;
    output.result(&report, text)?;
    Ok(if report.failed.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Failures listed for people; `--json` has them all.
const FAILURES_SHOWN: usize = 20;

fn text(report: &SwapReport) -> String {
    let (from, to) = (&report.from, &report.to);
    let mut text = format!(
        "{}: version {} ({}) → version {} ({}) in {}\n",
        report.behaviour,
        from.version,
        from.module_version,
        to.version,
        to.module_version,
        duration::show(report.elapsed_ms)
    );
    text += &format!("  swapped   {}\n", count(report.swapped));
    text += &format!(
        "  deferred  {} (take it up when they next wake)\n",
        count(report.deferred)
    );
    if report.gone > 0 {
        text += &format!(
            "  gone      {} (ended or restarted meanwhile)\n",
            count(report.gone)
        );
    }
    text += &format!("  failed    {}\n", count(report.failed.len() as u64));
    for failure in report.failed.iter().take(FAILURES_SHOWN) {
        text += &format!("    {}: {}\n", failure.path, failure.cause);
    }
    if report.failed.len() > FAILURES_SHOWN {
        let more = (report.failed.len() - FAILURES_SHOWN) as u64;
        text += &format!("    and {} more\n", count(more));
    }
    if !report.failed.is_empty() {
        text += "Those that failed are still on the version they had, unless their cause says otherwise.\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_wire::api::{BehaviourInfo, SwapFailure};

    #[test]
    fn a_report_names_each_failure_up_to_a_few() {
        let info = |version| BehaviourInfo {
            name: "account".into(),
            version,
            module_version: format!("0.{version}.0"),
            digest: String::new(),
            actors: 30,
            can_save: true,
        };
        let failure = |at| SwapFailure {
            path: format!("/bank/{at}"),
            cause: "load: no".into(),
        };
        let report = SwapReport {
            behaviour: "account".into(),
            from: info(1),
            to: info(2),
            swapped: 1_200,
            deferred: 3,
            failed: (0..21).map(failure).collect(),
            gone: 0,
            elapsed_ms: 15,
        };
        let text = text(&report);
        assert!(text.starts_with("account: version 1 (0.1.0) → version 2 (0.2.0) in 15ms\n"));
        assert!(text.contains("  swapped   1,200\n"), "{text}");
        assert!(
            text.contains("    /bank/19: load: no\n    and 1 more\n"),
            "{text}"
        );
    }
}
