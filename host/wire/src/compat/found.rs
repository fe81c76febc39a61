//! The differences found so far, bounded.

use super::{
    difference::{Change, Difference, Role, Severity},
    words,
};
use crate::schema::path::Path;

/// Most differences of one severity that are kept; the others are counted.
pub const KEPT_MAX: usize = 100;

/// Longest place, in characters; of a longer one, the end.
const PLACE_CHARS: usize = 200;

/// How many differences there are of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Those that refuse a swap.
    pub breaks: usize,
    /// Those to look at.
    pub warnings: usize,
    /// Those that harm nothing.
    pub fine: usize,
}

impl Counts {
    /// How many there are of one severity.
    pub fn of(&self, severity: Severity) -> usize {
        match severity {
            Severity::Breaks => self.breaks,
            Severity::Warning => self.warnings,
            Severity::Fine => self.fine,
        }
    }

    fn of_mut(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Breaks => &mut self.breaks,
            Severity::Warning => &mut self.warnings,
            Severity::Fine => &mut self.fine,
        }
    }
}

#[derive(Default)]
pub struct Found {
    pub kept: Vec<Difference>,
    pub counts: Counts,
    /// The old state version, when `migrate` is called with it: then no difference of
    /// state breaks.
    pub migrates_from: Option<u32>,
}

impl Found {
    /// `shown` says what was and what is, and is not asked when nobody will see it.
    pub fn add(
        &mut self,
        role: Role,
        change: Change,
        path: Path<'_>,
        shown: impl FnOnce() -> (Option<String>, Option<String>),
    ) {
        let migrates_from = self.migrates_from.filter(|_| role == Role::State);
        let severity = match migrates_from {
            Some(_) => Severity::Fine,
            None => change.severity(role),
        };
        if !self.count(severity) {
            return;
        }
        let (was, is) = shown();
        self.kept.push(Difference {
            severity,
            role,
            place: place(path),
            rule: change.rule,
            was,
            is,
            why: words::why(role, change, severity, migrates_from),
            help: words::help(role, change.rule, severity),
        });
    }

    /// For what is not in a type.
    pub fn add_told(&mut self, difference: Difference) {
        if self.count(difference.severity) {
            self.kept.push(difference);
        }
    }

    /// Whether there is room for one more.
    fn count(&mut self, severity: Severity) -> bool {
        let count = self.counts.of_mut(severity);
        *count += 1;
        *count <= KEPT_MAX
    }
}

fn place(path: Path<'_>) -> String {
    let whole = path.to_string();
    match whole.char_indices().rev().nth(PLACE_CHARS - 1) {
        Some((start, _)) if start > 0 => format!("…{}", &whole[start..]),
        _ => whole,
    }
}
