//! Actors that behave differently from state to state: a door that is open or locked,
//! a connection that is up or down.
//!
//! A [`Machine`] is a part of the actor's own state that says which state it is in.
//! The actor matches on state and message together, and moves with
//! [`go`](Machine::go). What does not fit the state it is in, it
//! [postpones](Machine::postpone): the message comes back after the next move, before
//! newer ones. A state may have a [timeout](Machine::timeout), which ends with it. The
//! names are those of OTP's `gen_statem`; with Akka one would `become` and `stash`.
//!
//! ```
//! use actorhost_sdk::{machine::Machine, prelude::*, testing::TestActor};
//!
//! #[derive(Debug, Default, PartialEq, Serialize, Deserialize, Schema)]
//! enum State { #[default] Locked, Open }
//!
//! #[derive(Serialize, Deserialize, Schema)]
//! enum Msg { Code(u32), Enter { who: String }, TooLong }
//!
//! /// A door that opens by a code and locks itself after ten seconds.
//! #[derive(Default, Serialize, Deserialize, Schema)]
//! struct Door { machine: Machine<State>, inside: Vec<String> }
//!
//! #[actor]
//! impl Actor for Door {
//!     type Args = ();
//!     type Message = Msg;
//!     type Reply = Result<(), String>;
//!
//!     fn handle(&mut self, msg: Msg, ctx: &mut Context<Self>) -> Result<(), String> {
//!         let door = &mut self.machine;
//!         match (door.state(), msg) {
//!             (State::Locked, Msg::Code(1234)) => {
//!                 door.go(State::Open, ctx);
//!                 door.timeout(Duration::from_secs(10), &Msg::TooLong, ctx)
//!                     .map_err(|error| error.to_string())?;
//!             }
//!             (State::Locked, Msg::Code(_)) => return Err("wrong code".into()),
//!             // Whoever comes to a locked door waits for the next state.
//!             (State::Locked, Msg::Enter { .. }) => {
//!                 return door.postpone(ctx).map_err(|error| error.to_string());
//!             }
//!             (State::Open, Msg::Enter { who }) => self.inside.push(who),
//!             (State::Open, Msg::TooLong) => door.go(State::Locked, ctx),
//!             (State::Open, Msg::Code(_)) | (State::Locked, Msg::TooLong) => {}
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut door = TestActor::<Door>::start(&()).unwrap();
//! door.tell(&Msg::Enter { who: "Ada".into() }).unwrap();
//! assert!(door.state().inside.is_empty());
//!
//! assert_eq!(door.ask(&Msg::Code(1234)), Ok(Ok(())));
//! assert_eq!(door.state().inside, ["Ada"]);
//!
//! door.advance(Duration::from_secs(10)).unwrap();
//! assert_eq!(*door.state().machine.state(), State::Locked);
//! ```

use crate::{Actor, Context, Schema, StashError, TimerError};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Key of the timer that is a state's timeout.
pub const STATE_TIMEOUT: &str = "machine:state-timeout";

/// Which state an actor is in, and how it moves to another. The module's example shows
/// it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Schema)]
pub struct Machine<S> {
    state: S,
}

impl<S> Machine<S> {
    /// A machine in its first state.
    ///
    /// ```
    /// # use actorhost_sdk::machine::Machine;
    /// assert_eq!(Machine::new("locked").state(), &"locked");
    /// ```
    pub const fn new(first: S) -> Self {
        Self { state: first }
    }

    /// The state it is in.
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// What the state holds, to change it without a move: postponed messages stay so,
    /// and the timeout runs on.
    ///
    /// ```
    /// # use actorhost_sdk::machine::Machine;
    /// let mut typed = Machine::new(String::new());
    /// typed.state_mut().push('1');
    /// assert_eq!(typed.state(), "1");
    /// ```
    pub const fn state_mut(&mut self) -> &mut S {
        &mut self.state
    }

    /// Moves to a state, which may be the same one anew: the timeout of the state it
    /// was in is taken back, and what was postponed in it comes back, in order and
    /// before newer messages, once the turn has succeeded.
    pub fn go<A: Actor>(&mut self, to: S, ctx: &Context<A>) {
        self.state = to;
        ctx.cancel_key(STATE_TIMEOUT);
        ctx.unstash_all();
    }

