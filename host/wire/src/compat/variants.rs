//! Enums: a variant's place among its enum's, and then its content.

use super::{
    difference::{Change, Reading, Rule},
    parts::{Parts, names},
    walk::Walk,
};
use crate::schema::path::{Path, clip};
use postcard_schema::schema::owned::OwnedNamedVariant;
use std::collections::HashMap;

impl<'s> Walk<'s, '_> {
    pub fn variants(
        &mut self,
        old: &'s [OwnedNamedVariant],
        new: &'s [OwnedNamedVariant],
        path: Path<'_>,
    ) {
        let new_at = places_of(new);
        for variant in old {
            if let Some(&now) = new_at.get(variant.name.as_str()) {
                self.content(variant, &new[now], path);
            }
        }
        let places: Vec<(usize, usize)> = old
            .iter()
            .enumerate()
            .filter_map(|(at, v)| Some((at, *new_at.get(v.name.as_str())?)))
            .collect();
        if places.iter().all(|(at, now)| at == now) {
            self.in_place(old, new, path);
        } else {
            self.shifted(old, new, &places, &new_at, path);
        }
    }

    /// What both have is where it was; so are the names that are not.
    fn in_place(
        &mut self,
        old: &'s [OwnedNamedVariant],
        new: &'s [OwnedNamedVariant],
        path: Path<'_>,
    ) {
        for at in 0..old.len().max(new.len()) {
            match (old.get(at), new.get(at)) {
                (Some(old), Some(new)) if old.name != new.name => {
                    let change = Change::doubtful(Rule::VariantRenamed);
                    let shown = || (Some(clip(&old.name)), Some(clip(&new.name)));
                    self.found
                        .add(self.role, change, path.key(&new.name), shown);
                    self.content(old, new, path);
                }
                (None, Some(new)) => self.appended(new, path),
                (Some(old), None) => {
                    let change = Change::new(Rule::VariantRemoved, Reading::Fails, Reading::Same);
                    self.removed(change, old, path);
                }
                _ => {}
            }
        }
    }

    /// A variant that both have is at another place, so that some are read as others.
    fn shifted(
        &mut self,
        old: &'s [OwnedNamedVariant],
        new: &'s [OwnedNamedVariant],
        places: &[(usize, usize)],
        new_at: &HashMap<&str, usize>,
        path: Path<'_>,
    ) {
        if !places.iter().map(|(_, now)| now).is_sorted() {
            let shown = || {
                let order = |v: &'s [OwnedNamedVariant]| names(v.iter().map(|v| v.name.as_str()));
                (Some(order(old)), Some(order(new)))
            };
            let change = Change::breaking(Rule::VariantMoved);
            self.found.add(self.role, change, path, shown);
        }
        for variant in old {
            if !new_at.contains_key(variant.name.as_str()) {
                self.removed(Change::breaking(Rule::VariantRemoved), variant, path);
            }
        }
        let old_names = places_of(old);
        let last_known = places.iter().map(|(_, now)| *now).max().unwrap_or(0);
        for (at, variant) in new.iter().enumerate() {
            if old_names.contains_key(variant.name.as_str()) {
                continue;
            }
            if at > last_known && at >= old.len() {
                self.appended(variant, path);
            } else {
                let shown = || (None, Some(clip(&variant.name)));
                let change = Change::breaking(Rule::VariantInserted);
                self.found
                    .add(self.role, change, path.key(&variant.name), shown);
            }
        }
    }

    fn content(&mut self, old: &'s OwnedNamedVariant, new: &'s OwnedNamedVariant, path: Path<'_>) {
        let (from, to) = (Parts::of_variant(&old.ty), Parts::of_variant(&new.ty));
        self.parts(from, to, path.key(&new.name));
    }

    fn appended(&mut self, variant: &OwnedNamedVariant, path: Path<'_>) {
        let change = Change::new(Rule::VariantAppended, Reading::Same, Reading::Fails);
        let shown = || (None, Some(clip(&variant.name)));
        self.found
            .add(self.role, change, path.key(&variant.name), shown);
    }

    fn removed(&mut self, change: Change, variant: &OwnedNamedVariant, path: Path<'_>) {
        let shown = || (Some(clip(&variant.name)), None);
        self.found
            .add(self.role, change, path.key(&variant.name), shown);
    }
}

fn places_of(variants: &[OwnedNamedVariant]) -> HashMap<&str, usize> {
    let places = variants.iter().enumerate();
    places.map(|(at, v)| (v.name.as_str(), at)).collect()
}
