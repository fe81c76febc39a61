//! `[behaviour.NAME]`

use super::{
    errors::Report,
    limits,
    section::{Entry, Section, check_name},
    types::{Behaviour, Capabilities, DirGrant, Mailbox, Overflow},
};
use crate::nearest::nearest;
use std::collections::BTreeMap;
use toml::de::DeValue;

/// The behaviours, with what children and pools refine.
#[derive(Default)]
pub struct Known {
    behaviours: Vec<Behaviour>,
    mailboxes: Vec<MailboxParts>,
}

impl Known {
    pub fn into_behaviours(self) -> Vec<Behaviour> {
        self.behaviours
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.behaviours.iter().map(|b| b.name.as_str())
    }

    /// The name that a value gives, if it is a behaviour's; reported otherwise.
    pub fn name(&self, entry: &Entry<'_>, report: &mut Report<'_>) -> Option<String> {
        let name = entry.text(report)?;
        if self.names().any(|known| known == name) {
            return Some(name);
        }
        let help = match nearest(&name, self.names()) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => "give it a table `[behaviour.NAME]`".to_owned(),
        };
        entry.fault("no behaviour of this name", Some(help), report);
        None
    }

    /// The mailbox settings of a behaviour.
    pub fn mailbox(&self, name: &str) -> MailboxParts {
        let place = self.names().position(|known| known == name);
        place.map_or(MailboxParts::default(), |at| self.mailboxes[at])
    }
}

