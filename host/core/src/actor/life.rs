//! How an actor's lives begin and end.
//!
//! Everything here is rare beside the handling of messages; callers box these
//! futures so that a batch stays small.

use super::{Cell, Phase, StopBy, System, pause::Delay};
use crate::{
    Crash, CrashKind, Engine, ExitReason, Instance, Turn,
    mailbox::Closed,
    node::{LiveSlot, Parent, Version},
    observe::Event,
    policy::{
        links::{Answer, answer, linked_crash},
        restart::{Decision, decide},
    },
    spec::Directive,
    supervisor::ChildEvent,
    swap::Ticket,
    timers::within,
};
use bytes::Bytes;
use std::{
    future::Future,
    pin::{Pin, pin},
    sync::{Arc, atomic::Ordering},
};

type BoxLife<'a, E> = Pin<Box<dyn Future<Output = Life<E>> + Send + 'a>>;

/// Where an actor is in its succession of lives.
pub(crate) enum Life<E: Engine> {
    /// The first has not begun.
    Unborn,
    /// An incarnation holds an instance.
    Awake(Box<Incarnation<E>>),
    /// An incarnation without an instance.
    Asleep(Saved<E>),
    /// One has ended and the next is not decided, with the state that it may go
    /// back to.
    Between(Option<Saved<E>>),
    /// The next one is granted and waits for its moment.
    Delayed(Box<Delay<E>>),
    /// The last has ended.
    Ended,
}

/// One life with its instance.
pub(crate) struct Incarnation<E: Engine> {
    pub instance: E::Instance,
    pub version: Arc<Version<E>>,
    /// The state after the last good turn, under the directive `resume`.
    pub good: Option<Saved<E>>,
    /// It has refused to save, and is not asked for its instance again.
    pub stays_awake: bool,
    _slot: LiveSlot<E>,
}

/// State outside an instance.
pub(crate) struct Saved<E: Engine> {
    pub state: Bytes,
    /// Who saved it.
    pub version: Arc<Version<E>>,
}

impl<E: Engine> Clone for Saved<E> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            version: self.version.clone(),
        }
    }
}

/// How the last call of a life went.
pub(super) enum Goodbye {
    /// It is over, in whichever way.
    Said,
    /// It took too long.
    Abandoned,
}

enum Begin<E: Engine> {
    Init,
    Load(Saved<E>),
}

impl<E: Engine> Cell<E> {
    /// A new incarnation on `version`. Its own effects are carried out once it has
    /// begun; a failed one leaves nothing.
    async fn incarnate(
        self: &Arc<Self>,
        version: Arc<Version<E>>,
        begin: Begin<E>,
    ) -> Result<Box<Incarnation<E>>, Crash> {
        let slot = self.node.live_slot(self).await?;
        let turn = Turn::new(self.clone());
        let engine = &self.node.engine;
        let mut instance = engine
            .instantiate(&version.module, turn, &self.spec.limits)
            .await?;
        let begun = match begin {
            Begin::Init => {
                let args = self.spec.args.clone();
                self.bounded(pin!(instance.init(args))).await
            }
            Begin::Load(saved) => {
                let from = engine.info(&saved.version.module).state_version;
                self.bounded(pin!(instance.load(saved.state, from))).await
            }
        };
        if let Err(crash) = begun {
            instance.turn().roll_back();
            return Err(crash);
        }
        instance.turn().commit();
        if instance.turn().take_stop_self().is_some() {
            self.mailbox.drain();
        }
        let mut good = None;
        if self.spec.on_crash.mention(Directive::Resume) {
            let saved = self.bounded(pin!(instance.save())).await;
            let state = saved?;
            instance.turn().roll_back();
            good = Some(Saved {
                state,
                version: version.clone(),
            });
        }
        self.figures
            .version
            .store(version.number, Ordering::Relaxed);
        self.figures
            .memory
            .store(instance.memory_bytes(), Ordering::Relaxed);
        self.set_phase(Phase::Awake);
        self.node.live.enlist(self);
        // A peer may have ended before this life could hear of it.
        if self.keep.lock().links.is_some() {
            self.system(System::ExitSignal);
        }
        Ok(Box::new(Incarnation {
            instance,
            version,
            good,
            stays_awake: false,
            _slot: slot,
        }))
    }

    /// An old life's children go before the next begins, unless the spec keeps them.
    pub(super) async fn leave_children(self: &Arc<Self>) {
        if !self.spec.keep_children {
            self.node.stop_children(self).await;
        }
    }

