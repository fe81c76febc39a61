//! Addresses: values that name no place and are never used again.

use std::fmt;

/// The address of one actor for its whole life, through every restart, swap and
/// hibernation. A later actor of the same name has another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorId(pub u64);

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Debug for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Longest name of an actor, in bytes.
pub const NAME_BYTES_MAX: usize = 128;

/// Whether `name` may be the last part of a path: 1 to [`NAME_BYTES_MAX`] letters,
/// digits, `-`, `_`, `.`, `:` or `@`.
pub fn is_valid_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && name != "."
        && name != ".."
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '@'))
}

/// Whether an actor may register `name`, or a group have it: as [`is_valid_name`], but
/// not digits alone, which are an address.
pub fn is_valid_registered_name(name: &str) -> bool {
    is_valid_name(name) && !name.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{is_valid_name, is_valid_registered_name};

    #[test]
    fn names_are_path_parts() {
        for good in ["a", "N14228", "é", "user@host", "a.b:c-d_e"] {
            assert!(is_valid_name(good), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "a b", "a\n", &"x".repeat(129)] {
            assert!(!is_valid_name(bad), "{bad}");
        }
    }

    #[test]
    fn digits_alone_are_an_address() {
        assert!(is_valid_registered_name("a1") && is_valid_registered_name("1a"));
        for bad in ["1", "007", "", "/a", "a/b"] {
            assert!(!is_valid_registered_name(bad), "{bad}");
        }
    }
}
