//! Supervision, scenario by scenario, under the simulator.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, RestartType,
    node::Place,
    observe::Event,
    spec::RestartBudget,
    supervisor::{ChildEntry, SupervisorSpec},
};
use world::{Cmd, World, module, template};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

fn supervised(names: &[&str], budget: RestartBudget) -> SupervisorSpec {
    SupervisorSpec {
        budget,
        children: names
            .iter()
            .map(|name| ChildEntry::actor(name, template()))
            .collect(),
        ..SupervisorSpec::new("s")
    }
}

#[test]
fn c01_only_the_crashed_child_is_restarted() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let budget = RestartBudget {
            intensity: 1,
            period_ms: 5_000,
        };
        w.sim
            .block_on(node.start_supervisor(supervised(&["a", "b", "c"], budget)))
            .unwrap();
        let ids: Vec<ActorId> = ["/s/a", "/s/b", "/s/c"]
            .iter()
            .map(|path| node.resolve(path).unwrap())
            .collect();
        for &id in &ids {
            assert_eq!(w.ask(id, Cmd::Add(7)), "7");
        }
        assert_eq!(w.ask(ids[1], Cmd::Crash), "crashed: panic: ordered");
        assert_eq!(w.ask(ids[0], Cmd::Add(0)), "7");
        assert_eq!(
            w.ask(ids[1], Cmd::Add(0)),
            "0",
            "a fresh life behind the same address"
        );
        assert_eq!(w.ask(ids[2], Cmd::Add(0)), "7");
        w.close();
    });
}

#[test]
fn c04_restart_types_decide() {
    use RestartType::{Permanent, Temporary, Transient};
    let ends = [
        (Cmd::StopSelf, [true, false, false]),
        (Cmd::Crash, [true, true, false]),
        (Cmd::Stop { to: 0, kill: true }, [true, true, false]),
    ];
    for (end, expected) in ends {
        for (restart, lives) in [Permanent, Transient, Temporary].into_iter().zip(expected) {
            let mut w = World::new(1);
            let killer = w.spawn("killer");
            let spec = actorhost_core::ChildSpec {
                restart,
                ..template()
            };
            let id = w.spawn_spec("a", spec);
            match &end {
                Cmd::Stop { .. } => w
                    .tell(
                        killer,
                        Cmd::Stop {
                            to: id.0,
                            kill: true,
                        },
                    )
                    .unwrap(),
                cmd => w.tell(id, cmd.clone()).unwrap(),
            }
            w.sim.settle();
            assert_eq!(
                w.node.actor(id).is_some(),
                lives,
                "{restart:?} after {end:?}"
            );
            w.close();
        }
    }
}

#[test]
fn c05_one_restart_more_than_the_intensity_fails_the_supervisor() {
    for intensity in [0, 1, 5] {
        let mut w = World::new(u64::from(intensity));
        let node = w.node.clone();
        let budget = RestartBudget {
            intensity,
            period_ms: 1_000,
        };
        w.sim
            .block_on(node.start_supervisor(supervised(&["a", "b"], budget)))
            .unwrap();
        let a = node.resolve("/s/a").unwrap();
        let b = node.resolve("/s/b").unwrap();
        for n in 0..intensity {
            // Restarts older than the period do not count.
            if n == 0 {
                assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
                let later = w.sim.clock_ms() + 1_001;
                w.sim.run_until(later);
            }
            assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
            w.sim.settle();
            assert!(
                node.actor(a).is_some(),
                "restart {n} of {intensity} is granted"
            );
        }
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert!(
            node.actor(a).is_none() && node.actor(b).is_none(),
            "the children are stopped"
        );
        let failed =
            w.events.0.lock().iter().any(
                |event| matches!(event, Event::SupervisorFailed { path, .. } if **path == *"/s"),
            );
        assert!(failed, "the supervisor failed to its parent");
        // The root granted it another life, with fresh children.
        assert!(node.resolve("/s/a").is_some_and(|id| id != a));
        w.close();
    }
}

#[test]
fn c06_a_root_that_gives_up_says_which_supervisor_and_why() {
    let mut w = World::new(6);
    let node = w.node.clone();
    let budget = RestartBudget {
        intensity: 0,
        period_ms: 1_000,
    };
    w.sim
        .block_on(node.start_supervisor(supervised(&["a"], budget)))
        .unwrap();
    for _ in 0..2 {
        let a = node.resolve("/s/a").unwrap();
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
    }
    let cause = w.sim.block_on(node.failed());
    assert!(
        cause.contains("/s") && cause.contains("/s/a") && cause.contains("ordered"),
        "{cause}"
    );
    w.close();
}

#[test]
fn c07_a_failed_start_stops_the_earlier_siblings_in_reverse() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let mut spec = supervised(&["a", "b", "bad", "never"], RestartBudget::default());
        spec.children[2] = ChildEntry::actor(
            "bad",
            ChildSpec {
                args: "fail".into(),
                ..template()
            },
        );
        let failed = w
            .sim
            .block_on(node.start_supervisor(spec))
            .unwrap_err()
            .to_string();
        assert!(
            failed.contains("/s/bad") && failed.contains("told to"),
            "{failed}"
        );
        assert_eq!(
            w.record.lock().log,
            [
                "init /s/a",
                "init /s/b",
                "stopping /s/b shutdown",
                "stopping /s/a shutdown"
            ]
        );
        assert_eq!(node.totals().actors, 0);
        w.close();
    });
}

#[test]
fn c08_a_restart_that_fails_is_tried_again_within_the_budget() {
    let mut w = World::new(8);
    let node = w.node.clone();
    let failing = module(2);
    let fails_init = failing.fails_init.clone();
    node.deploy("b", failing, template());
    let budget = RestartBudget {
        intensity: 3,
        period_ms: 5_000,
    };
    node.add_pool("p", template(), budget).unwrap();
    let id = w
        .sim
        .block_on(node.spawn(Place::Pool { pool: "p" }, Some("x"), None, None))
        .unwrap()
        .id;
    fails_init.store(2, std::sync::atomic::Ordering::SeqCst);
    assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
    assert_eq!(w.ask(id, Cmd::Count), "0", "the third try began a life");
    let watcher = w.spawn("watcher");
    w.tell(watcher, Cmd::Watch(id.0)).unwrap();
    w.sim.settle();
    fails_init.store(2, std::sync::atomic::Ordering::SeqCst);
    assert!(w.ask(id, Cmd::Crash).starts_with("crashed"));
    w.sim.settle();
    assert!(
        node.actor(id).is_none(),
        "the budget is used up and no zombie stays"
    );
    assert!(w.ask(watcher, Cmd::Downs).contains("crashed"));
    w.close();
}
