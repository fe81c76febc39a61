//! Puts supervisors into the places that their parents have for them, and checks what
//! parent and child promise each other.

use super::{
    errors::Report,
    limits::TREE_DEPTH_MAX,
    section::Entry,
    tree::{Place, Table, Who},
    types::{AutoShutdown, Child, ChildKind, Restart, Supervisor},
};
use crate::nearest::nearest;
use std::collections::{BTreeMap, HashMap};

/// The supervisors that are nobody's child, each with what is below it.
pub fn nest(tables: Vec<Table<'_>>, report: &mut Report<'_>) -> Vec<Supervisor> {
    check_significant(&tables, report);
    let by_name = by_name(&tables);
    let mut parents = vec![None; tables.len()];
    for (parent, table) in tables.iter().enumerate() {
        for (place, child) in table.children.iter().enumerate() {
            if let Who::Supervisor(name, entry) = &child.who
                && let Some(index) = find(name, entry, &by_name, report)
            {
                adopt(
                    index,
                    Parent {
                        index: parent,
                        place,
                    },
                    &tables,
                    &mut parents,
                    report,
                );
            }
        }
    }
    report_rings(&tables, &parents, report);
    for (table, parent) in tables.iter().zip(&parents) {
        if parent.is_none() {
            check_top(table, report);
        }
    }
    let names: HashMap<String, usize> = by_name
        .into_iter()
        .map(|(name, index)| (name.to_owned(), index))
        .collect();
    let mut tables: Vec<_> = tables.into_iter().map(Some).collect();
    let tops = (0..tables.len()).filter(|index| parents[*index].is_none());
    tops.collect::<Vec<_>>()
        .into_iter()
        .filter_map(|index| build(index, 1, &names, &mut tables, report))
        .collect()
}

/// Where a supervisor is a child.
#[derive(Clone, Copy)]
struct Parent {
    /// Whose.
    index: usize,
    /// Which of its children.
    place: usize,
}

impl Parent {
    fn entry<'t, 'd>(self, tables: &'t [Table<'d>]) -> &'t Entry<'d> {
        match &tables[self.index].children[self.place].who {
            Who::Supervisor(_, entry) => entry,
            Who::Actor(_) => unreachable!("only supervisors are given parents"),
        }
    }
}

fn by_name<'t>(tables: &'t [Table<'_>]) -> BTreeMap<&'t str, usize> {
    let mut by_name = BTreeMap::new();
    for (index, table) in tables.iter().enumerate() {
        if let Some(name) = &table.name {
            by_name.entry(name.as_str()).or_insert(index);
        }
    }
    by_name
}

fn find(
    name: &str,
    entry: &Entry<'_>,
    by_name: &BTreeMap<&str, usize>,
    report: &mut Report<'_>,
) -> Option<usize> {
    let found = by_name.get(name).copied();
    if found.is_none() {
        let help = match nearest(name, by_name.keys().copied()) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => "give it a table `[[supervisor]]`".to_owned(),
        };
        entry.fault("no supervisor of this name", Some(help), report);
    }
    found
}

