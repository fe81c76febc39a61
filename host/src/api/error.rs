//! Errors of the API, in one form for all.

use actorhost_core::{AskError, SendError, SpawnError, node::SpawnFailed};
use actorhost_wire::api::ErrorBody;
use axum::{
    Json,
    http::{StatusCode, Uri},
    response::{IntoResponse, Response},
};

/// A refused request.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
}

impl ApiError {
    /// An error with a stable code and a sentence for people.
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let body = ErrorBody {
            code: code.into(),
            message: message.into(),
            help: None,
        };
        Self { status, body }
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.body.help = Some(help.into());
        self
    }

    /// Says it in other words.
    pub fn in_words(mut self, message: impl Into<String>) -> Self {
        self.body.message = message.into();
        self
    }

    /// The request itself is not right.
    pub fn bad_request(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The thing named is not there; `known` are the names that are.
    pub fn not_found<'a>(
        code: &str,
        kind: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let error = Self::new(StatusCode::NOT_FOUND, code, format!("no {kind} `{name}`"));
        let known: Vec<&str> = known.into_iter().collect();
        match nearest(name, known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => error.help(format!("there is no {kind}")),
            None => error.help(listed(&known)),
        }
    }

    /// Nobody lives at this address.
    pub fn no_such_actor(address: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "no-such-actor",
            format!("no actor `{address}`"),
        )
        .help("`actorhost ps` lists the living actors")
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.body.code
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.body.message
    }

    /// A message that was not accepted.
    pub fn send(to: &str, error: &SendError) -> Self {
        match error {
            SendError::Full => Self::new(
                StatusCode::CONFLICT,
                "full",
                format!("the mailbox of {to} is full"),
            )
            .help("try again later, or raise `mailbox.capacity` of its behaviour"),
            SendError::Stopped => Self::new(
                StatusCode::GONE,
                "stopped",
                format!("{to} is stopping, or has ended: it takes no more messages"),
            )
            .help("`actorhost ps` lists the living actors"),
            SendError::NoSuchActor => Self::no_such_actor(to),
            SendError::TooLarge { limit } => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                format!("the message for {to} is larger than {limit} bytes"),
            )
            .help("raise `message-size` of its behaviour"),
            SendError::Overloaded => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "overloaded",
                "the node's budget for queued messages is used up",
            ),
        }
    }

    /// An ask without a reply.
    pub fn ask(to: &str, error: &AskError, timeout_ms: u64) -> Self {
        match error {
            AskError::Timeout => Self::new(
                StatusCode::GATEWAY_TIMEOUT,
                "timeout",
                format!("{to} did not reply within {timeout_ms} ms"),
            )
            .help("the message may still be handled; give more time with --timeout"),
            AskError::Crashed(cause) => Self::new(
                StatusCode::BAD_GATEWAY,
                "crashed",
                format!("{to} crashed on this message: {cause}"),
            )
            .help("the message is kept among the dead letters"),
            AskError::Stopped => Self::new(
                StatusCode::GONE,
                "stopped",
                format!("{to} did not reply before its end, or before that of its life"),
            )
            .help("`actorhost ps` shows whether it lives on; `actorhost events` how lives end"),
            AskError::Full => Self::send(to, &SendError::Full),
            AskError::NoSuchActor => Self::send(to, &SendError::NoSuchActor),
            AskError::TooLarge { limit } => Self::send(to, &SendError::TooLarge { limit: *limit }),
            AskError::Overloaded => Self::send(to, &SendError::Overloaded),
            AskError::Deadlock => Self::new(
                StatusCode::CONFLICT,
                "deadlock",
                format!("{to} would wait for itself"),
            ),
        }
    }

    /// An actor that could not be spawned.
    pub fn spawn(what: &str, error: &SpawnFailed) -> Self {
        let (status, code, message) = match error {
            SpawnFailed::Refused(SpawnError::UnknownBehaviour) => (
                StatusCode::NOT_FOUND,
                "unknown-behaviour",
                format!("{what}: no such behaviour"),
            ),
            SpawnFailed::Refused(SpawnError::NameTaken) => (
                StatusCode::CONFLICT,
                "name-taken",
                format!("{what}: a living actor has this name"),
            ),
            SpawnFailed::Refused(SpawnError::BadName) => (
                StatusCode::BAD_REQUEST,
                "bad-name",
                format!(
                    "`{what}` is no name: it takes 1 to 128 letters, digits, `-`, `_`, `.`, `:` or `@`"
                ),
            ),
            SpawnFailed::Refused(SpawnError::TooLarge { limit }) => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                format!("{what}: the arguments are larger than {limit} bytes"),
            ),
            SpawnFailed::Refused(error @ (SpawnError::Denied | SpawnError::Quota)) => {
                (StatusCode::FORBIDDEN, "refused", format!("{what}: {error}"))
            }
            SpawnFailed::Refused(error @ SpawnError::UnknownDispatcher { .. }) => (
                StatusCode::NOT_FOUND,
                "unknown-dispatcher",
                format!("{what}: {error}"),
            ),
            SpawnFailed::NoSuchPool => (
                StatusCode::NOT_FOUND,
                "unknown-pool",
                format!("{what}: no such pool"),
            ),
            SpawnFailed::ShuttingDown => (
                StatusCode::SERVICE_UNAVAILABLE,
                "shutting-down",
                "the node is shutting down".into(),
            ),
            SpawnFailed::Init(crash) => (
                StatusCode::BAD_GATEWAY,
                "init-failed",
                format!("{what}: {}", crash.message),
            ),
            SpawnFailed::CannotResume => (
                StatusCode::CONFLICT,
                "cannot-save",
                format!("{what}: {error}"),
            ),
        };
        let refused = Self::new(status, code, message);
        match code {
            "name-taken" => refused.help(
                "choose another, or end that actor with `actorhost stop`; `actorhost ps` lists all",
            ),
            "unknown-dispatcher" => refused.help("the manifest names them under `dispatchers`"),
            "init-failed" => refused.help("the node's log has the crash with its backtrace"),
            _ => refused,
        }
    }
}

/// Names shown of many.
const SHOWN_MAX: usize = 20;

fn listed(known: &[&str]) -> String {
    let shown = &known[..known.len().min(SHOWN_MAX)];
    let more = if known.len() > SHOWN_MAX { ", …" } else { "" };
    format!("known are `{}`{more}", shown.join("`, `"))
}

/// The known name that is nearest to one that is not, if any is near.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(name, known), known));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.7).then_some(best.1)
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

pub(super) async fn no_such_route(uri: Uri) -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "no-such-route",
        format!("no route {uri}"),
    )
    .help("is the command line of the same version as the node?")
}
