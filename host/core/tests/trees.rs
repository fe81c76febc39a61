//! Random trees of supervisors under crashes, kills, failing starts, hooks that hang,
//! swaps and passing time. A checker reads what happened and compares it with OTP's
//! rules. A failing seed is printed and replays.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, RestartType, SendError,
    dead_letters::DeadReason,
    spec::{AutoShutdown, Directive, RestartBudget, Strategy},
    supervisor::{ChildEntry, ChildKind, SupervisorSpec},
};
use std::{
    collections::{HashMap, HashSet},
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};
use world::{
    Cmd, World, bytes, module, seeds, short_backoff, template,
    ties::{self, OnStop, Tie},
    tree::Tree,
};

#[test]
fn every_tree_lives_by_its_rules() {
    seeds::each(one_world);
}

/// The first child of every supervisor: nobody touches it, so its address tells one
/// life of the supervisor from the next.
const MARK: &str = "m";

fn pick<T: Copy>(random: &mut fastrand::Rng, of: &[T]) -> T {
    of[random.usize(..of.len())]
}

fn restart(random: &mut fastrand::Rng) -> RestartType {
    use RestartType::{Permanent, Temporary, Transient};
    pick(random, &[Permanent, Permanent, Transient, Temporary])
}

fn actor(random: &mut fastrand::Rng) -> ChildSpec {
    use Directive::{Escalate, Restart, Resume, Stop};
    let spawns = if random.u32(..3) == 0 {
        ties::args(&[Tie::Spawn { link: false }])
    } else {
        bytes::Bytes::new()
    };
    let backoff = short_backoff(random);
    ChildSpec {
        args: spawns,
        restart: restart(random),
        on_crash: pick(
            random,
            &[Restart, Restart, Restart, Restart, Resume, Stop, Escalate],
        )
        .into(),
        backoff: (random.u32(..4) == 0).then_some(backoff),
        keep_children: random.bool(),
        shutdown_ms: pick(random, &[0, 5, 20]),
        throughput: random.u32(1..5),
        ..template()
    }
}

/// A supervisor under `path`, noted in `tree` with all that is below it.
fn grow(random: &mut fastrand::Rng, tree: &mut Tree, path: &str, depth: u32) -> SupervisorSpec {
    use AutoShutdown::{AllSignificant, AnySignificant, Never};
    let auto_shutdown = pick(random, &[Never, Never, AnySignificant, AllSignificant]);
    let mut children = vec![ChildEntry::actor(MARK, template())];
    for n in 0..random.usize(1..5) {
        let id = format!("c{n}");
        let kind = if depth > 0 && random.u32(..3) == 0 {
            ChildKind::Supervisor {
                spec: grow(random, tree, &format!("{path}/{id}"), depth - 1),
                restart: restart(random),
            }
        } else {
            ChildKind::Actor(actor(random))
        };
        let mut entry = ChildEntry {
            id,
            significant: false,
            kind,
        };
        entry.significant =
            auto_shutdown != Never && entry.restart() != RestartType::Permanent && random.bool();
        children.push(entry);
    }
    let spec = SupervisorSpec {
        name: path.rsplit('/').next().expect("a path has parts").into(),
        strategy: pick(
            random,
            &[
                Strategy::OneForOne,
                Strategy::OneForAll,
                Strategy::RestForOne,
            ],
        ),
        budget: RestartBudget {
            intensity: random.u32(1..6),
            period_ms: random.u64(50..200),
        },
        auto_shutdown,
        children,
    };
    tree.add(path, &spec);
    spec
}

struct Trees {
    w: World,
    tree: Tree,
    watcher: ActorId,
    killer: ActorId,
    watched: HashSet<ActorId>,
    /// What became of each message that the world was told: accepted or not.
    told: HashMap<u64, Result<(), SendError>>,
}

fn one_world(seed: u64) {
    let mut w = World::new(seed);
    let mut tree = Tree::default();
    let watcher = w.spawn("watcher");
    let killer = w.spawn("killer");
    for n in 0..w.sim.random().usize(1..3) {
        let spec = grow(w.sim.random(), &mut tree, &format!("/s{n}"), 2);
        let node = w.node.clone();
        w.sim
            .block_on(node.start_supervisor(spec))
            .expect("nothing fails yet");
    }
    let mut t = Trees {
        w,
        tree,
        watcher,
        killer,
        watched: HashSet::new(),
        told: HashMap::new(),
    };
    let mut version = 1;
    for seq in 0..80 {
        t.act(seq, &mut version);
        for _ in 0..t.w.sim.random().usize(..10) {
            t.w.sim.step();
        }
    }
    t.finish();
}

