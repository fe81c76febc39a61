//! Durations and sizes with their units.

/// A whole number and its unit in the smallest one.
type Units = &'static [(&'static str, u64)];

const DURATIONS: Units = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

const SIZES: Units = &[
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// What is wrong with a text, and how it is written rightly.
#[derive(Debug, PartialEq, Eq)]
pub struct NotAQuantity {
    pub message: String,
    pub help: &'static str,
}

/// Milliseconds of a text such as `5s`.
pub fn duration_ms(text: &str) -> Result<u64, NotAQuantity> {
    quantity(
        text,
        DURATIONS,
        "duration",
        "write a whole number and `ms`, `s`, `m` or `h`, such as \"5s\"",
    )
}

/// Bytes of a text such as `16MiB`.
pub fn size_bytes(text: &str) -> Result<u64, NotAQuantity> {
    quantity(
        text,
        SIZES,
        "size",
        "write a whole number and `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB` or `GB`, such as \"16MiB\"",
    )
}

/// The duration in the largest unit that divides it.
pub fn show_ms(ms: u64) -> String {
    show(ms, DURATIONS)
}

/// The size in the largest binary unit that divides it.
pub fn show_bytes(bytes: u64) -> String {
    let binary: Vec<_> = SIZES
        .iter()
        .copied()
        .filter(|(_, factor)| factor.is_power_of_two())
        .collect();
    show(bytes, &binary)
}

fn show(value: u64, units: &[(&str, u64)]) -> String {
    let fitting = units
        .iter()
        .rev()
        .find(|(_, factor)| value >= *factor && value.is_multiple_of(*factor));
    match fitting.or(units.first()) {
        Some((unit, factor)) => format!("{}{unit}", value / factor),
        None => value.to_string(),
    }
}

fn quantity(text: &str, units: Units, kind: &str, help: &'static str) -> Result<u64, NotAQuantity> {
    let wrong = |what: &str| NotAQuantity {
        message: format!("the {kind} {text:?} {what}"),
        help,
    };
    let trimmed = text.trim();
    if trimmed.starts_with('-') {
        return Err(wrong("is negative"));
    }
    let digits_end = trimmed
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(trimmed.len());
    let (digits, unit) = trimmed.split_at(digits_end);
    let unit = unit.trim();
    if digits.is_empty() || unit.starts_with('.') {
        return Err(wrong("is not a whole number with a unit"));
    }
    if unit.is_empty() {
        return Err(wrong("has no unit"));
    }
    let (_, factor) = units
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(|| wrong("has an unknown unit"))?;
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(*factor))
        .ok_or_else(|| wrong("is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_have_units() {
        assert_eq!(duration_ms("5s"), Ok(5_000));
        assert_eq!(duration_ms(" 100 ms"), Ok(100));
        assert_eq!(duration_ms("2m"), Ok(120_000));
        assert_eq!(size_bytes("16MiB"), Ok(16 << 20));
        assert_eq!(size_bytes("5kB"), Ok(5_000));
        for (text, what) in [
            ("5", "has no unit"),
            ("-5s", "is negative"),
            ("5 parsecs", "has an unknown unit"),
            ("1.5s", "is not a whole number with a unit"),
            ("s", "is not a whole number with a unit"),
            ("", "is not a whole number with a unit"),
            ("99999999999999999999s", "is too large"),
            ("9999999999999999999h", "is too large"),
        ] {
            let error = duration_ms(text).unwrap_err();
            assert_eq!(error.message, format!("the duration {text:?} {what}"));
        }
        assert!(size_bytes("5mb").is_err());
    }

    #[test]
    fn quantities_are_shown_in_round_units() {
        assert_eq!(show_ms(0), "0ms");
        assert_eq!(show_ms(90_000), "90s");
        assert_eq!(show_ms(3_600_000), "1h");
        assert_eq!(show_bytes(64 << 10), "64KiB");
        assert_eq!(show_bytes(64 << 20), "64MiB");
        assert_eq!(show_bytes(1_000), "1000B");
    }
}
