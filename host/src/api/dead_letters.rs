//! Dead letters: list, show, redrive, purge.

use super::{
    Api, ApiError,
    error::nearest,
    json::{Body, PathId, Words},
};
use actorhost_core::{
    ActorId,
    dead_letters::{DeadLetter, DeadReason, SelectedTarget, Selection},
    node::RedriveError,
};
use actorhost_wire::{
    api::{
        DeadLetterInfo, DeadLetterList, LetterSelection, PurgeReply, PurgeRequest, RedriveReply,
        RedriveRequest, RedrivenLetter, RefusedLetter,
    },
    schema::{postcard_to_json, variant_name},
};
use axum::{Json, extract::State, http::StatusCode};
use serde::Deserialize;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Longest message whose bytes a list shows in hex; each letter alone shows all.
const LISTED_HEX_BYTES_MAX: usize = 256;

/// How long all letters of one redrive may wait together for room where a mailbox's
/// policy is `block`.
const ROOM_MAX: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    #[serde(default = "list_limit")]
    limit: usize,
    reason: Option<String>,
    to: Option<String>,
    younger_ms: Option<u64>,
}

fn list_limit() -> usize {
    100
}

pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Words(query): Words<ListQuery>,
) -> Result<Json<DeadLetterList>, ApiError> {
    let filters = LetterSelection {
        reason: query.reason,
        to: query.to,
        younger_ms: query.younger_ms,
        ..LetterSelection::default()
    };
    let store = api.host.node.dead_letters();
    let (letters, selected) = store.select(&selection(&filters)?, query.limit);
    let counts = store.counts();
    let dropped = DeadReason::ALL.map(|reason| (reason.as_str().into(), store.dropped_of(reason)));
    Ok(Json(DeadLetterList {
        letters: letters
            .iter()
            .map(|letter| api.letter(letter, LISTED_HEX_BYTES_MAX))
            .collect(),
        selected,
        kept: counts.kept,
        kept_bytes: counts.kept_bytes,
        total: counts.total,
        dropped: counts.dropped,
        dropped_by_reason: dropped
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect(),
        removed: counts.removed,
    }))
}

pub(super) async fn show(
    State(api): State<Arc<Api>>,
    PathId(id): PathId,
) -> Result<Json<DeadLetterInfo>, ApiError> {
    let letter = api.host.node.dead_letters().get(id);
    let letter = letter.ok_or_else(|| {
        let message = format!("no dead letter {id} is kept");
        ApiError::new(StatusCode::NOT_FOUND, "not-kept", message)
            .help("`actorhost dead-letters list` lists those that are")
    })?;
    Ok(Json(api.letter(&letter, usize::MAX)))
}

pub(super) async fn redrive(
    State(api): State<Arc<Api>>,
    Body(request): Body<RedriveRequest>,
) -> Result<Json<RedriveReply>, ApiError> {
    let ids = api.meant(&request.select)?;
    let to = match &request.to_actor {
        None => None,
        Some(address) => {
            let id = api.host.node.resolve(address);
            Some(id.ok_or_else(|| ApiError::no_such_actor(address))?)
        }
    };
    let mut reply = RedriveReply {
        sent: Vec::new(),
        refused: Vec::new(),
    };
    let end = Instant::now() + ROOM_MAX;
    for id in ids {
        match api.redrive_one(id, to, request.force, end).await {
            Ok(sent) => reply.sent.push(sent),
            Err(refused) => reply.refused.push(refused),
        }
    }
    Ok(Json(reply))
}

pub(super) async fn purge(
    State(api): State<Arc<Api>>,
    Body(request): Body<PurgeRequest>,
) -> Result<Json<PurgeReply>, ApiError> {
    let store = api.host.node.dead_letters();
    let select = &request.select;
    let mut reply = PurgeReply {
        purged: 0,
        not_kept: Vec::new(),
    };
    if check(select)? == By::Filters {
        reply.purged = store.purge(&selection(select)?);
    }
    for &id in &select.ids {
        match store.take(id) {
            Some(_) => reply.purged += 1,
            None => reply.not_kept.push(id),
        }
    }
    Ok(Json(reply))
}

impl Api {
    async fn redrive_one(
        &self,
        id: u64,
        to: Option<ActorId>,
        force: bool,
        end: Instant,
    ) -> Result<RedrivenLetter, RefusedLetter> {
        let left = end.saturating_duration_since(Instant::now());
        let wait_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        match self.host.node.redrive(id, to, force, wait_ms).await {
            Ok(sent) => Ok(RedrivenLetter {
                id,
                to: sent.to_path.to_string(),
                to_id: sent.to.0,
                found_by: sent.found_by.as_str().into(),
            }),
            Err(error) => {
                let (code, message) = refusal(&error);
                Err(RefusedLetter { id, code, message })
            }
        }
    }

