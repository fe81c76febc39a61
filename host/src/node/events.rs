//! The node's events for those who listen: a bounded broadcast.
//!
//! Whoever makes an event never waits for a listener. One that falls behind misses
//! events and is told how many; what is held is bounded by [`KEPT_MAX`] events,
//! whatever the listeners do. Nothing is made or kept while nobody listens.

use actorhost_core::{
    dead_letters::{DeadLetter, DeadReason},
    observe::{Ending, Event, LogLevel, Observer, Subject},
};
use actorhost_wire::api::EventInfo;
use bytes::Bytes;
use parking_lot::{Mutex, RwLock};
use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};

/// Events kept for the slowest listener.
const KEPT_MAX: usize = 1_024;

/// Listeners at a time.
pub const LISTENERS_MAX: usize = 64;

/// Dead letters of one reason told of in a second; the others are counted only.
const LETTERS_PER_SECOND: u32 = 10;

/// One event as it goes to every listener.
#[derive(Debug)]
pub struct Published {
    /// Its type.
    pub kind: &'static str,
    /// Whom it is about.
    pub path: Option<Arc<str>>,
    /// It as a server-sent event.
    pub frame: Bytes,
}

/// Tells listeners what happens.
pub struct EventHub {
    /// None once the node has ended.
    sender: RwLock<Option<broadcast::Sender<Arc<Published>>>>,
    places: Arc<Semaphore>,
    letters: Mutex<[Sample; DeadReason::ALL.len()]>,
}

/// A listener's end.
pub struct Listening {
    /// The events from now on.
    pub events: broadcast::Receiver<Arc<Published>>,
    /// Its place among the listeners, free again when this is dropped.
    pub place: OwnedSemaphorePermit,
}

/// Why nobody more can listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotListening {
    /// There are [`LISTENERS_MAX`] already.
    TooMany,
    /// The node has ended.
    Ended,
}

impl Default for EventHub {
    fn default() -> Self {
        Self {
            sender: RwLock::new(Some(broadcast::Sender::new(KEPT_MAX))),
            places: Arc::new(Semaphore::new(LISTENERS_MAX)),
            letters: Mutex::default(),
        }
    }
}

impl EventHub {
    /// Listens from now on.
    ///
    /// # Errors
    /// Why not.
    pub fn listen(&self) -> Result<Listening, NotListening> {
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| NotListening::TooMany)?;
        let sender = self.sender.read();
        let sender = sender.as_ref().ok_or(NotListening::Ended)?;
        Ok(Listening {
            events: sender.subscribe(),
            place,
        })
    }

    /// Ends every listener's stream after what it has not heard yet.
    pub fn close(&self) {
        *self.sender.write() = None;
    }

    /// Tells those who listen, if any.
    pub fn tell(&self, event: &Event) {
        let sender = self.sender.read();
        let Some(sender) = sender.as_ref().filter(|sender| sender.receiver_count() > 0) else {
            return;
        };
        let at_ms = now_ms();
        let Some((kind, path, info)) = self.describe(event, at_ms) else {
            return;
        };
        let info = EventInfo {
            kind: kind.into(),
            at_ms,
            ..info
        };
        let frame = frame(&info);
        // The last listener may have gone meanwhile.
        let _ = sender.send(Arc::new(Published {
            kind,
            path: Some(path),
            frame,
        }));
    }

    /// An event's type, whom it is about and its other fields; none where it is one
    /// of too many.
    fn describe(&self, event: &Event, now_ms: u64) -> Option<(&'static str, Arc<str>, EventInfo)> {
        let about = |kind, subject: &Subject, more: EventInfo| {
            let info = EventInfo {
                path: Some(subject.path.to_string()),
                id: Some(subject.id.0),
                behaviour: Some(subject.behaviour.to_string()),
                version: Some(subject.version),
                module_version: Some(subject.module_version.clone()),
                ..more
            };
            Some((kind, subject.path.clone(), info))
        };
        let more = EventInfo::default();
        match event {
            Event::Started(subject) => about("started", subject, more),
            Event::Crashed {
                subject,
                crash,
                restarts,
            } => {
                let more = EventInfo {
                    restarts: Some(*restarts),
                    cause: Some(crash.to_string()),
                    backtrace: crash.backtrace.clone(),
                    ..more
                };
                about("crashed", subject, more)
            }
            Event::Restarted {
                subject,
                restarts,
                resumed,
                after_ms,
            } => {
                let more = EventInfo {
                    restarts: Some(*restarts),
                    resumed: Some(*resumed),
                    after_ms: Some(*after_ms),
                    ..more
                };
                about("restarted", subject, more)
            }
            Event::Ended {
                subject,
                reason,
                how,
            } => {
                let more = EventInfo {
                    reason: Some(reason.to_string()),
                    budget_exhausted: Some(*how == Ending::BudgetExhausted),
                    escalated: (*how == Ending::Escalated).then_some(true),
                    ..more
                };
                about("ended", subject, more)
            }
            Event::Swapped { subject, from } => {
                let more = EventInfo {
                    from_version: Some(*from),
                    ..more
                };
                about("swapped", subject, more)
            }
            Event::SwapFailed { subject, to, cause } => {
                let more = EventInfo {
                    to_version: Some(*to),
                    cause: Some(cause.clone()),
                    ..more
                };
                about("swap-failed", subject, more)
            }
            Event::KilledAtShutdown {
                subject,
                shutdown_ms,
            } => {
                let more = EventInfo {
                    shutdown_ms: Some(*shutdown_ms),
                    ..more
                };
                about("killed-at-shutdown", subject, more)
            }
            Event::SupervisorRestarted { path, after_ms } => {
                let info = EventInfo {
                    path: Some(path.to_string()),
                    after_ms: Some(*after_ms),
                    ..more
                };
                Some(("supervisor-restarted", path.clone(), info))
            }
            Event::SupervisorShutDown { path, cause } => {
                let info = EventInfo {
                    path: Some(path.to_string()),
                    cause: Some(cause.clone()),
                    ..more
                };
                Some(("supervisor-shut-down", path.clone(), info))
            }
            Event::SupervisorFailed { path, cause } => {
                let info = EventInfo {
                    path: Some(path.to_string()),
                    cause: Some(cause.clone()),
                    ..more
                };
                Some(("supervisor-failed", path.clone(), info))
            }
            Event::DeadLetter(letter) => {
                let left_out = self.letters.lock()[letter.reason as usize].admit(now_ms)?;
                Some(dead_letter(letter, left_out))
            }
            Event::Log {
                subject,
                level,
                line,
                suppressed,
            } => {
                let more = EventInfo {
                    level: Some(level_name(*level).into()),
                    line: Some(line.clone()),
                    suppressed: (*suppressed > 0).then_some(*suppressed),
                    ..more
                };
                about("log", subject, more)
            }
        }
    }
}