    /// Sends the actor a message when it stays in its state so long from now, in place
    /// of an earlier timeout of this state.
    ///
    /// # Errors
    /// [`TimerError`], as of any timer.
    ///
    /// # Panics
    /// When the message's own `Serialize` fails; derived ones don't.
    pub fn timeout<A: Actor>(
        &self,
        after: Duration,
        message: &A::Message,
        ctx: &Context<A>,
    ) -> Result<(), TimerError> {
        ctx.set_timer(STATE_TIMEOUT, after, message).map(drop)
    }

    /// Leaves the message being handled for the next state (`gen_statem`'s
    /// `postpone`); what `handle` returns is then not used.
    ///
    /// # Errors
    /// [`StashError`], as of [`Context::stash`].
    pub fn postpone<A: Actor>(&self, ctx: &Context<A>) -> Result<(), StashError> {
        ctx.stash()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{prelude::*, testing::TestActor};

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Schema)]
    enum Line {
        #[default]
        Down,
        Up {
            calls: u32,
        },
    }

    #[derive(Clone, Serialize, Deserialize, Schema)]
    enum Msg {
        Up,
        Down,
        Call(u32),
        Silent,
    }

    /// A line that keeps calls for when it is up, and hangs up when it is silent.
    #[derive(Default, Serialize, Deserialize, Schema)]
    struct Phone {
        line: Machine<Line>,
        called: Vec<u32>,
    }

    #[actor]
    impl Actor for Phone {
        type Args = ();
        type Message = Msg;
        type Reply = ();

        fn handle(&mut self, msg: Msg, ctx: &mut Context<Self>) {
            let line = &mut self.line;
            match (line.state_mut(), msg) {
                (_, Msg::Up) => {
                    line.go(Line::Up { calls: 0 }, ctx);
                    line.timeout(Duration::from_secs(1), &Msg::Silent, ctx)
                        .unwrap();
                }
                (_, Msg::Down | Msg::Silent) => line.go(Line::Down, ctx),
                (Line::Down, Msg::Call(_)) => line.postpone(ctx).unwrap(),
                (Line::Up { calls }, Msg::Call(number)) => {
                    *calls += 1;
                    self.called.push(number);
                    line.timeout(Duration::from_secs(1), &Msg::Silent, ctx)
                        .unwrap();
                }
            }
        }
    }

    fn phone() -> TestActor<Phone> {
        TestActor::start(&()).unwrap()
    }

    #[test]
    fn postponed_messages_come_back_in_order_and_once() {
        let mut phone = phone();
        for number in [1, 2, 3] {
            phone.tell(&Msg::Call(number)).unwrap();
        }
        assert_eq!(phone.stashed(), 3);
        phone.tell(&Msg::Up).unwrap();
        phone.tell(&Msg::Down).unwrap();
        phone.tell(&Msg::Up).unwrap();
        assert_eq!(phone.state().called, [1, 2, 3]);
    }

    #[test]
    fn moving_to_a_state_that_postpones_too_ends() {
        let mut phone = phone();
        phone.tell(&Msg::Call(1)).unwrap();
        phone.tell(&Msg::Down).unwrap();
        assert_eq!(phone.stashed(), 1);
    }

    #[test]
    fn a_states_timeout_ends_with_it() {
        let mut phone = phone();
        phone.tell(&Msg::Up).unwrap();
        phone.tell(&Msg::Down).unwrap();
        assert_eq!(phone.advance(Duration::from_secs(5)), Ok(0));
    }

    #[test]
    fn a_states_timeout_can_be_set_anew_within_it() {
        let mut phone = phone();
        phone.tell(&Msg::Up).unwrap();
        phone.advance(Duration::from_millis(900)).unwrap();
        phone.tell(&Msg::Call(1)).unwrap();
        phone.advance(Duration::from_millis(900)).unwrap();
        assert_eq!(phone.state().line.state(), &Line::Up { calls: 1 });
        phone.advance(Duration::from_millis(100)).unwrap();
        assert_eq!(phone.state().line.state(), &Line::Down);
    }

    #[test]
    fn a_machine_is_part_of_the_saved_state() {
        let mut phone = phone();
        phone.tell(&Msg::Up).unwrap();
        phone.tell(&Msg::Call(1)).unwrap();
        let saved = crate::testing::save(phone.state()).unwrap();
        let loaded: Phone = crate::testing::load(&saved, 1).unwrap();
        assert_eq!(loaded.line, Machine::new(Line::Up { calls: 1 }));
    }
}
