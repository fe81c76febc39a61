//! Refuses keys with so many dots that the tables within tables that the parser makes
//! of them would not fit the stack. The parser itself limits only arrays and inline
//! tables.

/// Most dots in one key.
const DOTS_MAX: usize = 32;

/// What the text is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Plain,
    Comment,
    /// A string that ends with this quote, or with three of them.
    Text {
        quote: u8,
        long: bool,
    },
}

/// The place of a key with too many dots, if there is one.
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut within = Within::Plain;
    let mut dots = 0;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let mut step = 1;
        match within {
            Within::Comment if byte == b'\n' => within = Within::Plain,
            Within::Comment => {}
            Within::Text { quote, long } => {
                if byte == b'\\' && quote == b'"' {
                    step = 2;
                } else if !long && (byte == b'\n' || byte == quote) {
                    within = Within::Plain;
                } else if long && bytes[at..].starts_with(&[quote; 3]) {
                    // Up to two more quotes belong to the string.
                    let run = bytes[at..].iter().take_while(|b| **b == quote).count();
                    within = Within::Plain;
                    step = run.min(5);
                }
            }
            Within::Plain => match byte {
                b'#' => within = Within::Comment,
                b'"' | b'\'' => {
                    let long = bytes[at..].starts_with(&[byte; 3]);
                    within = Within::Text { quote: byte, long };
                    step = if long { 3 } else { 1 };
                }
                b'.' => {
                    dots += 1;
                    if dots > DOTS_MAX {
                        return Some(at);
                    }
                }
                b'\n' | b'=' | b',' | b'{' | b'}' | b'[' | b']' => dots = 0,
                _ => {}
            },
        }
        at += step;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_dots_of_one_key_count() {
        let dots = ".".repeat(40);
        assert_eq!(too_deep(&format!("a{dots} = 1")), Some(33));
        assert_eq!(too_deep(&"a.b.c = 1.5\n".repeat(40)), None);
        for text in [
            format!("a = \"{dots}\""),
            format!("a = \"\\\"{dots}\""),
            format!("a = '{dots}'"),
            format!("a = \"\"\"\n\"\"{dots}\"\"\""),
            format!("a = '''\n'{dots}'''"),
            format!("# {dots}"),
        ] {
            assert_eq!(too_deep(&text), None, "{text}");
        }
        let after = format!("a = \"\"\"x\"\"\"\"\"\nb{dots} = 1");
        assert!(too_deep(&after).is_some());
    }
}
