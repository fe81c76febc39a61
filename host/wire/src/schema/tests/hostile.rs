//! Bytes that nobody meant well.

use super::{
    super::{limits::*, *},
    Msg, Type, bytes_of, named, of,
};
use postcard_schema::schema::owned::{OwnedDataModelVariant as Form, OwnedNamedValue};
use serde_json::{Value, json};

fn decode_error<T: postcard_schema::Schema>(bytes: &[u8]) -> String {
    postcard_to_json(&of::<T>(), bytes).unwrap_err().to_string()
}

#[test]
fn hostile_messages_end_in_errors() {
    assert_eq!(
        decode_error::<Msg>(&[9]),
        "$: the message is broken at byte 0: variant 9 of 5"
    );
    assert_eq!(
        decode_error::<Msg>(&[1]),
        "$.Withdraw.cents: the message ends too early, after 1 bytes"
    );
    assert_eq!(
        decode_error::<Msg>(&[4, 0, 0]),
        "the message ends at byte 1, but 2 more follow"
    );
    assert_eq!(
        decode_error::<bool>(&[2]),
        "$: the message is broken at byte 0: expected 0 or 1"
    );
    assert_eq!(
        decode_error::<(u8, String)>(&[1, 2, 0xff, 0xff]),
        "$[1]: the message is broken at byte 1: the text is not UTF-8"
    );
    assert_eq!(
        decode_error::<char>(&[2, b'a', b'b']),
        "$: the message is broken at byte 0: expected exactly one character"
    );
    let forged = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(
        decode_error::<Vec<u64>>(&forged),
        "$[0]: the message ends too early, after 10 bytes"
    );
    assert_eq!(
        decode_error::<String>(&forged),
        "$: the message ends too early, after 10 bytes"
    );
    assert_eq!(
        decode_error::<Vec<()>>(&forged),
        "$: a list of 18446744073709551615 empty elements; 65536 are allowed"
    );
    assert_eq!(
        decode_error::<std::collections::BTreeMap<u8, ()>>(&[2, 7, 7]),
        "$: the key \"7\" comes twice"
    );
}

#[test]
fn a_message_of_too_many_values_is_refused() {
    let mut bytes = Vec::new();
    reader::put_varint(&mut bytes, JSON_VALUES_MAX as u128);
    bytes.resize(bytes.len() + JSON_VALUES_MAX, 0);
    assert!(matches!(
        postcard_to_json(&of::<Vec<u8>>(), &bytes),
        Err(CodecError::TooManyValues { .. })
    ));
}

#[test]
fn long_names_count_against_the_limit() {
    let long = Schema::from_bytes(&bytes_of(&named(
        "",
        Type::Seq(Box::new(named(
            "",
            Type::Struct(vec![OwnedNamedValue {
                name: "x".repeat(60_000),
                ty: named("", Type::Bool),
            }]),
        ))),
    )))
    .unwrap();
    let mut bytes = vec![0x80, 0x80, 0x01];
    bytes.resize(3 + 16_384, 1);
    assert!(matches!(
        postcard_to_json(&long, &bytes),
        Err(CodecError::TooManyValues { .. })
    ));
}

#[test]
fn a_small_value_cannot_grow_without_end() {
    let absent = (0..4_000).map(|n| OwnedNamedValue {
        name: n.to_string(),
        ty: named("", Type::Option(Box::new(named("", Type::Bool)))),
    });
    let rows = named(
        "",
        Type::Seq(Box::new(named("", Type::Struct(absent.collect())))),
    );
    let schema = Schema::from_bytes(&bytes_of(&rows)).unwrap();
    let value = Value::Array(vec![json!({}); 20_000]);
    assert!(matches!(
        json_to_postcard(&schema, &value),
        Err(CodecError::TooLarge { .. })
    ));
}

#[test]
fn a_schema_survives_its_bytes() {
    let schema = of::<Msg>();
    assert_eq!(Schema::from_bytes(&schema.to_bytes()), Ok(schema.clone()));
    assert_eq!(schema.name(), "Msg");
    assert!(of::<()>().is_unit() && !schema.is_unit());
}

#[test]
fn broken_schemas_are_refused() {
    let whole = of::<Msg>().to_bytes();
    for end in 0..whole.len() {
        assert_eq!(
            Schema::from_bytes(&whole[..end]),
            Err(SchemaError::Truncated { at: end })
        );
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert_eq!(
        Schema::from_bytes(&longer),
        Err(SchemaError::TrailingBytes {
            at: whole.len(),
            extra: 1
        })
    );
    assert_eq!(
        Schema::from_bytes(&vec![0; SCHEMA_BYTES_MAX + 1]),
        Err(SchemaError::TooLarge {
            bytes: SCHEMA_BYTES_MAX + 1
        })
    );
    assert!(matches!(
        Schema::from_bytes(&[0, 29]),
        Err(SchemaError::Malformed { at: 1, .. })
    ));
    // A length of 2^64 - 1 for a tuple, and nothing in it.
    assert!(matches!(
        Schema::from_bytes(&[
            0, 23, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01
        ]),
        Err(SchemaError::Truncated { .. })
    ));
}

#[test]
fn depth_is_limited_before_the_stack_is() {
    // An option in an option in an option …
    let nested = |depth: usize| {
        let mut bytes = [0, 18].repeat(depth - 1);
        bytes.extend([0, 0]);
        bytes
    };
    assert!(Schema::from_bytes(&nested(SCHEMA_DEPTH_MAX)).is_ok());
    for deep in [SCHEMA_DEPTH_MAX + 1, SCHEMA_BYTES_MAX / 2] {
        assert_eq!(Schema::from_bytes(&nested(deep)), Err(SchemaError::TooDeep));
    }
}

#[test]
fn nodes_are_limited() {
    let wide = |count| named("", Type::Tuple(vec![named("", Type::Bool); count]));
    assert!(Schema::from_bytes(&bytes_of(&wide(SCHEMA_NODES_MAX - 1))).is_ok());
    assert_eq!(
        Schema::from_bytes(&bytes_of(&wide(SCHEMA_NODES_MAX))),
        Err(SchemaError::TooManyNodes)
    );
}

#[test]
fn names_may_be_empty_but_not_come_twice() {
    let field = |name: &str| OwnedNamedValue {
        name: name.to_owned(),
        ty: named("", Type::Bool),
    };
    let fields = |names: [&str; 2]| named("S", Type::Struct(names.map(field).into()));
    assert!(Schema::from_bytes(&bytes_of(&fields(["", "a"]))).is_ok());
    assert_eq!(
        Schema::from_bytes(&bytes_of(&fields(["a", "a"])))
            .unwrap_err()
            .to_string(),
        "`S` has the field `a` twice"
    );
    let variant = OwnedNamedVariant {
        name: "V".to_owned(),
        ty: Form::UnitVariant,
    };
    let twice = named("E", Type::Enum(vec![variant.clone(), variant]));
    assert_eq!(
        Schema::from_bytes(&bytes_of(&twice))
            .unwrap_err()
            .to_string(),
        "`E` has the variant `V` twice"
    );
}
