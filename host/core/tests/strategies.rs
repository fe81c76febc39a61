//! Groups of children: strategies, nested supervisors, automatic shutdown.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, RestartType, StopMode,
    observe::Event,
    spec::{AutoShutdown, Backoff, RestartBudget, Strategy},
    supervisor::{ChildEntry, ChildError, ChildKind, StartFailed, SupervisorSpec},
};
use world::{Cmd, World, template, ties, ties::Tie};

const MANY: RestartBudget = RestartBudget {
    intensity: 100,
    period_ms: 60_000,
};

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..20 {
        test(World::new(seed));
    }
}

fn actors(ids: &[&str]) -> Vec<ChildEntry> {
    ids.iter()
        .map(|id| ChildEntry::actor(id, template()))
        .collect()
}

fn group(strategy: Strategy, budget: RestartBudget, ids: &[&str]) -> SupervisorSpec {
    SupervisorSpec {
        strategy,
        budget,
        children: actors(ids),
        ..SupervisorSpec::new("s")
    }
}

fn start(w: &mut World, spec: SupervisorSpec) {
    let node = w.node.clone();
    w.sim.block_on(node.start_supervisor(spec)).unwrap();
    w.record.lock().log.clear();
}

fn id(w: &World, path: &str) -> ActorId {
    w.node
        .resolve(path)
        .unwrap_or_else(|| panic!("{path} lives"))
}

fn crash(w: &mut World, path: &str) {
    let id = id(w, path);
    assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
    w.sim.settle();
}

fn log(w: &World) -> Vec<String> {
    std::mem::take(&mut w.record.lock().log)
}

fn failures(w: &World) -> Vec<String> {
    let events = w.events.0.lock();
    let failed = events.iter().filter_map(|event| match event {
        Event::SupervisorFailed { path, cause } => Some(format!("{path}: {cause}")),
        _ => None,
    });
    failed.collect()
}

#[test]
fn c02_one_for_all_stops_in_reverse_and_starts_in_order() {
    for_seeds(|mut w| {
        start(&mut w, group(Strategy::OneForAll, MANY, &["a", "b", "c"]));
        let ids = ["/s/a", "/s/b", "/s/c"].map(|path| id(&w, path));
        for id in ids {
            assert_eq!(w.ask(id, Cmd::Add(7)), "7");
        }
        crash(&mut w, "/s/b");
        assert_eq!(
            log(&w),
            [
                "stopping /s/c shutdown",
                "stopping /s/a shutdown",
                "init /s/a",
                "init /s/b",
                "init /s/c"
            ]
        );
        for (at, path) in ids.into_iter().zip(["/s/a", "/s/b", "/s/c"]) {
            assert_eq!(id(&w, path), at, "addresses stay");
            assert_eq!(w.ask(at, Cmd::Add(0)), "0", "a fresh life");
        }
        w.close();
    });
}

#[test]
fn c03_rest_for_one_takes_the_later_ones_along() {
    for_seeds(|mut w| {
        start(&mut w, group(Strategy::RestForOne, MANY, &["a", "b", "c"]));
        let ids = ["/s/a", "/s/b", "/s/c"].map(|path| id(&w, path));
        for id in ids {
            assert_eq!(w.ask(id, Cmd::Add(7)), "7");
        }
        crash(&mut w, "/s/b");
        assert_eq!(
            log(&w),
            ["stopping /s/c shutdown", "init /s/b", "init /s/c"]
        );
        let kept = ids.map(|id| w.ask(id, Cmd::Add(0)));
        assert_eq!(kept, ["7", "0", "0"]);
        w.close();
    });
}

/// A message that waits while its target is taken along by a sibling's restart is
/// handled by the next life.
#[test]
fn a_sibling_that_is_taken_along_keeps_its_mailbox() {
    for_seeds(|mut w| {
        start(&mut w, group(Strategy::OneForAll, MANY, &["a", "b"]));
        let (a, b) = (id(&w, "/s/a"), id(&w, "/s/b"));
        w.tell_now(a, Cmd::Yield(5));
        for seq in 0..10 {
            w.tell_now(a, world::take(0, seq));
        }
        w.tell_now(b, Cmd::Crash);
        w.sim.settle();
        let taken: Vec<_> = w.record.lock().taken.iter().map(|taken| taken.2).collect();
        assert_eq!(taken, (0..10).collect::<Vec<_>>());
        w.close();
    });
}

