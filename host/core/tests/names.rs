//! Registered names, under the simulator.

mod world;

use actorhost_core::{ActorId, StopMode};
use world::{Cmd, World, template, ties::Tie};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

fn register(name: &str) -> Tie {
    Tie::Register(name.into())
}

fn lookup(name: &str) -> Tie {
    Tie::Lookup(name.into())
}

#[test]
fn c53_a_registered_name_is_one_actors_until_its_end() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        let node = w.node.clone();
        assert_eq!(
            w.tie(a, [register("clock"), lookup("clock"), register("clock")]),
            format!("ok,{},ok", a.0)
        );
        assert_eq!(w.tie(b, [register("clock")]), "taken");
        assert_eq!(w.tie(b, [lookup("clock")]), a.0.to_string());
        assert_eq!(node.resolve("clock"), Some(a));
        assert_eq!(node.resolve("/clock"), None, "a name is not a path");
        assert_eq!(
            w.tie(b, [lookup("/a")]),
            a.0.to_string(),
            "paths are found as before"
        );
        // Another's name is not given back by whoever asks.
        assert_eq!(w.tie(b, [Tie::Unregister("clock".into())]), "ok");
        // It outlives a life, and is free after the last.
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert_eq!(node.resolve("clock"), Some(a));
        w.sim.block_on(node.stop(a, StopMode::Now, None));
        assert_eq!(node.resolve("clock"), None);
        assert_eq!(w.tie(b, [register("clock")]), "ok");
        assert_eq!(node.resolve("clock"), Some(b));
        assert!(
            w.tell(a, Cmd::Count).is_err(),
            "an old reference stays with the old"
        );
        assert_eq!(
            w.tie(b, [Tie::Unregister("clock".into()), lookup("clock")]),
            "ok,none"
        );
        assert_eq!(node.resolve("clock"), None);
        assert_eq!(node.names(), []);
        w.close();
    });
}

#[test]
fn c53_a_name_is_seen_when_its_turn_has_succeeded() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        let node = w.node.clone();
        assert!(w.tie_and_crash(a, [register("x")]).starts_with("crashed"));
        assert_eq!(w.tie(b, [register("x")]), "ok", "given back by the crash");
        // What a crashed turn gave back it still has.
        let unregister = Tie::Unregister("x".into());
        assert!(
            w.tie_and_crash(b, [unregister.clone()])
                .starts_with("crashed")
        );
        assert_eq!(w.tie(a, [register("x")]), "taken");
        // Back and forth within a turn: the last one holds.
        assert_eq!(w.tie(b, [unregister.clone(), register("x")]), "ok,ok");
        assert_eq!(node.resolve("x"), Some(b));
        assert_eq!(
            w.tie(a, [register("y"), Tie::Unregister("y".into())]),
            "ok,ok"
        );
        assert_eq!(node.names(), [("x".into(), b)]);
        // Held by a turn that is killed.
        w.tell_now(a, Cmd::HoldName("z".into()));
        for _ in 0..50 {
            w.sim.step();
        }
        assert_eq!(node.resolve("z"), None, "not seen yet");
        w.kill(a);
        assert_eq!(w.tie(b, [register("z")]), "ok");
        w.close();
    });
}

#[test]
fn c53_bad_names_and_too_many_are_refused() {
    let mut w = World::new(53);
    let mut spec = template();
    spec.limits.names = 2;
    let a = w.spawn_spec("a", spec);
    let long = "x".repeat(129);
    for bad in ["", "/a", "a/b", "a b", "17", &long] {
        assert_eq!(w.tie(a, [register(bad)]), "bad-name", "{bad:?}");
    }
    assert_eq!(
        w.tie(a, [register("n1"), register("n2"), register("n3")]),
        "ok,ok,quota: the limit is 2"
    );
    assert_eq!(w.tie(a, [register("n3")]), "quota: the limit is 2");
    assert_eq!(w.tie(a, [Tie::Unregister("n1".into())]), "ok");
    assert_eq!(w.tie(a, [register("n3")]), "ok");
    w.close();
}

#[test]
fn c53_of_a_hundred_racing_registrations_one_wins() {
    for_seeds(|mut w| {
        let ids: Vec<ActorId> = (0..100).map(|n| w.spawn(&format!("a{n}"))).collect();
        for &id in &ids {
            w.tie_now(id, [register("one")]);
        }
        w.sim.settle();
        let winner = w.node.resolve("one").expect("one has won");
        for &id in &ids {
            let expected = if id == winner { "ok" } else { "taken" };
            assert_eq!(w.tie(id, [register("one")]), expected);
        }
        w.close();
    });
}
