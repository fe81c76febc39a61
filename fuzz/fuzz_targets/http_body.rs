//! A request's body of any bytes: as each of the API's requests, and on from its JSON
//! to the message that an actor gets.
#![no_main]

use actorhost_wire::{
    api::{
        AskRequest, FeedRequest, RestartRequest, ShutdownRequest, SpawnRequest, StopRequest,
        TellRequest,
    },
    schema::{CodecError, Schema, coerce_row, json_to_postcard, postcard_to_json},
};
use libfuzzer_sys::fuzz_target;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{collections::BTreeMap, sync::LazyLock};

/// A message type with every shape in it.
#[derive(postcard_schema::Schema)]
#[allow(dead_code)]
enum Message {
    Reading {
        celsius: f64,
        taken: Option<i32>,
        flags: (bool, char),
    },
    Batch(Vec<Row>),
    Pair(u8, i128),
    Names(BTreeMap<u16, [Option<String>; 2]>),
    Reset,
}

#[derive(postcard_schema::Schema)]
#[allow(dead_code)]
struct Row {
    name: String,
    value: f32,
    unit: (),
    wide: u128,
}

static SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| Schema::of::<Message>().expect("the type is within the limits"));

fuzz_target!(|body: &[u8]| {
    for message in [
        request::<TellRequest>(body).map(|tell| tell.message),
        request::<AskRequest>(body).map(|ask| ask.message),
        request::<SpawnRequest>(body).and_then(|spawn| spawn.args),
        request::<Value>(body),
    ]
    .into_iter()
    .flatten()
    {
        deliver(&message);
    }
    if let Some(feed) = request::<FeedRequest>(body) {
        for row in &feed.rows {
            match coerce_row(&SCHEMA, feed.variant.as_deref(), &row.message) {
                Ok(message) => deliver(&message),
                Err(error) => show(&error),
            }
        }
    }
    request::<StopRequest>(body);
    request::<RestartRequest>(body);
    request::<ShutdownRequest>(body);
});

/// Reads a request, which then survives being written and read again.
fn request<R>(body: &[u8]) -> Option<R>
where
    R: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug,
{
    let request: R = serde_json::from_slice(body).ok()?;
    let text = serde_json::to_vec(&request).expect("a request can be written");
    let again: R = serde_json::from_slice(&text).expect("what was written can be read");
    assert_eq!(again, request);
    Some(request)
}

fn deliver(message: &Value) {
    match json_to_postcard(&SCHEMA, message) {
        Ok(bytes) => {
            let shown = postcard_to_json(&SCHEMA, &bytes).expect("what was encoded can be decoded");
            assert_eq!(json_to_postcard(&SCHEMA, &shown), Ok(bytes));
        }
        Err(error) => show(&error),
    }
}

fn show(error: &CodecError) {
    assert!(!error.to_string().is_empty());
    let _ = error.help();
}
