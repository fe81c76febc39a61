//! All that a guest can do wrong, each made on purpose.

use crate::messages::{Farewell, Fault, InitFault};
use actorhost_sdk::prelude::*;
use serde::{Deserializer, Serializer, ser::Error as _};
use std::{hint::black_box, thread, time::Duration};

/// Never ends.
pub fn spin() -> ! {
    loop {
        black_box(());
    }
}

/// Recurses until the stack is gone.
pub fn overflow() -> u64 {
    deeper(0)
}

fn deeper(depth: u64) -> u64 {
    let frame = black_box([depth; 16]);
    if depth == u64::MAX {
        return depth;
    }
    deeper(depth + 1) + frame[7]
}

/// Traps by an instruction of its own.
pub fn unreachable_instruction() -> ! {
    #[cfg(target_family = "wasm")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_family = "wasm"))]
    std::process::abort();
}

/// A result that needs every round, so that none is left out.
pub fn compute(iterations: u64) -> u64 {
    (0..iterations).fold(1, |x: u64, round| {
        black_box(x.rotate_left(7).wrapping_mul(31) ^ round)
    })
}

/// Sleeps in the host.
pub fn sleep(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

/// Counts a life with the probe under a path.
fn life_number<A>(ctx: &Context<A>, counter: &str) -> Result<i64, InitError> {
    let counter = ctx.lookup(counter).ok_or("nobody counts")?;
    let one = crate::Message::Add { n: 1 };
    match ctx.ask(counter, &one, Duration::from_secs(30))? {
        crate::Reply::Number(life) => Ok(life),
        other => Err(format!("{other:?} is no count").into()),
    }
}

impl InitFault {
    /// Goes wrong as told.
    pub fn strike<A>(&self, ctx: &Context<A>) -> Result<(), InitError> {
        match self {
            Self::Fail { cause } => return Err(cause.into()),
            Self::FailWhile { path } if ctx.lookup(path).is_some() => {
                return Err(format!("{path} is alive").into());
            }
            Self::FailWhile { .. } => {}
            Self::FailFirst {
                counter,
                lives,
                by_panic,
            } => {
                let life = life_number(ctx, counter)?;
                assert!(life > *lives || !by_panic, "life {life} panics in init");
                if life <= *lives {
                    return Err(format!("life {life} fails").into());
                }
            }
            Self::Panic => panic!("asked to panic in init"),
            Self::Spin => spin(),
            Self::Sleep { ms } => sleep(*ms),
        }
        Ok(())
    }
}

impl Fault {
    /// Goes wrong as told; an error is the text.
    pub fn strike(self, place: &str) -> Result<(), String> {
        match self {
            Self::None => Ok(()),
            Self::Refuse => Err(format!("asked to refuse in {place}")),
            Self::Panic => panic!("asked to panic in {place}"),
            Self::Spin => spin(),
        }
    }
}

impl Farewell {
    /// Does as told.
    pub fn bid<A>(&self, reason: &ExitReason, ctx: &Context<A>) {
        match self {
            Self::None => {}
            Self::Tell { to } => {
                let text = reason.to_string();
                if let Err(error) = ctx.tell(*to, &crate::Message::Echo { text }) {
                    ctx.warn(format_args!("farewell not told: {error}"));
                }
            }
            Self::Sleep { ms } => sleep(*ms),
            Self::SleepAloud { ms } => {
                ctx.info("farewell begins");
                sleep(*ms);
                ctx.info("farewell ends");
            }
            Self::Ask { to, timeout_ms } => {
                let (text, timeout_ms) = ("farewell".to_owned(), (*timeout_ms).into());
                let asked: Result<crate::Reply, _> = ctx.ask(
                    *to,
                    &crate::Message::Echo { text },
                    Duration::from_millis(timeout_ms),
                );
                ctx.info(format_args!("farewell asked: {asked:?}"));
            }
            Self::Panic => panic!("asked to panic in stopping"),
            Self::Spin => spin(),
            Self::Log { text } => ctx.info(text),
        }
    }
}

/// A fault that strikes when it is written, in the middle of a `save`.
#[derive(Debug, Default, PartialEq)]
pub struct SaveFault(pub Fault);

impl Serialize for SaveFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.strike("save").map_err(S::Error::custom)?;
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SaveFault {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fault::deserialize(deserializer).map(Self)
    }
}

impl Schema for SaveFault {
    const SCHEMA: &'static actorhost_sdk::postcard_schema::schema::NamedType = Fault::SCHEMA;
}
