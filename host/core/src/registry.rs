//! Who is alive, by address, by path, and by the names that actors have registered.

use crate::{ActorId, Crash, Engine, ExitReason, actor::Cell};
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use std::{collections::VecDeque, sync::Arc};

const SHARDS: usize = 64;

/// How many ended actors are remembered, so that a dead letter can name them and a stop
/// of one says how it ended.
const ENDED_KEPT_MAX: usize = 4_096;

/// What is remembered of an ended actor.
#[derive(Clone)]
pub(crate) struct Ended {
    pub path: Arc<str>,
    pub behaviour: Arc<str>,
    pub version: u32,
    /// Without the backtrace of a crash; none for one that was never born.
    pub reason: Option<ExitReason>,
}

#[derive(Default)]
struct EndedRing {
    by_id: FxHashMap<ActorId, Ended>,
    order: VecDeque<ActorId>,
}

/// Who has a registered name.
#[derive(Clone, Copy)]
struct Holder {
    id: ActorId,
    /// The turn that registered it has succeeded.
    visible: bool,
}

/// The living, in shards so that lookups on many threads do not meet.
pub(crate) struct Registry<E: Engine> {
    cells: Vec<RwLock<FxHashMap<ActorId, Arc<Cell<E>>>>>,
    paths: Vec<RwLock<FxHashMap<Arc<str>, ActorId>>>,
    names: Vec<RwLock<FxHashMap<Arc<str>, Holder>>>,
    ended: Mutex<EndedRing>,
}

fn path_shard(path: &str) -> usize {
    use std::hash::{BuildHasher, BuildHasherDefault};
    let hash = BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(path);
    (hash >> 32) as usize % SHARDS
}

/// A reason that is short enough to be kept.
fn brief(reason: &ExitReason) -> ExitReason {
    match reason {
        ExitReason::Crashed(crash) if !crash.backtrace.is_empty() => {
            Crash::new(crash.kind, crash.message.clone()).into()
        }
        other => other.clone(),
    }
}

impl<E: Engine> Registry<E> {
    pub fn new() -> Self {
        Self {
            cells: (0..SHARDS).map(|_| RwLock::default()).collect(),
            paths: (0..SHARDS).map(|_| RwLock::default()).collect(),
            names: (0..SHARDS).map(|_| RwLock::default()).collect(),
            ended: Mutex::default(),
        }
    }

    fn shard(&self, id: ActorId) -> &RwLock<FxHashMap<ActorId, Arc<Cell<E>>>> {
        &self.cells[id.0 as usize % SHARDS]
    }

    pub fn get(&self, id: ActorId) -> Option<Arc<Cell<E>>> {
        self.shard(id).read().get(&id).cloned()
    }

    /// The actor that lives under a path. One whose spawner's turn has not
    /// succeeded yet is not found.
    pub fn lookup(&self, path: &str) -> Option<ActorId> {
        let id = *self.paths[path_shard(path)].read().get(path)?;
        self.get(id)
            .filter(|cell| !cell.is_embryo())
            .map(|cell| cell.id)
    }

    /// The living actor that has registered a name. One whose turn has not succeeded
    /// yet is found by itself alone.
    pub fn lookup_name(&self, name: &str, by: Option<ActorId>) -> Option<ActorId> {
        let holder = *self.names[path_shard(name)].read().get(name)?;
        (holder.visible || by == Some(holder.id)).then_some(holder.id)
    }

    /// Takes a name for an actor, to be shown later; false when a living actor has it.
    pub fn reserve_name(&self, name: &Arc<str>, id: ActorId) -> bool {
        let mut names = self.names[path_shard(name)].write();
        if names.contains_key(name) {
            return false;
        }
        let visible = false;
        names.insert(name.clone(), Holder { id, visible });
        true
    }

    /// Shows a reserved name to everybody.
    pub fn show_name(&self, name: &str) {
        if let Some(holder) = self.names[path_shard(name)].write().get_mut(name) {
            holder.visible = true;
        }
    }

    /// Makes a name free again.
    pub fn release_name(&self, name: &str) {
        self.names[path_shard(name)].write().remove(name);
    }

    /// Every registered name that everybody sees, sorted.
    pub fn names(&self) -> Vec<(Arc<str>, ActorId)> {
        let mut all: Vec<_> = Vec::new();
        for shard in &self.names {
            let shard = shard.read();
            let visible = shard.iter().filter(|(_, holder)| holder.visible);
            all.extend(visible.map(|(name, holder)| (name.clone(), holder.id)));
        }
        all.sort();
        all
    }

    /// Takes the path; false when a living actor has it.
    pub fn insert(&self, cell: &Arc<Cell<E>>) -> bool {
        {
            let mut paths = self.paths[path_shard(&cell.path)].write();
            if paths.contains_key(&cell.path) {
                return false;
            }
            paths.insert(cell.path.clone(), cell.id);
        }
        self.shard(cell.id).write().insert(cell.id, cell.clone());
        true
    }

    /// Forgets an actor but for what [`Registry::ended`] tells of it.
    pub fn remove(&self, cell: &Cell<E>, version: u32, reason: Option<&ExitReason>) {
        {
            let mut ended = self.ended.lock();
            let record = Ended {
                path: cell.path.clone(),
                behaviour: cell.behaviour.name.clone(),
                version,
                reason: reason.map(brief),
            };
            ended.by_id.insert(cell.id, record);
            ended.order.push_back(cell.id);
            if ended.order.len() > ENDED_KEPT_MAX {
                let oldest = ended.order.pop_front();
                oldest.map(|id| ended.by_id.remove(&id));
            }
        }
        self.shard(cell.id).write().remove(&cell.id);
        let mut paths = self.paths[path_shard(&cell.path)].write();
        if paths.get(&cell.path) == Some(&cell.id) {
            paths.remove(&cell.path);
        }
    }

    /// The actor that ended last under a path, as far as it is remembered.
    pub fn ended_under(&self, path: &str) -> Option<ActorId> {
        let ended = self.ended.lock();
        let of_path = |id: &&ActorId| {
            ended
                .by_id
                .get(*id)
                .is_some_and(|ended| *ended.path == *path)
        };
        ended.order.iter().rev().find(of_path).copied()
    }

    pub fn ended(&self, id: ActorId) -> Option<Ended> {
        self.ended.lock().by_id.get(&id).cloned()
    }

    pub fn len(&self) -> usize {
        self.cells.iter().map(|shard| shard.read().len()).sum()
    }

    /// Every living actor, in order of address.
    pub fn all(&self) -> Vec<Arc<Cell<E>>> {
        let mut all: Vec<_> = self
            .cells
            .iter()
            .flat_map(|shard| shard.read().values().cloned().collect::<Vec<_>>())
            .collect();
        all.sort_unstable_by_key(|cell| cell.id);
        all
    }
}
