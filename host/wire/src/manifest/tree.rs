//! `[[supervisor]]`, `[[supervisor.child]]` and `[[pool]]`

use super::{
    behaviour::{Known, MailboxParts},
    errors::Report,
    limits,
    section::{Entry, Section},
    types::{Child, OnCrash, Pool, Restart, RestartBudget, Shutdown, Strategy, Supervisor},
    value,
};
use std::collections::HashMap;
use toml::de::DeValue;

/// Every supervisor and pool of the document. They share one space of names, since
/// their children's paths begin with them.
pub fn read(
    root: &Section<'_>,
    known: &Known,
    report: &mut Report<'_>,
) -> (Vec<Supervisor>, Vec<Pool>) {
    let mut taken = Taken::default();
    let mut supervisors = Vec::new();
    for entry in list(root, "supervisor", report) {
        let section = entry.section(report);
        supervisors.extend(section.and_then(|s| supervisor(&s, known, &mut taken, report)));
    }
    let mut pools = Vec::new();
    for entry in list(root, "pool", report) {
        let section = entry.section(report);
        pools.extend(section.and_then(|s| pool(&s, known, &mut taken, report)));
    }
    (supervisors, pools)
}

fn list<'d>(section: &Section<'d>, name: &str, report: &mut Report<'_>) -> Vec<Entry<'d>> {
    section.get(name).map_or(Vec::new(), |e| e.array(report))
}

/// Names that are in use, and what by.
#[derive(Default)]
struct Taken(HashMap<String, &'static str>);

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
        if let Some(owner) = self.0.insert(name.clone(), kind) {
            let message = format!("a {owner} has the name `{name}` already");
            entry.fault(&message, None, report);
        }
        Some(name)
    }
}

fn supervisor(
    section: &Section<'_>,
    known: &Known,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Option<Supervisor> {
    section.only(
        &["name", "strategy", "intensity", "period", "child"],
        report,
    );
    let name = taken.name(section, "supervisor or pool", report);
    if let Some(entry) = section.get("strategy") {
        check_strategy(&entry, report);
    }
    let budget = budget(section, report);
    let mut names = Taken::default();
    let mut children = Vec::new();
    for entry in list(section, "child", report) {
        let child_section = entry.section(report);
        children.extend(child_section.and_then(|s| child(&s, known, &mut names, report)));
    }
    Some(Supervisor {
        name: name?,
        strategy: Strategy::OneForOne,
        budget,
        children,
    })
}

fn check_strategy(entry: &Entry<'_>, report: &mut Report<'_>) {
    if let DeValue::String(text) = entry.value()
        && matches!(text.as_ref(), "one-for-all" | "rest-for-one")
    {
        let help = "use \"one-for-one\"";
        entry.fault(
            &format!("the strategy \"{text}\" is not supported yet"),
            Some(help.to_owned()),
            report,
        );
        return;
    }
    entry.choice(&[("one-for-one", ())], report);
}

fn child(
    section: &Section<'_>,
    known: &Known,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Option<Child> {
    section.only(
        &[
            "name",
            "behaviour",
            "args",
            "restart",
            "shutdown",
            "on-crash",
            "mailbox",
        ],
        report,
    );
    let name = taken.name(section, "child of this supervisor", report);
    let spec = spec(section, known, true, report);
    Some(Child {
        name: name?,
        behaviour: spec.behaviour?,
        args: spec.args,
        restart: spec.restart,
        shutdown: spec.shutdown,
        on_crash: spec.on_crash,
        mailbox: spec.mailbox,
    })
}

fn pool(
    section: &Section<'_>,
    known: &Known,
    taken: &mut Taken,
    report: &mut Report<'_>,
) -> Option<Pool> {
    section.only(
        &[
            "name",
            "behaviour",
            "args",
            "restart",
            "intensity",
            "period",
            "shutdown",
            "on-crash",
            "mailbox",
        ],
        report,
    );
    let name = taken.name(section, "supervisor or pool", report);
    let budget = budget(section, report);
    let spec = spec(section, known, false, report);
    Some(Pool {
        name: name?,
        behaviour: spec.behaviour?,
        args: spec.args,
        restart: spec.restart,
        budget,
        shutdown: spec.shutdown,
        on_crash: spec.on_crash,
        mailbox: spec.mailbox,
    })
}

/// What a child and a pool have in common.
struct Spec {
    behaviour: Option<String>,
    args: Option<serde_json::Value>,
    restart: Restart,
    shutdown: Shutdown,
    on_crash: OnCrash,
    mailbox: super::types::Mailbox,
}

const RESTARTS: &[(&str, Restart)] = &[
    ("permanent", Restart::Permanent),
    ("transient", Restart::Transient),
    ("temporary", Restart::Temporary),
];

/// The last only for a child of a supervisor.
const DIRECTIVES: &[(&str, OnCrash)] = &[
    ("restart", OnCrash::Restart),
    ("resume", OnCrash::Resume),
    ("stop", OnCrash::Stop),
    ("escalate", OnCrash::Escalate),
];

/// How long an actor may take to stop by default, in milliseconds.
const SHUTDOWN_MS: u64 = 5_000;

fn spec(section: &Section<'_>, known: &Known, may_escalate: bool, report: &mut Report<'_>) -> Spec {
    let behaviour = section
        .require("behaviour", report)
        .and_then(|e| known.name(&e, report));
    let args = section.get("args").and_then(|e| value::to_json(&e, report));
    let restart = section
        .get("restart")
        .and_then(|e| e.choice(RESTARTS, report));
    let shutdown = section.get("shutdown").and_then(|e| shutdown(&e, report));
    let directives = &DIRECTIVES[..DIRECTIVES.len() - usize::from(!may_escalate)];
    let on_crash = section
        .get("on-crash")
        .and_then(|e| e.choice(directives, report));
    let own = MailboxParts::read(section, report);
    let inherited = behaviour.as_deref().map(|name| known.mailbox(name));
    Spec {
        mailbox: own
            .or(inherited.unwrap_or_default())
            .resolve(section, report),
        behaviour,
        args,
        restart: restart.unwrap_or(Restart::Permanent),
        shutdown: shutdown.unwrap_or(Shutdown::Within {
            timeout_ms: SHUTDOWN_MS,
        }),
        on_crash: on_crash.unwrap_or(OnCrash::Restart),
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

/// The number and the window mean something only together.
fn budget(section: &Section<'_>, report: &mut Report<'_>) -> RestartBudget {
    let (intensity, period) = (section.get("intensity"), section.get("period"));
    match (&intensity, &period) {
        (Some(entry), None) => {
            let help = "give both, such as `intensity = 3` and `period = \"5s\"`";
            entry.fault(
                "an intensity without a period",
                Some(help.to_owned()),
                report,
            );
        }
        (None, Some(entry)) => {
            let help = "give both, such as `intensity = 3` and `period = \"5s\"`";
            entry.fault(
                "a period without an intensity",
                Some(help.to_owned()),
                report,
            );
        }
        _ => {}
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
