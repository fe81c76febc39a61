//! Mailboxes: bounds, overflow policies, priorities and the node's budget of bytes.

mod world;

use actorhost_core::{
    ActorId, AskError, ChildSpec, Overflow, SendError, StopMode, dead_letters::DeadReason,
    node::Place,
};
use std::{sync::Arc, task::Poll};
use world::{
    Cmd, SEEDS, World, bytes, for_seeds, module,
    queueing::{asking, bounded, hold, poll, take, taken},
    template,
    ties::Tie,
};

#[test]
fn c22_drop_newest_and_drop_oldest_leave_exactly_the_others() {
    for (overflow, survivors, reason) in [
        (Overflow::DropNewest, vec![0, 1], DeadReason::DropNewest),
        (Overflow::DropOldest, vec![4, 5], DeadReason::DropOldest),
    ] {
        for_seeds(|mut w| {
            let id = w.spawn_spec("a", bounded(3, overflow));
            let sender = w.spawn("sender");
            hold(&mut w, id);
            w.tell(id, take(0)).unwrap();
            w.tell(id, take(1)).unwrap();
            let mut ask = asking(&w, id, &Cmd::Count);
            for seq in 2..5 {
                assert_eq!(w.tell(id, take(seq)), Ok(()), "the sender hears nothing");
            }
            let send = Cmd::Send {
                to: id.0,
                seq: 5,
                crash_there: false,
                crash_here: false,
                yields: 0,
            };
            w.ask(sender, send);
            assert_eq!(w.node.actor(id).unwrap().queued, 3);
            let asked = poll(&mut ask);
            if overflow == Overflow::DropOldest {
                let full = Err(AskError::Full);
                assert_eq!(asked, Poll::Ready(full), "an asker is told at once");
            } else {
                assert!(asked.is_pending());
            }
            w.sim.settle();
            if overflow == Overflow::DropNewest {
                assert_eq!(poll(&mut ask), Poll::Ready(Ok("3".into())));
            }
            let mut handled = taken(&w);
            if overflow == Overflow::DropOldest {
                assert_eq!(handled.remove(0), 3);
            }
            assert_eq!(handled, survivors);
            let letters = w.node.dead_letters();
            let dropped = 4;
            assert_eq!(letters.count(reason), dropped);
            let totals = w.node.totals();
            assert_eq!(totals.dropped_newest + totals.dropped_oldest, dropped);
            if overflow == Overflow::DropNewest {
                let newest = &letters.newest(1)[0];
                let from = newest.sender.as_ref().map(|(_, path)| &**path);
                assert_eq!(from, Some("/sender"));
            }
            w.close();
        });
    }
}

#[test]
fn c23_system_messages_overtake_ten_thousand_user_messages() {
    for_seeds(|mut w| {
        let id = w.spawn_spec("a", bounded(20_000, Overflow::Reject));
        for seq in 0..10_000 {
            w.tell(id, take(seq)).unwrap();
        }
        let (node, batch) = (w.node.clone(), template().throughput as usize);
        let swapped = w.sim.block_on(node.swap("b", module(2), 1_000)).unwrap();
        assert_eq!(swapped.outcome.swapped, 1);
        assert!(taken(&w).len() <= batch, "the swap came first");
        let before = taken(&w).len();
        assert_eq!(w.sim.block_on(node.restart(id, 1_000)), Some(1));
        // The end of a restart is looked for once a millisecond of virtual time, in
        // which the world settles.
        assert!(taken(&w).len() >= before);
        w.close();
    });
}

#[test]
fn c23_a_stop_overtakes_ten_thousand_user_messages() {
    for_seeds(|mut w| {
        let id = w.spawn_spec("a", bounded(20_000, Overflow::Reject));
        for seq in 0..10_000 {
            w.tell(id, take(seq)).unwrap();
        }
        let node = w.node.clone();
        w.sim.block_on(node.stop(id, StopMode::Now, None));
        assert_eq!(taken(&w), [], "the stop came first");
        let buried = w.node.dead_letters().count(DeadReason::Stopped);
        assert_eq!(buried, 10_000);
        w.close();
    });
}

