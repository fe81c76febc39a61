//! `new`: writes a guest crate that builds, tests and runs as it is.

use super::{CliError, Exit, Output, examples};
use serde::Serialize;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Make a guest crate, with a manifest of a node that runs it
#[derive(Debug, clap::Args)]
#[command(after_help = examples!(
    "actorhost new counter",
    "actorhost new guests/account --sdk ../actorhost/guest-sdk",
))]
pub struct Args {
    /// Name of the crate and of its behaviour, or a path that ends with it
    #[arg(value_name = "NAME")]
    path: PathBuf,
    /// Where the SDK is: a folder, or a version on crates.io
    #[arg(long, value_name = "PATH|VERSION")]
    sdk: Option<String>,
}

const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
    ("src/lib.rs", include_str!("../../template/src/lib.rs.in")),
    (
        "actorhost.toml",
        include_str!("../../template/actorhost.toml.in"),
    ),
    (".gitignore", include_str!("../../template/.gitignore.in")),
    ("README.md", include_str!("../../template/README.md.in")),
];

#[derive(Debug, Serialize)]
struct Created {
    name: String,
    path: PathBuf,
    /// Where its Cargo.toml takes the SDK from.
    sdk: String,
    files: Vec<&'static str>,
}

pub fn run(args: &Args, output: &Output) -> Result<Exit, CliError> {
    output.result(&create(args)?, text)?;
    Ok(Exit::Done)
}

fn create(args: &Args) -> Result<Created, CliError> {
    let name = args
        .path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if let Some(fault) = fault_of_name(name) {
        return Err(CliError::usage(
            "bad-name",
            format!("`{name}` is no name for a crate: {fault}"),
        )
        .help("take letters, digits, `-` and `_`, a letter first"));
    }
    if !is_free(&args.path)? {
        let message = format!("{} is there already and not empty", args.path.display());
        return Err(CliError::failed("exists", message).help("choose another name, or remove it"));
    }
    let sdk = sdk_dependency(args.sdk.as_deref())?;
    for (file, template) in FILES {
        write(&args.path.join(file), &filled(template, name, &sdk))?;
    }
    let files = FILES.iter().map(|(file, _)| *file).collect();
    Ok(Created {
        name: name.into(),
        path: args.path.clone(),
        sdk,
        files,
    })
}

fn text(created: &Created) -> String {
    format!(
        "made {name} in {path}; its SDK is {sdk}\n\nNext:\n  cd {path}\n  cargo test       its logic, without a node\n  \
         actorhost build  the module that a node runs\n  actorhost up     a node that runs it",
        name = created.name,
        sdk = created.sdk,
        path = created.path.display()
    )
}

/// A folder that is not there or is empty.
fn is_free(path: &Path) -> Result<bool, CliError> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(CliError::file("read", path, &error)),
    }
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path
        .parent()
        .expect("every file of the template is in a folder");
    fs::create_dir_all(folder).map_err(|error| CliError::file("make", folder, &error))?;
    fs::write(path, text).map_err(|error| CliError::file("write", path, &error))
}

fn filled(template: &str, name: &str, sdk: &str) -> String {
    let module = name.replace('-', "_");
    template
        .replace("{{name}}", name)
        .replace("{{crate_name}}", &module)
        .replace("{{module}}", &module)
        .replace("{{sdk_dependency}}", sdk)
}

/// Longest name of a behaviour, in characters.
const NAME_CHARS_MAX: usize = 64;

/// What keeps a text from being the name of a crate.
fn fault_of_name(name: &str) -> Option<&'static str> {
    // Names that cargo or the compiler has taken, beside the keywords.
    const TAKEN: [&str; 9] = [
        "actorhost-sdk",
        "actorhost_sdk",
        "alloc",
        "core",
        "proc_macro",
        "proc-macro",
        "std",
        "test",
        "serde",
    ];
    let Some(first) = name.chars().next() else {
        return Some("it is empty");
    };
    if !name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    {
        return Some("it has a character other than ASCII letters, digits, `-` and `_`");
    }
    if !first.is_ascii_alphabetic() {
        return Some("it does not begin with a letter");
    }
    if name.len() > NAME_CHARS_MAX {
        return Some("it has more than 64 characters");
    }
    if KEYWORDS.contains(&name) {
        return Some("it is a word of Rust's");
    }
    TAKEN.contains(&name).then_some("another crate has it")
}

