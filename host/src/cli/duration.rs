//! Durations on the command line, with a unit.

const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// Milliseconds of a text such as `5s` or `1.5s`.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn millis(text: &str) -> Result<u64, String> {
    let at = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit = UNITS.iter().find(|(name, _)| *name == unit.trim());
    let (Some((_, factor)), Ok(number)) = (unit, number.parse::<f64>()) else {
        return Err("write a number and `ms`, `s`, `m` or `h`, such as 5s".into());
    };
    let millis = number * *factor as f64;
    // A request's limit, not a date: beyond this it is a mistake.
    const MILLIS_MAX: f64 = 3_600_000.0 * 24.0;
    if millis > MILLIS_MAX {
        return Err("at most 24h".into());
    }
    Ok(millis.round() as u64)
}

/// A duration that has gone by, in its two largest units.
pub fn show(millis: u64) -> String {
    let seconds = millis / 1_000;
    match seconds {
        0 => format!("{millis}ms"),
        1..60 => format!("{}.{}s", seconds, millis % 1_000 / 100),
        60..3_600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h {}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_unit() {
        assert_eq!(millis("5s"), Ok(5_000));
        assert_eq!(millis("250ms"), Ok(250));
        assert_eq!(millis("1.5s"), Ok(1_500));
        assert_eq!(millis("2 m"), Ok(120_000));
        assert_eq!(millis("0s"), Ok(0));
        for wrong in [
            "",
            "5",
            "s",
            "-1s",
            "5 parsecs",
            "1.2.3s",
            "25h",
            "1e9s",
            "NaNs",
        ] {
            assert!(millis(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn time_gone_by_is_shown_in_its_largest_units() {
        assert_eq!(show(999), "999ms");
        assert_eq!(show(1_234), "1.2s");
        assert_eq!(show(61_000), "1m 1s");
        assert_eq!(show(7_320_000), "2h 2m");
        assert_eq!(show(90_000_000), "1d 1h");
    }
}
