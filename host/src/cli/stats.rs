//! `stats`: the node in figures.

use super::{
    CliError, Exit, Output, Place, duration, examples,
    output::{count, lines, table},
};
use actorhost_wire::api::{DispatcherStats, NodeStats};
use std::collections::BTreeMap;

/// Show what the node has done, and how busy its dispatchers are
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what the node has done since its start, and how busy its dispatchers are.\n\n\
        BUSY is the share of its threads' time in which a dispatcher ran actors or looked for one \
        to run, since the last look. Near 100 % with a growing QUEUED, it needs more threads, or \
        actors that compute for long belong on another one.",
    after_help = examples!("actorhost stats", "actorhost stats --json")
)]
pub struct Args {
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let stats = args.place.client()?.stats().await?;
    output.result(&stats, text)?;
    Ok(Exit::Done)
}

fn text(stats: &NodeStats) -> String {
    let mut figures = table(&["figure", ">since start"]);
    figures.add_row(["up for".into(), duration::show(stats.uptime_ms)]);
    for (name, number) in [
        ("actors", stats.actors),
        ("  awake", stats.live),
        ("  awake at most", stats.live_max),
        ("  asleep", stats.asleep),
        ("handled", stats.handled),
        ("crashes", stats.crashes),
        ("restarts", stats.restarts),
        ("mailbox bytes", stats.mailbox_bytes),
        ("  at most", stats.mailbox_bytes_max),
        ("questions open", stats.questions_open),
    ] {
        figures.add_row([name.into(), count(number)]);
    }
    let refused = stats.refused_by_cause.values().sum();
    for (name, total, parts) in [
        ("refused", refused, &stats.refused_by_cause),
        (
            "dead letters",
            stats.dead_letters,
            &stats.dead_letters_by_reason,
        ),
    ] {
        figures.add_row([name.into(), count(total)]);
        for row in parts_of(parts) {
            figures.add_row(row);
        }
    }
    let mut dispatchers = table(&[
        "dispatcher",
        ">threads",
        ">busy",
        ">queued",
        ">runs",
        ">steals",
        ">parks",
    ]);
    for dispatcher in &stats.dispatchers {
        dispatchers.add_row(row(dispatcher));
    }
    // The first table's heading says nothing that its rows do not.
    let figures = lines(&figures);
    let figures = figures.split_once('\n').map_or("", |(_, rows)| rows);
    format!("{figures}\n{}", lines(&dispatchers))
}

fn parts_of(parts: &BTreeMap<String, u64>) -> impl Iterator<Item = [String; 2]> + '_ {
    let parts = parts.iter();
    parts.map(|(name, number)| [format!("  {name}"), count(*number)])
}

fn row(dispatcher: &DispatcherStats) -> [String; 7] {
    [
        dispatcher.name.clone(),
        count(dispatcher.threads),
        format!("{:.0} %", dispatcher.utilisation * 100.0),
        count(dispatcher.queued),
        count(dispatcher.runs),
        count(dispatcher.steals),
        count(dispatcher.parks),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_above_the_dispatchers() {
        let stats = NodeStats {
            uptime_ms: 61_000,
            actors: 3_148,
            live: 148,
            live_max: 1_000,
            asleep: 3_000,
            handled: 1_000_000,
            crashes: 2,
            restarts: 2,
            refused_by_cause: BTreeMap::from([("full".into(), 7)]),
            dead_letters: 9,
            dead_letters_by_reason: BTreeMap::from([("crashed".into(), 2), ("full".into(), 7)]),
            mailbox_bytes: 640,
            mailbox_bytes_max: 1 << 30,
            questions_open: 0,
            dispatchers: vec![DispatcherStats {
                name: "default".into(),
                threads: 2,
                utilisation: 0.456,
                busy_ms: 60_000,
                queued: 1,
                runs: 12_345,
                steals: 10,
                parks: 99,
            }],
        };
        let text = text(&stats);
        assert!(text.starts_with("up for"), "{text}");
        let mut rows = text.lines().map(str::split_whitespace);
        assert!(rows.any(|row| row.eq(["full", "7"])), "{text}");
        let end = "DISPATCHER  THREADS  BUSY  QUEUED    RUNS  STEALS  PARKS\n\
            default           2  46 %       1  12,345      10     99\n";
        assert!(text.ends_with(end), "{text}");
    }
}
