//! The store of dead letters, and letters that are sent again.

mod world;

use actorhost_core::{
    ActorId, MailboxSpec, SendError, StopMode,
    dead_letters::{DeadLetter, DeadLetters, DeadReason, SelectedTarget, Selection},
    node::{FoundBy, RedriveError, Redriven},
};
use bytes::Bytes;
use proptest::prelude::*;
use world::{Cmd, World, bytes, template};

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..20 {
        test(World::new(seed));
    }
}

fn letter(reason: DeadReason, to: &str, at_ms: u64, size: usize) -> DeadLetter {
    DeadLetter {
        id: 0,
        at_ms,
        reason,
        detail: "why".into(),
        to: ActorId(at_ms),
        to_path: to.into(),
        sender: None,
        behaviour: "b".into(),
        version: 1,
        crashes: 0,
        message: Bytes::from(vec![0; size]),
    }
}

fn ids(store: &DeadLetters) -> Vec<u64> {
    let mut ids = store.ids(&Selection::default());
    ids.reverse();
    ids
}

#[test]
fn the_oldest_leave_and_stay_counted() {
    let store = DeadLetters::new(2, u64::MAX);
    for at_ms in 0..3 {
        store.add(letter(DeadReason::Stopped, "/a", at_ms, 1));
    }
    let counts = store.counts();
    assert_eq!((counts.total, counts.kept, counts.dropped), (3, 2, 1));
    assert_eq!(store.count(DeadReason::Stopped), 3);
    assert_eq!(store.dropped_of(DeadReason::Stopped), 1);
    assert_eq!(ids(&store), [3, 2]);
}

#[test]
fn a_flood_of_large_letters_is_bounded_in_bytes() {
    let store = DeadLetters::new(10_000, 64 << 20);
    for at_ms in 0..200 {
        store.add(letter(DeadReason::Crashed, "/a", at_ms, 1 << 20));
    }
    let counts = store.counts();
    assert_eq!(
        counts.kept, 63,
        "the overhead of each takes the place of one"
    );
    assert!(counts.kept_bytes <= 64 << 20);
    assert_eq!(counts.dropped, 137);
    // One that is larger than the store is counted, and leaves nothing behind.
    store.add(letter(DeadReason::Full, "/a", 0, 65 << 20));
    let counts = store.counts();
    assert_eq!((counts.kept, counts.kept_bytes), (0, 0));
    assert_eq!(store.dropped_of(DeadReason::Full), 1);
}

#[test]
fn a_selection_is_by_reason_target_and_time() {
    let store = DeadLetters::new(100, u64::MAX);
    store.add(letter(DeadReason::Stopped, "/fleet/a", 10, 1));
    store.add(letter(DeadReason::Crashed, "/fleet/b", 20, 1));
    store.add(letter(DeadReason::Crashed, "/fleets", 30, 1));
    let select = |reason, to: Option<&str>, since_ms| {
        let to = to.map(SelectedTarget::parse);
        let selection = Selection {
            reason,
            to,
            since_ms,
        };
        store.ids(&selection)
    };
    assert_eq!(select(None, None, None), [1, 2, 3]);
    assert_eq!(select(Some(DeadReason::Crashed), None, None), [2, 3]);
    assert_eq!(select(None, Some("/fleet/*"), None), [1, 2]);
    assert_eq!(select(None, Some("/fleet"), None), []);
    assert_eq!(select(None, Some("/fleets"), None), [3]);
    assert_eq!(select(None, Some("20"), None), [2]);
    assert_eq!(select(None, Some("#20"), None), [2]);
    assert_eq!(select(Some(DeadReason::Crashed), None, Some(21)), [3]);
    let selection = Selection {
        reason: Some(DeadReason::Crashed),
        ..Selection::default()
    };
    let (newest, count) = store.select(&selection, 1);
    assert_eq!((newest[0].id, count), (3, 2));
    assert_eq!(store.purge(&selection), 2);
    assert_eq!(ids(&store), [1]);
    assert_eq!(store.counts().removed, 2);
}

