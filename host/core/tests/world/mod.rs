//! A simulated node whose behaviours are native: what each message asks for, the
//! instance does.

#![allow(dead_code, reason = "each test file uses its part of it")]

pub mod items;
pub mod model;
pub mod queueing;
pub mod seeds;
pub mod ties;
pub mod trace;
pub mod tree;

use actorhost_core::{
    ActorId, ChildSpec, Clock, Crash, CrashKind, Engine, Envelope, ExitReason, Instance, Limits,
    ModuleInfo, Node, NodeConfig, Payload, RestartType, StopMode, Turn,
    node::{Place, Spawned},
    observe::{Event, Observer},
    sim::Sim,
    spec::RestartBudget,
    timers::Timers,
    turn::NewChild,
};
use bytes::Bytes;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::{
    collections::{HashMap, HashSet},
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    task::Poll,
};
use trace::{Step, Trace};

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

/// What happened, in the order in which it happened.
#[derive(Debug, Default)]
pub struct Record {
    /// Accepted sends: sender, target, number.
    pub sent: Vec<(u64, u64, u64)>,
    /// Handled messages: sender, target, number.
    pub taken: Vec<(u64, u64, u64)>,
    pub log: Vec<String>,
    /// How many of the next `init`s under a path fail.
    pub failing: HashMap<String, u32>,
    /// How long a `stopping` hook takes, in milliseconds; its end is then logged too.
    pub stop_ms: u64,
    /// Whether hogs give their threads back.
    pub free: bool,
    /// Ends that watchers heard of: watcher, watched, reason.
    pub downs: Vec<(u64, u64, String)>,
    /// Actors of which a life handles something now.
    pub busy: HashSet<u64>,
    /// Items that brought the stash back and went into it.
    pub put_aside: HashSet<u64>,
    /// Times that two lives of one actor handled something at once.
    pub overlaps: u64,
}

/// One life handles something.
struct Busy {
    record: Arc<Mutex<Record>>,
    who: u64,
}

impl Busy {
    fn new(record: &Arc<Mutex<Record>>, who: u64) -> Self {
        let mut held = record.lock();
        if !held.busy.insert(who) {
            held.overlaps += 1;
        }
        drop(held);
        let record = record.clone();
        Self { record, who }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.record.lock().busy.remove(&self.who);
    }
}

/// A native module.
pub struct NativeModule {
    pub info: ModuleInfo,
    pub fails_load: bool,
    pub fails_init: Arc<AtomicI64>,
}

pub fn module(version: u32) -> NativeModule {
    NativeModule {
        info: ModuleInfo {
            module_version: format!("0.{version}.0"),
            digest: format!("digest-{version}"),
            state_version: version,
            can_save: true,
        },
        fails_load: false,
        fails_init: Arc::new(AtomicI64::new(0)),
    }
}

pub struct Native {
    pub record: Arc<Mutex<Record>>,
    /// Instances that exist now.
    pub instances: Arc<AtomicU64>,
    /// Incarnations of one actor never overlap while one of them handles.
    pub generation: AtomicU64,
    /// What instances wait by.
    pub timers: Arc<Timers>,
    pub trace: Arc<Trace>,
}

pub struct NativeInstance {
    turn: Turn<Native>,
    module: Arc<NativeModule>,
    record: Arc<Mutex<Record>>,
    instances: Arc<AtomicU64>,
    handled: u64,
    number: i64,
    downs: Vec<String>,
    tokens: Vec<u64>,
    sender: Option<ActorId>,
    refuses_save: bool,
    open: bool,
    on_stop: ties::OnStop,
    generation: u64,
    timers: Arc<Timers>,
    trace: Arc<Trace>,
}

