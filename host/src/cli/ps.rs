//! `ps`: lists living actors.

use super::{
    CliError, Exit, Output, Place, duration, examples,
    output::{count, counted, lines, table},
};
use actorhost_wire::api::{ActorInfo, ActorList};

/// List living actors
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost ps",
    "actorhost ps --under /fleet --limit 20",
    "actorhost ps --json",
))]
pub struct Args {
    /// Only actors below this path
    #[arg(long, value_name = "PATH")]
    under: Option<String>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u64,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let list = args
        .place
        .client()?
        .actors(args.under.as_deref(), Some(args.limit))
        .await?;
    output.result(&list, text)?;
    Ok(Exit::Done)
}

fn text(list: &ActorList) -> String {
    let mut text = String::new();
    if !list.actors.is_empty() {
        let mut rows = table(&[
            ">id",
            "path",
            "behaviour",
            "version",
            "status",
            ">queued",
            ">oldest",
            ">handled",
            ">restarts",
            ">memory",
        ]);
        for actor in &list.actors {
            rows.add_row(row(actor));
        }
        text += &lines(&rows);
    }
    let shown = list.actors.len() as u64;
    if shown < list.total {
        text += &format!(
            "{} of {}; see more with --limit\n",
            count(shown),
            counted(list.total, "actor", "actors")
        );
    } else {
        text += &format!("{}\n", counted(list.total, "actor", "actors"));
    }
    text
}

fn row(actor: &ActorInfo) -> [String; 10] {
    [
        actor.id.to_string(),
        actor.path.clone(),
        actor.behaviour.clone(),
        format!("{} ({})", actor.version, actor.module_version),
        actor.status.clone(),
        queued(actor),
        actor.oldest_ms.map_or_else(|| "-".into(), duration::show),
        count(actor.handled),
        count(actor.restarts),
        if actor.memory == 0 {
            "-".into()
        } else {
            format!("{} KiB", count(actor.memory >> 10))
        },
    ]
}

/// What waits, and beside it what was put aside: both fill the mailbox.
fn queued(actor: &ActorInfo) -> String {
    match actor.stashed {
        0 => count(actor.queued),
        stashed => format!("{} + {} stashed", count(actor.queued), count(stashed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_was_cut_says_so() {
        let actor = ActorInfo {
            id: 1,
            path: "/bank/alice".into(),
            behaviour: "account".into(),
            version: 2,
            module_version: "0.2.0".into(),
            status: "asleep".into(),
            queued: 0,
            stashed: 1_024,
            oldest_ms: None,
            handled: 1_000,
            restarts: 1,
            memory: 0,
            supervisor: "/bank".into(),
        };
        let list = ActorList {
            actors: vec![actor],
            total: 2_000,
        };
        let text = text(&list);
        assert!(
            text.contains("/bank/alice  account    2 (0.2.0)  asleep  0 + 1,024 stashed"),
            "{text}"
        );
        assert!(
            text.ends_with("1 of 2,000 actors; see more with --limit\n"),
            "{text}"
        );
        let none = ActorList {
            actors: vec![],
            total: 0,
        };
        assert_eq!(super::text(&none), "0 actors\n");
    }
}
