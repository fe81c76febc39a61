//! Manifests with random edits.

use super::{EXAMPLE, Manifest};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever is done to a manifest, the answer is a manifest or faults in it.
    #[test]
    fn never_panics(
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..20_usize, "[-=\\[\\]{}\"'.,#\na-z0-9é]{0,6}"),
            1..6,
        ),
    ) {
        let mut chars: Vec<char> = EXAMPLE.chars().collect();
        for (place, removed, added) in edits {
            let at = place.index(chars.len());
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, added.chars());
        }
        let text: String = chars.into_iter().collect();
        if let Err(errors) = Manifest::parse("m", &text) {
            prop_assert!(!errors.errors.is_empty());
            for error in errors.errors {
                prop_assert!(error.line <= text.matches('\n').count() + 1);
                prop_assert!(error.column >= 1 && !error.message.is_empty());
            }
        }
    }
}