fn with(spec: SupervisorSpec, children: Vec<ChildEntry>) -> SupervisorSpec {
    SupervisorSpec { children, ..spec }
}

#[test]
fn c06_a_failure_climbs_and_each_strategy_answers() {
    for_seeds(|mut w| {
        let none = RestartBudget {
            intensity: 0,
            period_ms: 1_000,
        };
        let inner = SupervisorSpec {
            name: "inner".into(),
            ..group(Strategy::OneForOne, none, &["x", "y"])
        };
        let mut children = actors(&["a"]);
        children.push(ChildEntry::supervisor(inner));
        children.extend(actors(&["z"]));
        let one = RestartBudget {
            intensity: 1,
            period_ms: 60_000,
        };
        let outer = with(group(Strategy::RestForOne, one, &[]), children);
        start(&mut w, outer);
        crash(&mut w, "/s/inner/x");
        assert_eq!(
            log(&w),
            [
                "stopping /s/inner/y shutdown",
                "stopping /s/z shutdown",
                "init /s/inner/x",
                "init /s/inner/y",
                "init /s/z"
            ],
            "the parent's strategy answers, and /s/a is untouched"
        );
        crash(&mut w, "/s/inner/y");
        let failed = failures(&w);
        assert_eq!(failed.len(), 3, "{failed:?}");
        assert!(failed[0].starts_with("/s/inner: ") && failed[1].starts_with("/s/inner: "));
        assert!(
            failed[2].starts_with("/s: ")
                && failed[2].contains("/s/inner: ")
                && failed[2].contains("/s/inner/y: crashed: panic: ordered"),
            "{failed:?}"
        );
        assert!(
            w.node.resolve("/s/inner/x").is_some(),
            "the root restarts it"
        );
        w.close();
    });
}

#[test]
fn c06_the_restart_type_of_a_supervisor_counts_too() {
    for (restart, lives) in [
        (RestartType::Permanent, true),
        (RestartType::Transient, true),
        (RestartType::Temporary, false),
    ] {
        let mut w = World::new(1);
        let none = RestartBudget {
            intensity: 0,
            period_ms: 1_000,
        };
        let inner = SupervisorSpec {
            name: "inner".into(),
            ..group(Strategy::OneForOne, none, &["x"])
        };
        let entry = ChildEntry {
            kind: ChildKind::Supervisor {
                spec: inner.clone(),
                restart,
            },
            ..ChildEntry::supervisor(inner)
        };
        start(
            &mut w,
            with(group(Strategy::OneForOne, MANY, &[]), vec![entry]),
        );
        crash(&mut w, "/s/inner/x");
        assert_eq!(w.node.resolve("/s/inner/x").is_some(), lives, "{restart:?}");
        let specs = w.node.count_children("/s").unwrap().specs;
        assert_eq!(specs, u32::from(lives), "a temporary spec is forgotten");
        w.close();
    }
}

#[test]
fn c07_a_tree_that_does_not_start_names_child_cause_and_path() {
    for_seeds(|mut w| {
        let bad = ChildSpec {
            args: "fail".into(),
            ..template()
        };
        let deep = with(
            SupervisorSpec::new("deep"),
            vec![
                ChildEntry::actor("c", template()),
                ChildEntry::actor("bad", bad),
            ],
        );
        let mut children = actors(&["a"]);
        children.push(ChildEntry::supervisor(deep));
        children.extend(actors(&["never"]));
        let node = w.node.clone();
        let spec = with(SupervisorSpec::new("s"), children);
        let failed = w.sim.block_on(node.start_supervisor(spec)).unwrap_err();
        assert!(
            matches!(&failed, StartFailed::Init { path, .. } if path == "/s/deep/bad"),
            "{failed}"
        );
        assert!(failed.to_string().contains("told to"), "{failed}");
        assert_eq!(
            log(&w),
            [
                "init /s/a",
                "init /s/deep/c",
                "stopping /s/deep/c shutdown",
                "stopping /s/a shutdown"
            ]
        );
        assert_eq!(node.totals().actors, 0);
        assert_eq!(node.count_children("/s"), Err(ChildError::NoSuchSupervisor));
        assert_eq!(failures(&w).len(), 2, "each supervisor says so once");
        // Nothing is left of it: the name is free.
        start(&mut w, group(Strategy::OneForOne, MANY, &["a"]));
        w.close();
    });
}

