//! Files that others name, read no further than is of use: a device has no end.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The whole of a file of at most `bytes_max` bytes.
///
/// # Errors
/// When it cannot be read, or has more.
pub fn file(path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    all(File::open(path)?, bytes_max)
}

/// The whole of a text file of at most `bytes_max` bytes.
///
/// # Errors
/// As [`file`], and when it is not UTF-8.
pub fn text_file(path: &Path, bytes_max: usize) -> io::Result<String> {
    text(File::open(path)?, bytes_max)
}

/// The rest of a text of at most `bytes_max` bytes.
///
/// # Errors
/// As [`text_file`].
pub fn text(input: impl Read, bytes_max: usize) -> io::Result<String> {
    let bytes = all(input, bytes_max)?;
    String::from_utf8(bytes).map_err(|_| {
        let message = "it is not UTF-8 text";
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

fn all(input: impl Read, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > bytes_max {
        let message = format!("it has more than {bytes_max} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_one_byte_over_the_limit() {
        let mut input = io::repeat(b'x').take(1_000);
        assert_eq!(
            text(&mut input, 10).unwrap_err().to_string(),
            "it has more than 10 bytes"
        );
        assert_eq!(input.limit(), 989);
        assert_eq!(text(io::repeat(b'x').take(10), 10).unwrap().len(), 10);
    }

    #[test]
    fn a_device_without_an_end_is_refused() {
        let error = file(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
