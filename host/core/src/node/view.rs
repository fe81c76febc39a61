//! What the node looks like, for people and programs to read.

use super::{Node, Parent, Totals};
use crate::{
    ActorId, Engine,
    actor::{Cell, Phase},
    dead_letters::DeadReason,
    spec::RestartBudget,
    supervisor::{Running, Slot, restart_text},
};
use std::sync::{Arc, atomic::Ordering};

/// One actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorView {
    /// Its address.
    pub id: ActorId,
    /// Its path.
    pub path: Arc<str>,
    /// Its behaviour.
    pub behaviour: Arc<str>,
    /// Number of the module version it runs; 0 before its first life.
    pub version: u32,
    /// Version that the module gives itself.
    pub module_version: String,
    /// What it is doing, by its stable name.
    pub status: &'static str,
    /// User messages that wait.
    pub queued: u64,
    /// User messages that it has put aside.
    pub stashed: u64,
    /// Age of the oldest that waits or is put aside, in milliseconds.
    pub oldest_ms: Option<u64>,
    /// User messages handled.
    pub handled: u64,
    /// Lives begun after another.
    pub restarts: u64,
    /// Linear memory of its instance, in bytes; 0 without one.
    pub memory_bytes: u64,
    /// Path of its supervisor, pool or parent.
    pub supervisor: Arc<str>,
    /// Actors that it is linked to.
    pub links: u64,
    /// Actors that watch it.
    pub watchers: u64,
}

/// One behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BehaviourView {
    /// Its name.
    pub name: Arc<str>,
    /// Number of its current version.
    pub version: u32,
    /// Its living actors.
    pub actors: u64,
}

/// One node of the supervision tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeView {
    /// Its path.
    pub path: Arc<str>,
    /// `supervisor`, `pool` or `actor`.
    pub kind: &'static str,
    /// Strategy, restart type and budget in words.
    pub detail: String,
    /// Its children, in order of start; of many the first hundred.
    pub children: Vec<TreeView>,
    /// How many children there are in all.
    pub children_total: u64,
}

const TREE_CHILDREN_MAX: usize = 100;

impl<E: Engine> Node<E> {
    /// Counters since the start.
    pub fn totals(&self) -> Totals {
        let node = &self.0;
        let mut totals = node.stats.totals();
        for cell in node.registry.all() {
            totals.actors += 1;
            totals.handled += cell.figures.handled.load(Ordering::Relaxed);
            cell.count_belongings(&mut totals);
            totals.hibernated += u64::from(cell.phase() == Phase::Asleep);
        }
        totals.live = node.live.count() as u64;
        totals.live_max = node.live.max() as u64;
        totals.refused_overloaded = node.mailbox_bytes.refused();
        totals.dropped_newest = node.dead_letters.count(DeadReason::DropNewest);
        totals.dropped_oldest = node.dead_letters.count(DeadReason::DropOldest);
        totals.mailbox_bytes = node.mailbox_bytes.used();
        totals.mailbox_bytes_max = node.mailbox_bytes.max();
        totals
    }

