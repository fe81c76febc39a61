//! The name that was probably meant.

/// How like two names must be, from 0 to 1. By feel: it catches a slip of one letter
/// in four and turned syllables, and leaves other words alone.
const LIKENESS_MIN: f64 = 0.6;

/// Longest name that is compared, in bytes: the comparison takes time with the
/// square of the length, and names come from strangers.
const LENGTH_MAX: usize = 128;

/// Most names compared.
const NAMES_MAX: usize = 1_000;

/// The known name most like `found`, if one is like enough.
pub fn nearest<'n>(found: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if found.len() > LENGTH_MAX {
        return None;
    }
    let wanted = found.to_lowercase();
    known
        .into_iter()
        .take(NAMES_MAX)
        .filter(|name| name.len() <= LENGTH_MAX)
        .map(|name| (likeness(&wanted, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn likeness(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_another_word_none() {
        let known = ["Deposit", "Withdraw", "Balance"];
        assert_eq!(nearest("deposit", known), Some("Deposit"));
        assert_eq!(nearest("Wihtdraw", known), Some("Withdraw"));
        assert_eq!(nearest("Balence", known), Some("Balance"));
        assert_eq!(nearest("Close", known), None);
        assert_eq!(nearest(&"x".repeat(10_000), known), None);
    }
}
