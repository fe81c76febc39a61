//! `child`: a supervisor's children, one by one.

use super::{
    CliError, Exit, Output, Place, duration, examples, json_arg,
    output::{counted, lines, table},
};
use actorhost_wire::api::{
    ChildAddRequest, ChildCounts, ChildList, ChildReply, ChildRequest, RestartType,
};

/// List and count a supervisor's children, add, terminate, restart and remove them
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = examples!(
        "actorhost child list /bank",
        "actorhost child add /bank carol --behaviour account",
        "actorhost child terminate /bank carol",
    )
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    List(ListArgs),
    Count(CountArgs),
    Add(AddArgs),
    Terminate(TerminateArgs),
    Restart(RestartArgs),
    Remove(RemoveArgs),
}

/// List a supervisor's children in order of start, running or not
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost child list /bank", "actorhost child list / --json"))]
struct ListArgs {
    #[command(flatten)]
    whose: Whose,
}

/// Count a supervisor's children
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost child count /bank"))]
struct CountArgs {
    #[command(flatten)]
    whose: Whose,
}

/// Add an actor to a supervisor's children, after the others, and wait for its `init`
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost child add /bank carol --behaviour account",
    "actorhost child add /bank dan --behaviour account --args '{\"owner\": \"Dan\"}' --restart transient",
))]
struct AddArgs {
    #[command(flatten)]
    whose: Whose,
    /// The child's name; its path is SUPERVISOR/ID
    #[arg(value_name = "ID")]
    id: String,
    /// What it runs
    #[arg(long)]
    behaviour: String,
    /// Arguments as JSON, @FILE, or - for standard input; by default none
    #[arg(long, value_name = "JSON")]
    args: Option<String>,
    /// When it is started again
    #[arg(long, value_enum, value_name = "TYPE", default_value_t = Restart::Permanent)]
    restart: Restart,
    /// Its end counts for the supervisor's `auto-shutdown`
    #[arg(long)]
    significant: bool,
    /// Longest wait for its `init`
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis, default_value = "30s")]
    timeout: u64,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Restart {
    /// Always
    Permanent,
    /// After a crash or a kill
    Transient,
    /// Never
    Temporary,
}

/// Stop a child; its place is kept, unless it is temporary
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost child terminate /bank carol"))]
struct TerminateArgs {
    #[command(flatten)]
    which: Which,
}

/// Start a terminated child again and wait for its `init`
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost child restart /bank carol"))]
struct RestartArgs {
    #[command(flatten)]
    which: Which,
}

/// Give up the place of a child that does not run
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost child remove /bank carol"))]
struct RemoveArgs {
    #[command(flatten)]
    which: Which,
}

#[derive(Debug, clap::Args)]
struct Whose {
    /// Path of the supervisor; / is the root of all
    #[arg(value_name = "SUPERVISOR")]
    supervisor: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct Which {
    #[command(flatten)]
    whose: Whose,
    /// The child's name
    #[arg(value_name = "ID")]
    id: String,
    /// Longest wait until it is done
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis, default_value = "30s")]
    timeout: u64,
}

impl Which {
    fn request(&self) -> ChildRequest {
        ChildRequest {
            supervisor: self.whose.supervisor.clone(),
            id: self.id.clone(),
            timeout_ms: Some(self.timeout),
        }
    }
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    match &args.verb {
        Verb::List(ListArgs { whose }) => {
            let list = whose.place.client()?.children(&whose.supervisor).await?;
            output.result(&list, list_text)?;
        }
        Verb::Count(CountArgs { whose }) => {
            let client = whose.place.client()?;
            let counts = client.count_children(&whose.supervisor).await?;
            output.result(&counts, count_text)?;
        }
        Verb::Add(args) => {
            let reply = add(args).await?;
            output.result(&reply, |reply| started("added", reply))?;
        }
        Verb::Terminate(TerminateArgs { which }) => {
            let client = which.whose.place.client()?;
            let reply = client.terminate_child(&which.request()).await?;
            output.result(&reply, |reply| format!("terminated {}", reply.path))?;
        }
        Verb::Restart(RestartArgs { which }) => {
            let client = which.whose.place.client()?;
            let reply = client.restart_child(&which.request()).await?;
            output.result(&reply, |reply| started("started", reply))?;
        }
        Verb::Remove(RemoveArgs { which }) => {
            let client = which.whose.place.client()?;
            let reply = client.remove_child(&which.request()).await?;
            output.result(&reply, |reply| format!("removed {}", reply.path))?;
        }
    }
    Ok(Exit::Done)
}

async fn add(args: &AddArgs) -> Result<ChildReply, CliError> {
    let request = ChildAddRequest {
        supervisor: args.whose.supervisor.clone(),
        id: args.id.clone(),
        behaviour: args.behaviour.clone(),
        args: args.args.as_deref().map(json_arg::read).transpose()?,
        restart: match args.restart {
            Restart::Permanent => RestartType::Permanent,
            Restart::Transient => RestartType::Transient,
            Restart::Temporary => RestartType::Temporary,
        },
        significant: args.significant,
        timeout_ms: Some(args.timeout),
    };
    Ok(args.whose.place.client()?.add_child(&request).await?)
}

fn started(done: &str, reply: &ChildReply) -> String {
    match reply.actor {
        Some(id) => format!("{done} {} (id {id})", reply.path),
        None => format!("{done} {}", reply.path),
    }
}

fn list_text(list: &ChildList) -> String {
    let mut text = String::new();
    if !list.children.is_empty() {
        let mut rows = table(&["name", "kind", "state", ">actor", "restart", "significant"]);
        for child in &list.children {
            rows.add_row([
                child.id.clone(),
                child.kind.clone(),
                child.state.clone(),
                child.actor.map_or_else(|| "-".into(), |id| id.to_string()),
                child.restart.as_str().into(),
                if child.significant { "yes" } else { "no" }.into(),
            ]);
        }
        text += &lines(&rows);
    }
    let total = list.children.len() as u64;
    text + &format!("{}\n", counted(total, "child", "children"))
}

fn count_text(counts: &ChildCounts) -> String {
    format!(
        "{}: {} running; {} and {}",
        counted(counts.specs.into(), "child", "children"),
        counts.active,
        counted(counts.workers.into(), "actor", "actors"),
        counted(counts.supervisors.into(), "supervisor", "supervisors"),
    )
}
