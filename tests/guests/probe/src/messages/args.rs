//! What a life begins with, and what goes wrong in it.

use actorhost_sdk::prelude::*;

/// What a life begins with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Schema)]
pub struct Args {
    /// First value of the total.
    pub start: i64,
    /// What goes wrong in `init`.
    pub fault: Option<InitFault>,
    /// An actor watched from the beginning.
    pub watch: Option<ActorRef>,
    /// Name of a probe spawned in `init`.
    pub child: Option<String>,
    /// An actor linked to from the beginning.
    pub link: Option<ActorRef>,
    /// Whether exits are trapped from the beginning.
    pub trap_exit: Option<bool>,
    /// A name registered in `init`.
    pub register: Option<String>,
    /// Records "tick" once in so many milliseconds, by the key `tick`.
    pub tick_ms: Option<u64>,
    /// Names of further probes spawned in `init`.
    pub children: Option<Vec<String>>,
    /// Whether it logs "init" at the beginning of each life.
    pub announce: Option<bool>,
}

/// What goes wrong in `init`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum InitFault {
    /// It returns an error.
    Fail {
        /// The error's text.
        cause: String,
    },
    /// It returns an error as long as an actor lives under the path.
    FailWhile {
        /// Such as `/blocker`.
        path: String,
    },
    /// It panics.
    Panic,
    /// The first lives fail: it adds 1 to the total of the probe under the path, and
    /// fails as long as that is not above the number.
    FailFirst {
        /// Such as `/counter`.
        counter: String,
        /// How many lives.
        lives: i64,
        /// Whether by a panic instead of an error.
        by_panic: bool,
    },
    /// It never ends.
    Spin,
    /// It takes its time, then succeeds.
    Sleep {
        /// Milliseconds.
        ms: u64,
    },
}

/// What goes wrong in `save` or `load`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It returns an error.
    Refuse,
    /// It panics.
    Panic,
    /// It never ends.
    Spin,
}

/// What happens in `stopping`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Schema)]
pub enum Farewell {
    /// Nothing.
    #[default]
    None,
    /// Tells the reason to another probe, as an echo.
    Tell {
        /// That probe.
        to: ActorRef,
    },
    /// Takes its time.
    Sleep {
        /// Milliseconds.
        ms: u64,
    },
    /// Logs "farewell begins", takes its time, then logs "farewell ends".
    SleepAloud {
        /// Milliseconds.
        ms: u64,
    },
    /// Asks another probe for an `Echo`, and logs what came of it.
    Ask {
        /// That probe.
        to: ActorRef,
        /// Longest wait, in milliseconds.
        timeout_ms: u32,
    },
    /// Panics.
    Panic,
    /// Never ends.
    Spin,
    /// Writes a log line.
    Log {
        /// The line.
        text: String,
    },
}
