//! `[behaviour.NAME]`

use super::{
    actor::Refined,
    capabilities,
    dispatchers::Dispatchers,
    errors::Report,
    limits,
    mailbox::MailboxParts,
    paths,
    section::{Entry, Section, check_name},
    types::{Behaviour, Supervisor},
};
use crate::nearest::nearest;
use toml::de::DeValue;

/// The behaviours, with what children and pools refine and what is still to be checked.
pub struct Known<'d> {
    behaviours: Vec<Behaviour>,
    mailboxes: Vec<MailboxParts>,
    /// Each value of a `capabilities.supervise`, with the number of its behaviour.
    supervise: Vec<(usize, Entry<'d>)>,
    /// The node's dispatchers.
    pub dispatchers: Dispatchers,
}

impl<'d> Known<'d> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.behaviours.iter().map(|b| b.name.as_str())
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names().position(|known| known == name)
    }

    /// The behaviour of this name.
    pub fn behaviour(&self, name: &str) -> Option<&Behaviour> {
        self.place(name).map(|at| &self.behaviours[at])
    }

    /// The mailbox settings of a behaviour.
    pub fn mailbox(&self, name: &str) -> MailboxParts {
        let place = self.place(name);
        place.map_or_else(MailboxParts::default, |at| self.mailboxes[at].clone())
    }

    /// The name that a value gives, if it is a behaviour's; reported otherwise.
    pub fn name(&self, entry: &Entry<'_>, report: &mut Report<'_>) -> Option<String> {
        let name = entry.text(report)?;
        if self.place(&name).is_some() {
            return Some(name);
        }
        let help = match nearest(&name, self.names()) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => "give it a table `[behaviour.NAME]`".to_owned(),
        };
        entry.fault("no behaviour of this name", Some(help), report);
        None
    }

    /// The behaviours, with the supervisors that they manage, now that those are known.
    pub fn finish(mut self, supervisors: &[Supervisor], report: &mut Report<'_>) -> Vec<Behaviour> {
        if !self.supervise.is_empty() {
            let paths = paths::of_supervisors(supervisors);
            for (owner, entry) in self.supervise {
                if let Some(path) = paths::read_pattern(&entry, &paths, report) {
                    self.behaviours[owner].capabilities.supervise.push(path);
                }
            }
        }
        self.behaviours
    }
}

/// Every behaviour of the document.
pub fn read_all<'d>(
    root: &Section<'d>,
    dispatchers: Dispatchers,
    report: &mut Report<'_>,
) -> Known<'d> {
    let mut known = Known {
        behaviours: Vec::new(),
        mailboxes: Vec::new(),
        supervise: Vec::new(),
        dispatchers,
    };
    let Some(section) = root.get("behaviour").and_then(|e| e.section(report)) else {
        return known;
    };
    let mut spawns = Vec::new();
    for (at, name, entry) in section.entries() {
        check_name(name, at, entry.key(), report);
        let mut behaviour = Behaviour::new(name);
        let mut mailbox = MailboxParts::default();
        if let Some(section) = entry.section(report) {
            mailbox = read(&section, &mut behaviour, &known.dispatchers, report);
            let owner = known.behaviours.len();
            for name in capabilities::list(&section, "spawn", report) {
                spawns.push((owner, name));
            }
            for path in capabilities::list(&section, "supervise", report) {
                known.supervise.push((owner, path));
            }
        }
        known.behaviours.push(behaviour);
        known.mailboxes.push(mailbox);
    }
    // A behaviour may spawn one that comes later in the file.
    for (owner, entry) in spawns {
        if let Some(name) = known.name(&entry, report) {
            known.behaviours[owner].capabilities.spawn.push(name);
        }
    }
    known
}

const KEYS: &[&str] = &[
    "module",
    "crate",
    "memory",
    "fuel-per-turn",
    "deadline",
    "message-size",
    "log-rate",
    "children",
    "effects-per-turn",
    "timers",
    "asks",
    "stash",
    "links",
    "names",
    "groups",
    "throughput",
    "dispatcher",
    "attempts",
    "keep-children",
    "hibernate",
    "mailbox",
    "capabilities",
];

