//! Children by id while their supervisor runs.

mod world;

use std::future::Future as _;

use actorhost_core::{
    ActorId, ChildSpec, RestartType,
    spec::{Backoff, RestartBudget},
    supervisor::{ChildCounts, ChildEntry, ChildError, SupervisorSpec},
};
use world::{Cmd, Manage, World, template};

const WAIT_MS: u64 = 10_000;

fn for_seeds(test: impl Fn(World)) {
    for seed in 0..20 {
        let mut w = World::new(seed);
        let node = w.node.clone();
        let spec = SupervisorSpec {
            budget: RestartBudget {
                intensity: 10,
                period_ms: 1_000,
            },
            children: vec![ChildEntry::actor("a", template())],
            ..SupervisorSpec::new("s")
        };
        w.sim.block_on(node.start_supervisor(spec)).unwrap();
        test(w);
    }
}

fn start(w: &mut World, entry: ChildEntry) -> Result<Option<ActorId>, ChildError> {
    let node = w.node.clone();
    w.sim.block_on(node.start_child("/s", entry, WAIT_MS))
}

fn act(w: &mut World, what: Manage) -> Result<Option<ActorId>, ChildError> {
    let node = w.node.clone();
    match what {
        Manage::Start(id) => start(w, ChildEntry::actor(&id, template())),
        Manage::Terminate(id) => w
            .sim
            .block_on(node.terminate_child("/s", &id, WAIT_MS))
            .map(|()| None),
        Manage::Restart(id) => w.sim.block_on(node.restart_child("/s", &id, WAIT_MS)),
        Manage::Delete(id) => w
            .sim
            .block_on(node.delete_child("/s", &id, WAIT_MS))
            .map(|()| None),
        Manage::Count => node.count_children("/s").map(|_| None),
    }
}

fn specs(w: &World) -> Vec<(String, &'static str)> {
    let children = w.node.which_children("/s").unwrap();
    children
        .into_iter()
        .map(|child| (child.id, child.state))
        .collect()
}

#[test]
fn c15_children_are_managed_by_id() {
    for_seeds(|mut w| {
        use Manage::{Delete, Restart, Start, Terminate};
        let b = act(&mut w, Start("b".into())).unwrap().unwrap();
        assert_eq!(w.node.resolve("/s/b"), Some(b));
        let counts = ChildCounts {
            specs: 2,
            active: 2,
            supervisors: 0,
            workers: 2,
        };
        assert_eq!(w.node.count_children("/s"), Ok(counts));
        // Running, duplicate, unknown.
        assert_eq!(
            act(&mut w, Start("b".into())),
            Err(ChildError::AlreadyPresent)
        );
        assert_eq!(act(&mut w, Restart("b".into())), Err(ChildError::Running));
        assert_eq!(act(&mut w, Delete("b".into())), Err(ChildError::Running));
        for unknown in [
            Terminate("x".into()),
            Restart("x".into()),
            Delete("x".into()),
        ] {
            assert_eq!(act(&mut w, unknown), Err(ChildError::NotFound));
        }
        act(&mut w, Terminate("b".into())).unwrap();
        act(&mut w, Terminate("b".into())).expect("twice is once");
        assert!(w.node.actor(b).is_none());
        assert_eq!(
            specs(&w),
            [("a".into(), "running"), ("b".into(), "stopped")]
        );
        assert_eq!(
            act(&mut w, Start("b".into())),
            Err(ChildError::AlreadyPresent)
        );
        let again = act(&mut w, Restart("b".into())).unwrap().unwrap();
        assert_ne!(again, b, "another actor");
        act(&mut w, Terminate("b".into())).unwrap();
        act(&mut w, Delete("b".into())).unwrap();
        assert_eq!(specs(&w), [("a".into(), "running")]);
        act(&mut w, Start("b".into())).expect("the id is free again");
        w.close();
    });
}

