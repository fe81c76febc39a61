//! `stop` and `kill`: end an actor.

use super::{CliError, Exit, Output, Place, duration, examples};
use actorhost_wire::api::{StopMode, StopRequest};

/// Stop an actor for good and wait for its end
///
/// Prints the actor and why it ended: `shutdown`, or what came first (`normal`, `killed`,
/// `crashed: ...`). It may be stopped again, also by several at once: of an actor that has
/// ended already this says how, and exits with 0; with --json, `already` is then true.
/// An actor that never lived, or that ended so long ago that it is forgotten, is an error
/// `no-such-actor` with exit code 1.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost stop /bank/alice",
    "actorhost stop /bank/alice --mode now --timeout 1s",
))]
pub struct Args {
    /// The actor's path or id
    #[arg(value_name = "ACTOR")]
    actor: String,
    /// Whether queued messages are handled first
    #[arg(long, value_enum, default_value_t = Mode::Drain)]
    mode: Mode,
    /// How long to wait before the actor is killed; by default its spec's limit
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration::millis)]
    timeout: Option<u64>,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Mode {
    /// Handle what is queued, then stop
    Drain,
    /// Finish the current message, then stop
    Now,
}

/// Stop an actor for good, in the middle of its current message
///
/// Prints and exits as `stop` does, also when the actor has ended already.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("actorhost kill /bank/alice"))]
pub struct KillArgs {
    /// The actor's path or id
    #[arg(value_name = "ACTOR")]
    actor: String,
    #[command(flatten)]
    place: Place,
}

pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let mode = match args.mode {
        Mode::Drain => StopMode::Drain,
        Mode::Now => StopMode::Now,
    };
    let request = StopRequest {
        actor: args.actor.clone(),
        mode,
        timeout_ms: args.timeout,
    };
    end(&args.place, &request, output).await
}

pub async fn kill(args: &KillArgs, output: &Output) -> Result<Exit, CliError> {
    let request = StopRequest {
        actor: args.actor.clone(),
        mode: StopMode::Kill,
        timeout_ms: None,
    };
    end(&args.place, &request, output).await
}

async fn end(place: &Place, request: &StopRequest, output: &Output) -> Result<Exit, CliError> {
    let reply = place.client()?.stop(request).await?;
    output.result(&reply, |reply| {
        let (path, reason) = (&reply.path, &reply.reason);
        if reply.already {
            format!("{path} had ended already: {reason}")
        } else {
            format!("stopped {path}: {reason}")
        }
    })?;
    Ok(Exit::Done)
}
