//! What is printed, and where.

use super::CliError;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::{
    env,
    io::{self, IsTerminal, Write},
};

/// Prints results and errors, for people or as JSON.
#[derive(Debug)]
pub struct Output {
    json: bool,
}

impl Output {
    /// Prints JSON, or words for people.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether JSON is printed.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a line on standard error may be drawn over and over.
    pub fn has_progress_bar(&self) -> bool {
        !self.json && io::stderr().is_terminal()
    }

    /// Prints a result to standard output: its JSON, or what `text` makes of it.
    ///
    /// # Errors
    /// When it cannot be written; a reader that has gone away is no error.
    pub fn result<T: Serialize>(
        &self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), CliError> {
        let printed = if self.json {
            json(value, io::stdout().is_terminal())
        } else {
            text(value)
        };
        self.write(&printed)
    }

    /// Prints a text to standard output as it is, with a line end.
    ///
    /// # Errors
    /// As [`result`](Self::result).
    pub fn write(&self, text: &str) -> Result<(), CliError> {
        let text = text.trim_end_matches('\n');
        let mut out = io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::failed(
                "output",
                format!("cannot write the result: {error}"),
            )),
            _ => Ok(()),
        }
    }

    /// Prints an error to standard error.
    pub fn error(&self, error: &CliError) {
        if self.json {
            self.note(&error.to_json());
        } else {
            let colour = io::stderr().is_terminal() && colour_wanted();
            self.note(error.to_text(colour).trim_end());
        }
    }

    /// Prints a line to standard error.
    pub fn note(&self, line: &str) {
        // There is no other place to say that this one is gone.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

/// By the convention of no-color.org.
pub fn colour_wanted() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// JSON for a terminal, or for a program: one line.
pub fn json(value: &impl Serialize, pretty: bool) -> String {
    let text = if pretty {
        serde_json::to_string_pretty(value)
    } else {
        serde_json::to_string(value)
    };
    text.expect("results are plain data with text keys")
}

/// A table with these columns; those that begin with `>` hold numbers.
pub fn table(columns: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(
        columns
            .iter()
            .map(|name| name.trim_start_matches('>').to_uppercase()),
    );
    for (at, name) in columns.iter().enumerate() {
        let column = table.column_mut(at).expect("the header has made it");
        column.set_padding((0, 2));
        if name.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The table's lines, without blanks at their ends.
pub fn lines(table: &Table) -> String {
    table
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// A number with a comma at each thousand.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 actor`, `2 actors`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_thousands() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "actor", "actors"), "1 actor");
    }

    #[test]
    fn a_table_has_no_blanks_at_its_lines_ends() {
        let mut table = table(&["path", ">queued"]);
        table.add_row(["/a", "1"]);
        table.add_row(["/fleet/N1", "1,000"]);
        assert_eq!(
            lines(&table),
            "PATH       QUEUED\n/a              1\n/fleet/N1   1,000\n"
        );
    }
}