#[test]
fn c15_refused_specs_and_failed_starts_leave_nothing() {
    for_seeds(|mut w| {
        let fails = ChildSpec {
            args: "fail".into(),
            ..template()
        };
        let failed = start(&mut w, ChildEntry::actor("b", fails)).unwrap_err();
        assert!(
            matches!(&failed, ChildError::StartFailed(why) if why.contains("/s/b")
                && why.contains("told to")),
            "{failed}"
        );
        for bad in [
            ChildEntry::actor("b", ChildSpec::new("unknown")),
            ChildEntry::actor("b/c", template()),
            ChildEntry {
                significant: true,
                ..ChildEntry::actor("b", template())
            },
        ] {
            let refused = start(&mut w, bad).unwrap_err();
            assert!(matches!(refused, ChildError::BadSpec(_)), "{refused}");
        }
        assert_eq!(specs(&w), [("a".into(), "running")]);
        let node = w.node.clone();
        let nowhere = node.start_child("/x", ChildEntry::actor("b", template()), WAIT_MS);
        let refused = w.sim.block_on(nowhere).unwrap_err();
        assert_eq!(refused, ChildError::NoSuchSupervisor);
        // A failed start of a nested supervisor leaves nothing either.
        let fails = ChildSpec {
            args: "fail".into(),
            ..template()
        };
        let nested = SupervisorSpec {
            children: vec![
                ChildEntry::actor("x", template()),
                ChildEntry::actor("y", fails),
            ],
            ..SupervisorSpec::new("nested")
        };
        let failed = start(&mut w, ChildEntry::supervisor(nested)).unwrap_err();
        assert!(matches!(failed, ChildError::StartFailed(_)), "{failed}");
        assert_eq!(node.totals().actors, 1);
        start(
            &mut w,
            ChildEntry::supervisor(SupervisorSpec::new("nested")),
        )
        .unwrap();
        w.close();
    });
}

/// c04: a temporary child's spec goes with it; those of the others stay.
#[test]
fn c04_specs_of_temporary_children_are_forgotten() {
    for_seeds(|mut w| {
        for (id, restart) in [
            ("t", RestartType::Temporary),
            ("u", RestartType::Temporary),
            ("n", RestartType::Transient),
        ] {
            let spec = ChildSpec {
                restart,
                ..template()
            };
            start(&mut w, ChildEntry::actor(id, spec)).unwrap();
        }
        let path = |w: &World, path: &str| w.node.resolve(path).unwrap();
        let t = path(&w, "/s/t");
        assert!(w.ask(t, Cmd::Crash).starts_with("crashed"));
        let n = path(&w, "/s/n");
        w.ask(n, Cmd::StopSelf);
        act(&mut w, Manage::Terminate("u".into())).unwrap();
        w.sim.settle();
        assert_eq!(
            specs(&w),
            [("a".into(), "running"), ("n".into(), "stopped")]
        );
        // A permanent one comes back whatever ended it.
        let a = path(&w, "/s/a");
        w.ask(a, Cmd::StopSelf);
        w.sim.settle();
        w.kill_by_signal(a);
        w.sim.settle();
        assert_eq!(w.node.resolve("/s/a"), Some(a));
        assert_eq!(w.node.actor(a).unwrap().restarts, 2);
        w.close();
    });
}

#[test]
fn c15_a_child_on_its_way_to_a_restart() {
    for_seeds(|mut w| {
        let backoff = Backoff {
            first_ms: 1_000,
            factor: 1.0,
            cap_ms: 1_000,
            jitter: 0.0,
            reset_ms: 1,
        };
        let spec = ChildSpec {
            backoff: Some(backoff),
            ..template()
        };
        let b = start(&mut w, ChildEntry::actor("b", spec))
            .unwrap()
            .unwrap();
        w.tell_now(b, Cmd::Crash);
        w.sim.settle();
        for what in [Manage::Restart("b".into()), Manage::Delete("b".into())] {
            assert_eq!(act(&mut w, what), Err(ChildError::Restarting));
        }
        let now_ms = w.sim.clock_ms();
        act(&mut w, Manage::Terminate("b".into())).unwrap();
        assert_eq!(w.sim.clock_ms(), now_ms, "the wait ends at once");
        act(&mut w, Manage::Delete("b".into())).unwrap();
        w.close();
    });
}

fn chief(w: &mut World, grants: &[&str]) -> ActorId {
    let spec = ChildSpec {
        may_supervise: grants.iter().map(|grant| (*grant).into()).collect(),
        ..template()
    };
    w.spawn_spec("chief", spec)
}

