//! The command line: one file a verb, each with its arguments and what it does.
//!
//! A verb reads its arguments, calls the node by the [client](crate::client), and
//! hands a body of [`actorhost_wire::api`] to `output`, which prints it as JSON or
//! by the verb's own words. Results go to standard output; errors, the progress of a
//! feed and the words of a compiler go to standard error, errors as JSON too with
//! `--json`.

mod ask;
mod build;
mod child;
mod completions;
mod dead_letters;
mod deploy;
mod doctor;
mod down;
mod duration;
mod error;
mod events;
mod feed;
mod inspect;
mod json_arg;
mod module_file;
mod new;
mod output;
mod place;
mod ps;
mod restart;
mod spawn;
mod stats;
mod stop;
mod swap;
mod tell;
mod tree;
mod up;

use error::{CliError, Exit};
use output::Output;
use place::Place;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::{env, ffi::OsString, process::ExitCode};

/// Examples of a verb and the exit codes, as the end of its help.
macro_rules! examples {
    ($($line:literal),+ $(,)?) => {
        concat!(
            "Examples:\n", $("  ", $line, "\n",)+
            "\nExit codes:\n  0  done\n  1  the request failed: refused, timeout, crashed\n",
            "  2  wrong usage\n  3  no node is reachable"
        )
    };
}
use examples;

/// Runs actors that are sandboxed WebAssembly components.
#[derive(Debug, Parser)]
#[command(
    name = "actorhost",
    version,
    arg_required_else_help = true,
    after_help = examples!(
        "actorhost new counter && cd counter",
        "actorhost up",
        "actorhost ask /app/counter Get",
    )
)]
struct Cli {
    /// Print JSON with stable fields; errors too, to standard error
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    New(new::Args),
    Build(build::Args),
    Inspect(inspect::Args),
    Up(up::Args),
    Down(down::Args),
    Deploy(deploy::Args),
    Spawn(spawn::Args),
    Tell(tell::Args),
    Ask(ask::Args),
    Feed(feed::Args),
    Ps(ps::Args),
    Tree(tree::Args),
    Stats(stats::Args),
    Swap(swap::Args),
    Restart(restart::Args),
    Child(child::Args),
    Stop(stop::Args),
    Kill(stop::KillArgs),
    DeadLetters(dead_letters::Args),
    Events(events::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let argv: Vec<OsString> = env::args_os().collect();
    let cli = match parse(&argv) {
        Ok(cli) => cli,
        Err(error) => return wrong_usage(&error, argv.iter().any(|arg| arg == "--json")),
    };
    let output = Output::new(cli.json);
    let exit = match dispatch(cli.command, &output) {
        Ok(exit) => exit,
        Err(error) => {
            output.error(&error);
            error.exit
        }
    };
    exit.into()
}

fn parse(argv: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&Cli::command().try_get_matches_from(json_first(argv))?)
}

/// `--json` holds for the whole line, and clap would take it for an argument of a verb
/// that is followed by one of its own: so it is put before them all.
fn json_first(argv: &[OsString]) -> Vec<OsString> {
    let end = argv.iter().position(|arg| arg == "--");
    let (flags, rest) = argv.split_at(end.unwrap_or(argv.len()));
    let (json, mut words): (Vec<_>, Vec<_>) =
        flags.iter().cloned().partition(|arg| arg == "--json");
    if let Some(json) = json.into_iter().next() {
        words.insert(words.len().min(1), json);
    }
    words.extend_from_slice(rest);
    words
}

/// Help and version are asked for in this way too, and are no error.
fn wrong_usage(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        Output::new(true).error(&usage(&error.to_string()));
    } else {
        // Nobody is left to tell when the terminal is gone.
        let _ = error.print();
    }
    if error.use_stderr() {
        Exit::Usage.into()
    } else {
        Exit::Done.into()
    }
}

/// What clap says of a wrong command line: a sentence, then how it would be right.
fn usage(said: &str) -> CliError {
    let said = said.trim().trim_start_matches("error: ");
    match said.split_once("\n\n") {
        Some((message, help)) => CliError::usage("usage", message).help(help),
        None => CliError::usage("usage", said),
    }
}

