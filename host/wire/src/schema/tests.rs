//! Every form of error, and the limits on hostile bytes.

use super::{
    limits::{JSON_VALUES_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX},
    *,
};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedValue,
};
use serde_json::{Value, json};

#[derive(serde::Serialize, postcard_schema::Schema)]
#[allow(dead_code)]
enum Msg {
    Deposit { cents: u64, note: Option<String> },
    Withdraw { cents: u64 },
    Raw(Vec<u8>),
    Pair(i8, bool),
    Balance,
}

#[derive(serde::Serialize, postcard_schema::Schema)]
struct Flight {
    tailnum: String,
    distance: u16,
    arr_delay: Option<i32>,
    fuel: f64,
    cancelled: bool,
}

#[derive(serde::Serialize, postcard_schema::Schema)]
#[allow(dead_code)]
enum Feed {
    Flight(Flight),
    Row { kind: String, tags: Vec<u8> },
    Number(u8),
    Reset,
}

fn of<T: postcard_schema::Schema>() -> Schema {
    Schema::of::<T>().unwrap()
}

fn named(name: &str, ty: Type) -> OwnedNamedType {
    OwnedNamedType {
        name: name.to_owned(),
        ty,
    }
}

fn bytes_of(ty: &OwnedNamedType) -> Vec<u8> {
    postcard::to_stdvec(ty).unwrap()
}

fn encode_error<T: postcard_schema::Schema>(value: Value) -> String {
    json_to_postcard(&of::<T>(), &value)
        .unwrap_err()
        .to_string()
}

fn decode_error<T: postcard_schema::Schema>(bytes: &[u8]) -> String {
    postcard_to_json(&of::<T>(), bytes).unwrap_err().to_string()
}

#[test]
fn errors_name_the_place_what_is_wanted_and_what_was_probably_meant() {
    for (value, message) in [
        (
            json!({"Deposit": {"cents": "5"}}),
            "$.Deposit.cents: expected an integer (u64), found the string \"5\"",
        ),
        (
            json!({"Deposit": {"cents": 1.5}}),
            "$.Deposit.cents: expected an integer (u64), found the number 1.5",
        ),
        (
            json!({"Deposit": {"cents": -1}}),
            "$.Deposit.cents: -1 is out of range for u64, which holds 0 to 18446744073709551615",
        ),
        (
            json!({"Depositt": {"cents": 5}}),
            "$: no variant `Depositt`; did you mean `Deposit`?",
        ),
        (json!("Close"), "$: no variant `Close`"),
        (
            json!({"Deposit": {"cent": 5}}),
            "$.Deposit: unknown field `cent`; did you mean `cents`?",
        ),
        (
            json!({"Deposit": {"cents": 5, "colour": 1}}),
            "$.Deposit: unknown field `colour`",
        ),
        (
            json!({"Withdraw": {}}),
            "$.Withdraw: missing field `cents` (u64)",
        ),
        (
            json!("Withdraw"),
            "$: expected {\"Withdraw\": {\"cents\": …}}, found the name \"Withdraw\" alone",
        ),
        (
            json!({"Balance": 1}),
            "$.Balance: expected nothing (null), found the number 1",
        ),
        (
            json!({"Withdraw": [1]}),
            "$.Withdraw: expected an object of the variant's fields, found an array of 1",
        ),
        (json!({"Pair": [1]}), "$.Pair: expected 2 elements, found 1"),
        (
            json!({"Pair": [128, true]}),
            "$.Pair[0]: 128 is out of range for i8, which holds -128 to 127",
        ),
        (
            json!({"Raw": [1, 256]}),
            "$.Raw[1]: 256 is out of range for u8, which holds 0 to 255",
        ),
        (
            json!(7),
            "$: expected a variant's name, or an object with it as the one key (Msg), \
             found the number 7",
        ),
        (
            json!({"Balance": null, "Raw": []}),
            "$: expected a variant's name, or an object with it as the one key (Msg), \
             found an object with 2 keys",
        ),
    ] {
        assert_eq!(encode_error::<Msg>(value.clone()), message, "{value}");
    }
}

#[test]
fn the_help_lists_the_names() {
    let help = |value| json_to_postcard(&of::<Msg>(), &value).unwrap_err().help();
    assert_eq!(
        help(json!("Close")).unwrap(),
        "the variants are `Deposit`, `Withdraw`, `Raw`, `Pair`, `Balance`"
    );
    assert_eq!(
        help(json!({"Deposit": {"cents": 5, "colour": 1}})).unwrap(),
        "the fields are `cents`, `note`"
    );
    assert_eq!(help(json!({"Raw": 1})), None);
}

