//! Messages that are handled later: put aside, or again after a crash.

mod world;

use actorhost_core::{
    AskError, ChildSpec, Limits, Overflow, SendError, StopMode, dead_letters::DeadReason,
};
use std::task::Poll;
use world::{
    Cmd, for_seeds, module,
    queueing::{asking, bounded, crash, hold, poll, take, taken},
    template,
};

/// A timer that brings `cmd` once.
fn once(cmd: Cmd) -> Cmd {
    Cmd::SetTimer {
        key: None,
        cmd: Box::new(cmd),
        after_ms: 10,
        every_ms: None,
        crash: false,
    }
}

#[test]
fn c54_stashed_messages_come_back_in_order_before_newer_ones() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        for seq in 0..5 {
            w.tell(id, Cmd::Gate { seq }).unwrap();
        }
        let mut ask = asking(&w, id, &Cmd::Gate { seq: 5 });
        w.sim.settle();
        assert!(poll(&mut ask).is_pending(), "its place is kept");
        assert_eq!(w.node.actor(id).unwrap().stashed, 6);
        assert_eq!(taken(&w), []);
        // Sleep and swap keep it.
        let node = w.node.clone();
        w.sim.block_on(node.swap("b", module(2), 1_000)).unwrap();
        w.tell(id, Cmd::Open).unwrap();
        w.tell(id, Cmd::Gate { seq: 6 }).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(poll(&mut ask), Poll::Ready(Ok("took".into())));
        assert_eq!(w.node.actor(id).unwrap().stashed, 0);
        assert_eq!(w.node.totals().mailbox_bytes, 0);
        w.close();
    });
}

#[test]
fn c54_the_stash_counts_towards_the_bound_and_has_its_own() {
    for_seeds(|mut w| {
        let mut spec = bounded(3, Overflow::Reject);
        spec.limits = Limits {
            stash: 2,
            ..spec.limits
        };
        let id = w.spawn_spec("a", spec);
        assert_eq!(w.tell(id, Cmd::Gate { seq: 0 }), Ok(()));
        assert_eq!(w.tell(id, Cmd::Gate { seq: 1 }), Ok(()));
        w.sim.settle();
        assert_eq!(
            w.ask(id, Cmd::Gate { seq: 2 }),
            "full: the limit is 2 messages"
        );
        assert_eq!(w.tell(id, take(7)), Ok(()));
        assert_eq!(w.tell(id, take(8)), Err(SendError::Full));
        w.sim.settle();
        assert!(w.node.totals().mailbox_bytes > 0, "the budget counts it");
        // Dropping the oldest drops of the stash where nothing else waits.
        let dropping = w.spawn_spec("dropping", bounded(1, Overflow::DropOldest));
        w.tell(dropping, Cmd::Gate { seq: 20 }).unwrap();
        w.sim.settle();
        assert_eq!(w.ask(dropping, Cmd::Add(1)), "1");
        assert_eq!(w.node.totals().dropped_oldest, 1);
        w.close();
    });
}

#[test]
fn c54_a_restart_brings_the_stash_back_first() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        for seq in 0..3 {
            w.tell(id, Cmd::Gate { seq }).unwrap();
        }
        w.sim.settle();
        w.tell(id, Cmd::StashFirst { seq: 7 }).unwrap();
        w.sim.settle();
        w.tell(id, Cmd::Crash).unwrap();
        w.tell(id, take(8)).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [7, 8]);
        // The new life finds the gate closed again, and newer ones behind the old.
        w.tell(id, Cmd::Gate { seq: 3 }).unwrap();
        w.sim.settle();
        assert_eq!(w.node.actor(id).unwrap().stashed, 4);
        w.tell(id, Cmd::Open).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [7, 8, 0, 1, 2, 3]);
        w.close();
    });
}

#[test]
fn c54_a_crash_after_stashing_loses_the_message_as_any_other() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        w.tell(id, Cmd::StashThenCrash).unwrap();
        w.sim.settle();
        assert_eq!(w.node.actor(id).unwrap().stashed, 0);
        assert_eq!(w.node.dead_letters().count(DeadReason::Crashed), 1);
        w.close();
    });
}

