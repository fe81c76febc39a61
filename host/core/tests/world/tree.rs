//! Trees of supervisors as a checker sees them: which children there are, which of
//! them run, how each life ended, and what OTP's rules say of it.

use super::trace::Step;
use actorhost_core::{
    ActorId, ExitReason, RestartType,
    observe::Event,
    spec::{AutoShutdown, Directive, RestartBudget, Strategy},
    supervisor::{ChildKind, SupervisorSpec},
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Longest that stopping takes in these worlds, with all that is below, in
/// milliseconds.
const STOP_MS: u64 = 500;

/// Whose restarts: path of the supervisor, the mark of its life, and the child where
/// each is counted for itself.
type Whose = (String, ActorId, Option<ActorId>);

/// From the end of an old life to the begin of the new, in milliseconds.
type Spans = Vec<(u64, u64)>;

/// What there is, and what has become of it.
#[derive(Default)]
pub struct Tree {
    supervisors: HashMap<String, Node>,
    children: HashMap<String, Actor>,
    /// Actors under these and their own children, by address.
    paths: HashMap<ActorId, Arc<str>>,
    /// Instances there are, by path.
    instances: HashMap<String, u32>,
    /// Whom a kill was sent to: how their lives ended is not certain.
    pub killed: HashSet<ActorId>,
    /// Restarts of a supervisor's life or, where a restart takes siblings along, of
    /// each child: from the end of the old life to the begin of the new.
    restarts: HashMap<Whose, Spans>,
    /// Lives of supervisors that stop their children for good.
    going_down: HashSet<ActorId>,
    /// Ends of children, by supervisor.
    ends: HashMap<String, Vec<u64>>,
    ended_ms: HashMap<ActorId, u64>,
}

struct Node {
    strategy: Strategy,
    budget: RestartBudget,
    auto: AutoShutdown,
    /// Paths in order of start.
    children: Vec<String>,
}

/// How the last life of a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Normal,
    Crashed,
    /// By its supervisor.
    Ordered,
    /// By a kill, whoever sent it.
    Killed,
}

/// One child of a supervisor.
pub struct Actor {
    parent: String,
    index: usize,
    restart: RestartType,
    directive: Option<Directive>,
    keeps: bool,
    significant: bool,
    id: ActorId,
    lives: u32,
    stopping: Option<End>,
    end: Option<(End, u64)>,
    /// Ends of its own children while it lived.
    orphans: u32,
    gone: bool,
}

impl Tree {
    pub fn add(&mut self, path: &str, spec: &SupervisorSpec) {
        let paths = spec.children.iter().map(|c| format!("{path}/{}", c.id));
        let children: Vec<String> = paths.collect();
        for (index, entry) in spec.children.iter().enumerate() {
            let (directive, keeps) = match &entry.kind {
                ChildKind::Actor(spec) => (Some(spec.on_crash.otherwise), spec.keep_children),
                ChildKind::Supervisor { .. } => (None, false),
            };
            let child = Actor {
                parent: path.into(),
                index,
                restart: entry.restart(),
                directive,
                keeps,
                significant: entry.significant,
                id: ActorId(0),
                lives: 0,
                stopping: None,
                end: None,
                orphans: 0,
                gone: false,
            };
            self.children.insert(children[index].clone(), child);
        }
        let node = Node {
            strategy: spec.strategy,
            budget: spec.budget,
            auto: spec.auto_shutdown,
            children,
        };
        self.supervisors.insert(path.into(), node);
    }

    /// Paths of the actors that a world may touch, sorted.
    pub fn targets(&self, mark: &str) -> Vec<String> {
        let actors = self.children.iter().filter(|(path, child)| {
            child.directive.is_some() && !path.ends_with(&format!("/{mark}"))
        });
        let mut paths: Vec<_> = actors.map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
    }

