//! Random lives, act by act: crashes, links, watches, names, groups, timers, children,
//! questions, sleep, swaps and delays. After each act everything that can be seen of
//! every actor is compared with a model. A failing seed is printed and replays.

mod world;

use actorhost_core::{
    ActorId, AskError, ChildSpec, MailboxSpec, SendError,
    dead_letters::DeadReason,
    observe::Event,
    spec::{Directive, RestartBudget},
};
use std::{collections::BTreeSet, task::Poll};
use world::{
    Cmd, World, bytes,
    lives::{End, Life, Lives, Timer},
    module,
    queueing::{Asking, asking, poll},
    seeds, short_backoff, template,
    ties::Tie,
    trace::Step,
};

#[test]
fn every_life_is_what_its_model_says() {
    seeds::each(one_world);
}

const CAPACITY: u32 = 4;
const NAMES: [&str; 2] = ["x", "y"];

fn spec(random: &mut fastrand::Rng) -> ChildSpec {
    use Directive::{Restart, Resume, Stop};
    let backoff = short_backoff(random);
    ChildSpec {
        mailbox: MailboxSpec {
            capacity: CAPACITY,
            ..MailboxSpec::default()
        },
        on_crash: [Restart, Restart, Restart, Resume, Resume, Stop][random.usize(..6)].into(),
        backoff: random.bool().then_some(backoff),
        keep_children: random.bool(),
        hibernate: random.u32(..4) > 0,
        own_budget: RestartBudget {
            intensity: random.u32(1..6),
            // Acts are 10 ms apart: none is at the very end of a period.
            period_ms: random.u64(5..40) * 10 + 5,
        },
        ..template()
    }
}

struct Acts {
    w: World,
    model: Lives,
    version: u32,
}

fn one_world(seed: u64) {
    let mut acts = Acts {
        w: World::with_live_max(seed, 2),
        model: Lives::default(),
        version: 1,
    };
    for n in 0..acts.w.sim.random().usize(2..6) {
        let spec = spec(acts.w.sim.random());
        let id = acts.w.spawn_spec(&format!("a{n}"), spec.clone());
        acts.model.all.push(Life::new(id, &spec));
    }
    acts.w.trace.take();
    for _ in 0..40 {
        let living = acts.model.living();
        if living.len() < 2 {
            break;
        }
        acts.act(&living);
        acts.compare();
    }
    acts.w.close();
}

impl Acts {
    fn now_ms(&self) -> u64 {
        self.w.sim.clock_ms()
    }

    fn id(&self, at: usize) -> ActorId {
        self.model.all[at].id
    }

    fn pass(&mut self, ms: u64) {
        let until_ms = self.now_ms() / 10 * 10 + ms;
        self.w.sim.run_until(until_ms);
        self.model.pass_to(until_ms);
    }

    /// A life has ended: time for those that wait for their next.
    fn ended(&mut self, at: usize, end: End) {
        self.model.end(at, end, self.now_ms());
        self.pass(70);
    }

    fn act(&mut self, living: &[usize]) {
        let random = self.w.sim.random();
        let mut order = living.to_vec();
        random.shuffle(&mut order);
        let (at, to) = (order[0], order[1]);
        match random.u32(..32) {
            0 | 1 => self.crash(at),
            2 => {
                assert_eq!(self.w.ask(self.id(at), Cmd::StopSelf), "bye");
                self.ended(at, End::Normal);
            }
            3 if random.u32(..3) == 0 => {
                self.w.kill(self.id(at));
                self.ended(at, End::Killed);
            }
            4..=16 => self.tie(at, to),
            17..=19 => self.set_timer(at),
            20 => self.cancel_timer(at),
            21 | 22 => self.crash_with_a_tick_in_the_queue(at),
            23 => self.ask_in_a_ring(&order),
            24 => self.ask_in_vain(at, to),
            25 | 26 => self.keep_a_question(at),
            27 => self.kill_with_a_question_in_the_queue(at),
            28 => self.crash_after_a_tell(at, to),
            29 => self.swap(),
            _ => {
                let ms = random.u64(1..20) * 10;
                self.pass(ms);
            }
        }
    }

