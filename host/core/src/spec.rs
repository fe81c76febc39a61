//! What an actor is started with: its child spec.

use bytes::Bytes;
use std::sync::Arc;

/// When an ended child is started again (OTP's restart types).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RestartType {
    /// Always.
    Permanent,
    /// After an abnormal end only.
    Transient,
    /// Never; its spec is forgotten.
    Temporary,
}

/// What a crash does to a life whose restart type allows another (Akka's
/// directives).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Directive {
    /// A fresh instance from the arguments.
    Restart,
    /// A fresh instance from the state saved before the failing turn. The state is
    /// then saved after every turn, which costs a call into the guest each time.
    Resume,
    /// The actor ends.
    Stop,
    /// Its supervisor fails, as if its budget were used up. Without a supervisor the
    /// actor ends.
    Escalate,
}

/// What happens to a message when the mailbox is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The sender is told `full` at once.
    Reject,
    /// The sender waits for room, at most this many milliseconds, then is told
    /// `full` (Akka's push timeout).
    Block {
        /// Longest wait, in milliseconds.
        timeout_ms: u64,
    },
}

/// Bounds of one mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailboxSpec {
    /// Most user messages that may wait, at least 1.
    pub capacity: u32,
    /// What a full mailbox does.
    pub overflow: Overflow,
}

impl Default for MailboxSpec {
    fn default() -> Self {
        Self {
            capacity: 1024,
            overflow: Overflow::Reject,
        }
    }
}

/// What one actor may use. Each is a limit, none a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Linear memory over all of the guest's memories, in bytes.
    pub memory_bytes: u64,
    /// Fuel for one turn; none means a turn may run until it is stopped.
    pub fuel_per_turn: Option<u64>,
    /// Largest message sent to or by the actor, and largest saved state, in bytes.
    pub message_bytes: u64,
    /// Log lines a second; more are counted and left out.
    pub log_lines_per_second: u32,
    /// Living descendants that the actor may have: children and theirs, counted
    /// together.
    pub children: u32,
    /// Effects that one turn may hold (tells, spawns, watches …).
    pub effects_per_turn: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 16 << 20,
            fuel_per_turn: Some(10_000_000_000),
            message_bytes: 1 << 20,
            log_lines_per_second: 100,
            children: 10_000,
            effects_per_turn: 100_000,
        }
    }
}

/// How often a child or a supervisor's children may be restarted (OTP's restart
/// intensity): more than `intensity` within `period_ms` is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartBudget {
    /// Restarts allowed within the period; 0 allows none.
    pub intensity: u32,
    /// Length of the sliding window, in milliseconds.
    pub period_ms: u64,
}

impl Default for RestartBudget {
    fn default() -> Self {
        Self {
            intensity: 1,
            period_ms: 5_000,
        }
    }
}

/// Everything needed to start an actor, and to start it again.
#[derive(Debug, Clone)]
pub struct ChildSpec {
    /// Name of the behaviour whose current version it runs.
    pub behaviour: Arc<str>,
    /// Arguments of `init`.
    pub args: Bytes,
    /// When it is started again.
    pub restart: RestartType,
    /// What a crash does.
    pub on_crash: Directive,
    /// Its mailbox.
    pub mailbox: MailboxSpec,
    /// What it may use.
    pub limits: Limits,
    /// How long it may take to stop before it is killed, in milliseconds.
    pub shutdown_ms: u64,
    /// Messages handled before it gives way to another ready actor (Akka's
    /// throughput), at least 1.
    pub throughput: u32,
    /// Whether its idle instance may be put to sleep when room is needed.
    pub hibernate: bool,
    /// Behaviours that it may spawn.
    pub may_spawn: Arc<[Arc<str>]>,
    /// Budget of its own restarts, where no supervisor or pool gives one.
    pub own_budget: RestartBudget,
}

impl ChildSpec {
    /// A permanent child of `behaviour` with every default.
    pub fn new(behaviour: &str) -> Self {
        Self {
            behaviour: behaviour.into(),
            args: Bytes::new(),
            restart: RestartType::Permanent,
            on_crash: Directive::Restart,
            mailbox: MailboxSpec::default(),
            limits: Limits::default(),
            shutdown_ms: 5_000,
            throughput: 64,
            hibernate: true,
            may_spawn: Arc::from([]),
            own_budget: RestartBudget::default(),
        }
    }
}