impl Drop for NativeInstance {
    fn drop(&mut self) {
        let id = self.turn.self_id();
        self.trace.add(Step::Dropped { id });
        self.instances.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn give_way(times: u32) {
    let mut left = times;
    poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn crash(text: &str) -> Crash {
    Crash::new(CrashKind::Panic, text)
}

impl Engine for Native {
    type Module = NativeModule;
    type Instance = NativeInstance;

    fn info<'m>(&self, module: &'m NativeModule) -> &'m ModuleInfo {
        &module.info
    }

    async fn instantiate(
        &self,
        module: &Arc<NativeModule>,
        turn: Turn<Self>,
        _: &Limits,
    ) -> Result<NativeInstance, Crash> {
        self.instances.fetch_add(1, Ordering::SeqCst);
        self.trace.add(Step::Made {
            id: turn.self_id(),
            path: turn.self_path().into(),
        });
        Ok(NativeInstance {
            turn,
            module: module.clone(),
            record: self.record.clone(),
            instances: self.instances.clone(),
            handled: 0,
            number: 0,
            downs: Vec::new(),
            tokens: Vec::new(),
            sender: None,
            refuses_save: false,
            open: false,
            on_stop: ties::OnStop::Return,
            generation: self.generation.fetch_add(1, Ordering::SeqCst),
            timers: self.timers.clone(),
            trace: self.trace.clone(),
        })
    }
}

impl NativeInstance {
    fn me(&self) -> u64 {
        self.turn.self_id().0
    }

    fn act(&mut self, ties: Vec<ties::Tie>) -> String {
        let acts = ties.into_iter();
        let results: Vec<_> = acts
            .map(|tie| ties::act(&mut self.turn, &mut self.on_stop, tie))
            .collect();
        results.join(",")
    }