    /// Instances of a child: of an actor its own, which may leave children behind, of
    /// a supervisor all that is below.
    fn running(&self, path: &str) -> u32 {
        let child = self.children.get(path);
        if child.is_some_and(|child| child.directive.is_some()) {
            return self.instances.get(path).copied().unwrap_or(0);
        }
        let below = format!("{path}/");
        let there = self.instances.iter();
        there
            .filter(|(at, _)| *at == path || at.starts_with(&below))
            .map(|(_, count)| count)
            .sum()
    }

    /// The address of a supervisor's first child: its own life's mark.
    fn mark(&self, supervisor: &str) -> ActorId {
        let first = &self.supervisors[supervisor].children[0];
        self.children[first].id
    }

    pub fn step(&mut self, at_ms: u64, step: Step) {
        match step {
            Step::Made { id, path } => {
                *self.instances.entry(path.to_string()).or_default() += 1;
                assert!(self.instances[&*path] <= 2, "{path} has three instances");
                self.paths.insert(id, path);
            }
            Step::Init { id } => {
                let path = self.paths[&id].clone();
                assert_eq!(self.instances[&*path], 1, "two lives of {path} at once");
                if self.children.contains_key(&*path) {
                    self.begins(at_ms, &path, id);
                }
            }
            Step::Stopping { id, reason } => {
                let path = self.paths[&id].clone();
                if self.children.contains_key(&*path) {
                    let end = if reason == "normal" {
                        End::Normal
                    } else {
                        self.stops(&path);
                        End::Ordered
                    };
                    self.children.get_mut(&*path).unwrap().stopping = Some(end);
                }
            }
            Step::Dropped { id } => {
                let path = self.paths[&id].clone();
                let left = self.instances.get_mut(&*path).unwrap();
                *left -= 1;
                if *left == 0
                    && let Some(child) = self.children.get_mut(&*path)
                {
                    let end = child.stopping.take().unwrap_or(End::Killed);
                    child.end = Some((end, at_ms));
                    let ends = self.ends.entry(child.parent.clone()).or_default();
                    ends.push(at_ms);
                }
            }
            Step::Told(event) => self.told(at_ms, event),
            Step::Begun { .. } | Step::Over { .. } => {}
        }
    }

    fn told(&mut self, at_ms: u64, event: Event) {
        match event {
            Event::Crashed { subject, .. } => {
                // One that came after the hook began is the hook's.
                if let Some(child) = self.children.get_mut(&*subject.path)
                    && let Some((End::Killed, at)) = child.end
                    && child.id == subject.id
                {
                    child.end = Some((End::Crashed, at));
                }
            }
            Event::Restarted {
                subject, resumed, ..
            } if resumed => {
                let path = subject.path.to_string();
                if self.children.contains_key(&path) {
                    self.note_restart(at_ms, &path, subject.id);
                    self.children.get_mut(&path).unwrap().end = None;
                }
            }
            Event::Ended {
                subject, reason, ..
            } => {
                self.ended_ms.insert(subject.id, at_ms);
                if let Some(child) = self.children.get_mut(&*subject.path) {
                    // Its own end was not decided yet when its supervisor stopped it.
                    if child.id == subject.id && reason == ExitReason::Shutdown {
                        child.end = Some((End::Ordered, at_ms));
                    }
                    child.gone |= child.id == subject.id;
                } else if let Some((parent, _)) = subject.path.rsplit_once('/')
                    && let Some(parent) = self.children.get_mut(parent)
                {
                    parent.orphans += 1;
                }
            }
            Event::SupervisorFailed { path, cause } => {
                self.left(at_ms, &path);
                self.check_failure(at_ms, &path, &cause);
            }
            Event::SupervisorShutDown { path, .. } => {
                self.left(at_ms, &path);
                assert_ne!(self.supervisors[&*path].auto, AutoShutdown::Never, "{path}");
            }
            _ => {}
        }
    }

