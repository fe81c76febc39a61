//! What the lives of actors should be like: their state, what belongs to each life and
//! ends with it, and what outlives it. Written from the promises; every world is
//! compared with it after each act.

use actorhost_core::{
    ActorId,
    spec::{Backoff, Directive, RestartBudget},
};
use std::collections::{BTreeSet, VecDeque};

/// How a life ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Normal,
    Crashed,
    /// An operator's kill: no other life follows.
    Killed,
}

/// A timer that adds one.
pub struct Timer {
    pub first_ms: u64,
    pub every_ms: Option<u64>,
    sent: u64,
}

impl Timer {
    pub fn new(first_ms: u64, every_ms: Option<u64>) -> Self {
        Self {
            first_ms,
            every_ms,
            sent: 0,
        }
    }
}

/// One actor, of restart type permanent.
pub struct Life {
    pub id: ActorId,
    pub lives: bool,
    directive: Directive,
    budget: RestartBudget,
    backoff: Option<Backoff>,
    keeps_children: bool,
    /// Which of its lives it is, so that a signal to an earlier one is known.
    turn: u64,
    pub number: i64,
    pub restarts: u64,
    pub links: BTreeSet<usize>,
    pub traps: bool,
    pub watching: BTreeSet<usize>,
    pub names: BTreeSet<&'static str>,
    pub in_group: bool,
    pub timer: Option<Timer>,
    pub children: u64,
    /// Of which ends of linked actors it has heard, by address.
    pub exits: Vec<u64>,
    granted_ms: VecDeque<u64>,
    attempts: i32,
    begun_ms: u64,
    /// When its last life ended, and how long it is to wait: at least, at most.
    waits: Option<(u64, u64, u64)>,
}

impl Life {
    pub fn new(id: ActorId, spec: &actorhost_core::ChildSpec) -> Self {
        Self {
            id,
            lives: true,
            directive: spec.on_crash.otherwise,
            budget: spec.own_budget,
            backoff: spec.backoff,
            keeps_children: spec.keep_children,
            turn: 0,
            number: 0,
            restarts: 0,
            links: BTreeSet::new(),
            traps: false,
            watching: BTreeSet::new(),
            names: BTreeSet::new(),
            in_group: false,
            timer: None,
            children: 0,
            exits: Vec::new(),
            granted_ms: VecDeque::new(),
            attempts: 0,
            begun_ms: 0,
            waits: None,
        }
    }

    /// Another life, if the budget allows it.
    fn is_granted(&mut self, now_ms: u64) -> bool {
        let period_ms = self.budget.period_ms;
        self.granted_ms.retain(|at| now_ms - at <= period_ms);
        let granted = self.granted_ms.len() < self.budget.intensity as usize;
        if granted {
            self.granted_ms.push_back(now_ms);
        }
        granted
    }

    /// How long it is to wait for its next life: at least, and at most.
    fn delay_ms(&mut self, now_ms: u64) -> (u64, u64) {
        let Some(backoff) = &self.backoff else {
            return (0, 0);
        };
        if now_ms - self.begun_ms >= backoff.reset_ms {
            self.attempts = 0;
        }
        let grown = backoff.first_ms as f64 * backoff.factor.powi(self.attempts);
        let least = grown.min(backoff.cap_ms as f64);
        self.attempts += 1;
        (
            least.floor() as u64,
            (least * (1.0 + backoff.jitter)).ceil() as u64,
        )
    }

    fn begin_again(&mut self, resumes: bool, now_ms: u64) {
        self.restarts += 1;
        if !resumes {
            self.number = 0;
            self.exits.clear();
        }
        if !self.keeps_children {
            self.children = 0;
        }
        let (least, most) = self.delay_ms(now_ms);
        self.waits = Some((now_ms, least, most));
    }
}

