//! Events as log lines: each crash and each restart exactly once, with path, cause,
//! backtrace, module version and restart count.

use actorhost_core::observe::{Ending, Event, LogLevel, Observer, Subject};
use tracing::{debug, error, info, trace, warn};

/// Writes events by `tracing`.
#[derive(Debug, Default)]
pub struct LogObserver;

fn version(subject: &Subject) -> String {
    format!(
        "{} v{} ({})",
        subject.behaviour, subject.version, subject.module_version
    )
}

impl Observer for LogObserver {
    fn event(&self, event: Event) {
        match event {
            Event::Started(subject) => {
                debug!(actor = %subject.path, behaviour = %version(&subject), "started");
            }
            Event::Crashed {
                subject,
                crash,
                restarts,
            } => {
                let backtrace = crash.backtrace.join(" < ");
                error!(
                    actor = %subject.path,
                    behaviour = %version(&subject),
                    restarts,
                    cause = %crash,
                    backtrace,
                    "crashed"
                );
            }
            Event::Restarted {
                subject,
                restarts,
                resumed,
                after_ms,
            } => {
                info!(
                    actor = %subject.path,
                    behaviour = %version(&subject),
                    restarts,
                    resumed,
                    after_ms,
                    "restarted"
                );
            }
            Event::Ended {
                subject,
                reason,
                how,
            } => {
                let (actor, behaviour) = (&subject.path, version(&subject));
                match how {
                    Ending::Orderly => debug!(%actor, %behaviour, %reason, "ended"),
                    Ending::GivenUp => {
                        warn!(%actor, %behaviour, %reason, "ended: its spec gives it no other life");
                    }
                    Ending::BudgetExhausted => {
                        error!(%actor, %behaviour, %reason, "ended: its restart budget is used up");
                    }
                    Ending::Escalated => {
                        error!(%actor, %behaviour, %reason, "ended: it escalates to its supervisor");
                    }
                }
            }
            Event::Swapped { subject, from } => {
                debug!(actor = %subject.path, behaviour = %version(&subject), from, "swapped");
            }
            Event::SwapFailed { subject, to, cause } => {
                warn!(
                    actor = %subject.path,
                    behaviour = %version(&subject),
                    to,
                    cause,
                    "not swapped: it stays on its version"
                );
            }
            Event::KilledAtShutdown {
                subject,
                shutdown_ms,
            } => {
                warn!(
                    actor = %subject.path,
                    behaviour = %version(&subject),
                    shutdown_ms,
                    "killed: it did not stop in time"
                );
            }
            Event::SupervisorRestarted { path, after_ms } => {
                info!(supervisor = %path, after_ms, "supervisor restarted");
            }
            Event::SupervisorShutDown { path, cause } => {
                info!(supervisor = %path, cause, "supervisor shut itself down");
            }
            Event::SupervisorFailed { path, cause } => {
                error!(supervisor = %path, cause, "supervisor failed");
            }
            // A flood of them would be one of lines; they are counted and kept.
            Event::DeadLetter(_) => {}
            Event::Log {
                subject,
                level,
                line,
                suppressed,
            } => {
                let (actor, behaviour) = (&subject.path, version(&subject));
                if suppressed > 0 {
                    warn!(%actor, %behaviour, suppressed, "log lines left out: over the rate");
                }
                match level {
                    LogLevel::Trace => trace!(%actor, %behaviour, "{line}"),
                    LogLevel::Debug => debug!(%actor, %behaviour, "{line}"),
                    LogLevel::Info => info!(%actor, %behaviour, "{line}"),
                    LogLevel::Warn => warn!(%actor, %behaviour, "{line}"),
                    LogLevel::Error => error!(%actor, %behaviour, "{line}"),
                }
            }
        }
    }
}
