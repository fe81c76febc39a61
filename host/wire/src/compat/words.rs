//! What a difference means and what to do, in words.

use super::difference::{Change, Reading, Role, Rule, Severity};

/// Why it is as bad as it is.
pub fn why(role: Role, change: Change, severity: Severity, migrates_from: Option<u32>) -> String {
    let fact = fact(as_read(role, change.rule));
    if let Some(version) = migrates_from {
        return format!("{fact}; `migrate` is called with state version {version}");
    }
    let (_, other_way) = change.ways(role);
    match (severity, other_way) {
        (Severity::Breaks, _) => format!("{fact}; {}", harm(role)),
        (Severity::Warning, _) if change.rule == Rule::VariantAppended => {
            format!("{fact}; an asker that was built with the old version can't read it")
        }
        (Severity::Warning, _) => format!("{fact}; see that it means the same"),
        (Severity::Fine, Reading::Fails) => format!("{fact}; {}", other_harm(role)),
        (Severity::Fine, _) => fact.to_owned(),
    }
}

/// The rule as it is for the way that must work: a reply is written by the new version.
fn as_read(role: Role, rule: Rule) -> Rule {
    match (role, rule) {
        (Role::Reply, Rule::Widened) => Rule::Narrowed,
        (Role::Reply, Rule::Narrowed) => Rule::Widened,
        (Role::Reply, Rule::MapToList) => Rule::ListToMap,
        (Role::Reply, Rule::ListToMap) => Rule::MapToList,
        _ => rule,
    }
}

fn fact(rule: Rule) -> &'static str {
    match rule {
        Rule::VariantAppended => "it comes after all others, whose bytes stay as they were",
        Rule::VariantInserted => {
            "a variant is written as its number, and this one moves those after it"
        }
        Rule::VariantRemoved => "nothing has its number now, or another variant has it",
        Rule::VariantMoved => "a variant is written as its number, so one is read as another",
        Rule::VariantRenamed | Rule::FieldRenamed => "the bytes are the same under another name",
        Rule::FieldAdded => "bytes hold no field names, so what has no such field is misread",
        Rule::FieldRemoved => "bytes hold no field names, so what has this field is misread",
        Rule::FieldMoved => "bytes hold no field names, so one field is read as another",
        Rule::LengthChanged => "parts follow each other uncounted, so others are misread",
        Rule::Widened => {
            "whatever the narrower type holds, the wider one holds with the same bytes"
        }
        Rule::Narrowed => "the narrower type does not hold every value of the wider one",
        Rule::SignChanged => "signed and unsigned numbers have different bytes",
        Rule::WidthChanged => "8-bit integers and floats take a fixed number of bytes",
        Rule::OptionAdded | Rule::OptionRemoved => "an option has one byte in front of its value",
        Rule::KindChanged => "the two have different bytes, or the same bytes mean another thing",
        Rule::FormChanged => "the bytes are the same; JSON looks different",
        Rule::MapToList => "a map has the bytes of a list of its pairs; JSON looks different",
        Rule::ListToMap => "a list of pairs has the bytes of a map, which keeps each key once",
        Rule::TypeRenamed => "the bytes are the same under another name",
        Rule::NotCompared => "a schema as a value can't be compared with anything else",
        Rule::StateVersionRaised
        | Rule::StateVersionLowered
        | Rule::StateNotSaved
        | Rule::StateNotLoaded
        | Rule::StateWithoutSchema => "this is not about a type",
    }
}

fn harm(role: Role) -> &'static str {
    match role {
        Role::Args => "args that child specs keep can't be read at a restart",
        Role::Message => {
            "messages that are queued, or come from senders of the old version, can't be read"
        }
        Role::Reply => "askers that were built with the old version can't read the replies",
        Role::State => "state that the old version saved can't be loaded",
    }
}

/// Only during a roll-out or after a roll-back.
fn other_harm(role: Role) -> &'static str {
    match role {
        Role::Args => "after a roll-back, the old version can't read args that need the new type",
        Role::Message => {
            "until a roll-out ends, actors of the old version can't read messages that need the new type"
        }
        Role::Reply => {
            "until a roll-out ends, newer askers can't read all that actors of the old version answer"
        }
        Role::State => {
            "after a roll-back, the old version can't load state that needs the new type"
        }
    }
}

/// What to do about it, where something is to be done.
pub fn help(role: Role, rule: Rule, severity: Severity) -> Option<String> {
    if severity == Severity::Fine {
        return None;
    }
    let advice = match as_read(role, rule) {
        Rule::VariantAppended => "answer it only to askers that know it",
        Rule::VariantRenamed => "if it means another thing, append a variant instead",
        Rule::FieldRenamed | Rule::TypeRenamed if severity == Severity::Warning => {
            "nothing, if it means the same"
        }
        Rule::ListToMap if severity == Severity::Warning => "nothing, if no key comes twice",
        // State can be made anew; the others can't.
        _ if role == Role::State => "raise `state_version` and write `migrate`",
        Rule::VariantInserted => "append the variant at the end",
        Rule::VariantMoved => "keep the order, and append new variants at the end",
        Rule::VariantRemoved => "keep the variant, and refuse it when it is handled",
        Rule::FieldMoved => "keep the order of the fields",
        Rule::NotCompared => "keep the type",
        _ => return Some(changed_type(role).to_owned()),
    };
    Some(advice.to_owned())
}

fn changed_type(role: Role) -> &'static str {
    match role {
        Role::Args => "keep the type, or deploy it as another behaviour",
        Role::Message | Role::Reply => {
            "keep the type, and append a variant with the new one at the end of the enum"
        }
        Role::State => "raise `state_version` and write `migrate`",
    }
}
