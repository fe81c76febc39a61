//! The derive of `Schema` agrees with `postcard-schema`'s own on forms, and with
//! serde on names.
#![allow(missing_docs, dead_code, reason = "types that exist to be described")]

use actorhost_sdk::{ActorRef, prelude::*};
use postcard_schema::schema::{DataModelType, DataModelVariant, NamedType};
use serde_json::json;
use std::collections::BTreeMap;

/// The same types under one derive or the other.
macro_rules! types {
    ($module:ident, $derive:path) => {
        mod $module {
            use std::collections::BTreeMap;

            #[derive($derive)]
            pub struct Unit;
            #[derive($derive)]
            pub struct EmptyTuple();
            #[derive($derive)]
            pub struct Newtype(pub u32);
            #[derive($derive)]
            pub struct Tuple(pub i8, pub String);
            #[derive($derive)]
            pub struct Generic<T> {
                pub one: T,
                pub many: Vec<Option<T>>,
            }
            #[derive($derive)]
            #[serde(rename = "renamed")]
            pub enum Choice {
                Nothing,
                One(Newtype),
                Two(u8, (bool, char)),
                #[serde(rename = "some_fields")]
                Fields {
                    map: BTreeMap<String, f64>,
                    #[serde(rename = "type")]
                    kind: [u8; 4],
                },
            }
        }
    };
}

types!(ours, actorhost_sdk::Schema);
types!(theirs, postcard_schema::Schema);

macro_rules! assert_same {
    ($($name:ident $(<$arg:ty>)?),* $(,)?) => {$(
        assert_eq!(
            <ours::$name $(<$arg>)? as Schema>::SCHEMA,
            <theirs::$name $(<$arg>)? as Schema>::SCHEMA,
        );
    )*};
}

#[test]
fn forms_are_those_of_postcard_schemas_own_derive() {
    assert_same!(Unit, EmptyTuple, Newtype, Tuple, Generic<i64>, Choice);
}

/// What the schema calls the fields of a struct.
fn field_names(schema: &NamedType) -> Vec<&'static str> {
    match schema.ty {
        DataModelType::Struct(fields) => fields.iter().map(|field| field.name).collect(),
        other => panic!("{other:?} is no struct"),
    }
}

/// What serde calls them.
fn json_keys(value: impl Serialize) -> Vec<String> {
    let value = serde_json::to_value(value).unwrap();
    value.as_object().unwrap().keys().cloned().collect()
}

macro_rules! cases {
    ($($case:literal),*) => {$({
        #[derive(Default, Serialize, Schema)]
        #[serde(rename_all = $case)]
        struct Fields { plain: u8, two_words: u8, _led: u8, with_2_digits: u8, r#loop: u8 }
        assert_eq!(json_keys(Fields::default()), field_names(Fields::SCHEMA), $case);

        #[derive(Serialize, Schema)]
        #[serde(rename_all = $case)]
        enum Variants { Plain, TwoWords, HTTPRequest, V2 }
        let all = [Variants::Plain, Variants::TwoWords, Variants::HTTPRequest, Variants::V2];
        let DataModelType::Enum(variants) = Variants::SCHEMA.ty else {
            panic!("an enum is one");
        };
        for (value, variant) in all.iter().zip(*variants) {
            assert_eq!(json!(value), variant.name, $case);
        }
    })*};
}

#[test]
fn renamed_fields_and_variants_are_called_as_serde_calls_them() {
    cases!(
        "lowercase",
        "UPPERCASE",
        "PascalCase",
        "camelCase",
        "snake_case",
        "SCREAMING_SNAKE_CASE",
        "kebab-case",
        "SCREAMING-KEBAB-CASE"
    );
}

#[test]
fn a_variants_fields_follow_the_variants_case_or_the_enums() {
    #[derive(Schema)]
    #[serde(rename_all_fields = "camelCase")]
    enum Message {
        Both {
            two_words: u8,
        },
        #[serde(rename_all = "UPPERCASE")]
        Own {
            two_words: u8,
        },
    }
    let DataModelType::Enum(variants) = Message::SCHEMA.ty else {
        panic!("an enum is one");
    };
    let names: Vec<_> = variants
        .iter()
        .map(|variant| match variant.ty {
            DataModelVariant::StructVariant(fields) => fields[0].name,
            other => panic!("{other:?} has no fields"),
        })
        .collect();
    assert_eq!(names, ["twoWords", "TWO_WORDS"]);
}

#[test]
fn a_skipped_field_is_neither_written_nor_described() {
    #[derive(Default, Debug, PartialEq, Serialize, Deserialize, Schema)]
    struct State {
        before: u8,
        #[serde(skip)]
        cache: Vec<u8>,
        after: u8,
    }
    assert_eq!(field_names(State::SCHEMA), ["before", "after"]);
    let state = State {
        before: 1,
        cache: vec![9],
        after: 2,
    };
    let bytes = actorhost_sdk::encode(&state).unwrap();
    assert_eq!(bytes, [1, 2]);
    let read: State = actorhost_sdk::decode(&bytes).unwrap();
    assert_eq!((read.before, read.after, read.cache.len()), (1, 2, 0));
}

#[test]
fn a_transparent_struct_is_described_as_its_field() {
    #[derive(Serialize, Schema)]
    #[serde(transparent)]
    struct Meters {
        value: BTreeMap<u8, f32>,
    }
    assert_eq!(Meters::SCHEMA, <BTreeMap<u8, f32>>::SCHEMA);
}

#[test]
fn an_address_is_a_number_on_the_wire() {
    let bytes = actorhost_sdk::encode(&ActorRef::from_raw(300)).unwrap();
    assert_eq!(bytes, actorhost_sdk::encode(&300_u64).unwrap());
    assert_eq!(
        ActorRef::SCHEMA.ty,
        &DataModelType::NewtypeStruct(u64::SCHEMA)
    );
}
