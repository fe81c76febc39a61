//! Threads over work-stealing queues.
//!
//! Each worker has a queue of its own; what a worker makes ready goes there, what
//! outsiders make ready goes to a shared one. A worker looks at its own queue, then
//! at the shared one, then steals. What used up its slice waits in a shared second
//! queue, looked at when nothing fresh is ready, and every `SPENT_TICK`th time
//! all the same, so that neither kind starves.
//!
//! What a worker made ready last it runs next, while its data are in the cache (the
//! `next` place, tokio's LIFO slot): two actors that talk to each other stay on one
//! worker and wake nobody. After `NEXT_MAX` of these in a row the place is passed
//! over, so that a pair cannot keep others waiting.
//!
//! Parking: a worker that finds nothing counts itself as a sleeper, looks once
//! more, then sleeps. A push wakes one sleeper unless a woken one is still searching.
//! Because a sleeper counts itself before its last look, and the pusher looks at the
//! count after its push, one of the two sees the other; and because a searcher looks
//! once more after it stopped counting as one, a push that relied on it is seen.
//!
//! Counting costs no clock read per run: a worker reads the clock when it goes to
//! sleep and when it wakes up.

use super::{Dispatcher, Lane, Load, Runnable, counters::Counters};
use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use parking_lot::{Condvar, Mutex};
use std::{
    cell::RefCell,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering, fence},
    },
    thread::JoinHandle,
    time::Instant,
};

type Item = Arc<dyn Runnable>;

/// Of so many runs one looks at the spent queue first. A prime by feel, as tokio's
/// and Go's 61.
const SPENT_TICK: u32 = 61;

/// A worker's own queue is overtaken by the shared one each so many runs.
const SHARED_TICK: u32 = 31;

/// Items run from the `next` place in a row. By feel.
const NEXT_MAX: u32 = 24;

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// A worker's own part.
struct Own {
    shared: Weak<Shared>,
    queue: Worker<Item>,
    next: Option<Item>,
    /// How many in a row came from `next`.
    streak: u32,
}

struct Shared {
    fresh: Injector<Item>,
    spent: Injector<Item>,
    stealers: Vec<Stealer<Item>>,
    /// One a worker.
    counters: Box<[Counters]>,
    started: Instant,
    sleepers: AtomicUsize,
    searching: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
    closing: AtomicBool,
}

/// A dispatcher with threads of its own.
pub struct Workers {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// How the workers are set up.
pub struct WorkersConfig {
    /// Threads, at least 1.
    pub threads: usize,
    /// Name of the threads.
    pub name: String,
    /// Called on each thread; what it returns lives as long as the thread does.
    pub on_start: Arc<dyn Fn() -> Box<dyn std::any::Any> + Send + Sync>,
}

impl Workers {
    /// Starts the threads.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(config: WorkersConfig) -> std::io::Result<Arc<Self>> {
        let queues: Vec<Worker<Item>> = (0..config.threads.max(1))
            .map(|_| Worker::new_fifo())
            .collect();
        let shared = Arc::new(Shared {
            fresh: Injector::new(),
            spent: Injector::new(),
            stealers: queues.iter().map(Worker::stealer).collect(),
            counters: queues.iter().map(|_| Counters::default()).collect(),
            started: Instant::now(),
            sleepers: AtomicUsize::new(0),
            searching: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            closing: AtomicBool::new(false),
        });
        let mut threads = Vec::new();
        for (index, queue) in queues.into_iter().enumerate() {
            let shared = shared.clone();
            let on_start = config.on_start.clone();
            let thread = std::thread::Builder::new()
                .name(format!("{}-{index}", config.name))
                .stack_size(4 << 20)
                .spawn(move || {
                    let _guard = on_start();
                    let shared_ref = Arc::downgrade(&shared);
                    OWN.set(Some(Own {
                        shared: shared_ref,
                        queue,
                        next: None,
                        streak: 0,
                    }));
                    work(&shared, index);
                    OWN.set(None);
                })?;
            threads.push(thread);
        }
        Ok(Arc::new(Self {
            shared,
            threads: Mutex::new(threads),
        }))
    }

    /// Stops the threads, each after what it runs now. What is still queued is
    /// dropped with the workers.
    pub fn close(&self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        {
            let _held = self.shared.sleep.lock();
            self.shared.wake.notify_all();
        }
        let own = std::thread::current().id();
        for thread in std::mem::take(&mut *self.threads.lock()) {
            if thread.thread().id() != own {
                // A worker that panicked has already said so on standard error.
                let _ = thread.join();
            }
        }
    }
}

impl Dispatcher for Workers {
    fn push(&self, item: Item, lane: Lane) {
        self.shared.push(item, lane);
    }

    fn load(&self) -> Load {
        self.shared.load()
    }
}

