//! A JSON value on the command line: itself, `@FILE`, or `-` for standard input.

use super::CliError;
use crate::{api::BODY_BYTES_MAX, bounded_read};
use serde_json::Value;
use std::{io, path::Path};

/// Reads the value that an argument gives.
///
/// # Errors
/// When the file cannot be read, or the text is not JSON: then with line, column and
/// an excerpt.
pub fn read(argument: &str) -> Result<Value, CliError> {
    if argument == "-" {
        let text = bounded_read::text(io::stdin().lock(), BODY_BYTES_MAX).map_err(|error| {
            CliError::failed("file", format!("cannot read standard input: {error}"))
        })?;
        return parse(&text, "standard input");
    }
    if let Some(file) = argument.strip_prefix('@') {
        let path = Path::new(file);
        let text = bounded_read::text_file(path, BODY_BYTES_MAX)
            .map_err(|error| CliError::file("read", path, &error))?;
        return parse(&text, file);
    }
    parse(argument, "the argument")
}

/// A JSON value; a bare word, which a shell leaves without quotes, is a string.
fn parse(text: &str, origin: &str) -> Result<Value, CliError> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if is_word(text.trim()) {
        return Ok(text.trim().into());
    }
    let cause = error.to_string();
    let cause = cause.split(" at line ").next().unwrap_or(&cause);
    // Where something is missing, that is after the last column.
    let (line, column) = (error.line(), error.column() + usize::from(error.is_eof()));
    let message = format!("{origin} is not JSON: {cause}");
    let at = format!(
        "line {line} column {column}\n{}",
        excerpt(text, line, column)
    );
    let error = CliError::usage("bad-json", message).at(at);
    let help = if text.trim().is_empty() {
        "give a value, such as '{\"Deposit\": {\"cents\": 100}}'"
    } else if cause.starts_with("recursion limit") {
        "a value may be nested at most 127 levels deep"
    } else {
        "in a shell, put the JSON between single quotes: '{\"Deposit\": {\"cents\": 100}}'"
    };
    Err(error.help(help))
}

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Characters shown to each side of a fault.
const AROUND: usize = 30;

/// The part of a line around a byte column (from 1), and a caret under it.
fn excerpt(text: &str, line: usize, column: usize) -> String {
    let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let before = line
        .char_indices()
        .take_while(|(at, _)| at + 1 < column)
        .count();
    let from = before.saturating_sub(AROUND);
    let shown: String = line.chars().skip(from).take(2 * AROUND).collect();
    let left = if from > 0 { "…" } else { "" };
    let right = if line.chars().count() > from + 2 * AROUND {
        "…"
    } else {
        ""
    };
    let caret = before - from + left.chars().count();
    // Tabs would move the caret.
    format!("{left}{}{right}\n{:caret$}^", shown.replace('\t', " "), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn json_is_read_and_a_bare_word_is_a_string() {
        let parse = |text| parse(text, "the argument").unwrap();
        assert_eq!(
            parse("{\"Deposit\":{\"cents\":1}}"),
            json!({"Deposit": {"cents": 1}})
        );
        assert_eq!(parse("Balance"), json!("Balance"));
        assert_eq!(parse(" Get_2 \n"), json!("Get_2"));
        assert_eq!(parse("\"a b\""), json!("a b"));
        assert_eq!(parse("null"), json!(null));
        assert_eq!(parse("true"), json!(true));
        assert_eq!(
            parse("18446744073709551615").to_string(),
            "18446744073709551615"
        );
    }

    #[test]
    fn a_fault_is_shown_where_it_is() {
        let error = parse("{\"a\": 1,\n \"b\" 2}", "the argument").unwrap_err();
        assert_eq!(error.exit.code(), 2);
        assert_eq!(error.message, "the argument is not JSON: expected `:`");
        assert_eq!(error.at.unwrap(), "line 2 column 6\n \"b\" 2}\n     ^");
        for text in ["", "{Deposit}", "two words", "{\"a\":", "2x", "a-b"] {
            assert_eq!(parse(text, "x").unwrap_err().code, "bad-json", "{text:?}");
        }
    }

    #[test]
    fn a_value_that_is_nested_too_deep_is_no_question_of_quotes() {
        let text = "[".repeat(200) + &"]".repeat(200);
        let help = parse(&text, "x").unwrap_err().help.unwrap();
        assert!(help.contains("127 levels"), "{help}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_fault() {
        let text = format!("[{}x]", "\"ä\",".repeat(100));
        let at = parse(&text, "x").unwrap_err().at.unwrap();
        let lines: Vec<_> = at.lines().collect();
        assert!(lines[1].chars().count() < 2 * AROUND + 3, "{at}");
        let caret = lines[2].chars().count() - 1;
        assert_eq!(lines[1].chars().nth(caret), Some('x'), "{at}");
    }

    #[test]
    fn a_value_may_come_from_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("m.json");
        let argument = format!("@{}", file.display());
        assert_eq!(read(&argument).unwrap_err().exit.code(), 1);
        fs::write(&file, "[1]").unwrap();
        assert_eq!(read(&argument).unwrap(), json!([1]));
    }
}
