//! Which siblings a restart takes along, and in which order (OTP's supervisor
//! strategies), and when a supervisor ends by itself (OTP 24's automatic shutdown).

use crate::spec::{AutoShutdown, RestartType, Strategy};

/// What a restart does to the children of a supervisor, by their place in the order
/// of start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Siblings to stop, in this order: the reverse of the order of start.
    pub stop: Vec<usize>,
    /// Children to start, in this order. A temporary sibling is never among them: it
    /// is stopped and forgotten. A child that had ended before is: OTP starts the
    /// whole group.
    pub start: Vec<usize>,
}

impl Plan {
    /// Whether no sibling is touched.
    pub fn is_alone(&self) -> bool {
        self.stop.is_empty() && self.start.len() == 1
    }
}

/// The plan for the restart of the child at `failed`, which itself does not run.
pub fn plan(strategy: Strategy, children: &[RestartType], failed: usize) -> Plan {
    let group = match strategy {
        Strategy::OneForOne => failed..failed + 1,
        Strategy::OneForAll => 0..children.len(),
        Strategy::RestForOne => failed..children.len(),
    };
    Plan {
        stop: group.clone().rev().filter(|&at| at != failed).collect(),
        start: group
            .filter(|&at| at == failed || children[at] != RestartType::Temporary)
            .collect(),
    }
}

/// Whether the end of a significant child ends its supervisor. Only an end of the
/// child's own counts: neither one that an order brought about nor one that another
/// life follows.
pub fn shuts_down(auto: AutoShutdown, significant_left: usize) -> bool {
    match auto {
        AutoShutdown::Never => false,
        AutoShutdown::AnySignificant => true,
        AutoShutdown::AllSignificant => significant_left == 0,
    }
}

/// Why a child may not be significant, if it may not (OTP refuses these as well).
pub fn significance_fault(auto: AutoShutdown, restart: RestartType) -> Option<&'static str> {
    if restart == RestartType::Permanent {
        return Some("a significant child cannot be permanent: it would never end by itself");
    }
    (auto == AutoShutdown::Never)
        .then_some("a significant child needs a supervisor with an automatic shutdown")
}

#[cfg(test)]
mod tests {
    use super::{Plan, plan, shuts_down, significance_fault};
    use crate::spec::{
        AutoShutdown,
        RestartType::{self, Permanent, Temporary, Transient},
        Strategy,
    };
    use proptest::{prelude::*, strategy::Strategy as Generator};

    #[test]
    fn the_strategies_are_those_of_otp() {
        let children = [Permanent, Transient, Temporary, Permanent];
        let of = |strategy, failed| plan(strategy, &children, failed);
        let plan = |stop: &[usize], start: &[usize]| Plan {
            stop: stop.into(),
            start: start.into(),
        };
        assert_eq!(of(Strategy::OneForOne, 1), plan(&[], &[1]));
        assert_eq!(of(Strategy::OneForAll, 1), plan(&[3, 2, 0], &[0, 1, 3]));
        assert_eq!(of(Strategy::RestForOne, 1), plan(&[3, 2], &[1, 3]));
        assert_eq!(of(Strategy::RestForOne, 3), plan(&[], &[3]));
    }

    #[test]
    fn the_automatic_shutdown_is_that_of_otp() {
        use AutoShutdown::{AllSignificant, AnySignificant, Never};
        for (auto, with_others, last) in [
            (Never, false, false),
            (AnySignificant, true, true),
            (AllSignificant, false, true),
        ] {
            assert_eq!(shuts_down(auto, 2), with_others, "{auto:?}");
            assert_eq!(shuts_down(auto, 0), last, "{auto:?}");
        }
        assert!(significance_fault(AnySignificant, Permanent).is_some());
        assert!(significance_fault(Never, Transient).is_some());
        assert!(significance_fault(AllSignificant, Transient).is_none());
        assert!(significance_fault(AnySignificant, Temporary).is_none());
    }

    fn restart_type() -> impl Generator<Value = RestartType> {
        prop_oneof![Just(Permanent), Just(Transient), Just(Temporary)]
    }

    proptest! {
        /// Whatever the children: stops run against the order of start, starts along
        /// it; the failed child is started and not stopped; whoever is stopped is
        /// started again unless it is temporary; and each strategy takes the group
        /// that it is named after.
        #[test]
        fn a_plan_stops_in_reverse_and_starts_in_order(
            children in prop::collection::vec(restart_type(), 1..12),
            at in any::<prop::sample::Index>(),
            strategy in prop_oneof![
                Just(Strategy::OneForOne), Just(Strategy::OneForAll), Just(Strategy::RestForOne)
            ],
        ) {
            let failed = at.index(children.len());
            let plan = plan(strategy, &children, failed);
            prop_assert!(plan.stop.is_sorted_by(|a, b| a > b));
            prop_assert!(plan.start.is_sorted_by(|a, b| a < b));
            prop_assert!(plan.start.contains(&failed) && !plan.stop.contains(&failed));
            for (at, restart) in children.iter().enumerate().filter(|&(at, _)| at != failed) {
                let taken = match strategy {
                    Strategy::OneForOne => false,
                    Strategy::OneForAll => true,
                    Strategy::RestForOne => at > failed,
                };
                prop_assert_eq!(plan.stop.contains(&at), taken);
                prop_assert_eq!(plan.start.contains(&at), taken && *restart != Temporary);
            }
        }
    }
}
