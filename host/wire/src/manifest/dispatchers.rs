//! `[dispatchers.NAME]`

use super::{
    errors::Report,
    limits,
    section::{Entry, Section, check_name},
    types::{BLOCKING_DISPATCHER, DEFAULT_DISPATCHER, NodeSettings},
};
use crate::nearest::nearest;

/// Names of the node's dispatchers.
pub struct Dispatchers(Vec<String>);

impl Dispatchers {
    /// The name that a value gives, if it is a dispatcher's; reported otherwise.
    pub fn name(&self, entry: &Entry<'_>, report: &mut Report<'_>) -> Option<String> {
        let name = entry.text(report)?;
        if self.0.contains(&name) {
            return Some(name);
        }
        let help = match nearest(&name, self.0.iter().map(String::as_str)) {
            Some(known) => format!("did you mean \"{known}\"?"),
            None => "give it a table `[dispatchers.NAME]`".to_owned(),
        };
        entry.fault("no dispatcher of this name", Some(help), report);
        None
    }
}

/// Every dispatcher of the document, entered into the node's settings. Two are there
/// without being given.
pub fn read(root: &Section<'_>, node: &mut NodeSettings, report: &mut Report<'_>) -> Dispatchers {
    let mut names = vec![
        DEFAULT_DISPATCHER.to_owned(),
        BLOCKING_DISPATCHER.to_owned(),
    ];
    let Some(section) = root.get("dispatchers").and_then(|e| e.section(report)) else {
        return Dispatchers(names);
    };
    for (at, name, entry) in section.entries() {
        check_name(name, at, entry.key(), report);
        // Whoever names it shall not hear of the same fault again.
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        let Some(section) = entry.section(report) else {
            continue;
        };
        section.only(&["threads"], report);
        let Some(entry) = section.require("threads", report) else {
            continue;
        };
        let Some(threads) = entry.small(&limits::THREADS, report) else {
            continue;
        };
        if name != DEFAULT_DISPATCHER {
            node.dispatchers.push((name.to_owned(), threads as usize));
            continue;
        }
        match node.threads.replace(threads) {
            Some(said) if said != threads => {
                let message = format!("`node.threads` says {said} of the same dispatcher");
                entry.fault(&message, Some("give one of the two".to_owned()), report);
            }
            _ => {}
        }
    }
    Dispatchers(names)
}
