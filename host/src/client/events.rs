//! The stream of a node's events.

use super::{Client, ClientError, LOOK, WORK, query, read};
use actorhost_wire::api::EventInfo;
use bytes::{Buf, Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Incoming, client::conn::http1::SendRequest, header};

/// Longest event that is read, in bytes; a node makes much shorter ones.
const EVENT_BYTES_MAX: usize = 1 << 20;

/// Path of the stream.
const PATH: &str = "/v1/events";

/// A node's events from the moment on which this was made. It has a connection of
/// its own.
pub struct EventStream {
    body: Incoming,
    unread: BytesMut,
    /// Keeps the connection open.
    _connection: SendRequest<Full<Bytes>>,
}

impl Client {
    /// Listens to the node's events: those of these types (all if none), about actors
    /// whose path is `under` or below it.
    ///
    /// # Errors
    /// [`ClientError`], also when too many listen already.
    pub async fn events(
        &self,
        types: &[String],
        under: Option<&str>,
    ) -> Result<EventStream, ClientError> {
        let types = (!types.is_empty()).then(|| types.join(","));
        let query = query(&[("types", types.as_deref()), ("under", under)]);
        let opening = self.open(format!("{PATH}{query}"));
        let opened = tokio::time::timeout(LOOK, opening).await;
        opened.map_err(|_| ClientError::Timeout {
            path: PATH.into(),
            limit: LOOK,
        })?
    }

    async fn open(&self, path: String) -> Result<EventStream, ClientError> {
        let (mut connection, _) = self.connection().await?;
        let request = Request::get(&path)
            .header(header::HOST, "node")
            .body(Full::new(Bytes::new()))
            .expect("paths are escaped and headers are plain");
        let response = connection.send_request(request).await;
        let response = response.map_err(|error| self.broken(error))?;
        let status = response.status();
        let body = response.into_body();
        if !status.is_success() {
            let answer = tokio::time::timeout(WORK, body.collect()).await;
            let answer = answer.map_err(|_| ClientError::Timeout {
                path: path.clone(),
                limit: WORK,
            })?;
            let answer = answer.map_err(|error| self.broken(error))?.to_bytes();
            return Err(match read::<EventInfo>(&path, status, &answer) {
                Err(error) => error,
                Ok(_) => unreachable!("only a success is read"),
            });
        }
        Ok(EventStream {
            body,
            unread: BytesMut::new(),
            _connection: connection,
        })
    }

    /// The next event; none when the node has ended the stream. Dropping the wait
    /// loses nothing.
    ///
    /// # Errors
    /// [`ClientError`] when the connection broke.
    pub async fn next_event(
        &self,
        stream: &mut EventStream,
    ) -> Result<Option<EventInfo>, ClientError> {
        let unknown = |cause: String| ClientError::UnknownAnswer {
            path: PATH.into(),
            status: 200,
            cause,
        };
        loop {
            while let Some(event) = take_event(&mut stream.unread) {
                if let Some(data) = data_of(&event) {
                    let event = serde_json::from_str(data);
                    return event.map(Some).map_err(|error| unknown(error.to_string()));
                }
            }
            if stream.unread.len() > EVENT_BYTES_MAX {
                return Err(unknown(format!(
                    "an event of more than {EVENT_BYTES_MAX} bytes"
                )));
            }
            match stream.body.frame().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(self.broken(error)),
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        stream.unread.extend_from_slice(&data);
                    }
                }
            }
        }
    }
}

/// The text of one whole event, if there is one.
fn take_event(unread: &mut BytesMut) -> Option<String> {
    let end = unread.windows(2).position(|pair| pair == b"\n\n")?;
    let event = String::from_utf8_lossy(&unread[..end]).into_owned();
    unread.advance(end + 2);
    Some(event)
}

/// Its data; a comment has none.
fn data_of(event: &str) -> Option<&str> {
    event.lines().find_map(|line| line.strip_prefix("data: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_taken_once_it_is_whole() {
        let mut unread = BytesMut::from(&b": listening\n\nevent: log\ndata: {1}\n\nevent: lo"[..]);
        let comment = take_event(&mut unread).unwrap();
        assert_eq!(data_of(&comment), None);
        let event = take_event(&mut unread).unwrap();
        assert_eq!(data_of(&event), Some("{1}"));
        assert_eq!(take_event(&mut unread), None);
        assert_eq!(&unread[..], b"event: lo");
    }
}
