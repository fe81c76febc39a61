//! What an error of wasmtime means for an actor: a pure mapping.

use super::{
    host_runtime::NoActor,
    limiter::Refusal,
    pool::{BACKTRACE_FRAMES_MAX, GUEST_STACK_BYTES},
    wasi::HANDLES_MAX,
};
use actorhost_core::{Crash, CrashKind, Limits};
use wasmtime::{Error, PoolConcurrencyLimitError, Trap, WasmBacktrace};
use wasmtime_wasi::{I32Exit, ResourceTableError};

/// Longest text kept from a guest: a panic message, a cause, a log line.
const TEXT_BYTES_MAX: usize = 16 << 10;

/// Makes a guest's text fit for logs and terminals: cut to [`TEXT_BYTES_MAX`], and
/// control characters escaped, so that no guest can forge a line or drive a terminal.
pub(super) fn clip(mut text: String) -> String {
    if text.len() > TEXT_BYTES_MAX {
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
        text.push('…');
    }
    if !text.contains(char::is_control) {
        return text;
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c.is_control() {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// What the host knew when the error came up.
pub(super) struct Facts<'a> {
    /// Limits of the instance.
    pub(super) limits: &'a Limits,
    /// The last message of a panic in this call.
    pub(super) panic: Option<String>,
    /// Memory that was refused in this call.
    pub(super) refused: Option<Refusal>,
}

/// The crash that `error` means.
pub(super) fn crash_of(error: &Error, facts: Facts<'_>) -> Crash {
    let (kind, message) = kind_and_message(error, facts);
    let mut backtrace = error
        .downcast_ref::<WasmBacktrace>()
        .map(names)
        .unwrap_or_default();
    if matches!(kind, CrashKind::Panic | CrashKind::MemoryLimit) {
        backtrace = without_panic_machinery(backtrace);
    }
    Crash {
        kind,
        message,
        backtrace,
    }
}

fn kind_and_message(error: &Error, facts: Facts<'_>) -> (CrashKind, String) {
    let Facts {
        limits,
        panic,
        refused,
    } = facts;
    let trap = error.downcast_ref::<Trap>();
    if trap == Some(&Trap::OutOfFuel) {
        let limit = limits.fuel_per_turn.unwrap_or(u64::MAX);
        let message = format!("the turn used up its limit of {limit} units of fuel");
        return (CrashKind::FuelExhausted, message);
    }
    if let Some(Refusal { wanted, limit }) = refused {
        let mut message = format!("asked for {wanted} bytes of memory; the limit is {limit}");
        if let Some(panic) = panic {
            message = format!("{message} ({panic})");
        }
        return (CrashKind::MemoryLimit, message);
    }
    if let Some(message) = panic {
        return (CrashKind::Panic, message);
    }
    if error.is::<I32Exit>() {
        // WASI 0.2 tells success from failure, not the code.
        return (CrashKind::Trap, "the guest called `exit`".into());
    }
    if let Some(ResourceTableError::Full) = error.downcast_ref() {
        let message =
            format!("too many files, streams and timers are open; the limit is {HANDLES_MAX}");
        return (CrashKind::Trap, message);
    }
    if let Some(full) = error.downcast_ref::<PoolConcurrencyLimitError>() {
        return (
            CrashKind::Instantiate,
            format!("no room for another live instance: {full}"),
        );
    }
    match trap {
        Some(trap) => (CrashKind::Trap, trap_text(*trap)),
        None if error.is::<NoActor>() => (CrashKind::Trap, NoActor.to_string()),
        None => (CrashKind::Trap, clip(error.root_cause().to_string())),
    }
}

fn trap_text(trap: Trap) -> String {
    match trap {
        Trap::StackOverflow => {
            format!(
                "the call stack overflowed its {} KiB",
                GUEST_STACK_BYTES >> 10
            )
        }
        Trap::UnreachableCodeReached => "`unreachable` was executed".into(),
        other => {
            let text = other.to_string();
            text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
        }
    }
}

/// Function names, demangled, innermost first.
fn names(backtrace: &WasmBacktrace) -> Vec<String> {
    backtrace
        .frames()
        .iter()
        .take(BACKTRACE_FRAMES_MAX)
        .map(|frame| match frame.func_name() {
            Some(name) => clip(format!("{:#}", rustc_demangle::demangle(name))),
            None => format!("function {}", frame.func_index()),
        })
        .collect()
}

/// Drops the innermost frames that belong to raising a panic, so that the first one
/// left is where it came from.
fn without_panic_machinery(mut frames: Vec<String>) -> Vec<String> {
    const MACHINERY: [&str; 12] = [
        "abort",
        "std::process::abort",
        "std::panicking",
        "std::sys::",
        "std::alloc",
        "core::panicking",
        "core::option::unwrap_failed",
        "core::option::expect_failed",
        "core::result::unwrap_failed",
        "alloc::raw_vec",
        "alloc::alloc::handle_alloc_error",
        "__",
    ];
    let is_machinery = |name: &String| {
        name.starts_with("rust_") || MACHINERY.iter().any(|prefix| name.starts_with(prefix))
    };
    let cause = frames
        .iter()
        .position(|name| !is_machinery(name))
        .unwrap_or(0);
    frames.drain(..cause);
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guests_text_can_neither_forge_a_line_nor_drive_a_terminal() {
        let text = clip("fine\nERROR crashed actor=/bank/alice \u{1b}[31mred".into());
        assert_eq!(
            text,
            "fine\\nERROR crashed actor=/bank/alice \\u{1b}[31mred"
        );
        assert_eq!(clip("über".into()), "über");
    }

    fn map(error: Error, panic: Option<&str>, refused: Option<Refusal>) -> (CrashKind, String) {
        let limits = Limits {
            fuel_per_turn: Some(5_000),
            ..Limits::default()
        };
        let panic = panic.map(str::to_owned);
        let crash = crash_of(
            &error,
            Facts {
                limits: &limits,
                panic,
                refused,
            },
        );
        (crash.kind, crash.message)
    }

    #[test]
    fn used_up_fuel_names_its_limit() {
        let (kind, message) = map(Trap::OutOfFuel.into(), None, None);
        assert_eq!(kind, CrashKind::FuelExhausted);
        assert!(message.contains("5000"), "{message}");
    }

    #[test]
    fn a_trap_after_a_refused_growth_is_the_memory_limit() {
        let refused = Some(Refusal {
            wanted: 70,
            limit: 64,
        });
        let (kind, message) = map(
            Trap::UnreachableCodeReached.into(),
            Some("no room"),
            refused,
        );
        assert_eq!(kind, CrashKind::MemoryLimit);
        assert_eq!(
            message,
            "asked for 70 bytes of memory; the limit is 64 (no room)"
        );
    }

    #[test]
    fn a_reported_panic_is_a_panic() {
        let (kind, message) = map(Trap::UnreachableCodeReached.into(), Some("boom"), None);
        assert_eq!((kind, message.as_str()), (CrashKind::Panic, "boom"));
    }

    #[test]
    fn an_unreported_trap_says_which() {
        let (kind, message) = map(Trap::UnreachableCodeReached.into(), None, None);
        assert_eq!(
            (kind, message.as_str()),
            (CrashKind::Trap, "`unreachable` was executed")
        );
        let (_, message) = map(Trap::MemoryOutOfBounds.into(), None, None);
        assert_eq!(message, "out of bounds memory access");
        let (_, message) = map(Trap::StackOverflow.into(), None, None);
        assert_eq!(message, "the call stack overflowed its 256 KiB");
    }

    #[test]
    fn an_exit_is_a_trap() {
        let (kind, message) = map(I32Exit(3).into(), None, None);
        assert_eq!(kind, CrashKind::Trap);
        assert!(message.contains("`exit`"), "{message}");
    }

    #[test]
    fn too_many_handles_name_their_limit() {
        let (kind, message) = map(ResourceTableError::Full.into(), None, None);
        assert_eq!(kind, CrashKind::Trap);
        assert!(message.contains("1024"), "{message}");
    }

    #[test]
    fn texts_are_cut_at_a_character() {
        let clipped = clip("é".repeat(TEXT_BYTES_MAX));
        assert!(clipped.len() <= TEXT_BYTES_MAX + '…'.len_utf8());
        assert!(clipped.ends_with("é…"));
        assert_eq!(clip("short".into()), "short");
    }

    #[test]
    fn the_first_frame_of_a_panic_is_where_it_came_from() {
        let frames = [
            "abort",
            "rust_panic",
            "core::panicking::panic_fmt",
            "probe::handle",
            "abort",
        ];
        let frames = without_panic_machinery(frames.map(str::to_owned).to_vec());
        assert_eq!(frames, ["probe::handle", "abort"]);
        let only = without_panic_machinery(vec!["abort".into()]);
        assert_eq!(only, ["abort"]);
    }
}
