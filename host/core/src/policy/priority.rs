//! Which messages overtake others: priority by message variant.
//!
//! A message is the postcard bytes of an enum, which begin with the variant's number
//! as a varint (seven bits a byte, lowest first; the top bit says that more follow).

/// The number of a message's variant; none where the bytes are no message of an
/// enum. Such a message has priority 0, and is refused when it is handled.
pub fn variant(message: &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for (n, byte) in message.iter().take(5).enumerate() {
        let bits = u32::from(byte & 0x7f);
        // The fifth byte has room for four bits.
        if n == 4 && bits > 0x0f {
            return None;
        }
        number |= bits << (7 * n);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The priority of a message, given those of the variants that have one, sorted by
/// number.
pub fn priority(of_variants: &[(u32, u8)], message: &[u8]) -> u8 {
    variant(message)
        .and_then(|number| {
            let found = of_variants.binary_search_by_key(&number, |(variant, _)| *variant);
            found.ok().map(|index| of_variants[index].1)
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_variant_is_read_as_postcard_writes_it(number: u32, rest: Vec<u8>) {
            let mut message = postcard::to_stdvec(&number).unwrap();
            message.extend(rest);
            prop_assert_eq!(variant(&message), Some(number));
        }

        #[test]
        fn any_bytes_have_a_priority(message: Vec<u8>) {
            priority(&[(0, 3), (200, 7)], &message);
        }
    }

    #[test]
    fn only_the_variants_named_have_one() {
        let named = [(1, 5), (300, 9)];
        assert_eq!(priority(&named, &[1, 0, 0]), 5);
        assert_eq!(priority(&named, &[0xac, 0x02]), 9);
        assert_eq!(priority(&named, &[2]), 0);
        assert_eq!(priority(&named, &[]), 0);
        assert_eq!(priority(&named, &[0xff; 9]), 0, "not a varint of 32 bits");
    }
}