#[test]
fn c24_each_senders_order_holds_through_crash_swap_and_sleep() {
    const COUNT: u64 = 100_000;
    const CHUNK: u64 = 500;
    for seed in 0..2 {
        // Three actors for one place: they put each other to sleep all the time.
        let mut w = World::with_live_max(seed, 1);
        let receiver = w.spawn_spec(
            "receiver",
            bounded(1_000, Overflow::Block { timeout_ms: 60_000 }),
        );
        let senders = [w.spawn("one"), w.spawn("two")];
        let chunks = COUNT / CHUNK;
        for chunk in 0..chunks {
            let asks: Vec<_> = senders
                .iter()
                .map(|&sender| {
                    let (to, first) = (receiver.0, chunk * CHUNK);
                    let stream = Cmd::Stream {
                        to,
                        first,
                        count: CHUNK,
                    };
                    asking(&w, sender, &stream)
                })
                .collect();
            if chunk % 10 == 3 {
                w.tell_now(receiver, Cmd::Crash);
            }
            if chunk == chunks / 2 {
                let node = w.node.clone();
                let swap = w.sim.block_on(node.swap("b", module(2), 60_000));
                assert!(swap.unwrap().outcome.failed.is_empty());
            }
            for ask in asks {
                let accepted = w.sim.block_on(ask).unwrap();
                assert_eq!(accepted, CHUNK.to_string());
            }
        }
        w.sim.settle();
        let record = w.record.clone();
        for sender in senders {
            let record = record.lock();
            let from = record.taken.iter().filter(|(from, ..)| *from == sender.0);
            assert!(from.map(|&(_, _, seq)| seq).eq(0..COUNT));
        }
        assert!(w.node.totals().crashes > 0, "lives have crashed meanwhile");
        w.close();
    }
}

#[test]
fn c28_a_mailbox_that_is_full_before_init_ends_does_not_deadlock() {
    for_seeds(|mut w| {
        let spec = bounded(1, Overflow::Reject);
        let node = w.node.clone();
        let place = Place::Root { behaviour: "b" };
        let mut spawn = Box::pin(node.spawn(place, Some("a"), None, Some(spec)));
        assert!(poll(&mut spawn).is_pending());
        let id = w.node.resolve("/a").unwrap();
        assert_eq!(w.tell(id, take(0)), Ok(()));
        assert_eq!(w.tell(id, take(1)), Err(SendError::Full));
        assert_eq!(w.sim.block_on(spawn).unwrap().id, id);
        w.sim.settle();
        assert_eq!(taken(&w), [0]);
        w.close();
    });
}

#[test]
fn c29_a_used_up_budget_of_bytes_refuses_and_nobody_dies() {
    for seed in 0..SEEDS {
        let mut w = World::with_limits(seed, 1_000, 10_000);
        let wedged = w.spawn_spec("wedged", bounded(1, Overflow::Unbounded));
        let sender = w.spawn("sender");
        hold(&mut w, wedged);
        let flood = Cmd::Flood {
            to: wedged.0,
            times: 1_000,
        };
        assert_eq!(w.ask(sender, flood.clone()), "overloaded");
        let totals = w.node.totals();
        assert!(totals.mailbox_bytes <= 10_000 && totals.mailbox_bytes > 9_000);
        assert!(totals.refused_overloaded > 0);
        assert_eq!(totals.mailbox_bytes_max, 10_000);
        assert_eq!(totals.refused_full, 0, "it was no mailbox that was full");
        w.kill(wedged);
        assert_eq!(w.node.totals().mailbox_bytes, 0);
        assert_eq!(w.ask(sender, Cmd::Count), "1", "the sender goes on");
        w.close();
    }
}

#[test]
fn c29a_every_way_in_obeys_bound_policy_and_budget() {
    for_seeds(|mut w| {
        // To itself.
        let own = w.spawn_spec("own", bounded(2, Overflow::Reject));
        let to_itself = |times| Cmd::Flood { to: own.0, times };
        assert_eq!(w.ask(own, to_itself(2)), "ok");
        assert_eq!(w.ask(own, to_itself(3)), "full");
        let dropping = w.spawn_spec("dropping", bounded(2, Overflow::DropNewest));
        let to = dropping.0;
        assert_eq!(w.ask(dropping, Cmd::Flood { to, times: 5 }), "ok");
        assert_eq!(w.node.totals().dropped_newest, 3);
        // From outside, from an actor, as a tell and as an ask.
        let full = w.spawn_spec("full", bounded(1, Overflow::Reject));
        let sender = w.spawn("sender");
        hold(&mut w, full);
        w.tell(full, take(0)).unwrap();
        assert_eq!(w.tell(full, take(1)), Err(SendError::Full));
        let (to, timeout_ms) = (full.0, 1_000);
        assert_eq!(w.ask(sender, Cmd::Flood { to, times: 1 }), "full");
        assert_eq!(w.ask(sender, Cmd::Ask { to, timeout_ms }), "full");
        assert_eq!(w.ask(full, Cmd::Count), "full");
        w.close();
    });
    for seed in 0..SEEDS {
        let mut w = World::with_limits(seed, 1_000, 200);
        let own = w.spawn_spec("own", bounded(1, Overflow::DropOldest));
        let flood = Cmd::Flood {
            to: own.0,
            times: 9,
        };
        assert_eq!(w.ask(own, flood), "overloaded");
        assert_eq!(w.node.totals().mailbox_bytes, 0);
        w.close();
    }
}

