//! The actor cell: everything of one actor that outlives its incarnations.
//!
//! `schedule` says whether it is on a ready queue; `drive` handles what is in the
//! mailbox; `life` begins, restarts and ends incarnations. A cell at rest holds
//! no future, no stack and no thread: a run makes a future, polls it until the
//! batch is over, and drops it. Dropping it early (a kill) drops the incarnation.

mod belongings;
mod deadline;
mod drive;
mod flight;
mod latch;
mod life;
mod pause;
pub mod schedule;
mod timers;

pub(crate) use belongings::Belongings;
pub(crate) use latch::Latch;
pub(crate) use life::{Life, Saved};
pub(crate) use pause::{Pause, Paused, Renewal};
pub(crate) use timers::NewTimer;
pub use timers::Tick;

use crate::{
    ActorId, ChildSpec, Crash, CrashKind, Engine, ExitReason,
    ask::waits::Waits,
    dispatcher::{Dispatcher, Lane, Runnable},
    mailbox::Mailbox,
    node::{Behaviour, KnownBy, Links, NodeInner, Parent},
    policy::{backoff::Attempts, restart::RestartWindow},
    swap::Ticket,
    turn::StopMode,
};
use deadline::WaitWord;
use parking_lot::Mutex;
use rustc_hash::FxHashSet;
use schedule::{Enqueue, Schedule};
use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

/// A message of the system lane.
pub(crate) enum System<E: Engine> {
    /// Begin the first life.
    Start,
    /// Another life is granted, after a delay.
    Restart { resume: bool, after_ms: u64 },
    /// End this life and wait for another: a sibling's restart takes it along.
    Pause(Pause),
    /// The supervisor grants no other life.
    Conclude { reason: ExitReason, exhausted: bool },
    /// An operator wants a fresh life now.
    Renew(Renewal),
    /// Stop in an orderly way.
    Stop { mode: StopMode, by: StopBy },
    /// Its instance is wanted for somebody else.
    Sleep,
    /// Move to another module version.
    Swap(Ticket<E>),
    /// A linked actor's life has ended: look at the signals.
    ExitSignal,
}

/// Who stops an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopBy {
    /// Another actor: the restart type says what follows (OTP's `exit/2`).
    Signal,
    /// Its parent, an operator or a shutdown: this is the end (OTP's
    /// `terminate_child`).
    Order,
    /// Its supervisor, between two lives.
    Pause,
    /// An operator who wants another life.
    Renew,
}

/// What a cell is doing, for people to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Its first `init` has not ended.
    Starting,
    /// Nothing to do.
    Idle,
    /// On a worker, or about to be.
    Running,
    /// Its handler waits for something.
    Waiting,
    /// It holds no instance.
    Asleep,
    /// Between two lives.
    Restarting,
    /// It takes no more messages.
    Stopping,
}

impl Status {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Asleep => "asleep",
            Self::Restarting => "restarting",
            Self::Stopping => "stopping",
        }
    }
}

const KILL_NONE: u8 = 0;
const KILL_PAUSE: u8 = 1;
const KILL_RENEW: u8 = 2;
const KILL_SIGNAL: u8 = 3;
const KILL_ORDER: u8 = 4;

type Batch<E> = Pin<Box<dyn Future<Output = (Life<E>, bool)> + Send>>;

/// What only the thread that runs the cell touches.
struct Run<E: Engine> {
    /// A batch that is under way.
    batch: Option<Batch<E>>,
    /// The life, between batches.
    life: Life<E>,
}