    async fn obey(&mut self, cmd: Cmd) -> Result<Option<Bytes>, Crash> {
        let reply = match cmd {
            Cmd::Take {
                from,
                seq,
                crash: crashes,
                yields,
            } => {
                give_way(yields).await;
                if crashes {
                    return Err(crash("take"));
                }
                self.record
                    .lock()
                    .taken
                    .push((from, self.turn.self_id().0, seq));
                String::new()
            }
            Cmd::Send {
                to,
                seq,
                crash_there,
                crash_here,
                yields,
            } => {
                let from = self.me();
                let message = bytes(&Cmd::Take {
                    from,
                    seq,
                    crash: crash_there,
                    yields,
                });
                let accepted = self.turn.tell(ActorId(to), message).await.is_ok();
                give_way(yields).await;
                if crash_here {
                    return Err(crash("send"));
                }
                if accepted {
                    self.record.lock().sent.push((from, to, seq));
                }
                String::new()
            }
            Cmd::Count => self.handled.to_string(),
            Cmd::Add(n) => {
                self.number += n;
                self.number.to_string()
            }
            Cmd::Crash => return Err(crash("ordered")),
            Cmd::Yield(times) => {
                give_way(times).await;
                String::new()
            }
            Cmd::Spin => loop {
                give_way(u32::MAX).await;
            },
            Cmd::Ask { to, timeout_ms } => {
                match self
                    .turn
                    .ask(ActorId(to), bytes(&Cmd::Count), timeout_ms)
                    .await
                {
                    Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
                    Err(error) => error.to_string(),
                }
            }
            Cmd::Spawn {
                name,
                crash: crashes,
            } => {
                let spawned = self.turn.spawn("b", Bytes::new(), Some(&name));
                if crashes {
                    return Err(crash("spawn"));
                }
                spawned.map_or_else(|error| error.to_string(), |id| id.0.to_string())
            }
            Cmd::StopSelf => {
                self.turn.stop(self.turn.self_id(), StopMode::Now);
                "bye".into()
            }
            Cmd::Stop { to, kill } => {
                let mode = if kill { StopMode::Kill } else { StopMode::Now };
                self.turn.stop(ActorId(to), mode);
                String::new()
            }
            Cmd::Watch(to) => {
                self.turn.watch(ActorId(to));
                String::new()
            }
            Cmd::Unwatch(to) => {
                self.turn.unwatch(ActorId(to));
                String::new()
            }
            Cmd::RefuseSave => {
                self.refuses_save = true;
                String::new()
            }
            Cmd::Downs => self.downs.join(","),
            Cmd::Flood { to, times } => {
                let mut last = String::new();
                for _ in 0..times {
                    last = match self.turn.tell(ActorId(to), bytes(&Cmd::Add(1))).await {
                        Ok(()) => "ok".into(),
                        Err(error) => error.to_string(),
                    };
                }
                last
            }
            Cmd::FlushThenCrash { to } => {
                let _ = self.turn.tell(ActorId(to), bytes(&Cmd::Add(1))).await;
                self.turn.flush();
                return Err(crash("after flush"));
            }
            Cmd::Later { crash: crashes } => {
                self.tokens.extend(self.turn.reply_later());
                if crashes {
                    return Err(crash("later"));
                }
                "not used".into()
            }
            Cmd::AnswerLater {
                text,
                crash: crashes,
            } => {
                let mut results = Vec::new();
                for &token in &self.tokens {
                    let answer = self.turn.reply(token, text.clone().into());
                    results.push(answer.map_or_else(|error| error.to_string(), |()| "ok".into()));
                }
                if crashes {
                    return Err(crash("answer"));
                }
                results.join(",")
            }
            Cmd::Forward {
                to,
                cmd,
                crash: crashes,
            } => {
                let handed_on = self.turn.forward(ActorId(to), bytes(&cmd));
                if crashes {
                    return Err(crash("forward"));
                }
                handed_on.map_or_else(|error| error.to_string(), |()| "not used".into())
            }
            Cmd::Whence => {
                let sender = self.sender.map_or("outside".into(), |id| id.0.to_string());
                self.record.lock().log.push(format!("whence {sender}"));
                sender
            }
            Cmd::AskThat {
                to,
                cmd,
                timeout_ms,
            } => match self.turn.ask(ActorId(to), bytes(&cmd), timeout_ms).await {
                Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
                Err(error) => error.to_string(),
            },
            Cmd::ShutDown { timeout_ms } => {
                let node = ties::node();
                let summary = node.shutdown(timeout_ms).await;
                format!("{summary:?}")
            }
            Cmd::Stream { to, first, count } => self.stream(to, first, count).await,
            Cmd::Gate { seq } => self.gate(seq),
            Cmd::Open => self.open(),
            Cmd::StashAgain => self.stash_again(),
            Cmd::StashFirst { seq } => self.stash_first(seq),
            Cmd::StashThenCrash => return Err(self.stash_then_crash()),
            Cmd::TakeAfterCrash { seq } => self.take_after_crash(seq)?,
            Cmd::Low(item) | Cmd::Mid(item) | Cmd::High(item) => self.item(item).await?,
            Cmd::HoldName(name) => {
                self.turn.register(&name).expect("the name is free");
                std::future::pending().await
            }
            Cmd::Ties {
                ties,
                crash: crashes,
            } => {
                let results = self.act(ties);
                if crashes {
                    return Err(crash("ties"));
                }
                results
            }
            Cmd::Sleep { ms, times } => {
                for _ in 0..times {
                    self.timers.sleep(ms).await;
                }
                "slept".into()
            }
            Cmd::Manage {
                supervisor,
                what,
                timeout_ms,
            } => self.manage(&supervisor, what, timeout_ms).await,
            Cmd::Hog => {
                self.record.lock().log.push("hog".into());
                while !self.record.lock().free {
                    std::thread::yield_now();
                }
                "freed".into()
            }
            Cmd::AskLater {
                to,
                cmd,
                timeout_ms,
                crash: crashes,
            } => {
                let asked = self.turn.ask_later(ActorId(to), bytes(&cmd), timeout_ms);
                if crashes {
                    return Err(crash("ask later"));
                }
                asked.map_or_else(|error| error.to_string(), |ask| ask.to_string())
            }
            Cmd::SetTimer {
                key,
                cmd,
                after_ms,
                every_ms,
                crash: crashes,
            } => {
                let message = bytes(&cmd);
                let set = self
                    .turn
                    .set_timer(key.as_deref(), message, after_ms, every_ms);
                if crashes {
                    return Err(crash("set timer"));
                }
                set.map_or_else(|error| error.to_string(), |timer| timer.to_string())
            }
            Cmd::CancelKey {
                key,
                crash: crashes,
            } => {
                let was_set = self.turn.cancel_timer_key(&key);
                if crashes {
                    return Err(crash("cancel timer"));
                }
                was_set.to_string()
            }
            Cmd::SetTimers { times, after_ms } => {
                let mut set = 0;
                let mut set_one = || {
                    let message = bytes(&Cmd::Add(1));
                    self.turn
                        .set_timer(None, message, after_ms, None)
                        .map(|_| set += 1)
                };
                let refused = (0..times).find_map(|_| set_one().err());
                refused.map_or_else(|| set.to_string(), |error| format!("{set} {error}"))
            }
            Cmd::CancelTimer(timer) => self.turn.cancel_timer(timer).to_string(),
            Cmd::SetAndCancel => {
                let message = bytes(&Cmd::Add(1));
                let set = self.turn.set_timer(Some("both"), message, 5, None);
                let timer = set.expect("the quota allows it");
                let twice = (self.turn.cancel_timer(timer), self.turn.cancel_timer(timer));
                format!("{twice:?}")
            }
        };
        Ok(Some(reply.into_bytes().into()))
    }
}

impl NativeInstance {
    async fn manage(&mut self, supervisor: &str, what: Manage, timeout_ms: u64) -> String {
        let turn = &mut self.turn;
        let done = match what {
            Manage::Start(id) => {
                let child = NewChild {
                    id: &id,
                    behaviour: "b",
                    args: Bytes::new(),
                    restart: RestartType::Transient,
                    significant: false,
                };
                let started = turn.start_child(supervisor, child, timeout_ms).await;
                started.map(|id| id.0.to_string())
            }
            Manage::Terminate(id) => {
                let done = turn.terminate_child(supervisor, &id, timeout_ms).await;
                done.map(|()| "ok".into())
            }
            Manage::Restart(id) => {
                let restarted = turn.restart_child(supervisor, &id, timeout_ms).await;
                restarted.map(|id| id.0.to_string())
            }
            Manage::Delete(id) => {
                let done = turn.delete_child(supervisor, &id, timeout_ms).await;
                done.map(|()| "ok".into())
            }
            Manage::Count => {
                let counts = turn.count_children(supervisor, timeout_ms).await;
                counts.map(|counts| format!("{}/{}", counts.active, counts.specs))
            }
        };
        done.unwrap_or_else(|error| error.to_string())
    }
}

impl Instance for NativeInstance {
    type Engine = Native;