    fn left(&mut self, at_ms: u64, path: &str) {
        if let Some(child) = self.children.get(path) {
            let parent = child.parent.clone();
            self.ends.entry(parent).or_default().push(at_ms);
        }
        assert_eq!(self.running(path), 0, "{path} has left something running");
    }

    /// A supervisor that has used its budget up has seen as many ends.
    fn check_failure(&self, at_ms: u64, path: &str, cause: &str) {
        let Some(node) = self.supervisors.get(path) else {
            return;
        };
        if !cause.starts_with("more than") {
            return;
        }
        let since_ms = at_ms.saturating_sub(node.budget.period_ms + STOP_MS);
        let ends = self.ends.get(path).into_iter().flatten();
        let ends = ends.filter(|end| **end >= since_ms).count();
        let least = node.budget.intensity as usize + 1;
        assert!(ends >= least, "{path} failed after {ends} ends: {cause}");
    }

    fn note_restart(&mut self, at_ms: u64, path: &str, id: ActorId) {
        let child = &self.children[path];
        let mark = self.mark(&child.parent);
        let alone = self.supervisors[&child.parent].strategy == Strategy::OneForOne;
        let whose = (child.parent.clone(), mark, (!alone).then_some(id));
        let since_ms = child.end.map_or(at_ms, |(_, at)| at);
        self.restarts
            .entry(whose)
            .or_default()
            .push((since_ms, at_ms));
    }

    /// A life of a child begins from its arguments.
    fn begins(&mut self, at_ms: u64, path: &str, id: ActorId) {
        let child = &self.children[path];
        let (parent, index) = (child.parent.clone(), child.index);
        let node = &self.supervisors[&parent];
        if node.strategy != Strategy::OneForOne || child.lives == 0 {
            for later in &node.children[index + 1..] {
                let running = self.running(later);
                assert_eq!(running, 0, "{path} begins while {later} runs");
            }
        }
        if index == 0 {
            self.supervisor_begins(&parent);
        }
        let child = &self.children[path];
        let again = child.id == id;
        if again {
            assert_ne!(child.restart, RestartType::Temporary, "{path} lives again");
            assert!(!child.gone, "{path} has ended");
            let (end, _) = child.end.expect("one life ends before the next begins");
            // A restart of the whole group starts those as well that have just ended.
            if self.supervisors[&parent].strategy == Strategy::OneForOne {
                let wanted = child.restart == RestartType::Permanent || end != End::Normal;
                assert!(wanted, "{path} ended {end:?} and lives again");
                let stops = end == End::Crashed && child.directive == Some(Directive::Stop);
                assert!(!stops, "{path} crashed and lives again");
            }
            if end == End::Ordered {
                let down = self.going_down.contains(&self.mark(&parent));
                assert!(!down, "{path} was stopped though no sibling ended");
            }
            if child.keeps {
                assert_eq!(child.orphans, 0, "{path} keeps its children");
            } else {
                let below = format!("{path}/");
                let left = self
                    .instances
                    .iter()
                    .filter(|(at, _)| at.starts_with(&below));
                let left: u32 = left.map(|(_, count)| count).sum();
                assert_eq!(left, 0, "{path} begins before its old children have ended");
            }
            self.note_restart(at_ms, path, id);
        }
        let child = self.children.get_mut(path).unwrap();
        if !again {
            (child.orphans, child.gone, child.lives) = (0, false, 0);
        }
        child.id = id;
        child.lives += 1;
        child.end = None;
        child.stopping = None;
    }

    /// The same order holds for a supervisor among its siblings.
    fn supervisor_begins(&self, path: &str) {
        let Some(child) = self.children.get(path) else {
            return;
        };
        let node = &self.supervisors[&child.parent];
        if node.strategy == Strategy::OneForOne {
            return;
        }
        // The first child may be restarted alone with its own siblings.
        let first = &self.children[&self.supervisors[path].children[0]];
        if first.lives > 0 && !first.gone {
            return;
        }
        for later in &node.children[child.index + 1..] {
            let running = self.running(later);
            assert_eq!(running, 0, "{path} begins while {later} runs");
        }
    }