/// What belongs to the actor and not to one life, and survives a kill.
#[derive(Default)]
pub(crate) struct Keep {
    pub window: RestartWindow,
    /// What its next delay between two lives follows from.
    pub attempts: Attempts,
    /// Somebody else stops it for good.
    pub stop_ordered: bool,
    /// It was told that its end took a kill.
    pub late_told: bool,
    /// Whom this life watches.
    pub watching: FxHashSet<ActorId>,
    /// Links of this life, where there are any.
    pub links: Option<Box<Links>>,
    /// What it is known by, where there is anything.
    pub known_by: Option<Box<KnownBy>>,
    /// The actor has ended: nobody links to it.
    pub ended: bool,
    log: LogGate,
    /// What else belongs to this life.
    pub belongings: Option<Box<Belongings>>,
    /// The last of the actor's own numbers that was given out.
    numbers: u64,
    /// The last one that was given out before this life.
    pub numbers_before: u64,
}

/// What becomes of a log line.
pub(crate) enum LogLine {
    /// It is written, after so many that were left out.
    Admitted { suppressed: u64 },
    /// It is over the rate; `first` of its second.
    LeftOut { first: bool },
}

/// How many log lines the running second has seen.
#[derive(Default)]
struct LogGate {
    second: u64,
    lines: u32,
    suppressed: u64,
}

/// Figures for people to read.
#[derive(Default)]
pub(crate) struct Figures {
    pub handled: AtomicU64,
    pub restarts: AtomicU64,
    pub memory: AtomicU64,
    pub version: AtomicU32,
    /// Discriminant of [`Phase`].
    phase: AtomicU8,
}

/// The part of [`Status`] that the life itself knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Unborn,
    Awake,
    Asleep,
    Between,
    Ended,
}

/// The living descendants of one actor that no actor spawned. Counted together, so
/// that a chain of spawns is bounded as a fan is.
pub(crate) struct Lineage {
    count: AtomicU32,
    max: u32,
}

impl Lineage {
    pub fn new(max: u32) -> Arc<Self> {
        Arc::new(Self {
            count: AtomicU32::new(0),
            max,
        })
    }

    /// Counts one more; false when there are too many already.
    pub fn enter(&self) -> bool {
        let below = |count| (count < self.max).then_some(count + 1);
        self.count
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, below)
            .is_ok()
    }

    pub fn leave(&self) {
        self.count.fetch_sub(1, Ordering::AcqRel);
    }
}

pub(crate) struct Cell<E: Engine> {
    pub id: ActorId,
    pub path: Arc<str>,
    pub spec: ChildSpec,
    pub parent: Parent<E>,
    pub behaviour: Arc<Behaviour<E>>,
    pub node: Arc<NodeInner<E>>,
    /// Runs it.
    dispatcher: Arc<dyn Dispatcher>,
    pub mailbox: Arc<Mailbox<System<E>>>,
    pub keep: Mutex<Keep>,
    /// Whom its running turn waits for.
    pub waits: Waits,
    pub children: Mutex<FxHashSet<ActorId>>,
    /// Shared with all descendants.
    pub lineage: Arc<Lineage>,
    /// Who watches it; none once it has ended.
    pub watchers: Mutex<Option<FxHashSet<ActorId>>>,
    pub started: Latch<Result<(), Arc<Crash>>>,
    pub ended: Latch<ExitReason>,
    pub figures: Figures,
    /// Used since the last look of the search for an instance to put to sleep.
    pub used: AtomicBool,
    /// In that search's ring.
    pub in_ring: AtomicBool,
    schedule: Schedule,
    wait: WaitWord,
    embryo: AtomicBool,
    kill: AtomicU8,
    /// It waits for the moment of its next life.
    delayed: AtomicBool,
    run: Mutex<Run<E>>,
}