const KEYWORDS: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The right side of the SDK's line in Cargo.toml.
fn sdk_dependency(given: Option<&str>) -> Result<String, CliError> {
    let Some(given) = given else {
        return match sdk_folder() {
            Some(folder) => Ok(on_path(&folder)),
            None => Ok(quoted(env!("CARGO_PKG_VERSION"))),
        };
    };
    if is_sdk(Path::new(given)) {
        let folder = fs::canonicalize(given);
        return folder
            .map(|folder| on_path(&folder))
            .map_err(|error| CliError::file("find", Path::new(given), &error));
    }
    if given.starts_with(|c: char| c.is_ascii_digit()) && !given.contains('/') {
        return Ok(quoted(given));
    }
    Err(CliError::usage(
        "bad-sdk",
        format!("{given} is neither a version nor a folder with the crate actorhost-sdk"),
    ))
}

/// The SDK of the checkout that this program or the user is in.
fn sdk_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let program = program
        .as_deref()
        .and_then(Path::parent)
        .map(Path::to_path_buf);
    let starts = [env::current_dir().ok(), program];
    let around = starts.iter().flatten().flat_map(|start| start.ancestors());
    let around = around.map(|folder| folder.join("guest-sdk"));
    // Where this program was built; that of a released one is nowhere.
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-sdk");
    let found = around.chain([built_from]).find(|folder| is_sdk(folder))?;
    fs::canonicalize(found).ok()
}

fn is_sdk(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"));
    manifest.is_ok_and(|text| text.contains("name = \"actorhost-sdk\""))
}

fn on_path(folder: &Path) -> String {
    format!("{{ path = {} }}", quoted(&folder.display().to_string()))
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cargo_would_refuse_are_refused() {
        for name in ["counter", "my-actor", "a_b2", "Fleet"] {
            assert_eq!(fault_of_name(name), None, "{name}");
        }
        for name in [
            "",
            "2fast",
            "-x",
            "_x",
            "a b",
            "ä",
            "fn",
            "self",
            "std",
            "actorhost-sdk",
            "a.b",
        ] {
            assert!(fault_of_name(name).is_some(), "{name}");
        }
        assert!(fault_of_name(&"x".repeat(65)).is_some());
    }

    #[test]
    fn a_new_crate_has_every_blank_filled_in() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my-counter");
        let args = Args {
            path: path.clone(),
            sdk: Some("0.1.0".into()),
        };
        assert_eq!(create(&args).unwrap().files.len(), FILES.len());
        for (file, _) in FILES {
            let text = fs::read_to_string(path.join(file)).unwrap();
            assert!(!text.contains("{{"), "{file}: {text}");
        }
        let cargo: toml::Table =
            toml::from_str(&fs::read_to_string(path.join("Cargo.toml")).unwrap()).unwrap();
        assert_eq!(cargo["package"]["name"].as_str(), Some("my-counter"));
        assert_eq!(
            cargo["dependencies"]["actorhost-sdk"].as_str(),
            Some("0.1.0")
        );
        let manifest = fs::read_to_string(path.join("actorhost.toml")).unwrap();
        actorhost_wire::manifest::Manifest::parse("actorhost.toml", &manifest).unwrap();

        let error = create(&args).unwrap_err();
        assert_eq!(error.code, "exists");
    }

    #[test]
    fn the_sdk_of_this_checkout_is_found() {
        let dependency: toml::Table =
            toml::from_str(&format!("sdk = {}", sdk_dependency(None).unwrap())).unwrap();
        let folder = dependency["sdk"]["path"].as_str().unwrap();
        assert!(is_sdk(Path::new(folder)), "{folder}");
        assert_eq!(
            sdk_dependency(Some(folder)).unwrap(),
            on_path(Path::new(folder))
        );
        assert!(sdk_dependency(Some("no/such/folder")).is_err());
    }
}
