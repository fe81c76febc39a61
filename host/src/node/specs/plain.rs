//! Words of the manifest as the machine's own.

use actorhost_core::{
    CrashKind, MailboxSpec, Overflow, RestartType,
    spec::{AutoShutdown, Backoff, Cause, Directive, Directives, Strategy},
};
use actorhost_wire::manifest;

/// A mailbox without its priorities, which need the module.
pub fn mailbox(mailbox: &manifest::Mailbox) -> MailboxSpec {
    let overflow = match mailbox.overflow {
        manifest::Overflow::Reject => Overflow::Reject,
        manifest::Overflow::Block { timeout_ms } => Overflow::Block { timeout_ms },
        manifest::Overflow::DropNewest => Overflow::DropNewest,
        manifest::Overflow::DropOldest => Overflow::DropOldest,
        manifest::Overflow::Unbounded => Overflow::Unbounded,
    };
    MailboxSpec {
        capacity: mailbox.capacity,
        overflow,
        ..MailboxSpec::default()
    }
}

/// A restart type.
pub fn restart(restart: manifest::Restart) -> RestartType {
    match restart {
        manifest::Restart::Permanent => RestartType::Permanent,
        manifest::Restart::Transient => RestartType::Transient,
        manifest::Restart::Temporary => RestartType::Temporary,
    }
}

/// A strategy.
pub fn strategy(strategy: manifest::Strategy) -> Strategy {
    match strategy {
        manifest::Strategy::OneForOne => Strategy::OneForOne,
        manifest::Strategy::OneForAll => Strategy::OneForAll,
        manifest::Strategy::RestForOne => Strategy::RestForOne,
    }
}

/// An automatic shutdown.
pub fn auto_shutdown(auto: manifest::AutoShutdown) -> AutoShutdown {
    match auto {
        manifest::AutoShutdown::Never => AutoShutdown::Never,
        manifest::AutoShutdown::AnySignificant => AutoShutdown::AnySignificant,
        manifest::AutoShutdown::AllSignificant => AutoShutdown::AllSignificant,
    }
}

/// What crashes and kills do.
pub fn directives(on_crash: &manifest::Directives) -> Directives {
    let by_cause = on_crash.by_cause.iter();
    Directives {
        otherwise: directive(on_crash.otherwise),
        by_cause: by_cause
            .map(|(named, answer)| (cause(*named), directive(*answer)))
            .collect(),
    }
}

fn directive(on_crash: manifest::Directive) -> Directive {
    match on_crash {
        manifest::Directive::Restart => Directive::Restart,
        manifest::Directive::Resume => Directive::Resume,
        manifest::Directive::Stop => Directive::Stop,
        manifest::Directive::Escalate => Directive::Escalate,
    }
}

fn cause(cause: manifest::Cause) -> Cause {
    Cause::Crash(match cause {
        manifest::Cause::Trap => CrashKind::Trap,
        manifest::Cause::Panic => CrashKind::Panic,
        manifest::Cause::FuelExhausted => CrashKind::FuelExhausted,
        manifest::Cause::MemoryLimit => CrashKind::MemoryLimit,
        manifest::Cause::Deadline => CrashKind::Deadline,
        manifest::Cause::InitFailed => CrashKind::InitFailed,
        manifest::Cause::LoadFailed => CrashKind::LoadFailed,
        manifest::Cause::SaveFailed => CrashKind::SaveFailed,
        manifest::Cause::BadMessage => CrashKind::BadMessage,
        manifest::Cause::Instantiate => CrashKind::Instantiate,
        manifest::Cause::Linked => CrashKind::Linked,
        manifest::Cause::Killed => return Cause::Killed,
    })
}

/// The waits before restarts.
pub fn backoff(backoff: manifest::Backoff) -> Backoff {
    Backoff {
        first_ms: backoff.first_ms,
        factor: backoff.factor,
        cap_ms: backoff.cap_ms,
        jitter: backoff.jitter,
        reset_ms: backoff.reset_ms,
    }
}

/// How long an actor may take to stop; 0 kills it at once.
pub fn shutdown_ms(shutdown: manifest::Shutdown) -> u64 {
    match shutdown {
        manifest::Shutdown::Within { timeout_ms } => timeout_ms,
        manifest::Shutdown::Kill => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_the_name_that_the_machine_gives_it() {
        let mut kinds = Vec::new();
        for named in manifest::Cause::ALL {
            match cause(named) {
                Cause::Crash(kind) => {
                    assert_eq!(kind.as_str(), named.as_str());
                    kinds.push(kind);
                }
                Cause::Killed => assert_eq!(named, manifest::Cause::Killed),
            }
        }
        assert_eq!(kinds, CrashKind::ALL);
    }
}
