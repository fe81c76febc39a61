//! What is right and what is not, given what was found. Nothing here looks.

use super::facts::{DataDirState, Facts, Toolchain};
use crate::cli::output::count;
use serde::Serialize;

/// How well a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As it should be.
    Ok,
    /// A node runs, but less well than it could.
    Warning,
    /// A node cannot run, or will fail.
    Broken,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Broken => "broken",
        }
    }
}

/// One check and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// A stable name.
    pub name: &'static str,
    pub status: Status,
    /// What was found.
    pub found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Check {
    fn new(name: &'static str, status: Status, found: impl Into<String>) -> Self {
        Self {
            name,
            status,
            found: found.into(),
            help: None,
        }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }
}

/// Every check, in the order in which they are shown.
pub fn all(facts: &Facts) -> Vec<Check> {
    let manifest = facts.manifest.as_ref();
    let manifest = manifest.map(|(file, read)| manifest_check(file, read));
    let machine = [
        data_dir(&facts.data_dir, &facts.data_dir_state),
        kernel(facts.kernel.as_deref()),
        map_count(facts.map_count, facts.live_max),
        open_files(facts.open_files),
        cores(facts.cores, facts.cgroup_cores),
        memory(facts.memory_available, facts.cgroup_memory),
        toolchain(&facts.toolchain),
        target(&facts.toolchain),
    ];
    manifest.into_iter().chain(machine).collect()
}

fn manifest_check(file: &str, read: &Result<(), String>) -> Check {
    match read {
        Ok(()) => Check::new("manifest", Status::Ok, format!("{file}: no fault")),
        Err(faults) => Check::new("manifest", Status::Broken, faults)
            .help("mend it, or name another with --manifest"),
    }
}

fn data_dir(path: &str, state: &DataDirState) -> Check {
    let check =
        |status, found: &str| Check::new("data directory", status, format!("{path}: {found}"));
    match state {
        DataDirState::Running { pid, version } if version == env!("CARGO_PKG_VERSION") => {
            check(Status::Ok, &format!("a node runs (process {pid})"))
        }
        DataDirState::Running { version, .. } => check(
            Status::Warning,
            &format!(
                "a node of version {version} runs; this is {}",
                env!("CARGO_PKG_VERSION")
            ),
        )
        .help("use the node and the command line of one version"),
        DataDirState::Silent { pid } => check(
            Status::Broken,
            &format!("locked by process {pid}, which does not answer"),
        )
        .help(format!(
            "look at the log of process {pid}; if it hangs, end it"
        )),
        DataDirState::Free => check(Status::Ok, "writable, no node runs"),
        DataDirState::Absent => check(Status::Ok, "not there yet; `actorhost up` makes it"),
        DataDirState::Unusable { cause } => check(Status::Broken, cause)
            .help("make it writable for this user, or name another with --data-dir"),
    }
}

/// The first kernel that tells which pages were written, so that only those are
/// cleared when an instance's memory is used again.
const PAGEMAP_SCAN: (u32, u32) = (6, 7);

fn kernel(release: Option<&str>) -> Check {
    let Some(release) = release else {
        return Check::new("kernel", Status::Warning, "not Linux")
            .help("nodes are built for and tested on Linux");
    };
    match version(release) {
        Some(version) if version < PAGEMAP_SCAN => Check::new(
            "kernel",
            Status::Warning,
            format!("Linux {release}: memory of ended instances is cleared the slow way"),
        )
        .help("Linux 6.7 or later clears only what was written"),
        _ => Check::new("kernel", Status::Ok, format!("Linux {release}")),
    }
}

fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Linux's own setting, with which a node cannot have many live instances.
const MAP_COUNT_DEFAULT: u64 = 65_530;

/// Mappings with which memory is the next limit.
const MAP_COUNT_GOOD: u64 = 1_048_576;

fn map_count(map_count: Option<u64>, live_max: u64) -> Check {
    let live = format!("{} actors can be awake at once", count(live_max));
    let Some(mappings) = map_count else {
        return Check::new("memory mappings", Status::Ok, live);
    };
    let found = format!("vm.max_map_count = {mappings}: {live}");
    if mappings > MAP_COUNT_DEFAULT {
        return Check::new("memory mappings", Status::Ok, found);
    }
    Check::new("memory mappings", Status::Warning, found).help(format!(
        "for more, run `sudo sysctl -w vm.max_map_count={MAP_COUNT_GOOD}`"
    ))
}

/// Files below which a node cannot serve its own connections, and well.
const OPEN_FILES_MIN: u64 = 128;
const OPEN_FILES_GOOD: u64 = 1_024;

fn open_files(limit: Option<u64>) -> Check {
    let found = limit.map_or_else(
        || "no limit".into(),
        |limit| format!("at most {}", count(limit)),
    );
    let status = match limit.unwrap_or(u64::MAX) {
        ..OPEN_FILES_MIN => Status::Broken,
        OPEN_FILES_MIN..OPEN_FILES_GOOD => Status::Warning,
        OPEN_FILES_GOOD.. => Status::Ok,
    };
    let check = Check::new("open files", status, found);
    if status == Status::Ok {
        check
    } else {
        check.help("raise the limit: `ulimit -n 4096`")
    }
}

fn cores(cores: usize, quota: Option<f64>) -> Check {
    match quota {
        Some(quota) if quota < cores as f64 => {
            let found = format!("{cores}, of which the cgroup grants {quota:.1}");
            let status = if quota < 1.0 {
                Status::Warning
            } else {
                Status::Ok
            };
            let check = Check::new("cores", status, found);
            if status == Status::Ok {
                check
            } else {
                check.help("raise the cgroup's `cpu.max` to a core or more")
            }
        }
        _ => Check::new("cores", Status::Ok, cores.to_string()),
    }
}