    /// The numbers of the letters meant, the oldest first; those named as named.
    fn meant(&self, select: &LetterSelection) -> Result<Vec<u64>, ApiError> {
        match check(select)? {
            By::Ids => Ok(select.ids.clone()),
            By::Filters => Ok(self.host.node.dead_letters().ids(&selection(select)?)),
        }
    }

    fn letter(&self, letter: &DeadLetter, hex_bytes_max: usize) -> DeadLetterInfo {
        let module = self
            .host
            .node
            .module_version(&letter.behaviour, letter.version);
        let schema = module.as_ref().map(|module| match letter.reason {
            DeadReason::LateReply => &module.description().reply,
            _ => &module.description().message,
        });
        let message = schema.and_then(|schema| postcard_to_json(schema, &letter.message).ok());
        let shows_hex = message.is_none() && letter.message.len() <= hex_bytes_max;
        DeadLetterInfo {
            id: letter.id,
            at_ms: letter.at_ms,
            reason: letter.reason.as_str().into(),
            detail: letter.detail.clone(),
            to: letter.to_path.to_string(),
            to_id: letter.to.0,
            sender: letter.sender.as_ref().map(|(_, path)| path.to_string()),
            sender_id: letter.sender.as_ref().map(|(id, _)| id.0),
            behaviour: letter.behaviour.to_string(),
            version: letter.version,
            crashes: letter.crashes,
            variant: schema.and_then(|schema| variant_name(schema, &letter.message)),
            size: letter.message.len() as u64,
            message,
            hex: shows_hex.then(|| hex(&letter.message)),
        }
    }
}

fn refusal(error: &RedriveError) -> (String, String) {
    let code = match error {
        RedriveError::NotKept => "not-kept",
        RedriveError::LateReply => "late-reply",
        RedriveError::Poison { .. } => "poison",
        RedriveError::Nobody(_) => "no-such-actor",
        RedriveError::Refused { to_path, error } => {
            let refused = ApiError::send(to_path, error);
            return (refused.code().into(), refused.message().into());
        }
    };
    (code.into(), error.to_string())
}

/// How a selection selects.
#[derive(Debug, PartialEq, Eq)]
enum By {
    Ids,
    Filters,
}

fn check(select: &LetterSelection) -> Result<By, ApiError> {
    let filtered = select.reason.is_some() || select.to.is_some() || select.younger_ms.is_some();
    match (select.ids.is_empty(), select.all || filtered) {
        (false, false) => Ok(By::Ids),
        (true, true) => Ok(By::Filters),
        (true, false) => Err(ApiError::bad_request(
            "no-selection",
            "the request does not say which letters: give ids, filters, or all",
        )),
        (false, true) => Err(ApiError::bad_request(
            "two-selections",
            "the request names letters by ids and by filters; give one of them",
        )),
    }
}

fn selection(filters: &LetterSelection) -> Result<Selection, ApiError> {
    let reason = match &filters.reason {
        None => None,
        Some(name) => Some(DeadReason::parse(name).ok_or_else(|| unknown_reason(name))?),
    };
    let since = filters
        .younger_ms
        .map(|age_ms| now_ms().saturating_sub(age_ms));
    Ok(Selection {
        reason,
        to: filters.to.as_deref().map(SelectedTarget::parse),
        since_ms: since,
    })
}

fn unknown_reason(name: &str) -> ApiError {
    let known = DeadReason::ALL.map(DeadReason::as_str);
    let error = ApiError::bad_request("unknown-reason", format!("no reason `{name}`"));
    match nearest(name, known) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(format!("the reasons are {}", known.join(", "))),
    }
}

fn now_ms() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    let pairs = bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]);
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_by_ids_or_by_filters() {
        let all = LetterSelection {
            all: true,
            ..LetterSelection::default()
        };
        let ids = LetterSelection {
            ids: vec![1],
            ..LetterSelection::default()
        };
        assert_eq!(check(&all).unwrap(), By::Filters);
        assert_eq!(check(&ids).unwrap(), By::Ids);
        let both = LetterSelection { all: true, ..ids };
        assert_eq!(check(&both).unwrap_err().code(), "two-selections");
        let none = LetterSelection::default();
        assert_eq!(check(&none).unwrap_err().code(), "no-selection");
        let wrong = LetterSelection {
            reason: Some("crash".into()),
            ..none
        };
        assert_eq!(selection(&wrong).unwrap_err().code(), "unknown-reason");
    }

    #[test]
    fn bytes_are_shown_in_hex() {
        assert_eq!(hex(&[0, 0x1f, 0xff]), "001fff");
    }
}
