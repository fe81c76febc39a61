//! The engine of native behaviours: its modules, its instances, and their lives.

use super::{
    record::{Busy, Record},
    ties,
    trace::{Step, Trace},
};
use actorhost_core::{
    ActorId, Crash, CrashKind, Engine, Envelope, ExitReason, Instance, Limits, ModuleInfo, Payload,
    Turn, timers::Timers,
};
use bytes::Bytes;
use parking_lot::Mutex;
use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    task::Poll,
};

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
    pub(super) turn: Turn<Native>,
    pub(super) module: Arc<NativeModule>,
    pub(super) record: Arc<Mutex<Record>>,
    pub(super) instances: Arc<AtomicU64>,
    pub(super) handled: u64,
    pub(super) number: i64,
    pub(super) downs: Vec<String>,
    pub(super) tokens: Vec<u64>,
    pub(super) sender: Option<ActorId>,
    pub(super) refuses_save: bool,
    pub(super) open: bool,
    pub(super) on_stop: ties::OnStop,
    pub(super) generation: u64,
    pub(super) timers: Arc<Timers>,
    pub(super) trace: Arc<Trace>,
}

impl Drop for NativeInstance {
    fn drop(&mut self) {
        let id = self.turn.self_id();
        self.trace.add(Step::Dropped { id });
        self.instances.fetch_sub(1, Ordering::SeqCst);
    }
}

pub(super) async fn give_way(times: u32) {
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

pub(super) fn crash(text: &str) -> Crash {
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
