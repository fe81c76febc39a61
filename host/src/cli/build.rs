//! `build`: builds guest crates.

use super::{CliError, Exit, Output, examples};
use crate::guest_build::{self, BuildError};
use serde::Serialize;
use std::path::PathBuf;

/// Build a guest crate into a module, bringing the wasm target if need be
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost build",
    "actorhost build guests/account",
    "actorhost build --package account --package audit",
))]
pub struct Args {
    /// Folder of the crate or workspace
    #[arg(value_name = "CRATE-DIR", default_value = ".")]
    dir: PathBuf,
    /// Only this package of the workspace; may be given more than once
    #[arg(long, short, value_name = "NAME")]
    package: Vec<String>,
}

#[derive(Serialize)]
struct Built {
    modules: Vec<PathBuf>,
}

pub fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let modules = if args.package.is_empty() {
        guest_build::build_crate(&args.dir)?
    } else {
        let packages: Vec<_> = args.package.iter().map(String::as_str).collect();
        guest_build::build_packages(&args.dir, &packages)?
    };
    output.result(&Built { modules }, |built| {
        built
            .modules
            .iter()
            .map(|module| format!("{}\n", module.display()))
            .collect()
    })?;
    Ok(Exit::Done)
}

impl From<BuildError> for CliError {
    fn from(error: BuildError) -> Self {
        let failed = Self::failed(error.code(), error.to_string());
        match error.help() {
            Some(help) => failed.help(help),
            None => failed,
        }
    }
}
