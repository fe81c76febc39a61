//! Three stages of a pipeline in one module: which one an actor is, its arguments say.
//!
//! Lines such as `boiler,71.5` go in at the first stage; the last writes a mean of each
//! so many readings of a sensor to that sensor's file. A stage tells the next one within
//! its own turn, so a full next stage holds this one back, and it the one before.

mod file;
mod tally;

use actorhost_sdk::prelude::*;
use std::path::PathBuf;
use tally::Tally;

/// Which stage an actor is.
#[derive(Debug, Clone, Serialize, Deserialize, Schema)]
pub enum Role {
    /// Makes readings of lines.
    Parse {
        /// Path of the next stage.
        next: String,
    },
    /// Makes a mean of each `window` readings of one sensor.
    Tally {
        /// Path of the next stage.
        next: String,
        /// Readings in one mean, at least 1.
        window: u32,
    },
    /// Writes means to files.
    Write {
        /// The directory, as this actor sees it.
        dir: String,
    },
}

/// What a stage is told or asked.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Message {
    /// To the parser: one line.
    Line(String),
    /// To the tally: one reading.
    Reading {
        /// Which sensor.
        sensor: String,
        /// What it read.
        value: f64,
    },
    /// To the writer: one mean.
    Mean {
        /// Of which sensor.
        sensor: String,
        /// The mean.
        mean: f64,
    },
    /// To any: what have you done in this life?
    Report,
}

/// What a stage answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// Done.
    Done,
    /// Nothing was done.
    Refused(String),
    /// The answer to a report.
    Report {
        /// Messages taken in.
        taken: u64,
        /// Messages handed on, or lines written.
        handed_on: u64,
        /// Messages refused.
        refused: u64,
    },
}

/// A stage.
#[derive(Serialize, Deserialize, Schema)]
pub struct Stage {
    work: Work,
    taken: u64,
    handed_on: u64,
    refused: u64,
}

#[derive(Serialize, Deserialize, Schema)]
enum Work {
    Parse { next: ActorRef },
    Tally { next: ActorRef, tally: Tally },
    Write { dir: String },
}

#[actor(name = "stage")]
impl Actor for Stage {
    type Args = Role;
    type Message = Message;
    type Reply = Reply;

    fn init(role: Role, ctx: &mut Context<Self>) -> Result<Self, InitError> {
        // The next stage starts before this one; its address outlives its crashes.
        let find = |path: &str| {
            ctx.lookup(path)
                .ok_or_else(|| InitError::from(format!("no stage {path}: start it first")))
        };
        let work = match role {
            Role::Parse { next } => Work::Parse { next: find(&next)? },
            Role::Tally { next, window } => Work::Tally {
                next: find(&next)?,
                tally: Tally::new(window),
            },
            Role::Write { dir } => Work::Write { dir },
        };
        Ok(Self {
            work,
            taken: 0,
            handed_on: 0,
            refused: 0,
        })
    }

    fn handle(&mut self, message: Message, ctx: &mut Context<Self>) -> Reply {
        if message == Message::Report {
            return Reply::Report {
                taken: self.taken,
                handed_on: self.handed_on,
                refused: self.refused,
            };
        }
        self.taken += 1;
        match self.work(message, ctx) {
            Ok(count) => {
                self.handed_on += count;
                Reply::Done
            }
            Err(cause) => {
                self.refused += 1;
                ctx.warn(&cause);
                Reply::Refused(cause)
            }
        }
    }
}

impl Stage {
    /// How many messages were handed on.
    fn work(&mut self, message: Message, ctx: &Context<Self>) -> Result<u64, String> {
        match (&mut self.work, message) {
            (Work::Parse { next }, Message::Line(line)) => {
                let (sensor, value) = parse(&line)?;
                hand_on(*next, &Message::Reading { sensor, value }, ctx)
            }
            (Work::Tally { next, tally }, Message::Reading { sensor, value }) => {
                match tally.add(&sensor, value) {
                    Some(mean) => hand_on(*next, &Message::Mean { sensor, mean }, ctx),
                    None => Ok(0),
                }
            }
            (Work::Write { dir }, Message::Mean { sensor, mean }) => {
                let path = PathBuf::from(&*dir).join(format!("{sensor}.csv"));
                // A disk that fails is no message's fault: this life ends, and the
                // supervisor says what follows.
                file::append(&path, &format!("{mean}\n"))
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                Ok(1)
            }
            (_, message) => Err(format!("not for this stage: {message:?}")),
        }
    }
}

/// Waits while the next stage is full.
fn hand_on(next: ActorRef, message: &Message, ctx: &Context<Stage>) -> Result<u64, String> {
    ctx.tell(next, message)
        .map(|()| 1)
        .map_err(|error| format!("the next stage takes nothing: {error}"))
}

fn parse(line: &str) -> Result<(String, f64), String> {
    let (sensor, value) = line
        .split_once(',')
        .ok_or_else(|| format!("no comma in {line:?}"))?;
    let value: f64 = value
        .trim()
        .parse()
        .map_err(|error| format!("{line:?}: {error}"))?;
    if !value.is_finite() {
        return Err(format!("{line:?}: not a finite number"));
    }
    Ok((sensor.trim().to_owned(), value))
}

#[cfg(test)]
mod tests;
