//! TOML values as JSON, for `args`.

use super::{
    errors::Report,
    limits::ARGS_DEPTH_MAX,
    section::{Entry, Section},
};
use serde_json::{Number, Value};
use toml::de::{DeFloat, DeInteger, DeValue};

/// The JSON value: integers are exact, dates are texts, floats that are no numbers
/// have the names that the schema codec gives them. None was reported.
pub fn to_json(entry: &Entry<'_>, report: &mut Report<'_>) -> Option<Value> {
    convert(entry, 0, report)
}

fn convert(entry: &Entry<'_>, depth: usize, report: &mut Report<'_>) -> Option<Value> {
    if depth > ARGS_DEPTH_MAX {
        let message = format!("nested more than {ARGS_DEPTH_MAX} levels deep");
        entry.fault(&message, None, report);
        return None;
    }
    Some(match entry.value() {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Float(float) => of_float(float),
        DeValue::Integer(integer) => match of_integer(integer) {
            Some(number) => Value::Number(number),
            None => {
                entry.fault("the number has more than 128 bits", None, report);
                return None;
            }
        },
        DeValue::Array(_) => {
            let items = entry.array(report);
            let items = items.iter().map(|item| convert(item, depth + 1, report));
            Value::Array(items.collect::<Option<_>>()?)
        }
        DeValue::Table(_) => {
            let section: Section<'_> = entry.section(report)?;
            let entries = section.entries();
            let entries = entries.iter().map(|(_, name, entry)| {
                Some(((*name).to_owned(), convert(entry, depth + 1, report)?))
            });
            Value::Object(entries.collect::<Option<_>>()?)
        }
    })
}

fn of_integer(integer: &DeInteger<'_>) -> Option<Number> {
    let (digits, radix) = (integer.as_str(), integer.radix());
    match i128::from_str_radix(digits, radix) {
        Ok(number) => Number::from_i128(number),
        Err(_) => Number::from_u128(u128::from_str_radix(digits, radix).ok()?),
    }
}

fn of_float(float: &DeFloat<'_>) -> Value {
    let digits = float.as_str();
    let value: f64 = digits.parse().unwrap_or(f64::NAN);
    if value.is_nan() {
        return Value::from("NaN");
    }
    match Number::from_f64(value) {
        // JSON's own way of writing it keeps every digit.
        Some(number) => serde_json::from_str(digits).unwrap_or(Value::Number(number)),
        None if value > 0.0 => Value::from("inf"),
        None => Value::from("-inf"),
    }
}