fn dispatch(command: Command, output: &Output) -> Result<Exit, CliError> {
    match command {
        Command::New(args) => new::run(&args, output),
        Command::Build(args) => build::run(&args, output),
        Command::Completions(args) => completions::run(&args, output, &mut Cli::command()),
        Command::Up(args) => up::run(&args, output),
        Command::Inspect(args) => block_on(inspect::run(&args, output)),
        Command::Down(args) => block_on(down::run(&args, output)),
        Command::Deploy(args) => block_on(deploy::run(&args, output)),
        Command::Spawn(args) => block_on(spawn::run(&args, output)),
        Command::Tell(args) => block_on(tell::run(&args, output)),
        Command::Ask(args) => block_on(ask::run(&args, output)),
        Command::Feed(args) => block_on(feed::run(&args, output)),
        Command::Ps(args) => block_on(ps::run(&args, output)),
        Command::Tree(args) => block_on(tree::run(&args, output)),
        Command::Stats(args) => block_on(stats::run(&args, output)),
        Command::Swap(args) => block_on(swap::run(&args, output)),
        Command::Restart(args) => block_on(restart::run(&args, output)),
        Command::Child(args) => block_on(child::run(&args, output)),
        Command::Stop(args) => block_on(stop::run(&args, output)),
        Command::Kill(args) => block_on(stop::kill(&args, output)),
        Command::DeadLetters(args) => block_on(dead_letters::run(&args, output)),
        Command::Events(args) => block_on(events::run(&args, output)),
        Command::Doctor(args) => block_on(doctor::run(&args, output)),
    }
}

fn block_on<T>(verb: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| CliError::failed("runtime", error.to_string()))?;
    runtime.block_on(verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_flags_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn json_is_asked_for_anywhere() {
        for line in [
            "dead-letters --json list",
            "dead-letters list --json",
            "dead-letters --json",
            "--json dead-letters list",
            "dead-letters --json show 7",
            "child --json list /bank",
            "child list --json /bank",
            "child list /bank --json",
            "--json ps --json",
        ] {
            let argv: Vec<OsString> = ["actorhost"]
                .into_iter()
                .chain(line.split(' '))
                .map(Into::into)
                .collect();
            let cli = parse(&argv).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(cli.json, "{line}");
        }
        let argv = ["actorhost", "tell", "/a", "--", "--json"].map(Into::into);
        assert!(!parse(&argv).unwrap().json, "a message and no flag");
        let argv = ["actorhost", "dead-letters", "--limit", "5", "list"].map(Into::into);
        assert!(parse(&argv).is_err(), "that is the other verb's");
    }

    #[test]
    fn a_wrong_command_line_is_one_sentence_and_its_help() {
        let error = Cli::try_parse_from(["actorhost", "stpo"]).unwrap_err();
        let error = usage(&error.to_string());
        assert_eq!(error.message, "unrecognized subcommand 'stpo'");
        assert!(error.help.unwrap().contains("'stop'"));
    }

    /// Every verb with its name, also those of a verb.
    fn verbs() -> Vec<(String, clap::Command)> {
        fn below(name: &str, command: &clap::Command, into: &mut Vec<(String, clap::Command)>) {
            for verb in command.get_subcommands() {
                let name = format!("{name} {}", verb.get_name());
                into.push((name.trim().into(), verb.clone()));
                below(&name, verb, into);
            }
        }
        let mut verbs = Vec::new();
        below("", &Cli::command(), &mut verbs);
        verbs
    }

    fn after_help(verb: &clap::Command) -> String {
        verb.get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    #[test]
    fn every_verb_shows_examples_and_exit_codes() {
        for (name, verb) in verbs() {
            let end = after_help(&verb);
            assert!(end.contains(&format!("actorhost {name}")), "{name}");
            assert!(end.contains("Exit codes:"), "{name}");
            assert!(verb.get_about().is_some(), "{name}");
        }
    }

    #[test]
    fn every_example_is_right() {
        for (_, verb) in verbs() {
            let end = after_help(&verb);
            let examples = end
                .lines()
                .filter_map(|line| line.trim().strip_prefix("actorhost "));
            for example in examples {
                // The shell's part: pipes, quotes and what follows.
                let words = example
                    .split(" && ")
                    .next()
                    .unwrap()
                    .split(" > ")
                    .next()
                    .unwrap();
                let argv = std::iter::once("actorhost".to_owned()).chain(shell_words(words));
                let parsed = Cli::try_parse_from(argv);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }

    fn shell_words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            if at % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }
}
