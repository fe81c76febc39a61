//! What a probe is told and answers.

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

/// What a probe is told. What the reply is stands with each; `Done` otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum Message {
    /// `Text` of the same text, which is remembered.
    Echo { text: String },
    /// `Number` of the new total.
    Add { n: i64 },
    /// `Number` of the total.
    Total,
    /// Records one of a sender's numbered messages.
    Note { from: u32, seq: u64 },
    /// `Report` of what was noted, by sender.
    Report,
    /// Sends `count` notes to another probe, numbered from `first`. `Told`.
    NoteMany {
        to: ActorRef,
        from: u32,
        first: u64,
        count: u64,
    },
    /// `Texts` echoed so far, in order.
    Seen,

    /// Panics with this text.
    Panic { text: String },
    /// Recurses without end.
    Overflow,
    /// Executes the instruction `unreachable`.
    Unreachable,
    /// Never ends.
    Spin,
    /// Computes for so many rounds. `Number` of a result that depends on all.
    SpinFor { iterations: u64 },
    /// Takes memory, touches it and keeps it. `Number` of bytes kept in all.
    Allocate { bytes: u64 },
    /// Sleeps in the host.
    SleepMs { ms: u64 },

    /// Tells `Echo` to another probe so many times. `Told`.
    Tell {
        to: ActorRef,
        text: String,
        times: u32,
    },
    /// Tells `Echo` of "held" to another probe, then panics.
    TellThenPanic { to: ActorRef },
    /// Tells `Echo` of "flushed", flushes, tells `Echo` of "held", then panics.
    FlushThenPanic { to: ActorRef },
    /// Asks another probe for an `Echo` and replies with its `Text`, or `Failed`.
    AskThenReply {
        to: ActorRef,
        text: String,
        timeout_ms: u32,
    },
    /// Tells `Echo` of "before", asks for an `Echo` of "asked", tells `Echo` of
    /// "held", then panics.
    AskThenPanic { to: ActorRef, timeout_ms: u32 },
    /// Asks another probe to sleep. `Done`, or `Failed`.
    AskToSleep {
        to: ActorRef,
        ms: u64,
        timeout_ms: u32,
    },

    /// Spawns a child with the default arguments but this fault. `Spawned`, or
    /// `Failed`.
    Spawn {
        behaviour: String,
        name: Option<String>,
        fault: Option<InitFault>,
    },
    /// Spawns a child, then panics.
    SpawnThenPanic {
        behaviour: String,
        name: Option<String>,
    },
    /// Stops itself after this turn.
    StopSelf,
    /// Stops another actor.
    Stop { target: ActorRef, mode: StopMode },
    /// Watches another actor.
    Watch { target: ActorRef },
    /// Takes that back.
    Unwatch { target: ActorRef },
    /// `Downs` heard so far.
    Downs,
    /// `Found` under a path.
    Lookup { path: String },
    /// Sets what happens in `stopping`.
    OnStop { farewell: Farewell },

    /// `Me`.
    WhoAmI,
    /// `Bytes` of this many zeros.
    BigReply { bytes: u64 },
    /// Writes a log line.
    Log { text: String },
    /// Prints a line to standard output.
    Print { text: String },
    /// `Text` of a file, or `Failed`.
    ReadFile { path: String },
    /// `Text` of an environment variable, or `Failed`.
    EnvVar { name: String },

    /// Sets what goes wrong when the second version takes this state over.
    FailLoad { fault: Fault },
    /// Sets what goes wrong when the state is saved.
    FailSave { fault: Fault },
}

/// What a probe answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply {
    /// Nothing to say.
    Done,
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
    /// Texts in order.
    Texts(Vec<String>),
    /// Notes by sender, in the order of their first.
    Report(Vec<SenderReport>),
    /// Messages accepted, and why the first of the others was not.
    Told {
        accepted: u64,
        refused: u64,
        cause: Option<String>,
    },
    /// A new child.
    Spawned { id: ActorRef },
    /// The actor looked up.
    Found { id: Option<ActorRef> },
    /// Ends of watched actors, in order.
    Downs(Vec<SeenDown>),
    /// Who it is.
    Me {
        id: ActorRef,
        path: String,
        sender: Option<ActorRef>,
        /// Drawn in `init`: another one after a restart, the same after a swap,
        /// a sleep or a resume.
        token: u64,
        /// Turns of this instance, with this one: begins anew after all of them.
        turns_here: u64,
        /// The crate's version.
        version: String,
        /// Of which state version it was made; the second version knows.
        migrated_from: Option<u32>,
    },
    /// Bytes.
    Bytes(Vec<u8>),
    /// It did not work.
    Failed { cause: String },
}

/// The notes of one sender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct SenderReport {
    /// The number it gave itself.
    pub from: u32,
    /// Notes that came.
    pub count: u64,
    /// Number of the last one.
    pub last_seq: u64,
    /// Notes whose number was not the one after the last.
    pub out_of_order: u64,
}

/// The end of a watched actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct SeenDown {
    /// Which one.
    pub id: ActorRef,
    /// Why, in words.
    pub reason: String,
}
