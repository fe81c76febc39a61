//! Schemas as texts, JSON Schema and examples.

use super::{super::*, Msg, Type, bytes_of, named, of};
use serde_json::json;

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