    fn crash(&mut self, at: usize) {
        let reply = self.w.ask(self.id(at), Cmd::Crash);
        assert!(reply.starts_with("crashed"), "{reply}");
        self.ended(at, End::Crashed);
    }

    fn tie(&mut self, at: usize, to: usize) {
        let random = self.w.sim.random();
        let (crash, flag) = (random.u32(..4) == 0, random.bool());
        let name = NAMES[random.usize(..2)];
        let what = random.u32(..13);
        let peer = self.id(to).0;
        let tie = match what {
            0..=3 => Tie::Link(peer),
            4 => Tie::Unlink(peer),
            5 => Tie::Trap(flag),
            6 | 7 => Tie::Watch(peer),
            8 => Tie::Register(name.into()),
            9 => Tie::Unregister(name.into()),
            10 => Tie::Join("g".into()),
            11 => Tie::Leave("g".into()),
            _ => Tie::Spawn { link: false },
        };
        let cmd = Cmd::Ties {
            ties: vec![tie],
            crash,
        };
        let reply = self.w.ask(self.id(at), cmd);
        if crash {
            return self.ended(at, End::Crashed);
        }
        let others = &self.model.all;
        let taken = (0..others.len()).any(|n| n != at && others[n].names.contains(name));
        let life = &mut self.model.all[at];
        match what {
            0..=3 => {
                life.links.insert(to);
                self.model.all[to].links.insert(at);
            }
            4 => {
                life.links.remove(&to);
                self.model.all[to].links.remove(&at);
            }
            5 => life.traps = flag,
            6 | 7 => drop(life.watching.insert(to)),
            8 => {
                assert_eq!(reply, if taken { "taken" } else { "ok" });
                if !taken {
                    life.names.insert(name);
                }
            }
            9 => drop(life.names.remove(name)),
            10 => life.in_group = true,
            11 => life.in_group = false,
            _ => life.children += 1,
        }
    }

    fn set_timer(&mut self, at: usize) {
        let now_ms = self.now_ms();
        let random = self.w.sim.random();
        // Never at the moment of an act.
        let after_ms = random.u64(..15) * 10 + 3;
        let every_ms = random.bool().then(|| random.u64(1..5) * 10);
        let crash = random.u32(..4) == 0;
        let cmd = Cmd::SetTimer {
            key: Some("key".into()),
            cmd: Box::new(Cmd::Add(1)),
            after_ms,
            every_ms,
            crash,
        };
        self.w.ask(self.id(at), cmd);
        if crash {
            return self.ended(at, End::Crashed);
        }
        self.model.all[at].timer = Some(Timer::new(now_ms + after_ms, every_ms));
    }

    fn cancel_timer(&mut self, at: usize) {
        let crash = self.w.sim.random().u32(..4) == 0;
        let key = "key".into();
        let reply = self.w.ask(self.id(at), Cmd::CancelKey { key, crash });
        if crash {
            return self.ended(at, End::Crashed);
        }
        let was_set = self.model.all[at].timer.take().is_some();
        assert_eq!(reply, was_set.to_string());
    }

    /// What a timer has sent meanwhile is not for the next life.
    fn crash_with_a_tick_in_the_queue(&mut self, at: usize) {
        let sleep = Cmd::Sleep { ms: 30, times: 1 };
        self.w.tell_now(self.id(at), sleep);
        self.w.tell_now(self.id(at), Cmd::Crash);
        self.model.all[at].timer = None;
        self.pass(30);
        self.ended(at, End::Crashed);
    }

