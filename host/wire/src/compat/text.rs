//! A comparison in lines, for people.

use super::{Comparison, Difference, Severity, Verdict};
use std::fmt;

/// Most differences of one severity that the text shows.
const SHOWN_MAX: usize = 20;

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Safe if self.differences.is_empty() => return f.write_str("no difference"),
            Verdict::Safe => "safe",
            Verdict::Warnings => "safe, with warnings",
            Verdict::Refused => "refused",
        };
        let counts = self.counts;
        write!(
            f,
            "{verdict}: {}, {}, {} fine",
            counted(counts.breaks, "break"),
            counted(counts.warnings, "warning"),
            counts.fine
        )?;
        for severity in [Severity::Breaks, Severity::Warning, Severity::Fine] {
            let of_it = self.differences.iter().filter(|d| d.severity == severity);
            let mut shown = 0;
            for difference in of_it.take(SHOWN_MAX) {
                write!(f, "\n{difference}")?;
                shown += 1;
            }
            match counts.of(severity) - shown {
                0 => {}
                more => write!(f, "\n{:<8} and {more} more", severity.name())?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (severity, role) = (self.severity.name(), self.role.name());
        write!(f, "{severity:<8} {role} {}: ", self.place)?;
        match (&self.was, &self.is) {
            (Some(was), Some(is)) => write!(f, "`{was}` became `{is}`")?,
            (None, Some(is)) => write!(f, "`{is}` is new")?,
            (Some(was), None) => write!(f, "`{was}` is gone")?,
            (None, None) => f.write_str("changed")?,
        }
        write!(f, "\n         {}", self.why)?;
        match &self.help {
            Some(help) => write!(f, "\n         do: {help}"),
            None => Ok(()),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