/// Enters the parent of a supervisor, which has none yet and is not it itself.
fn adopt(
    index: usize,
    parent: Parent,
    tables: &[Table<'_>],
    parents: &mut [Option<Parent>],
    report: &mut Report<'_>,
) {
    let entry = parent.entry(tables);
    let table = &tables[index];
    let name = table.name.as_deref().unwrap_or_default();
    if index == parent.index {
        let message = format!("the supervisor `{name}` is a child of itself");
        let help = "name another one".to_owned();
        entry.fault(&message, Some(help), report);
        return;
    }
    if let Some(first) = parents[index] {
        let first = first.entry(tables);
        let message = format!(
            "the supervisor `{name}` is a child already, by `{}` in line {}",
            first.key(),
            report.line(first.at())
        );
        let help = "it has one parent; take one of the two out".to_owned();
        entry.fault(&message, Some(help), report);
        return;
    }
    parents[index] = Some(parent);
    let place = &tables[parent.index].children[parent.place];
    if table.restart == Restart::Permanent
        && let Some(entry) = place
            .significant_entry
            .as_ref()
            .filter(|_| place.significant)
    {
        permanent(
            entry,
            &format!("in the table of the supervisor `{name}`"),
            report,
        );
    }
}

/// Reports each ring of supervisors once, from its first table on.
fn report_rings(tables: &[Table<'_>], parents: &[Option<Parent>], report: &mut Report<'_>) {
    // The table whose walk towards the top first came by.
    let mut walked: Vec<Option<usize>> = vec![None; tables.len()];
    for start in 0..tables.len() {
        let mut at = start;
        while walked[at].is_none() {
            walked[at] = Some(start);
            match parents[at] {
                Some(parent) => at = parent.index,
                None => break,
            }
        }
        // It came back to where it had been itself, unless `at` is a top.
        if walked[at] == Some(start)
            && let Some(parent) = parents[at]
        {
            report_ring(at, parent, tables, parents, report);
        }
    }
}

fn report_ring(
    start: usize,
    parent: Parent,
    tables: &[Table<'_>],
    parents: &[Option<Parent>],
    report: &mut Report<'_>,
) {
    let name = |index: usize| tables[index].name.as_deref().unwrap_or_default();
    let mut ring = vec![name(start)];
    let mut lines = vec![report.line(parent.entry(tables).at())];
    let mut at = parent;
    while at.index != start {
        ring.push(name(at.index));
        let Some(next) = parents[at.index] else {
            return;
        };
        lines.push(report.line(next.entry(tables).at()));
        at = next;
    }
    ring.push(name(start));
    ring.reverse();
    lines.sort_unstable();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let message = format!(
        "supervisors cannot be below each other in a ring: {}",
        ring.join(" → ")
    );
    let help = format!("take out one of the children in lines {}", lines.join(", "));
    parent.entry(tables).fault(&message, Some(help), report);
}

/// What a significant child asks of its parent and of itself (OTP refuses the same).
fn check_significant(tables: &[Table<'_>], report: &mut Report<'_>) {
    for table in tables {
        for place in table.children.iter().filter(|place| place.significant) {
            let Some(entry) = &place.significant_entry else {
                continue;
            };
            if table.auto_shutdown == AutoShutdown::Never {
                let message = "a significant child of a supervisor that never shuts down by itself";
                let help = "give the supervisor `auto-shutdown = \"any-significant\"` or \
                            \"all-significant\"";
                entry.fault(message, Some(help.to_owned()), report);
            }
            if let Who::Actor(actor) = &place.who
                && actor.restart == Restart::Permanent
            {
                permanent(entry, "with it", report);
            }
        }
    }
}

fn permanent(entry: &Entry<'_>, place: &str, report: &mut Report<'_>) {
    let message = "a significant child cannot be permanent: it would never end by itself";
    let help = format!("give `restart = \"transient\"` or \"temporary\" {place}");
    entry.fault(message, Some(help), report);
}

/// A supervisor of the top is the node's own.
fn check_top(table: &Table<'_>, report: &mut Report<'_>) {
    if let Some(entry) = &table.restart_entry
        && table.restart != Restart::Permanent
    {
        let help = "make it the child of another supervisor, or take it out";
        entry.fault(
            "a supervisor that is no child is always permanent",
            Some(help.to_owned()),
            report,
        );
    }
}

/// Takes a supervisor and all below it out of the tables.
fn build(
    index: usize,
    depth: usize,
    names: &HashMap<String, usize>,
    tables: &mut [Option<Table<'_>>],
    report: &mut Report<'_>,
) -> Option<Supervisor> {
    // A second place for it was reported.
    let table = tables[index].take()?;
    let children = table.children.into_iter();
    let children = children.filter_map(|place| child(place, depth, names, tables, report));
    Some(Supervisor {
        strategy: table.strategy,
        budget: table.budget,
        auto_shutdown: table.auto_shutdown,
        restart: table.restart,
        children: children.collect(),
        name: table.name?,
    })
}

fn child(
    place: Place<'_>,
    depth: usize,
    names: &HashMap<String, usize>,
    tables: &mut [Option<Table<'_>>],
    report: &mut Report<'_>,
) -> Option<Child> {
    let kind = match place.who {
        Who::Actor(actor) => ChildKind::Actor(*actor),
        Who::Supervisor(_, entry) if depth == TREE_DEPTH_MAX => {
            let message = format!("more than {TREE_DEPTH_MAX} supervisors within each other");
            entry.fault(&message, None, report);
            return None;
        }
        Who::Supervisor(name, _) => {
            let index = *names.get(&name)?;
            ChildKind::Supervisor(build(index, depth + 1, names, tables, report)?)
        }
    };
    Some(Child {
        name: place.name,
        significant: place.significant,
        kind,
    })
}
