//! What tests of mailboxes share, and what a native behaviour does with its own.

use super::{Cmd, NativeInstance, World, bytes, template};
use actorhost_core::{ActorId, AskError, ChildSpec, Crash, MailboxSpec, Overflow};
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

pub fn bounded(capacity: u32, overflow: Overflow) -> ChildSpec {
    let mailbox = MailboxSpec {
        capacity,
        overflow,
        ..MailboxSpec::default()
    };
    ChildSpec {
        mailbox,
        ..template()
    }
}

pub fn take(seq: u64) -> Cmd {
    Cmd::Take {
        from: 0,
        seq,
        crash: false,
        yields: 0,
    }
}

pub fn crash(seq: u64) -> Cmd {
    Cmd::Take {
        from: 0,
        seq,
        crash: true,
        yields: 0,
    }
}

/// Keeps an actor's handler busy for a while, with nothing in its mailbox.
pub fn hold(w: &mut World, id: ActorId) {
    w.tell(id, Cmd::Yield(5_000)).unwrap();
    while w.node.actor(id).unwrap().queued > 0 {
        assert!(w.sim.step());
    }
}

/// The numbers that were handled, in order.
pub fn taken(w: &World) -> Vec<u64> {
    let record = w.record.lock();
    record.taken.iter().map(|&(_, _, seq)| seq).collect()
}

pub type Asking = Pin<Box<dyn Future<Output = Result<bytes::Bytes, AskError>>>>;

/// An ask under way; the world does not move.
pub fn asking(w: &World, to: ActorId, cmd: &Cmd) -> Asking {
    let (node, message) = (w.node.clone(), bytes(cmd));
    let mut ask: Asking = Box::pin(async move { node.ask(to, message, 60_000).await });
    assert!(poll(&mut ask).is_pending());
    ask
}

pub fn poll<F: Future + ?Sized>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
}

impl NativeInstance {
    /// Tells `to` numbered messages; how many were accepted.
    pub(super) async fn stream(&mut self, to: u64, first: u64, count: u64) -> String {
        let (from, mut accepted) = (self.turn.self_id().0, 0);
        for seq in first..first + count {
            let message = bytes(&Cmd::Take {
                from,
                seq,
                crash: false,
                yields: 0,
            });
            accepted += u64::from(self.turn.tell(ActorId(to), message).await.is_ok());
        }
        accepted.to_string()
    }

    pub(super) fn gate(&mut self, seq: u64) -> String {
        if self.open {
            self.remember(seq);
            return "took".into();
        }
        match self.turn.stash() {
            Ok(()) => "never seen".into(),
            Err(error) => error.to_string(),
        }
    }

    pub(super) fn open(&mut self) -> String {
        self.open = true;
        self.turn.unstash_all().to_string()
    }

    pub(super) fn stash_again(&mut self) -> String {
        let count = self.turn.unstash_all();
        assert_eq!(self.turn.stash(), Ok(()));
        assert!(self.turn.stash().is_err(), "it is put aside already");
        count.to_string()
    }

    pub(super) fn stash_then_crash(&mut self) -> Crash {
        assert_eq!(self.turn.stash(), Ok(()));
        super::crash("after stash")
    }

    pub(super) fn take_after_crash(&mut self, seq: u64) -> Result<String, Crash> {
        let line = format!("crashed on {seq}");
        let mut record = self.record.lock();
        if !record.log.contains(&line) {
            record.log.push(line);
            return Err(super::crash("at first"));
        }
        drop(record);
        self.remember(seq);
        Ok(String::new())
    }

    /// Puts the message aside in one life and remembers the number in the next.
    pub(super) fn stash_first(&mut self, seq: u64) -> String {
        let line = format!("put {seq} aside");
        let again = self.record.lock().log.contains(&line);
        if again {
            self.remember(seq);
        } else {
            self.record.lock().log.push(line);
            assert_eq!(self.turn.stash(), Ok(()));
        }
        String::new()
    }

    fn remember(&self, seq: u64) {
        let me = self.turn.self_id().0;
        self.record.lock().taken.push((0, me, seq));
    }
}
