//! Named dispatchers in the simulated world.

mod world;

use actorhost_core::{
    ChildSpec, SpawnError,
    node::{Place, SpawnFailed},
    spec::RestartBudget,
};
use world::{Cmd, World, for_seeds, module, template};

fn on(dispatcher: &str) -> ChildSpec {
    ChildSpec {
        dispatcher: dispatcher.into(),
        ..template()
    }
}

fn runs(world: &World) -> [u64; 2] {
    let views = world.node.dispatchers();
    assert_eq!(&*views[0].name, "default");
    assert_eq!(&*views[1].name, "blocking");
    [views[0].load.runs, views[1].load.runs]
}

#[test]
fn c33_an_actor_runs_on_its_own_dispatcher_only() {
    for_seeds(|mut world| {
        let pinned = world.spawn_spec("pinned", on("blocking"));
        let quiet = world.spawn("quiet");
        let [main, blocking] = runs(&world);
        for n in 1..=20 {
            assert_eq!(world.ask(pinned, Cmd::Add(1)), n.to_string());
        }
        let after = runs(&world);
        assert_eq!(after[0], main, "no turn of it ran on the default");
        assert!(after[1] >= blocking + 20);
        for n in 1..=20 {
            assert_eq!(world.ask(quiet, Cmd::Add(1)), n.to_string());
        }
        assert_eq!(runs(&world)[1], after[1]);
        world.close();
    });
}

#[test]
fn c33_a_dispatcher_without_a_free_thread_delays_nobody_on_another() {
    for_seeds(|mut world| {
        let pinned = world.spawn_spec("pinned", on("blocking"));
        let quiet = world.spawn("quiet");
        world.sim.blocking.hold(true);
        world.tell(pinned, Cmd::Add(5)).unwrap();
        for n in 1..=20 {
            assert_eq!(world.ask(quiet, Cmd::Add(1)), n.to_string());
        }
        // One that waits for it waits, until its own deadline.
        let asked = world.ask(
            quiet,
            Cmd::Ask {
                to: pinned.0,
                timeout_ms: 100,
            },
        );
        assert_eq!(asked, "timeout");
        assert_eq!(world.node.dispatchers()[1].load.queued, 1);
        world.sim.blocking.hold(false);
        assert_eq!(world.ask(pinned, Cmd::Add(1)), "6");
        world.close();
    });
}

#[test]
fn c33_a_restart_and_a_swap_stay_on_the_dispatcher() {
    for_seeds(|mut world| {
        let pinned = world.spawn_spec("pinned", on("blocking"));
        let main = runs(&world)[0];
        world.tell(pinned, Cmd::Crash).unwrap();
        assert_eq!(world.ask(pinned, Cmd::Add(1)), "1");
        assert_eq!(runs(&world)[0], main);
        world.sim.blocking.hold(true);
        world.tell(pinned, Cmd::Add(1)).unwrap();
        world.sim.settle();
        assert_eq!(world.node.actor(pinned).unwrap().queued, 1);
        world.sim.blocking.hold(false);
        world.close();
    });
}

#[test]
fn an_unknown_dispatcher_is_refused_by_name() {
    for_seeds(|mut world| {
        let node = world.node.clone();
        let place = Place::Root { behaviour: "b" };
        let spawn = node.spawn(place, Some("a"), None, Some(on("fast")));
        let refused = world.sim.block_on(spawn).unwrap_err();
        let name = "fast".into();
        let expected = SpawnFailed::Refused(SpawnError::UnknownDispatcher { name });
        assert_eq!(refused, expected);
        assert_eq!(
            refused.to_string(),
            "unknown-dispatcher: the node has no dispatcher named `fast`"
        );
        let pool = node.add_pool("p", on("fast"), RestartBudget::default());
        assert_eq!(pool, Err(expected));
        assert_eq!(node.totals().actors, 0);
        world.close();
    });
}

/// In any order of runs, what an actor handles in one go is at most its throughput.
#[test]
fn c31_batches_are_as_long_as_the_throughput() {
    const THROUGHPUT: usize = 7;
    for_seeds(|mut world| {
        let spec = ChildSpec {
            throughput: THROUGHPUT as u32,
            ..template()
        };
        let pair = ["a", "b"].map(|name| world.spawn_spec(name, spec.clone()));
        for seq in 0..1_000 {
            for (from, to) in pair.into_iter().enumerate() {
                let take = Cmd::Take {
                    from: from as u64,
                    seq,
                    crash: false,
                    yields: 0,
                };
                world.tell_now(to, take);
            }
        }
        world.sim.settle();
        let taken = std::mem::take(&mut world.record.lock().taken);
        assert_eq!(taken.len(), 2_000);
        for goes in taken.chunk_by(|one, next| one.0 == next.0) {
            let at_end = goes.last().unwrap().2 == 999;
            assert!(at_end || goes.len() % THROUGHPUT == 0, "{}", goes.len());
        }
        let changes = taken.windows(2).filter(|pair| pair[0].0 != pair[1].0);
        assert!(changes.count() > 20, "they take turns");
        world.close();
    });
}

#[test]
fn an_actor_that_spawns_on_an_unknown_dispatcher_hears_its_name() {
    for_seeds(|mut world| {
        let parent = world.spawn("parent");
        world.node.deploy("b", module(1), on("fast"));
        let spawn = Cmd::Spawn {
            name: "child".into(),
            crash: false,
        };
        assert_eq!(
            world.ask(parent, spawn),
            "unknown-dispatcher: the node has no dispatcher named `fast`"
        );
        assert_eq!(world.node.totals().actors, 1);
        world.close();
    });
}
