//! Postcard's smallest pieces, read from bytes that anybody may have written.

/// Why a piece could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The bytes end within it.
    Truncated,
    /// It is not of its form; the offset of its first byte, and why.
    Malformed(usize, &'static str),
}

/// A place in the bytes.
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.bytes.get(self.at).ok_or(Fault::Truncated)?;
        self.at += 1;
        Ok(byte)
    }

    pub fn take(&mut self, count: usize) -> Result<&'b [u8], Fault> {
        if count > self.left() {
            return Err(Fault::Truncated);
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    /// So many bytes, by value.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("as many bytes as were taken"))
    }

    /// 0 or 1.
    pub fn flag(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Fault::Malformed(start, "expected 0 or 1")),
        }
    }

    /// An unsigned number of so many bits, seven of them in a byte, least first.
    /// As postcard, takes a number that is longer than it need be.
    pub fn varint(&mut self, bits: u32) -> Result<u128, Fault> {
        let start = self.at;
        let mut value = 0_u128;
        for shift in (0..bits).step_by(7) {
            let byte = self.byte()?;
            let part = u128::from(byte & 0x7f);
            let room = bits - shift;
            if room < 7 && part >> room != 0 {
                return Err(Fault::Malformed(start, "the number is too large"));
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Fault::Malformed(start, "the number does not end"))
    }

    /// A length, which may be far more than there are bytes.
    pub fn length(&mut self) -> Result<u64, Fault> {
        self.varint(64).map(|value| value as u64)
    }

    /// Index of an enum's variant.
    pub fn index(&mut self) -> Result<usize, Fault> {
        self.varint(32).map(|value| value as usize)
    }

    /// A length and so many bytes.
    pub fn bytes(&mut self) -> Result<&'b [u8], Fault> {
        let length = self.length()?;
        self.take(usize::try_from(length).map_err(|_| Fault::Truncated)?)
    }

    pub fn text(&mut self) -> Result<&'b str, Fault> {
        let start = self.at;
        let bytes = self.bytes()?;
        std::str::from_utf8(bytes).map_err(|_| Fault::Malformed(start, "the text is not UTF-8"))
    }

    /// Postcard writes one as a text of one character.
    pub fn character(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let mut chars = self.text()?.chars();
        match (chars.next(), chars.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(Fault::Malformed(start, "expected exactly one character")),
        }
    }
}

/// Appends an unsigned number of any width.
pub fn put_varint(out: &mut Vec<u8>, mut value: u128) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a length and the text.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u128);
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_have_postcards_limits() {
        let read = |bits, bytes: &[u8]| Reader::new(bytes).varint(bits);
        assert_eq!(read(16, &[0xff, 0xff, 0x03]), Ok(0xffff));
        assert!(matches!(
            read(16, &[0xff, 0xff, 0x04]),
            Err(Fault::Malformed(0, _))
        ));
        assert!(matches!(
            read(16, &[0x80, 0x80, 0x80]),
            Err(Fault::Malformed(0, _))
        ));
        assert_eq!(read(16, &[0x80]), Err(Fault::Truncated));
        assert_eq!(read(32, &[0x81, 0x00]), Ok(1));
        let mut most = vec![0xff; 18];
        most.push(0x03);
        assert_eq!(read(128, &most), Ok(u128::MAX));
    }

    #[test]
    fn a_forged_length_takes_nothing() {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, u128::from(u64::MAX));
        assert_eq!(Reader::new(&bytes).bytes(), Err(Fault::Truncated));
    }
}
