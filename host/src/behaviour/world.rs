//! Whether a component is a behaviour: what it exports, and whether all that it
//! imports is there.

use super::DeployError;
use wasmtime::{
    Engine,
    component::{Component, types::ComponentItem},
};

/// Version of the contract with guests, package `actorhost:actor`.
pub const WIT_VERSION: &str = "0.1.0";

/// The contract's package.
const PACKAGE: &str = "actorhost:actor";

/// Functions that every behaviour exports.
pub(super) const EXPORTS: [&str; 6] = ["describe", "init", "handle", "save", "load", "stopping"];

/// Which grant an imported interface belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// The node's own functions, each checked against the actor's spec.
    Node,
    /// Given to every behaviour: clocks, random numbers, waiting, ending itself.
    Always,
    /// Environment variables, empty unless granted.
    Environment,
    /// Files, none unless directories are granted.
    Directories,
    /// Standard streams; output is thrown away unless granted.
    Output,
    /// Sockets, refused at each use.
    Network,
    /// Not provided: a module that imports it cannot be deployed.
    Unknown,
}

/// Interfaces of WASI 0.2 that guests may import.
const WASI: [(&str, Capability); 27] = [
    ("wasi:cli/environment", Capability::Environment),
    ("wasi:cli/exit", Capability::Always),
    ("wasi:cli/stdin", Capability::Output),
    ("wasi:cli/stdout", Capability::Output),
    ("wasi:cli/stderr", Capability::Output),
    ("wasi:cli/terminal-input", Capability::Output),
    ("wasi:cli/terminal-output", Capability::Output),
    ("wasi:cli/terminal-stdin", Capability::Output),
    ("wasi:cli/terminal-stdout", Capability::Output),
    ("wasi:cli/terminal-stderr", Capability::Output),
    ("wasi:clocks/monotonic-clock", Capability::Always),
    ("wasi:clocks/wall-clock", Capability::Always),
    ("wasi:filesystem/preopens", Capability::Directories),
    ("wasi:filesystem/types", Capability::Directories),
    ("wasi:io/error", Capability::Always),
    ("wasi:io/poll", Capability::Always),
    ("wasi:io/streams", Capability::Always),
    ("wasi:random/insecure", Capability::Always),
    ("wasi:random/insecure-seed", Capability::Always),
    ("wasi:random/random", Capability::Always),
    ("wasi:sockets/instance-network", Capability::Network),
    ("wasi:sockets/ip-name-lookup", Capability::Network),
    ("wasi:sockets/network", Capability::Network),
    ("wasi:sockets/tcp", Capability::Network),
    ("wasi:sockets/tcp-create-socket", Capability::Network),
    ("wasi:sockets/udp", Capability::Network),
    ("wasi:sockets/udp-create-socket", Capability::Network),
];

/// Which grant `import`, such as `wasi:cli/stdout@0.2.6`, belongs to.
pub(super) fn capability_of(import: &str) -> Capability {
    let (interface, version) = split(import);
    match interface {
        "actorhost:actor/runtime" | "actorhost:actor/types" => {
            if same_track(version, WIT_VERSION) {
                Capability::Node
            } else {
                Capability::Unknown
            }
        }
        _ if !same_track(version, "0.2.0") => Capability::Unknown,
        _ => WASI
            .iter()
            .find(|(known, _)| *known == interface)
            .map_or(Capability::Unknown, |(_, capability)| *capability),
    }
}

/// The version of the contract that a component was built for, by its imports.
pub(super) fn wit_version<'i>(mut imports: impl Iterator<Item = &'i str>) -> Option<&'i str> {
    imports.find_map(|import| {
        let (interface, version) = split(import);
        let (package, _) = interface.split_once('/')?;
        (package == PACKAGE).then_some(version)
    })
}

/// Splits `wasi:cli/stdout@0.2.6` at its version.
fn split(import: &str) -> (&str, &str) {
    import.split_once('@').unwrap_or((import, ""))
}

/// Whether two versions are compatible, by the rule of semantic versions: equal up
/// to the first number that isn't 0.
fn same_track(a: &str, b: &str) -> bool {
    let track = |version: &str| -> Option<(u64, u64)> {
        let mut numbers = version.split('.').map(|number| number.parse::<u64>());
        match (numbers.next()?.ok()?, numbers.next()?.ok()?) {
            (0, minor) => Some((0, minor)),
            (major, _) => Some((major, 0)),
        }
    };
    track(a).is_some_and(|a| track(b) == Some(a))
}

/// Checks that `component` is a behaviour by the names of what it exports and
/// imports. Types are checked when it is linked.
pub(super) fn check(engine: &Engine, component: &Component) -> Result<(), DeployError> {
    let ty = component.component_type();
    let imports: Vec<&str> = ty.imports(engine).map(|(name, _)| name).collect();
    if let Some(found) = wit_version(imports.iter().copied())
        && !same_track(found, WIT_VERSION)
    {
        return Err(DeployError::OtherVersion {
            found: found.to_owned(),
        });
    }
    let is_function = |name: &&str| {
        let item = ty.get_export(engine, name);
        item.is_some_and(|item| matches!(item.ty, ComponentItem::ComponentFunc(_)))
    };
    let missing: Vec<_> = EXPORTS.iter().filter(|name| !is_function(name)).collect();
    if !missing.is_empty() {
        return Err(DeployError::OtherWorld {
            missing: missing.into_iter().map(|name| (*name).to_owned()).collect(),
            exports: ty
                .exports(engine)
                .map(|(name, _)| name.to_owned())
                .collect(),
        });
    }
    let unknown: Vec<String> = imports
        .iter()
        .filter(|name| capability_of(name) == Capability::Unknown)
        .map(|name| (*name).to_owned())
        .collect();
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(DeployError::UnknownImport { imports: unknown })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_belong_to_grants() {
        assert_eq!(
            capability_of("actorhost:actor/runtime@0.1.0"),
            Capability::Node
        );
        assert_eq!(capability_of("wasi:cli/stdout@0.2.6"), Capability::Output);
        assert_eq!(
            capability_of("wasi:sockets/udp-create-socket@0.2.0"),
            Capability::Network
        );
        assert_eq!(
            capability_of("wasi:filesystem/types@0.2.3"),
            Capability::Directories
        );
        for unknown in [
            "wasi:http/types@0.2.0",
            "wasi:cli/stdout@0.3.0",
            "wasi:cli/stdout",
            "x",
        ] {
            assert_eq!(capability_of(unknown), Capability::Unknown, "{unknown}");
        }
    }

    #[test]
    fn the_contract_version_is_read_from_the_imports() {
        let imports = ["wasi:cli/stdout@0.2.6", "actorhost:actor/types@0.3.1"];
        assert_eq!(wit_version(imports.into_iter()), Some("0.3.1"));
        assert_eq!(wit_version(["wasi:cli/stdout@0.2.6"].into_iter()), None);
    }

    #[test]
    fn versions_are_compatible_up_to_the_first_number_that_is_not_zero() {
        assert!(same_track("0.1.0", "0.1.7"));
        assert!(same_track("1.2.0", "1.9.3"));
        for (a, b) in [
            ("0.1.0", "0.2.0"),
            ("1.0.0", "2.0.0"),
            ("", "0.1.0"),
            ("x", "x"),
        ] {
            assert!(!same_track(a, b), "{a} {b}");
        }
    }
}
