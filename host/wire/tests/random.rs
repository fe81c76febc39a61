//! The codec over schemas and values that nobody chose.

mod generated;

use actorhost_wire::schema::{
    Schema, examples, json_to_postcard, postcard_to_json, to_json_schema, to_text, variant_name,
};
use generated::{Dice, sample, schemas};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn json_comes_back_as_it_went(schema in schemas(), seed in any::<u64>()) {
        let value = sample(&schema.root().ty, &mut Dice(seed));
        let bytes = json_to_postcard(&schema, &value).unwrap();
        prop_assert_eq!(postcard_to_json(&schema, &bytes).unwrap(), value);
    }

    #[test]
    fn any_bytes_are_a_value_or_an_error(schema in schemas(), bytes in any::<Vec<u8>>()) {
        let _ = variant_name(&schema, &bytes);
        if let Ok(value) = postcard_to_json(&schema, &bytes) {
            let again = json_to_postcard(&schema, &value).unwrap();
            prop_assert_eq!(postcard_to_json(&schema, &again).unwrap(), value);
        }
    }

    #[test]
    fn a_changed_byte_is_a_value_or_an_error(
        schema in schemas(),
        seed in any::<u64>(),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let value = sample(&schema.root().ty, &mut Dice(seed));
        let mut bytes = json_to_postcard(&schema, &value).unwrap();
        if !bytes.is_empty() {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(value) = postcard_to_json(&schema, &bytes) {
            prop_assert!(json_to_postcard(&schema, &value).is_ok());
        }
    }

    #[test]
    fn schemas_survive_their_bytes_and_can_be_shown(schema in schemas()) {
        prop_assert_eq!(Schema::from_bytes(&schema.to_bytes()).unwrap(), schema.clone());
        prop_assert!(!to_text(&schema).is_empty());
        prop_assert!(to_json_schema(&schema).is_object());
        for value in examples(&schema) {
            prop_assert!(json_to_postcard(&schema, &value).is_ok(), "{}", value);
        }
    }

    #[test]
    fn any_bytes_are_a_schema_or_an_error(bytes in any::<Vec<u8>>()) {
        if let Ok(schema) = Schema::from_bytes(&bytes) {
            let _ = to_text(&schema);
        }
    }

    #[test]
    fn a_schema_with_a_changed_byte_is_a_schema_or_an_error(
        schema in schemas(),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = schema.to_bytes();
        let at = place.index(bytes.len());
        bytes[at] = byte;
        if let Ok(schema) = Schema::from_bytes(&bytes) {
            prop_assert_eq!(Schema::from_bytes(&schema.to_bytes()).unwrap(), schema);
        }
    }
}
