//! `events`: prints what happens on a node as it happens.

use super::{CliError, Exit, Output, Place, examples, output};
use actorhost_wire::api::{EVENT_TYPES, EventInfo};
use clap::builder::PossibleValuesParser;
use std::io::{self, Write};

/// Print what happens on a node as it happens, until Ctrl-C or the node's end
///
/// Starts, crashes with their backtrace, restarts, ends, swaps, failures of
/// supervisors, dead letters (of many a sample) and the log lines of guests. Where
/// this does not read fast enough, the node goes on without it, and a `gap` says how
/// many events were missed.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost events",
    "actorhost events --type crashed restarted --under /fleet",
    "actorhost events --json --type dead-letter",
))]
pub struct Args {
    /// Only events of these types
    #[arg(
        long = "type", value_name = "TYPE", num_args = 1..,
        value_parser = PossibleValuesParser::new(EVENT_TYPES),
    )]
    types: Vec<String>,
    /// Only those about actors whose path is this or below it
    #[arg(long, value_name = "PATH")]
    under: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Exits with 1 when the node gave this client up.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let interrupted = tokio::signal::ctrl_c();
    tokio::pin!(interrupted);
    let client = args.place.client()?;
    let mut stream = client.events(&args.types, args.under.as_deref()).await?;
    loop {
        let event = tokio::select! {
            event = client.next_event(&mut stream) => event?,
            heard = &mut interrupted => {
                heard.map_err(|error| CliError::failed("signals", error.to_string()))?;
                return Ok(Exit::Done);
            }
        };
        let Some(event) = event else {
            output.note("the node has ended");
            return Ok(Exit::Done);
        };
        let line = if output.is_json() {
            output::json(&event, false)
        } else {
            text(&event)
        };
        match writeln!(io::stdout().lock(), "{line}") {
            Ok(()) => {}
            // Whoever read it has enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Done),
            Err(error) => {
                let message = format!("cannot write an event: {error}");
                return Err(CliError::failed("output", message));
            }
        }
        if event.dropped == Some(true) {
            let message = "the node dropped this client, which did not read for too long";
            return Err(CliError::failed("dropped", message));
        }
    }
}

fn text(event: &EventInfo) -> String {
    let mut text = format!("{} {}", time(event.at_ms), event.kind);
    if let Some(path) = &event.path {
        text += &format!(" {path}");
    }
    if let (Some(behaviour), Some(version)) = (&event.behaviour, event.version) {
        let given = event.module_version.as_ref();
        let given = given.map_or_else(String::new, |given| format!(" ({given})"));
        text += &format!("  {behaviour} v{version}{given}");
    }
    let said = [
        event.level.clone(),
        event
            .restarts
            .map(|restarts| format!("restarts {restarts}")),
        event
            .resumed
            .filter(|yes| *yes)
            .map(|_| "from saved state".into()),
        event
            .after_ms
            .filter(|waited_ms| *waited_ms > 0)
            .map(|waited_ms| format!("after {} ms", output::count(waited_ms))),
        event
            .shutdown_ms
            .map(|shutdown_ms| format!("not stopped within {} ms", output::count(shutdown_ms))),
        event.letter.map(|letter| format!("letter {letter}")),
        event.reason.clone(),
        event.sender.as_ref().map(|sender| format!("from {sender}")),
        event
            .from_version
            .map(|from| format!("from version {from}")),
        event.to_version.map(|to| format!("stays off version {to}")),
        event
            .budget_exhausted
            .filter(|yes| *yes)
            .map(|_| "its restart budget is used up".into()),
        event
            .escalated
            .filter(|yes| *yes)
            .map(|_| "it escalates to its supervisor".into()),
        event
            .left_out
            .map(|others| format!("after {} more of its kind", output::count(others))),
        event
            .suppressed
            .map(|lines| format!("after {} more lines", output::count(lines))),
        event.missed.map(missed),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if !said.is_empty() {
        text += &format!("  {}", said.join(", "));
    }
    if let Some(more) = event.line.as_ref().or(event.cause.as_ref()) {
        text += &format!(": {}", more.replace('\n', "\n    "));
    }
    for function in &event.backtrace {
        text += &format!("\n    at {function}");
    }
    text
}

fn missed(events: u64) -> String {
    let events = output::counted(events, "event was", "events were");
    format!("{events} missed: this client does not read fast enough")
}

/// The time of day, in UTC.
fn time(at_ms: u64) -> String {
    let seconds = at_ms / 1_000 % 86_400;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!(
        "{hours:02}:{minutes:02}:{:02}.{:03}Z",
        seconds % 60,
        at_ms % 1_000
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_a_line_and_a_backtrace_follows_it() {
        let event = EventInfo {
            kind: "crashed".into(),
            at_ms: 3_723_004,
            path: Some("/a".into()),
            behaviour: Some("account".into()),
            version: Some(1),
            module_version: Some("0.1.0".into()),
            restarts: Some(2),
            cause: Some("panic: boom".into()),
            backtrace: vec!["account::handle".into()],
            ..EventInfo::default()
        };
        assert_eq!(
            text(&event),
            "01:02:03.004Z crashed /a  account v1 (0.1.0)  restarts 2: panic: boom\n    \
             at account::handle"
        );
        let gap = EventInfo {
            kind: "gap".into(),
            missed: Some(1_200),
            dropped: Some(false),
            ..EventInfo::default()
        };
        assert_eq!(
            text(&gap),
            "00:00:00.000Z gap  1,200 events were missed: this client does not read fast enough"
        );
    }
}
