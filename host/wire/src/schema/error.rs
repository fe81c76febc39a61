//! What can be wrong with a schema, and with a value by its schema.

use super::limits::{
    EMPTY_ELEMENTS_MAX, JSON_VALUES_MAX, POSTCARD_BYTES_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX,
    SCHEMA_NODES_MAX,
};
use super::path::clip;
use thiserror::Error;

/// Why bytes are not a schema that the node takes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaError {
    /// More bytes than allowed.
    #[error("the schema has {bytes} bytes; {SCHEMA_BYTES_MAX} are allowed")]
    TooLarge {
        /// How many there are.
        bytes: usize,
    },
    /// More types, fields and variants than allowed.
    #[error("the schema has more than {SCHEMA_NODES_MAX} types, fields and variants")]
    TooManyNodes,
    /// Types inside types, deeper than allowed.
    #[error("the schema is more than {SCHEMA_DEPTH_MAX} levels deep")]
    TooDeep,
    /// The bytes end within the schema.
    #[error("the schema ends too early, after {at} bytes")]
    Truncated {
        /// How many bytes there are.
        at: usize,
    },
    /// A byte that can't stand there.
    #[error("the schema is broken at byte {at}: {what}")]
    Malformed {
        /// Offset, from 0.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// A whole schema, and then more.
    #[error("the schema ends at byte {at}, but {extra} more follow")]
    TrailingBytes {
        /// Where it ends, from 0.
        at: usize,
        /// How many bytes are too many.
        extra: usize,
    },
    /// Two fields of one struct, or two variants of one enum, have one name.
    #[error("{of} has the {kind} `{name}` twice")]
    DuplicateName {
        /// The struct, enum or variant.
        of: String,
        /// `field` or `variant`.
        kind: &'static str,
        /// The name.
        name: String,
    },
}

/// Why a value can't be turned from JSON to postcard or back. `path` is the place in
/// the JSON value, from `$`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CodecError {
    /// JSON of another kind.
    #[error("{path}: expected {expected}, found {found}")]
    Mismatch {
        /// Where.
        path: String,
        /// What the schema wants.
        expected: String,
        /// What is there, shortened.
        found: String,
    },
    /// A number that the type can't hold.
    #[error("{path}: {found} is out of range for {ty}, which holds {min} to {max}")]
    OutOfRange {
        /// Where.
        path: String,
        /// The type, such as `u8`.
        ty: String,
        /// The number, shortened.
        found: String,
        /// Least value.
        min: String,
        /// Greatest value.
        max: String,
    },
    /// An array of another length than the tuple.
    #[error("{path}: expected {expected} elements, found {found}")]
    WrongLength {
        /// Where.
        path: String,
        /// Elements wanted.
        expected: usize,
        /// Elements there.
        found: usize,
    },
    /// A name that is no variant of the enum.
    #[error("{path}: no variant `{found}`{}", hint(nearest))]
    UnknownVariant {
        /// Where.
        path: String,
        /// The name given, shortened.
        found: String,
        /// The variant that was probably meant.
        nearest: Option<String>,
        /// All variants.
        known: Vec<String>,
    },
    /// A field that the struct or variant does not have.
    #[error("{path}: unknown field `{found}`{}", hint(nearest))]
    UnknownField {
        /// The object.
        path: String,
        /// The name given, shortened.
        found: String,
        /// The field that was probably meant.
        nearest: Option<String>,
        /// All fields.
        known: Vec<String>,
    },
    /// A field without a value, of a type that is no option.
    #[error("{path}: missing field `{field}` ({ty})")]
    MissingField {
        /// The object.
        path: String,
        /// The field.
        field: String,
        /// Its type.
        ty: String,
    },
    /// A row without a column for a field.
    #[error("missing column `{column}`{}", hint(nearest))]
    MissingColumn {
        /// The column, named as the field that it fills.
        column: String,
        /// The column that was probably meant.
        nearest: Option<String>,
    },
    /// A variant or message that columns can't fill, since its parts have no names.
    #[error("columns can't fill {what}, which has no named fields")]
    NoFields {
        /// The variant or type.
        what: String,
    },
    /// A map whose keys JSON can't write.
    #[error("{path}: a map with keys of type {ty} has no JSON form")]
    MapKey {
        /// The map.
        path: String,
        /// Type of its keys.
        ty: String,
    },
    /// A map with one key twice.
    #[error("{path}: the key {key:?} comes twice")]
    DuplicateKey {
        /// The map.
        path: String,
        /// The key, shortened.
        key: String,
    },
    /// Postcard bytes that end within the value.
    #[error("{path}: the message ends too early, after {at} bytes")]
    Truncated {
        /// The part that is cut.
        path: String,
        /// How many bytes there are.
        at: usize,
    },
    /// A postcard byte that can't stand there.
    #[error("{path}: the message is broken at byte {at}: {what}")]
    Malformed {
        /// Where in the value.
        path: String,
        /// Offset, from 0.
        at: usize,
        /// What is wrong there.
        what: String,
    },
    /// A whole message, and then more.
    #[error("the message ends at byte {at}, but {extra} more follow")]
    TrailingBytes {
        /// Where it ends, from 0.
        at: usize,
        /// How many bytes are too many.
        extra: usize,
    },
    /// More values than are shown as JSON.
    #[error("{path}: the message holds more than {JSON_VALUES_MAX} values, too many for JSON")]
    TooManyValues {
        /// Where the limit was reached.
        path: String,
    },
    /// More postcard bytes than any message may have.
    #[error("{path}: the message takes more than {POSTCARD_BYTES_MAX} bytes")]
    TooLarge {
        /// Where the limit was reached.
        path: String,
    },
    /// A list whose elements take no bytes, so that its length is unchecked.
    #[error("{path}: a list of {length} empty elements; {EMPTY_ELEMENTS_MAX} are allowed")]
    TooManyEmpty {
        /// The list.
        path: String,
        /// The length that it claims.
        length: u64,
    },
}

impl CodecError {
    /// What to do about it, where there is more to say than the error itself does.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownVariant { known, .. } => Some(list("the variants are", known)),
            Self::UnknownField { known, .. } if known.is_empty() => {
                Some("there are no fields here".to_owned())
            }
            Self::UnknownField { known, .. } => Some(list("the fields are", known)),
            Self::MissingColumn { column, .. } => Some(format!(
                "name the source's column `{column}`, as the message's field"
            )),
            _ => None,
        }
    }
}

fn hint(nearest: &Option<String>) -> String {
    match nearest {
        Some(name) => format!("; did you mean `{}`?", clip(name)),
        None => String::new(),
    }
}

/// Most names that a help lists.
const LISTED_MAX: usize = 20;

fn list(what: &str, names: &[String]) -> String {
    if names.is_empty() {
        return format!("{what} none");
    }
    let shown: Vec<String> = names
        .iter()
        .take(LISTED_MAX)
        .map(|name| format!("`{}`", clip(name)))
        .collect();
    let more = match names.len().saturating_sub(LISTED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{what} {}{more}", shown.join(", "))
}