/// Memory below which the compiler alone may fill it, in bytes.
const MEMORY_GOOD: u64 = 512 << 20;

fn memory(available: Option<u64>, cgroup_left: Option<u64>) -> Check {
    let mib = |bytes: u64| format!("{} MiB", count(bytes >> 20));
    let (Some(left), limited) = (match (available, cgroup_left) {
        (Some(available), Some(cgroup)) => (Some(available.min(cgroup)), cgroup < available),
        (available, cgroup) => (available.or(cgroup), available.is_none()),
    }) else {
        return Check::new("memory", Status::Ok, "not known");
    };
    let by = if limited {
        " left in the cgroup"
    } else {
        " available"
    };
    let found = mib(left) + by;
    if left < MEMORY_GOOD {
        return Check::new("memory", Status::Warning, found)
            .help("free some, raise the limit, or lower `live-max` in the manifest");
    }
    Check::new("memory", Status::Ok, found)
}

fn toolchain(toolchain: &Toolchain) -> Check {
    match (&toolchain.rustc, &toolchain.cargo) {
        (Some(rustc), Some(_)) => Check::new("Rust", Status::Ok, rustc.as_str()),
        (rustc, _) => {
            let missing = if rustc.is_none() { "rustc" } else { "cargo" };
            Check::new(
                "Rust",
                Status::Warning,
                format!("no {missing}: modules cannot be built here"),
            )
            .help("install Rust from https://rustup.rs")
        }
    }
}

fn target(toolchain: &Toolchain) -> Check {
    if toolchain.has_target {
        return Check::new("wasm target", Status::Ok, "wasm32-wasip2 is installed");
    }
    let check = Check::new(
        "wasm target",
        Status::Warning,
        "wasm32-wasip2 is not installed",
    );
    check.help("run `rustup target add wasm32-wasip2`; `actorhost build` does it too")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_with_a_fault_keeps_a_node_from_starting() {
        assert_eq!(manifest_check("m", &Ok(())).status, Status::Ok);
        let wrong = manifest_check("m", &Err("m:1:1: unknown key".into()));
        assert_eq!(wrong.status, Status::Broken);
        assert!(wrong.found.contains("m:1:1"));
    }

    #[test]
    fn an_old_kernel_is_slow_and_a_new_one_is_not() {
        assert_eq!(kernel(Some("6.6.30-generic")).status, Status::Warning);
        assert_eq!(kernel(Some("6.7")).status, Status::Ok);
        assert_eq!(kernel(Some("6.18.44-fc")).status, Status::Ok);
        assert_eq!(kernel(Some("5.15.0")).status, Status::Warning);
        assert_eq!(kernel(None).status, Status::Warning);
    }

    #[test]
    fn few_mappings_keep_few_actors_awake() {
        let few = map_count(Some(65_530), 15_000);
        assert_eq!(few.status, Status::Warning);
        assert!(few.found.contains("15,000"), "{few:?}");
        assert!(few.help.unwrap().contains("sysctl"));
        assert_eq!(map_count(Some(1_048_576), 200_000).status, Status::Ok);
        assert_eq!(map_count(None, 1).status, Status::Ok);
    }

    #[test]
    fn a_directory_is_broken_when_its_holder_is_silent_or_it_is_read_only() {
        let status = |state| data_dir(".actorhost", &state).status;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        assert_eq!(
            status(DataDirState::Running { pid: 1, version }),
            Status::Ok
        );
        let other = DataDirState::Running {
            pid: 1,
            version: "0.0.0".into(),
        };
        assert_eq!(status(other), Status::Warning);
        assert_eq!(
            status(DataDirState::Silent { pid: "1".into() }),
            Status::Broken
        );
        assert_eq!(
            status(DataDirState::Unusable {
                cause: "read-only".into()
            }),
            Status::Broken
        );
        assert_eq!(status(DataDirState::Free), Status::Ok);
        assert_eq!(status(DataDirState::Absent), Status::Ok);
    }

    #[test]
    fn limits_are_judged_by_what_is_left() {
        assert_eq!(open_files(Some(64)).status, Status::Broken);
        assert_eq!(open_files(Some(256)).status, Status::Warning);
        assert_eq!(open_files(Some(1_024)).status, Status::Ok);
        assert_eq!(open_files(None).status, Status::Ok);
        assert_eq!(cores(8, Some(0.5)).status, Status::Warning);
        assert_eq!(cores(8, Some(2.0)).status, Status::Ok);
        assert_eq!(
            memory(Some(8 << 30), Some(100 << 20)).status,
            Status::Warning
        );
        assert_eq!(memory(Some(8 << 30), None).found, "8,192 MiB available");
        assert_eq!(
            memory(Some(8 << 30), Some(4 << 30)).found,
            "4,096 MiB left in the cgroup"
        );
        assert_eq!(memory(None, None).status, Status::Ok);
    }

    #[test]
    fn a_machine_without_rust_can_run_a_node() {
        let none = Toolchain::default();
        assert_eq!(toolchain(&none).status, Status::Warning);
        assert_eq!(target(&none).status, Status::Warning);
        let all = Toolchain {
            rustc: Some("rustc 1.95.0".into()),
            cargo: Some("cargo 1.95.0".into()),
            has_target: true,
        };
        assert_eq!(
            (toolchain(&all).status, target(&all).status),
            (Status::Ok, Status::Ok)
        );
    }
}
