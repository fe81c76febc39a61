//! The workloads. Each returns the figures of one run.

use crate::{
    machine::resident_bytes,
    report::Figure,
    rig::{Rig, encode},
};
use actorhost_sdk::ActorRef;
use bench_guest::Message;
use std::{future::Future, pin::Pin, time::Instant};

type Run =
    for<'a> fn(&'a Rig, u32) -> Pin<Box<dyn Future<Output = anyhow::Result<Vec<Figure>>> + 'a>>;

pub struct Workload {
    pub name: &'static str,
    pub run: Run,
}

pub const ALL: &[Workload] = &[
    Workload {
        name: "spawn",
        run: |rig, down| Box::pin(spawn(rig, down)),
    },
    Workload {
        name: "ask",
        run: |rig, down| Box::pin(ask(rig, down)),
    },
    Workload {
        name: "fan-in",
        run: |rig, down| Box::pin(fan_in(rig, down)),
    },
    Workload {
        name: "ping-pong",
        run: |rig, down| Box::pin(ping_pong(rig, down)),
    },
    Workload {
        name: "swap",
        run: |rig, down| Box::pin(swap(rig, down)),
    },
    Workload {
        name: "restart",
        run: |rig, down| Box::pin(restart(rig, down)),
    },
    Workload {
        name: "memory",
        run: |rig, down| Box::pin(memory(rig, down)),
    },
];

fn figure(metric: &'static str, unit: &'static str, value: f64) -> Figure {
    Figure {
        metric,
        unit,
        value,
    }
}

fn per_second(count: u32, since: Instant) -> f64 {
    f64::from(count) / since.elapsed().as_secs_f64()
}

fn micros_each(count: u32, since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}

fn address(id: actorhost_core::ActorId) -> ActorRef {
    ActorRef::from_raw(id.0)
}

/// Spawns actors and hears a reply from each, in parallel and one at a time.
async fn spawn(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let count = 10_000 / down;
    let begun = Instant::now();
    let spawner = async {
        let half = rig.spawn_many(count / 2).await?;
        for id in &half {
            rig.ask(*id, &Message::Add(1)).await?;
        }
        anyhow::Ok(half.len())
    };
    let other = async {
        let half = rig.spawn_many(count / 2).await?;
        for id in &half {
            rig.ask(*id, &Message::Add(1)).await?;
        }
        anyhow::Ok(half.len())
    };
    let (a, b) = tokio::try_join!(spawner, other)?;
    let together = per_second((a + b) as u32, begun);
    let single = 2_000 / down;
    let begun = Instant::now();
    for _ in 0..single {
        let id = rig.spawn().await?;
        rig.ask(id, &Message::Add(1)).await?;
    }
    Ok(vec![
        figure("two spawners", "actors/s", together),
        figure(
            "one at a time, with a reply",
            "actors/s",
            per_second(single, begun),
        ),
    ])
}

/// Asks from outside and from guest to guest.
async fn ask(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let (a, b) = (rig.spawn().await?, rig.spawn().await?);
    let outside = 20_000 / down;
    let begun = Instant::now();
    for n in 0..outside {
        rig.ask(a, &Message::Add(n.into())).await?;
    }
    let outside = micros_each(outside, begun);
    let times = 100_000 / down;
    let begun = Instant::now();
    rig.ask(
        a,
        &Message::Ask {
            to: address(b),
            times,
        },
    )
    .await?;
    Ok(vec![
        figure("from outside, in process", "µs", outside),
        figure("guest to guest", "µs", micros_each(times, begun)),
    ])
}

/// Eight actors tell one.
async fn fan_in(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let target = rig.spawn().await?;
    let senders = rig.spawn_many(8).await?;
    let times = 50_000 / down;
    let begun = Instant::now();
    for sender in &senders {
        rig.tell(
            *sender,
            &Message::Tell {
                to: address(target),
                times,
            },
        )
        .await?;
    }
    rig.until(target, u64::from(times) * 8).await?;
    Ok(vec![figure(
        "8 senders, one actor",
        "messages/s",
        per_second(times * 8, begun),
    )])
}

/// Two actors send one message back and forth.
async fn ping_pong(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let (a, b) = (rig.spawn().await?, rig.spawn().await?);
    let rounds = 100_000 / down;
    let begun = Instant::now();
    rig.tell(
        a,
        &Message::Serve {
            to: address(b),
            rounds,
        },
    )
    .await?;
    rig.until(b, u64::from(rounds)).await?;
    Ok(vec![figure("round trip", "µs", micros_each(rounds, begun))])
}

/// Moves 1,000 actors to another version.
async fn swap(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let count = 1_000 / down;
    let ids = rig.spawn_many(count).await?;
    for id in &ids {
        rig.tell(*id, &Message::Add(1)).await?;
    }
    let module = rig.module(1).await?;
    let begun = Instant::now();
    let swapped = rig.node().swap("device", module, 60_000).await?;
    let elapsed_ms = begun.elapsed().as_secs_f64() * 1e3;
    anyhow::ensure!(swapped.outcome.swapped == u64::from(count), "{swapped:?}");
    Ok(vec![figure(
        "1,000 actors",
        "ms",
        elapsed_ms * f64::from(1_000 / count.max(1)),
    )])
}

/// Crashes an actor and hears from its next life.
async fn restart(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let id = rig.spawn().await?;
    let count = 2_000 / down;
    let begun = Instant::now();
    let mut waits = Vec::new();
    for _ in 0..count {
        let crashed = rig.node().ask(id, encode(&Message::Crash), 60_000).await;
        anyhow::ensure!(crashed.is_err(), "it crashed");
        let at = Instant::now();
        rig.ask(id, &Message::Add(1)).await?;
        waits.push(at.elapsed().as_secs_f64() * 1e6);
    }
    let rate = per_second(count, begun);
    waits.sort_by(f64::total_cmp);
    Ok(vec![
        figure(
            "crash heard to next reply, p50",
            "µs",
            waits[waits.len() / 2],
        ),
        figure("crash, restart, reply", "cycles/s", rate),
    ])
}

/// Resident memory of live actors and of sleeping ones.
async fn memory(rig: &Rig, down: u32) -> anyhow::Result<Vec<Figure>> {
    let live = 5_000 / down;
    let warm = rig.spawn_many(100).await?;
    rig.ask(warm[0], &Message::Add(1)).await?;
    let before = resident_bytes();
    let ids = rig.spawn_many(live).await?;
    for id in &ids {
        rig.ask(*id, &Message::Add(1)).await?;
    }
    let each = resident_bytes().saturating_sub(before) as f64 / f64::from(live);
    // Far more than may be live: the rest sleep.
    let asleep = 60_000 / down;
    rig.spawn_many(20_000 / down).await?;
    let (before, asleep_before) = (resident_bytes(), rig.node().totals().hibernated);
    rig.spawn_many(asleep).await?;
    let slept = rig.node().totals().hibernated - asleep_before;
    let grown = resident_bytes().saturating_sub(before) as f64;
    let mut figures = vec![figure("a live actor", "bytes", each)];
    if slept > 0 {
        figures.push(figure("a sleeping actor", "bytes", grown / slept as f64));
    }
    Ok(figures)
}
