//! Whether an ended life is followed by another.
//!
//! The tables are OTP's (supervisor: restart types, restart intensity as a sliding
//! window); the directives are Akka's.

use crate::{
    ExitReason,
    spec::{Directive, Directives, RestartBudget, RestartType},
};
use std::collections::VecDeque;

/// What follows the end of a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A fresh instance from the arguments.
    Restart,
    /// A fresh instance from the state before the failing turn.
    Resume,
    /// The actor ends with its reason.
    End,
    /// The actor ends and takes its supervisor with it: its budget is used up, or it
    /// escalates.
    Exhausted,
}

/// Whether the restart type asks for another life.
pub fn wants_restart(restart: RestartType, reason: &ExitReason) -> bool {
    match (restart, reason.is_normal()) {
        (RestartType::Permanent, _) | (RestartType::Transient, false) => true,
        (RestartType::Transient, true) | (RestartType::Temporary, _) => false,
    }
}

/// The decision, before any budget is asked.
pub fn wish(restart: RestartType, directives: &Directives, reason: &ExitReason) -> Decision {
    if !wants_restart(restart, reason) {
        return Decision::End;
    }
    if reason.is_normal() {
        return Decision::Restart;
    }
    match directives.of(reason) {
        Directive::Stop => Decision::End,
        Directive::Resume => Decision::Resume,
        Directive::Escalate => Decision::Exhausted,
        Directive::Restart => Decision::Restart,
    }
}

/// The decision for a child with a budget of its own. A granted restart is entered
/// into `window`.
pub fn decide(
    restart: RestartType,
    directives: &Directives,
    reason: &ExitReason,
    window: &mut RestartWindow,
    budget: RestartBudget,
    now_ms: u64,
) -> Decision {
    match wish(restart, directives, reason) {
        decided @ (Decision::End | Decision::Exhausted) => decided,
        granted if window.grant(budget, now_ms) => granted,
        _ => Decision::Exhausted,
    }
}

/// When the counted restarts happened: a window that slides over the last period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RestartWindow(VecDeque<u64>);

impl RestartWindow {
    /// Whether one more restart at `now_ms` is within the budget; if so it counts.
    /// A restart older than the period does not count.
    pub fn grant(&mut self, budget: RestartBudget, now_ms: u64) -> bool {
        if budget.is_unlimited() {
            return true;
        }
        while self
            .0
            .front()
            .is_some_and(|&at| now_ms.saturating_sub(at) > budget.period_ms)
        {
            self.0.pop_front();
        }
        if self.0.len() >= budget.intensity as usize {
            return false;
        }
        self.0.push_back(now_ms);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Crash, CrashKind};
    use proptest::prelude::*;

    fn crashed() -> ExitReason {
        Crash::new(CrashKind::Trap, "x").into()
    }

    #[test]
    fn the_restart_types_are_those_of_otp() {
        use RestartType::{Permanent, Temporary, Transient};
        for (restart, normal, shutdown, killed, crash) in [
            (Permanent, true, true, true, true),
            (Transient, false, false, true, true),
            (Temporary, false, false, false, false),
        ] {
            assert_eq!(wants_restart(restart, &ExitReason::Normal), normal);
            assert_eq!(wants_restart(restart, &ExitReason::Shutdown), shutdown);
            assert_eq!(wants_restart(restart, &ExitReason::Killed), killed);
            assert_eq!(wants_restart(restart, &crashed()), crash);
        }
    }

    #[test]
    fn directives_speak_of_crashes_only() {
        let wish = |directive: Directive, reason: &_| {
            wish(RestartType::Permanent, &directive.into(), reason)
        };
        assert_eq!(wish(Directive::Restart, &crashed()), Decision::Restart);
        assert_eq!(wish(Directive::Resume, &crashed()), Decision::Resume);
        assert_eq!(wish(Directive::Stop, &crashed()), Decision::End);
        assert_eq!(wish(Directive::Escalate, &crashed()), Decision::Exhausted);
        assert_eq!(
            wish(Directive::Resume, &ExitReason::Killed),
            Decision::Restart
        );
        assert_eq!(
            wish(Directive::Stop, &ExitReason::Normal),
            Decision::Restart
        );
    }

    #[test]
    fn intensity_allows_exactly_that_many() {
        for intensity in [0, 1, 5] {
            let budget = RestartBudget {
                intensity,
                period_ms: 5_000,
            };
            let mut window = RestartWindow::default();
            for n in 0..intensity {
                assert!(
                    window.grant(budget, u64::from(n)),
                    "restart {n} of {intensity}"
                );
            }
            assert!(!window.grant(budget, 5_000));
            // The first one is older than the period now.
            assert_eq!(window.grant(budget, 5_001), intensity > 0);
        }
    }

    #[test]
    fn unlimited_counts_nothing() {
        let mut window = RestartWindow::default();
        let budget = RestartBudget::UNLIMITED;
        assert!((0..10_000).all(|n| window.grant(budget, n)));
        assert_eq!(window, RestartWindow::default(), "nothing is kept");
    }

    proptest! {
        /// Over any series of moments: the granted restarts within any period never
        /// exceed the intensity, and one is refused only where they reach it.
        #[test]
        fn the_window_is_exact(
            intensity in 0u32..6,
            period_ms in 1u64..1_000,
            steps in prop::collection::vec(0u64..400, 0..60),
        ) {
            let budget = RestartBudget { intensity, period_ms };
            let mut window = RestartWindow::default();
            let mut granted: Vec<u64> = Vec::new();
            let mut now = 0;
            for step in steps {
                now += step;
                let recent = granted.iter().filter(|&&at| now - at <= period_ms).count();
                let allowed = window.grant(budget, now);
                prop_assert_eq!(allowed, recent < intensity as usize);
                if allowed {
                    granted.push(now);
                }
            }
        }
    }
}
