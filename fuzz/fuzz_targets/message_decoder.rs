//! A guest's schema and a guest's message, both of any bytes.
//!
//! The input is the schema's length (two bytes, the least first), the schema and the
//! message.
#![no_main]

use actorhost_wire::schema::{
    Schema, examples, json_to_postcard, postcard_to_json, to_json_schema, to_text, variant_name,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let [low, high, rest @ ..] = input else {
        return;
    };
    let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
    let (schema, message) = rest.split_at(length);
    let Ok(schema) = Schema::from_bytes(schema) else {
        return;
    };
    assert_eq!(Schema::from_bytes(&schema.to_bytes()), Ok(schema.clone()));
    to_text(&schema);
    to_json_schema(&schema);
    for value in examples(&schema) {
        // An enum without variants has no value, so this may fail.
        let _ = json_to_postcard(&schema, &value);
    }
    variant_name(&schema, message);
    if let Ok(value) = postcard_to_json(&schema, message) {
        let again = json_to_postcard(&schema, &value).expect("what was decoded can be encoded");
        assert_eq!(postcard_to_json(&schema, &again), Ok(value));
    }
});
