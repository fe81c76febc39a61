//! What the end of a linked actor does to an actor.
//!
//! The table is OTP's (exit signals and the process flag `trap_exit`): an actor that
//! traps hears of every end as a message, a `normal` one included; one that does not
//! ends with the other, unless that ended `normal`.

use crate::{Crash, CrashKind, ExitReason};
use std::sync::Arc;

/// What an exit signal does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Ignore,
    /// The actor hears of it as a message.
    Notice,
    /// The actor's life ends as a crash of kind `linked`.
    Crash,
    /// The actor's life ends in an orderly way.
    Shutdown,
}

/// The answer to a signal with `reason`.
pub fn answer(traps: bool, reason: &ExitReason) -> Answer {
    match (traps, reason) {
        (true, _) => Answer::Notice,
        (false, ExitReason::Normal) => Answer::Ignore,
        (false, ExitReason::Shutdown) => Answer::Shutdown,
        (false, ExitReason::Killed | ExitReason::Crashed(_) | ExitReason::NoSuchActor) => {
            Answer::Crash
        }
    }
}

/// The crash of an actor whose linked peer under `path` ended with `reason`. It names
/// the first cause; those further away share it, so that a long chain does not make
/// it grow.
pub fn linked_crash(path: &str, reason: &ExitReason) -> Arc<Crash> {
    match reason {
        ExitReason::Crashed(crash) if crash.kind == CrashKind::Linked => crash.clone(),
        ExitReason::Crashed(crash) => Arc::new(Crash {
            kind: CrashKind::Linked,
            message: format!("{path} crashed: {crash}"),
            backtrace: crash.backtrace.clone(),
        }),
        other => Arc::new(Crash::new(
            CrashKind::Linked,
            format!("{path} ended: {other}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reasons() -> impl Strategy<Value = ExitReason> {
        prop_oneof![
            Just(ExitReason::Normal),
            Just(ExitReason::Shutdown),
            Just(ExitReason::Killed),
            Just(ExitReason::NoSuchActor),
            ("[a-z ]{0,20}", prop::collection::vec("[a-z]{1,8}", 0..4)).prop_map(
                |(message, backtrace)| {
                    ExitReason::from(Crash {
                        kind: CrashKind::Panic,
                        message,
                        backtrace,
                    })
                }
            ),
        ]
    }

    proptest! {
        /// One that traps never ends by a signal, and one that does not never hears.
        #[test]
        fn trapping_decides_between_hearing_and_ending(reason in reasons()) {
            prop_assert_eq!(answer(true, &reason), Answer::Notice);
            let untrapped = answer(false, &reason);
            prop_assert_ne!(untrapped, Answer::Notice);
            prop_assert_eq!(untrapped == Answer::Ignore, reason == ExitReason::Normal);
        }

        /// However long the chain, the crash is the first hop's: same cause, same
        /// path, same allocation.
        #[test]
        fn a_chain_shares_its_first_cause(reason in reasons(), hops in 1usize..50) {
            let first = linked_crash("/first", &reason);
            prop_assert!(first.message.starts_with("/first "));
            let mut last = first.clone();
            for hop in 0..hops {
                last = linked_crash(&format!("/{hop}"), &ExitReason::Crashed(last));
            }
            prop_assert!(Arc::ptr_eq(&first, &last));
        }
    }

    #[test]
    fn a_linked_crash_keeps_where_the_guest_was() {
        let crash = Crash {
            kind: CrashKind::Trap,
            message: "out of bounds".into(),
            backtrace: vec!["inner".into(), "outer".into()],
        };
        let linked = linked_crash("/a", &crash.into());
        assert_eq!(
            linked.to_string(),
            "linked: /a crashed: trap: out of bounds"
        );
        assert_eq!(linked.backtrace, ["inner", "outer"]);
    }
}
