//! A client of a node's API, over the Unix socket in its data directory.
//!
//! One request after another goes over one connection; requests at the same time
//! have one each. Every request has a time limit. A request is never sent twice,
//! unless it certainly did not leave.

mod children;
mod dead_letters;
mod error;
mod events;
pub mod feed;
#[cfg(test)]
mod test_server;
#[cfg(test)]
mod tests;

pub use error::ClientError;
pub use events::EventStream;

use crate::{
    api::{BODY_BYTES_MAX, MODULE_BYTES_MAX},
    socket,
};
use actorhost_wire::api::{
    ActorList, AskReply, AskRequest, DeployReport, ErrorBody, FeedReply, FeedRequest, NodeInfo,
    NodeStats, RestartReply, RestartRequest, ShutdownReply, ShutdownRequest, SpawnReply,
    SpawnRequest, StopReply, StopRequest, SwapReport, TellReply, TellRequest, TreeNode,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Method, Request, StatusCode, client::conn::http1::SendRequest, header};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Largest answer that is read, in bytes. A list of a million actors has less.
const ANSWER_BYTES_MAX: usize = 512 << 20;

/// Time for a request that the node answers by looking.
const LOOK: Duration = Duration::from_secs(30);

/// Time for what waits for a handler or a compiler, beyond any limit of its own.
const WORK: Duration = Duration::from_secs(120);

/// Time for a batch of rows, whose actors may be slow to make room.
const FEED: Duration = Duration::from_secs(600);

/// What the way there and back may take on top of a limit that the node itself keeps.
const MARGIN: Duration = Duration::from_secs(5);

/// Time for an end whose limit only the node knows; a manifest allows one hour.
const END: Duration = Duration::from_secs(3_600);

type Connection = SendRequest<Full<Bytes>>;

