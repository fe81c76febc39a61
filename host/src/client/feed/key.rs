//! The key of a row: which actor it is for.

use serde_json::Value;

/// What a row's key column holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Key {
    /// The actor's name.
    Name(String),
    /// Nothing, or a text that stands for it.
    Empty,
    /// Something that cannot be a name.
    Wrong(&'static str),
}

/// The key in a text; `no_keys` count as none.
pub fn of_text(text: &str, no_keys: &[String]) -> Key {
    let text = text.trim();
    if text.is_empty() || no_keys.iter().any(|no_key| no_key == text) {
        return Key::Empty;
    }
    Key::Name(text.to_owned())
}

/// The key in a JSON row, by the name of a field or a path of names with dots.
pub fn of_json(row: &Value, column: &str, no_keys: &[String]) -> Key {
    match row.get(column).or_else(|| along(row, column)) {
        None | Some(Value::Null) => Key::Empty,
        Some(Value::String(text)) => of_text(text, no_keys),
        Some(Value::Number(number)) => of_text(&number.to_string(), no_keys),
        Some(Value::Bool(_)) => Key::Wrong("true or false"),
        Some(Value::Array(_)) => Key::Wrong("a list"),
        Some(Value::Object(_)) => Key::Wrong("an object"),
    }
}

fn along<'v>(row: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(row, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn no_keys() -> Vec<String> {
        vec!["NA".into()]
    }

    #[test]
    fn a_text_that_stands_for_nothing_is_no_key() {
        for text in ["", " ", "NA", " NA "] {
            assert_eq!(of_text(text, &no_keys()), Key::Empty, "{text:?}");
        }
        assert_eq!(of_text(" N14228", &no_keys()), Key::Name("N14228".into()));
        assert_eq!(of_text("NA", &[]), Key::Name("NA".into()));
    }

    #[test]
    fn a_json_key_may_be_a_number_or_lie_deeper() {
        let row = json!({"id": 7, "Reading": {"device": "d1"}, "a.b": "flat", "no": null});
        let key = |column| of_json(&row, column, &no_keys());
        assert_eq!(key("id"), Key::Name("7".into()));
        assert_eq!(key("Reading.device"), Key::Name("d1".into()));
        assert_eq!(key("a.b"), Key::Name("flat".into()));
        assert_eq!(key("no"), Key::Empty);
        assert_eq!(key("Reading.unit"), Key::Empty);
        assert_eq!(key("Reading"), Key::Wrong("an object"));
    }
}