    fn ask_in_a_ring(&mut self, order: &[usize]) {
        let count = self.w.sim.random().usize(2..=order.len());
        let ring = &order[..count];
        let way = ring[1..].iter().chain(&ring[..1]);
        let question = way.rev().fold(Cmd::Count, |cmd, &to| Cmd::AskThat {
            to: self.id(to).0,
            cmd: Box::new(cmd),
            timeout_ms: 1_000,
        });
        assert_eq!(self.w.ask(self.id(ring[0]), question), "deadlock");
        self.w.sim.settle();
        // The last of them answers one that no longer waits, and so do all before it
        // but the first, which the world has asked.
        self.model.late += ring.len() as u64 - 1;
    }

    fn ask_in_vain(&mut self, at: usize, to: usize) {
        if self.model.all[to].timer.is_some() {
            return; // Its ticks would wait in its mailbox, and not all of them.
        }
        let question = Cmd::AskThat {
            to: self.id(to).0,
            cmd: Box::new(Cmd::Sleep { ms: 20, times: 1 }),
            timeout_ms: 5,
        };
        assert_eq!(self.w.ask(self.id(at), question), "timeout");
        self.w.sim.settle();
        assert_eq!(self.w.node.totals().asks_under_way, 0);
        self.pass(20);
        self.model.late += 1;
    }

    fn keep_a_question(&mut self, at: usize) {
        let id = self.id(at);
        let mut asked = asking(&self.w, id, &Cmd::Later { crash: false });
        self.w.sim.settle();
        assert_eq!(self.w.node.totals().questions_open, 1);
        match self.w.sim.random().u32(..4) {
            0 => {
                self.crash(at);
                let outcome = outcome(&mut asked);
                assert!(matches!(outcome, Err(AskError::Crashed(_))), "{outcome:?}");
            }
            1 => {
                self.w.kill(id);
                assert_eq!(outcome(&mut asked), Err(AskError::Stopped));
                self.ended(at, End::Killed);
            }
            _ => {
                let (text, crash) = ("later".into(), false);
                let reply = self.w.ask(id, Cmd::AnswerLater { text, crash });
                assert!(reply.ends_with("ok"), "{reply}");
                assert_eq!(outcome(&mut asked), Ok("later".into()));
            }
        }
    }

    fn kill_with_a_question_in_the_queue(&mut self, at: usize) {
        if self.w.sim.random().bool() {
            return;
        }
        let id = self.id(at);
        self.w.tell_now(id, Cmd::Sleep { ms: 10, times: 1 });
        self.w.sim.settle();
        let mut asked = asking(&self.w, id, &Cmd::Count);
        self.w.kill(id);
        assert_eq!(outcome(&mut asked), Err(AskError::Stopped));
        self.ended(at, End::Killed);
    }

    /// The place that a crashed turn had reserved is free again.
    fn crash_after_a_tell(&mut self, at: usize, to: usize) {
        let from = self.id(at);
        let send = Cmd::Send {
            to: self.id(to).0,
            seq: 1,
            crash_there: false,
            crash_here: true,
            yields: 0,
        };
        let reply = self.w.ask(from, send);
        assert!(reply.starts_with("crashed"), "{reply}");
        self.ended(at, End::Crashed);
        let life = &self.model.all[to];
        if !life.lives || life.timer.is_some() {
            return;
        }
        let to = life.id;
        self.w.tell_now(to, Cmd::Sleep { ms: 10, times: 1 });
        self.w.sim.settle();
        let tell = || {
            let (node, message) = (self.w.node.clone(), bytes(&Cmd::Add(0)));
            let mut tell = Box::pin(async move { node.tell(to, message).await });
            poll(&mut tell)
        };
        for _ in 0..CAPACITY {
            assert_eq!(tell(), Poll::Ready(Ok(())), "{to} has room");
        }
        assert_eq!(tell(), Poll::Ready(Err(SendError::Full)));
        self.pass(10);
    }