    /// A child is stopped by its supervisor: those after it are stopped already, and
    /// there is a reason to.
    fn stops(&mut self, path: &str) {
        let child = &self.children[path];
        let node = &self.supervisors[&child.parent];
        for later in &node.children[child.index + 1..] {
            let running = self.running(later);
            assert_eq!(running, 0, "{path} stops before {later}");
        }
        let before = match node.strategy {
            Strategy::OneForOne => 0,
            Strategy::RestForOne => child.index,
            Strategy::OneForAll => node.children.len(),
        };
        let down =
            |(at, sibling): (usize, &String)| at != child.index && self.running(sibling) == 0;
        let reason = node.children[..before].iter().enumerate().any(down);
        if !reason {
            self.going_down.insert(self.mark(&child.parent));
        }
    }

    /// Nothing happens any more: who should live lives.
    pub fn check_rest(&self, mark: &str) {
        for (path, node) in &self.supervisors {
            if self.instances.get(&format!("{path}/{mark}")) != Some(&1) {
                assert_eq!(self.running(path), 0, "{path} has ended");
                continue;
            }
            let significant = node
                .children
                .iter()
                .filter(|at| self.children[*at].significant);
            let (up, down): (Vec<_>, Vec<_>) = significant.partition(|at| self.running(at) > 0);
            let by_itself = |at: &&String| {
                let end = self.children[*at].end;
                matches!(end, Some((End::Normal | End::Crashed, _)))
            };
            let down = down.into_iter().filter(by_itself).count();
            // Elsewhere a sibling's restart may come first: who ended is then forgotten
            // as part of its group.
            let alone = node.strategy == Strategy::OneForOne;
            let goes_on = match node.auto {
                AutoShutdown::Never => true,
                AutoShutdown::AnySignificant => down == 0,
                AutoShutdown::AllSignificant => down == 0 || !up.is_empty(),
            };
            assert!(
                goes_on || !alone,
                "{path}: {down} significant children ended"
            );
            for at in &node.children {
                let child = &self.children[at];
                let stays = match child.directive {
                    None => child.restart == RestartType::Permanent,
                    Some(Directive::Restart | Directive::Resume) => {
                        let crashed = matches!(child.end, Some((End::Crashed, _)));
                        child.restart == RestartType::Permanent
                            || child.restart == RestartType::Transient && crashed
                    }
                    Some(_) => false,
                };
                assert!(
                    !stays || self.running(at) > 0,
                    "{at} ended: {:?}",
                    child.end
                );
            }
        }
    }

    /// No more restarts within any period than the budget allows.
    pub fn check_budgets(&self) {
        for ((path, _, _), restarts) in self.by_life() {
            let budget = self.supervisors[path].budget;
            let mut restarts = restarts;
            restarts.sort_unstable_by_key(|(_, begun)| *begun);
            for run in restarts.windows(budget.intensity as usize + 1) {
                let from = run.iter().map(|(ended, _)| *ended).min().unwrap();
                let to = run.iter().map(|(_, begun)| *begun).max().unwrap();
                assert!(to - from > budget.period_ms, "{path}: {run:?}, {budget:?}");
            }
        }
    }

    /// Restarts without those right before an actor's end: while it empties its
    /// mailbox, it lives again without asking.
    fn by_life(&self) -> impl Iterator<Item = (&Whose, Spans)> {
        self.restarts.iter().map(|(whose, restarts)| {
            let ended_ms = whose
                .2
                .or(Some(whose.1))
                .and_then(|id| self.ended_ms.get(&id));
            let until_ms = ended_ms.map_or(u64::MAX, |at| at.saturating_sub(60));
            let kept = restarts.iter().filter(|(_, begun)| *begun < until_ms);
            (whose, kept.copied().collect())
        })
    }
}
