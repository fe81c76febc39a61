//! What becomes of a message whose turn crashed.

use crate::dead_letters::{DeadReason, POISON_CRASHES};

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterCrash {
    /// The next life handles it again, before all others.
    HandleAgain,
    /// It is a dead letter.
    Bury(DeadReason),
}

/// Decides over a message on which `crashes` lives have crashed by now, this one
/// included. `attempts` is what its target's spec allows. Where that is one, only a
/// message that was sent again from the dead letters comes to be poison, after
/// [`POISON_CRASHES`].
pub fn after_crash(attempts: u32, crashes: u32) -> AfterCrash {
    let poison_at = if attempts > 1 {
        attempts
    } else {
        POISON_CRASHES
    };
    if crashes < attempts {
        AfterCrash::HandleAgain
    } else if crashes < poison_at {
        AfterCrash::Bury(DeadReason::Crashed)
    } else {
        AfterCrash::Bury(DeadReason::Poison)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_poison_after_as_many_crashes_as_allowed() {
        use AfterCrash::{Bury, HandleAgain};
        use DeadReason::{Crashed, Poison};
        for (attempts, by_crashes) in [
            (
                1,
                [Bury(Crashed), Bury(Crashed), Bury(Poison), Bury(Poison)],
            ),
            (2, [HandleAgain, Bury(Poison), Bury(Poison), Bury(Poison)]),
            (4, [HandleAgain, HandleAgain, HandleAgain, Bury(Poison)]),
        ] {
            for (crashes, expected) in (1..).zip(by_crashes) {
                assert_eq!(
                    after_crash(attempts, crashes),
                    expected,
                    "{attempts} {crashes}"
                );
            }
        }
    }
}