/// All actors of a world.
#[derive(Default)]
pub struct Lives {
    pub all: Vec<Life>,
    /// Ends that watchers should have heard of: watcher, watched.
    pub downs: Vec<(u64, u64)>,
    /// The same of watchers whose own lives ended by the same cause: they may have
    /// heard of it before or not.
    pub downs_perhaps: Vec<(u64, u64)>,
    /// Replies that came too late.
    pub late: u64,
}

impl Lives {
    /// Those that live, by place.
    pub fn living(&self) -> Vec<usize> {
        (0..self.all.len())
            .filter(|&at| self.all[at].lives)
            .collect()
    }

    /// Time passes: timers add to the numbers.
    pub fn pass_to(&mut self, now_ms: u64) {
        for life in &mut self.all {
            let Some(timer) = &mut life.timer else {
                continue;
            };
            let Some(since_ms) = now_ms.checked_sub(timer.first_ms) else {
                continue;
            };
            let due = timer.every_ms.map_or(1, |every_ms| since_ms / every_ms + 1);
            life.number += (due - timer.sent) as i64;
            timer.sent = due;
            if timer.every_ms.is_none() {
                life.timer = None;
            }
        }
    }

    /// A life ends, and with it those of all that are linked to it, from one to the
    /// next, but for those that trap exits.
    pub fn end(&mut self, at: usize, end: End, now_ms: u64) {
        let before = self.downs.len();
        let turns: Vec<_> = self.all.iter().map(|life| life.turn).collect();
        let mut signals = VecDeque::new();
        self.end_one(at, end, now_ms, &mut signals);
        while let Some((to, turn, from, end)) = signals.pop_front() {
            let life = &mut self.all[to];
            if !life.lives || life.turn != turn {
                continue;
            }
            if life.traps {
                life.exits.push(from);
            } else if end != End::Normal {
                self.end_one(to, End::Crashed, now_ms, &mut signals);
            }
        }
        for down in self.downs.split_off(before) {
            let lives_on = self
                .all
                .iter()
                .zip(&turns)
                .any(|(life, before)| life.id.0 == down.0 && life.turn == *before);
            if lives_on {
                self.downs.push(down);
            } else {
                self.downs_perhaps.push(down);
            }
        }
    }

    fn end_one(
        &mut self,
        at: usize,
        end: End,
        now_ms: u64,
        signals: &mut VecDeque<(usize, u64, u64, End)>,
    ) {
        let peers = std::mem::take(&mut self.all[at].links);
        for &peer in &peers {
            self.all[peer].links.remove(&at);
            let (turn, from) = (self.all[peer].turn, self.all[at].id.0);
            signals.push_back((peer, turn, from, end));
        }
        let life = &mut self.all[at];
        life.turn += 1;
        (life.traps, life.timer) = (false, None);
        life.watching.clear();
        let resumes = end == End::Crashed && life.directive == Directive::Resume;
        let stops = end == End::Crashed && life.directive == Directive::Stop;
        if end != End::Killed && !stops && life.is_granted(now_ms) {
            life.begin_again(resumes, now_ms);
            return;
        }
        let id = life.id;
        (life.lives, life.in_group, life.children) = (false, false, 0);
        life.names.clear();
        for watcher in &mut self.all {
            if watcher.watching.remove(&at) {
                self.downs.push((watcher.id.0, id.0));
            }
        }
    }

    /// A life has begun after another, so long after its end.
    pub fn began(&mut self, id: ActorId, after_ms: u64) {
        let life = self.all.iter_mut().find(|life| life.id == id);
        let life = life.expect("children do not crash here");
        let (ended_ms, least, most) = life.waits.take().expect("it is to live again");
        assert!(
            (least..=most).contains(&after_ms),
            "{id} waited {after_ms} ms instead of {least} to {most}"
        );
        life.begun_ms = ended_ms + after_ms;
    }

    /// Nobody waits for another life.
    pub fn check_all_began(&self) {
        for life in &self.all {
            let waits = life.lives && life.waits.is_some();
            assert!(!waits, "{} does not live again", life.id);
        }
    }
}