#[test]
fn c54_stashing_while_unstashing_is_no_endless_loop() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        assert!(w.tell(id, Cmd::StashAgain).is_ok());
        w.sim.settle();
        assert_eq!(w.node.actor(id).unwrap().stashed, 1);
        let handled = w.node.actor(id).unwrap().handled;
        assert_eq!(w.ask(id, Cmd::Count), "1", "it goes on handling others");
        assert_eq!(w.node.actor(id).unwrap().handled, handled + 1);
        w.close();
    });
}

#[test]
fn c54_at_the_end_the_stash_is_dead_letters() {
    for (mode, drain) in [
        (StopMode::Drain, true),
        (StopMode::Now, false),
        (StopMode::Kill, false),
    ] {
        for_seeds(|mut w| {
            let id = w.spawn("a");
            for seq in 0..3 {
                w.tell(id, Cmd::Gate { seq }).unwrap();
            }
            let mut ask = asking(&w, id, &Cmd::Gate { seq: 3 });
            w.sim.settle();
            if drain {
                w.tell(id, take(9)).unwrap();
            }
            let node = w.node.clone();
            w.sim.block_on(node.stop(id, mode, None));
            assert_eq!(taken(&w), if drain { vec![9] } else { vec![] });
            assert_eq!(w.node.dead_letters().count(DeadReason::Stopped), 4);
            let stopped = Err(AskError::Stopped);
            assert_eq!(poll(&mut ask), Poll::Ready(stopped));
            assert_eq!(w.node.totals().mailbox_bytes, 0);
            w.close();
        });
    }
}

#[test]
fn c18f_a_message_that_crashes_three_lives_is_poison_and_the_actor_goes_on() {
    for_seeds(|mut w| {
        let spec = ChildSpec {
            attempts: 3,
            ..template()
        };
        let id = w.spawn_spec("a", spec);
        hold(&mut w, id);
        w.tell(id, take(0)).unwrap();
        let mut ask = asking(&w, id, &crash(1));
        w.tell(id, take(2)).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [0, 2]);
        assert_eq!(w.node.actor(id).unwrap().restarts, 3);
        let crashed = AskError::Crashed("panic: take".into());
        assert_eq!(poll(&mut ask), Poll::Ready(Err(crashed)));
        let letter = &w.node.dead_letters().newest(1)[0];
        assert_eq!((letter.reason, letter.crashes), (DeadReason::Poison, 3));
        assert_eq!(w.node.dead_letters().total(), 1);
        assert_eq!(w.node.totals().mailbox_bytes, 0);
        w.close();
    });
}

#[test]
fn a_message_that_crashes_once_is_handled_again_before_all_others() {
    for_seeds(|mut w| {
        let spec = ChildSpec {
            attempts: 2,
            ..template()
        };
        let id = w.spawn_spec("a", spec);
        hold(&mut w, id);
        w.tell(id, Cmd::TakeAfterCrash { seq: 0 }).unwrap();
        w.tell(id, take(1)).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [0, 1]);
        assert_eq!(w.node.actor(id).unwrap().restarts, 1);
        assert_eq!(w.node.dead_letters().total(), 0);
        w.close();
    });
}

#[test]
fn c54_a_timers_message_that_was_put_aside_is_like_any_other() {
    for_seeds(|mut w| {
        let id = w.spawn("a");
        w.ask(id, once(Cmd::Gate { seq: 1 }));
        let now_ms = w.sim.clock_ms();
        w.sim.run_until(now_ms + 20);
        assert_eq!(w.node.actor(id).unwrap().stashed, 1);
        w.ask(id, Cmd::Crash);
        w.tell(id, Cmd::Open).unwrap();
        w.sim.settle();
        assert_eq!(taken(&w), [1]);
        w.close();
    });
}

#[test]
fn a_timers_message_whose_turn_crashed_is_not_handled_by_the_next_life() {
    for_seeds(|mut w| {
        let spec = ChildSpec {
            attempts: 5,
            ..template()
        };
        let id = w.spawn_spec("a", spec);
        w.ask(id, once(Cmd::TakeAfterCrash { seq: 1 }));
        let now_ms = w.sim.clock_ms();
        w.sim.run_until(now_ms + 20);
        assert_eq!(taken(&w), []);
        assert_eq!(w.node.actor(id).unwrap().restarts, 1);
        assert_eq!(w.node.dead_letters().count(DeadReason::Crashed), 1);
        w.close();
    });
}
