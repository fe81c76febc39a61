//! Links and the trapping of exits, under the simulator.

mod world;

use actorhost_core::{ActorId, ChildSpec, CrashKind, ExitReason, RestartType, StopMode};
use world::{Cmd, World, template, ties::Tie};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

/// Ends for good whatever happens to it.
fn temporary() -> ChildSpec {
    ChildSpec {
        restart: RestartType::Temporary,
        ..template()
    }
}

fn alive(w: &World, id: ActorId) -> bool {
    w.node.actor(id).is_some()
}

#[test]
fn c45_a_crash_takes_the_linked_peer_with_it() {
    for_seeds(|mut w| {
        let (a, b) = (
            w.spawn_spec("a", temporary()),
            w.spawn_spec("b", temporary()),
        );
        let watcher = w.spawn("watcher");
        assert_eq!(w.tie(watcher, [Tie::Watch(b.0)]), "ok");
        assert_eq!(w.tie(a, [Tie::Link(b.0), Tie::Link(b.0)]), "ok,ok");
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert!(!alive(&w, a) && !alive(&w, b));
        assert_eq!(
            w.ask(watcher, Cmd::Downs),
            format!("{} crashed: linked: /a crashed: panic: ordered", b.0)
        );
        w.close();
    });
}

#[test]
fn c45_each_end_but_a_normal_one_ends_the_peer() {
    for_seeds(|mut w| {
        for (n, (end, reason)) in [
            ("normal", None),
            ("shutdown", Some("shutdown")),
            ("kill", Some("crashed: linked: /a2 ended: killed")),
        ]
        .into_iter()
        .enumerate()
        {
            let a = w.spawn_spec(&format!("a{n}"), temporary());
            let b = w.spawn_spec(&format!("b{n}"), temporary());
            let watcher = w.spawn(&format!("w{n}"));
            w.tie(watcher, [Tie::Watch(b.0)]);
            // It does not matter who made the link.
            assert_eq!(w.tie(b, [Tie::Link(a.0)]), "ok");
            let node = w.node.clone();
            match end {
                "normal" => assert_eq!(w.ask(a, Cmd::StopSelf), "bye"),
                "shutdown" => {
                    w.sim.block_on(node.stop(a, StopMode::Now, None));
                }
                _ => w.kill(a),
            }
            w.sim.settle();
            assert!(!alive(&w, a));
            assert_eq!(alive(&w, b), reason.is_none(), "{end}");
            let heard = reason.map_or_else(String::new, |text| format!("{} {text}", b.0));
            assert_eq!(w.ask(watcher, Cmd::Downs), heard, "{end}");
        }
        w.close();
    });
}

#[test]
fn c45_one_that_traps_exits_hears_of_the_end_and_lives_on() {
    for_seeds(|mut w| {
        let b = w.spawn("b");
        assert_eq!(w.tie(b, [Tie::Trap(true)]), "ok");
        let mut expected = Vec::new();
        for (n, reason) in ["crashed: panic: ordered", "normal", "shutdown", "killed"]
            .into_iter()
            .enumerate()
        {
            let a = w.spawn_spec(&format!("a{n}"), temporary());
            assert_eq!(w.tie(b, [Tie::Link(a.0)]), "ok");
            let node = w.node.clone();
            match reason {
                "normal" => assert_eq!(w.ask(a, Cmd::StopSelf), "bye"),
                "shutdown" => {
                    w.sim.block_on(node.stop(a, StopMode::Now, None));
                }
                "killed" => w.kill(a),
                _ => assert!(w.ask(a, Cmd::Crash).starts_with("crashed")),
            }
            w.sim.settle();
            expected.push(format!("exit {} {reason}", a.0));
        }
        assert_eq!(w.ask(b, Cmd::Downs), expected.join(","));
        // From here on it does not trap any more.
        let a = w.spawn_spec("last", temporary());
        assert_eq!(w.tie(b, [Tie::Trap(false), Tie::Link(a.0)]), "ok,ok");
        w.kill(a);
        w.sim.settle();
        assert_eq!(w.ask(b, Cmd::Downs), "", "a fresh life");
        w.close();
    });
}

