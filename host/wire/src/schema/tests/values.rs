//! JSON to postcard, and what it says when that fails.

use super::{super::*, Msg, Type, bytes_of, named, of};
use serde_json::{Value, json};

fn encode_error<T: postcard_schema::Schema>(value: Value) -> String {
    json_to_postcard(&of::<T>(), &value)
        .unwrap_err()
        .to_string()
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
fn the_variant_is_known_without_reading_the_rest() {
    let schema = of::<Msg>();
    assert_eq!(variant_name(&schema, &[1]).as_deref(), Some("Withdraw"));
    assert_eq!(variant_name(&schema, &[5]), None);
    assert_eq!(variant_name(&schema, &[]), None);
    assert_eq!(variant_name(&of::<u8>(), &[1]), None);
    assert_eq!(schema.variant_names().len(), 5);
}