impl<E: Engine> Cell<E> {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        id: ActorId,
        path: Arc<str>,
        spec: ChildSpec,
        parent: Parent<E>,
        behaviour: Arc<Behaviour<E>>,
        dispatcher: Arc<dyn Dispatcher>,
        node: Arc<NodeInner<E>>,
        embryo: bool,
    ) -> Arc<Self> {
        let mailbox = Arc::new(Mailbox::new(
            spec.mailbox.clone(),
            node.mailbox_bytes.clone(),
        ));
        let lineage = match &parent {
            Parent::Actor(parent) => parent.upgrade().map(|parent| parent.lineage.clone()),
            _ => None,
        };
        let lineage = lineage.unwrap_or_else(|| Lineage::new(spec.limits.children));
        Arc::new(Self {
            id,
            path,
            spec,
            parent,
            behaviour,
            node,
            dispatcher,
            mailbox,
            keep: Mutex::default(),
            waits: Waits::default(),
            children: Mutex::default(),
            lineage,
            watchers: Mutex::new(Some(FxHashSet::default())),
            started: Latch::new(),
            ended: Latch::new(),
            figures: Figures::default(),
            used: AtomicBool::new(true),
            in_ring: AtomicBool::new(false),
            schedule: Schedule::new(),
            wait: WaitWord::default(),
            embryo: AtomicBool::new(embryo),
            kill: AtomicU8::new(KILL_NONE),
            delayed: AtomicBool::new(false),
            run: Mutex::new(Run {
                batch: None,
                life: Life::Unborn,
            }),
        })
    }

    pub fn is_embryo(&self) -> bool {
        self.embryo.load(Ordering::Acquire)
    }

    pub fn hatch(&self) {
        self.embryo.store(false, Ordering::Release);
    }

    /// There is something in the mailbox: put the cell on a queue unless it is on
    /// one.
    pub fn notify(self: &Arc<Self>) {
        if self.schedule.notify() == Enqueue::Yes {
            self.dispatcher.push(self.clone(), Lane::Fresh);
        }
    }

    /// Sends a system message; it is dropped when the actor has ended.
    pub fn system(self: &Arc<Self>, message: System<E>) {
        if self.mailbox.push_system(message).is_ok() {
            self.notify();
        }
    }

    /// Abandons what the actor is doing.
    pub fn kill(self: &Arc<Self>, by: StopBy) {
        let flag = match by {
            StopBy::Pause => KILL_PAUSE,
            StopBy::Renew => KILL_RENEW,
            StopBy::Signal => KILL_SIGNAL,
            StopBy::Order => KILL_ORDER,
        };
        self.kill.fetch_max(flag, Ordering::AcqRel);
        self.notify();
    }

    /// What becomes of one more log line.
    pub fn gate_log_line(&self, now_ms: u64) -> LogLine {
        let gate = &mut self.keep.lock().log;
        if gate.second != now_ms / 1_000 {
            (gate.second, gate.lines) = (now_ms / 1_000, 0);
        }
        gate.lines = gate.lines.saturating_add(1);
        let rate = self.spec.limits.log_lines_per_second;
        if gate.lines <= rate {
            return LogLine::Admitted {
                suppressed: std::mem::take(&mut gate.suppressed),
            };
        }
        gate.suppressed += 1;
        LogLine::LeftOut {
            first: gate.lines == rate.saturating_add(1),
        }
    }

    /// Log lines left out that nobody has been told of yet.
    pub fn take_suppressed(&self) -> u64 {
        std::mem::take(&mut self.keep.lock().log.suppressed)
    }

    /// Whether its instance may be put to sleep.
    pub fn may_hibernate(&self) -> bool {
        let number = self.figures.version.load(Ordering::Relaxed);
        self.spec.hibernate
            && self
                .behaviour
                .version(number)
                .is_some_and(|version| self.node.engine.info(&version.module).can_save)
    }

    pub fn set_phase(&self, phase: Phase) {
        self.figures.phase.store(phase as u8, Ordering::Relaxed);
    }

    pub fn phase(&self) -> Phase {
        const ALL: [Phase; 5] = [
            Phase::Unborn,
            Phase::Awake,
            Phase::Asleep,
            Phase::Between,
            Phase::Ended,
        ];
        ALL[self.figures.phase.load(Ordering::Relaxed) as usize]
    }

    pub fn status(&self) -> Status {
        match self.phase() {
            Phase::Unborn => return Status::Starting,
            Phase::Between => return Status::Restarting,
            Phase::Ended => return Status::Stopping,
            Phase::Awake | Phase::Asleep if self.mailbox.closed().is_some() => {
                return Status::Stopping;
            }
            Phase::Awake | Phase::Asleep => {}
        }
        if self.schedule.is_running() || self.schedule.is_scheduled() {
            Status::Running
        } else if self.run.try_lock().is_none_or(|run| run.batch.is_some()) {
            Status::Waiting
        } else if self.phase() == Phase::Asleep {
            Status::Asleep
        } else {
            Status::Idle
        }
    }

    /// The future that follows a kill, with whatever ran before dropped.
    fn killed(self: &Arc<Self>, run: &mut Run<E>) -> Option<Batch<E>> {
        let kill = self.kill.swap(KILL_NONE, Ordering::AcqRel);
        if kill == KILL_NONE || self.phase() == Phase::Ended {
            return None;
        }
        let is_paused = run.batch.is_none() && matches!(run.life, Life::Between(_));
        let has_no_life = is_paused || self.delayed.load(Ordering::Relaxed);
        // OTP: an exit signal has nobody to end there. Or one end would count as two
        // restarts.
        if kill == KILL_PAUSE && is_paused
            || matches!(kill, KILL_SIGNAL | KILL_RENEW) && has_no_life
        {
            return None;
        }
        run.batch = None;
        run.life = Life::Between(None);
        let by = match kill {
            KILL_ORDER => StopBy::Order,
            KILL_PAUSE => StopBy::Pause,
            KILL_RENEW => StopBy::Renew,
            _ => StopBy::Signal,
        };
        let cell = self.clone();
        Some(Box::pin(async move { (cell.after_kill(by).await, true) }))
    }
}

