//! Messages of three priorities that say what becomes of them, for worlds whose
//! mailboxes are compared with a model.

use super::{Cmd, NativeInstance, crash, give_way, trace::Step};
use actorhost_core::{Crash, StopMode, policy::priority::variant};
use serde::{Deserialize, Serialize};

/// A message that is accounted for by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub seq: u64,
    pub does: Does,
    /// How often its handling gives way first.
    pub yields: u32,
}

/// What the handling of an item does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Does {
    Nothing,
    Crash,
    /// Put it aside, unless this life is open.
    Stash,
    /// Bring back what was put aside; this life is open from now on.
    Open,
    /// The first time bring back what was put aside, and put this aside.
    OpenAndStash,
    /// Bring back what was put aside, then crash.
    OpenAndCrash,
    /// Stop by `d`rain, `n`ow or `k`ill.
    StopSelf(char),
}

/// How the handling of an item went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It is done with; `unstash` if it brought the stash back.
    Done {
        unstash: bool,
        drain: bool,
    },
    Stashed {
        unstash: bool,
    },
    /// The stash had no room, and it was done with instead.
    NotStashed {
        unstash: bool,
    },
    Crashed,
}

/// The message of an item: 0 is the lowest of the priorities.
pub fn message(rank: usize, item: Item) -> Cmd {
    match rank {
        0 => Cmd::Low(item),
        1 => Cmd::Mid(item),
        _ => Cmd::High(item),
    }
}

/// The item that a message is, with its rank.
pub fn item(cmd: &Cmd) -> Option<(usize, Item)> {
    match cmd {
        Cmd::Low(item) => Some((0, *item)),
        Cmd::Mid(item) => Some((1, *item)),
        Cmd::High(item) => Some((2, *item)),
        _ => None,
    }
}

/// The priorities of a spec under which ranks are told apart.
pub fn priorities() -> Vec<(u32, u8)> {
    let item = Item {
        seq: 0,
        does: Does::Nothing,
        yields: 0,
    };
    let of_rank = |rank, priority| {
        let bytes = super::bytes(&message(rank, item));
        (variant(&bytes).expect("a message of an enum"), priority)
    };
    vec![of_rank(1, 3), of_rank(2, 200)]
}

impl NativeInstance {
    pub(super) async fn item(&mut self, item: Item) -> Result<String, Crash> {
        let (id, seq) = (self.turn.self_id(), item.seq);
        self.trace.add(Step::Begun { id, seq });
        give_way(item.yields).await;
        let how = self.treat(seq, item.does);
        self.trace.add(Step::Over { id, seq, how });
        if how == How::Crashed {
            return Err(crash("item"));
        }
        Ok(String::new())
    }

    fn treat(&mut self, seq: u64, does: Does) -> How {
        let mut done = How::Done {
            unstash: false,
            drain: false,
        };
        match does {
            Does::Stash if !self.open => return self.put_aside(false),
            // Once only: two of them would bring each other back for ever.
            Does::OpenAndStash if self.record.lock().put_aside.insert(seq) => {
                self.turn.unstash_all();
                return self.put_aside(true);
            }
            Does::Crash => return How::Crashed,
            Does::OpenAndCrash => {
                self.turn.unstash_all();
                return How::Crashed;
            }
            Does::Open => {
                self.open = true;
                self.turn.unstash_all();
                done = How::Done {
                    unstash: true,
                    drain: false,
                };
            }
            Does::StopSelf(mode) => {
                let drain = mode == 'd';
                let mode = match mode {
                    'd' => StopMode::Drain,
                    'n' => StopMode::Now,
                    _ => StopMode::Kill,
                };
                self.turn.stop(self.turn.self_id(), mode);
                done = How::Done {
                    unstash: false,
                    drain,
                };
            }
            Does::Nothing | Does::Stash | Does::OpenAndStash => {}
        }
        done
    }

    fn put_aside(&mut self, unstash: bool) -> How {
        match self.turn.stash() {
            Ok(()) => How::Stashed { unstash },
            Err(_) => How::NotStashed { unstash },
        }
    }
}
