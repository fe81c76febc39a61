//! Values to postcard bytes and back.

use serde::{Serialize, de::DeserializeOwned};
use std::{any::type_name, fmt};

/// Bytes that are not a value of the type wanted.
///
/// ```
/// let error = actorhost_sdk::decode::<u8>(&[7, 9]).unwrap_err();
/// assert_eq!(error.to_string(), "not a u8: 1 byte too many");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// The bytes end too early or hold a value that the type can't have.
    Malformed {
        /// Path of the Rust type.
        type_name: &'static str,
        /// What postcard found.
        cause: postcard::Error,
    },
    /// A whole value, and then more.
    TrailingBytes {
        /// Path of the Rust type.
        type_name: &'static str,
        /// How many bytes are too many.
        extra: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { type_name, cause } => write!(f, "not a {type_name}: {cause}"),
            Self::TrailingBytes { type_name, extra } => {
                let plural = if *extra == 1 { "" } else { "s" };
                write!(f, "not a {type_name}: {extra} byte{plural} too many")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

impl From<DecodeError> for String {
    fn from(error: DecodeError) -> Self {
        error.to_string()
    }
}

/// Reads a value from postcard bytes, to their last byte. Made for
/// [`Actor::migrate`](crate::Actor::migrate), where it reads an older state type.
///
/// # Errors
/// [`DecodeError`] when the bytes are not exactly one value of `T`.
///
/// ```
/// # use actorhost_sdk::prelude::*;
/// #[derive(Deserialize)]
/// struct OldState { count: u32 }
///
/// let old: OldState = actorhost_sdk::decode(&[5])?;
/// assert_eq!(old.count, 5);
/// # Ok::<(), actorhost_sdk::DecodeError>(())
/// ```
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(DecodeError::TrailingBytes {
            type_name: type_name::<T>(),
            extra: rest.len(),
        }),
        Err(cause) => Err(DecodeError::Malformed {
            type_name: type_name::<T>(),
            cause,
        }),
    }
}

/// Writes a value as postcard bytes.
///
/// # Errors
/// A text, when the value's own `Serialize` fails. The derived ones whose type also
/// derives [`Schema`](trait@crate::Schema) never do.
///
/// ```
/// assert_eq!(actorhost_sdk::encode(&300_u32).unwrap(), [0xac, 0x02]);
/// ```
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, String> {
    postcard::to_stdvec(value)
        .map_err(|cause| format!("cannot write a {}: {cause}", type_name::<T>()))
}

/// Writes a value that the actor itself made and whose failure is its own bug.
pub(crate) fn encode_own<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    match encode(value) {
        Ok(bytes) => bytes,
        Err(error) => panic!("{error}"),
    }
}
