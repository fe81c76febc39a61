//! `[behaviour.NAME.capabilities]`

use super::{
    errors::Report,
    section::{Entry, Section},
    types::{Capabilities, DirGrant},
};
use std::collections::BTreeMap;
use toml::de::DeValue;

/// The grants but those that name behaviours or supervisors, which [`list`] gives.
pub fn read(entry: &Entry<'_>, report: &mut Report<'_>) -> Capabilities {
    let mut capabilities = Capabilities::default();
    let Some(section) = entry.section(report) else {
        return capabilities;
    };
    section.only(&["spawn", "supervise", "env", "dirs", "stdout"], report);
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

/// The values of a list of `capabilities`, to be checked once every name is known.
pub fn list<'d>(section: &Section<'d>, name: &str, report: &mut Report<'_>) -> Vec<Entry<'d>> {
    // A value that is no table was reported where the others are read.
    let capabilities = section
        .get("capabilities")
        .filter(|e| matches!(e.value(), DeValue::Table(_)))
        .and_then(|e| e.section(report));
    let list = capabilities.and_then(|section| section.get(name));
    list.map_or(Vec::new(), |e| e.array(report))
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
