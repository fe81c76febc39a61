//! What an actor is started with: its child spec.

use crate::{CrashKind, ExitReason};
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

/// What a directive may be chosen by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A crash of this kind.
    Crash(CrashKind),
    /// A kill by another actor.
    Killed,
}

/// A directive for each cause of an abnormal end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directives {
    /// For every cause that is not named.
    pub otherwise: Directive,
    /// For the causes named; the first that fits holds.
    pub by_cause: Arc<[(Cause, Directive)]>,
}

impl Directives {
    /// The directive that answers an end, as if it were abnormal.
    pub fn of(&self, reason: &ExitReason) -> Directive {
        let cause = match reason {
            ExitReason::Crashed(crash) => Cause::Crash(crash.kind),
            // A kill is answered by the restart type, unless it is named.
            _ => Cause::Killed,
        };
        let named = self.by_cause.iter().find(|(named, _)| *named == cause);
        match (named, cause) {
            (Some((_, directive)), _) => *directive,
            (None, Cause::Crash(_)) => self.otherwise,
            (None, Cause::Killed) => Directive::Restart,
        }
    }

    /// Whether any cause is answered with `directive`.
    pub fn mention(&self, directive: Directive) -> bool {
        self.otherwise == directive || self.by_cause.iter().any(|(_, d)| *d == directive)
    }
}

impl From<Directive> for Directives {
    fn from(otherwise: Directive) -> Self {
        Self {
            otherwise,
            by_cause: Arc::from([]),
        }
    }
}

/// How long a child waits before it is started again (Akka's backoff supervisor).
/// Messages sent meanwhile wait in its mailbox.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// Delay before the first restart, in milliseconds.
    pub first_ms: u64,
    /// What each further delay is multiplied with, at least 1.
    pub factor: f64,
    /// Longest delay before jitter, in milliseconds.
    pub cap_ms: u64,
    /// Share of a delay that chance may add, from 0 to 1.
    pub jitter: f64,
    /// After a life of so many milliseconds the delays begin anew.
    pub reset_ms: u64,
}

/// What follows for the siblings when a child is restarted (OTP's strategies).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// Only the child itself is restarted.
    #[default]
    OneForOne,
    /// All children are stopped in reverse order and started in order.
    OneForAll,
    /// The child and those started after it.
    RestForOne,
}

/// Whether a supervisor ends by itself when significant children do (OTP 24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AutoShutdown {
    /// It does not; no child may be significant.
    #[default]
    Never,
    /// When any significant child ends by itself.
    AnySignificant,
    /// When the last significant child ends by itself.
    AllSignificant,
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
    /// The new message becomes a dead letter; its sender is told that it was
    /// accepted.
    DropNewest,
    /// The oldest waiting message becomes a dead letter.
    DropOldest,
    /// There is no bound but the node's budget of bytes.
    Unbounded,
}

/// Bounds of one mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxSpec {
    /// Most user messages that may wait, at least 1.
    pub capacity: u32,
    /// What a full mailbox does.
    pub overflow: Overflow,
    /// Priority of message variants by their number in the message enum, sorted by
    /// number; others have priority 0. Higher ones are handled first.
    pub priorities: Arc<[(u32, u8)]>,
}

impl Default for MailboxSpec {
    fn default() -> Self {
        Self {
            capacity: 1024,
            overflow: Overflow::Reject,
            priorities: Arc::from([]),
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
    /// How long one turn may wait in calls to the node, in milliseconds; none means
    /// for ever. Computing is bounded by fuel instead.
    pub deadline_ms: Option<u64>,
    /// Timers set at a time.
    pub timers: u32,
    /// Questions under way whose replies come as messages.
    pub asks: u32,
    /// Messages in the stash.
    pub stash: u32,
    /// Links to other actors.
    pub links: u32,
    /// Registered names.
    pub names: u32,
    /// Groups joined.
    pub groups: u32,
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
            deadline_ms: Some(60_000),
            timers: 1_000,
            asks: 1_000,
            stash: 1_024,
            links: 10_000,
            names: 100,
            groups: 1_000,
        }
    }
}

/// How often a child or a supervisor's children may be restarted (OTP's restart
/// intensity): more than `intensity` within `period_ms` is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartBudget {
    /// Restarts allowed within the period; 0 allows none, `u32::MAX` any number.
    pub intensity: u32,
    /// Length of the sliding window, in milliseconds.
    pub period_ms: u64,
}

impl RestartBudget {
    /// Any number of restarts, for children whose backoff bounds them.
    pub const UNLIMITED: Self = Self {
        intensity: u32::MAX,
        period_ms: 1,
    };

    /// Whether it allows any number of restarts.
    pub fn is_unlimited(&self) -> bool {
        self.intensity == u32::MAX
    }
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
    pub on_crash: Directives,
    /// How long to wait before a restart; none means not at all.
    pub backoff: Option<Backoff>,
    /// Turns in which one message may crash before it is given up as `poison`, at
    /// least 1. At 1 a message whose turn crashed is lost; above, it is handled
    /// again by the next life, before all others.
    pub attempts: u32,
    /// Whether its children live on when it is restarted.
    pub keep_children: bool,
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
    /// Name of the dispatcher that runs it.
    pub dispatcher: Arc<str>,
    /// Behaviours that it may spawn.
    pub may_spawn: Arc<[Arc<str>]>,
    /// Paths of supervisors whose children it may manage.
    pub may_supervise: Arc<[Arc<str>]>,
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
            on_crash: Directive::Restart.into(),
            backoff: None,
            attempts: 1,
            keep_children: false,
            mailbox: MailboxSpec::default(),
            limits: Limits::default(),
            shutdown_ms: 5_000,
            throughput: 64,
            hibernate: true,
            dispatcher: "default".into(),
            may_spawn: Arc::from([]),
            may_supervise: Arc::from([]),
            own_budget: RestartBudget::default(),
        }
    }
}
