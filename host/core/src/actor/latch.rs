//! A value that is set once and that many may wait for.

use parking_lot::Mutex;
use std::{
    future::poll_fn,
    task::{Poll, Waker},
};

pub(crate) struct Latch<T>(Mutex<State<T>>);

enum State<T> {
    Open(Vec<Waker>),
    Set(T),
}

impl<T: Clone> Latch<T> {
    pub fn new() -> Self {
        Self(Mutex::new(State::Open(Vec::new())))
    }

    /// Sets the value unless it is set already.
    pub fn set(&self, value: T) {
        let mut state = self.0.lock();
        if let State::Open(wakers) = &mut *state {
            let wakers = std::mem::take(wakers);
            *state = State::Set(value);
            drop(state);
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    pub fn get(&self) -> Option<T> {
        match &*self.0.lock() {
            State::Set(value) => Some(value.clone()),
            State::Open(_) => None,
        }
    }

    /// The value, once it is set.
    pub async fn wait(&self) -> T {
        poll_fn(|cx| match &mut *self.0.lock() {
            State::Set(value) => Poll::Ready(value.clone()),
            State::Open(wakers) => {
                if !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
                    wakers.push(cx.waker().clone());
                }
                Poll::Pending
            }
        })
        .await
    }
}
