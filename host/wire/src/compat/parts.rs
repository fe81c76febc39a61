//! Structs, tuples, arrays and the contents of variants: their parts one after
//! another, with nothing in between.

use super::{
    difference::{Change, Reading, Rule},
    walk::{Walk, shape_name},
};
use crate::schema::{is_empty, path::Path, path::clip};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
};
use std::collections::HashMap;

/// Parts in the order of their bytes.
#[derive(Clone, Copy)]
pub enum Parts<'s> {
    Named(&'s [OwnedNamedValue]),
    Plain {
        types: &'s [OwnedNamedType],
        /// Whether JSON shows the one part without an array around it.
        bare: bool,
    },
}

impl<'s> Parts<'s> {
    pub fn of(ty: &'s Type) -> Option<Self> {
        match ty {
            Type::Unit | Type::UnitStruct => Some(Self::list(&[])),
            Type::Tuple(types) | Type::TupleStruct(types) => Some(Self::list(types)),
            Type::Struct(fields) => Some(Self::Named(fields)),
            _ => None,
        }
    }

    pub fn of_variant(form: &'s Form) -> Self {
        match form {
            Form::UnitVariant => Self::list(&[]),
            Form::NewtypeVariant(inner) => Self::Plain {
                types: std::slice::from_ref(inner),
                bare: true,
            },
            Form::TupleVariant(types) => Self::Plain {
                types,
                bare: types.len() == 1,
            },
            Form::StructVariant(fields) => Self::Named(fields),
        }
    }

    fn list(types: &'s [OwnedNamedType]) -> Self {
        Self::Plain { types, bare: false }
    }

    pub fn len(self) -> usize {
        match self {
            Self::Named(fields) => fields.len(),
            Self::Plain { types, .. } => types.len(),
        }
    }

    pub fn ty(self, at: usize) -> &'s OwnedNamedType {
        match self {
            Self::Named(fields) => &fields[at].ty,
            Self::Plain { types, .. } => &types[at],
        }
    }

    /// The fields, if the parts have names or there are none.
    fn fields(self) -> Option<&'s [OwnedNamedValue]> {
        match self {
            Self::Named(fields) => Some(fields),
            Self::Plain { types: [], .. } => Some(&[]),
            Self::Plain { .. } => None,
        }
    }

    fn place<'p>(self, at: usize, path: &'p Path<'p>) -> Path<'p>
    where
        's: 'p,
    {
        match self {
            Self::Named(fields) => path.key(&fields[at].name),
            Self::Plain { bare: true, .. } => *path,
            Self::Plain { bare: false, .. } => path.index(at),
        }
    }

    fn form(self) -> &'static str {
        match self {
            Self::Named(_) => "named fields",
            Self::Plain { bare: true, .. } => "one value",
            Self::Plain { bare: false, .. } => "parts without names",
        }
    }
}

