//! Each rule with types of Rust, verdicts, and hostile schemas.

/// Declares types of one name, each in a module.
macro_rules! versions {
    ($($version:ident { $($item:item)* })*) => {
        $(
            #[allow(dead_code)]
            mod $version {
                $(
                    #[derive(postcard_schema::Schema)]
                    $item
                )*
            }
        )*
    };
}

mod fields;
mod hostile;
mod scalars;
mod shown;
mod state;
mod variants;

use super::*;

fn of<T: postcard_schema::Schema + ?Sized>() -> Schema {
    Schema::of::<T>().unwrap()
}

/// Rule, severity and place of each difference.
fn found<Old, New>(role: Role) -> Vec<(Rule, Severity, String)>
where
    Old: postcard_schema::Schema,
    New: postcard_schema::Schema,
{
    let comparison = compare_role(role, &of::<Old>(), &of::<New>());
    let one = |d: Difference| (d.rule, d.severity, d.place);
    comparison.differences.into_iter().map(one).collect()
}

/// The one difference of messages at the root.
fn rule<Old, New>() -> Option<(Rule, Severity)>
where
    Old: postcard_schema::Schema,
    New: postcard_schema::Schema,
{
    let mut found = found::<Old, New>(Role::Message);
    assert!(found.len() <= 1, "{found:?}");
    found.pop().map(|(rule, severity, _)| (rule, severity))
}