/// A client of one node. Use it within a tokio runtime.
#[derive(Debug)]
pub struct Client {
    data_dir: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Client {
    /// A client of the node on `data_dir`. Nothing is connected yet.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            idle: Mutex::default(),
        }
    }

    /// The node's data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The node itself.
    ///
    /// # Errors
    /// As every request: [`ClientError`].
    pub async fn node(&self) -> Result<NodeInfo, ClientError> {
        self.get("/v1/node").await
    }

    /// Living actors: those below the path `under`, at most `limit`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn actors(
        &self,
        under: Option<&str>,
        limit: Option<u64>,
    ) -> Result<ActorList, ClientError> {
        let limit = limit.map(|limit| limit.to_string());
        let query = query(&[("under", under), ("limit", limit.as_deref())]);
        self.get(&format!("/v1/actors{query}")).await
    }

    /// The node in figures.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn stats(&self) -> Result<NodeStats, ClientError> {
        self.get("/v1/stats").await
    }

    /// The supervision tree.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn tree(&self) -> Result<TreeNode, ClientError> {
        self.get("/v1/tree").await
    }

    /// Makes a module the current version of a behaviour; living actors keep theirs.
    ///
    /// # Errors
    /// [`ClientError`], also when the module is refused.
    pub async fn deploy(
        &self,
        behaviour: &str,
        module: Bytes,
    ) -> Result<DeployReport, ClientError> {
        let query = query(&[("behaviour", Some(behaviour))]);
        self.post_bytes(&format!("/v1/deploy{query}"), module, WORK)
            .await
    }

    /// Moves a behaviour's living actors to a new module. Each may take `timeout_ms`
    /// milliseconds to reach the end of its turn; the node's own limit if none.
    ///
    /// # Errors
    /// [`ClientError`], also when the module is refused. Actors that could not be
    /// moved are in the report.
    pub async fn swap(
        &self,
        behaviour: &str,
        module: Bytes,
        timeout_ms: Option<u64>,
    ) -> Result<SwapReport, ClientError> {
        let limit = timeout_ms.map_or(WORK, |ms| WORK + Duration::from_millis(ms));
        let timeout_ms = timeout_ms.map(|ms| ms.to_string());
        let query = query(&[
            ("behaviour", Some(behaviour)),
            ("timeout_ms", timeout_ms.as_deref()),
        ]);
        self.post_bytes(&format!("/v1/swap{query}"), module, limit)
            .await
    }

    /// Spawns an actor and waits for its `init`.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn spawn(&self, request: &SpawnRequest) -> Result<SpawnReply, ClientError> {
        self.post("/v1/spawn", request, WORK).await
    }

    /// Sends a message.
    ///
    /// # Errors
    /// [`ClientError`], also when the actor does not accept it.
    pub async fn tell(&self, request: &TellRequest) -> Result<TellReply, ClientError> {
        self.post("/v1/tell", request, WORK).await
    }

    /// Sends a message and waits for its reply.
    ///
    /// # Errors
    /// [`ClientError`]; an ask without a reply is `Refused`, and its code says why.
    pub async fn ask(&self, request: &AskRequest) -> Result<AskReply, ClientError> {
        let limit = Duration::from_millis(request.timeout_ms).saturating_add(MARGIN);
        self.post("/v1/ask", request, limit).await
    }

    /// Sends one batch of rows; [`feed::run`] sends a whole file.
    ///
    /// # Errors
    /// [`ClientError`]. Rows that were not delivered are in the reply.
    pub async fn feed(&self, request: &FeedRequest) -> Result<FeedReply, ClientError> {
        self.post("/v1/feed", request, FEED).await
    }

    /// Stops an actor and waits for its end.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn stop(&self, request: &StopRequest) -> Result<StopReply, ClientError> {
        self.post("/v1/stop", request, end_limit(request.timeout_ms))
            .await
    }

    /// Restarts an actor and waits for its new life.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn restart(&self, request: &RestartRequest) -> Result<RestartReply, ClientError> {
        self.post("/v1/restart", request, WORK).await
    }

    /// Shuts the node down and waits until every actor has ended.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn shutdown(&self, request: &ShutdownRequest) -> Result<ShutdownReply, ClientError> {
        self.post("/v1/shutdown", request, end_limit(request.timeout_ms))
            .await
    }

    async fn get<R: DeserializeOwned>(&self, path: &str) -> Result<R, ClientError> {
        self.call(Method::GET, path, "", Bytes::new(), LOOK).await
    }

    async fn post<R: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        limit: Duration,
    ) -> Result<R, ClientError> {
        let body = serde_json::to_vec(body).expect("API bodies are plain data with text keys");
        check_size(body.len(), BODY_BYTES_MAX)?;
        self.call(Method::POST, path, "application/json", body.into(), limit)
            .await
    }

    async fn post_bytes<R: DeserializeOwned>(
        &self,
        path: &str,
        body: Bytes,
        limit: Duration,
    ) -> Result<R, ClientError> {
        check_size(body.len(), MODULE_BYTES_MAX)?;
        self.call(Method::POST, path, "application/wasm", body, limit)
            .await
    }

    async fn call<R: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Bytes,
        limit: Duration,
    ) -> Result<R, ClientError> {
        let request = |body| {
            let request = Request::builder()
                .method(&method)
                .uri(path)
                .header(header::HOST, "node");
            let request = match content_type {
                "" => request,
                content_type => request.header(header::CONTENT_TYPE, content_type),
            };
            request
                .body(Full::new(body))
                .expect("paths are escaped and headers are plain")
        };
        // Cancelling a request drops its connection with it, so that no later
        // request gets this one's answer.
        let exchange = self.exchange(request, body);
        let (status, answer) =
            tokio::time::timeout(limit, exchange)
                .await
                .map_err(|_| ClientError::Timeout {
                    path: path.into(),
                    limit,
                })??;
        read(path, status, &answer)
    }

    async fn exchange(
        &self,
        request: impl Fn(Bytes) -> Request<Full<Bytes>>,
        body: Bytes,
    ) -> Result<(StatusCode, Bytes), ClientError> {
        loop {
            let (mut connection, reused) = self.connection().await?;
            let sent = connection.try_send_request(request(body.clone())).await;
            let response = match sent {
                Ok(response) => response,
                // The node closed an idle connection; the request did not leave.
                Err(unsent) if reused && unsent.message().is_some() => continue,
                Err(broken) => return Err(self.broken(broken.into_error())),
            };
            let status = response.status();
            let answer = Limited::new(response.into_body(), ANSWER_BYTES_MAX)
                .collect()
                .await;
            let answer = answer.map_err(|error| self.broken(error))?.to_bytes();
            self.idle.lock().push(connection);
            return Ok((status, answer));
        }
    }

    /// A connection that can take a request, and whether it had one before.
    async fn connection(&self) -> Result<(Connection, bool), ClientError> {
        loop {
            let idle = self.idle.lock().pop();
            let Some(mut connection) = idle else { break };
            if connection.ready().await.is_ok() {
                return Ok((connection, true));
            }
        }
        let stream = self.connect().map_err(|error| ClientError::NotReachable {
            socket: socket::socket_path(&self.data_dir),
            error,
        })?;
        let shaken = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (connection, driver) = shaken.map_err(|error| self.broken(error))?;
        // Ends with the connection; what goes wrong there is heard by the request.
        tokio::spawn(driver);
        Ok((connection, false))
    }

    fn connect(&self) -> io::Result<tokio::net::UnixStream> {
        let stream = socket::connect(&self.data_dir)?;
        stream.set_nonblocking(true)?;
        tokio::net::UnixStream::from_std(stream)
    }

    fn broken(&self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ClientError {
        ClientError::Broken {
            socket: socket::socket_path(&self.data_dir),
            cause: error::with_causes(&*cause.into()),
        }
    }
}

/// A node cuts a request that is too large, before it has said why.
fn check_size(bytes: usize, limit: usize) -> Result<(), ClientError> {
    if bytes > limit {
        return Err(ClientError::TooLarge { bytes, limit });
    }
    Ok(())
}

fn end_limit(timeout_ms: Option<u64>) -> Duration {
    timeout_ms
        .map_or(END, Duration::from_millis)
        .saturating_add(MARGIN)
}

fn read<R: DeserializeOwned>(
    path: &str,
    status: StatusCode,
    answer: &[u8],
) -> Result<R, ClientError> {
    let unknown = |cause: serde_json::Error| ClientError::UnknownAnswer {
        path: path.into(),
        status: status.as_u16(),
        cause: cause.to_string(),
    };
    if status.is_success() {
        return serde_json::from_slice(answer).map_err(unknown);
    }
    let body: ErrorBody = serde_json::from_slice(answer).map_err(unknown)?;
    Err(ClientError::Refused {
        status: status.as_u16(),
        body,
    })
}

/// A query string of the pairs that have a value.
fn query(pairs: &[(&str, Option<&str>)]) -> String {
    let mut query = String::new();
    for (name, value) in pairs {
        let Some(value) = value else { continue };
        query.push(if query.is_empty() { '?' } else { '&' });
        query.push_str(name);
        query.push('=');
        escape(value, &mut query);
    }
    query
}

fn escape(text: &str, into: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            into.push(char::from(byte));
        } else {
            into.push('%');
            into.push(char::from(HEX[usize::from(byte >> 4)]));
            into.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}