    fn turn(&mut self) -> &mut Turn<Native> {
        &mut self.turn
    }

    async fn init(&mut self, args: Bytes) -> Result<(), Crash> {
        let id = self.turn.self_id();
        self.trace.add(Step::Init { id });
        if self.module.fails_init.load(Ordering::SeqCst) > 0 {
            self.module.fails_init.fetch_sub(1, Ordering::SeqCst);
            return Err(Crash::new(CrashKind::InitFailed, "told to"));
        }
        if args.as_ref() == b"fail" {
            return Err(Crash::new(CrashKind::InitFailed, "told to"));
        }
        let path = self.turn.self_path().to_string();
        if let Some(left) = self.record.lock().failing.get_mut(&path)
            && *left > 0
        {
            *left -= 1;
            return Err(Crash::new(CrashKind::InitFailed, "told to"));
        }
        self.record.lock().log.push(format!("init {path}"));
        if !args.is_empty() {
            let ties = postcard::from_bytes(&args)
                .map_err(|e| Crash::new(CrashKind::InitFailed, e.to_string()))?;
            self.act(ties);
        }
        Ok(())
    }

    async fn handle(&mut self, envelope: Envelope) -> Result<Option<Bytes>, Crash> {
        let _busy = Busy::new(&self.record, self.turn.self_id().0);
        self.sender = envelope.sender;
        match envelope.payload {
            Payload::Message(message) => {
                let cmd = postcard::from_bytes(&message)
                    .map_err(|e| Crash::new(CrashKind::BadMessage, e.to_string()))?;
                let reply = self.obey(cmd).await?;
                self.handled += 1;
                Ok(reply)
            }
            Payload::Down { who, reason } => {
                let heard = (self.turn.self_id().0, who.0, reason.to_string());
                self.record.lock().downs.push(heard);
                self.downs.push(format!("{} {reason}", who.0));
                Ok(None)
            }
            Payload::Exit { who, reason } => {
                self.downs.push(format!("exit {} {reason}", who.0));
                Ok(None)
            }
            Payload::Reply { ask, outcome } => {
                self.downs.push(format!("reply {ask} {outcome:?}"));
                Ok(None)
            }
        }
    }

