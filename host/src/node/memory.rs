//! How much memory this machine gives the node.

use std::fs;

/// Share of the memory that queued messages may take.
const MAILBOX_SHARE: u64 = 8;

/// Budget of queued bytes on the smallest machine, and where the memory cannot be
/// read.
const MAILBOX_BYTES_MIN: u64 = 64 << 20;

/// Bytes that may wait in all mailboxes together: an eighth of the memory, at least
/// 64 MiB.
pub(super) fn mailbox_bytes_for_this_machine() -> u64 {
    mailbox_bytes_for(memory_bytes())
}

fn mailbox_bytes_for(memory_bytes: Option<u64>) -> u64 {
    memory_bytes
        .map_or(0, |bytes| bytes / MAILBOX_SHARE)
        .max(MAILBOX_BYTES_MIN)
}

/// The machine's memory, or less where a container allows less.
fn memory_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| mem_total(&text));
    let container = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    match (machine, container) {
        (Some(machine), Some(container)) => Some(u64::min(machine, container)),
        (machine, container) => machine.or(container),
    }
}

/// The line `MemTotal` of `/proc/meminfo`, in bytes.
fn mem_total(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{mailbox_bytes_for, mem_total};

    #[test]
    fn queued_messages_get_an_eighth_but_never_too_little() {
        assert_eq!(mailbox_bytes_for(Some(16 << 30)), 2 << 30);
        assert_eq!(mailbox_bytes_for(Some(128 << 20)), 64 << 20);
        assert_eq!(mailbox_bytes_for(None), 64 << 20);
    }

    #[test]
    fn memory_is_read_as_linux_writes_it() {
        let text = "MemTotal:        8039412 kB\nMemFree:          123 kB\n";
        assert_eq!(mem_total(text), Some(8_039_412 * 1024));
        assert_eq!(mem_total("nothing"), None);
    }
}
