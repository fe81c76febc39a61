//! Groups, under the simulator.

mod world;

use actorhost_core::{
    ActorId, ChildSpec, MailboxSpec, Overflow, Published, StopMode, dead_letters::DeadReason,
};
use world::{Cmd, World, bytes, take, template, ties::Tie};

const SEEDS: u64 = 20;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..SEEDS {
        test(World::new(seed));
    }
}

fn join(group: &str) -> Tie {
    Tie::Join(group.into())
}

fn publish(seq: u64) -> Tie {
    Tie::Publish {
        group: "g".into(),
        seq,
    }
}

fn members() -> Tie {
    Tie::Members("g".into())
}

fn text(ids: &[ActorId]) -> String {
    let ids: Vec<_> = ids.iter().map(|id| id.0.to_string()).collect();
    ids.join(" ")
}

#[test]
fn a_message_reaches_every_member_but_its_publisher_once() {
    for_seeds(|mut w| {
        let ids: Vec<ActorId> = (0..10).map(|n| w.spawn(&format!("a{n}"))).collect();
        for &id in &ids {
            assert_eq!(w.tie(id, [join("g"), join("g")]), "ok,ok");
        }
        assert_eq!(
            w.tie(ids[0], [members()]),
            text(&ids),
            "in order of joining"
        );
        assert_eq!(w.node.groups()[0].members, 10);
        let outsider = w.spawn("outsider");
        assert_eq!(w.tie(outsider, [publish(1)]), "10/0");
        assert_eq!(w.tie(ids[3], [publish(2)]), "9/0");
        w.sim.settle();
        let mut heard: Vec<_> = w.record.lock().taken.clone();
        heard.sort_unstable();
        let mut expected: Vec<_> = ids.iter().map(|id| (outsider.0, id.0, 1)).collect();
        let others = ids.iter().filter(|id| **id != ids[3]);
        expected.extend(others.map(|id| (ids[3].0, id.0, 2)));
        expected.sort_unstable();
        assert_eq!(heard, expected);
        assert_eq!(
            w.node.publish("g", bytes(&take(0, 3))),
            Published {
                accepted: 10,
                refused: 0
            }
        );
        assert_eq!(
            w.tie(
                outsider,
                [Tie::Publish {
                    group: "none".into(),
                    seq: 4
                }]
            ),
            "0/0"
        );
        w.close();
    });
}

#[test]
fn membership_lasts_until_the_actors_end_over_restarts() {
    for_seeds(|mut w| {
        let (a, b, c) = (w.spawn("a"), w.spawn("b"), w.spawn("c"));
        for id in [b, a, c] {
            assert_eq!(w.tie(id, [join("g"), join("h")]), "ok,ok");
        }
        assert!(w.ask(b, Cmd::Crash).starts_with("crashed"));
        w.sim.settle();
        assert_eq!(w.node.members("g"), [b, a, c]);
        assert_eq!(
            w.tie(a, [Tie::Leave("g".into()), members()]),
            format!("ok,{}", text(&[b, c]))
        );
        assert_eq!(
            w.tie(a, [join("g"), members()]),
            format!("ok,{}", text(&[b, c, a]))
        );
        let node = w.node.clone();
        w.sim.block_on(node.stop(b, StopMode::Now, None));
        w.kill(c);
        assert_eq!((node.members("g"), node.members("h")), (vec![a], vec![a]));
        assert_eq!(
            w.tie(a, [Tie::Leave("g".into()), Tie::Leave("h".into())]),
            "ok,ok"
        );
        assert_eq!(node.groups(), [], "an empty group is gone");
        w.close();
    });
}

#[test]
fn groups_are_effects_of_a_turn() {
    for_seeds(|mut w| {
        let (a, b) = (w.spawn("a"), w.spawn("b"));
        assert_eq!(w.tie(b, [join("g")]), "ok");
        assert!(
            w.tie_and_crash(a, [join("g"), publish(1)])
                .starts_with("crashed")
        );
        w.sim.settle();
        assert_eq!(w.node.members("g"), [b]);
        assert!(
            w.record.lock().taken.is_empty(),
            "a held message did not leave"
        );
        assert!(
            w.tie_and_crash(b, [Tie::Leave("g".into())])
                .starts_with("crashed")
        );
        assert_eq!(w.node.members("g"), [b]);
        // Its places were given back: the whole mailbox is free.
        for _ in 0..3_000 {
            w.tie_and_crash(a, [publish(1)]);
        }
        assert_eq!(w.tie(a, [publish(2)]), "1/0");
        w.close();
    });
}