impl<'s> Walk<'s, '_> {
    pub fn parts(&mut self, old: Parts<'s>, new: Parts<'s>, path: Path<'_>) {
        match (old.fields(), new.fields()) {
            (Some(old), Some(new)) => self.fields(old, new, path),
            _ => self.places(old, new, path),
        }
    }

    /// By their places, where not both have names.
    fn places(&mut self, old: Parts<'s>, new: Parts<'s>, path: Path<'_>) {
        let common = old.len().min(new.len());
        if old.len() != new.len() {
            let mut extra = (common..old.len())
                .map(|at| old.ty(at))
                .chain((common..new.len()).map(|at| new.ty(at)));
            let change = match extra.all(is_empty) {
                true => Change::harmless(Rule::LengthChanged),
                false => Change::breaking(Rule::LengthChanged),
            };
            let count = |parts: Parts<'_>| Some(format!("{} parts", parts.len()));
            self.found
                .add(self.role, change, path, || (count(old), count(new)));
            if change.forward == Reading::Fails {
                return;
            }
        } else if old.form() != new.form() {
            let form = |parts: Parts<'_>| Some(parts.form().to_owned());
            let change = Change::harmless(Rule::FormChanged);
            self.found
                .add(self.role, change, path, || (form(old), form(new)));
        }
        for at in 0..common {
            self.types(old.ty(at), new.ty(at), new.place(at, &path));
        }
    }

    /// By their names, though the bytes hold none.
    fn fields(&mut self, old: &'s [OwnedNamedValue], new: &'s [OwnedNamedValue], path: Path<'_>) {
        let old_at = places_of(old);
        let new_at = places_of(new);
        let is_moved = has_moved(old, new, &new_at);
        if is_moved {
            let change = Change::breaking(Rule::FieldMoved);
            self.found
                .add(self.role, change, path, || (order(old), order(new)));
        }
        for (at, field) in old.iter().enumerate() {
            if let Some(&now) = new_at.get(field.name.as_str()) {
                self.types(&field.ty, &new[now].ty, path.key(&field.name));
                continue;
            }
            // One name for another at the same place.
            let successor = new.get(at).filter(|_| !is_moved);
            match successor.filter(|new| !old_at.contains_key(new.name.as_str())) {
                Some(new) => {
                    let path = path.key(&new.name);
                    let shown = || (Some(clip(&field.name)), Some(clip(&new.name)));
                    self.found
                        .add(self.role, Change::doubtful(Rule::FieldRenamed), path, shown);
                    self.types(&field.ty, &new.ty, path);
                }
                None => {
                    let change = one_sided(Rule::FieldRemoved, &field.ty);
                    let shown = || (Some(declared(field)), None);
                    self.found
                        .add(self.role, change, path.key(&field.name), shown);
                }
            }
        }
        for (at, field) in new.iter().enumerate() {
            let is_known = old_at.contains_key(field.name.as_str());
            let is_successor = || {
                let old = old.get(at).filter(|_| !is_moved);
                old.is_some_and(|old| !new_at.contains_key(old.name.as_str()))
            };
            if !is_known && !is_successor() {
                let change = one_sided(Rule::FieldAdded, &field.ty);
                let shown = || (None, Some(declared(field)));
                self.found
                    .add(self.role, change, path.key(&field.name), shown);
            }
        }
    }
}

/// A part that only one side has harms nobody if it takes no bytes.
fn one_sided(rule: Rule, ty: &OwnedNamedType) -> Change {
    match is_empty(ty) {
        true => Change::harmless(rule),
        false => Change::breaking(rule),
    }
}

fn places_of(fields: &[OwnedNamedValue]) -> HashMap<&str, usize> {
    let places = fields.iter().enumerate();
    places
        .map(|(at, field)| (field.name.as_str(), at))
        .collect()
}

/// Whether the fields that both have come in another order. Those without bytes may.
fn has_moved(
    old: &[OwnedNamedValue],
    new: &[OwnedNamedValue],
    new_at: &HashMap<&str, usize>,
) -> bool {
    let common = |field: &OwnedNamedValue| new_at.get(field.name.as_str()).copied();
    if old.iter().filter_map(common).is_sorted() {
        return false;
    }
    let with_bytes = |field: &OwnedNamedValue| {
        common(field).filter(|now| !(is_empty(&field.ty) && is_empty(&new[*now].ty)))
    };
    !old.iter().filter_map(with_bytes).is_sorted()
}

fn declared(field: &OwnedNamedValue) -> String {
    format!("{}: {}", clip(&field.name), shape_name(&field.ty))
}

/// Most names that one line shows.
const NAMES_MAX: usize = 8;

/// The first names, for people.
fn order(fields: &[OwnedNamedValue]) -> Option<String> {
    Some(names(fields.iter().map(|field| field.name.as_str())))
}

/// The first of some names, for people.
pub fn names<'n>(mut all: impl Iterator<Item = &'n str>) -> String {
    let first: Vec<String> = all.by_ref().take(NAMES_MAX).map(clip).collect();
    let more = if all.next().is_some() { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}