impl Shared {
    fn push(&self, item: Item, lane: Lane) {
        let behind = match lane {
            Lane::Spent => {
                self.spent.push(item);
                true
            }
            Lane::Fresh => OWN.with_borrow_mut(|own| match own {
                Some(own) if std::ptr::eq(own.shared.as_ptr(), self) => own.push(item),
                _ => {
                    self.fresh.push(item);
                    true
                }
            }),
        };
        if behind {
            self.wake_one();
        }
    }

    fn load(&self) -> Load {
        let waiting = self.stealers.iter().map(Stealer::len).sum::<usize>();
        let waiting = waiting + self.fresh.len() + self.spent.len();
        let mut load = Load {
            threads: self.counters.len(),
            queued: waiting as u64,
            ..Load::default()
        };
        for counters in &self.counters {
            load.busy_ns += counters.busy_ns(self.started);
            load.runs += counters.runs.get();
            load.steals += counters.steals.get();
            load.parks += counters.parks.get();
        }
        // Read last, so that nobody was busy for longer than time has passed.
        load.elapsed_ns = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        load
    }

    fn wake_one(&self) {
        // Orders the push before the look at the counts; see the module's head.
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 && self.searching.load(Ordering::SeqCst) == 0 {
            let _held = self.sleep.lock();
            self.wake.notify_one();
        }
    }

    fn find(&self, index: usize, tick: u32) -> Option<Item> {
        if tick.is_multiple_of(SPENT_TICK)
            && let Some(item) = take(&self.spent)
        {
            return Some(item);
        }
        if tick.is_multiple_of(SHARED_TICK)
            && let Some(item) = take(&self.fresh)
        {
            return Some(item);
        }
        OWN.with_borrow_mut(|own| {
            let own = own.as_mut()?;
            own.pop()
                .or_else(|| retry(|| self.fresh.steal_batch_and_pop(&own.queue)))
        })
        .or_else(|| self.steal(index))
        .or_else(|| take(&self.spent))
    }

    fn steal(&self, index: usize) -> Option<Item> {
        let count = self.stealers.len();
        let stolen =
            (1..count).find_map(|step| retry(|| self.stealers[(index + step) % count].steal()));
        if stolen.is_some() {
            self.counters[index].steals.count();
        }
        stolen
    }
}

impl Own {
    /// True when something waits that another worker could run.
    fn push(&mut self, item: Item) -> bool {
        match self.next.replace(item) {
            Some(earlier) => {
                self.queue.push(earlier);
                true
            }
            None => false,
        }
    }

    fn pop(&mut self) -> Option<Item> {
        if self.streak < NEXT_MAX
            && let Some(item) = self.next.take()
        {
            self.streak += 1;
            return Some(item);
        }
        self.streak = 0;
        match self.queue.pop() {
            Some(item) => Some(item),
            // Nobody was waiting behind it.
            None => self.next.take(),
        }
    }
}

fn take(queue: &Injector<Item>) -> Option<Item> {
    retry(|| queue.steal())
}

fn retry<T>(mut attempt: impl FnMut() -> Steal<T>) -> Option<T> {
    loop {
        match attempt() {
            Steal::Success(item) => return Some(item),
            Steal::Empty => return None,
            Steal::Retry => {}
        }
    }
}

fn work(shared: &Shared, index: usize) {
    let counters = &shared.counters[index];
    let mut tick: u32 = 0;
    counters.begin_busy(shared.started);
    while !shared.closing.load(Ordering::Relaxed) {
        tick = tick.wrapping_add(1);
        let Some(item) = shared.find(index, tick).or_else(|| park(shared, index)) else {
            continue;
        };
        counters.runs.count();
        let again = item.clone();
        if let Some(lane) = item.run() {
            shared.push(again, lane);
        }
    }
    counters.end_busy(shared.started);
}

/// Sleeps until there may be something, unless there is something already.
fn park(shared: &Shared, index: usize) -> Option<Item> {
    let mut held = shared.sleep.lock();
    shared.sleepers.fetch_add(1, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    let found = shared.find(index, 1);
    if found.is_some() || shared.closing.load(Ordering::SeqCst) {
        shared.sleepers.fetch_sub(1, Ordering::SeqCst);
        return found;
    }
    let counters = &shared.counters[index];
    counters.parks.count();
    counters.end_busy(shared.started);
    shared.wake.wait(&mut held);
    counters.begin_busy(shared.started);
    shared.sleepers.fetch_sub(1, Ordering::SeqCst);
    shared.searching.fetch_add(1, Ordering::SeqCst);
    drop(held);
    let found = shared.find(index, 1);
    shared.searching.fetch_sub(1, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    let found = found.or_else(|| shared.find(index, 1));
    if found.is_some() {
        // There may be more for another sleeper.
        shared.wake_one();
    }
    found
}
