//! The same machine on real threads and by the real clock.

use super::{Cmd, Native, Record, bytes, module, template, trace::Trace};
use actorhost_core::{
    ActorId, ChildSpec, Clock, Node, NodeConfig,
    dispatcher::{BLOCKING, Dispatchers, Workers, WorkersConfig},
    node::Place,
    observe::Silent,
    spec::RestartBudget,
    timers::Timers,
};
use parking_lot::Mutex;
use std::{
    future::Future,
    sync::{Arc, atomic::AtomicU64},
    task::{Context, Poll, Wake, Waker},
    time::Instant,
};

struct RealClock(Instant);

impl Clock for RealClock {
    fn now_ms(&self) -> u64 {
        self.0.elapsed().as_millis() as u64
    }

    fn wall_ms(&self) -> u64 {
        self.now_ms()
    }
}

struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// A node with threads of its own.
pub struct Real {
    pub node: Node<Native>,
    pub record: Arc<Mutex<Record>>,
    timers: Arc<Timers>,
    workers: [Arc<Workers>; 2],
}

/// A node with so many threads, and two for what blocks.
pub fn real(threads: usize) -> Real {
    let clock = Arc::new(RealClock(Instant::now()));
    let timers = Timers::new(clock.clone());
    let driver = timers.clone();
    std::thread::spawn(move || driver.drive());
    let start = |name: &str, threads| {
        let config = WorkersConfig {
            threads,
            name: name.into(),
            on_start: Arc::new(|| Box::new(())),
        };
        Workers::start(config).unwrap()
    };
    let workers = [start("w", threads), start("b", 2)];
    let [main, blocking] = workers.clone();
    let blocking = (Arc::from(BLOCKING), blocking as _);
    let record = Arc::new(Mutex::new(Record::default()));
    let node = Node::new(NodeConfig {
        engine: Native {
            record: record.clone(),
            instances: Arc::default(),
            generation: AtomicU64::new(0),
            timers: timers.clone(),
            trace: Trace::new(clock.clone()),
        },
        clock,
        timers: timers.clone(),
        dispatchers: Dispatchers::several(main, [blocking]),
        observer: Arc::new(Silent),
        dead_letters_max: 10_000_000,
        dead_letter_bytes_max: u64::MAX,
        mailbox_bytes_max: u64::MAX,
        live_max: 1_000,
        live_hard_max: 1_100,
        root_budget: RestartBudget::default(),
    });
    node.deploy("b", module(1), template());
    Real {
        node,
        record,
        timers,
        workers,
    }
}

impl Real {
    pub fn spawn(&self, name: &str, spec: ChildSpec) -> ActorId {
        let place = Place::Root { behaviour: "b" };
        block_on(self.node.spawn(place, Some(name), None, Some(spec)))
            .unwrap()
            .id
    }

    pub fn close(self) {
        block_on(self.node.shutdown(10_000));
        assert_eq!(self.node.totals().actors, 0);
        assert_eq!(self.node.totals().live, 0);
        self.timers.close();
        self.workers.iter().for_each(|workers| workers.close());
    }
}

impl Real {
    /// Waits until so many hogs hold a thread each.
    pub fn until_hogs(&self, count: usize) {
        while self
            .record
            .lock()
            .log
            .iter()
            .filter(|line| *line == "hog")
            .count()
            < count
        {
            std::thread::yield_now();
        }
    }
}
