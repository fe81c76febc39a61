//! The codec against serde itself: for types of every shape, its bytes are postcard's
//! and its JSON is serde_json's.

use actorhost_wire::schema::{Schema, example, json_to_postcard, postcard_to_json};
use postcard_schema::schema::{DataModelType, NamedType};
use proptest::prelude::*;
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    ops::Range,
    time::Duration,
};

/// Checks both directions for one value.
fn agree<T>(value: &T)
where
    T: Serialize + DeserializeOwned + postcard_schema::Schema + PartialEq + Debug,
{
    let schema = Schema::of::<T>().unwrap();
    let bytes = postcard::to_stdvec(value).unwrap();
    let json = serde_json::to_value(value).unwrap();
    assert_eq!(
        postcard_to_json(&schema, &bytes).unwrap(),
        json,
        "{value:?}"
    );
    assert_eq!(
        json_to_postcard(&schema, &json).unwrap(),
        bytes,
        "{value:?}"
    );
    // Also as text, which is how JSON comes from outside.
    let text: serde_json::Value = serde_json::from_str(&json.to_string()).unwrap();
    assert_eq!(
        json_to_postcard(&schema, &text).unwrap(),
        bytes,
        "{value:?}"
    );
    // And the type itself can read what the codec shows.
    let shown = example(&schema);
    assert!(
        serde_json::from_value::<T>(shown.clone()).is_ok(),
        "{shown}"
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Numbers {
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: i128,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: u128,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Floats(f32, f64);

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Texts {
    one: char,
    many: String,
    flag: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Unit;

#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, postcard_schema::Schema,
)]
struct Newtype(u64);

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Empty {}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct EmptyTuple();

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Options {
    some: Option<u8>,
    text: Option<String>,
    nested: Option<Vec<Option<bool>>>,
    newtype: Option<Newtype>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
enum Shape {
    Nothing,
    One(u32),
    Wrapped(Newtype),
    Two(u8, String),
    Named {
        x: i64,
        label: Option<String>,
    },
    #[serde(rename = "renamed-variant")]
    Renamed {
        #[serde(rename = "the field")]
        field: Unit,
    },
    Unit(Unit),
    None(()),
}

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    postcard_schema::Schema,
)]
enum Colour {
    Red,
    Green,
    Blue,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Lists {
    shapes: Vec<Shape>,
    tuple: (u8, (), Shape),
    single: (i32,),
    array: [u16; 5],
    none: [u16; 0],
    set: BTreeSet<Newtype>,
    units: Vec<()>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Maps {
    text: BTreeMap<String, Shape>,
    number: BTreeMap<i32, u8>,
    large: BTreeMap<u128, ()>,
    flag: BTreeMap<bool, bool>,
    letter: BTreeMap<char, BTreeMap<u8, u8>>,
    newtype: BTreeMap<Newtype, i8>,
    colour: BTreeMap<Colour, u8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Std {
    result: Result<u8, String>,
    range: Range<u32>,
    time: Duration,
    boxed: Box<Shape>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, postcard_schema::Schema)]
struct Generic<T> {
    inner: T,
}

/// Bytes as serde's own kind of value, which no derive makes.
#[derive(Debug, PartialEq)]
struct Blob(Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self)
    }
}

impl postcard_schema::Schema for Blob {
    const SCHEMA: &'static NamedType = &NamedType {
        name: "Blob",
        ty: &DataModelType::ByteArray,
    };
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z]{0,4}"]
}

fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Nothing),
        any::<u32>().prop_map(Shape::One),
        any::<u64>().prop_map(|n| Shape::Wrapped(Newtype(n))),
        (any::<u8>(), texts()).prop_map(|(n, text)| Shape::Two(n, text)),
        (any::<i64>(), prop::option::of(texts())).prop_map(|(x, label)| Shape::Named { x, label }),
        Just(Shape::Renamed { field: Unit }),
        Just(Shape::Unit(Unit)),
        Just(Shape::None(())),
    ]
}

fn maps<K: Ord + Debug>(keys: impl Strategy<Value = K>) -> impl Strategy<Value = BTreeMap<K, u8>> {
    prop::collection::btree_map(keys, any::<u8>(), 0..4)
}

fn colours() -> impl Strategy<Value = Colour> {
    prop::sample::select(vec![Colour::Red, Colour::Green, Colour::Blue])
}

