//! Keeps one row from filling the memory: a quote that is never closed makes a whole
//! CSV file one row, and a binary file may have no line end.

use std::io::{self, Read};

/// Largest row, in bytes. A request holds no larger one either.
pub const ROW_BYTES_MAX: u64 = 8 << 20;

/// A reader that fails when too much is read without a row's end.
pub struct RowLimit<R> {
    inner: R,
    bytes: u64,
    row_began: u64,
}

impl<R> RowLimit<R> {
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            bytes: 0,
            row_began: 0,
        }
    }

    /// A row ended.
    pub fn row_ended(&mut self) {
        self.row_began = self.bytes;
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<R: Read> Read for RowLimit<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.bytes - self.row_began > ROW_BYTES_MAX {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "a row has more than {ROW_BYTES_MAX} bytes; is a quote or a line end missing?"
                ),
            ));
        }
        let read = self.inner.read(into)?;
        self.bytes += read as u64;
        Ok(read)
    }
}