#[test]
fn a_spec_that_contradicts_itself_starts_nothing() {
    let mut w = World::new(1);
    let node = w.node.clone();
    let twice = with(SupervisorSpec::new("s"), actors(&["a", "a"]));
    let significant = |auto_shutdown, restart| SupervisorSpec {
        auto_shutdown,
        children: vec![significant("a", restart)],
        ..SupervisorSpec::new("s")
    };
    for (spec, why) in [
        (twice, "two children"),
        (
            significant(AutoShutdown::Never, RestartType::Transient),
            "automatic shutdown",
        ),
        (
            significant(AutoShutdown::AnySignificant, RestartType::Permanent),
            "permanent",
        ),
        (with(SupervisorSpec::new("s"), actors(&["a/b"])), "a/b"),
    ] {
        let failed = w.sim.block_on(node.start_supervisor(spec)).unwrap_err();
        assert!(matches!(failed, StartFailed::BadSpec(_)), "{failed}");
        assert!(failed.to_string().contains(why), "{failed}");
    }
    assert!(log(&w).is_empty());
    w.close();
}

#[test]
fn c09_one_for_all_where_another_child_fails_to_restart() {
    for_seeds(|mut w| {
        let budget = RestartBudget {
            intensity: 3,
            period_ms: 60_000,
        };
        start(&mut w, group(Strategy::OneForAll, budget, &["a", "b", "c"]));
        w.record.lock().failing.insert("/s/b".into(), 2);
        crash(&mut w, "/s/c");
        assert_eq!(
            log(&w),
            [
                "stopping /s/b shutdown",
                "stopping /s/a shutdown",
                "init /s/a",
                "stopping /s/a shutdown",
                "init /s/a",
                "stopping /s/a shutdown",
                "init /s/a",
                "init /s/b",
                "init /s/c"
            ],
            "the group is stopped and tried again"
        );
        assert!(failures(&w).is_empty());
        crash(&mut w, "/s/c");
        let failed = failures(&w);
        assert_eq!(failed.len(), 1, "then it escalates: {failed:?}");
        assert!(failed[0].starts_with("/s: more than 3 restarts"));
        w.close();
    });
}

fn significant(id: &str, restart: RestartType) -> ChildEntry {
    let spec = ChildSpec {
        restart,
        ..template()
    };
    ChildEntry {
        significant: true,
        ..ChildEntry::actor(id, spec)
    }
}

#[test]
fn significant_children_end_their_supervisor() {
    use AutoShutdown::{AllSignificant, AnySignificant};
    for (auto_shutdown, after_first) in [(AnySignificant, false), (AllSignificant, true)] {
        for seed in 0..20 {
            let mut w = World::new(seed);
            let mut children = vec![
                significant("a", RestartType::Transient),
                significant("b", RestartType::Temporary),
            ];
            children.extend(actors(&["c"]));
            let inner = SupervisorSpec {
                name: "inner".into(),
                auto_shutdown,
                ..with(group(Strategy::OneForOne, MANY, &[]), children)
            };
            let entry = ChildEntry {
                kind: ChildKind::Supervisor {
                    spec: inner.clone(),
                    restart: RestartType::Transient,
                },
                ..ChildEntry::supervisor(inner)
            };
            let outer = with(group(Strategy::OneForOne, MANY, &[]), vec![entry]);
            start(&mut w, outer);
            // An abnormal end of a transient child is mended and does not count.
            crash(&mut w, "/s/inner/a");
            assert!(w.node.resolve("/s/inner/c").is_some());
            let a = id(&w, "/s/inner/a");
            w.ask(a, Cmd::StopSelf);
            w.sim.settle();
            assert_eq!(w.node.resolve("/s/inner/c").is_some(), after_first);
            if after_first {
                crash(&mut w, "/s/inner/b");
            }
            assert!(w.node.resolve("/s/inner/c").is_none(), "{auto_shutdown:?}");
            let shut_down = w.events.0.lock().iter().any(|event| {
                matches!(event, Event::SupervisorShutDown { path, cause }
                    if **path == *"/s/inner" && cause.contains("/s/inner/"))
            });
            assert!(shut_down && failures(&w).is_empty());
            let counts = w.node.count_children("/s").unwrap();
            assert_eq!((counts.specs, counts.active), (1, 0), "it stays down");
            w.close();
        }
    }
}

