//! Types without parts: which can be read as which.

use super::difference::{Change, Reading, Rule};
use crate::schema::int::Int;
use postcard_schema::schema::owned::OwnedDataModelType as Type;

/// What changes from one number or flag to another; nothing if they have the same
/// bytes.
///
/// Integers of 16 bits and more are written in as few bytes as the value needs, hence
/// have the same bytes in every width. Those of 8 bits are plain bytes. Signed ones
/// are zigzagged, so the same bytes are another number for an unsigned one.
pub fn numbers(old: &Type, new: &Type) -> Option<Change> {
    let way = |fits| if fits { Reading::Same } else { Reading::Fails };
    let (forward, backward) = (fits(old, new), fits(new, old));
    let rule = match (forward, backward) {
        (true, true) => return None,
        (true, false) => Rule::Widened,
        (false, true) => Rule::Narrowed,
        (false, false) => match (Int::of(old), Int::of(new)) {
            (Some(old), Some(new)) if old.signed != new.signed => Rule::SignChanged,
            (Some(_), Some(_)) => Rule::WidthChanged,
            _ if is_float(old) && is_float(new) => Rule::WidthChanged,
            _ => Rule::KindChanged,
        },
    };
    Some(Change::new(rule, way(forward), way(backward)))
}

pub fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Bool) || is_float(ty) || Int::of(ty).is_some()
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// Whether every number or flag of the writer is the same one for the reader.
fn fits(writer: &Type, reader: &Type) -> bool {
    match (Int::of(writer), Int::of(reader)) {
        (Some(writer), Some(reader)) => {
            let plain = |int: Int| int.wire_bits == 8;
            writer.signed == reader.signed
                && plain(writer) == plain(reader)
                && writer.bits <= reader.bits
        }
        // 0 and 1 are themselves in every integer but the zigzagged ones.
        (None, Some(reader)) if *writer == Type::Bool => !reader.signed || reader.wire_bits == 8,
        (None, None) => writer == reader,
        _ => false,
    }
}

/// How narrow a text is: a character, a text, any bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Text {
    Char,
    String,
    Bytes,
}

/// What changes from one kind of text or bytes to another. All are a length and that
/// many bytes, but not any bytes are a text, nor any text a character.
pub fn texts(old: Text, new: Text) -> Option<Change> {
    use Reading::{Fails, Same};
    match old.cmp(&new) {
        std::cmp::Ordering::Less => Some(Change::new(Rule::Widened, Same, Fails)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Change::new(Rule::Narrowed, Fails, Same)),
    }
}