#[test]
fn an_absent_option_is_null_and_a_unit_variant_has_two_forms() {
    let schema = of::<Msg>();
    let encode = |value| json_to_postcard(&schema, &value).unwrap();
    assert_eq!(
        encode(json!({"Deposit": {"cents": 300}})),
        encode(json!({"Deposit": {"cents": 300, "note": null}}))
    );
    assert_eq!(encode(json!("Balance")), [4]);
    assert_eq!(encode(json!({"Balance": null})), [4]);
}

#[test]
fn other_kinds_of_json_are_refused() {
    use std::collections::BTreeMap;
    assert_eq!(
        encode_error::<bool>(json!(1)),
        "$: expected true or false, found the number 1"
    );
    assert_eq!(
        encode_error::<char>(json!("ab")),
        "$: expected a string of one character, found the string \"ab\""
    );
    assert_eq!(
        encode_error::<String>(json!(null)),
        "$: expected a string, found null"
    );
    assert_eq!(
        encode_error::<f32>(serde_json::from_str("1e39").unwrap()),
        "$: 1e+39 is out of range for f32, which holds -3.4028234663852886e38 to \
         3.4028234663852886e38"
    );
    let usize_schema = Schema::from_bytes(&bytes_of(&named("usize", Type::Usize))).unwrap();
    assert_eq!(
        json_to_postcard(&usize_schema, &json!(4_294_967_296_u64))
            .unwrap_err()
            .to_string(),
        "$: 4294967296 is out of range for usize, which holds 0 to 4294967295"
    );
    assert_eq!(
        encode_error::<Vec<(u8, bool)>>(json!([[1, true], [2, 3]])),
        "$[1][1]: expected true or false, found the number 3"
    );
    assert_eq!(
        encode_error::<BTreeMap<u8, bool>>(json!({"1": true, "x": false})),
        "$.x: expected a key of type u8, found \"x\""
    );
    assert_eq!(
        encode_error::<BTreeMap<u8, bool>>(json!({"300": false})),
        "$.300: 300 is out of range for u8, which holds 0 to 255"
    );
    assert_eq!(
        encode_error::<BTreeMap<(u8, u8), bool>>(json!({"a b": false})),
        "$[\"a b\"]: a map with keys of type (u8, u8) has no JSON form"
    );
}