#[test]
fn only_ends_of_their_own_count_for_the_automatic_shutdown() {
    let mut w = World::new(1);
    let mut children = vec![significant("a", RestartType::Transient)];
    children.extend(actors(&["c"]));
    let spec = SupervisorSpec {
        auto_shutdown: AutoShutdown::AnySignificant,
        ..with(group(Strategy::OneForOne, MANY, &[]), children)
    };
    start(&mut w, spec);
    let node = w.node.clone();
    w.sim
        .block_on(node.terminate_child("/s", "a", 1_000))
        .unwrap();
    w.sim.settle();
    assert!(node.resolve("/s/c").is_some());
    w.sim
        .block_on(node.restart_child("/s", "a", 1_000))
        .unwrap();
    let a = id(&w, "/s/a");
    w.sim.block_on(node.stop(a, StopMode::Drain, None)).unwrap();
    w.sim.settle();
    assert!(
        node.resolve("/s/c").is_some(),
        "nor does an operator's stop"
    );
    w.close();
}

#[test]
fn c12_a_child_that_does_not_stop_in_time_is_killed_and_named() {
    for_seeds(|mut w| {
        let slow = ChildSpec {
            shutdown_ms: 100,
            ..template()
        };
        let at_once = ChildSpec {
            shutdown_ms: 0,
            ..template()
        };
        let deep = with(
            SupervisorSpec::new("deep"),
            vec![ChildEntry::actor("slow", slow)],
        );
        let spec = with(
            SupervisorSpec::new("s"),
            vec![
                ChildEntry::actor("default", template()),
                ChildEntry::actor("at-once", at_once),
                ChildEntry::supervisor(deep),
            ],
        );
        start(&mut w, spec);
        for path in ["/s/default", "/s/at-once", "/s/deep/slow"] {
            let id = id(&w, path);
            w.tell_now(
                id,
                Cmd::Sleep {
                    ms: 60_000,
                    times: 1,
                },
            );
        }
        w.sim.settle();
        let begun_ms = w.sim.clock_ms();
        let node = w.node.clone();
        let summary = w.sim.block_on(node.shutdown(600_000));
        assert_eq!(
            w.sim.clock_ms() - begun_ms,
            5_100,
            "100 ms, at once, and the default of 5 s"
        );
        let killed: Vec<_> = summary.killed.iter().map(|path| path.to_string()).collect();
        assert_eq!(killed, ["/s/deep/slow", "/s/default"]);
        let events = w.events.0.lock();
        let named = events.iter().filter_map(|event| match event {
            Event::KilledAtShutdown {
                subject,
                shutdown_ms,
            } => Some((subject.path.to_string(), *shutdown_ms)),
            _ => None,
        });
        let named: Vec<_> = named.collect();
        drop(events);
        assert_eq!(
            named,
            [("/s/deep/slow".into(), 100), ("/s/default".into(), 5_000)],
            "each once"
        );
        w.close();
    });
}

#[test]
fn c12_supervisors_wait_without_limit() {
    let mut w = World::new(1);
    let patient = ChildSpec {
        shutdown_ms: 500_000,
        ..template()
    };
    let deep = with(
        SupervisorSpec::new("deep"),
        vec![ChildEntry::actor("patient", patient)],
    );
    start(
        &mut w,
        with(SupervisorSpec::new("s"), vec![ChildEntry::supervisor(deep)]),
    );
    w.record.lock().stop_ms = 50_000;
    let node = w.node.clone();
    let summary = w.sim.block_on(node.shutdown(600_000));
    assert_eq!(summary.killed, []);
    assert_eq!(w.sim.clock_ms(), 50_000, "far more than the default of 5 s");
    w.close();
}

