//! Tables and values of a manifest, read with their places.

use super::{errors::Report, limits::NAME_BYTES_MAX, units};
use crate::nearest::nearest;
use std::ops::RangeInclusive;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A table, which knows its dotted key.
pub struct Section<'d> {
    key: String,
    at: usize,
    table: &'d DeTable<'d>,
}

impl<'d> Section<'d> {
    /// The whole document.
    pub fn root(table: &'d DeTable<'d>) -> Self {
        Self {
            key: String::new(),
            at: 0,
            table,
        }
    }

    /// Where it begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Its dotted key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Reports every key that is not one of these.
    pub fn only(&self, known: &[&str], report: &mut Report<'_>) {
        for (name, _) in self.table.iter() {
            let found: &str = name.get_ref();
            if known.contains(&found) {
                continue;
            }
            let help = match nearest(found, known.iter().copied()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("the keys here are `{}`", known.join("`, `")),
            };
            let key = self.below(found);
            report.add(name.span().start, &key, "unknown key", Some(help));
        }
    }

    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<Entry<'d>> {
        let (key, value) = self.table.get_key_value(name)?;
        Some(self.entry(key.get_ref(), value))
    }

    /// The value of a key that must be there.
    pub fn require(&self, name: &str, report: &mut Report<'_>) -> Option<Entry<'d>> {
        let entry = self.get(name);
        if entry.is_none() {
            report.add(self.at, &self.below(name), "missing key", None);
        }
        entry
    }

    /// All values, in the order of the file, with their names' places.
    pub fn entries(&self) -> Vec<(usize, &'d str, Entry<'d>)> {
        let mut entries: Vec<_> = self
            .table
            .iter()
            .map(|(name, value)| {
                let text: &str = name.get_ref();
                (name.span().start, text, self.entry(text, value))
            })
            .collect();
        entries.sort_by_key(|(at, ..)| *at);
        entries
    }

    fn entry(&self, name: &str, value: &'d Spanned<DeValue<'d>>) -> Entry<'d> {
        Entry {
            key: self.below(name),
            at: value.span().start,
            value: value.get_ref(),
        }
    }

    fn below(&self, name: &str) -> String {
        let is_bare = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let shown = match (is_bare, name.char_indices().nth(NAME_BYTES_MAX)) {
            (true, None) => name.to_owned(),
            (_, Some((end, _))) => format!("{:?}…", &name[..end]),
            (false, None) => format!("{name:?}"),
        };
        match self.key.as_str() {
            "" => shown,
            key => format!("{key}.{shown}"),
        }
    }
}

/// A value, which knows its dotted key.
pub struct Entry<'d> {
    key: String,
    at: usize,
    value: &'d DeValue<'d>,
}

impl<'d> Entry<'d> {
    /// Its dotted key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where it begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The value as it is.
    pub fn value(&self) -> &'d DeValue<'d> {
        self.value
    }

    /// Reports that something is wrong with it.
    pub fn fault(&self, message: &str, help: Option<String>, report: &mut Report<'_>) {
        report.add(self.at, &self.key, message, help);
    }

    fn mismatch<T>(&self, expected: &str, report: &mut Report<'_>) -> Option<T> {
        let message = format!("expected {expected}, found {}", kind(self.value));
        self.fault(&message, None, report);
        None
    }

