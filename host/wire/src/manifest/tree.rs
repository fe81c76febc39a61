//! `[[supervisor]]`, `[[supervisor.child]]` and `[[pool]]`

use super::{
    actor,
    behaviour::Known,
    errors::Report,
    nest,
    restarts::{RESTARTS, budget},
    section::{Entry, Section},
    types::{Actor, AutoShutdown, Pool, Restart, RestartBudget, Strategy, Supervisor},
};
use std::collections::HashMap;

/// Every supervisor and pool of the document. They share one space of names.
pub fn read(
    root: &Section<'_>,
    known: &Known<'_>,
    report: &mut Report<'_>,
) -> (Vec<Supervisor>, Vec<Pool>) {
    let mut taken = Taken::default();
    let mut tables = Vec::new();
    for entry in list(root, "supervisor", report) {
        let section = entry.section(report);
        tables.extend(section.map(|s| supervisor(&s, known, &mut taken, report)));
    }
    let mut pools = Vec::new();
    for entry in list(root, "pool", report) {
        let section = entry.section(report);
        pools.extend(section.and_then(|s| pool(&s, known, &mut taken, report)));
    }
    (nest::nest(tables, report), pools)
}

fn list<'d>(section: &Section<'d>, name: &str, report: &mut Report<'_>) -> Vec<Entry<'d>> {
    section.get(name).map_or(Vec::new(), |e| e.array(report))
}

/// Names that are in use, and what by.
#[derive(Default)]
struct Taken(HashMap<String, (&'static str, usize)>);

impl Taken {
    /// The section's `name`, unless it is bad or taken, which is reported.
    fn name(
        &mut self,
        section: &Section<'_>,
        kind: &'static str,
        report: &mut Report<'_>,
    ) -> Option<String> {
        let entry = section.require("name", report)?;
        let name = entry.name(report)?;
        if let Some((owner, at)) = self.0.insert(name.clone(), (kind, entry.at())) {
            let line = report.line(at);
            let message = format!("a {owner} has the name `{name}` already, in line {line}");
            entry.fault(&message, None, report);
        }
        Some(name)
    }
}

/// One `[[supervisor]]`, before those below it are put into it.
pub struct Table<'d> {
    /// Its name, if it has a right one.
    pub name: Option<String>,
    pub strategy: Strategy,
    pub budget: RestartBudget,
    pub auto_shutdown: AutoShutdown,
    pub restart: Restart,
    /// Where the file says `restart`.
    pub restart_entry: Option<Entry<'d>>,
    pub children: Vec<Place<'d>>,
}

/// One `[[supervisor.child]]`.
pub struct Place<'d> {
    pub name: String,
    pub significant: bool,
    /// Where the file says `significant`.
    pub significant_entry: Option<Entry<'d>>,
    pub who: Who<'d>,
}

/// Who takes a child's place.
pub enum Who<'d> {
    Actor(Box<Actor>),
    /// The supervisor of this name, and where the file says so.
    Supervisor(String, Entry<'d>),
}

const STRATEGIES: &[(&str, Strategy)] = &[
    ("one-for-one", Strategy::OneForOne),
    ("one-for-all", Strategy::OneForAll),
    ("rest-for-one", Strategy::RestForOne),
];

const AUTO_SHUTDOWNS: &[(&str, AutoShutdown)] = &[
    ("never", AutoShutdown::Never),
    ("any-significant", AutoShutdown::AnySignificant),
    ("all-significant", AutoShutdown::AllSignificant),
];

fn supervisor<'d>(
    section: &Section<'d>,
    known: &Known<'_>,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Table<'d> {
    section.only(
        &[
            "name",
            "strategy",
            "intensity",
            "period",
            "auto-shutdown",
            "restart",
            "child",
        ],
        report,
    );
    let name = taken.name(section, "supervisor or pool", report);
    let strategy = section
        .get("strategy")
        .and_then(|e| e.choice(STRATEGIES, report));
    let auto_shutdown = section
        .get("auto-shutdown")
        .and_then(|e| e.choice(AUTO_SHUTDOWNS, report));
    let restart_entry = section.get("restart");
    let restart = restart_entry
        .as_ref()
        .and_then(|e| e.choice(RESTARTS, report));
    let budget = budget(section, report);
    let mut names = Taken::default();
    let mut children = Vec::new();
    for entry in list(section, "child", report) {
        let child_section = entry.section(report);
        children.extend(child_section.and_then(|s| child(&s, known, &mut names, report)));
    }
    Table {
        name,
        strategy: strategy.unwrap_or(Strategy::OneForOne),
        budget,
        auto_shutdown: auto_shutdown.unwrap_or(AutoShutdown::Never),
        restart: restart.unwrap_or(Restart::Permanent),
        restart_entry,
        children,
    }
}

fn child<'d>(
    section: &Section<'d>,
    known: &Known<'_>,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Option<Place<'d>> {
    let own_keys = ["name", "significant", "supervisor"];
    section.only(&[&own_keys[..], &actor::KEYS].concat(), report);
    let name = taken.name(section, "child of this supervisor", report);
    let significant_entry = section.get("significant");
    let significant = significant_entry.as_ref().and_then(|e| e.flag(report));
    let who = match (section.get("supervisor"), section.get("behaviour")) {
        (Some(entry), _) => {
            refuse_actor_keys(section, report);
            let name = entry.text(report);
            name.map(|name| Who::Supervisor(name, entry))
        }
        (None, Some(_)) => actor::read(section, known, true, report)
            .map(Box::new)
            .map(Who::Actor),
        (None, None) => {
            let help = "give `behaviour`, what an actor runs, or `supervisor`, the name of \
                        another one of this file";
            let message = "nothing says who takes this place";
            report.add(section.at(), section.key(), message, Some(help.to_owned()));
            None
        }
    };
    Some(Place {
        name: name?,
        significant: significant.unwrap_or(false),
        significant_entry,
        who: who?,
    })
}

/// What a supervisor does as a child stands in its own table.
fn refuse_actor_keys(section: &Section<'_>, report: &mut Report<'_>) {
    for key in actor::KEYS {
        let Some(entry) = section.get(key) else {
            continue;
        };
        let help = match key {
            "restart" => "give it in that supervisor's own table",
            "shutdown" => "a supervisor waits for its children as long as each of them may take",
            _ => "take it out, or `supervisor`",
        };
        let message = "only an actor has this, and this child is a supervisor";
        entry.fault(message, Some(help.to_owned()), report);
    }
}

fn pool(
    section: &Section<'_>,
    known: &Known<'_>,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Option<Pool> {
    let own_keys = ["name", "intensity", "period"];
    section.only(&[&own_keys[..], &actor::KEYS].concat(), report);
    let name = taken.name(section, "supervisor or pool", report);
    let budget = budget(section, report);
    let actor = actor::read(section, known, false, report);
    Some(Pool {
        name: name?,
        budget,
        actor: actor?,
    })
}
