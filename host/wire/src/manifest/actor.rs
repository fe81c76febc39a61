//! What a child and a pool have in common.

use super::{
    behaviour::Known,
    dispatchers::Dispatchers,
    errors::Report,
    limits,
    mailbox::MailboxParts,
    restarts::{RESTARTS, backoff, directives},
    section::{Entry, Section},
    types::{Actor, Behaviour, Directive, Restart, Shutdown},
    value,
};
use toml::de::DeValue;

/// The keys of an actor.
pub const KEYS: [&str; 10] = [
    "behaviour",
    "args",
    "restart",
    "shutdown",
    "on-crash",
    "backoff",
    "attempts",
    "keep-children",
    "mailbox",
    "dispatcher",
];

/// How long an actor may take to stop by default, in milliseconds.
const SHUTDOWN_MS: u64 = 5_000;

/// The actor that a section describes, if it names a behaviour. What it does not say
/// is as the behaviour says.
pub fn read(
    section: &Section<'_>,
    known: &Known<'_>,
    may_escalate: bool,
    report: &mut Report<'_>,
) -> Option<Actor> {
    let behaviour = section
        .require("behaviour", report)
        .and_then(|e| known.name(&e, report));
    let args = section.get("args").and_then(|e| value::to_json(&e, report));
    let restart = section
        .get("restart")
        .and_then(|e| e.choice(RESTARTS, report));
    let shutdown = section.get("shutdown").and_then(|e| shutdown(&e, report));
    let on_crash = section
        .get("on-crash")
        .map(|e| directives(&e, may_escalate, report));
    let backoff = section.get("backoff").and_then(|e| backoff(&e, report));
    let own = MailboxParts::read(section, report);
    let inherited = behaviour.as_deref().map(|name| known.mailbox(name));
    let mailbox = own
        .or(inherited.unwrap_or_default())
        .resolve(section, report);
    let named = behaviour.as_deref().and_then(|name| known.behaviour(name));
    let refined = match named {
        Some(behaviour) => Refined::read(section, &known.dispatchers, behaviour, report),
        None => Refined::read(section, &known.dispatchers, &Behaviour::new(""), report),
    };
    Some(Actor {
        behaviour: behaviour?,
        args,
        restart: restart.unwrap_or(Restart::Permanent),
        shutdown: shutdown.unwrap_or(Shutdown::Within {
            timeout_ms: SHUTDOWN_MS,
        }),
        on_crash: on_crash.unwrap_or_else(|| Directive::Restart.into()),
        backoff,
        attempts: refined.attempts,
        keep_children: refined.keep_children,
        mailbox,
        dispatcher: refined.dispatcher,
    })
}

/// What a behaviour says for all of its actors, and a child or pool otherwise.
pub struct Refined {
    pub attempts: u32,
    pub keep_children: bool,
    pub dispatcher: String,
}

impl Refined {
    /// What a section says, and the behaviour where it says nothing.
    pub fn read(
        section: &Section<'_>,
        dispatchers: &Dispatchers,
        inherited: &Behaviour,
        report: &mut Report<'_>,
    ) -> Self {
        let attempts = section
            .get("attempts")
            .and_then(|e| e.small(&limits::ATTEMPTS, report));
        let keep_children = section.get("keep-children").and_then(|e| e.flag(report));
        let dispatcher = section
            .get("dispatcher")
            .and_then(|e| dispatchers.name(&e, report));
        Self {
            attempts: attempts.unwrap_or(inherited.attempts),
            keep_children: keep_children.unwrap_or(inherited.keep_children),
            dispatcher: dispatcher.unwrap_or_else(|| inherited.dispatcher.clone()),
        }
    }
}

fn shutdown(entry: &Entry<'_>, report: &mut Report<'_>) -> Option<Shutdown> {
    if let DeValue::String(text) = entry.value()
        && text == "kill"
    {
        return Some(Shutdown::Kill);
    }
    let timeout_ms = entry.duration_ms(&limits::SHUTDOWN_MS, report)?;
    Some(Shutdown::Within { timeout_ms })
}