    /// Living actors whose path is `under` or below it, in order of address, at most
    /// `limit`; and how many there are in all.
    pub fn actors(&self, under: &str, limit: usize) -> (Vec<ActorView>, u64) {
        let under = under.trim_end_matches('/');
        let mut cells = self.0.registry.all();
        cells.retain(|cell| {
            cell.path
                .strip_prefix(under)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let views = cells
            .iter()
            .take(limit)
            .map(|cell| self.actor_view(cell))
            .collect();
        (views, cells.len() as u64)
    }

    /// One living actor.
    pub fn actor(&self, id: ActorId) -> Option<ActorView> {
        self.0.registry.get(id).map(|cell| self.actor_view(&cell))
    }

    fn actor_view(&self, cell: &Arc<Cell<E>>) -> ActorView {
        let now_ms = self.0.clock.now_ms();
        ActorView {
            id: cell.id,
            path: cell.path.clone(),
            behaviour: cell.behaviour.name.clone(),
            version: cell.figures.version.load(Ordering::Relaxed),
            module_version: cell.subject().module_version,
            status: cell.status().as_str(),
            queued: cell.mailbox.len() as u64,
            stashed: u64::from(cell.mailbox.stashed()),
            oldest_ms: cell
                .mailbox
                .oldest_accepted_ms()
                .map(|at| now_ms.saturating_sub(at)),
            handled: cell.figures.handled.load(Ordering::Relaxed),
            restarts: cell.figures.restarts.load(Ordering::Relaxed),
            memory_bytes: cell.figures.memory.load(Ordering::Relaxed),
            supervisor: cell.parent.path(),
            links: cell.keep.lock().link_count() as u64,
            watchers: cell.watcher_count() as u64,
        }
    }

    /// Every behaviour, by name.
    pub fn behaviours(&self) -> Vec<BehaviourView> {
        let mut counts = std::collections::HashMap::<Arc<str>, u64>::new();
        for cell in self.0.registry.all() {
            *counts.entry(cell.behaviour.name.clone()).or_default() += 1;
        }
        let names = self.behaviour_names().into_iter();
        names
            .filter_map(|name| {
                let version = self.0.behaviour(&name)?.current().number;
                let actors = counts.get(&name).copied().unwrap_or(0);
                Some(BehaviourView {
                    name,
                    version,
                    actors,
                })
            })
            .collect()
    }

    /// The supervision tree from the root.
    pub fn tree(&self) -> TreeView {
        let node = &self.0;
        let mut children = Vec::new();
        let top: Vec<_> = node.root.slots.lock().iter().map(Slot::running).collect();
        for running in top {
            children.extend(self.supervised(&running));
        }
        let mut pools: Vec<_> = node.pools.read().values().cloned().collect();
        pools.sort_by(|a, b| a.name.cmp(&b.name));
        for pool in pools {
            let mut ids: Vec<_> = pool.children.lock().iter().copied().collect();
            ids.sort();
            let cells: Vec<_> = ids
                .into_iter()
                .filter_map(|id| node.registry.get(id))
                .collect();
            let detail = format!(
                "{} each, {}",
                restart_text(pool.spec.restart),
                budget_text(pool.budget)
            );
            children.push(self.branch(pool.path.clone(), "pool", detail, cells));
        }
        let roots = node
            .registry
            .all()
            .into_iter()
            .filter(|cell| matches!(cell.parent, Parent::Root));
        children.extend(roots.map(|cell| self.twig(&cell)));
        let children_total = children.len() as u64;
        TreeView {
            path: "/".into(),
            kind: "supervisor",
            detail: format!("one-for-one, {}", budget_text(node.root.spec.budget)),
            children,
            children_total,
        }
    }

    /// `supervisor` or `pool`, where a path is one's. Looks at no actor.
    pub fn kind_of(&self, path: &str) -> Option<&'static str> {
        if self.0.supervisor(path).is_some() {
            return Some("supervisor");
        }
        self.0.is_pool(path).then_some("pool")
    }

    /// A supervisor's child, if it runs.
    fn supervised(&self, running: &Running<E>) -> Option<TreeView> {
        let supervisor = match running {
            Running::Nothing => return None,
            Running::Actor(cell) => return Some(self.twig(cell)),
            Running::Supervisor(supervisor) => supervisor,
        };
        let running: Vec<_> = supervisor.slots.lock().iter().map(Slot::running).collect();
        let living = running.iter().filter(|child| !child.is_nothing());
        Some(TreeView {
            path: supervisor.path.clone(),
            kind: "supervisor",
            detail: supervisor.detail(&budget_text(supervisor.spec.budget)),
            children_total: living.clone().count() as u64,
            children: living
                .take(TREE_CHILDREN_MAX)
                .filter_map(|child| self.supervised(child))
                .collect(),
        })
    }

    fn branch(
        &self,
        path: Arc<str>,
        kind: &'static str,
        detail: String,
        cells: Vec<Arc<Cell<E>>>,
    ) -> TreeView {
        let children_total = cells.len() as u64;
        let children = cells
            .iter()
            .take(TREE_CHILDREN_MAX)
            .map(|cell| self.twig(cell))
            .collect();
        TreeView {
            path,
            kind,
            detail,
            children,
            children_total,
        }
    }

    fn twig(&self, cell: &Arc<Cell<E>>) -> TreeView {
        let mut ids: Vec<_> = cell.children.lock().iter().copied().collect();
        ids.sort();
        let cells: Vec<_> = ids
            .into_iter()
            .filter_map(|id| self.0.registry.get(id))
            .collect();
        let detail = format!(
            "{} {}",
            cell.behaviour.name,
            restart_text(cell.spec.restart)
        );
        self.branch(cell.path.clone(), "actor", detail, cells)
    }
}

fn budget_text(budget: RestartBudget) -> String {
    if budget.is_unlimited() {
        return "any number of restarts".into();
    }
    let restarts = if budget.intensity == 1 {
        "restart"
    } else {
        "restarts"
    };
    format!("{} {restarts} in {} ms", budget.intensity, budget.period_ms)
}