impl<E: Engine> Wake for Cell<E> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    /// Unlike [`Cell::notify`], this ends what the running call waits for.
    fn wake_by_ref(self: &Arc<Self>) {
        self.wait.wake(|| self.node.clock.now_ms());
        self.notify();
    }
}

impl<E: Engine> Runnable for Cell<E> {
    fn run(self: Arc<Self>) -> Option<Lane> {
        self.schedule.begin();
        let mut run = self.run.lock();
        let mut batch = match self.killed(&mut run) {
            Some(after) => after,
            None => match run.batch.take() {
                Some(batch) => batch,
                None => {
                    let life = std::mem::replace(&mut run.life, Life::Between(None));
                    // Made in its place: a copy of it would cost as much as the rest of
                    // a short batch.
                    Box::into_pin(Box::write(
                        Box::new_uninit(),
                        drive::batch(self.clone(), life),
                    ))
                }
            },
        };
        self.used.store(true, Ordering::Relaxed);
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        let (polled, gives_way) =
            match catch_unwind(AssertUnwindSafe(|| batch.as_mut().poll(&mut cx))) {
                Ok(Poll::Pending) => {
                    run.batch = Some(batch);
                    (None, true)
                }
                Ok(Poll::Ready((life, more))) => {
                    run.life = life;
                    (Some(more), true)
                }
                Err(panic) => {
                    // A fault of the host's own must not take the worker with it.
                    drop(batch);
                    let crash = Crash::new(
                        CrashKind::Trap,
                        format!("the host failed: {}", panic_text(&*panic)),
                    );
                    run.life = Life::Between(None);
                    let cell = self.clone();
                    run.batch = Some(Box::pin(async move {
                        (cell.after_crash(crash, None).await, true)
                    }));
                    (Some(true), false)
                }
            };
        drop(run);
        let lane = if gives_way { Lane::Spent } else { Lane::Fresh };
        if polled == Some(true) {
            self.schedule.finish_with_more();
            return Some(lane);
        }
        (self.schedule.finish() == Enqueue::Yes).then_some(if polled.is_none() {
            lane
        } else {
            Lane::Fresh
        })
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
