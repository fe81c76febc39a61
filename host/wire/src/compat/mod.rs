//! Whether one version of a module can follow another, told from their schemas.
//!
//! Postcard writes no names and no types, so bytes of one version are read by another
//! only if both agree on every byte. What matters is who writes and who reads:
//!
//! | role | must work | else | may fail, and is only told |
//! |---|---|---|---|
//! | message | old → new: queued ones, senders of the old version | breaks | new → old: actors that a roll-out has not reached |
//! | reply | new → old: askers built with the old version | breaks | old → new: answers of actors not yet reached |
//! | state | old → new: `load` after `save` | breaks, unless migrated | new → old: a roll-back |
//! | args | old → new: kept in child specs, read at a restart | breaks | new → old: restarts after a roll-back |
//!
//! The rules, where "fine" is always for the way that must work:
//!
//! | change | |
//! |---|---|
//! | enum variant appended at the end | fine; in a reply a warning, since an older asker can't read it, and an enum must be able to grow |
//! | enum variant inserted, moved, removed | breaks; the last ones of a reply may be removed |
//! | variant or field renamed at its place | warning: same bytes, perhaps another meaning |
//! | field added, removed, moved | breaks, unless it takes no bytes |
//! | u16 → u32 → u64 → u128, i16 → … → i128, bool → u8 or any unsigned, char → String → bytes | fine; the other way breaks |
//! | u8 or i8 ↔ wider, f32 ↔ f64, signed ↔ unsigned | breaks |
//! | `usize` and `isize` | as `u32` and `i32`, since guests have 32 bits |
//! | T ↔ option of T | breaks |
//! | newtype or type alias around a type | nothing: no bytes |
//! | tuple ↔ struct ↔ array of the same parts, struct of one field ↔ the field | fine: same bytes, JSON looks different |
//! | map → list of pairs | fine; the other way a warning, as keys may come twice |
//! | `Celsius(f32)` → `Kelvin(f32)` | warning; a renamed struct or enum is fine |
//! | a schema as a value → anything else | breaks: it can't be compared |
//!
//! Two rules are stricter than the bytes. Fields that are grouped in another way
//! (`x, y` → `at: (x, y)`) break though the bytes are the same, since nothing tells
//! which is which; so does a type of another kind that happens to have the same bytes
//! (`Option<T>` → an enum of `None` and `Some(T)`, `bool` → an enum of two).
//!
//! Both schemas may be hostile. Each part of one is compared with at most one of the
//! other, and what is kept of the result is bounded.

mod difference;
mod found;
mod parts;
mod scalars;
mod state;
mod text;
mod variants;
mod walk;
mod words;

pub use difference::{Difference, Role, Rule, Severity};
pub use found::{Counts, KEPT_MAX};

use crate::schema::{Schema, path::Path};
use found::Found;
use serde::Serialize;
use walk::Walk;

/// What is compared of one version of a module.
#[derive(Debug, Clone, Copy)]
pub struct Side<'s> {
    /// Schema of the arguments of `init`.
    pub args: &'s Schema,
    /// Schema of its messages.
    pub message: &'s Schema,
    /// Schema of its replies.
    pub reply: &'s Schema,
    /// Schema of its state, if it tells.
    pub state: Option<&'s Schema>,
    /// Version of the state. A higher one than the old module's says that the new
    /// module migrates from that.
    pub state_version: u32,
    /// Whether `save` and `load` work.
    pub can_save: bool,
}

/// Whether a new version can take over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It can.
    Safe,
    /// It can, but somebody should look at the warnings.
    Warnings,
    /// It can't, for the differences that break.
    Refused,
}

/// What differs, and what follows from it. Shown as text by `Display`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// What follows.
    pub verdict: Verdict,
    /// The state version that `migrate` is called with, if it is.
    pub migrates_from: Option<u32>,
    /// How many differences there are.
    pub counts: Counts,
    /// The differences, the worst first; of each severity [`KEPT_MAX`] at most.
    pub differences: Vec<Difference>,
    /// How many were left out.
    pub omitted: usize,
}

impl Comparison {
    fn of(mut found: Found) -> Self {
        // Stable: within a severity they stay in the order of roles and places.
        found.kept.sort_by_key(|difference| difference.severity);
        let counts = found.counts;
        let verdict = match counts {
            Counts { breaks: 1.., .. } => Verdict::Refused,
            Counts { warnings: 1.., .. } => Verdict::Warnings,
            _ => Verdict::Safe,
        };
        Self {
            verdict,
            migrates_from: found.migrates_from,
            counts,
            omitted: counts.breaks + counts.warnings + counts.fine - found.kept.len(),
            differences: found.kept,
        }
    }
}

/// Compares two versions of a module.
pub fn compare(old: &Side<'_>, new: &Side<'_>) -> Comparison {
    let mut found = Found::default();
    for (role, old, new) in [
        (Role::Args, old.args, new.args),
        (Role::Message, old.message, new.message),
        (Role::Reply, old.reply, new.reply),
    ] {
        Walk::new(role, &mut found).types(old.root(), new.root(), Path::Root);
    }
    state::compare(old, new, &mut found);
    Comparison::of(found)
}

/// Compares the types of one role alone. State is taken to have the same version.
///
/// ```
/// use actorhost_wire::{compat::{Role, Verdict, compare_role}, schema::Schema};
///
/// let (old, new) = (Schema::of::<u16>()?, Schema::of::<u32>()?);
/// assert_eq!(compare_role(Role::Message, &old, &new).verdict, Verdict::Safe);
/// assert_eq!(compare_role(Role::Message, &new, &old).verdict, Verdict::Refused);
/// # Ok::<(), actorhost_wire::schema::SchemaError>(())
/// ```
pub fn compare_role(role: Role, old: &Schema, new: &Schema) -> Comparison {
    let mut found = Found::default();
    Walk::new(role, &mut found).types(old.root(), new.root(), Path::Root);
    Comparison::of(found)
}

#[cfg(test)]
mod tests;