#[derive(Debug, Clone)]
enum Act {
    Add { reason: usize, size: usize },
    TakeAndReturn { nth: usize },
    Take { nth: usize },
    Purge { reason: usize },
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let reason = 0..DeadReason::ALL.len();
    let act = prop_oneof![
        8 => (reason.clone(), 0..2_000_usize).prop_map(|(reason, size)| Act::Add { reason, size }),
        1 => (0..40_usize).prop_map(|nth| Act::TakeAndReturn { nth }),
        1 => (0..40_usize).prop_map(|nth| Act::Take { nth }),
        1 => reason.prop_map(|reason| Act::Purge { reason }),
    ];
    proptest::collection::vec(act, 0..120)
}

proptest! {
    #[test]
    fn the_store_is_within_its_bounds_and_every_letter_is_accounted_for(
        acts in acts(), kept_max in 0..30_usize, bytes_max in 0..20_000_u64,
    ) {
        let store = DeadLetters::new(kept_max, bytes_max);
        for act in acts {
            let kept = ids(&store);
            match act {
                Act::Add { reason, size } => {
                    store.add(letter(DeadReason::ALL[reason], "/a", 0, size));
                }
                Act::TakeAndReturn { nth } => {
                    if let Some(letter) = kept.get(nth).and_then(|&id| store.take(id)) {
                        prop_assert!(store.take(letter.id).is_none(), "taken once");
                        store.put_back(letter);
                        prop_assert_eq!(&ids(&store), &kept);
                    }
                }
                Act::Take { nth } => {
                    if let Some(&id) = kept.get(nth) {
                        prop_assert!(store.take(id).is_some());
                        prop_assert!(store.get(id).is_none());
                    }
                }
                Act::Purge { reason } => {
                    let reason = Some(DeadReason::ALL[reason]);
                    let selection = Selection { reason, ..Selection::default() };
                    let meant = store.ids(&selection).len() as u64;
                    prop_assert_eq!(store.purge(&selection), meant);
                    prop_assert!(store.ids(&selection).is_empty());
                }
            }
            let counts = store.counts();
            prop_assert!(counts.kept <= kept_max as u64 && counts.kept_bytes <= bytes_max);
            prop_assert_eq!(counts.total, counts.kept + counts.dropped + counts.removed);
            let letters = store.newest(usize::MAX);
            let bytes: u64 = letters.iter().map(|letter| letter.cost_bytes()).sum();
            prop_assert_eq!(counts.kept_bytes, bytes);
            prop_assert!(letters.windows(2).all(|pair| pair[0].id > pair[1].id));
            let dropped: u64 = DeadReason::ALL.map(|reason| store.dropped_of(reason)).iter().sum();
            prop_assert_eq!(counts.dropped, dropped);
        }
    }
}

fn redrive(
    w: &mut World,
    id: u64,
    to: Option<ActorId>,
    force: bool,
) -> Result<Redriven, RedriveError> {
    let node = w.node.clone();
    w.sim.block_on(node.redrive(id, to, force, 0))
}

fn newest(w: &World) -> std::sync::Arc<DeadLetter> {
    w.node.dead_letters().newest(1).remove(0)
}

