//! The integer types, in one table.

use super::reader::{Fault, Reader, put_varint};
use postcard_schema::schema::owned::OwnedDataModelType as Type;

/// One integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Int {
    /// As Rust calls it.
    pub name: &'static str,
    /// Whether it can be negative.
    pub signed: bool,
    /// Bits on the wire.
    pub wire_bits: u32,
    /// Bits of the values that a guest can hold.
    pub bits: u32,
}

impl Int {
    /// The integer type that this is, if it is one.
    pub fn of(ty: &Type) -> Option<Self> {
        let (name, signed, wire_bits, bits) = match ty {
            Type::I8 => ("i8", true, 8, 8),
            Type::I16 => ("i16", true, 16, 16),
            Type::I32 => ("i32", true, 32, 32),
            Type::I64 => ("i64", true, 64, 64),
            Type::I128 => ("i128", true, 128, 128),
            Type::U8 => ("u8", false, 8, 8),
            Type::U16 => ("u16", false, 16, 16),
            Type::U32 => ("u32", false, 32, 32),
            Type::U64 => ("u64", false, 64, 64),
            Type::U128 => ("u128", false, 128, 128),
            // serde writes them with 64 bits; a guest is a 32-bit machine.
            Type::Isize => ("isize", true, 64, 32),
            Type::Usize => ("usize", false, 64, 32),
            _ => return None,
        };
        Some(Self {
            name,
            signed,
            wire_bits,
            bits,
        })
    }

    /// Least value.
    pub fn min(self) -> i128 {
        if self.signed {
            i128::MIN >> (128 - self.bits)
        } else {
            0
        }
    }

    /// Greatest value.
    pub fn max(self) -> u128 {
        u128::MAX >> (128 - self.bits + u32::from(self.signed))
    }

    /// The postcard bytes of a number written in decimal.
    pub fn put(self, out: &mut Vec<u8>, digits: &str) -> Result<(), NotThis> {
        let wire = if self.signed {
            let value = self.signed_value(digits)?;
            if self.wire_bits == 8 {
                u128::from(value as u8)
            } else {
                ((value << 1) ^ (value >> 127)) as u128
            }
        } else {
            self.unsigned_value(digits)?
        };
        if self.wire_bits == 8 {
            out.push(wire as u8);
        } else {
            put_varint(out, wire);
        }
        Ok(())
    }

    fn signed_value(self, digits: &str) -> Result<i128, NotThis> {
        let value: i128 = digits.parse().map_err(|_| NotThis::of(digits))?;
        self.holds(value)
            .then_some(value)
            .ok_or(NotThis::OutOfRange)
    }

    fn unsigned_value(self, digits: &str) -> Result<u128, NotThis> {
        // JSON has a negative zero.
        let digits = if digits == "-0" { "0" } else { digits };
        let value: u128 = digits.parse().map_err(|_| NotThis::of(digits))?;
        (value <= self.max())
            .then_some(value)
            .ok_or(NotThis::OutOfRange)
    }

    /// Reads one, as decimal digits.
    pub fn take(self, reader: &mut Reader<'_>) -> Result<String, Fault> {
        let start = reader.at();
        let wire = match self.wire_bits {
            8 => u128::from(reader.byte()?),
            bits => reader.varint(bits)?,
        };
        // A number that no guest can hold, which postcard has room for.
        let too_large = Err(Fault::Malformed(start, "the number is too large"));
        if !self.signed {
            return match wire <= self.max() {
                true => Ok(wire.to_string()),
                false => too_large,
            };
        }
        let value = match self.wire_bits {
            8 => i128::from(wire as u8 as i8),
            _ => (wire >> 1) as i128 ^ -((wire & 1) as i128),
        };
        match self.holds(value) {
            true => Ok(value.to_string()),
            false => too_large,
        }
    }

    fn holds(self, value: i128) -> bool {
        value >= self.min() && (value < 0 || value as u128 <= self.max())
    }
}

/// Why digits are not a value of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotThis {
    /// Not an integer at all.
    NotAnInteger,
    /// One that the type can't hold.
    OutOfRange,
}

impl NotThis {
    /// For a text that neither `i128` nor `u128` takes.
    fn of(text: &str) -> Self {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            Self::OutOfRange
        } else {
            Self::NotAnInteger
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_rust() {
        let range = |ty| Int::of(&ty).map(|int| (int.min(), int.max()));
        assert_eq!(range(Type::I8), Some((-128, 127)));
        assert_eq!(range(Type::U64), Some((0, u128::from(u64::MAX))));
        assert_eq!(range(Type::I128), Some((i128::MIN, i128::MAX as u128)));
        assert_eq!(range(Type::U128), Some((0, u128::MAX)));
        assert_eq!(range(Type::Usize), Some((0, u128::from(u32::MAX))));
        assert_eq!(
            range(Type::Isize),
            Some((i128::from(i32::MIN), i32::MAX as u128))
        );
    }
}
