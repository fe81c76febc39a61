//! What a native behaviour can be asked for.

use super::{items, ties};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// One thing that a native behaviour can be asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Cmd {
    /// Remember that a message came, and from where.
    Take {
        from: u64,
        seq: u64,
        crash: bool,
        yields: u32,
    },
    /// Send a `Take` to another actor, then perhaps crash.
    Send {
        to: u64,
        seq: u64,
        crash_there: bool,
        crash_here: bool,
        yields: u32,
    },
    /// Reply with the number of messages this life has handled.
    Count,
    /// Reply with the state's number, after adding to it.
    Add(i64),
    Crash,
    /// Give way so many times, as a used-up fuel slice does.
    Yield(u32),
    /// Give way for ever.
    Spin,
    /// Ask another actor for its `Count` and reply with it, or the error's text.
    Ask {
        to: u64,
        timeout_ms: u64,
    },
    /// Spawn a child, then perhaps crash.
    Spawn {
        name: String,
        crash: bool,
    },
    StopSelf,
    Stop {
        to: u64,
        kill: bool,
    },
    Watch(u64),
    Unwatch(u64),
    /// From now on refuse to save.
    RefuseSave,
    /// Reply with the `down`s seen.
    Downs,
    /// Tell one of the others `Add(1)`, so many times; reply with the last result.
    Flood {
        to: u64,
        times: u32,
    },
    FlushThenCrash {
        to: u64,
    },

    // Asks.
    /// Keep the question open, then perhaps crash.
    Later {
        crash: bool,
    },
    /// Answer every question kept open, then perhaps crash; reply with the results.
    AnswerLater {
        text: String,
        crash: bool,
    },
    /// Hand a command on in the sender's name, then perhaps crash; reply with the
    /// error, if it was not accepted.
    Forward {
        to: u64,
        cmd: Box<Cmd>,
        crash: bool,
    },
    /// Reply with the sender.
    Whence,
    /// Ask another actor whatever there is to ask.
    AskThat {
        to: u64,
        cmd: Box<Cmd>,
        timeout_ms: u64,
    },
    /// Links, names, groups and what else ties actors, in one turn; reply with the
    /// results.
    Ties {
        ties: Vec<ties::Tie>,
        crash: bool,
    },
    /// Wait in the node for an actor's `Sleep`: so long, so many times.
    Sleep {
        ms: u64,
        times: u32,
    },
    /// Manage a supervisor's children; reply with what came of it.
    Manage {
        supervisor: String,
        what: Manage,
        timeout_ms: u64,
    },
    /// Keep the thread until the record says that it is free; for real threads.
    Hog,
    /// Register a name in a turn that never ends.
    HoldName(String),
    /// Shut the node of [`ties::set_node`] down from inside a turn.
    ShutDown {
        timeout_ms: u64,
    },
    /// As `AskThat`, but the reply comes as a message; reply with the number, then
    /// perhaps crash.
    AskLater {
        to: u64,
        cmd: Box<Cmd>,
        timeout_ms: u64,
        crash: bool,
    },

    // Timers.
    /// Set a timer, then perhaps crash; reply with its number.
    SetTimer {
        key: Option<String>,
        cmd: Box<Cmd>,
        after_ms: u64,
        every_ms: Option<u64>,
        crash: bool,
    },
    /// Take a timer back by key, then perhaps crash; reply whether it was set.
    CancelKey {
        key: String,
        crash: bool,
    },
    /// Take a timer back by number; reply whether it was set.
    CancelTimer(u64),
    /// Set a timer and take it back within one turn; reply whether it was set.
    SetAndCancel,
    /// Set so many timers that add one; reply with how many were set, and why not more.
    SetTimers {
        times: u32,
        after_ms: u64,
    },

    // Mailboxes.
    /// Tell another actor `Take`s from this one, numbered from `first`; reply with how
    /// many were accepted.
    Stream {
        to: u64,
        first: u64,
        count: u64,
    },
    /// Remember the number if the gate is open, else put the message aside.
    Gate {
        seq: u64,
    },
    /// Open this life's gate and bring back what was put aside.
    Open,
    /// Bring back what was put aside, and put this aside.
    StashAgain,
    StashThenCrash,
    /// Put the message aside, and remember the number when it comes again.
    StashFirst {
        seq: u64,
    },
    /// Crash, and remember the number when it comes again.
    TakeAfterCrash {
        seq: u64,
    },
    /// Items of three priorities.
    Low(items::Item),
    Mid(items::Item),
    High(items::Item),
}

/// What is done with a child, by its id.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Manage {
    Start(String),
    Terminate(String),
    Restart(String),
    Delete(String),
    Count,
}

pub fn bytes(cmd: &Cmd) -> Bytes {
    postcard::to_stdvec(cmd).expect("commands encode").into()
}

/// A `Take` that neither crashes nor gives way.
pub fn take(from: u64, seq: u64) -> Cmd {
    Cmd::Take {
        from,
        seq,
        crash: false,
        yields: 0,
    }
}