    async fn save(&mut self) -> Result<Bytes, Crash> {
        if self.refuses_save {
            return Err(Crash::new(CrashKind::SaveFailed, "told to"));
        }
        let state = (self.handled, self.number, &self.downs, &self.tokens);
        Ok(postcard::to_stdvec(&state).expect("state encodes").into())
    }

    async fn load(&mut self, state: Bytes, _: u32) -> Result<(), Crash> {
        if self.module.fails_load {
            return Err(Crash::new(CrashKind::LoadFailed, "told to"));
        }
        (self.handled, self.number, self.downs, self.tokens) =
            postcard::from_bytes(&state).expect("state decodes");
        Ok(())
    }

    async fn stopping(&mut self, reason: &ExitReason) -> Result<(), Crash> {
        self.trace.add(Step::Stopping {
            id: self.turn.self_id(),
            reason: reason.to_string(),
        });
        let line = format!("stopping {} {reason}", self.turn.self_path());
        self.record.lock().log.push(line);
        let stop_ms = self.record.lock().stop_ms;
        if stop_ms > 0 {
            self.timers.sleep(stop_ms).await;
            let line = format!("stopped {}", self.turn.self_path());
            self.record.lock().log.push(line);
        }
        match self.on_stop {
            ties::OnStop::Return => Ok(()),
            ties::OnStop::Crash => Err(crash("stopping")),
            ties::OnStop::Hang => std::future::pending().await,
        }
    }

    fn memory_bytes(&self) -> u64 {
        1
    }
}

/// Collects events.
#[derive(Default)]
pub struct Events(pub Mutex<Vec<Event>>, pub Restarts);

/// When which actor was restarted.
#[derive(Default)]
pub struct Restarts {
    clock: Option<Arc<dyn Clock>>,
    trace: Option<Arc<Trace>>,
    pub at_ms: Mutex<Vec<(ActorId, u64)>>,
}

impl Observer for Events {
    fn event(&self, event: Event) {
        if let (Event::Restarted { subject, .. }, Some(clock)) = (&event, &self.1.clock) {
            self.1.at_ms.lock().push((subject.id, clock.now_ms()));
        }
        if let Some(trace) = &self.1.trace {
            trace.add(Step::Told(event.clone()));
        }
        self.0.lock().push(event);
    }
}

pub struct World {
    pub sim: Sim,
    pub node: Node<Native>,
    pub record: Arc<Mutex<Record>>,
    pub events: Arc<Events>,
    pub instances: Arc<AtomicU64>,
    pub trace: Arc<Trace>,
}

impl World {
    pub fn new(seed: u64) -> Self {
        Self::with_live_max(seed, 1_000)
    }

    pub fn with_live_max(seed: u64, live_max: usize) -> Self {
        Self::with_limits(seed, live_max, u64::MAX)
    }

