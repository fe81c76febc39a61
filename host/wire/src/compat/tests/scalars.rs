//! Numbers, texts, options, lists and maps.

use super::{Rule::*, Severity::*, *};
use std::collections::BTreeMap;

#[test]
fn integers_of_sixteen_bits_and_more_widen() {
    for widened in [
        rule::<u16, u32>(),
        rule::<u16, u64>(),
        rule::<u16, u128>(),
        rule::<u32, u64>(),
        rule::<u64, u128>(),
        rule::<i16, i32>(),
        rule::<i32, i64>(),
        rule::<i64, i128>(),
        rule::<bool, u8>(),
        rule::<bool, i8>(),
        rule::<bool, u128>(),
        rule::<char, String>(),
        rule::<char, Vec<u8>>(),
        rule::<String, Vec<u8>>(),
    ] {
        assert_eq!(widened, Some((Widened, Fine)));
    }
    for narrowed in [
        rule::<u32, u16>(),
        rule::<u128, u64>(),
        rule::<i128, i16>(),
        rule::<u8, bool>(),
        rule::<String, char>(),
        rule::<Vec<u8>, String>(),
    ] {
        assert_eq!(narrowed, Some((Narrowed, Breaks)));
    }
}

#[test]
fn other_changes_of_numbers_break() {
    assert_eq!(rule::<u8, u16>(), Some((WidthChanged, Breaks)));
    assert_eq!(rule::<u16, u8>(), Some((WidthChanged, Breaks)));
    assert_eq!(rule::<i8, i64>(), Some((WidthChanged, Breaks)));
    assert_eq!(rule::<f32, f64>(), Some((WidthChanged, Breaks)));
    assert_eq!(rule::<u8, i8>(), Some((SignChanged, Breaks)));
    assert_eq!(rule::<i64, u64>(), Some((SignChanged, Breaks)));
    assert_eq!(rule::<u16, i128>(), Some((SignChanged, Breaks)));
    // `true` would be −1.
    assert_eq!(rule::<bool, i16>(), Some((KindChanged, Breaks)));
    assert_eq!(rule::<u32, f32>(), Some((KindChanged, Breaks)));
    assert_eq!(rule::<u64, String>(), Some((KindChanged, Breaks)));
}

#[test]
fn a_guests_usize_has_32_bits() {
    use postcard_schema::schema::owned::{OwnedDataModelType as Type, OwnedNamedType};
    let of = |ty| {
        let named = OwnedNamedType {
            name: String::new(),
            ty,
        };
        Schema::from_bytes(&postcard::to_stdvec(&named).unwrap()).unwrap()
    };
    let verdict = |old, new| compare_role(Role::State, &of(old), &of(new)).verdict;
    assert_eq!(verdict(Type::Usize, Type::U32), Verdict::Safe);
    assert_eq!(verdict(Type::U32, Type::Usize), Verdict::Safe);
    assert_eq!(verdict(Type::Usize, Type::U64), Verdict::Safe);
    assert_eq!(verdict(Type::U64, Type::Usize), Verdict::Refused);
    assert_eq!(verdict(Type::Isize, Type::I32), Verdict::Safe);
    assert_eq!(verdict(Type::Isize, Type::Usize), Verdict::Refused);
}

#[test]
fn replies_flow_the_other_way() {
    let reply = |found: Vec<(Rule, Severity, String)>| (found[0].0, found[0].1);
    assert_eq!(reply(found::<u32, u16>(Role::Reply)), (Narrowed, Fine));
    assert_eq!(reply(found::<u16, u32>(Role::Reply)), (Widened, Breaks));
}

#[test]
fn an_option_has_a_byte_of_its_own() {
    assert_eq!(rule::<u64, Option<u64>>(), Some((OptionAdded, Breaks)));
    assert_eq!(rule::<Option<u64>, u64>(), Some((OptionRemoved, Breaks)));
    assert_eq!(rule::<Option<u16>, Option<u32>>(), Some((Widened, Fine)));
}

#[test]
fn a_map_is_a_list_of_pairs() {
    type Map = BTreeMap<String, u64>;
    type Pairs = Vec<(String, u64)>;
    assert_eq!(rule::<Map, Pairs>(), Some((MapToList, Fine)));
    assert_eq!(rule::<Pairs, Map>(), Some((ListToMap, Warning)));
    assert_eq!(rule::<Map, Vec<String>>(), Some((KindChanged, Breaks)));
    assert_eq!(
        found::<BTreeMap<u16, u64>, BTreeMap<u32, i64>>(Role::Args),
        [
            (SignChanged, Breaks, "$.*".to_owned()),
            (Widened, Fine, "$.keys()".to_owned()),
        ]
    );
    assert_eq!(
        found::<BTreeMap<u16, u64>, Vec<(u16, bool)>>(Role::Args)[0],
        (Narrowed, Breaks, "$[*][1]".to_owned())
    );
}

#[test]
fn a_list_has_its_length_in_front_and_an_array_has_not() {
    assert_eq!(rule::<[u16; 3], Vec<u16>>(), Some((KindChanged, Breaks)));
    assert_eq!(rule::<[u16; 3], [u16; 4]>(), Some((LengthChanged, Breaks)));
    assert_eq!(
        found::<Vec<u64>, Vec<bool>>(Role::State),
        [(Narrowed, Breaks, "$[*]".to_owned())]
    );
}

#[test]
fn a_schema_is_only_compared_with_a_schema() {
    use postcard_schema::schema::owned::OwnedNamedType;
    assert_eq!(rule::<OwnedNamedType, OwnedNamedType>(), None);
    assert_eq!(rule::<OwnedNamedType, u8>(), Some((NotCompared, Breaks)));
    assert_eq!(rule::<(), OwnedNamedType>(), Some((NotCompared, Breaks)));
}
