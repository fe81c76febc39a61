//! The comparison of schemas against the bytes themselves: what it calls safe is read as
//! it was written, and what it says breaks can be seen to.

mod generated;
mod mutated;

use actorhost_wire::{
    compat::{Role, Rule, Severity, compare_role},
    schema::{CodecError, Schema, json_to_postcard, postcard_to_json},
};
use generated::{Dice, sample, schemas};
use mutated::{hides_an_option, meaning, mutate};
use proptest::prelude::*;

/// Values tried to see a break, which may need a certain variant deep inside.
const TRIES: usize = 400;

/// Whether the reader makes of some value of the writer something else, or nothing.
fn is_seen_to_break(writer: &Schema, reader: &Schema, dice: &mut Dice) -> bool {
    (0..TRIES).any(|_| {
        let value = sample(&writer.root().ty, dice);
        let bytes = json_to_postcard(writer, &value).unwrap();
        postcard_to_json(reader, &bytes).ok() != Some(value)
    })
}

fn check_safe(writer: &Schema, reader: &Schema, dice: &mut Dice) -> Result<(), TestCaseError> {
    for _ in 0..16 {
        let value = sample(&writer.root().ty, dice);
        let bytes = json_to_postcard(writer, &value).unwrap();
        match postcard_to_json(reader, &bytes) {
            Ok(read) => prop_assert_eq!(meaning(writer, &value), meaning(reader, &read)),
            // A list of pairs as a map, which is a warning; and JSON has no key `NaN`.
            Err(CodecError::DuplicateKey { .. } | CodecError::MapKey { .. }) => {}
            Err(error) => prop_assert!(false, "{value}: {error}"),
        }
    }
    Ok(())
}

fn check(role: Role, old: &Schema, new: &Schema, dice: &mut Dice) -> Result<(), TestCaseError> {
    let (writer, reader) = match role {
        Role::Reply => (new, old),
        _ => (old, new),
    };
    let comparison = compare_role(role, old, new);
    let grows = role == Role::Reply
        && comparison.differences.iter().any(|difference| {
            difference.rule == Rule::VariantAppended && difference.severity == Severity::Warning
        });
    if comparison.counts.breaks > 0 {
        prop_assert!(is_seen_to_break(writer, reader, dice), "{comparison}");
    } else if !grows {
        check_safe(writer, reader, dice)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3_000,
        max_global_rejects: 30_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_verdict_is_that_of_the_bytes(old in schemas(), seed in any::<u64>()) {
        let mut dice = Dice(seed);
        if let Some(new) = mutate(&old, &mut dice) {
            prop_assume!(!hides_an_option(&old) && !hides_an_option(&new));
            check(Role::Message, &old, &new, &mut dice)?;
            check(Role::Reply, &old, &new, &mut dice)?;
        }
    }

    #[test]
    fn a_schema_differs_in_nothing_from_itself(schema in schemas()) {
        for role in [Role::Args, Role::Message, Role::Reply, Role::State] {
            prop_assert_eq!(compare_role(role, &schema, &schema).differences, vec![]);
        }
    }

    #[test]
    fn any_two_schemas_are_compared(old in schemas(), new in schemas(), seed in any::<u64>()) {
        let comparison = compare_role(Role::State, &old, &new);
        prop_assert!(!comparison.to_string().is_empty());
        let hidden = hides_an_option(&old) || hides_an_option(&new);
        if comparison.counts.breaks == 0 && !hidden {
            check_safe(&old, &new, &mut Dice(seed))?;
        }
    }
}