fn dead_letter(letter: &DeadLetter, left_out: u64) -> (&'static str, Arc<str>, EventInfo) {
    let known = !letter.behaviour.is_empty();
    let info = EventInfo {
        path: Some(letter.to_path.to_string()),
        id: Some(letter.to.0),
        behaviour: known.then(|| letter.behaviour.to_string()),
        version: known.then_some(letter.version),
        reason: Some(letter.reason.as_str().into()),
        cause: Some(letter.detail.clone()),
        letter: Some(letter.id),
        sender: letter.sender.as_ref().map(|(_, path)| path.to_string()),
        left_out: (left_out > 0).then_some(left_out),
        ..EventInfo::default()
    };
    ("dead-letter", letter.to_path.clone(), info)
}

fn level_name(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Trace => "trace",
        LogLevel::Debug => "debug",
        LogLevel::Info => "info",
        LogLevel::Warn => "warn",
        LogLevel::Error => "error",
    }
}

/// How many dead letters of one reason were told of lately.
#[derive(Debug, Default)]
struct Sample {
    second: u64,
    told: u32,
    left_out: u64,
}

impl Sample {
    /// Whether one more is told of; then how many before it were not.
    fn admit(&mut self, now_ms: u64) -> Option<u64> {
        if self.second != now_ms / 1_000 {
            self.second = now_ms / 1_000;
            self.told = 0;
        }
        if self.told == LETTERS_PER_SECOND {
            self.left_out += 1;
            return None;
        }
        self.told += 1;
        Some(std::mem::take(&mut self.left_out))
    }
}

/// A `gap` as a server-sent event: so many were missed, and perhaps it is the last.
pub fn gap(missed: u64, dropped: bool) -> Bytes {
    frame(&EventInfo {
        kind: "gap".into(),
        at_ms: now_ms(),
        missed: Some(missed),
        dropped: Some(dropped),
        ..EventInfo::default()
    })
}

fn frame(info: &EventInfo) -> Bytes {
    let data = serde_json::to_string(info).expect("an event is plain data");
    format!("event: {}\ndata: {data}\n\n", info.kind).into()
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

/// Writes the log and tells those who listen.
pub struct NodeObserver {
    /// Those who listen.
    pub hub: Arc<EventHub>,
}

impl Observer for NodeObserver {
    fn event(&self, event: Event) {
        self.hub.tell(&event);
        super::LogObserver.event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(n: u64) -> Event {
        Event::SupervisorFailed {
            path: "/s".into(),
            cause: n.to_string(),
        }
    }

    #[test]
    fn a_listener_that_falls_behind_misses_events_and_hears_how_many() {
        use tokio::sync::broadcast::error::TryRecvError;
        let hub = EventHub::default();
        hub.tell(&failed(0));
        let mut slow = hub.listen().unwrap();
        for n in 0..3_000 {
            hub.tell(&failed(n));
        }
        let missed = 3_000 - KEPT_MAX as u64;
        assert_eq!(
            slow.events.try_recv().unwrap_err(),
            TryRecvError::Lagged(missed)
        );
        let next = slow.events.try_recv().unwrap();
        let text = std::str::from_utf8(&next.frame).unwrap();
        assert!(
            text.starts_with("event: supervisor-failed\ndata: {"),
            "{text}"
        );
        assert!(text.contains(&format!("\"cause\":\"{missed}\"")), "{text}");
        assert!(text.ends_with("}\n\n"), "{text}");
        hub.close();
        assert_eq!(slow.events.len(), KEPT_MAX - 1);
        assert_eq!(hub.listen().err(), Some(NotListening::Ended));
    }

    #[test]
    fn there_are_only_so_many_listeners() {
        let hub = EventHub::default();
        let mut all: Vec<_> = (0..LISTENERS_MAX).map(|_| hub.listen().unwrap()).collect();
        assert_eq!(hub.listen().err(), Some(NotListening::TooMany));
        all.pop();
        assert!(hub.listen().is_ok());
    }

    #[test]
    fn a_flood_of_dead_letters_is_sampled_and_counted() {
        let mut sample = Sample::default();
        let told = (0..100).filter(|_| sample.admit(5_000).is_some()).count();
        assert_eq!(told, LETTERS_PER_SECOND as usize);
        assert_eq!(sample.admit(6_000), Some(90));
        assert_eq!(sample.admit(6_001), Some(0));
    }
}
