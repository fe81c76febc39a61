//! The node's events as server-sent events.
//!
//! A task for each client takes events from the broadcast and hands them to the
//! connection through a short queue. A client that reads slowly misses events and is
//! told so by a `gap`. One whose queue does not move for [`STALL`] is given up: its
//! place is free at once, and the gap marker waits as the last thing it can read,
//! until the listener cuts the connection.

use super::{Api, ApiError, json::Words};
use crate::node::{LISTENERS_MAX, Listening, NotListening, Published, gap};
use actorhost_wire::api::EVENT_TYPES;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use bytes::Bytes;
use hyper::body::Frame;
use serde::Deserialize;
use std::{
    convert::Infallible,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::sync::{broadcast::error::RecvError, mpsc};

/// How long a client may read nothing while there is something to read.
const STALL: Duration = Duration::from_secs(10);

/// Events handed to the connection ahead of its writing.
const AHEAD_MAX: usize = 16;

/// Said at once, so that a client knows that it is listening.
const HELLO: Bytes = Bytes::from_static(b": listening\n\n");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsQuery {
    /// Types with commas between them; all if none.
    types: Option<String>,
    under: Option<String>,
}

pub(super) async fn events(
    State(api): State<Arc<Api>>,
    Words(query): Words<EventsQuery>,
) -> Result<Response, ApiError> {
    let filter = Filter::new(query)?;
    let listening = api.events.listen().map_err(|refused| match refused {
        NotListening::TooMany => ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-listeners",
            format!("{LISTENERS_MAX} clients listen to events already"),
        )
        .help("end one of them; this is the most that a node serves"),
        NotListening::Ended => ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "shutting-down",
            "the node is shutting down",
        ),
    })?;
    let (ahead, frames) = mpsc::channel(AHEAD_MAX);
    let missed = Arc::new(AtomicU64::new(0));
    let body = EventBody {
        hello: Some(HELLO),
        frames,
        missed: missed.clone(),
    };
    tokio::spawn(pump(listening, filter, ahead, missed, STALL));
    let mut response = Response::new(Body::new(body));
    let headers = response.headers_mut();
    let stream = HeaderValue::from_static("text/event-stream");
    headers.insert(header::CONTENT_TYPE, stream);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

/// Which events a client wants.
struct Filter {
    types: Option<Vec<&'static str>>,
    under: String,
}

impl Filter {
    fn new(query: EventsQuery) -> Result<Self, ApiError> {
        let known = |name: &str| {
            let known = EVENT_TYPES.into_iter().find(|known| *known == name);
            known.ok_or_else(|| {
                ApiError::bad_request("unknown-type", format!("no event type `{name}`"))
                    .help(format!("the types are {}", EVENT_TYPES.join(", ")))
            })
        };
        let types = query.types.as_deref();
        let types = types.map(|types| types.split(',').map(known).collect());
        let under = query.under.unwrap_or_default();
        Ok(Self {
            types: types.transpose()?,
            under: under.trim_end_matches('/').into(),
        })
    }

    fn fits(&self, event: &Published) -> bool {
        let path = event.path.as_deref().unwrap_or_default();
        let below = path.strip_prefix(&*self.under);
        below.is_some_and(|rest| self.under.is_empty() || rest.is_empty() || rest.starts_with('/'))
            && self
                .types
                .as_ref()
                .is_none_or(|types| types.contains(&event.kind))
    }
}

/// Hands events on until the client goes, does not read, or the node ends.
async fn pump(
    listening: Listening,
    filter: Filter,
    ahead: mpsc::Sender<Bytes>,
    missed_last: Arc<AtomicU64>,
    stall: Duration,
) {
    let Listening { mut events, place } = listening;
    loop {
        let next = tokio::select! {
            biased;
            () = ahead.closed() => return,
            next = events.recv() => next,
        };
        let (frame, stands_for) = match next {
            Ok(event) if filter.fits(&event) => (event.frame.clone(), 1),
            Ok(_) => continue,
            Err(RecvError::Lagged(missed)) => (gap(missed, false), missed),
            Err(RecvError::Closed) => return,
        };
        match tokio::time::timeout(stall, ahead.send(frame)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => {
                let missed = stands_for + events.len() as u64;
                missed_last.store(missed, Ordering::Release);
                drop(place);
                tracing::warn!(
                    missed,
                    "a client of the event stream does not read: dropped"
                );
                return;
            }
        }
    }
}

/// What the connection writes.
struct EventBody {
    hello: Option<Bytes>,
    frames: mpsc::Receiver<Bytes>,
    /// What the client missed when it was given up; 0 if it was not.
    missed: Arc<AtomicU64>,
}

impl hyper::body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(hello) = self.hello.take() {
            return Poll::Ready(Some(Ok(Frame::data(hello))));
        }
        let next = ready!(self.frames.poll_recv(cx));
        let next = next.or_else(|| match self.missed.swap(0, Ordering::Acquire) {
            0 => None,
            missed => Some(gap(missed, true)),
        });
        Poll::Ready(next.map(|frame| Ok(Frame::data(frame))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::EventHub;
    use actorhost_core::observe::Event;
    use http_body_util::BodyExt;

    fn fits(types: Option<&str>, under: Option<&str>, kind: &'static str, path: &str) -> bool {
        let filter = Filter::new(EventsQuery {
            types: types.map(Into::into),
            under: under.map(Into::into),
        });
        filter.unwrap().fits(&Published {
            kind,
            path: Some(path.into()),
            frame: Bytes::new(),
        })
    }

    #[test]
    fn a_client_chooses_types_and_a_part_of_the_tree() {
        assert!(fits(None, None, "log", "/a"));
        assert!(fits(Some("log,ended"), Some("/a/"), "ended", "/a/b"));
        assert!(!fits(Some("log"), None, "ended", "/a"));
        assert!(!fits(None, Some("/a"), "log", "/ab"));
        let wrong = Filter::new(EventsQuery {
            types: Some("logs".into()),
            under: None,
        });
        assert_eq!(wrong.err().unwrap().code(), "unknown-type");
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up_and_hears_what_it_missed() {
        let hub = EventHub::default();
        let (ahead, frames) = mpsc::channel(AHEAD_MAX);
        let missed = Arc::new(AtomicU64::new(0));
        let body = EventBody {
            hello: None,
            frames,
            missed: missed.clone(),
        };
        let filter = Filter {
            types: None,
            under: String::new(),
        };
        let listening = hub.listen().unwrap();
        for _ in 0..3_000 {
            hub.tell(&Event::SupervisorFailed {
                path: "/s".into(),
                cause: "x".into(),
            });
        }
        pump(listening, filter, ahead, missed, Duration::from_millis(50)).await;
        let read = body.collect().await.unwrap().to_bytes();
        let read = std::str::from_utf8(&read).unwrap();
        let events: Vec<&str> = read.split_terminator("\n\n").collect();
        assert_eq!(events.len(), AHEAD_MAX + 1);
        // The first gap is among what was queued.
        let first: u64 = 3_000 - 1_024;
        assert!(
            events[0].contains(&format!("\"missed\":{first}")),
            "{}",
            events[0]
        );
        let last = 1_024 - (AHEAD_MAX as u64 - 1);
        let said = events[AHEAD_MAX];
        assert!(
            said.contains(&format!("\"missed\":{last},\"dropped\":true")),
            "{said}"
        );
    }
}