#[test]
fn c13_the_tree_stops_in_reverse_depth_first_and_parents_outlive_children() {
    for_seeds(|mut w| {
        let branch = |name: &str| SupervisorSpec {
            name: name.into(),
            ..group(Strategy::OneForOne, MANY, &["x", "y"])
        };
        let mut children = actors(&["a"]);
        children.push(ChildEntry::supervisor(branch("one")));
        children.push(ChildEntry::supervisor(branch("two")));
        children.extend(actors(&["b"]));
        start(
            &mut w,
            with(group(Strategy::OneForOne, MANY, &[]), children),
        );
        let x = id(&w, "/s/one/x");
        let spawn = Cmd::Spawn {
            name: "kid".into(),
            crash: false,
        };
        w.ask(x, spawn);
        w.sim.settle();
        log(&w);
        let node = w.node.clone();
        w.sim.block_on(node.shutdown(600_000));
        let stopped: Vec<_> = log(&w)
            .iter()
            .map(|line| line.replace("stopping ", "").replace(" shutdown", ""))
            .collect();
        // A parent's own hook runs first; it is gone only after its children.
        assert_eq!(
            stopped,
            [
                "/s/b",
                "/s/two/y",
                "/s/two/x",
                "/s/one/y",
                "/s/one/x",
                "/s/one/x/kid",
                "/s/a"
            ]
        );
        let ended: Vec<_> = w.events.0.lock().iter().filter_map(ended).collect();
        let at = |path: &str| ended.iter().position(|ended| ended == path).unwrap();
        assert!(at("/s/one/x/kid") < at("/s/one/x"));
        w.close();
    });
}

fn ended(event: &Event) -> Option<String> {
    match event {
        Event::Ended { subject, .. } => Some(subject.path.to_string()),
        _ => None,
    }
}

#[test]
fn c18d_an_init_that_spawns_fixed_names_crashes_again_and_again() {
    for_seeds(|mut w| {
        let spec = ChildSpec {
            args: ties::args(&[Tie::SpawnAs("kid".into())]),
            ..template()
        };
        let supervisor = with(
            group(Strategy::OneForAll, MANY, &[]),
            vec![
                ChildEntry::actor("parent", spec),
                ChildEntry::actor("other", template()),
            ],
        );
        start(&mut w, supervisor);
        for n in 0..5 {
            let path = ["/s/parent", "/s/other"][n % 2];
            crash(&mut w, path);
            assert_eq!(w.node.totals().actors, 3, "no orphan");
            let kid = id(&w, "/s/parent/kid");
            assert_eq!(w.ask(kid, Cmd::Count), "0", "a new one each time");
        }
        w.close();
    });
}

#[test]
fn c18e_a_dynamic_child_is_part_of_the_group() {
    for strategy in [Strategy::OneForAll, Strategy::RestForOne] {
        for seed in 0..20 {
            let mut w = World::new(seed);
            start(&mut w, group(strategy, MANY, &["a"]));
            let node = w.node.clone();
            for id in ["d", "e"] {
                let child = ChildEntry::actor(id, template());
                w.sim
                    .block_on(node.start_child("/s", child, 1_000))
                    .unwrap();
            }
            log(&w);
            crash(&mut w, "/s/d");
            let first = strategy == Strategy::OneForAll;
            let expected: Vec<_> = [
                (true, "stopping /s/e shutdown"),
                (first, "stopping /s/a shutdown"),
                (first, "init /s/a"),
                (true, "init /s/d"),
                (true, "init /s/e"),
            ]
            .into_iter()
            .filter_map(|(taken, line)| taken.then_some(line))
            .collect();
            assert_eq!(log(&w), expected, "{strategy:?}");
            w.close();
        }
    }
}

/// OTP: a temporary sibling is stopped with the group and forgotten.
#[test]
fn a_temporary_sibling_is_not_started_again() {
    for_seeds(|mut w| {
        let mut spec = group(Strategy::OneForAll, MANY, &["a", "b", "c"]);
        spec.children[1].kind = ChildKind::Actor(ChildSpec {
            restart: RestartType::Temporary,
            ..template()
        });
        start(&mut w, spec);
        crash(&mut w, "/s/c");
        assert!(w.node.resolve("/s/b").is_none());
        let children = w.node.which_children("/s").unwrap();
        let ids: Vec<_> = children.iter().map(|child| child.id.as_str()).collect();
        assert_eq!(ids, ["a", "c"]);
        assert_eq!(w.ask(id(&w, "/s/a"), Cmd::Count), "0");
        w.close();
    });
}

