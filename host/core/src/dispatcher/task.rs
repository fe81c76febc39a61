//! A future of the machine itself (a supervisor, a roll-out) on the same
//! dispatcher as the actors, so that one scheduler, real or simulated, runs all.

use super::{Dispatcher, Lane, Runnable};
use crate::actor::schedule::{Enqueue, Schedule};
use parking_lot::Mutex;
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

struct Task {
    schedule: Schedule,
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    dispatcher: Arc<dyn Dispatcher>,
}

/// Runs a future on the dispatcher until it ends.
pub fn spawn_task(
    dispatcher: &Arc<dyn Dispatcher>,
    future: impl Future<Output = ()> + Send + 'static,
) {
    let task = Arc::new(Task {
        schedule: Schedule::new(),
        future: Mutex::new(Some(Box::pin(future))),
        dispatcher: dispatcher.clone(),
    });
    task.wake();
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.schedule.notify() == Enqueue::Yes {
            let dispatcher = self.dispatcher.clone();
            dispatcher.push(self, Lane::Fresh);
        }
    }
}

impl Runnable for Task {
    fn run(self: Arc<Self>) -> Option<Lane> {
        self.schedule.begin();
        let mut future = self.future.lock();
        if let Some(running) = future.as_mut() {
            let waker = Waker::from(self.clone());
            if let Poll::Ready(()) = running.as_mut().poll(&mut Context::from_waker(&waker)) {
                *future = None;
            }
        }
        drop(future);
        (self.schedule.finish() == Enqueue::Yes).then_some(Lane::Fresh)
    }
}
