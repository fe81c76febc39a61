//! Paths of supervisors, as `capabilities.supervise` names them.

use super::{
    errors::Report,
    section::Entry,
    types::{ChildKind, Supervisor},
};
use crate::nearest::nearest;
use std::collections::BTreeSet;

/// The paths of these supervisors and of all below them.
pub fn of_supervisors(supervisors: &[Supervisor]) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for supervisor in supervisors {
        add(format!("/{}", supervisor.name), supervisor, &mut paths);
    }
    paths
}

/// Supervisors are within each other only so deep that this cannot use up the stack.
fn add(path: String, supervisor: &Supervisor, paths: &mut BTreeSet<String>) {
    for child in &supervisor.children {
        if let ChildKind::Supervisor(below) = &child.kind {
            add(format!("{path}/{}", child.name), below, paths);
        }
    }
    paths.insert(path);
}

/// A supervisor's path, or one with `/*` behind it for every supervisor below; reported
/// when there is no such supervisor.
pub fn read_pattern(
    entry: &Entry<'_>,
    paths: &BTreeSet<String>,
    report: &mut Report<'_>,
) -> Option<String> {
    let pattern = entry.text(report)?;
    let path = pattern.strip_suffix("/*").unwrap_or(&pattern);
    if pattern == "/*" || paths.contains(path) {
        return Some(pattern);
    }
    let help = match nearest(path, paths.iter().map(String::as_str)) {
        Some(known) => format!("did you mean \"{known}\"?"),
        None => "give a supervisor's path, such as \"/bank\", or \"/bank/*\" for every \
                 supervisor below it"
            .to_owned(),
    };
    entry.fault("no supervisor of this path", Some(help), report);
    None
}