    pub fn with_limits(seed: u64, live_max: usize, mailbox_bytes_max: u64) -> Self {
        let sim = Sim::new(seed);
        let record = Arc::new(Mutex::new(Record::default()));
        let trace = Trace::new(sim.clock.clone());
        let restarts = Restarts {
            clock: Some(sim.clock.clone()),
            trace: Some(trace.clone()),
            ..Restarts::default()
        };
        let events = Arc::new(Events(Mutex::default(), restarts));
        let instances = Arc::new(AtomicU64::new(0));
        let node = Node::new(NodeConfig {
            engine: Native {
                record: record.clone(),
                instances: instances.clone(),
                generation: AtomicU64::new(0),
                timers: sim.timers.clone(),
                trace: trace.clone(),
            },
            clock: sim.clock.clone(),
            timers: sim.timers.clone(),
            dispatchers: sim.dispatchers(),
            observer: events.clone(),
            dead_letters_max: 1_000_000,
            dead_letter_bytes_max: u64::MAX,
            mailbox_bytes_max,
            live_max,
            live_hard_max: live_max + 8,
            root_budget: RestartBudget::default(),
        });
        node.deploy("b", module(1), template());
        Self {
            sim,
            node,
            record,
            events,
            instances,
            trace,
        }
    }

    pub fn spawn_spec(&mut self, name: &str, spec: ChildSpec) -> ActorId {
        let node = self.node.clone();
        let spawned: Spawned = self
            .sim
            .block_on(node.spawn(Place::Root { behaviour: "b" }, Some(name), None, Some(spec)))
            .expect("it spawns");
        spawned.id
    }

    pub fn spawn(&mut self, name: &str) -> ActorId {
        self.spawn_spec(name, template())
    }

    pub fn ask(&mut self, to: ActorId, cmd: Cmd) -> String {
        let node = self.node.clone();
        match self.sim.block_on(node.ask(to, bytes(&cmd), 60_000)) {
            Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
            Err(error) => error.to_string(),
        }
    }

    pub fn tell(&mut self, to: ActorId, cmd: Cmd) -> Result<(), actorhost_core::SendError> {
        let node = self.node.clone();
        self.sim.block_on(node.tell(to, bytes(&cmd)))
    }

    /// Tells without running the world; a refusal is the test's own business.
    pub fn tell_now(&mut self, to: ActorId, cmd: Cmd) {
        let mut tell = std::pin::pin!(self.node.tell(to, bytes(&cmd)));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = tell.as_mut().poll(&mut cx);
    }

    /// An operator's kill.
    pub fn kill(&mut self, id: ActorId) {
        let node = self.node.clone();
        self.sim.block_on(node.stop(id, StopMode::Kill, None));
    }

    /// A kill that the restart type answers, as another actor sends it.
    pub fn kill_by_signal(&mut self, id: ActorId) {
        let name = format!("killer-{}", self.sim.random().u64(..));
        let killer = self.spawn(&name);
        let stop = Cmd::Stop {
            to: id.0,
            kill: true,
        };
        self.tell(killer, stop).expect("an idle actor has room");
        assert_eq!(self.ask(killer, Cmd::Count), "1", "the kill was sent");
        self.kill(killer);
    }

    /// Ends everything and checks that nothing is left.
    pub fn close(mut self) {
        let node = self.node.clone();
        self.sim.block_on(node.shutdown(600_000));
        self.sim.settle();
        assert_eq!(self.node.totals().actors, 0, "no actor is left");
        assert_eq!(
            self.node.totals().live,
            0,
            "no place of an instance is left"
        );
        assert_eq!(
            self.instances.load(Ordering::SeqCst),
            0,
            "no instance is left"
        );
        assert!(self.sim.timers.is_empty(), "no deadline is left");
        let held = self.node.totals().mailbox_bytes;
        assert_eq!(held, 0, "no byte is left in a mailbox");
    }
}

pub const SEEDS: u64 = 20;

/// Runs a test in many worlds, each with an order of its own.
pub fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

/// The spec of most tests: many restarts allowed, may spawn itself.
pub fn template() -> ChildSpec {
    ChildSpec {
        may_spawn: Arc::from(["b".into()]),
        own_budget: RestartBudget {
            intensity: 1_000_000,
            period_ms: 1,
        },
        ..ChildSpec::new("b")
    }
}
