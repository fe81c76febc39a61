//! `[node]`

use super::{
    errors::Report,
    limits,
    restarts::budget,
    section::Entry,
    types::{LogLevel, NodeSettings},
};

const LOG_LEVELS: &[(&str, LogLevel)] = &[
    ("off", LogLevel::Off),
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
    ("trace", LogLevel::Trace),
];

/// The settings; what is wrong with them is reported and has its default.
pub fn read(entry: &Entry<'_>, report: &mut Report<'_>) -> NodeSettings {
    let mut node = NodeSettings::default();
    let Some(section) = entry.section(report) else {
        return node;
    };
    section.only(
        &[
            "name",
            "data-dir",
            "threads",
            "live-max",
            "shutdown-timeout",
            "dead-letters",
            "dead-letter-bytes",
            "mailbox-bytes",
            "intensity",
            "period",
            "log",
        ],
        report,
    );
    node.name = section.get("name").and_then(|e| e.name(report));
    node.threads = section
        .get("threads")
        .and_then(|e| e.small(&limits::THREADS, report));
    node.live_max = section
        .get("live-max")
        .and_then(|e| e.integer(&limits::LIVE, report));
    if let Some(dir) = section.get("data-dir").and_then(|e| e.filled_text(report)) {
        node.data_dir = dir;
    }
    if let Some(ms) = section
        .get("shutdown-timeout")
        .and_then(|e| e.duration_ms(&limits::SHUTDOWN_MS, report))
    {
        node.shutdown_timeout_ms = ms;
    }
    if let Some(count) = section
        .get("dead-letters")
        .and_then(|e| e.integer(&limits::DEAD_LETTERS, report))
    {
        node.dead_letters = count;
    }
    if let Some(bytes) = section
        .get("dead-letter-bytes")
        .and_then(|e| e.size_bytes(&limits::DEAD_LETTER_BYTES, report))
    {
        node.dead_letter_bytes = bytes;
    }
    node.mailbox_bytes = section
        .get("mailbox-bytes")
        .and_then(|e| e.size_bytes(&limits::MAILBOX_BYTES, report));
    node.budget = budget(&section, report);
    if let Some(level) = section
        .get("log")
        .and_then(|e| e.choice(LOG_LEVELS, report))
    {
        node.log = level;
    }
    node
}
