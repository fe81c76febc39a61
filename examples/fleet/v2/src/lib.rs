//! One aircraft of the fleet, second version: it also knows its longest streak of
//! late flights. A running aircraft takes its first version's state over.

mod version_1;

use actorhost_sdk::prelude::*;

/// How many arrival delays the running mean is of.
const WINDOW: usize = 8;

/// The mean delay above which an aircraft is behind, in minutes.
const BEHIND_MINUTES: i32 = 30;

/// The delay from which one flight is late, in minutes, as the US Bureau of
/// Transportation Statistics counts.
const LATE_MINUTES: i32 = 15;

/// What an aircraft is told or asked.
#[derive(Debug, Serialize, Deserialize, Schema)]
pub enum Message {
    /// It has flown, or should have.
    Flight {
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
        /// Two letters of the airline.
        carrier: String,
        /// Number of the flight.
        flight: u16,
        /// Airport it left.
        origin: String,
        /// Airport it went to.
        dest: String,
        /// Minutes late, negative when early; none when it did not arrive.
        arr_delay: Option<i32>,
    },
    /// Asks for the figures so far.
    Summary,
    /// A message that the code can't bear: it panics halfway through its work.
    Poison,
}

/// What it answers.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// The flight is counted.
    Noted,
    /// The figures so far.
    Summary {
        /// Flights planned.
        flights: u32,
        /// Flights without an arrival.
        cancelled: u32,
        /// Flights with one.
        arrived: u32,
        /// Sum of arrival delays, in minutes.
        delay_sum: i64,
        /// The greatest of them; none before the first arrival.
        worst: Option<i32>,
        /// How often the mean of the last eight delays rose over 30 minutes.
        alerts: u32,
        /// Late arrivals in a row, up to now.
        late_streak: u32,
        /// The longest such row.
        longest_late_streak: u32,
    },
}

/// One aircraft.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, Schema)]
pub struct Aircraft {
    /// Flights planned.
    pub flights: u32,
    /// Flights without an arrival.
    pub cancelled: u32,
    /// Flights with one.
    pub arrived: u32,
    /// Sum of arrival delays, in minutes.
    pub delay_sum: i64,
    /// The greatest of them.
    pub worst: Option<i32>,
    /// How often the running mean rose over the bound.
    pub alerts: u32,
    /// The last arrival delays, oldest first, at most eight.
    pub recent: Vec<i32>,
    /// Late arrivals in a row, up to now.
    pub late_streak: u32,
    /// The longest such row.
    pub longest_late_streak: u32,
}

#[actor(name = "aircraft", state_version = 2)]
impl Actor for Aircraft {
    type Args = ();
    type Message = Message;
    type Reply = Reply;

    fn handle(&mut self, message: Message, ctx: &mut Context<Self>) -> Reply {
        match message {
            Message::Flight {
                month,
                day,
                carrier,
                flight,
                origin,
                dest,
                arr_delay,
            } => {
                if self.fly(arr_delay) {
                    ctx.info(format_args!(
                        "running late since {carrier}{flight} {origin}-{dest} on {month}/{day}"
                    ));
                }
                Reply::Noted
            }
            Message::Summary => self.summary(),
            Message::Poison => {
                // Half of the work is done when it breaks: only a node that undoes
                // the whole turn keeps the figures right.
                self.flights += 1_000;
                self.recent.clear();
                panic!("poisoned after {} flights", self.flights);
            }
        }
    }

    fn migrate(from_version: u32, bytes: &[u8]) -> Result<Self, String> {
        match from_version {
            1 => Ok(actorhost_sdk::decode::<version_1::Aircraft>(bytes)?.into()),
            other => Err(format!("an aircraft of state version {other} is not known")),
        }
    }
}

impl Aircraft {
    /// Counts one flight. Says whether it raised an alert.
    fn fly(&mut self, arr_delay: Option<i32>) -> bool {
        self.flights += 1;
        let Some(delay) = arr_delay else {
            self.cancelled += 1;
            return false;
        };
        self.arrived += 1;
        self.delay_sum += i64::from(delay);
        self.worst = self.worst.max(Some(delay));
        self.late_streak = if delay >= LATE_MINUTES {
            self.late_streak + 1
        } else {
            0
        };
        self.longest_late_streak = self.longest_late_streak.max(self.late_streak);

        let was_behind = self.is_behind();
        if self.recent.len() == WINDOW {
            self.recent.remove(0);
        }
        self.recent.push(delay);
        let alert = !was_behind && self.is_behind();
        self.alerts += u32::from(alert);
        alert
    }

    /// Never before the window is full.
    fn is_behind(&self) -> bool {
        let sum: i32 = self.recent.iter().sum();
        self.recent.len() == WINDOW && sum > BEHIND_MINUTES * WINDOW as i32
    }

    fn summary(&self) -> Reply {
        Reply::Summary {
            flights: self.flights,
            cancelled: self.cancelled,
            arrived: self.arrived,
            delay_sum: self.delay_sum,
            worst: self.worst,
            alerts: self.alerts,
            late_streak: self.late_streak,
            longest_late_streak: self.longest_late_streak,
        }
    }
}

#[cfg(test)]
mod tests;