fn manage(w: &mut World, who: ActorId, supervisor: &str, what: Manage) -> String {
    let cmd = Cmd::Manage {
        supervisor: supervisor.into(),
        what,
        timeout_ms: 1_000,
    };
    w.ask(who, cmd)
}

#[test]
fn c15_an_actor_manages_the_children_that_its_spec_grants() {
    for_seeds(|mut w| {
        use Manage::{Count, Delete, Restart, Start, Terminate};
        let chief = chief(&mut w, &["/s", "/t/*"]);
        let mut act = |what| manage(&mut w, chief, "/s", what);
        let id: u64 = act(Start("b".into())).parse().expect("an address");
        assert_eq!(act(Count), "2/2");
        assert_eq!(act(Start("b".into())), "already-present");
        assert_eq!(act(Restart("b".into())), "running");
        assert_eq!(act(Terminate("b".into())), "ok");
        assert_eq!(act(Count), "1/2");
        let again: u64 = act(Restart("b".into())).parse().expect("an address");
        assert_ne!(id, again);
        assert_eq!(act(Terminate("b".into())), "ok");
        assert_eq!(act(Delete("b".into())), "ok");
        assert_eq!(act(Delete("b".into())), "not-found");
        assert_eq!(manage(&mut w, chief, "/t", Count), "denied");
        assert_eq!(manage(&mut w, chief, "/", Count), "denied");
        assert_eq!(manage(&mut w, chief, "/t/x", Count), "no-such-supervisor");
        w.close();
    });
}

/// It waits for the supervisor, which waits for it: time ends that.
#[test]
fn c15_an_actor_that_has_itself_terminated_does_not_hang() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let spec = ChildSpec {
            may_supervise: ["/s".into()].into(),
            shutdown_ms: 5_000,
            ..template()
        };
        let id = start(&mut w, ChildEntry::actor("me", spec))
            .unwrap()
            .unwrap();
        let answer = manage(&mut w, id, "/s", Manage::Terminate("me".into()));
        assert_eq!(answer, "timeout");
        w.sim.settle();
        assert!(node.actor(id).is_none(), "it stopped after its turn");
        // One that waits longer than it may is killed.
        let again = act(&mut w, Manage::Restart("me".into())).unwrap().unwrap();
        let cmd = Cmd::Manage {
            supervisor: "/s".into(),
            what: Manage::Terminate("me".into()),
            timeout_ms: 50_000,
        };
        let begun_ms = w.sim.clock_ms();
        w.ask(again, cmd);
        assert_eq!(w.sim.clock_ms() - begun_ms, 5_000);
        assert!(node.actor(again).is_none());
        w.close();
    });
}

#[test]
fn c15_a_supervisor_that_stops_says_so() {
    for_seeds(|mut w| {
        let node = w.node.clone();
        let child = ChildEntry::supervisor(SupervisorSpec {
            children: vec![ChildEntry::actor("slow", template())],
            ..SupervisorSpec::new("deep")
        });
        start(&mut w, child).unwrap();
        let slow = node.resolve("/s/deep/slow").unwrap();
        w.tell_now(
            slow,
            Cmd::Sleep {
                ms: 3_000,
                times: 1,
            },
        );
        let chief = chief(&mut w, &["/s/*"]);
        let mut stop = Box::pin(node.terminate_child("/s", "deep", WAIT_MS));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(stop.as_mut().poll(&mut cx).is_pending());
        w.sim.settle();
        let answer = manage(&mut w, chief, "/s/deep", Manage::Start("x".into()));
        assert_eq!(answer, "timeout", "it is busy stopping");
        w.sim.block_on(stop).unwrap();
        let answer = manage(&mut w, chief, "/s/deep", Manage::Start("x".into()));
        assert_eq!(answer, "no-such-supervisor");
        w.sim.block_on(node.shutdown(60_000));
        let late = ChildEntry::actor("y", template());
        let refused = w.sim.block_on(node.start_child("/", late, WAIT_MS));
        assert_eq!(refused, Err(ChildError::ShuttingDown));
        w.close();
    });
}
