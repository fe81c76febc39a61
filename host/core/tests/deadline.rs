//! c35: a turn has two budgets. Computing is bounded by fuel, which the engine
//! counts; waiting in calls to the node by the deadline, which the machine counts.

mod world;

use actorhost_core::{ActorId, ChildSpec, CrashKind, dead_letters::DeadReason, observe::Event};
use world::{Cmd, World, bytes, for_seeds, template};

const DEADLINE_MS: u64 = 1_000;

fn hurried() -> ChildSpec {
    let mut spec = template();
    spec.limits.deadline_ms = Some(DEADLINE_MS);
    spec
}

fn sleep(ms: u64, times: u32) -> Cmd {
    Cmd::Sleep { ms, times }
}

fn deadline_crashes(world: &World) -> usize {
    let is_deadline = |event: &&Event| matches!(event, Event::Crashed { crash, .. } if crash.kind == CrashKind::Deadline);
    world.events.0.lock().iter().filter(is_deadline).count()
}

#[test]
fn c35_a_turn_that_waits_too_long_crashes_and_says_so() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        let begun = world.sim.clock_ms();
        let said = world.ask(actor, sleep(5_000, 1));
        assert!(
            said.contains("deadline: the turn waited 1001 ms in calls to the node")
                && said.contains("allows 1000 ms"),
            "{said}"
        );
        assert_eq!(world.sim.clock_ms(), begun + DEADLINE_MS + 1);
        assert_eq!(deadline_crashes(&world), 1);
        assert_eq!(world.node.dead_letters().count(DeadReason::Crashed), 1);
        // The next life answers, and its turns have a deadline of their own.
        assert_eq!(world.ask(actor, Cmd::Add(1)), "1");
        assert_eq!(world.ask(actor, sleep(900, 1)), "slept");
        world.close();
    });
}

#[test]
fn c35_waits_of_one_turn_add_up_and_each_turn_begins_anew() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        for _ in 0..5 {
            assert_eq!(world.ask(actor, sleep(500, 2)), "slept");
        }
        assert_eq!(deadline_crashes(&world), 0);
        assert!(world.ask(actor, sleep(500, 3)).contains("deadline"));
        assert_eq!(deadline_crashes(&world), 1);
        world.close();
    });
}

#[test]
fn c35_computing_and_giving_way_never_count() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        let node = world.node.clone();
        let mut asked = std::pin::pin!(node.ask(actor, bytes(&Cmd::Yield(1_000)), 60_000));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(asked.as_mut().poll(&mut cx).is_pending());
        // Time passes while it computes.
        for _ in 0..500 {
            world.sim.step();
            let now = world.sim.clock_ms();
            world.sim.clock.advance_to(now + 10);
        }
        assert!(world.sim.block_on(asked).is_ok());
        assert_eq!(deadline_crashes(&world), 0);
        world.close();
    });
}

#[test]
fn c35_the_way_back_to_a_thread_never_counts() {
    for_seeds(|mut world| {
        let spec = ChildSpec {
            dispatcher: "blocking".into(),
            ..hurried()
        };
        let actor = world.spawn_spec("a", spec);
        world.tell(actor, sleep(900, 1)).unwrap();
        world.tell(actor, Cmd::Add(1)).unwrap();
        world.sim.settle();
        // It is woken after 900 ms, and there is no free thread for an hour.
        world.sim.blocking.hold(true);
        world.sim.run_until(3_600_000);
        world.sim.blocking.hold(false);
        assert_eq!(world.ask(actor, Cmd::Add(1)), "2");
        assert_eq!(deadline_crashes(&world), 0);
        world.close();
    });
}

#[test]
fn c35_messages_that_come_meanwhile_neither_end_nor_renew_the_wait() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        world.tell_now(actor, sleep(5_000, 1));
        for step in 1..10 {
            world.sim.run_until(step * 100);
            world.tell_now(actor, Cmd::Add(1));
        }
        world.sim.run_until(DEADLINE_MS);
        assert_eq!(deadline_crashes(&world), 0);
        world.sim.run_until(DEADLINE_MS + 1);
        assert_eq!(deadline_crashes(&world), 1);
        assert_eq!(world.ask(actor, Cmd::Add(0)), "9");
        world.close();
    });
}

#[test]
fn c35_an_ask_ends_with_its_own_timeout_when_that_is_the_deadline() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        let silent = world.spawn("silent");
        world.tell_now(silent, sleep(100_000, 1));
        let ask = |timeout_ms| Cmd::Ask {
            to: silent.0,
            timeout_ms,
        };
        assert_eq!(world.ask(actor, ask(DEADLINE_MS)), "timeout");
        assert!(world.ask(actor, ask(DEADLINE_MS + 1)).contains("deadline"));
        assert_eq!(deadline_crashes(&world), 1);
        let no_limit = template();
        assert_eq!(no_limit.limits.deadline_ms, Some(60_000));
        world.close();
    });
}

#[test]
fn c35_without_a_deadline_a_turn_may_wait_for_ever() {
    for_seeds(|mut world| {
        let mut spec = template();
        spec.limits.deadline_ms = None;
        let actor: ActorId = world.spawn_spec("a", spec);
        world.tell_now(actor, sleep(10_000_000, 1));
        world.sim.run_until(9_999_999);
        assert_eq!(world.node.actor(actor).unwrap().status, "waiting");
        world.sim.run_until(10_000_000);
        assert_eq!(world.ask(actor, Cmd::Count), "1");
        world.close();
    });
}

#[test]
fn c35_a_kill_ends_a_wait_and_leaves_no_deadline() {
    for_seeds(|mut world| {
        let actor = world.spawn_spec("a", hurried());
        world.tell_now(actor, sleep(5_000, 1));
        world.sim.settle();
        assert_eq!(world.sim.timers.len(), 2, "the sleep and the deadline");
        world.kill(actor);
        assert!(world.sim.timers.is_empty());
        assert_eq!(deadline_crashes(&world), 0);
        world.close();
    });
}