#[test]
fn c29b_a_down_is_never_evicted() {
    for overflow in [Overflow::DropOldest, Overflow::DropNewest, Overflow::Reject] {
        for_seeds(|mut w| {
            let watcher = w.spawn_spec("watcher", bounded(1, overflow));
            let watched = w.spawn("watched");
            w.ask(watcher, Cmd::Watch(watched.0));
            hold(&mut w, watcher);
            w.kill(watched);
            for seq in 0..10 {
                w.tell_now(watcher, take(seq));
            }
            w.sim.settle();
            assert_eq!(w.ask(watcher, Cmd::Downs), format!("{} killed", watched.0));
            let kept = if overflow == Overflow::DropOldest {
                9
            } else {
                0
            };
            assert_eq!(taken(&w), [kept]);
            w.close();
        });
    }
}

#[test]
fn c29c_one_overflow_does_not_cut_a_sender_off_for_ever() {
    for overflow in [
        Overflow::Reject,
        Overflow::Block { timeout_ms: 10 },
        Overflow::DropNewest,
        Overflow::DropOldest,
    ] {
        for_seeds(|mut w| {
            let id = w.spawn_spec("a", bounded(2, overflow));
            hold(&mut w, id);
            for seq in 0..10 {
                w.tell_now(id, take(seq));
            }
            w.sim.settle();
            let later = w.sim.clock_ms() + 100;
            w.sim.run_until(later);
            for seq in 10..20 {
                assert_eq!(w.tell(id, take(seq)), Ok(()));
                w.sim.settle();
            }
            assert!(taken(&w).ends_with(&(10..20).collect::<Vec<_>>()));
            w.close();
        });
    }
}

#[test]
fn c31_a_busy_actor_gives_way_after_its_throughput() {
    for_seeds(|mut w| {
        let mut spec = bounded(2_000, Overflow::Reject);
        spec.throughput = 10;
        let busy = w.spawn_spec("busy", spec);
        let other = w.spawn("other");
        for seq in 0..1_000 {
            w.tell(busy, take(seq)).unwrap();
        }
        w.tell(other, Cmd::Add(1)).unwrap();
        let mut before = 0;
        while w.sim.step() {
            let now = taken(&w).len();
            assert!(now - before <= 10, "{} in one run", now - before);
            before = now;
        }
        assert_eq!(before, 1_000);
        // A used-up slice of fuel gives way in the midst of a turn.
        w.tell(busy, Cmd::Yield(1_000)).unwrap();
        w.tell(other, Cmd::Add(1)).unwrap();
        assert_eq!(w.ask(other, Cmd::Add(0)), "2");
        w.close();
    });
}

/// `Take` has the variant 0, `Count` 2, `Add` 3.
fn ranked(capacity: u32, overflow: Overflow) -> ChildSpec {
    let mut spec = bounded(capacity, overflow);
    spec.mailbox.priorities = Arc::from([(2, 7), (3, 2)]);
    spec
}

#[test]
fn higher_priorities_overtake_and_each_keeps_its_order() {
    for_seeds(|mut w| {
        let mut spec = ranked(100, Overflow::Reject);
        spec.throughput = 1;
        let id = w.spawn_spec("a", spec);
        hold(&mut w, id);
        for seq in 0..5 {
            w.tell(id, take(seq)).unwrap();
        }
        let second = asking(&w, id, &Cmd::Add(1));
        let third = asking(&w, id, &Cmd::Add(10));
        let first = asking(&w, id, &Cmd::Count);
        assert_eq!(w.node.actor(id).unwrap().queued, 8);
        let before = w.node.actor(id).unwrap().handled;
        for (handled, (mut ask, reply)) in (2..).zip([(first, "1"), (second, "1"), (third, "11")]) {
            while w.node.actor(id).unwrap().handled < before + handled {
                assert!(poll(&mut ask).is_pending());
                assert!(w.sim.step());
            }
            assert_eq!(poll(&mut ask), Poll::Ready(Ok(reply.into())));
            assert!(taken(&w).is_empty(), "none of a lower priority yet");
        }
        w.sim.settle();
        assert_eq!(taken(&w), [0, 1, 2, 3, 4]);
        w.close();
    });
}

