//! Benchmarks on real guests: one node in this process, one workload after the
//! other, medians over repeated runs, as a table and as JSON.

mod machine;
mod report;
mod rig;
mod workloads;

use anyhow::Context as _;
use clap::Parser;
use report::Report;
use rig::Rig;

/// Measures the node's message path on real wasm guests.
#[derive(Parser)]
#[command(
    after_help = "Examples:\n  just bench\n  just bench --runs 9 --json bench.json\n  just bench --only ping-pong"
)]
struct Args {
    /// Runs of each workload; the median is reported.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Only the workloads whose name contains this text.
    #[arg(long)]
    only: Option<String>,
    /// Writes the figures to this file as JSON.
    #[arg(long)]
    json: Option<std::path::PathBuf>,
    /// Divides the sizes of all workloads, for a quick look.
    #[arg(long, default_value_t = 1)]
    scale_down: u32,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let modules = actorhost::guest_build::build_packages(&rig::workspace(), &["bench-guest"])?;
    let module = modules.first().context("cargo built no module")?;
    let bytes = std::fs::read(module).with_context(|| format!("reading {}", module.display()))?;
    let mut report = Report::new(args.runs);
    for workload in workloads::ALL {
        if args
            .only
            .as_ref()
            .is_some_and(|only| !workload.name.contains(only.as_str()))
        {
            continue;
        }
        for _ in 0..args.runs.max(1) {
            // A fresh node each time: no run profits from the one before.
            let rig = Rig::start(bytes.clone()).await?;
            let figures = (workload.run)(&rig, args.scale_down.max(1)).await?;
            report.add(workload.name, &figures);
            rig.close().await;
        }
        report.print_last();
    }
    println!("{report}");
    if let Some(path) = args.json {
        std::fs::write(&path, report.to_json()?)
            .with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}