fn read(
    section: &Section<'_>,
    behaviour: &mut Behaviour,
    dispatchers: &Dispatchers,
    report: &mut Report<'_>,
) -> MailboxParts {
    section.only(KEYS, report);
    read_source(section, behaviour, report);
    read_limits(section, behaviour, report);
    let refined = Refined::read(section, dispatchers, behaviour, report);
    behaviour.attempts = refined.attempts;
    behaviour.keep_children = refined.keep_children;
    behaviour.dispatcher = refined.dispatcher;
    if let Some(flag) = section.get("hibernate").and_then(|e| e.flag(report)) {
        behaviour.hibernate = flag;
    }
    if let Some(entry) = section.get("capabilities") {
        behaviour.capabilities = capabilities::read(&entry, report);
    }
    let mailbox = MailboxParts::read(section, report);
    behaviour.mailbox = mailbox.clone().resolve(section, report);
    mailbox
}

fn read_source(section: &Section<'_>, behaviour: &mut Behaviour, report: &mut Report<'_>) {
    let (module, folder) = (section.get("module"), section.get("crate"));
    if module.is_none() && folder.is_none() {
        let help = "give `module`, a component's file, or `crate`, the folder that builds it";
        report.add(
            section.at(),
            section.key(),
            "nothing says what it runs",
            Some(help.to_owned()),
        );
    }
    behaviour.module = module.and_then(|e| e.filled_text(report));
    behaviour.crate_dir = folder.and_then(|e| e.filled_text(report));
}

fn read_limits(section: &Section<'_>, behaviour: &mut Behaviour, report: &mut Report<'_>) {
    if let Some(bytes) = section
        .get("memory")
        .and_then(|e| e.size_bytes(&limits::MEMORY_BYTES, report))
    {
        behaviour.memory_bytes = bytes;
    }
    if let Some(bytes) = section
        .get("message-size")
        .and_then(|e| e.size_bytes(&limits::MESSAGE_BYTES, report))
    {
        behaviour.message_bytes = bytes;
    }
    if let Some(entry) = section.get("fuel-per-turn") {
        read_fuel(&entry, behaviour, report);
    }
    if let Some(entry) = section.get("deadline") {
        read_deadline(&entry, behaviour, report);
    }
    for (name, bounds, place) in [
        (
            "log-rate",
            limits::LOG_LINES,
            &mut behaviour.log_lines_per_second,
        ),
        ("children", limits::CHILDREN, &mut behaviour.children),
        (
            "effects-per-turn",
            limits::EFFECTS,
            &mut behaviour.effects_per_turn,
        ),
        ("timers", limits::HELD, &mut behaviour.timers),
        ("asks", limits::HELD, &mut behaviour.asks),
        ("stash", limits::HELD, &mut behaviour.stash),
        ("links", limits::HELD, &mut behaviour.links),
        ("names", limits::HELD, &mut behaviour.names),
        ("groups", limits::HELD, &mut behaviour.groups),
        ("throughput", limits::THROUGHPUT, &mut behaviour.throughput),
    ] {
        if let Some(number) = section.get(name).and_then(|e| e.small(&bounds, report)) {
            *place = number;
        }
    }
}

fn read_fuel(entry: &Entry<'_>, behaviour: &mut Behaviour, report: &mut Report<'_>) {
    match entry.value() {
        DeValue::String(text) if text == "unlimited" => behaviour.fuel_per_turn = None,
        DeValue::String(_) => entry.fault("expected a whole number or \"unlimited\"", None, report),
        _ => {
            let fuel = entry.integer(&limits::FUEL_PER_TURN, report);
            behaviour.fuel_per_turn = fuel.or(behaviour.fuel_per_turn);
        }
    }
}

fn read_deadline(entry: &Entry<'_>, behaviour: &mut Behaviour, report: &mut Report<'_>) {
    if let DeValue::String(text) = entry.value()
        && text == "unlimited"
    {
        behaviour.deadline_ms = None;
        return;
    }
    let deadline_ms = entry.duration_ms(&limits::DEADLINE_MS, report);
    behaviour.deadline_ms = deadline_ms.or(behaviour.deadline_ms);
}
