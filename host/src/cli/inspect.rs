//! `inspect`: tells what a file is, without a node.

use super::{CliError, Exit, Output, examples, module_file};
use crate::behaviour::{self, Capability, Description, Import, Inspection, Kind};
use actorhost_wire::schema::{Schema, example, to_json_schema, to_text};
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::PathBuf};

/// Tell what a module is, what it imports and which messages it takes
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost inspect target/wasm32-wasip2/release/account.wasm",
    "actorhost inspect --json account.wasm",
))]
pub struct Args {
    /// The file to look at
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
}

#[derive(Serialize)]
struct Report {
    file: PathBuf,
    #[serde(flatten)]
    inspection: Inspection,
    /// JSON Schemas of `args`, `message`, `reply` and `state`.
    schemas: BTreeMap<&'static str, Value>,
}

/// Exits with 1 when the file cannot be deployed; all that was found is printed first.
pub async fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    let bytes = module_file::read(&args.file)?;
    let inspection = behaviour::inspect(bytes).await;
    let problem = inspection.problem.clone();
    let schemas = inspection.description.iter().flat_map(schemas);
    let schemas = schemas
        .map(|(of, schema)| (of, to_json_schema(schema)))
        .collect();
    let report = Report {
        file: args.file.clone(),
        inspection,
        schemas,
    };
    output.result(&report, text)?;
    let Some(problem) = problem else {
        return Ok(Exit::Done);
    };
    let refused =
        CliError::failed(&problem.code, problem.message).at(args.file.display().to_string());
    Err(match problem.help {
        Some(help) => refused.help(help),
        None => refused,
    })
}

fn schemas(description: &Description) -> impl Iterator<Item = (&'static str, &Schema)> {
    let always = [
        ("args", &description.args),
        ("message", &description.message),
        ("reply", &description.reply),
    ];
    always
        .into_iter()
        .chain(description.state.as_ref().map(|state| ("state", state)))
}

fn text(report: &Report) -> String {
    let inspection = &report.inspection;
    let kind = match inspection.kind {
        Kind::Behaviour => "a behaviour",
        Kind::Component => "a component, but no behaviour that can be deployed",
        Kind::CoreModule => "a core WebAssembly module",
        Kind::Other => "not WebAssembly",
    };
    let mut text = format!("{}: {kind}\n", report.file.display());
    let mut line = |name: &str, value: &str| text += &format!("  {name:<9} {value}\n");
    line(
        "size",
        &format!("{} bytes", super::output::count(inspection.size_bytes)),
    );
    line("sha-256", &inspection.digest);
    if let Some(version) = &inspection.wit_version {
        line("contract", &format!("actorhost:actor@{version}"));
    }
    if let Some(described) = &inspection.described {
        line("name", &format!("{} {}", described.name, described.version));
        let keeps = if described.can_save {
            "can be saved and loaded"
        } else {
            "cannot be saved"
        };
        line(
            "state",
            &format!("version {}, {keeps}", described.state_version),
        );
    }
    text += &imports(&inspection.imports);
    if inspection.described.is_none() && !inspection.exports.is_empty() {
        text += &format!("\nExports\n  {}\n", inspection.exports.join(", "));
    }
    if let Some(description) = &inspection.description {
        for (of, schema) in schemas(description) {
            text += &format!(
                "\n{}\n  {}\n",
                title(of),
                to_text(schema).replace('\n', "\n  ")
            );
        }
        let message = json!(example(&description.message));
        text += &format!("\nAn example\n  actorhost ask ACTOR '{message}'\n");
    }
    text
}

fn title(of: &str) -> &'static str {
    match of {
        "args" => "Arguments",
        "message" => "Message",
        "reply" => "Reply",
        _ => "State",
    }
}

/// What is imported, by what must be granted for it to be of use.
fn imports(imports: &[Import]) -> String {
    let kinds = [
        (Capability::Node, "the node's own"),
        (Capability::Always, "given to every actor"),
        (Capability::Output, "output, thrown away unless granted"),
        (Capability::Environment, "environment, empty unless granted"),
        (Capability::Directories, "files, none unless granted"),
        (Capability::Network, "network, refused"),
        (Capability::Unknown, "unknown: cannot be deployed"),
    ];
    let mut text = String::new();
    for (capability, words) in kinds {
        let mut of_kind = imports
            .iter()
            .filter(|import| import.capability == capability)
            .peekable();
        if of_kind.peek().is_none() {
            continue;
        }
        if text.is_empty() {
            text += "\nImports\n";
        }
        text += &format!("  {words}\n");
        for import in of_kind {
            text += &format!("    {}\n", import.interface);
        }
    }
    text
}
