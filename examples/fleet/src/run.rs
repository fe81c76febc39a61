//! The run: rows at full speed, a swap midway, a poison message now and then, and
//! at the end the figures of every aircraft.

use crate::flights::{Figures, Flights};
use actorhost::client::{
    Client,
    feed::{self, FeedOptions, FeedSummary, OnError},
};
use actorhost_wire::api::{AskRequest, NodeInfo, SwapReport, TellRequest};
use anyhow::Context as _;
use bytes::Bytes;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{IsTerminal, stderr},
};
use tokio::sync::watch;

/// A few aircraft are poisoned each so many rows.
const POISON_EACH_ROWS: u64 = 3_000;

/// How many at a time.
const POISONED_AT_ONCE: usize = 3;

/// What the demo did and found.
pub struct Ran {
    pub feed: FeedSummary,
    pub swap: SwapReport,
    /// Rows that had been accepted when the swap began.
    pub swapped_at_row: u64,
    pub poisoned: u64,
    pub node: NodeInfo,
    pub figures: BTreeMap<String, Figures>,
}

pub async fn run(client: &Client, flights: &Flights, second: Bytes) -> anyhow::Result<Ran> {
    // Tried beside the running version first: checked and compiled before it counts.
    client.deploy("aircraft-next", second.clone()).await?;
    let (rows_fed, progress) = watch::channel(0);
    let ((swapped, poisoned), feed) = tokio::try_join!(
        disturb(client, flights, second, progress),
        feed_all(client, flights, rows_fed),
    )?;
    let (swapped_at_row, swap) = swapped;
    let figures = ask_all(client, flights).await?;
    let node = client.node().await?;
    Ok(Ran {
        feed,
        swap,
        swapped_at_row,
        poisoned,
        node,
        figures,
    })
}

async fn feed_all(
    client: &Client,
    flights: &Flights,
    rows_fed: watch::Sender<u64>,
) -> anyhow::Result<FeedSummary> {
    let options = FeedOptions {
        variant: Some("Flight".into()),
        on_error: OnError::Skip,
        ..FeedOptions::new("fleet", "tailnum")
    };
    let bar = ProgressBar::new(flights.rows);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} flights, {per_sec}, {msg}")
        .context("the progress line's form")?;
    bar.set_style(style);
    let plain = !stderr().is_terminal();
    let mut next_line = 5_000;
    let fed = feed::run(client, flights.open()?, &options, |so_far| {
        bar.set_position(so_far.rows);
        bar.set_message(format!("{} aircraft", so_far.spawned));
        if plain && so_far.rows >= next_line {
            println!(
                "{} of {} flights, {} aircraft",
                so_far.rows, flights.rows, so_far.spawned
            );
            next_line += 5_000;
        }
        rows_fed.send_replace(so_far.rows);
    });
    let summary = fed.await?;
    bar.finish_and_clear();
    Ok(summary)
}

/// Poisons aircraft while the feed runs, and swaps the behaviour at its middle.
async fn disturb(
    client: &Client,
    flights: &Flights,
    second: Bytes,
    mut progress: watch::Receiver<u64>,
) -> anyhow::Result<((u64, SwapReport), u64)> {
    let mut swapped = None;
    let mut next_poison = POISON_EACH_ROWS;
    let mut poisoned = 0;
    // Ends with the feed, whose end drops the sender.
    while progress.changed().await.is_ok() {
        let row = *progress.borrow_and_update();
        if row >= next_poison {
            next_poison += POISON_EACH_ROWS;
            poisoned += poison(client, flights.flown_by(row), poisoned).await?;
        }
        if row >= flights.rows / 2 && swapped.is_none() {
            let report = client.swap("aircraft", second.clone(), None).await?;
            println!(
                "{} of the aircraft were swapped at flight {row}, in {} ms",
                report.swapped, report.elapsed_ms
            );
            swapped = Some((row, report));
        }
    }
    Ok((swapped.context("the feed ended before the swap")?, poisoned))
}

/// Sends a message that panics to a few aircraft, other ones each time.
async fn poison(client: &Client, flown: &[(u64, String)], before: u64) -> anyhow::Result<u64> {
    let mut sent = 0;
    for n in 0..POISONED_AT_ONCE {
        // A stride that is prime to any number of aircraft here: no one comes twice.
        let place = (before as usize + n) * 101 % flown.len().max(1);
        let Some((_, tail)) = flown.get(place) else {
            continue;
        };
        let request = TellRequest {
            to: format!("/fleet/{tail}"),
            message: json!("Poison"),
        };
        client.tell(&request).await?;
        sent += 1;
    }
    Ok(sent)
}

async fn ask_all(client: &Client, flights: &Flights) -> anyhow::Result<BTreeMap<String, Figures>> {
    let mut figures = BTreeMap::new();
    for (_, tail) in &flights.first_flights {
        let request = AskRequest {
            to: format!("/fleet/{tail}"),
            message: json!("Summary"),
            timeout_ms: 10_000,
        };
        let mut reply = client.ask(&request).await?.reply;
        let summary = reply.get_mut("Summary").map(Value::take);
        let summary = summary.with_context(|| format!("{tail} replied {reply}"))?;
        let summary: Figures =
            serde_json::from_value(summary).with_context(|| format!("the figures of {tail}"))?;
        figures.insert(tail.clone(), summary);
    }
    Ok(figures)
}
