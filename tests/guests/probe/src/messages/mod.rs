//! What a probe is told and answers.

mod args;
mod events;

pub use args::{Args, Farewell, Fault, InitFault};
pub use events::{Event, SeenDown, SenderReport};

use actorhost_sdk::{ChildCounts, prelude::*};

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
    /// Spawns so many nameless children. `Told`.
    SpawnMany { behaviour: String, count: u32 },
    /// Has every other member of a group panic. `Published`.
    PublishPanic { group: String, text: String },
    /// Spawns a child, then panics.
    SpawnThenPanic {
        behaviour: String,
        name: Option<String>,
    },
    /// Stops itself after this turn.
    StopSelf,
    /// Stops another actor.
    Stop { target: ActorRef, mode: StopMode },
    /// Stops another actor at the end of a turn that takes its time.
    StopSlowly { target: ActorRef, ms: u64 },
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

    /// `Text` of the same text, which becomes an event. See `StashRecords` and
    /// `KeepQuestions`.
    Record { text: String },
    /// `Events` so far, in order.
    Events,
    /// Forgets the events.
    ForgetEvents,

    /// Sets a timer that records a text. `Timer`, or `Failed`.
    SetTimer {
        key: Option<String>,
        after_ms: u64,
        every_ms: Option<u64>,
        text: String,
    },
    /// `Flag`: whether it was set.
    CancelTimer { timer: TimerId },
    /// `Flag`: whether it was set.
    CancelKey { key: String },

    /// Whether records are stashed from now on. When not, brings them back: `Number`
    /// of them.
    StashRecords { on: bool },
    /// Brings them back, and stashes them anew as they come: `Number` of them.
    StashAgain,
    /// Stashes itself, and then once more, which fails; that becomes an event. When it
    /// comes back, it is handled: `Done`.
    StashTwice,

    /// Links to another actor. `Done`, or `Failed`.
    Link { target: ActorRef },
    /// Takes that back.
    Unlink { target: ActorRef },
    /// Whether exits are trapped.
    TrapExit { on: bool },

    /// Takes a name. `Done`, or `Failed`.
    Register { name: String },
    /// Gives it back.
    Unregister { name: String },
    /// Joins a group. `Done`, or `Failed`.
    Join { group: String },
    /// Leaves it.
    Leave { group: String },
    /// Sends a `Record` to a group. `Published`.
    Publish { group: String, text: String },
    /// `Actors` of a group.
    Members { group: String },

    /// Asks another probe for a `Record`, later. `Asked`, or `Failed`.
    AskLater {
        to: ActorRef,
        text: String,
        timeout_ms: u32,
    },
    /// Asks another probe to panic, later. `Asked`, or `Failed`.
    AskLaterToPanic { to: ActorRef, timeout_ms: u32 },
    /// Asks another probe for a `Record`, and replies with its `Text`, or `Failed`.
    AskForRecord {
        to: ActorRef,
        text: String,
        timeout_ms: u32,
    },
    /// Whether records that are asked for are kept open from now on.
    KeepQuestions { on: bool },
    /// Answers what was kept open with `Text`, the oldest first. `Told`.
    AnswerKept { text: String },
    /// Answers once more the question that it answered last. `Failed`.
    AnswerAgain { text: String },
    /// Forwards a `Record`. `Failed` when it was not accepted.
    Forward { to: ActorRef, text: String },

    /// Adds a probe to a supervisor. `Spawned`, or `Failed`.
    StartChild {
        supervisor: String,
        id: String,
        restart: RestartType,
        significant: bool,
        fault: Option<InitFault>,
        timeout_ms: u64,
    },
    /// Stops a supervisor's child. `Done`, or `Failed`.
    TerminateChild { supervisor: String, id: String },
    /// Starts it again. `Spawned`, or `Failed`.
    RestartChild { supervisor: String, id: String },
    /// Forgets it. `Done`, or `Failed`.
    DeleteChild { supervisor: String, id: String },
    /// `Counts` of a supervisor's children, or `Failed`.
    CountChildren { supervisor: String },

    /// Sets a timer of 1 ms, links to `to`, takes the name, joins the group, publishes
    /// to it, forwards to `to` and asks it for later, then panics.
    AllThenPanic { to: ActorRef, name: String },
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
    /// What came, in order.
    Events(Vec<Event>),
    /// A timer that was set.
    Timer { id: TimerId },
    /// Yes or no.
    Flag(bool),
    /// What a group made of a message.
    Published { accepted: u32, refused: u32 },
    /// Actors in order.
    Actors(Vec<ActorRef>),
    /// A question that was asked for later.
    Asked { id: AskId },
    /// A supervisor's children.
    Counts(ChildCounts),
}
