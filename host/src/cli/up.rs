//! `up`: runs a node in the foreground.

use super::{CliError, Exit, Output, Place, examples, output::counted, place::MANIFEST};
use crate::{
    node::{self, Host, SpecErrors, Up, UpError},
    socket,
};
use actorhost_wire::{
    api::ShutdownReply,
    manifest::{self, LogLevel, ManifestError, ManifestErrors},
};
use serde::Serialize;
use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};
use tracing_subscriber::EnvFilter;

/// Run a node in the foreground, until Ctrl-C, SIGTERM or `actorhost down`
#[derive(Debug, clap::Args)]
#[command(
    after_help = examples!(
        "actorhost up",
        "actorhost up --manifest node.toml --data-dir /var/lib/actorhost",
    ),
    after_long_help = concat!(
        "The log goes to standard error; the manifest's `log` says how much of it, ",
        "RUST_LOG says it in detail.\n\n",
        examples!(
            "actorhost up",
            "actorhost up --manifest node.toml --data-dir /var/lib/actorhost",
        )
    )
)]
pub struct Args {
    #[command(flatten)]
    place: Place,
}

/// What is printed once the node serves.
#[derive(Serialize)]
struct Ready {
    name: String,
    pid: u32,
    data_dir: String,
    socket: PathBuf,
    actors: u64,
}

pub fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let manifest = args
        .place
        .manifest
        .clone()
        .unwrap_or_else(|| MANIFEST.into());
    let level = node::read_manifest(&manifest)?.node.log;
    log_to_stderr(level, output.is_json());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| CliError::failed("runtime", error.to_string()))?;
    let up = Up {
        manifest,
        data_dir: args.place.data_dir.clone(),
    };
    let summary = runtime.block_on(node::up(up, |host| say_ready(host, output)))?;
    output.result(&summary, text)?;
    // Nobody waits for a guest's file that is still being read.
    runtime.shutdown_background();
    Ok(Exit::Done)
}

fn log_to_stderr(level: LogLevel, json: bool) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level.as_str()));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    // A logger that is there already belongs to the program that this is part of.
    let _ = if json {
        log.json().try_init()
    } else {
        // Every line of a node is its own; the module adds nothing for its reader.
        log.with_target(false)
            .with_ansi(io::stderr().is_terminal() && super::output::colour_wanted())
            .try_init()
    };
}

fn say_ready(host: &Host, output: &Output) {
    let ready = Ready {
        name: host.name.clone(),
        pid: std::process::id(),
        data_dir: host.data_dir.clone(),
        socket: socket::socket_path(Path::new(&host.data_dir)),
        actors: host.node.totals().actors,
    };
    let said = output.result(&ready, |ready| {
        let actors = counted(ready.actors, "actor", "actors");
        format!(
            "node `{}` is up with {actors}; it listens on {}",
            ready.name,
            ready.socket.display()
        )
    });
    // The node is up all the same.
    if let Err(error) = said {
        output.error(&error);
    }
}

fn text(summary: &ShutdownReply) -> String {
    let mut text = format!(
        "down; {} ended",
        counted(summary.stopped, "actor", "actors")
    );
    if !summary.killed.is_empty() {
        text += &format!(
            ", and did not in time, so were killed: {}",
            summary.killed.join(", ")
        );
    }
    text
}

impl From<UpError> for CliError {
    fn from(error: UpError) -> Self {
        if let UpError::Manifest(errors) = &error {
            return bad_manifest(errors);
        }
        if let UpError::Spec(specs) = &error {
            return bad_specs(&error, specs);
        }
        let mut failed = Self::failed(error.code(), error.to_string());
        if let UpError::At { place, .. } = &error {
            failed = failed.at(shown(place));
        }
        match error.help() {
            Some(help) => failed.help(help),
            None => failed,
        }
    }
}

/// Every fault of a manifest in one block: one alone in the usual form, more of them
/// one a line.
fn bad_manifest(errors: &ManifestErrors) -> CliError {
    match errors.errors.as_slice() {
        [error] => bad_place(error),
        faults => bad_places(faults.len(), errors.to_string()),
    }
}

/// What modules cannot do, in the same form.
fn bad_specs(error: &UpError, specs: &SpecErrors) -> CliError {
    match specs.errors.as_slice() {
        [only] => {
            if let Some(fault) = specs.fault(0) {
                return CliError {
                    code: error.code().into(),
                    ..bad_place(&fault)
                };
            }
            let failed = CliError::failed(error.code(), only.to_string());
            match only.help() {
                Some(help) => failed.help(help),
                None => failed,
            }
        }
        faults => bad_places(faults.len(), specs.to_string()),
    }
}

fn bad_places(count: usize, places: String) -> CliError {
    let message = format!("the manifest has {count} faults; nothing was started");
    CliError::failed("bad-manifest", message).at(places)
}

fn shown(place: &manifest::Place) -> String {
    at(&place.file, place.line, place.column, &place.key)
}

fn at(file: &str, line: usize, column: usize, key: &str) -> String {
    let key = match key {
        "" => String::new(),
        key => format!(" ({key})"),
    };
    format!("{file}:{line}:{column}{key}")
}

fn bad_place(error: &ManifestError) -> CliError {
    let at = at(&error.file, error.line, error.column, &error.key);
    let failed = CliError::failed("bad-manifest", error.message.clone()).at(at);
    match &error.help {
        Some(help) => failed.help(help.clone()),
        None => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_wire::manifest::Manifest;

    #[test]
    fn each_fault_of_a_manifest_is_shown_with_its_line() {
        let errors = Manifest::parse("m.toml", "[node]\nthread = 1\n").unwrap_err();
        let one = CliError::from(UpError::Manifest(errors));
        assert_eq!(one.at.as_deref(), Some("m.toml:2:1 (node.thread)"));

        let errors = Manifest::parse("m.toml", "[node]\nthread = 1\nlog = 7\n").unwrap_err();
        let two = CliError::from(UpError::Manifest(errors));
        assert!(two.message.contains("2 faults"), "{two}");
        assert_eq!(two.at.unwrap().lines().count(), 2);
        assert_eq!(two.exit, Exit::Failed);
    }
}