#[test]
fn each_member_hears_a_publisher_in_order() {
    for_seeds(|mut w| {
        let ids: Vec<ActorId> = (0..6).map(|n| w.spawn(&format!("a{n}"))).collect();
        for &id in &ids {
            w.tie(id, [join("g")]);
        }
        for seq in 0..50 {
            for &id in &ids[..3] {
                w.tie_now(id, [publish(2 * seq), publish(2 * seq + 1)]);
            }
        }
        w.sim.settle();
        let taken = w.record.lock().taken.clone();
        for &from in &ids[..3] {
            for &to in ids.iter().filter(|id| **id != from) {
                let heard = taken.iter().filter(|t| (t.0, t.1) == (from.0, to.0));
                let heard: Vec<_> = heard.map(|t| t.2).collect();
                assert_eq!(heard, (0..100).collect::<Vec<_>>(), "{from} to {to}");
            }
        }
        w.close();
    });
}

#[test]
fn whoever_refuses_is_counted_and_nobody_is_waited_for() {
    for_seeds(|mut w| {
        let publisher = w.spawn("publisher");
        let small = ChildSpec {
            mailbox: MailboxSpec {
                capacity: 1,
                overflow: Overflow::Block { timeout_ms: 60_000 },
                ..MailboxSpec::default()
            },
            ..template()
        };
        let mut narrow = template();
        narrow.limits.message_bytes = 64;
        let slow = w.spawn_spec("slow", small);
        let narrow = w.spawn_spec("narrow", narrow);
        let wide = w.spawn("wide");
        for id in [slow, narrow, wide] {
            w.tie(id, [join("g")]);
        }
        // Two in one turn: the second finds the one place taken.
        let before_ms = w.sim.clock_ms();
        assert_eq!(w.tie(publisher, [publish(1), publish(2)]), "3/0,2/1");
        w.sim.settle();
        let large = Tie::PublishBytes {
            group: "g".into(),
            bytes: 65,
        };
        assert!(
            w.tie_and_crash(publisher, [large.clone()])
                .starts_with("crashed")
        );
        assert_eq!(w.sim.clock_ms(), before_ms, "nobody was waited for");
        let dead = w.node.dead_letters();
        assert_eq!(dead.count(DeadReason::Full), 1);
        assert_eq!(dead.count(DeadReason::TooLarge), 1);
        let kept = dead.newest(10).into_iter();
        let mut kept = kept.filter(|letter| letter.reason == DeadReason::TooLarge);
        let letter = kept.next().unwrap();
        assert_eq!((&*letter.to_path, letter.message.len()), ("/narrow", 65));
        assert_eq!(
            w.node.publish("g", vec![0; 65].into()),
            Published {
                accepted: 2,
                refused: 1
            }
        );
        w.sim.settle();
        assert_eq!(w.node.totals().refused_full, 1);
        assert_eq!(w.node.totals().refused_too_large, 2);
        w.close();
    });
}

#[test]
fn bad_names_and_too_many_groups_are_refused() {
    let mut w = World::new(1);
    let mut spec = template();
    spec.limits.groups = 2;
    let a = w.spawn_spec("a", spec);
    assert_eq!(
        w.tie(a, [join(""), join("a/b"), join("12")]),
        "bad-name,bad-name,bad-name"
    );
    assert_eq!(
        w.tie(a, [join(&"x".repeat(128)), join(&"x".repeat(129))]),
        "ok,bad-name"
    );
    assert_eq!(
        w.tie(a, [join("g"), join("h"), join("g")]),
        "ok,quota: the limit is 2,ok"
    );
    w.close();
}

#[test]
fn ten_thousand_members_come_hear_and_go() {
    const MEMBERS: u64 = 10_000;
    let mut w = World::with_live_max(1, 2 * MEMBERS as usize);
    let publisher = w.spawn("publisher");
    let ids: Vec<ActorId> = (0..MEMBERS).map(|n| w.spawn(&format!("a{n}"))).collect();
    for &id in &ids {
        w.tie_now(id, [join("g")]);
    }
    w.sim.settle();
    assert_eq!(w.tie(publisher, [publish(1)]), "10000/0");
    w.sim.settle();
    assert_eq!(w.record.lock().taken.len() as u64, MEMBERS);
    for &id in &ids {
        w.tell_now(id, Cmd::StopSelf);
    }
    w.sim.settle();
    assert_eq!(
        w.node.members("g").len() as u64,
        MEMBERS,
        "a restart is no end"
    );
    w.close();
}
