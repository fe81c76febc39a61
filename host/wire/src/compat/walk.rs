//! Two types side by side.

use super::{
    difference::{Change, Reading, Role, Rule},
    found::Found,
    parts::Parts,
    scalars::{self, Text},
};
use crate::schema::{path::Path, through_newtypes, type_name};
use postcard_schema::schema::owned::{OwnedDataModelType as Type, OwnedNamedType};
use std::{collections::HashSet, sync::LazyLock};

/// An element of a byte array.
static BYTE: LazyLock<OwnedNamedType> = LazyLock::new(|| OwnedNamedType {
    name: "u8".to_owned(),
    ty: Type::U8,
});

/// A walk over both versions of one role's type. Each part of the old type meets at
/// most one part of the new one, so that it takes as long as the types are large;
/// recursion follows the schemas, whose depth is limited.
pub struct Walk<'s, 'f> {
    pub role: Role,
    pub found: &'f mut Found,
    /// Pairs of names that were reported.
    renamed: HashSet<(&'s str, &'s str)>,
}

impl<'s, 'f> Walk<'s, 'f> {
    pub fn new(role: Role, found: &'f mut Found) -> Self {
        Self {
            role,
            found,
            renamed: HashSet::new(),
        }
    }

    pub fn types(&mut self, old: &'s OwnedNamedType, new: &'s OwnedNamedType, path: Path<'_>) {
        self.type_names(old, new, path);
        match (&old.ty, &new.ty) {
            (Type::NewtypeStruct(old), Type::NewtypeStruct(new)) => self.types(old, new, path),
            // A newtype has the bytes and the JSON of what is in it.
            (Type::NewtypeStruct(_), _) | (_, Type::NewtypeStruct(_)) => {
                self.types(through_newtypes(old), through_newtypes(new), path);
            }
            (Type::Schema, Type::Schema) => {}
            (Type::Schema, _) | (_, Type::Schema) => {
                self.changed(Change::breaking(Rule::NotCompared), path, old, new);
            }
            (Type::Option(old), Type::Option(new)) => self.types(old, new, path),
            (Type::Enum(olds), Type::Enum(news)) => self.variants(olds, news, path),
            (
                Type::Map {
                    key: old_key,
                    val: old_val,
                },
                Type::Map { key, val },
            ) => {
                self.types(old_key, key, Path::Keys(&path));
                self.types(old_val, val, Path::Values(&path));
            }
            (old_ty, new_ty) if scalars::is_number(old_ty) && scalars::is_number(new_ty) => {
                if let Some(change) = scalars::numbers(old_ty, new_ty) {
                    self.changed(change, path, old, new);
                }
            }
            _ => self.texts_and_lists(old, new, path),
        }
    }

    fn texts_and_lists(
        &mut self,
        old: &'s OwnedNamedType,
        new: &'s OwnedNamedType,
        path: Path<'_>,
    ) {
        if let (Some(from), Some(to)) = (text(old), text(new)) {
            if let Some(change) = scalars::texts(from, to) {
                self.changed(change, path, old, new);
            }
        } else if let (Some(old), Some(new)) = (element(old), element(new)) {
            self.types(old, new, Path::Elements(&path));
        } else {
            self.products(old, new, path);
        }
    }

    fn products(&mut self, old: &'s OwnedNamedType, new: &'s OwnedNamedType, path: Path<'_>) {
        let bare = |ty| Parts::Plain {
            types: std::slice::from_ref(ty),
            bare: true,
        };
        match (Parts::of(&old.ty), Parts::of(&new.ty)) {
            (Some(old), Some(new)) => self.parts(old, new, path),
            // A struct or tuple of one part has the bytes of that part.
            (Some(parts), None) if parts.len() == 1 => self.parts(parts, bare(new), path),
            (None, Some(parts)) if parts.len() == 1 => self.parts(bare(old), parts, path),
            _ => self.maps_and_others(old, new, path),
        }
    }