#[test]
fn drop_oldest_takes_from_the_lowest_priority() {
    for_seeds(|mut w| {
        let id = w.spawn_spec("a", ranked(3, Overflow::DropOldest));
        hold(&mut w, id);
        w.tell(id, Cmd::Add(1)).unwrap();
        for seq in 0..3 {
            w.tell(id, take(seq)).unwrap();
        }
        w.tell(id, Cmd::Add(1)).unwrap();
        w.tell(id, Cmd::Add(1)).unwrap();
        w.tell(id, Cmd::Add(1)).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), []);
        assert_eq!(w.ask(id, Cmd::Add(0)), "3");
        assert_eq!(w.node.totals().dropped_oldest, 4);
        w.close();
    });
}

#[test]
fn depth_and_age_are_readable() {
    for_seeds(|mut w| {
        let id = w.spawn_spec("a", ranked(10, Overflow::Reject));
        hold(&mut w, id);
        w.tell(id, take(0)).unwrap();
        let at_ms = w.sim.clock_ms() + 100;
        w.sim.clock.advance_to(at_ms);
        w.tell(id, Cmd::Add(1)).unwrap();
        let view = w.node.actor(id).unwrap();
        assert_eq!((view.queued, view.oldest_ms), (2, Some(100)));
        w.sim.settle();
        let view = w.node.actor(id).unwrap();
        assert_eq!((view.queued, view.oldest_ms), (0, None));
        // What is put aside waits as well.
        w.tell(id, Cmd::Gate { seq: 1 }).unwrap();
        w.sim.settle();
        w.sim.clock.advance_to(at_ms + 50);
        let view = w.node.actor(id).unwrap();
        assert_eq!(
            (view.queued, view.stashed, view.oldest_ms),
            (0, 1, Some(50))
        );
        w.close();
    });
}

/// An actor of the group `g` that is busy until `at_ms`, with `take(0)` in its mailbox
/// of one and a timer that brings `take(1)` at 10 ms, and then at each 50 ms more.
fn busy_member(w: &mut World, overflow: Overflow) -> ActorId {
    let id = w.spawn_spec("a", bounded(1, overflow));
    w.tie(id, [Tie::Join("g".into())]);
    let timer = Cmd::SetTimer {
        key: None,
        cmd: Box::new(take(1)),
        after_ms: 10,
        every_ms: Some(50),
        crash: false,
    };
    w.ask(id, timer);
    w.tell(id, Cmd::Sleep { ms: 40, times: 1 }).unwrap();
    while w.node.actor(id).unwrap().queued > 0 {
        assert!(w.sim.step());
    }
    w.tell(id, take(0)).unwrap();
    id
}

#[test]
fn c29a_timers_and_groups_obey_bound_and_policy() {
    for (overflow, reason, first) in [
        (Overflow::Reject, DeadReason::Full, 0),
        (Overflow::Block { timeout_ms: 9_000 }, DeadReason::Full, 0),
        (Overflow::DropNewest, DeadReason::DropNewest, 0),
        (Overflow::DropOldest, DeadReason::DropOldest, 2),
    ] {
        for_seeds(|mut w| {
            busy_member(&mut w, overflow);
            let now_ms = w.sim.clock_ms();
            w.sim.run_until(now_ms + 30);
            let dead = w.node.dead_letters();
            assert_eq!(dead.count(reason), 1, "the timer's, or what it pushed out");
            let published = w.node.publish("g", bytes(&take(2)));
            let accepted = u32::from(reason != DeadReason::Full);
            assert_eq!(
                (published.accepted, published.refused),
                (accepted, 1 - accepted)
            );
            assert_eq!(w.node.dead_letters().count(reason), 2);
            w.sim.run_until(now_ms + 50);
            assert_eq!(taken(&w), [first]);
            w.close();
        });
    }
}

#[test]
fn c29c_one_overflow_does_not_cut_a_timer_or_a_group_off_for_ever() {
    for_seeds(|mut w| {
        busy_member(&mut w, Overflow::Reject);
        let now_ms = w.sim.clock_ms();
        w.sim.run_until(now_ms + 30);
        assert_eq!(w.node.publish("g", bytes(&take(2))).refused, 1);
        assert_eq!(w.node.totals().refused_full, 2);
        // The timer's next ticks are due at 60 ms and 110 ms.
        w.sim.run_until(now_ms + 80);
        assert_eq!(w.node.publish("g", bytes(&take(2))).accepted, 1);
        w.sim.run_until(now_ms + 130);
        assert_eq!(taken(&w), [0, 1, 2, 1]);
        w.close();
    });
}
