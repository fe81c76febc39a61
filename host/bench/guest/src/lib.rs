//! The behaviour that the benchmarks measure: a counter and a window of 64 readings.

use actorhost_sdk::prelude::*;

/// What it is told.
#[derive(Debug, Serialize, Deserialize, Schema)]
pub enum Message {
    /// Adds a reading; replies with the count.
    Add(u64),
    /// Sends itself back to the sender, so many times more.
    Ball(u32),
    /// Begins a game of so many round trips with another.
    Serve {
        /// The other player.
        to: ActorRef,
        /// Round trips.
        rounds: u32,
    },
    /// Asks another for an `Add`, so many times.
    Ask {
        /// The other.
        to: ActorRef,
        /// How often.
        times: u32,
    },
    /// Tells another an `Add`, so many times.
    Tell {
        /// The other.
        to: ActorRef,
        /// How often.
        times: u32,
    },
    /// Panics.
    Crash,
}

/// A counter and the last 64 readings.
#[derive(Serialize, Deserialize, Schema)]
pub struct Device {
    count: u64,
    window: Vec<u64>,
}

impl Default for Device {
    fn default() -> Self {
        Self {
            count: 0,
            window: vec![0; 64],
        }
    }
}

#[actor(name = "device")]
impl Actor for Device {
    type Args = ();
    type Message = Message;
    type Reply = u64;

    fn handle(&mut self, message: Message, ctx: &mut Context<Self>) -> u64 {
        match message {
            Message::Add(reading) => {
                let place = self.count as usize % self.window.len();
                self.window[place] = reading;
                self.count += 1;
            }
            Message::Ball(left) => {
                self.count += 1;
                if let (Some(sender), Some(left)) = (ctx.sender(), left.checked_sub(1)) {
                    must(ctx.tell(sender, &Message::Ball(left)));
                }
            }
            Message::Serve { to, rounds } => must(ctx.tell(to, &Message::Ball(rounds * 2 - 1))),
            Message::Ask { to, times } => {
                for n in 0..times {
                    let timeout = core::time::Duration::from_secs(60);
                    let reply: Result<u64, _> = ctx.ask(to, &Message::Add(n.into()), timeout);
                    self.count = reply.expect("the other replies");
                }
            }
            Message::Tell { to, times } => {
                for n in 0..times {
                    must(ctx.tell(to, &Message::Add(n.into())));
                    ctx.flush();
                }
            }
            Message::Crash => panic!("ordered"),
        }
        self.count
    }
}

/// A benchmark whose messages are refused measures nothing.
fn must<E: core::fmt::Debug>(sent: Result<(), E>) {
    sent.expect("the other has room");
}
