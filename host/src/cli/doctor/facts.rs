//! What the machine and the data directory are like. Nothing here judges, and
//! nothing is changed but a file that is made and removed.

use crate::{behaviour::live_max_for_this_machine, client::Client, guest_build, node};
use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// Everything that the checks look at.
#[derive(Debug)]
pub struct Facts {
    pub data_dir: String,
    pub data_dir_state: DataDirState,
    /// The manifest's file, and its faults if any; none where there is no manifest.
    pub manifest: Option<(String, Result<(), String>)>,
    /// Release of the Linux kernel.
    pub kernel: Option<String>,
    /// `vm.max_map_count`
    pub map_count: Option<u64>,
    /// Instances that can be live at once.
    pub live_max: u64,
    /// Files that this process may open; none is no limit.
    pub open_files: Option<u64>,
    pub cores: usize,
    /// Cores that the cgroup grants.
    pub cgroup_cores: Option<f64>,
    /// Memory that can be had without swapping, in bytes.
    pub memory_available: Option<u64>,
    /// Memory that the cgroup still allows, in bytes.
    pub cgroup_memory: Option<u64>,
    pub toolchain: Toolchain,
}

/// Who holds the data directory.
#[derive(Debug, PartialEq, Eq)]
pub enum DataDirState {
    /// A node, which answers.
    Running { pid: u32, version: String },
    /// A process that does not answer.
    Silent { pid: String },
    /// Nobody.
    Free,
    /// It is not there, and can be made.
    Absent,
    /// It cannot be written, or cannot be made.
    Unusable { cause: String },
}

/// What builds guests; each by its own words.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Toolchain {
    pub rustc: Option<String>,
    pub cargo: Option<String>,
    pub has_target: bool,
}

/// Looks at everything.
pub async fn gather(data_dir: &Path, manifest: Option<&Path>) -> Facts {
    let cgroup = cgroup_folder();
    let in_cgroup = |file| {
        cgroup
            .as_deref()
            .and_then(|folder| read(&format!("{folder}/{file}")))
    };
    Facts {
        data_dir: data_dir.display().to_string(),
        data_dir_state: data_dir_state(data_dir).await,
        manifest: manifest.map(|file| (file.display().to_string(), manifest_faults(file))),
        kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
        map_count: read("/proc/sys/vm/max_map_count").and_then(|text| text.trim().parse().ok()),
        live_max: live_max_for_this_machine().into(),
        open_files: read("/proc/self/limits").and_then(|text| open_files(&text)),
        cores: thread::available_parallelism().map_or(1, usize::from),
        cgroup_cores: in_cgroup("cpu.max").and_then(|text| cpu_quota(&text)),
        memory_available: read("/proc/meminfo").and_then(|text| memory_available(&text)),
        cgroup_memory: in_cgroup("memory.max")
            .zip(in_cgroup("memory.current"))
            .and_then(|(max, current)| memory_left(&max, &current)),
        toolchain: toolchain(),
    }
}

fn manifest_faults(file: &Path) -> Result<(), String> {
    let read = node::read_manifest(file);
    read.map(|_| ()).map_err(|error| error.to_string())
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

async fn data_dir_state(dir: &Path) -> DataDirState {
    if let Ok(node) = Client::new(dir).node().await {
        return DataDirState::Running {
            pid: node.pid,
            version: node.version,
        };
    }
    match File::open(dir.join("lock")).map(|lock| lock.try_lock_shared()) {
        Ok(Err(TryLockError::WouldBlock)) => {
            let pid = fs::read_to_string(dir.join("lock")).unwrap_or_default();
            let pid = if pid.trim().is_empty() {
                "unknown"
            } else {
                pid.trim()
            };
            return DataDirState::Silent { pid: pid.into() };
        }
        Ok(Ok(()) | Err(TryLockError::Error(_))) | Err(_) => {}
    }
    let unusable = |error: io::Error| DataDirState::Unusable {
        cause: format!("cannot be written: {error}"),
    };
    match fs::metadata(dir) {
        Ok(about) if about.is_dir() => match tempfile::tempfile_in(dir) {
            Ok(_) => DataDirState::Free,
            Err(error) => unusable(error),
        },
        Ok(_) => unusable(io::ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let there = dir
                .ancestors()
                .skip(1)
                .find(|folder| folder.as_os_str().is_empty() || folder.exists());
            let there = there.filter(|folder| !folder.as_os_str().is_empty());
            match tempfile::tempfile_in(there.unwrap_or(Path::new("."))) {
                Ok(_) => DataDirState::Absent,
                Err(error) => unusable(error),
            }
        }
        Err(error) => unusable(error),
    }
}

fn toolchain() -> Toolchain {
    Toolchain {
        rustc: version_of("rustc"),
        cargo: version_of("cargo"),
        has_target: guest_build::target_installed(Path::new(".")).unwrap_or(false),
    }
}

fn version_of(tool: &str) -> Option<String> {
    let asked = Command::new(tool)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    asked.status.success().then_some(said)
}

/// The soft limit in `/proc/self/limits`.
fn open_files(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn memory_available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

/// The folder of this process's cgroup (version 2).
fn cgroup_folder() -> Option<String> {
    let groups = read("/proc/self/cgroup")?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(format!("/sys/fs/cgroup{}", own.trim_end_matches('/')))
}

/// Cores in `cpu.max`, which is `max PERIOD` or `QUOTA PERIOD`.
fn cpu_quota(cpu_max: &str) -> Option<f64> {
    let (quota, period) = cpu_max.trim().split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (period > 0.0).then(|| quota / period)
}

fn memory_left(max: &str, current: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    let current: u64 = current.trim().parse().ok()?;
    Some(max.saturating_sub(current))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_writes_is_read() {
        let limits = "Limit   Soft Limit  Hard Limit  Units\nMax open files            1024                 524288               files\n";
        assert_eq!(open_files(limits), Some(1_024));
        assert_eq!(
            open_files("Max open files  unlimited unlimited files"),
            None
        );
        assert_eq!(
            memory_available("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(cpu_quota("150000 100000\n"), Some(1.5));
        assert_eq!(cpu_quota("max 100000\n"), None);
        assert_eq!(memory_left("1000\n", "400\n"), Some(600));
        assert_eq!(memory_left("max\n", "400\n"), None);
    }

    #[tokio::test]
    async fn a_data_directory_is_free_held_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(data_dir_state(dir.path()).await, DataDirState::Free);
        assert_eq!(
            data_dir_state(&dir.path().join("a/b")).await,
            DataDirState::Absent
        );

        fs::write(dir.path().join("lock"), "77\n").unwrap();
        assert_eq!(data_dir_state(dir.path()).await, DataDirState::Free);
        let held = File::open(dir.path().join("lock")).unwrap();
        held.lock().unwrap();
        assert_eq!(
            data_dir_state(dir.path()).await,
            DataDirState::Silent { pid: "77".into() }
        );

        let file = dir.path().join("lock");
        assert!(matches!(
            data_dir_state(&file).await,
            DataDirState::Unusable { .. }
        ));
        assert!(matches!(
            data_dir_state(&file.join("x")).await,
            DataDirState::Unusable { .. }
        ));
    }
}