impl Trees {
    fn act(&mut self, seq: u64, version: &mut u32) {
        let paths = self.tree.targets(MARK);
        if paths.is_empty() {
            return;
        }
        let random = self.w.sim.random();
        let path = paths[random.usize(..paths.len())].clone();
        let what = random.u32(..32);
        if what < 3 {
            let later = self.w.sim.clock_ms() + self.w.sim.random().u64(1..80);
            return self.w.sim.run_until(later);
        }
        if what == 3 {
            *version += 1;
            let node = self.w.node.clone();
            let swap = node.swap("b", module(*version), 1_000);
            let swapped = self.w.sim.block_on(swap);
            return drop(swapped.expect("a new version is taken"));
        }
        if what == 4 {
            let times = random.u32(1..4);
            self.w.record.lock().failing.insert(path, times);
            return;
        }
        let Some(id) = self.w.node.resolve(&path) else {
            return;
        };
        let random = self.w.sim.random();
        let cmd = match what {
            5 | 6 => {
                self.tree.killed.insert(id);
                self.w.tell_now(
                    self.killer,
                    Cmd::Stop {
                        to: id.0,
                        kill: true,
                    },
                );
                return;
            }
            7 => Cmd::StopSelf,
            8 | 9 => Cmd::Yield(random.u32(1..30)),
            10 => ties::ties([Tie::OnStop(pick(random, &[OnStop::Hang, OnStop::Crash]))]),
            11 => Cmd::SetTimer {
                key: Some("key".into()),
                cmd: Box::new(Cmd::Add(1)),
                after_ms: random.u64(1..50),
                every_ms: random.bool().then(|| random.u64(1..30)),
                crash: random.u32(..4) == 0,
            },
            12 => ties::ties([Tie::Register(format!("n{}", random.u32(..3)))]),
            13 => ties::ties([Tie::Join("g".into())]),
            14 => Cmd::AskLater {
                to: self.watcher.0,
                cmd: Box::new(Cmd::Later { crash: false }),
                timeout_ms: 1_000_000,
                crash: false,
            },
            15..=18 => {
                if self.watched.insert(id) {
                    self.w.tell_now(self.watcher, Cmd::Watch(id.0));
                }
                return;
            }
            _ => {
                let crash = random.u32(..3) == 0;
                let yields = random.u32(..4);
                return self.tell(id, seq, crash, yields);
            }
        };
        self.w.tell_now(id, cmd);
    }

    /// A message that is accounted for.
    fn tell(&mut self, to: ActorId, seq: u64, crash: bool, yields: u32) {
        let message = bytes(&Cmd::Take {
            from: 0,
            seq,
            crash,
            yields,
        });
        let mut tell = pin!(self.w.node.tell(to, message));
        match tell.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => self.told.insert(seq, result),
            Poll::Pending => unreachable!("these mailboxes reject"),
        };
    }

    fn finish(mut self) {
        let later = self.w.sim.clock_ms() + 5_000;
        self.w.sim.run_until(later);
        for (at_ms, step) in self.w.trace.take() {
            self.tree.step(at_ms, step);
        }
        self.tree.check_rest(MARK);
        self.check_downs();
        let (node, trace) = (self.w.node.clone(), self.w.trace.clone());
        let (mut tree, told, record) = (self.tree, self.told, self.w.record.clone());
        self.w.close();
        for (at_ms, step) in trace.take() {
            tree.step(at_ms, step);
        }
        tree.check_budgets();
        let totals = node.totals();
        assert_eq!(totals.timers, 0, "timers");
        assert_eq!(totals.questions_open, 0, "questions");
        assert_eq!(totals.asks_under_way, 0, "asks");
        assert_eq!(totals.mailbox_bytes, 0, "queued bytes");
        assert_eq!(node.names().len(), 0, "names");
        assert_eq!(node.groups().len(), 0, "groups");
        assert_eq!(record.lock().overlaps, 0, "two lives at once");
        let taken: Vec<u64> = record.lock().taken.iter().map(|taken| taken.2).collect();
        check_messages(&told, &taken, &dead(&node));
    }

    /// Who watches hears exactly once of an end, and of nothing else.
    fn check_downs(&self) {
        let record = self.w.record.lock();
        let mut heard: HashMap<u64, u32> = HashMap::new();
        for (watcher, who, _) in &record.downs {
            assert_eq!(*watcher, self.watcher.0);
            *heard.entry(*who).or_default() += 1;
        }
        for id in &self.watched {
            let lives = self.w.node.actor(*id).is_some();
            let count = heard.remove(&id.0).unwrap_or(0);
            assert_eq!(count, u32::from(!lives), "downs of {id}");
        }
        assert!(heard.is_empty(), "never watched: {heard:?}");
    }
}

fn dead(node: &actorhost_core::Node<world::Native>) -> Vec<(u64, DeadReason, bool)> {
    let letters = node.dead_letters().newest(usize::MAX);
    let takes =
        letters
            .iter()
            .filter_map(|letter| match postcard::from_bytes(&letter.message).ok()? {
                Cmd::Take { seq, crash, .. } => Some((seq, letter.reason, crash)),
                _ => None,
            });
    takes.collect()
}

/// Each message is handled once, or refused, or one dead letter.
fn check_messages(
    told: &HashMap<u64, Result<(), SendError>>,
    taken: &[u64],
    dead: &[(u64, DeadReason, bool)],
) {
    let count = |seq: u64| taken.iter().filter(|taken| **taken == seq).count();
    for (&seq, result) in told {
        let buried: Vec<_> = dead.iter().filter(|dead| dead.0 == seq).collect();
        let expected = match result {
            Ok(()) => count(seq) + buried.len(),
            Err(SendError::Stopped) => {
                assert_eq!(count(seq), 0, "{seq} was refused and handled");
                buried.len()
            }
            Err(other) => panic!("{seq}: {other}"),
        };
        assert_eq!(expected, 1, "{seq}: handled, refused or buried once");
        for (_, reason, crashes) in buried {
            match reason {
                DeadReason::Crashed => assert!(crashes, "{seq} crashes nothing"),
                DeadReason::Stopped | DeadReason::Killed => {}
                other => panic!("{seq}: {other:?}"),
            }
        }
    }
}
