//! What a native behaviour does with its mailbox.

use super::{Cmd, NativeInstance, bytes, crash};
use actorhost_core::{ActorId, Crash};

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
        crash("after stash")
    }

    pub(super) fn take_after_crash(&mut self, seq: u64) -> Result<String, Crash> {
        let line = format!("crashed on {seq}");
        let mut record = self.record.lock();
        if !record.log.contains(&line) {
            record.log.push(line);
            return Err(crash("at first"));
        }
        drop(record);
        self.remember(seq);
        Ok(String::new())
    }

    fn remember(&self, seq: u64) {
        let me = self.turn.self_id().0;
        self.record.lock().taken.push((0, me, seq));
    }
}
