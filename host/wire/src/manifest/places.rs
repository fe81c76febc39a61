//! Where a manifest says something, for faults that only a module, a crate or the
//! machine can show.

use super::errors::{Place, Report};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

type Value<'d> = Spanned<DeValue<'d>>;

/// The text of a manifest, to find places in.
#[derive(Debug, Clone)]
pub struct Places {
    file: String,
    text: String,
}

impl Places {
    /// Of a manifest; `file_name` is what faults call it.
    pub fn of(file_name: &str, text: &str) -> Self {
        Self {
            file: file_name.to_owned(),
            text: text.to_owned(),
        }
    }

    /// The value of a behaviour's key such as `module` or `capabilities.dirs`. Where
    /// it does not say that, the behaviour.
    pub fn behaviour(&self, name: &str, key: &str) -> Option<Place> {
        self.find(|document| {
            let table = table(document.get("behaviour")?.get_ref())?;
            let value = table.get(name)?;
            Some(deepest(value, format!("behaviour.{name}"), key))
        })
    }

    /// The value of a key of the child or pool at this path. Where it does not say
    /// that, the child or pool.
    pub fn actor(&self, path: &str, key: &str) -> Option<Place> {
        self.find(|document| {
            let mut parts = path.split('/').filter(|part| !part.is_empty());
            let first = parts.next()?;
            let pool = named(document, "pool", first);
            let (mut key_here, mut here) = match pool {
                Some(found) => found,
                None => named(document, "supervisor", first)?,
            };
            for part in parts {
                let mut owner = table(here.get_ref())?;
                if let Some(nested) = owner.get("supervisor").and_then(|v| text(v.get_ref())) {
                    let (found, value) = named(document, "supervisor", nested)?;
                    (key_here, owner) = (found, table(value.get_ref())?);
                }
                let (child, value) = named(owner, "child", part)?;
                (key_here, here) = (format!("{key_here}.{child}"), value);
            }
            Some(deepest(here, key_here, key))
        })
    }

    fn find<F>(&self, find: F) -> Option<Place>
    where
        F: FnOnce(&DeTable<'_>) -> Option<(usize, String)>,
    {
        let (document, _) = DeTable::parse_recoverable(&self.text);
        let (at, key) = find(document.get_ref())?;
        Some(Report::new(&self.file, &self.text).place(at, &key))
    }
}

/// The place of `key` below a value, as far as that goes.
fn deepest(value: &Value<'_>, mut shown: String, key: &str) -> (usize, String) {
    let mut here = value;
    for part in key.split('.') {
        match table(here.get_ref()).and_then(|table| table.get(part)) {
            Some(next) => here = next,
            None => break,
        }
        shown = format!("{shown}.{part}");
    }
    (here.span().start, shown)
}

/// The element of this name in an array of tables, with its key.
fn named<'t, 'd>(
    table_of: &'t DeTable<'d>,
    array: &str,
    name: &str,
) -> Option<(String, &'t Value<'d>)> {
    let DeValue::Array(items) = table_of.get(array)?.get_ref() else {
        return None;
    };
    let mut items = items.iter().enumerate();
    let is_it = |item: &Value<'_>| {
        let own = table(item.get_ref()).and_then(|table| table.get("name"));
        own.and_then(|own| text(own.get_ref())) == Some(name)
    };
    let (number, item) = items.find(|(_, item)| is_it(item))?;
    Some((format!("{array}[{number}]"), item))
}

fn table<'t, 'd>(value: &'t DeValue<'d>) -> Option<&'t DeTable<'d>> {
    match value {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn text<'t>(value: &'t DeValue<'_>) -> Option<&'t str> {
    match value {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[behaviour.b]\nmodule = \"x\"\n\
        [behaviour.b.capabilities]\ndirs = []\n\
        [[supervisor]]\nname = \"app\"\n\
        [[supervisor.child]]\nname = \"a\"\nbehaviour = \"b\"\nargs = 1\n\
        [[supervisor.child]]\nname = \"low\"\nsupervisor = \"deep\"\n\
        [[supervisor]]\nname = \"deep\"\n\
        [[supervisor.child]]\nname = \"c\"\nbehaviour = \"b\"\n\
        [[pool]]\nname = \"p\"\nbehaviour = \"b\"\nargs = 2\n";

    fn shown(place: Option<Place>) -> String {
        let place = place.expect("it is there");
        format!(
            "{}:{}:{} {}",
            place.file, place.line, place.column, place.key
        )
    }

    #[test]
    fn what_is_said_of_a_behaviour_is_found() {
        let places = Places::of("m", TEXT);
        assert_eq!(
            shown(places.behaviour("b", "module")),
            "m:2:10 behaviour.b.module"
        );
        assert_eq!(
            shown(places.behaviour("b", "capabilities.dirs")),
            "m:4:8 behaviour.b.capabilities.dirs"
        );
        assert!(places.behaviour("c", "module").is_none());
    }

    #[test]
    fn what_is_said_of_an_actor_is_found_also_below_nested_supervisors() {
        let places = Places::of("m", TEXT);
        assert_eq!(
            shown(places.actor("/app/a", "args")),
            "m:10:8 supervisor[0].child[0].args"
        );
        assert_eq!(shown(places.actor("/p", "args")), "m:22:8 pool[0].args");
        let none = shown(places.actor("/app/low/c", "args"));
        assert_eq!(none, "m:16:1 supervisor[1].child[0]");
        assert!(places.actor("/app/zz", "args").is_none());
    }
}