/// A sibling that will not let go is killed for the restart, and keeps its address.
#[test]
fn a_sibling_that_does_not_stop_is_killed_for_the_restart() {
    for_seeds(|mut w| {
        let mut spec = group(Strategy::OneForAll, MANY, &["a", "b"]);
        spec.children[0].kind = ChildKind::Actor(ChildSpec {
            shutdown_ms: 50,
            ..template()
        });
        start(&mut w, spec);
        let a = id(&w, "/s/a");
        w.tell_now(
            a,
            Cmd::Sleep {
                ms: 60_000,
                times: 1,
            },
        );
        w.sim.settle();
        crash(&mut w, "/s/b");
        let later = w.sim.clock_ms() + 50;
        w.sim.run_until(later);
        assert_eq!(id(&w, "/s/a"), a);
        assert_eq!(w.ask(a, Cmd::Count), "0");
        assert_eq!(w.node.actor(a).unwrap().restarts, 1);
        w.close();
    });
}

/// A shutdown comes in between: while a group waits for its backoff.
#[test]
fn a_shutdown_ends_a_group_that_waits() {
    for_seeds(|mut w| {
        let backoff = Backoff {
            first_ms: 60_000,
            factor: 2.0,
            cap_ms: 60_000,
            jitter: 0.0,
            reset_ms: 1,
        };
        let mut spec = group(Strategy::OneForAll, MANY, &["a", "b"]);
        spec.children[1].kind = ChildKind::Actor(ChildSpec {
            backoff: Some(backoff),
            ..template()
        });
        start(&mut w, spec);
        crash(&mut w, "/s/b");
        let now_ms = w.sim.clock_ms();
        let node = w.node.clone();
        w.sim.block_on(node.shutdown(600_000));
        assert_eq!(w.sim.clock_ms(), now_ms, "nobody waited");
        w.close();
    });
}

#[test]
fn the_tree_shows_strategies_and_nested_supervisors() {
    let mut w = World::new(1);
    let inner = SupervisorSpec {
        name: "inner".into(),
        ..group(Strategy::RestForOne, RestartBudget::UNLIMITED, &["x"])
    };
    let mut children = actors(&["a"]);
    children.push(ChildEntry::supervisor(inner));
    start(
        &mut w,
        with(group(Strategy::OneForAll, MANY, &[]), children),
    );
    let tree = w.node.tree();
    let s = &tree.children[0];
    assert_eq!((&*s.path, s.kind), ("/s", "supervisor"));
    assert_eq!(s.detail, "one-for-all, 100 restarts in 60000 ms");
    assert_eq!(s.children[0].detail, "b permanent");
    let inner = &s.children[1];
    assert_eq!((&*inner.path, inner.kind), ("/s/inner", "supervisor"));
    assert_eq!(inner.detail, "rest-for-one, any number of restarts");
    assert_eq!(&*inner.children[0].path, "/s/inner/x");
    w.close();
}

/// A sibling's restart that meets a child on its way to its end waits for that end and
/// starts the child anew, also where its shutdown time allows no wait.
#[test]
fn a_child_on_its_way_to_its_end_is_no_trap_for_its_group() {
    for_seeds(|mut w| {
        let child = ChildSpec {
            args: ties::args(&[Tie::Spawn { link: false }]),
            restart: RestartType::Transient,
            shutdown_ms: 0,
            ..template()
        };
        let mut spec = group(Strategy::OneForAll, MANY, &["b"]);
        spec.children.push(ChildEntry::actor("a", child));
        start(&mut w, spec);
        w.record.lock().stop_ms = 10;
        let before = id(&w, "/s/a");
        w.tell_now(before, Cmd::StopSelf);
        w.sim.settle();
        assert!(
            w.node.actor(before).is_some(),
            "its own child takes its time"
        );
        crash(&mut w, "/s/b");
        let later = w.sim.clock_ms() + 100;
        w.sim.run_until(later);
        let after = id(&w, "/s/a");
        assert_ne!(after, before, "a new one");
        assert_eq!(w.ask(after, Cmd::Count), "0");
        w.close();
    });
}
