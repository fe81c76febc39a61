//! Schemas that nobody meant well.

use super::*;
use crate::schema::limits::{SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};

/// Most bytes of any text or JSON of a comparison here.
const SHOWN_BYTES_MAX: usize = 1 << 20;

fn schema(ty: Type) -> Schema {
    Schema::from_bytes(&postcard::to_stdvec(&named("", ty)).unwrap()).unwrap()
}

fn named(name: &str, ty: Type) -> OwnedNamedType {
    OwnedNamedType {
        name: name.to_owned(),
        ty,
    }
}

fn check(old: &Schema, new: &Schema) -> Comparison {
    let comparison = compare_role(Role::State, old, new);
    assert!(comparison.to_string().len() < SHOWN_BYTES_MAX);
    assert!(serde_json::to_string(&comparison).unwrap().len() < SHOWN_BYTES_MAX);
    assert!(comparison.differences.len() <= 3 * KEPT_MAX);
    comparison
}

#[test]
fn thousands_of_differences_are_counted_and_few_are_kept() {
    let variant = |n: usize, name: &str| OwnedNamedVariant {
        name: format!("{name}{n}"),
        ty: Form::UnitVariant,
    };
    let all = |name: &str| (0..6_000).map(|n| variant(n, name)).collect::<Vec<_>>();
    let mut turned = all("a");
    turned.reverse();
    assert_eq!(
        check(&schema(Type::Enum(all("a"))), &schema(Type::Enum(turned)))
            .counts
            .breaks,
        1
    );
    let renamed = check(&schema(Type::Enum(all("a"))), &schema(Type::Enum(all("b"))));
    assert_eq!(renamed.counts.warnings, 6_000);
    assert_eq!(renamed.omitted, 6_000 - KEPT_MAX);
    assert!(renamed.to_string().ends_with("warning  and 5980 more"));
    let mut shifted = all("c");
    shifted.extend((0..500).map(|n| variant(n, "a")));
    assert!(
        check(&schema(Type::Enum(all("a"))), &schema(Type::Enum(shifted)))
            .counts
            .breaks
            > 6_000
    );
}

#[test]
fn wide_types_take_no_long_time() {
    let wide = |ty: Type| schema(Type::Tuple(vec![named("", ty); SCHEMA_NODES_MAX - 1]));
    let comparison = check(&wide(Type::Bool), &wide(Type::F32));
    assert_eq!(comparison.counts.breaks, SCHEMA_NODES_MAX - 1);
    let fields = |name: &str| {
        let field = |n| OwnedNamedValue {
            name: format!("{name}{n}"),
            ty: named("", Type::Unit),
        };
        schema(Type::Struct((0..6_000).map(field).collect()))
    };
    assert_eq!(check(&fields("a"), &fields("b")).counts.warnings, 6_000);
}

#[test]
fn deep_types_take_no_deep_stack_and_no_long_time() {
    // Each level has one part more than its fellow, of no bytes, so that all of them
    // are looked through at each level.
    let deep = |extra: bool| {
        let mut ty = Type::Tuple(vec![named("", Type::Unit); 10_000]);
        for level in 0..SCHEMA_DEPTH_MAX - 2 {
            let mut types = vec![named("", ty)];
            if extra && level % 2 == 0 {
                types.insert(0, named("", Type::Unit));
            }
            ty = Type::TupleStruct(types);
        }
        schema(ty)
    };
    check(&deep(false), &deep(true));
    check(&deep(true), &deep(false));
    let mut options = Type::Bool;
    let mut lists = Type::Bool;
    for _ in 0..SCHEMA_DEPTH_MAX - 1 {
        options = Type::Option(Box::new(named("", options)));
        lists = Type::Seq(Box::new(named("", lists)));
    }
    check(&schema(options.clone()), &schema(lists));
    check(&schema(options.clone()), &schema(options));
}

#[test]
fn long_and_evil_names_are_cut() {
    let nested = |last: Type| {
        let mut ty = last;
        for _ in 0..SCHEMA_DEPTH_MAX - 1 {
            ty = Type::Struct(vec![OwnedNamedValue {
                name: "\u{1b}[2J".repeat(40),
                ty: named(&"T".repeat(400), ty),
            }]);
        }
        schema(ty)
    };
    let comparison = check(&nested(Type::Bool), &nested(Type::F64));
    assert_eq!(comparison.counts.breaks, 1);
    let text = comparison.to_string();
    assert!(text.len() < 2_000 && !text.contains('\u{1b}'), "{text}");
}
