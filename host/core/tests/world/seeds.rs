//! Which random worlds a run looks at.

use std::time::{Duration, Instant};

/// Worlds in one run of the tests.
const SEEDS: std::ops::Range<u64> = 0..2_000;

/// Runs `world` for each seed. `ACTORHOST_SEEDS=from..to` chooses others than the
/// usual ones; with `ACTORHOST_SOAK_MINUTES=n` they go on from there until the time is
/// up. A seed that fails is printed, and replays.
pub fn each(world: fn(u64)) {
    let seeds = chosen().unwrap_or(SEEDS);
    if let Some(minutes) = number("ACTORHOST_SOAK_MINUTES") {
        let begun = Instant::now();
        let mut seed = seeds.start;
        while begun.elapsed() < Duration::from_secs(60 * minutes) {
            one(world, seed);
            seed += 1;
            if seed.is_multiple_of(10_000) {
                eprintln!("{} worlds, none failed", seed - seeds.start);
            }
        }
        eprintln!("{} worlds, none failed", seed - seeds.start);
        return;
    }
    seeds.for_each(|seed| one(world, seed));
}

fn one(world: fn(u64), seed: u64) {
    if let Err(panic) = std::panic::catch_unwind(|| world(seed)) {
        let next = seed + 1;
        eprintln!("seed {seed} failed; replay with ACTORHOST_SEEDS={seed}..{next}");
        std::panic::resume_unwind(panic);
    }
}

fn chosen() -> Option<std::ops::Range<u64>> {
    let text = std::env::var("ACTORHOST_SEEDS").ok()?;
    let (from, to) = text.split_once("..").expect("ACTORHOST_SEEDS=from..to");
    let number = |text: &str| text.parse().expect("ACTORHOST_SEEDS are numbers");
    Some(number(from)..number(to))
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}
