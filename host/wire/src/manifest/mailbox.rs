//! `mailbox` of a behaviour, child or pool.

use super::{
    errors::Report,
    limits,
    section::{Entry, Section},
    types::{Mailbox, Overflow, Priority},
};

/// The parts of a mailbox that one table gives.
#[derive(Clone, Default)]
pub struct MailboxParts {
    capacity: Option<(u32, usize)>,
    policy: Option<Policy>,
    timeout_ms: Option<(u64, usize)>,
    priorities: Option<Vec<Priority>>,
}

/// The word of `overflow`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    Reject,
    Block,
    DropNewest,
    DropOldest,
    Unbounded,
}

const POLICIES: &[(&str, Policy)] = &[
    ("reject", Policy::Reject),
    ("block", Policy::Block),
    ("drop-newest", Policy::DropNewest),
    ("drop-oldest", Policy::DropOldest),
    ("unbounded", Policy::Unbounded),
];

/// How long a blocked sender waits by default, in milliseconds.
const BLOCK_TIMEOUT_MS: u64 = 5_000;

impl MailboxParts {
    /// Reads `mailbox` of a behaviour, child or pool.
    pub fn read(section: &Section<'_>, report: &mut Report<'_>) -> Self {
        let mut parts = Self::default();
        let Some(mailbox) = section.get("mailbox").and_then(|e| e.section(report)) else {
            return parts;
        };
        mailbox.only(
            &["capacity", "overflow", "block-timeout", "priority"],
            report,
        );
        parts.capacity = mailbox.get("capacity").and_then(|e| {
            let capacity = e.small(&limits::CAPACITY, report)?;
            Some((capacity, e.at()))
        });
        parts.policy = mailbox
            .get("overflow")
            .and_then(|e| e.choice(POLICIES, report));
        parts.timeout_ms = mailbox.get("block-timeout").and_then(|e| {
            let ms = e.duration_ms(&limits::BLOCK_TIMEOUT_MS, report)?;
            Some((ms, e.at()))
        });
        parts.priorities = mailbox.get("priority").map(|e| priorities(&e, report));
        parts
    }

    /// These parts, and the other's where these have none and can have them.
    pub fn or(self, other: Self) -> Self {
        let policy = self.policy.or(other.policy);
        let is_bounded = policy != Some(Policy::Unbounded);
        let capacity = other.capacity.filter(|_| is_bounded);
        let timeout_ms = other.timeout_ms.filter(|_| policy == Some(Policy::Block));
        Self {
            capacity: self.capacity.or(capacity),
            policy,
            timeout_ms: self.timeout_ms.or(timeout_ms),
            priorities: self.priorities.or(other.priorities),
        }
    }

    /// The mailbox that the parts make in a section.
    pub fn resolve(self, section: &Section<'_>, report: &mut Report<'_>) -> Mailbox {
        let policy = self.policy.unwrap_or(Policy::Reject);
        let mut fault = |name: &str, at: usize, message: &str, help: &str| {
            let key = format!("{}.mailbox.{name}", section.key());
            report.add(at, &key, message, Some(help.to_owned()));
        };
        if let Some((_, at)) = self.timeout_ms
            && policy != Policy::Block
        {
            let message = "only a mailbox with `overflow = \"block\"` has a timeout";
            fault("block-timeout", at, message, "take one of the two out");
        }
        if let Some((_, at)) = self.capacity
            && policy == Policy::Unbounded
        {
            let message = "a mailbox with `overflow = \"unbounded\"` has no capacity";
            fault("capacity", at, message, "take one of the two out");
        }
        let default = Mailbox::default();
        Mailbox {
            capacity: self.capacity.map_or(default.capacity, |(count, _)| count),
            overflow: match policy {
                Policy::Reject => Overflow::Reject,
                Policy::Block => Overflow::Block {
                    timeout_ms: self.timeout_ms.map_or(BLOCK_TIMEOUT_MS, |(ms, _)| ms),
                },
                Policy::DropNewest => Overflow::DropNewest,
                Policy::DropOldest => Overflow::DropOldest,
                Policy::Unbounded => Overflow::Unbounded,
            },
            priorities: self.priorities.unwrap_or_default(),
        }
    }
}

/// The levels of message variants; whether there are such, only the module can say.
fn priorities(entry: &Entry<'_>, report: &mut Report<'_>) -> Vec<Priority> {
    let Some(section) = entry.section(report) else {
        return Vec::new();
    };
    let mut priorities = Vec::new();
    for (at, name, entry) in section.entries() {
        let Some(level) = entry.integer(&limits::PRIORITY, report) else {
            continue;
        };
        priorities.push(Priority {
            variant: name.to_owned(),
            level: u8::try_from(level).expect("the bounds fit 8 bits"),
            place: report.place(at, entry.key()),
        });
    }
    priorities
}
