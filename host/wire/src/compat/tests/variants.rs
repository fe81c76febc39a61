//! Enums.

use super::{Rule::*, Severity::*, *};

versions! {
    v1 { pub enum E { A, B(u16), C { x: u8 } } }
    appended { pub enum E { A, B(u16), C { x: u8 }, D, F } }
    inserted { pub enum E { A, D, B(u16), C { x: u8 } } }
    moved { pub enum E { B(u16), A, C { x: u8 } } }
    without_a { pub enum E { B(u16), C { x: u8 } } }
    without_c { pub enum E { A, B(u16) } }
    renamed { pub enum E { A, B(u16), Sea { x: u8 } } }
    replaced { pub enum E { A, B(u16), D { x: u8, y: u8 } } }
    retyped { pub enum E { A, B(u32), C { x: u8, y: u8 } } }
    reshaped { pub enum E { A(()), B { value: u16 }, C(u8) } }
}

fn at<Old: postcard_schema::Schema, New: postcard_schema::Schema>(
    role: Role,
) -> Vec<(Rule, Severity, String)> {
    found::<Old, New>(role)
}

fn one(rule: Rule, severity: Severity, place: &str) -> Vec<(Rule, Severity, String)> {
    vec![(rule, severity, place.to_owned())]
}

const OLD_TO_NEW: [Role; 3] = [Role::Args, Role::Message, Role::State];

#[test]
fn variants_may_be_appended() {
    for role in OLD_TO_NEW {
        assert_eq!(
            at::<v1::E, appended::E>(role),
            [
                (VariantAppended, Fine, "$.D".to_owned()),
                (VariantAppended, Fine, "$.F".to_owned()),
            ]
        );
    }
    let reply = at::<v1::E, appended::E>(Role::Reply);
    assert!(reply.iter().all(|(_, severity, _)| *severity == Warning));
}

#[test]
fn a_variant_removed_from_the_end_can_be_queued_but_no_longer_answered() {
    for role in OLD_TO_NEW {
        assert_eq!(
            at::<v1::E, without_c::E>(role),
            one(VariantRemoved, Breaks, "$.C")
        );
    }
    assert_eq!(
        at::<v1::E, without_c::E>(Role::Reply),
        one(VariantRemoved, Fine, "$.C")
    );
}

#[test]
fn a_variant_is_its_number() {
    for role in [Role::Args, Role::Message, Role::State, Role::Reply] {
        assert_eq!(
            at::<v1::E, inserted::E>(role),
            one(VariantInserted, Breaks, "$.D")
        );
        assert_eq!(at::<v1::E, moved::E>(role), one(VariantMoved, Breaks, "$"));
        assert_eq!(
            at::<v1::E, without_a::E>(role),
            one(VariantRemoved, Breaks, "$.A")
        );
        assert_eq!(
            at::<v1::E, renamed::E>(role),
            one(VariantRenamed, Warning, "$.Sea")
        );
    }
}

#[test]
fn contents_are_compared_as_structs_are() {
    assert_eq!(
        at::<v1::E, retyped::E>(Role::Message),
        [
            (FieldAdded, Breaks, "$.C.y".to_owned()),
            (Widened, Fine, "$.B".to_owned()),
        ]
    );
    assert_eq!(
        at::<v1::E, replaced::E>(Role::Message),
        [
            (FieldAdded, Breaks, "$.D.y".to_owned()),
            (VariantRenamed, Warning, "$.D".to_owned()),
        ]
    );
    let reshaped = at::<v1::E, reshaped::E>(Role::Message);
    assert_eq!(reshaped.len(), 3);
    assert!(reshaped.iter().all(|(_, severity, _)| *severity == Fine));
}

#[test]
fn an_enum_inside_follows_the_same_rules() {
    let found = at::<Vec<Option<v1::E>>, Vec<Option<appended::E>>>(Role::Message);
    assert_eq!(found[0], (VariantAppended, Fine, "$[*].D".to_owned()));
}
