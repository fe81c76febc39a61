//! One turn after the other: what a turn did counts or is undone, and what came back
//! from the stash is handled before all else.

use super::{Crash, TestActor, read};
use crate::{
    ActorRef, Behaviour, Life,
    testing::{MockNode, node::Handling},
};
use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A message on its way.
pub(super) struct Letter {
    pub(super) message: Vec<u8>,
    pub(super) wants_reply: bool,
    pub(super) sender: Option<ActorRef>,
}

impl<A: Behaviour> TestActor<A> {
    pub(super) fn deliver(&mut self, letter: Letter) -> Result<Option<Vec<u8>>, Crash> {
        self.handle_back()?;
        let reply = self.handle_one(letter)?;
        self.handle_back()?;
        Ok(reply)
    }

    /// Handles what came back from the stash, of which some may go there again.
    fn handle_back(&mut self) -> Result<(), Crash> {
        while let Some(letter) = self.back.pop_front() {
            let stashed = self.stash.len();
            let reply = self.handle_one(letter)?;
            if let (Some(reply), true) = (reply, self.stash.len() <= stashed) {
                self.answers.push(read(&reply));
            }
        }
        Ok(())
    }

    fn handle_one(&mut self, letter: Letter) -> Result<Option<Vec<u8>>, Crash> {
        let begun = self.node.effects().len();
        self.node.begin_turn(Handling {
            message: true,
            wants_reply: letter.wants_reply,
        });
        let reply = self.turn(|life, node| {
            life.handle(&letter.message, letter.wants_reply, letter.sender, node)
                .expect("a message reads back as it was written")
        })?;
        self.settle_stash(begun, Some(letter));
        Ok(reply)
    }

    pub(super) fn notice(&mut self, act: impl FnOnce(&mut Life<A>, MockNode)) -> Result<(), Crash> {
        let begun = self.node.effects().len();
        self.node.begin_turn(Handling {
            message: false,
            wants_reply: false,
        });
        self.turn(act)?;
        self.settle_stash(begun, None);
        self.handle_back()
    }

    /// Does with the stash what the turn asked for whose effects begin at `begun`.
    fn settle_stash(&mut self, begun: usize, letter: Option<Letter>) {
        let (stashed, brought_back) = self.node.stashing_since(begun);
        if brought_back {
            self.bring_back();
        }
        if stashed {
            self.stash.extend(letter);
        }
        self.node.set_stashed(self.stash.len());
    }

    pub(super) fn bring_back(&mut self) {
        let newer = mem::replace(&mut self.back, mem::take(&mut self.stash));
        self.back.extend(newer);
        self.node.set_stashed(0);
    }

    fn turn<R>(&mut self, act: impl FnOnce(&mut Life<A>, MockNode) -> R) -> Result<R, Crash> {
        let node = self.node.clone();
        let life = self.life();
        let before = life.save().ok();
        // A life that panicked is dropped, so that nobody sees it half changed.
        let outcome = catch_unwind(AssertUnwindSafe(|| act(life, node)));
        self.before = before;
        match outcome {
            Ok(value) => {
                self.node.release();
                Ok(value)
            }
            Err(panic) => {
                self.node.undo_held();
                self.life = None;
                Err(Crash {
                    message: panic_text(&*panic),
                })
            }
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a value that is no text".to_owned(),
    }
}