    /// Backoff counts from here how long a life lasts.
    fn note_begin(&self) {
        if self.spec.backoff.is_some() {
            let now_ms = self.node.clock.now_ms();
            self.keep.lock().attempts.began(now_ms);
        }
    }

    pub(super) async fn first_life(self: &Arc<Self>) -> Life<E> {
        self.note_begin();
        match self.incarnate(self.behaviour.current(), Begin::Init).await {
            Ok(incarnation) => {
                self.node.observer.event(Event::Started(self.subject()));
                self.started.set(Ok(()));
                Life::Awake(incarnation)
            }
            Err(crash) => {
                // A failed start is not restarted: whoever started it is told.
                let crash = Arc::new(start_failure(crash));
                self.report_crash(&crash);
                self.started.set(Err(crash.clone()));
                self.conclude(ExitReason::Crashed(crash), false).await
            }
        }
    }

    /// The life after one that has ended: from `good` if it is to resume, else from
    /// the arguments. Whatever the old life had made is gone first.
    pub(super) fn next_life(
        self: &Arc<Self>,
        good: Option<Saved<E>>,
        resume: bool,
        after_ms: u64,
    ) -> BoxLife<'_, E> {
        Box::pin(async move {
            self.set_phase(Phase::Between);
            self.leave_children().await;
            self.note_begin();
            // Akka: a restart brings the stash back.
            self.mailbox.unstash_all();
            let begin = match (&good, resume) {
                (Some(saved), true) => Begin::Load(saved.clone()),
                _ => Begin::Init,
            };
            let resumed = matches!(begin, Begin::Load(_));
            match self.incarnate(self.behaviour.current(), begin).await {
                Ok(incarnation) => {
                    let restarts = self.figures.restarts.fetch_add(1, Ordering::Relaxed) + 1;
                    self.node.stats.restarted();
                    let subject = self.subject();
                    self.node.observer.event(Event::Restarted {
                        subject,
                        restarts,
                        resumed,
                        after_ms,
                    });
                    if let Parent::Supervisor(supervisor) = &self.parent {
                        supervisor.send(ChildEvent::Begun { child: self.id });
                    }
                    Life::Awake(incarnation)
                }
                // OTP: a restart that fails is tried again within the same budget.
                Err(crash) => self.after_crash(start_failure(crash), good).await,
            }
        })
    }

    /// An instance for a sleeper, on the behaviour's current version.
    pub(super) async fn wake(self: &Arc<Self>, life: Life<E>) -> Life<E> {
        let Life::Asleep(saved) = life else {
            return life;
        };
        let current = self.behaviour.current();
        let left = saved.version.clone();
        let moved = current.number != left.number;
        let failed = match self
            .incarnate(current.clone(), Begin::Load(saved.clone()))
            .await
        {
            Ok(incarnation) => {
                if moved {
                    self.report_swap(left.number);
                }
                return Life::Awake(incarnation);
            }
            Err(crash) => crash,
        };
        if !moved {
            return self.after_crash(load_failure(failed), None).await;
        }
        // The new version refuses the state: the old one still knows it.
        self.report_swap_failure(current.number, failed.to_string());
        match self.incarnate(left, Begin::Load(saved)).await {
            Ok(incarnation) => Life::Awake(incarnation),
            Err(crash) => self.after_crash(load_failure(crash), None).await,
        }
    }

    /// Moves to the ticket's version between two turns. Whatever fails leaves the
    /// old instance as it was.
    pub(super) async fn swap(self: &Arc<Self>, life: Life<E>, ticket: Ticket<E>) -> Life<E> {
        let mut old = match life {
            Life::Awake(old) => old,
            other => {
                ticket.deferred();
                return other;
            }
        };
        let new = ticket.version().clone();
        if old.version.number == new.number {
            ticket.swapped();
            return Life::Awake(old);
        }
        let called = self.bounded(pin!(old.instance.save())).await;
        let state = match called {
            Ok(state) => state,
            Err(crash) if crash.kind == CrashKind::SaveFailed => {
                // It only said no: the instance is as it was.
                old.instance.turn().roll_back();
                ticket.failed(&self.path, crash.to_string());
                self.report_swap_failure(new.number, crash.to_string());
                return Life::Awake(old);
            }
            Err(crash) => {
                // The trap took the instance: it restarts, on the new version.
                let cause =
                    format!("{crash}; its save crashed, and a new life follows by its spec");
                ticket.failed(&self.path, cause);
                self.report_swap_failure(new.number, crash.to_string());
                let good = old.good.take();
                drop(old);
                return self.after_crash(crash, good).await;
            }
        };
        old.instance.turn().roll_back();
        let saved = Saved {
            state,
            version: old.version.clone(),
        };
        match self.incarnate(new.clone(), Begin::Load(saved)).await {
            Ok(incarnation) => {
                self.report_swap(old.version.number);
                ticket.swapped();
                Life::Awake(incarnation)
            }
            Err(crash) => {
                self.figures
                    .version
                    .store(old.version.number, Ordering::Relaxed);
                self.report_swap_failure(new.number, crash.to_string());
                ticket.failed(&self.path, crash.to_string());
                Life::Awake(old)
            }
        }
    }

    /// A life crashed, and its instance is gone already.
    pub(super) fn after_crash(
        self: &Arc<Self>,
        crash: impl Into<Arc<Crash>>,
        good: Option<Saved<E>>,
    ) -> BoxLife<'_, E> {
        let crash = crash.into();
        Box::pin(async move {
            self.report_crash(&crash);
            self.after_end(ExitReason::Crashed(crash), good).await
        })
    }

    /// A linked actor's life has ended; what that does is [`policy::links`].
    ///
    /// [`policy::links`]: crate::policy::links
    pub(super) async fn hear_signal(self: &Arc<Self>, life: Life<E>) -> Life<E> {
        // Where there is no life, the next one looks when it begins.
        if !matches!(life, Life::Awake(_) | Life::Asleep(_)) {
            return life;
        }
        let Some((signal, traps)) = self.keep.lock().take_signal() else {
            // Unlinked meanwhile, or meant for an earlier life.
            return life;
        };
        match answer(traps, &signal.reason) {
            Answer::Ignore => life,
            Answer::Notice => {
                self.node.tell_exit(self, signal.who, signal.reason);
                life
            }
            Answer::Shutdown => self.end_of_life(life, ExitReason::Shutdown).await,
            Answer::Crash => {
                let good = match life {
                    Life::Awake(mut incarnation) => incarnation.good.take(),
                    Life::Asleep(saved) => Some(saved),
                    _ => None,
                };
                let crash = linked_crash(&signal.path, &signal.reason);
                self.after_crash(crash, good).await
            }
        }
    }

    /// A life was killed, and its instance is gone already.
    pub(super) async fn after_kill(self: &Arc<Self>, by: StopBy) -> Life<E> {
        if by != StopBy::Order
            && let Some(Closed::Ended(reason)) = self.mailbox.closed()
        {
            // Its end was under way, and goes on: there is no life to end or to pause.
            return self.conclude(reason, false).await;
        }
        match by {
            StopBy::Pause => self.rest_between_lives(&ExitReason::Killed).await,
            StopBy::Renew if self.started.get().is_some() => {
                self.end_belongings(&ExitReason::Killed);
                self.next_life(None, false, 0).await
            }
            StopBy::Renew => self.after_end(ExitReason::Killed, None).await,
            StopBy::Order => self.conclude(ExitReason::Killed, false).await,
            StopBy::Signal => self.after_end(ExitReason::Killed, None).await,
        }
    }

    /// An orderly end that the restart type may answer with another life.
    pub(super) async fn end_of_life(
        self: &Arc<Self>,
        life: Life<E>,
        reason: ExitReason,
    ) -> Life<E> {
        // One that stops itself has decided: the hook does not change the reason.
        let _ = self.say_goodbye(life, &reason).await;
        self.after_end(reason, None).await
    }

    /// An orderly end for good.
    pub(super) async fn end_orderly(
        self: &Arc<Self>,
        life: Life<E>,
        reason: ExitReason,
    ) -> Life<E> {
        // Closed first, so that nothing more is queued while the hook runs.
        self.mailbox.drain();
        let reason = match self.say_goodbye(life, &reason).await {
            Goodbye::Said => reason,
            Goodbye::Abandoned => ExitReason::Killed,
        };
        self.conclude(reason, false).await
    }

    /// Lets the guest's hook run, for as long as the actor may take to stop.
    pub(super) async fn say_goodbye(
        self: &Arc<Self>,
        life: Life<E>,
        reason: &ExitReason,
    ) -> Goodbye {
        let Life::Awake(mut incarnation) = life else {
            return Goodbye::Said;
        };
        let limit_ms = self.spec.shutdown_ms;
        let called = {
            let hook = pin!(incarnation.instance.stopping(reason));
            within(&self.node.timers, limit_ms, self.bounded(hook)).await
        };
        match called {
            Some(Ok(())) => incarnation.instance.turn().commit(),
            Some(Err(crash)) => {
                // A hook that fails does not block the stop.
                incarnation.instance.turn().roll_back();
                self.report_crash(&Arc::new(crash));
            }
            None => {
                // Nor does one that does not end; its instance goes with it.
                incarnation.instance.turn().roll_back();
                let cause = format!("the stopping hook took longer than {limit_ms} ms");
                self.report_crash(&Arc::new(Crash::new(CrashKind::Deadline, cause)));
                return Goodbye::Abandoned;
            }
        }
        Goodbye::Said
    }

    /// Decides what follows the end of a life, or lets the supervisor decide.
    async fn after_end(self: &Arc<Self>, reason: ExitReason, good: Option<Saved<E>>) -> Life<E> {
        if self.started.get().is_none() {
            // A failed start is not restarted: whoever started it waits to be told.
            return self.conclude(reason, false).await;
        }
        self.node.flush_log_gate(self);
        self.end_belongings(&reason);
        self.set_phase(Phase::Between);
        self.figures.memory.store(0, Ordering::Relaxed);
        let draining = self.mailbox.closed().is_some();
        let crashed = matches!(reason, ExitReason::Crashed(_));
        if draining && !(crashed && self.mailbox.has_next(true)) {
            return self.conclude(reason, false).await;
        }
        let budget = match &self.parent {
            // While it drains, its supervisor may be the one that waits for its end:
            // what is still queued is handled by a next life without asking.
            Parent::Supervisor(supervisor) if draining => supervisor.spec.budget,
            Parent::Supervisor(supervisor) => {
                let child = self.id;
                supervisor.send(ChildEvent::Exited { child, reason });
                return Life::Between(good);
            }
            Parent::Pool(pool) => pool.budget,
            Parent::Root | Parent::Actor(_) => self.spec.own_budget,
        };
        let now_ms = self.node.clock.now_ms();
        let decision = {
            let window = &mut self.keep.lock().window;
            decide(
                self.spec.restart,
                &self.spec.on_crash,
                &reason,
                window,
                budget,
                now_ms,
            )
        };
        match decision {
            Decision::Restart | Decision::Resume => {
                // By a message to itself: other actors get their turn between two
                // lives, and an order to stop can come in between.
                let after_ms = if draining { 0 } else { self.restart_delay_ms() };
                self.system(System::Restart {
                    resume: decision == Decision::Resume,
                    after_ms,
                });
                Life::Between(good)
            }
            Decision::End => self.conclude(reason, false).await,
            Decision::Exhausted => self.conclude(reason, true).await,
        }
    }

    /// The end: what waits becomes dead letters, children go first, watchers hear.
    pub(super) async fn conclude(self: &Arc<Self>, reason: ExitReason, exhausted: bool) -> Life<E> {
        self.node.flush_log_gate(self);
        let (system, letters) = self.mailbox.end(reason.clone());
        drop(system);
        for letter in letters {
            self.node.bury_stopped(self, letter);
        }
        self.keep.lock().ended = true;
        self.end_belongings(&reason);
        self.node.stop_children(self).await;
        self.set_phase(Phase::Ended);
        self.node.depart(self, reason, exhausted);
        Life::Ended
    }

    fn report_crash(self: &Arc<Self>, crash: &Arc<Crash>) {
        self.node.stats.crashed();
        let restarts = self.figures.restarts.load(Ordering::Relaxed);
        let event = Event::Crashed {
            subject: self.subject(),
            crash: crash.clone(),
            restarts,
        };
        self.node.observer.event(event);
    }

    fn report_swap(self: &Arc<Self>, from: u32) {
        self.node.observer.event(Event::Swapped {
            subject: self.subject(),
            from,
        });
    }

    fn report_swap_failure(self: &Arc<Self>, to: u32, cause: String) {
        self.node.observer.event(Event::SwapFailed {
            subject: self.subject(),
            to,
            cause,
        });
    }
}

/// A trap in `init` is a failed start as well, and says so.
fn start_failure(crash: Crash) -> Crash {
    match crash.kind {
        CrashKind::InitFailed | CrashKind::LoadFailed | CrashKind::Instantiate => crash,
        kind => Crash {
            kind: CrashKind::InitFailed,
            message: format!("{}: {}", kind.as_str(), crash.message),
            backtrace: crash.backtrace,
        },
    }
}

fn load_failure(crash: Crash) -> Crash {
    match crash.kind {
        CrashKind::LoadFailed | CrashKind::Instantiate => crash,
        kind => Crash {
            kind: CrashKind::LoadFailed,
            message: format!("{}: {}", kind.as_str(), crash.message),
            backtrace: crash.backtrace,
        },
    }
}
