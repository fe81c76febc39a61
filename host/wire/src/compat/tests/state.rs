//! State and its version, and the verdict on a whole module.

use super::{Rule::*, *};

struct Module {
    unit: Schema,
    state: Option<Schema>,
    state_version: u32,
    can_save: bool,
}

impl Module {
    fn of<State: postcard_schema::Schema>(state_version: u32) -> Self {
        Self {
            unit: of::<()>(),
            state: Some(of::<State>()),
            state_version,
            can_save: true,
        }
    }

    fn without_state() -> Self {
        Self {
            state: None,
            can_save: false,
            ..Self::of::<()>(1)
        }
    }

    fn side(&self) -> Side<'_> {
        Side {
            args: &self.unit,
            message: &self.unit,
            reply: &self.unit,
            state: self.state.as_ref(),
            state_version: self.state_version,
            can_save: self.can_save,
        }
    }
}

fn swap(old: &Module, new: &Module) -> (Verdict, Vec<Rule>) {
    let comparison = compare(&old.side(), &new.side());
    let rules = comparison.differences.iter().map(|d| d.rule).collect();
    (comparison.verdict, rules)
}

#[test]
fn state_of_another_shape_needs_a_raised_version() {
    let old = Module::of::<u64>(1);
    assert_eq!(swap(&old, &Module::of::<u64>(1)), (Verdict::Safe, vec![]));
    assert_eq!(
        swap(&old, &Module::of::<String>(1)),
        (Verdict::Refused, vec![KindChanged])
    );
    let new = Module::of::<String>(3);
    assert_eq!(
        swap(&old, &new),
        (Verdict::Safe, vec![StateVersionRaised, KindChanged])
    );
    let migrated = compare(&old.side(), &new.side());
    assert_eq!(migrated.migrates_from, Some(1));
    assert!(
        migrated.differences[1]
            .why
            .ends_with("`migrate` is called with state version 1")
    );
}

#[test]
fn a_migration_excuses_state_alone() {
    let old = Module::of::<u64>(1);
    let mut new = Module::of::<String>(2);
    new.unit = of::<u8>();
    let comparison = compare(&old.side(), &new.side());
    assert_eq!(comparison.verdict, Verdict::Refused);
    assert_eq!(comparison.counts.breaks, 3);
}

#[test]
fn a_version_does_not_go_back() {
    let (old, new) = (Module::of::<u64>(2), Module::of::<u64>(1));
    assert_eq!(
        swap(&old, &new),
        (Verdict::Refused, vec![StateVersionLowered])
    );
}

#[test]
fn actors_without_state_cannot_move() {
    let (with, without) = (Module::of::<u64>(1), Module::without_state());
    assert_eq!(swap(&without, &without), (Verdict::Safe, vec![]));
    assert_eq!(
        swap(&with, &without),
        (Verdict::Refused, vec![StateNotLoaded])
    );
    assert_eq!(
        swap(&without, &with),
        (Verdict::Warnings, vec![StateNotSaved])
    );
}

#[test]
fn state_without_a_schema_is_not_compared() {
    let with = Module::of::<u64>(1);
    let mut without = Module::without_state();
    without.can_save = true;
    assert_eq!(
        swap(&with, &without),
        (Verdict::Warnings, vec![StateWithoutSchema])
    );
    assert_eq!(
        swap(&without, &without),
        (Verdict::Warnings, vec![StateWithoutSchema])
    );
    without.state_version = 2;
    assert_eq!(
        swap(&with, &without),
        (Verdict::Safe, vec![StateVersionRaised])
    );
}