    fn maps_and_others(
        &mut self,
        old: &'s OwnedNamedType,
        new: &'s OwnedNamedType,
        path: Path<'_>,
    ) {
        use Reading::{Doubtful, Same};
        let elements = Path::Elements(&path);
        match (&old.ty, &new.ty) {
            (Type::Map { key, val }, Type::Seq(pair)) if is_pair(pair) => {
                let change = Change::new(Rule::MapToList, Same, Doubtful);
                self.changed(change, path, old, new);
                let (new_key, new_val) = pair_of(pair);
                self.types(key, new_key, elements.index(0));
                self.types(val, new_val, elements.index(1));
            }
            (Type::Seq(pair), Type::Map { key, val }) if is_pair(pair) => {
                let change = Change::new(Rule::ListToMap, Doubtful, Same);
                self.changed(change, path, old, new);
                let (old_key, old_val) = pair_of(pair);
                self.types(old_key, key, Path::Keys(&path));
                self.types(old_val, val, Path::Values(&path));
            }
            (Type::Option(_), _) => {
                self.changed(Change::breaking(Rule::OptionRemoved), path, old, new);
            }
            (_, Type::Option(_)) => {
                self.changed(Change::breaking(Rule::OptionAdded), path, old, new);
            }
            _ => self.changed(Change::breaking(Rule::KindChanged), path, old, new),
        }
    }

    /// A type's name is not in the bytes. Where its parts have no names either, it is
    /// all that tells what they mean, as in `Celsius(f32)`.
    fn type_names(&mut self, old: &'s OwnedNamedType, new: &'s OwnedNamedType, path: Path<'_>) {
        let change = match (&old.ty, &new.ty) {
            (Type::NewtypeStruct(_), Type::NewtypeStruct(_))
            | (Type::TupleStruct(_), Type::TupleStruct(_)) => Change::doubtful(Rule::TypeRenamed),
            (Type::Struct(_), Type::Struct(_)) | (Type::Enum(_), Type::Enum(_)) => {
                Change::harmless(Rule::TypeRenamed)
            }
            _ => return,
        };
        let names = (old.name.as_str(), new.name.as_str());
        let named = !names.0.is_empty() && !names.1.is_empty();
        if named && names.0 != names.1 && self.renamed.insert(names) {
            self.changed(change, path, old, new);
        }
    }

    fn changed(
        &mut self,
        change: Change,
        path: Path<'_>,
        old: &OwnedNamedType,
        new: &OwnedNamedType,
    ) {
        let shown = || (Some(shape_name(old)), Some(shape_name(new)));
        self.found.add(self.role, change, path, shown);
    }
}

fn text(ty: &OwnedNamedType) -> Option<Text> {
    match &ty.ty {
        Type::Char => Some(Text::Char),
        Type::String => Some(Text::String),
        Type::ByteArray => Some(Text::Bytes),
        Type::Seq(element) if through_newtypes(element).ty == Type::U8 => Some(Text::Bytes),
        _ => None,
    }
}

/// What a list is of.
fn element(ty: &OwnedNamedType) -> Option<&OwnedNamedType> {
    match &ty.ty {
        Type::Seq(element) => Some(element),
        Type::ByteArray => Some(&BYTE),
        _ => None,
    }
}

fn is_pair(ty: &OwnedNamedType) -> bool {
    Parts::of(&through_newtypes(ty).ty).is_some_and(|parts| parts.len() == 2)
}

/// Both parts of what [`is_pair`].
fn pair_of(ty: &OwnedNamedType) -> (&OwnedNamedType, &OwnedNamedType) {
    let parts = Parts::of(&through_newtypes(ty).ty).expect("a pair has parts");
    (parts.ty(0), parts.ty(1))
}

/// A type in one short line, with its kind where the name does not tell it.
pub fn shape_name(ty: &OwnedNamedType) -> String {
    let name = type_name(ty);
    match &ty.ty {
        Type::Enum(_) => format!("enum {name}"),
        Type::Struct(_) | Type::TupleStruct(_) | Type::UnitStruct | Type::NewtypeStruct(_) => {
            format!("struct {name}")
        }
        _ => name,
    }
}
