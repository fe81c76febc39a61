//! What a module says of its types, and JSON to postcard and back by it.
//!
//! A schema and a message both come from a guest, hence from anybody. Whatever their
//! bytes are, reading them takes bounded time, memory and stack, and ends in a value
//! or an error. The limits are in [`limits`].
//!
//! The JSON is the one that `serde_json` writes for the same Rust type (enums tagged
//! from outside), with these exceptions:
//! - a float that is no number is `"NaN"`, `"inf"` or `"-inf"`, where `serde_json`
//!   loses it as `null`;
//! - a type whose `Serialize` asks whether the format is for people (`IpAddr`, say)
//!   has its binary form, the only one that its schema tells of;
//! - an unknown field is refused, and a missing field is an error unless its type is
//!   an option;
//! - `usize` and `isize` have 32 bits, as in a guest.

mod columns;
mod decode;
mod encode;
mod error;
mod example;
pub(crate) mod int;
mod json_schema;
mod keys;
mod parse;
pub(crate) mod path;
mod reader;
mod text;

pub use columns::coerce_row;
pub use decode::{postcard_to_json, variant_name};
pub use encode::json_to_postcard;
pub use error::{CodecError, SchemaError};
pub use example::{example, examples};
pub use json_schema::to_json_schema;
pub use text::to_text;

pub(crate) use decode::is_empty;
pub(crate) use text::type_name;

use postcard_schema::schema::owned::{OwnedDataModelType, OwnedNamedType, OwnedNamedVariant};

/// Bounds on what a guest may make the node read.
pub mod limits {
    /// Largest schema, in bytes.
    pub const SCHEMA_BYTES_MAX: usize = 64 << 10;
    /// Most types, fields and variants in one schema.
    pub const SCHEMA_NODES_MAX: usize = 16 << 10;
    /// Deepest schema, counted in levels of the JSON that it describes.
    pub const SCHEMA_DEPTH_MAX: usize = 64;
    /// Most JSON values made of one message. Each takes about 100 bytes;
    /// the names of fields and variants count too, as one value in 32 bytes.
    pub const JSON_VALUES_MAX: usize = 1 << 20;
    /// Most postcard bytes made of one JSON value, give or take one schema's size.
    /// A message may be smaller still by its actor's limit.
    pub const POSTCARD_BYTES_MAX: usize = 64 << 20;
    /// Longest list of elements that take no bytes.
    pub const EMPTY_ELEMENTS_MAX: u64 = 1 << 16;
}

/// A type's form: its name, fields and variants, as a module embeds it.
///
/// A value of this type is within the [`limits`] and has no name twice in one struct
/// or enum, so that walking it is safe.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Schema {
    root: OwnedNamedType,
}

impl Schema {
    /// Reads a schema, to the last byte.
    ///
    /// # Errors
    /// [`SchemaError`] when the bytes are no schema, or one beyond the [`limits`], or
    /// one that names two fields or variants alike.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SchemaError> {
        parse::schema(bytes).map(|root| Self { root })
    }

    /// The schema of a Rust type.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), when the type is beyond the limits.
    pub fn of<T: postcard_schema::Schema + ?Sized>() -> Result<Self, SchemaError> {
        let bytes = postcard::to_stdvec(T::SCHEMA).expect("a schema holds only names and lists");
        Self::from_bytes(&bytes)
    }

    /// The bytes that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.root).expect("a schema holds only names and lists")
    }

    /// The type's name, which may be empty.
    pub fn name(&self) -> &str {
        &self.root.name
    }

    /// The type itself.
    pub fn root(&self) -> &OwnedNamedType {
        &self.root
    }

    /// Whether the type carries nothing, as `()` does.
    pub fn is_unit(&self) -> bool {
        matches!(
            through_newtypes(&self.root).ty,
            OwnedDataModelType::Unit | OwnedDataModelType::UnitStruct
        )
    }

    /// Names of the variants, in order; none when the type is no enum.
    pub fn variant_names(&self) -> Vec<&str> {
        let variants = variants_of(&self.root).unwrap_or_default();
        variants.iter().map(|v| v.name.as_str()).collect()
    }
}

/// The type inside any number of newtype structs, which have no form of their own.
pub(crate) fn through_newtypes(mut ty: &OwnedNamedType) -> &OwnedNamedType {
    while let OwnedDataModelType::NewtypeStruct(inner) = &ty.ty {
        ty = inner;
    }
    ty
}

fn variants_of(ty: &OwnedNamedType) -> Option<&[OwnedNamedVariant]> {
    match &through_newtypes(ty).ty {
        OwnedDataModelType::Enum(variants) => Some(variants),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