    /// To a version that takes the state, or first to one that does not.
    fn swap(&mut self) {
        let fails = self.w.sim.random().bool();
        for fails_load in [true, false] {
            if fails_load && !fails {
                continue;
            }
            self.version += 1;
            let mut new = module(self.version);
            new.fails_load = fails_load;
            let node = self.w.node.clone();
            let swapped = self.w.sim.block_on(node.swap("b", new, 60_000));
            swapped.expect("a new version is taken");
            self.compare();
        }
    }
}

fn outcome(asked: &mut Asking) -> Result<String, AskError> {
    match poll(asked) {
        Poll::Ready(outcome) => outcome.map(|it| String::from_utf8_lossy(&it).into_owned()),
        Poll::Pending => panic!("an ask that should be over still waits"),
    }
}

impl Acts {
    /// Everything that can be seen is as the model has it.
    fn compare(&mut self) {
        for (_, step) in self.w.trace.take() {
            if let Step::Told(Event::Restarted {
                subject, after_ms, ..
            }) = step
            {
                self.model.began(subject.id, after_ms);
            }
        }
        self.model.check_all_began();
        for at in 0..self.model.all.len() {
            let id = self.id(at);
            let view = self.w.node.actor(id);
            let life = &self.model.all[at];
            assert_eq!(view.is_some(), life.lives, "{id} lives");
            let Some(view) = view else { continue };
            assert_eq!(view.links, life.links.len() as u64, "links of {id}");
            assert_eq!(view.restarts, life.restarts, "restarts of {id}");
            let number = life.number.to_string();
            assert_eq!(self.w.ask(id, Cmd::Add(0)), number, "state of {id}");
            self.compare_exits(at);
        }
        self.compare_names();
        let totals = self.w.node.totals();
        let lives = || self.model.all.iter().filter(|life| life.lives);
        let children: u64 = lives().map(|life| life.children).sum();
        let timers = lives().filter(|life| life.timer.is_some()).count() as u64;
        assert_eq!(totals.actors, lives().count() as u64 + children, "actors");
        assert_eq!(totals.timers, timers, "timers");
        assert_eq!((totals.asks_under_way, totals.questions_open), (0, 0));
        let late = self.w.node.dead_letters().count(DeadReason::LateReply);
        assert_eq!(late, self.model.late, "late replies");
        let record = self.w.record.lock();
        let heard = record.downs.iter();
        let mut heard: Vec<_> = heard.map(|(watcher, who, _)| (*watcher, *who)).collect();
        // Each pair comes once: whoever has ended does not end again.
        heard.retain(|down| !self.model.downs_perhaps.contains(down));
        heard.sort_unstable();
        self.model.downs.sort_unstable();
        assert_eq!(heard, self.model.downs, "downs");
    }

    fn compare_exits(&mut self, at: usize) {
        let id = self.id(at);
        let notices = self.w.ask(id, Cmd::Downs);
        let exits = notices
            .split(',')
            .filter_map(|it| it.strip_prefix("exit "))
            .filter_map(|it| it.split(' ').next());
        let mut heard: Vec<u64> = exits.map(|id| id.parse().expect("an address")).collect();
        heard.sort_unstable();
        let expected = &mut self.model.all[at].exits;
        expected.sort_unstable();
        assert_eq!(&heard, expected, "exits that {id} heard of");
    }

    fn compare_names(&self) {
        let names: BTreeSet<_> = self.w.node.names().into_iter().collect();
        let lives = self.model.all.iter();
        let expected: BTreeSet<_> = lives
            .flat_map(|life| life.names.iter().map(|&name| (name.into(), life.id)))
            .collect();
        assert_eq!(names, expected, "names");
        let members: BTreeSet<_> = self.w.node.members("g").into_iter().collect();
        let lives = self.model.all.iter().filter(|life| life.in_group);
        let expected: BTreeSet<_> = lives.map(|life| life.id).collect();
        assert_eq!(members, expected, "members");
    }
}