#[test]
fn a_letter_is_sent_again_to_the_heir_of_its_path_and_keeps_its_sender() {
    for_seeds(|mut w| {
        let old = w.spawn("a");
        let sender = w.spawn("sender");
        let node = w.node.clone();
        w.sim.block_on(node.stop(old, StopMode::Now, None));
        let send = Cmd::Send {
            to: old.0,
            seq: 7,
            crash_there: false,
            crash_here: false,
            yields: 0,
        };
        w.tell(sender, send).unwrap();
        w.sim.settle();
        let id = newest(&w).id;
        assert_eq!(
            redrive(&mut w, id, None, false),
            Err(RedriveError::Nobody("/a".into()))
        );
        assert_eq!(node.dead_letters().total(), 1, "no second letter of it");
        let heir = w.spawn("a");
        let sent = redrive(&mut w, id, None, false).unwrap();
        assert_eq!((sent.to, sent.found_by), (heir, FoundBy::Path));
        w.sim.settle();
        assert_eq!(w.record.lock().taken, [(sender.0, heir.0, 7)]);
        assert_eq!(redrive(&mut w, id, None, false), Err(RedriveError::NotKept));
        assert_eq!(node.dead_letters().counts().kept, 0);
        w.close();
    });
}

#[test]
fn a_full_mailbox_refuses_a_letter_which_stays() {
    let mut w = World::new(3);
    let crashing = w.spawn("crashing");
    w.tell(crashing, Cmd::Crash).unwrap();
    w.sim.settle();
    let id = newest(&w).id;
    let mut spec = template();
    spec.mailbox = MailboxSpec {
        capacity: 1,
        ..MailboxSpec::default()
    };
    let small = w.spawn_spec("small", spec);
    w.tell_now(small, Cmd::Yield(1));
    let node = w.node.clone();
    let sent = {
        use std::{future::Future, pin::pin, task};
        let mut sending = pin!(node.redrive(id, Some(small), false, 0));
        sending
            .as_mut()
            .poll(&mut task::Context::from_waker(task::Waker::noop()))
    };
    let refused = RedriveError::Refused {
        to_path: "/small".into(),
        error: SendError::Full,
    };
    assert_eq!(sent, std::task::Poll::Ready(Err(refused)));
    assert_eq!(newest(&w).id, id);
    w.sim.settle();
    let sent = redrive(&mut w, id, Some(small), false).unwrap();
    assert_eq!((sent.to, sent.found_by), (small, FoundBy::Name));
    w.close();
}

#[test]
fn a_late_reply_cannot_be_sent_again() {
    let mut w = World::new(4);
    let a = w.spawn("a");
    let node = w.node.clone();
    {
        use std::{future::Future, pin::pin, task};
        let mut ask = pin!(node.ask(a, bytes(&Cmd::Count), 10));
        let mut cx = task::Context::from_waker(task::Waker::noop());
        assert!(ask.as_mut().poll(&mut cx).is_pending());
    }
    w.sim.settle();
    let id = newest(&w).id;
    for force in [false, true] {
        assert_eq!(
            redrive(&mut w, id, Some(a), force),
            Err(RedriveError::LateReply)
        );
    }
    assert_eq!(newest(&w).id, id);
    w.close();
}

#[test]
fn c18f_a_letter_sent_again_and_again_ends_as_poison_and_the_actor_goes_on() {
    for_seeds(|mut w| {
        let a = w.spawn("a");
        w.tell(a, Cmd::Crash).unwrap();
        w.sim.settle();
        for crashes in 1..=2 {
            let letter = newest(&w);
            assert_eq!(
                (letter.reason, letter.crashes),
                (DeadReason::Crashed, crashes)
            );
            let sent = redrive(&mut w, letter.id, None, false).unwrap();
            assert_eq!((sent.to, sent.found_by), (a, FoundBy::Address));
            w.sim.settle();
        }
        let letter = newest(&w);
        assert_eq!((letter.reason, letter.crashes), (DeadReason::Poison, 3));
        assert_eq!(
            redrive(&mut w, letter.id, None, false),
            Err(RedriveError::Poison { crashes: 3 })
        );
        assert_eq!(w.ask(a, Cmd::Add(1)), "1", "the actor goes on");
        redrive(&mut w, letter.id, None, true).unwrap();
        w.sim.settle();
        let letter = newest(&w);
        assert_eq!((letter.reason, letter.crashes), (DeadReason::Poison, 4));
        assert_eq!(w.node.dead_letters().counts().kept, 1);
        w.close();
    });
}