proptest! {
    #[test]
    fn numbers(
        (a, b, c, d, e) in any::<(i8, i16, i32, i64, i128)>(),
        (f, g, h, i, j) in any::<(u8, u16, u32, u64, u128)>(),
    ) {
        agree(&Numbers { a, b, c, d, e, f, g, h, i, j });
    }

    #[test]
    fn floats(a in prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO,
              b in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO) {
        agree(&Floats(a, b));
    }

    #[test]
    fn words(one in any::<char>(), many in texts(), flag in any::<bool>()) {
        agree(&Texts { one, many, flag });
    }

    #[test]
    fn options(
        some in any::<Option<u8>>(),
        text in prop::option::of(texts()),
        nested in any::<Option<Vec<Option<bool>>>>(),
        newtype in any::<Option<u64>>(),
    ) {
        agree(&Options { some, text, nested, newtype: newtype.map(Newtype) });
    }

    #[test]
    fn enums(shape in shapes()) {
        agree(&Generic { inner: shape.clone() });
        agree(&shape);
    }

    #[test]
    fn lists(
        shapes in prop::collection::vec(shapes(), 0..4),
        shape in shapes(),
        (first, single, array) in any::<(u8, i32, [u16; 5])>(),
        set in any::<BTreeSet<u64>>(),
        units in 0..5_usize,
    ) {
        agree(&Lists {
            shapes,
            tuple: (first, (), shape),
            single: (single,),
            array,
            none: [],
            set: set.into_iter().map(Newtype).collect(),
            units: vec![(); units],
        });
    }

    #[test]
    fn maps_of_every_key(
        text in prop::collection::btree_map(texts(), shapes(), 0..4),
        number in maps(any::<i32>()),
        large in maps(any::<u128>()),
        flag in any::<BTreeMap<bool, bool>>(),
        letter in prop::collection::btree_map(any::<char>(), maps(any::<u8>()), 0..3),
        newtype in any::<BTreeMap<u64, i8>>(),
        colour in maps(colours()),
    ) {
        agree(&Maps {
            text,
            number,
            large: large.into_keys().map(|key| (key, ())).collect(),
            flag,
            letter,
            newtype: newtype.into_iter().map(|(key, value)| (Newtype(key), value)).collect(),
            colour,
        });
    }

    #[test]
    fn types_of_the_standard_library(
        result in any::<Result<u8, String>>(),
        range in any::<Range<u32>>(),
        (secs, nanos) in (any::<u64>(), 0..1_000_000_000_u32),
        shape in shapes(),
    ) {
        let time = Duration::new(secs, nanos);
        agree(&Std { result, range, time, boxed: Box::new(shape) });
    }

    #[test]
    fn bytes(bytes in any::<Vec<u8>>()) {
        agree(&Blob(bytes));
    }

    #[test]
    fn keys_that_are_floats(keys in prop::collection::btree_set(any::<i64>(), 0..4)) {
        // No float is `Ord`, hence a list of pairs that is written as a map.
        let pairs: Vec<(f64, u8)> = keys.iter().map(|bits| (*bits as f64 / 3.0, 1)).collect();
        let schema = Schema::from_bytes(&postcard::to_stdvec(&NamedType {
            name: "",
            ty: &DataModelType::Map { key: f64::SCHEMA, val: u8::SCHEMA },
        }).unwrap()).unwrap();
        let bytes = postcard::to_stdvec(&pairs).unwrap();
        let json = postcard_to_json(&schema, &bytes).unwrap();
        prop_assert_eq!(json_to_postcard(&schema, &json).unwrap(), bytes);
        for (key, _) in pairs {
            prop_assert!(json[serde_json::to_string(&key).unwrap()].is_number());
        }
    }
}

use postcard_schema::Schema as _;

#[test]
fn types_without_content() {
    agree(&());
    agree(&Unit);
    agree(&Empty {});
    agree(&EmptyTuple());
    agree(&Vec::<Unit>::new());
    agree(&Some(Colour::Red));
}

#[test]
fn a_schema_is_a_value_too() {
    use postcard_schema::schema::owned::OwnedNamedType;
    let bytes = postcard::to_stdvec(Lists::SCHEMA).unwrap();
    let value: OwnedNamedType = postcard::from_bytes(&bytes).unwrap();
    agree(&value);
}

#[test]
fn usize_and_isize_are_written_as_serde_does() {
    let of = |name, ty| {
        let ty = &NamedType { name, ty };
        Schema::from_bytes(&postcard::to_stdvec(ty).unwrap()).unwrap()
    };
    for value in [0_usize, 1, 300, u32::MAX as usize] {
        let schema = of("usize", &DataModelType::Usize);
        let bytes = postcard::to_stdvec(&value).unwrap();
        assert_eq!(json_to_postcard(&schema, &value.into()).unwrap(), bytes);
        assert_eq!(postcard_to_json(&schema, &bytes).unwrap(), value);
    }
    for value in [0_isize, -1, i32::MIN as isize, i32::MAX as isize] {
        let schema = of("isize", &DataModelType::Isize);
        let bytes = postcard::to_stdvec(&value).unwrap();
        assert_eq!(json_to_postcard(&schema, &value.into()).unwrap(), bytes);
        assert_eq!(postcard_to_json(&schema, &bytes).unwrap(), value);
    }
}