    /// A table.
    pub fn section(&self, report: &mut Report<'_>) -> Option<Section<'d>> {
        match self.value {
            DeValue::Table(table) => Some(Section {
                key: self.key.clone(),
                at: self.at,
                table,
            }),
            _ => self.mismatch("a table", report),
        }
    }

    /// The elements of an array, each with its number in the key.
    pub fn array(&self, report: &mut Report<'_>) -> Vec<Entry<'d>> {
        let DeValue::Array(items) = self.value else {
            self.mismatch::<()>("an array", report);
            return Vec::new();
        };
        let item = |(number, value): (usize, &'d Spanned<DeValue<'d>>)| Entry {
            key: format!("{}[{number}]", self.key),
            at: value.span().start,
            value: value.get_ref(),
        };
        items.iter().enumerate().map(item).collect()
    }

    /// A string.
    pub fn text(&self, report: &mut Report<'_>) -> Option<String> {
        match self.value {
            DeValue::String(text) => Some(text.clone().into_owned()),
            _ => self.mismatch("a string", report),
        }
    }

    /// A string that says something.
    pub fn filled_text(&self, report: &mut Report<'_>) -> Option<String> {
        let text = self.text(report)?;
        if text.trim().is_empty() || text.contains('\0') {
            self.fault("the string is empty or holds a zero byte", None, report);
            return None;
        }
        Some(text)
    }

    /// A name of an actor, behaviour or node.
    pub fn name(&self, report: &mut Report<'_>) -> Option<String> {
        let name = self.text(report)?;
        check_name(&name, self.at, &self.key, report).then_some(name)
    }

    /// `true` or `false`.
    pub fn flag(&self, report: &mut Report<'_>) -> Option<bool> {
        match self.value {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.mismatch("true or false", report),
        }
    }

    /// A whole number within bounds.
    pub fn integer(&self, bounds: &RangeInclusive<u64>, report: &mut Report<'_>) -> Option<u64> {
        let DeValue::Integer(integer) = self.value else {
            return self.mismatch("a whole number", report);
        };
        let number = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
        self.within(number, bounds, |number| number.to_string(), report)
    }

    /// As [`integer`](Self::integer), for bounds that fit 32 bits.
    pub fn small(&self, bounds: &RangeInclusive<u64>, report: &mut Report<'_>) -> Option<u32> {
        let number = self.integer(bounds, report)?;
        Some(u32::try_from(number).expect("the bounds fit 32 bits"))
    }

    /// A number, with or without a point, within bounds.
    pub fn number(&self, bounds: &RangeInclusive<f64>, report: &mut Report<'_>) -> Option<f64> {
        let digits = match self.value {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            DeValue::Float(float) => float.as_str(),
            _ => return self.mismatch("a number", report),
        };
        // What is no number is in no bounds.
        let number = digits.parse().unwrap_or(f64::NAN);
        if bounds.contains(&number) {
            return Some(number);
        }
        let (min, max) = (bounds.start(), bounds.end());
        let message = format!("{digits} is out of bounds: {min} to {max} are allowed");
        self.fault(&message, None, report);
        None
    }

    /// A duration, in milliseconds.
    pub fn duration_ms(
        &self,
        bounds: &RangeInclusive<u64>,
        report: &mut Report<'_>,
    ) -> Option<u64> {
        let text = self.quantity("a duration such as \"5s\"", report)?;
        match units::duration_ms(text) {
            Ok(ms) => self.within(Some(ms.into()), bounds, units::show_ms, report),
            Err(wrong) => {
                self.fault(&wrong.message, Some(wrong.help.to_owned()), report);
                None
            }
        }
    }

    /// A size, in bytes.
    pub fn size_bytes(&self, bounds: &RangeInclusive<u64>, report: &mut Report<'_>) -> Option<u64> {
        let text = self.quantity("a size such as \"16MiB\"", report)?;
        match units::size_bytes(text) {
            Ok(bytes) => self.within(Some(bytes.into()), bounds, units::show_bytes, report),
            Err(wrong) => {
                self.fault(&wrong.message, Some(wrong.help.to_owned()), report);
                None
            }
        }
    }

    fn quantity(&self, expected: &str, report: &mut Report<'_>) -> Option<&'d str> {
        match self.value {
            DeValue::String(text) => Some(text),
            DeValue::Integer(_) | DeValue::Float(_) => {
                let message = "a number without a unit";
                self.fault(message, Some(format!("write {expected}")), report);
                None
            }
            _ => self.mismatch(expected, report),
        }
    }

    fn within(
        &self,
        number: Option<i128>,
        bounds: &RangeInclusive<u64>,
        show: impl Fn(u64) -> String,
        report: &mut Report<'_>,
    ) -> Option<u64> {
        let fits = number
            .and_then(|number| u64::try_from(number).ok())
            .filter(|number| bounds.contains(number));
        if fits.is_none() {
            let (min, max) = (show(*bounds.start()), show(*bounds.end()));
            let given = match self.value {
                DeValue::String(text) => quoted(text),
                DeValue::Integer(integer) => integer.as_str().to_owned(),
                other => kind(other).to_owned(),
            };
            let message = format!("{given} is out of bounds: {min} to {max} are allowed");
            self.fault(&message, None, report);
        }
        fits
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&self, words: &[(&str, T)], report: &mut Report<'_>) -> Option<T> {
        let text = self.text(report)?;
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let help = match nearest(&text, names.iter().copied()) {
                Some(word) => format!("did you mean \"{word}\"?"),
                None => format!("it is one of \"{}\"", names.join("\", \"")),
            };
            self.fault(
                &format!("unknown word {}", quoted(&text)),
                Some(help),
                report,
            );
        }
        found.map(|(_, choice)| *choice)
    }
}

/// Reports a name that no actor can have.
pub fn check_name(name: &str, at: usize, key: &str, report: &mut Report<'_>) -> bool {
    let is_valid = !matches!(name, "" | "." | "..")
        && name.len() <= NAME_BYTES_MAX
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_.:@".contains(c));
    if !is_valid {
        let help = format!(
            "a name has 1 to {NAME_BYTES_MAX} bytes of letters, digits, `-`, `_`, `.`, `:` or `@`"
        );
        report.add(at, key, "not a name", Some(help));
    }
    is_valid
}

/// A text as it stands in the file, cut where it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(NAME_BYTES_MAX) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