/// Every behaviour of the document.
pub fn read_all(root: &Section<'_>, report: &mut Report<'_>) -> Known {
    let mut known = Known::default();
    let Some(section) = root.get("behaviour").and_then(|e| e.section(report)) else {
        return known;
    };
    let mut spawns = Vec::new();
    for (at, name, entry) in section.entries() {
        check_name(name, at, entry.key(), report);
        let mut behaviour = Behaviour::new(name);
        let mut mailbox = MailboxParts::default();
        if let Some(section) = entry.section(report) {
            mailbox = read(&section, &mut behaviour, report);
            spawns.extend(spawn_entries(&section, known.behaviours.len(), report));
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

fn read(section: &Section<'_>, behaviour: &mut Behaviour, report: &mut Report<'_>) -> MailboxParts {
    section.only(
        &[
            "module",
            "crate",
            "memory",
            "fuel-per-turn",
            "message-size",
            "log-rate",
            "children",
            "effects-per-turn",
            "throughput",
            "hibernate",
            "mailbox",
            "capabilities",
        ],
        report,
    );
    read_source(section, behaviour, report);
    read_limits(section, behaviour, report);
    if let Some(flag) = section.get("hibernate").and_then(|e| e.flag(report)) {
        behaviour.hibernate = flag;
    }
    if let Some(entry) = section.get("capabilities") {
        behaviour.capabilities = read_capabilities(&entry, report);
    }
    let mailbox = MailboxParts::read(section, report);
    behaviour.mailbox = mailbox.resolve(section, report);
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

fn read_capabilities(entry: &Entry<'_>, report: &mut Report<'_>) -> Capabilities {
    let mut capabilities = Capabilities::default();
    let Some(section) = entry.section(report) else {
        return capabilities;
    };
    section.only(&["spawn", "env", "dirs", "stdout"], report);
    if let Some(env) = section.get("env").and_then(|e| e.section(report)) {
        capabilities.env = read_env(&env, report);
    }
    for dir in section.get("dirs").map_or(Vec::new(), |e| e.array(report)) {
        capabilities.dirs.extend(read_dir(&dir, report));
    }
    if let Some(flag) = section.get("stdout").and_then(|e| e.flag(report)) {
        capabilities.stdout = flag;
    }
    capabilities
}

/// The values of `capabilities.spawn`, to be checked once every name is known.
fn spawn_entries<'d>(
    section: &Section<'d>,
    owner: usize,
    report: &mut Report<'_>,
) -> Vec<(usize, Entry<'d>)> {
    // A value that is no table was reported where the others are read.
    let capabilities = section
        .get("capabilities")
        .filter(|e| matches!(e.value(), DeValue::Table(_)))
        .and_then(|e| e.section(report));
    let spawn = capabilities.and_then(|section| section.get("spawn"));
    let names = spawn.map_or(Vec::new(), |e| e.array(report));
    names.into_iter().map(|name| (owner, name)).collect()
}

fn read_env(section: &Section<'_>, report: &mut Report<'_>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    for (at, name, entry) in section.entries() {
        if name.is_empty() || name.contains(['=', '\0']) {
            report.add(at, entry.key(), "not a name of a variable", None);
        }
        if let Some(value) = entry.text(report) {
            env.insert(name.to_owned(), value);
        }
    }
    env
}

fn read_dir(entry: &Entry<'_>, report: &mut Report<'_>) -> Option<DirGrant> {
    let section = entry.section(report)?;
    section.only(&["host", "guest", "write"], report);
    let host = section.require("host", report);
    let guest = section.require("guest", report);
    let write = section.get("write").map(|e| e.flag(report));
    let guest_path = guest.as_ref().and_then(|e| e.filled_text(report));
    if let (Some(entry), Some(path)) = (&guest, &guest_path)
        && !path.starts_with('/')
    {
        let help = "the guest sees it under an absolute path, such as \"/data\"";
        entry.fault("not an absolute path", Some(help.to_owned()), report);
    }
    Some(DirGrant {
        host: host.and_then(|e| e.filled_text(report))?,
        guest: guest_path?,
        write: write.unwrap_or(Some(false))?,
    })
}

/// The parts of a mailbox that one table gives.
#[derive(Clone, Copy, Default)]
pub struct MailboxParts {
    capacity: Option<u32>,
    blocks: Option<bool>,
    timeout_ms: Option<(u64, usize)>,
}

/// How long a blocked sender waits by default, in milliseconds.
const BLOCK_TIMEOUT_MS: u64 = 5_000;

impl MailboxParts {
    /// Reads `mailbox` of a behaviour, child or pool.
    pub fn read(section: &Section<'_>, report: &mut Report<'_>) -> Self {
        let mut parts = Self::default();
        let Some(mailbox) = section.get("mailbox").and_then(|e| e.section(report)) else {
            return parts;
        };
        mailbox.only(&["capacity", "overflow", "block-timeout"], report);
        parts.capacity = mailbox
            .get("capacity")
            .and_then(|e| e.small(&limits::CAPACITY, report));
        parts.blocks = mailbox
            .get("overflow")
            .and_then(|e| e.choice(&[("reject", false), ("block", true)], report));
        parts.timeout_ms = mailbox.get("block-timeout").and_then(|e| {
            let ms = e.duration_ms(&limits::BLOCK_TIMEOUT_MS, report)?;
            Some((ms, e.at()))
        });
        parts
    }

    /// These parts, and the other's where these have none.
    pub fn or(self, other: Self) -> Self {
        let blocks = self.blocks.or(other.blocks);
        let inherited = other.timeout_ms.filter(|_| blocks == Some(true));
        Self {
            capacity: self.capacity.or(other.capacity),
            blocks,
            timeout_ms: self.timeout_ms.or(inherited),
        }
    }

    /// The mailbox that the parts make in a section.
    pub fn resolve(self, section: &Section<'_>, report: &mut Report<'_>) -> Mailbox {
        let default = Mailbox::default();
        let overflow = match (self.blocks, self.timeout_ms) {
            (Some(true), timeout) => Overflow::Block {
                timeout_ms: timeout.map_or(BLOCK_TIMEOUT_MS, |(ms, _)| ms),
            },
            (_, Some((_, at))) => {
                let message = "only a mailbox with `overflow = \"block\"` has a timeout";
                let key = format!("{}.mailbox.block-timeout", section.key());
                report.add(at, &key, message, None);
                default.overflow
            }
            (_, None) => default.overflow,
        };
        Mailbox {
            capacity: self.capacity.unwrap_or(default.capacity),
            overflow,
        }
    }
}
