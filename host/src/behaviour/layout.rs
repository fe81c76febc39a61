//! A first look at a file's bytes, so that the most common mistakes get a better
//! answer than a parser's.

use super::DeployError;

const MAGIC: [u8; 4] = *b"\0asm";
const COMPONENT: [u8; 4] = [0x0d, 0x00, 0x01, 0x00];
const CORE_MODULE: [u8; 4] = [0x01, 0x00, 0x00, 0x00];
const HEADER_BYTES: usize = 8;

/// Largest module that is looked at, in bytes.
pub(super) const MODULE_BYTES_MAX: usize = 64 << 20;

/// Bytes shown of a file that isn't WebAssembly.
const SHOWN_BYTES: usize = 16;

/// Checks that `bytes` are a whole component, as far as its outermost sections tell.
pub(super) fn check(bytes: &[u8]) -> Result<(), DeployError> {
    if bytes.is_empty() {
        return Err(DeployError::Empty);
    }
    if bytes.len() > MODULE_BYTES_MAX {
        return Err(DeployError::TooLarge {
            bytes: bytes.len(),
            limit: MODULE_BYTES_MAX,
        });
    }
    let whole_header = bytes.len() >= HEADER_BYTES;
    if !whole_header && (MAGIC.starts_with(bytes) || bytes.starts_with(&MAGIC)) {
        return Err(DeployError::Truncated {
            at: bytes.len(),
            missing: HEADER_BYTES - bytes.len(),
        });
    }
    if !bytes.starts_with(&MAGIC) {
        return Err(DeployError::NotWasm {
            first_bytes: shown(bytes),
        });
    }
    let version: [u8; 4] = bytes[4..HEADER_BYTES].try_into().expect("a whole header");
    match version {
        COMPONENT => sections(bytes),
        CORE_MODULE => Err(DeployError::CoreModule),
        [a, b, c, d] => Err(DeployError::Invalid {
            cause: format!("unknown version {a:02x} {b:02x} {c:02x} {d:02x} in its header"),
        }),
    }
}

/// Walks the outermost sections: an id, a length, that many bytes.
fn sections(bytes: &[u8]) -> Result<(), DeployError> {
    let mut at = HEADER_BYTES;
    while at < bytes.len() {
        let (length, length_bytes) = match leb128(&bytes[at + 1..]) {
            Leb128::Value(length, length_bytes) => (length, length_bytes),
            Leb128::CutOff => {
                return Err(DeployError::Truncated {
                    at: bytes.len(),
                    missing: 1,
                });
            }
            Leb128::TooLong => {
                let cause = format!("the section at byte {at} has no readable length");
                return Err(DeployError::Invalid { cause });
            }
        };
        let end = at + 1 + length_bytes + length as usize;
        if end > bytes.len() {
            let missing = end - bytes.len();
            return Err(DeployError::Truncated {
                at: bytes.len(),
                missing,
            });
        }
        at = end;
    }
    Ok(())
}

enum Leb128 {
    Value(u32, usize),
    CutOff,
    TooLong,
}

fn leb128(bytes: &[u8]) -> Leb128 {
    let mut value = 0u64;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return match u32::try_from(value) {
                Ok(value) => Leb128::Value(value, index + 1),
                Err(_) => Leb128::TooLong,
            };
        }
    }
    if bytes.len() < 5 {
        Leb128::CutOff
    } else {
        Leb128::TooLong
    }
}

/// The first bytes as text where they are text, in hex otherwise.
fn shown(bytes: &[u8]) -> String {
    let first = &bytes[..bytes.len().min(SHOWN_BYTES)];
    let printable = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t');
    if first.iter().all(printable) {
        format!("{:?}", String::from_utf8_lossy(first))
    } else {
        first
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::behaviour::DeployError;

    fn component(sections: &[u8]) -> Vec<u8> {
        [b"\0asm\x0d\0\x01\0", sections].concat()
    }

    #[test]
    fn an_empty_file_is_called_empty() {
        assert!(matches!(check(b""), Err(DeployError::Empty)));
    }

    #[test]
    fn other_files_are_shown_as_text_or_hex() {
        let error = check(b"(component)").unwrap_err();
        assert!(error.to_string().contains("(component)"), "{error}");
        let error = check(b"\x7fELF\x02\x01\x01\x00").unwrap_err();
        assert!(error.to_string().contains("7f 45 4c 46"), "{error}");
    }

    #[test]
    fn a_core_module_is_told_from_a_component() {
        assert!(matches!(
            check(b"\0asm\x01\0\0\0"),
            Err(DeployError::CoreModule)
        ));
        assert!(check(&component(&[])).is_ok());
    }

    #[test]
    fn a_cut_off_component_says_how_much_is_missing() {
        assert!(check(&component(&[0, 2, 1, 65])).is_ok());
        for (bytes, lacks) in [
            (component(&[0, 5, 1]), 4),
            (component(&[0]), 1),
            (component(&[0, 0x80]), 1),
            (b"\0as".to_vec(), 5),
            (b"\0asm\x0d".to_vec(), 3),
        ] {
            match check(&bytes) {
                Err(DeployError::Truncated { missing, .. }) => assert_eq!(missing, lacks),
                other => panic!("{other:?} for {bytes:?}"),
            }
        }
    }

    #[test]
    fn nonsense_after_the_header_is_invalid() {
        let long = component(&[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0]);
        assert!(matches!(check(&long), Err(DeployError::Invalid { .. })));
        assert!(matches!(
            check(b"\0asm\x09\0\x01\0"),
            Err(DeployError::Invalid { .. })
        ));
    }
}
