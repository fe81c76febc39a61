//! State, which may come over by `save`, `migrate` and `load`.

use super::{
    Side,
    difference::{Difference, Role, Rule, Severity},
    found::Found,
    walk::Walk,
};
use crate::schema::path::Path;

/// A raised state version says that the new module migrates from the older ones: the
/// SDK calls `migrate` when the versions differ, and its default refuses.
pub fn compare(old: &Side<'_>, new: &Side<'_>, found: &mut Found) {
    match (old.can_save, new.can_save) {
        (false, false) => {}
        (false, true) => found.add_told(told(
            Severity::Warning,
            Rule::StateNotSaved,
            ("no `save`".to_owned(), "`save` and `load`".to_owned()),
            "the old version saves no state, so actors that live now can't move",
            Some("stop them, or let them end, before the swap"),
        )),
        (true, false) => found.add_told(told(
            Severity::Breaks,
            Rule::StateNotLoaded,
            ("`save` and `load`".to_owned(), "no `load`".to_owned()),
            "the new version can't load the state of actors that live now",
            Some("leave out `no_save`"),
        )),
        (true, true) => versions(old, new, found),
    }
}

fn versions(old: &Side<'_>, new: &Side<'_>, found: &mut Found) {
    let shown = || {
        let shown = |version| format!("state version {version}");
        (shown(old.state_version), shown(new.state_version))
    };
    if new.state_version < old.state_version {
        found.add_told(told(
            Severity::Breaks,
            Rule::StateVersionLowered,
            shown(),
            "an older version does not know how to read the state of a newer one",
            Some("go on: deploy a version with a higher `state_version` and a `migrate`"),
        ));
        return;
    }
    if new.state_version > old.state_version {
        found.migrates_from = Some(old.state_version);
        found.add_told(told(
            Severity::Fine,
            Rule::StateVersionRaised,
            shown(),
            "`migrate` makes the new state; a roll-back would be refused",
            None,
        ));
    }
    match (old.state, new.state) {
        (Some(old), Some(new)) => {
            Walk::new(Role::State, found).types(old.root(), new.root(), Path::Root);
        }
        // Who migrates says what the bytes are.
        _ if found.migrates_from.is_some() => {}
        _ => found.add_told(told(
            Severity::Warning,
            Rule::StateWithoutSchema,
            (schema_of(old), schema_of(new)),
            "without both schemas it is not known whether the new version reads the old state",
            Some("give both versions a state schema"),
        )),
    }
}

fn schema_of(side: &Side<'_>) -> String {
    match side.state {
        Some(_) => "a state schema".to_owned(),
        None => "no state schema".to_owned(),
    }
}

fn told(
    severity: Severity,
    rule: Rule,
    (was, is): (String, String),
    why: &str,
    help: Option<&str>,
) -> Difference {
    Difference {
        severity,
        role: Role::State,
        place: "$".to_owned(),
        rule,
        was: Some(was),
        is: Some(is),
        why: why.to_owned(),
        help: help.map(str::to_owned),
    }
}
