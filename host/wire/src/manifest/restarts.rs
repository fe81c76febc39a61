//! What follows a crash: budgets, directives, waits.

use super::{
    errors::Report,
    limits,
    section::{Entry, Section},
    types::{Backoff, Cause, Directive, Directives, Restart, RestartBudget},
    units::show_ms,
};
use toml::de::DeValue;

/// Restart types by their words.
pub const RESTARTS: &[(&str, Restart)] = &[
    ("permanent", Restart::Permanent),
    ("transient", Restart::Transient),
    ("temporary", Restart::Temporary),
];

/// The last only for a child of a supervisor.
const DIRECTIVES: &[(&str, Directive)] = &[
    ("restart", Directive::Restart),
    ("resume", Directive::Resume),
    ("stop", Directive::Stop),
    ("escalate", Directive::Escalate),
];

/// `on-crash`: a word for every crash, or a table of them.
pub fn directives(entry: &Entry<'_>, may_escalate: bool, report: &mut Report<'_>) -> Directives {
    let words = &DIRECTIVES[..DIRECTIVES.len() - usize::from(!may_escalate)];
    let mut directives = Directives::from(Directive::Restart);
    let DeValue::Table(_) = entry.value() else {
        if let Some(directive) = entry.choice(words, report) {
            directives.otherwise = directive;
        }
        return directives;
    };
    let Some(section) = entry.section(report) else {
        return directives;
    };
    let mut known = vec!["otherwise"];
    known.extend(Cause::ALL.map(Cause::as_str));
    section.only(&known, report);
    for (_, name, entry) in section.entries() {
        let cause = Cause::ALL.into_iter().find(|cause| cause.as_str() == name);
        // Any other key was reported.
        if cause.is_none() && name != "otherwise" {
            continue;
        }
        let Some(directive) = entry.choice(words, report) else {
            continue;
        };
        match cause {
            Some(cause) => directives.by_cause.push((cause, directive)),
            None => directives.otherwise = directive,
        }
    }
    directives
}

/// `backoff`
pub fn backoff(entry: &Entry<'_>, report: &mut Report<'_>) -> Option<Backoff> {
    let section = entry.section(report)?;
    section.only(&["first", "factor", "cap", "jitter", "reset"], report);
    let mut backoff = Backoff::default();
    let first = section.get("first");
    for (name, place) in [
        ("first", &mut backoff.first_ms),
        ("cap", &mut backoff.cap_ms),
        ("reset", &mut backoff.reset_ms),
    ] {
        let ms = section
            .get(name)
            .and_then(|e| e.duration_ms(&limits::BACKOFF_MS, report));
        *place = ms.unwrap_or(*place);
    }
    for (name, bounds, place) in [
        ("factor", limits::BACKOFF_FACTOR, &mut backoff.factor),
        ("jitter", limits::BACKOFF_JITTER, &mut backoff.jitter),
    ] {
        let number = section.get(name).and_then(|e| e.number(&bounds, report));
        *place = number.unwrap_or(*place);
    }
    if backoff.first_ms > backoff.cap_ms {
        // With `first` as it is by default, it is `cap` that was given.
        let wrong = first.or_else(|| section.get("cap"));
        let message = format!(
            "the first wait, {}, is longer than the longest, {}",
            show_ms(backoff.first_ms),
            show_ms(backoff.cap_ms)
        );
        let help = "`cap` is at least `first`".to_owned();
        wrong
            .as_ref()
            .unwrap_or(entry)
            .fault(&message, Some(help), report);
    }
    Some(backoff)
}

/// `intensity` and `period`, which mean something only together.
pub fn budget(section: &Section<'_>, report: &mut Report<'_>) -> RestartBudget {
    let (intensity, period) = (section.get("intensity"), section.get("period"));
    let alone = match (&intensity, &period) {
        (Some(entry), None) => Some((entry, "an intensity without a period")),
        (None, Some(entry)) => Some((entry, "a period without an intensity")),
        _ => None,
    };
    if let Some((entry, message)) = alone {
        let help = "give both, such as `intensity = 3` and `period = \"5s\"`";
        entry.fault(message, Some(help.to_owned()), report);
    }
    let default = RestartBudget::default();
    RestartBudget {
        intensity: intensity
            .and_then(|e| e.small(&limits::INTENSITY, report))
            .unwrap_or(default.intensity),
        period_ms: period
            .and_then(|e| e.duration_ms(&limits::PERIOD_MS, report))
            .unwrap_or(default.period_ms),
    }
}
