//! The API's bodies as JSON: what may be left out, what is refused, what is written.

use actorhost_wire::api::{
    AskRequest, ErrorBody, FeedRequest, ShutdownRequest, SpawnRequest, StopMode, StopRequest,
    TellRequest,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json, to_value};

fn refused<R: DeserializeOwned + std::fmt::Debug>(body: Value) -> String {
    from_value::<R>(body).unwrap_err().to_string()
}

fn unchanged<R: DeserializeOwned + Serialize>(body: Value) {
    let request: R = from_value(body.clone()).unwrap();
    assert_eq!(to_value(request).unwrap(), body);
}

#[test]
fn what_is_absent_stays_absent() {
    unchanged::<SpawnRequest>(json!({"pool": "fleet"}));
    unchanged::<SpawnRequest>(json!({"behaviour": "b", "name": "n", "args": {"a": 1}}));
    unchanged::<StopRequest>(json!({"actor": "/a", "mode": "drain"}));
    unchanged::<ShutdownRequest>(json!({}));
    unchanged::<FeedRequest>(json!({
        "pool": "p", "rows": [{"row": 1, "key": "k", "message": "Reset"}],
    }));
    unchanged::<ErrorBody>(json!({"code": "full", "message": "The mailbox is full."}));
}

#[test]
fn misspelt_and_missing_fields_are_refused() {
    assert!(refused::<TellRequest>(json!({"to": "/a", "mesage": 1})).contains("`mesage`"));
    assert!(refused::<TellRequest>(json!({"to": "/a"})).contains("`message`"));
    assert!(refused::<AskRequest>(json!({"to": "/a", "message": 1})).contains("`timeout_ms`"));
    let negative = json!({"to": "/a", "message": 1, "timeout_ms": -1});
    assert!(!refused::<AskRequest>(negative).is_empty());
    assert!(refused::<StopRequest>(json!({"actor": "/a", "mode": "soon"})).contains("`soon`"));
}

#[test]
fn stop_modes_are_written_as_the_command_line_does() {
    let modes = [StopMode::Drain, StopMode::Now, StopMode::Kill];
    assert_eq!(to_value(modes).unwrap(), json!(["drain", "now", "kill"]));
}

#[test]
fn large_numbers_pass_through_a_message_unchanged() {
    let text = r#"{"to":"/a","message":340282366920938463463374607431768211455}"#;
    let request: TellRequest = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&request).unwrap(), text);
}