#[test]
fn floats_that_are_no_numbers_have_names() {
    let schema = of::<(f32, f64, f64)>();
    let value = json!(["NaN", "inf", "-inf"]);
    let bytes = json_to_postcard(&schema, &value).unwrap();
    assert_eq!(postcard_to_json(&schema, &bytes).unwrap(), value);
    assert_eq!(
        encode_error::<f64>(json!("nan")),
        "$: expected a number (f64), found the string \"nan\""
    );
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
fn the_variant_is_known_without_reading_the_rest() {
    let schema = of::<Msg>();
    assert_eq!(variant_name(&schema, &[1]).as_deref(), Some("Withdraw"));
    assert_eq!(variant_name(&schema, &[5]), None);
    assert_eq!(variant_name(&schema, &[]), None);
    assert_eq!(variant_name(&of::<u8>(), &[1]), None);
    assert_eq!(schema.variant_names().len(), 5);
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

#[test]
fn a_row_fills_the_fields_of_its_variant() {
    let schema = of::<Feed>();
    let row = json!({
        "tailnum": "N14228", "distance": "1400", "arr_delay": "NA", "fuel": " 2.50 ",
        "cancelled": "FALSE", "carrier": "UA",
    });
    let message = coerce_row(&schema, Some("Flight"), &row).unwrap();
    let fields = json!({
        "tailnum": "N14228", "distance": 1400, "arr_delay": null,
        "fuel": serde_json::from_str::<Value>("2.50").unwrap(), "cancelled": false,
    });
    assert_eq!(message, json!({ "Flight": fields.clone() }));
    assert!(json_to_postcard(&schema, &message).is_ok());
    assert_eq!(coerce_row(&of::<Flight>(), None, &row), Ok(fields));

    let lists = json!({"kind": "", "tags": "[1, 2]"});
    assert_eq!(
        coerce_row(&schema, Some("Row"), &lists),
        Ok(json!({"Row": {"kind": "", "tags": [1, 2]}}))
    );
    assert_eq!(coerce_row(&schema, Some("Reset"), &row), Ok(json!("Reset")));
    assert_eq!(
        coerce_row(&schema, None, &json!("Reset")),
        Ok(json!("Reset"))
    );
}

#[test]
fn a_row_that_does_not_fit_says_where() {
    let schema = of::<Feed>();
    let error = |variant, row| {
        coerce_row(&schema, Some(variant), &row)
            .unwrap_err()
            .to_string()
    };
    let whole = json!({
        "tailnum": "N1", "distance": "1", "arr_delay": "1", "fuel": "1", "cancelled": "true",
    });
    let with = |name: &str, value: Value| {
        let mut row = whole.clone();
        row[name] = value;
        row
    };
    let mut short = whole.clone();
    short.as_object_mut().unwrap().shift_remove("arr_delay");
    assert_eq!(error("Flight", short.clone()), "missing column `arr_delay`");
    short["arrdelay"] = json!("5");
    assert_eq!(
        error("Flight", short),
        "missing column `arr_delay`; did you mean `arrdelay`?"
    );
    assert_eq!(
        error("Flight", with("arr_delay", json!("late"))),
        "$.Flight.arr_delay: expected an integer (i32), found the string \"late\""
    );
    assert_eq!(
        error("Flight", with("distance", json!(""))),
        "$.Flight.distance: expected an integer (u16), found the string \"\""
    );
    assert_eq!(
        error("Flight", with("cancelled", json!("maybe"))),
        "$.Flight.cancelled: expected true or false, found the string \"maybe\""
    );
    assert_eq!(
        error("Flihgt", whole.clone()),
        "$: no variant `Flihgt`; did you mean `Flight`?"
    );
    assert_eq!(
        error("Number", whole),
        "columns can't fill `Number`, which has no named fields"
    );
    assert_eq!(
        error("Flight", json!([1])),
        "$.Flight: expected a row with named columns, found an array of 1"
    );
    assert_eq!(
        coerce_row(&of::<u8>(), Some("X"), &json!({}))
            .unwrap_err()
            .to_string(),
        "$: expected an integer (u8), found the variant `X`"
    );
}

#[test]
fn the_text_declares_each_type_once() {
    #[derive(postcard_schema::Schema)]
    #[allow(dead_code)]
    struct Window {
        slots: [u64; 64],
        last: Option<Point>,
        all: Vec<Point>,
        by_name: std::collections::BTreeMap<String, (u8, bool)>,
        nothing: Nothing,
    }
    #[derive(postcard_schema::Schema)]
    #[allow(dead_code)]
    struct Point(f32, f32);
    #[derive(postcard_schema::Schema)]
    struct Nothing;
    assert_eq!(
        to_text(&of::<Window>()),
        "struct Window {\n    slots: [u64; 64],\n    last: Option<Point>,\n    \
         all: Vec<Point>,\n    by_name: Map<String, (u8, bool)>,\n    nothing: Nothing,\n}\n\n\
         struct Point(f32, f32);\n\nstruct Nothing;"
    );
    assert_eq!(
        to_text(&of::<Msg>()),
        "enum Msg {\n    Deposit { cents: u64, note: Option<String> },\n    \
         Withdraw { cents: u64 },\n    Raw(Vec<u8>),\n    Pair(i8, bool),\n    Balance,\n}"
    );
    assert_eq!(to_text(&of::<()>()), "()");
}

#[test]
fn the_text_is_safe_to_print() {
    let evil = named("a\u{1b}[2J", Type::UnitStruct);
    let schema = Schema::from_bytes(&bytes_of(&evil)).unwrap();
    assert_eq!(to_text(&schema), "struct a\\u{1b}[2J;");
}

#[test]
fn types_of_one_name_are_told_apart() {
    let point = |ty| named("Point", Type::TupleStruct(vec![named("", ty)]));
    let both = named("", Type::Tuple(vec![point(Type::Bool), point(Type::U8)]));
    let schema = Schema::from_bytes(&bytes_of(&both)).unwrap();
    assert_eq!(
        to_text(&schema),
        "(Point, Point_2)\n\nstruct Point(bool);\n\nstruct Point_2(u8);"
    );
}

#[test]
fn the_json_schema_describes_the_json() {
    let described = to_json_schema(&of::<Msg>());
    assert_eq!(
        described["$schema"],
        json!("https://json-schema.org/draft/2020-12/schema")
    );
    assert_eq!(described["title"], json!("Msg"));
    assert_eq!(
        described["oneOf"][1],
        json!({
            "type": "object",
            "properties": {"Withdraw": {
                "type": "object",
                "properties": {"cents": {
                    "type": "integer", "minimum": 0, "maximum": u64::MAX,
                }},
                "required": ["cents"],
                "additionalProperties": false,
            }},
            "required": ["Withdraw"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        described["oneOf"][0]["properties"]["Deposit"]["required"],
        json!(["cents"])
    );
    assert_eq!(described["oneOf"][4], json!({"const": "Balance"}));
}

#[test]
fn examples_show_every_variant() {
    let schema = of::<Msg>();
    let shown = examples(&schema);
    assert_eq!(shown[0], json!({"Deposit": {"cents": 1, "note": "text"}}));
    assert_eq!(shown[4], json!("Balance"));
    assert_eq!(example(&schema), shown[0]);
    for value in shown {
        assert!(json_to_postcard(&schema, &value).is_ok(), "{value}");
    }
}