#[test]
fn c45_links_and_trapping_end_with_the_life() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        assert_eq!(w.tie(b, [Tie::Trap(true), Tie::Link(a.0)]), "ok,ok");
        // The end of b's life ends a's as well; both live again, without a link.
        assert!(w.ask(b, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        for id in [a, b] {
            let view = w.node.actor(id).unwrap();
            assert_eq!((view.restarts, view.links), (1, 0), "{}", view.path);
        }
        assert!(w.ask(a, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert_eq!(w.node.actor(b).unwrap().restarts, 1);
        assert_eq!(w.ask(b, Cmd::Downs), "");
        // Nor does its next life trap what it did not ask to trap.
        let mortal = w.spawn_spec("mortal", temporary());
        assert_eq!(w.tie(b, [Tie::Link(mortal.0)]), "ok");
        w.kill(mortal);
        w.sim.settle();
        assert_eq!(w.node.actor(b).unwrap().restarts, 2);
        // A signal on its way to a life that has ended by itself says nothing to the
        // next one.
        assert_eq!(w.tie(a, [Tie::Link(b.0)]), "ok");
        w.tell_now(a, Cmd::Crash);
        w.tell_now(b, Cmd::Crash);
        w.sim.settle();
        let lives = [a, b].map(|id| w.node.actor(id).unwrap().restarts);
        assert!(
            lives == [3, 3] || lives == [3, 4] || lives == [4, 3],
            "{lives:?}"
        );
        assert_eq!([a, b].map(|id| w.node.actor(id).unwrap().links), [0, 0]);
        w.close();
    });
}

#[test]
fn c45_a_link_that_is_taken_back_is_silent() {
    for_seeds(|mut w| {
        let (a, b) = (
            w.spawn_spec("a", temporary()),
            w.spawn_spec("b", temporary()),
        );
        let trapping = w.spawn("trapping");
        assert_eq!(w.tie(trapping, [Tie::Trap(true), Tie::Link(a.0)]), "ok,ok");
        assert_eq!(w.tie(a, [Tie::Link(b.0), Tie::Unlink(b.0)]), "ok,ok");
        assert_eq!(w.tie(b, [Tie::Link(a.0)]), "ok");
        assert_eq!(w.tie(a, [Tie::Unlink(b.0)]), "ok");
        // A signal that was sent and not heard yet is taken back as well.
        w.tie_now(trapping, [Tie::Unlink(a.0)]);
        w.tell_now(a, Cmd::Crash);
        w.sim.settle();
        assert!(!alive(&w, a) && alive(&w, b));
        let downs = w.ask(trapping, Cmd::Downs);
        assert!(
            downs.is_empty() || downs == format!("exit {} crashed: panic: ordered", a.0),
            "{downs}"
        );
        assert_eq!(w.node.actor(trapping).unwrap().links, 0);
        w.close();
    });
}

#[test]
fn c45_nothing_of_a_link_is_heard_after_unlink() {
    for_seeds(|mut w| {
        let trapping = w.spawn("trapping");
        let a = w.spawn_spec("a", temporary());
        assert_eq!(w.tie(trapping, [Tie::Trap(true), Tie::Link(a.0)]), "ok,ok");
        // The other dies while this one is busy; its notice comes to wait behind the
        // message that unlinks.
        w.tell_now(trapping, Cmd::Yield(10_000));
        for _ in 0..10 {
            w.sim.step();
        }
        w.tell_now(a, Cmd::Crash);
        for _ in 0..2_000 {
            w.sim.step();
        }
        assert!(!alive(&w, a));
        w.tie_now(trapping, [Tie::Unlink(a.0)]);
        w.sim.settle();
        assert_eq!(w.ask(trapping, Cmd::Downs), "");
        w.close();
    });
}

#[test]
fn c45_links_are_effects_of_a_turn_and_errors_are_values() {
    for_seeds(|mut w| {
        let mut spec = template();
        spec.limits.links = 2;
        let a = w.spawn_spec("a", spec);
        let others: Vec<_> = (0..3).map(|n| w.spawn(&format!("o{n}"))).collect();
        assert_eq!(
            w.tie(a, [Tie::Link(a.0), Tie::Link(9_999)]),
            "oneself,no-such-actor"
        );
        assert!(
            w.tie_and_crash(a, [Tie::Link(others[0].0)])
                .starts_with("crashed")
        );
        assert_eq!(
            w.node.actor(a).unwrap().links,
            0,
            "a held link was not made"
        );
        assert_eq!(w.node.actor(others[0]).unwrap().links, 0);
        let links = others.iter().map(|id| Tie::Link(id.0)).collect::<Vec<_>>();
        assert_eq!(w.tie(a, links), "ok,ok,quota: the limit is 2 links");
        assert_eq!(w.tie(a, [Tie::Unlink(others[0].0)]), "ok");
        assert_eq!(w.tie(a, [Tie::Link(others[2].0)]), "ok");
        assert_eq!(w.node.actor(a).unwrap().links, 2);
        // One that ends between the call and the turn's end is a signal.
        let trapping = w.spawn("trapping");
        w.tie(trapping, [Tie::Trap(true)]);
        let mortal = w.spawn_spec("mortal", temporary());
        w.tie_now(trapping, [Tie::Link(mortal.0)]);
        w.tell_now(mortal, Cmd::Crash);
        w.sim.settle();
        let heard = w.ask(trapping, Cmd::Downs);
        assert!(
            heard.is_empty() || heard.starts_with(&format!("exit {} ", mortal.0)),
            "{heard}"
        );
        w.close();
    });
}

#[test]
fn c45_a_child_linked_at_its_birth_dies_with_its_parent_and_the_other_way_round() {
    for_seeds(|mut w| {
        let parent = w.spawn("parent");
        let child = ActorId(w.tie(parent, [Tie::Spawn { link: true }]).parse().unwrap());
        assert!(w.ask(child, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert_eq!(w.node.actor(parent).unwrap().restarts, 1);
        assert!(!alive(&w, child), "a new life begins without children");
        w.close();
    });
}

#[test]
fn c45_a_sleeping_peer_hears_as_well() {
    for seed in 0..SEEDS {
        let mut w = World::with_live_max(seed, 2);
        let (a, b) = (
            w.spawn_spec("a", temporary()),
            w.spawn_spec("b", temporary()),
        );
        let trapping = w.spawn("trapping");
        w.tie(trapping, [Tie::Trap(true), Tie::Link(a.0)]);
        w.tie(a, [Tie::Link(b.0)]);
        for n in 0..12 {
            w.spawn(&format!("other{n}"));
        }
        w.sim.settle();
        w.kill(a);
        w.sim.settle();
        assert!(!alive(&w, b));
        assert_eq!(w.ask(trapping, Cmd::Downs), format!("exit {} killed", a.0));
        w.close();
    }
}

#[test]
fn c45_an_exit_reason_carries_the_crash_whole() {
    let mut w = World::new(45);
    let (a, b) = (
        w.spawn_spec("a", temporary()),
        w.spawn_spec("b", temporary()),
    );
    w.tie(a, [Tie::Link(b.0)]);
    w.tell_now(a, Cmd::Crash);
    w.sim.settle();
    let events = w.events.0.lock();
    let ends: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            actorhost_core::observe::Event::Ended { reason, .. } => Some(reason.clone()),
            _ => None,
        })
        .collect();
    drop(events);
    let [ExitReason::Crashed(first), ExitReason::Crashed(second)] = &ends[..] else {
        panic!("{ends:?}");
    };
    assert_eq!(
        (first.kind, second.kind),
        (CrashKind::Panic, CrashKind::Linked)
    );
    assert!(second.message.contains("/a") && second.message.contains("ordered"));
    w.close();
}

#[test]
fn c47_two_that_link_each_other_at_the_same_time_always_get_there() {
    let mut w = World::new(47);
    let (a, b) = (w.spawn("a"), w.spawn("b"));
    for round in 0..10_000 {
        w.tie_now(a, [Tie::Link(b.0)]);
        w.tie_now(b, [Tie::Link(a.0)]);
        w.sim.settle();
        assert_eq!(
            [a, b].map(|id| w.node.actor(id).unwrap().links),
            [1, 1],
            "round {round}"
        );
        w.tie_now(a, [Tie::Unlink(b.0)]);
        w.tie_now(b, [Tie::Unlink(a.0)]);
        w.sim.settle();
        assert_eq!([a, b].map(|id| w.node.actor(id).unwrap().links), [0, 0]);
    }
    w.close();
}

#[test]
fn c47_a_ring_of_ten_thousand_dies_of_one_cause() {
    const RING: usize = 10_000;
    let mut w = World::with_live_max(47, 2 * RING);
    let ids: Vec<_> = (0..RING)
        .map(|n| w.spawn_spec(&format!("r{n}"), temporary()))
        .collect();
    for n in 0..RING {
        w.tie_now(ids[n], [Tie::Link(ids[(n + 1) % RING].0)]);
    }
    w.sim.settle();
    w.tell_now(ids[RING / 2], Cmd::Crash);
    w.sim.settle();
    assert_eq!(w.node.totals().actors, 0);
    let events = w.events.0.lock();
    let linked = events.iter().filter(|event| {
        matches!(event, actorhost_core::observe::Event::Ended { reason: ExitReason::Crashed(crash), .. }
            if crash.message == "/r5000 crashed: panic: ordered")
    });
    assert_eq!(linked.count(), RING - 1, "each names the first cause");
    drop(events);
    w.close();
}
