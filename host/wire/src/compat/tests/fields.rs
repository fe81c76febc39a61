//! Structs, tuples, newtypes.

use super::{Rule::*, Severity::*, *};

versions! {
    v1 { pub struct S { a: u16, b: String, unit: () } }
    renamed { pub struct S { a: u16, c: String, unit: () } }
    moved { pub struct S { b: String, a: u16, unit: () } }
    shifted_unit { pub struct S { unit: (), a: u16, b: String } }
    added { pub struct S { a: u16, b: String, unit: (), more: bool } }
    inserted { pub struct S { a: u16, x: u8, b: String, unit: () } }
    removed { pub struct S { b: String, unit: () } }
    without_unit { pub struct S { a: u16, b: String } }
    retyped { pub struct S { a: u32, b: u64, unit: () } }
    named { pub struct Point { x: f32, y: f32 } }
    plain { pub struct Point(f32, f32); }
    newtypes { pub struct Celsius(f32); pub struct Kelvin(f32); pub struct Outer(Celsius); }
    grouped { pub struct Line { from: super::named::Point, width: f32 } }
    flat { pub struct Line { x: f32, y: f32, width: f32 } }
    one { pub struct One { x: u64 } }
}

fn at<Old: postcard_schema::Schema, New: postcard_schema::Schema>() -> Vec<(Rule, Severity, String)>
{
    found::<Old, New>(Role::Message)
}

fn one(rule: Rule, severity: Severity, place: &str) -> Vec<(Rule, Severity, String)> {
    vec![(rule, severity, place.to_owned())]
}

#[test]
fn bytes_have_no_field_names() {
    assert_eq!(at::<v1::S, v1::S>(), []);
    assert_eq!(at::<v1::S, moved::S>(), one(FieldMoved, Breaks, "$"));
    assert_eq!(at::<v1::S, added::S>(), one(FieldAdded, Breaks, "$.more"));
    assert_eq!(at::<v1::S, inserted::S>(), one(FieldAdded, Breaks, "$.x"));
    assert_eq!(at::<v1::S, removed::S>(), one(FieldRemoved, Breaks, "$.a"));
    assert_eq!(at::<v1::S, renamed::S>(), one(FieldRenamed, Warning, "$.c"));
    assert_eq!(
        at::<v1::S, retyped::S>(),
        [
            (KindChanged, Breaks, "$.b".to_owned()),
            (Widened, Fine, "$.a".to_owned()),
        ]
    );
}

#[test]
fn what_takes_no_bytes_may_come_and_go() {
    assert_eq!(
        at::<v1::S, without_unit::S>(),
        one(FieldRemoved, Fine, "$.unit")
    );
    assert_eq!(
        at::<without_unit::S, v1::S>(),
        one(FieldAdded, Fine, "$.unit")
    );
    assert_eq!(at::<v1::S, shifted_unit::S>(), []);
    assert_eq!(at::<(u8, ()), (u8,)>(), one(LengthChanged, Fine, "$"));
}

#[test]
fn a_name_around_the_same_parts_costs_nothing() {
    assert_eq!(
        at::<named::Point, plain::Point>(),
        one(FormChanged, Fine, "$")
    );
    assert_eq!(at::<plain::Point, [f32; 2]>(), []);
    assert_eq!(at::<u64, one::One>(), one(FormChanged, Fine, "$"));
    assert_eq!(at::<one::One, u32>()[0], (Narrowed, Breaks, "$".to_owned()));
}

#[test]
fn newtypes_are_what_they_hold_but_their_names_are_looked_at() {
    use newtypes::{Celsius, Kelvin, Outer};
    assert_eq!(at::<f32, Celsius>(), []);
    assert_eq!(at::<Outer, f32>(), []);
    assert_eq!(at::<Celsius, Kelvin>(), one(TypeRenamed, Warning, "$"));
    assert_eq!(at::<Celsius, f64>(), one(WidthChanged, Breaks, "$"));
}

#[test]
fn other_groups_break_although_the_bytes_are_the_same() {
    let found = at::<grouped::Line, flat::Line>();
    assert!(found.iter().any(|(_, severity, _)| *severity == Breaks));
}
