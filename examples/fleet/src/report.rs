//! The summary, and whether the figures are right.

use crate::{flights::Figures, run::Ran};
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeMap;

/// How many aircraft that disagree are named.
const DISAGREEING_SHOWN: usize = 10;

/// Accepted flights that no aircraft counted.
fn lost(ran: &Ran) -> i64 {
    let counted: u64 = ran.figures.values().map(|figures| figures.flights).sum();
    ran.feed.accepted as i64 - counted as i64
}

fn disagreeing<'a>(ran: &'a Ran, expected: &'a BTreeMap<String, Figures>) -> Vec<&'a str> {
    let missing = expected
        .keys()
        .filter(|tail| !ran.figures.contains_key(*tail));
    let wrong = ran.figures.iter().filter(|(tail, figures)| {
        expected
            .get(*tail)
            .is_none_or(|expected| !figures.agrees(expected))
    });
    missing
        .chain(wrong.map(|(tail, _)| tail))
        .map(String::as_str)
        .collect()
}

/// Whether every aircraft agrees with the answer file, nothing is lost, and what
/// should happen on the way did.
pub fn agrees(ran: &Ran, expected: &BTreeMap<String, Figures>) -> bool {
    disagreeing(ran, expected).is_empty()
        && lost(ran) == 0
        && ran.swap.failed.is_empty()
        && ran.node.crashes == ran.poisoned
        && ran.node.dead_letters == ran.poisoned
}

pub fn print(ran: &Ran, expected: &BTreeMap<String, Figures>) {
    let seconds = ran.feed.elapsed_ms as f64 / 1e3;
    let per_second = ran.feed.accepted as f64 / seconds.max(0.001);
    let rejected = ran
        .feed
        .rejected_by_reason
        .iter()
        .map(|(why, count)| format!("{count} {why}"));
    let rejected = rejected.collect::<Vec<_>>().join(", ");
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    for (what, figure) in [
        ("flights read", ran.feed.rows.to_string()),
        ("rejected", format!("{} ({rejected})", ran.feed.rejected)),
        ("messages", ran.node.handled.to_string()),
        (
            "flights a second",
            format!("{per_second:.0} ({seconds:.2} s)"),
        ),
        ("actors", ran.node.actors.to_string()),
        (
            "poison messages",
            format!("{} (each a dead letter)", ran.poisoned),
        ),
        ("restarts", ran.node.restarts.to_string()),
        (
            "swapped actors",
            format!(
                "{} at flight {}, {} failed, in {} ms",
                ran.swap.swapped,
                ran.swapped_at_row,
                ran.swap.failed.len(),
                ran.swap.elapsed_ms
            ),
        ),
        (
            "lost messages",
            format!("{} (but for the poison ones)", lost(ran)),
        ),
    ] {
        table.add_row([what, &figure]);
    }
    println!(
        "\n{table}\n\nThe ten worst aircraft, by the sum of their arrival delays:\n{}",
        worst(ran)
    );
    let wrong = disagreeing(ran, expected);
    if agrees(ran, expected) {
        println!(
            "\nAll {} aircraft agree with the answer file.",
            expected.len()
        );
    } else {
        let shown = wrong
            .iter()
            .take(DISAGREEING_SHOWN)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        println!(
            "\nNOT RIGHT: {} of {} aircraft disagree with the answer file: {shown}",
            wrong.len(),
            expected.len()
        );
        println!(
            "crashes {}, dead letters {:?}, swap failures {:?}",
            ran.node.crashes, ran.node.dead_letters_by_reason, ran.swap.failed
        );
    }
}

fn worst(ran: &Ran) -> Table {
    let mut all: Vec<_> = ran.figures.iter().collect();
    all.sort_by_key(|(tail, figures)| (std::cmp::Reverse(figures.delay_sum), *tail));
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header([
        "aircraft",
        "flights",
        "cancelled",
        "delay, min",
        "worst, min",
        "alerts",
        "late in a row since the swap",
    ]);
    for (tail, figures) in all.into_iter().take(10) {
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".into());
        table.add_row([
            tail.clone(),
            figures.flights.to_string(),
            figures.cancelled.to_string(),
            figures.delay_sum.to_string(),
            or_dash(figures.worst.map(|minutes| minutes.to_string())),
            figures.alerts.to_string(),
            or_dash(
                figures
                    .longest_late_streak
                    .map(|flights| flights.to_string()),
            ),
        ]);
    }
    for column in 1..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
