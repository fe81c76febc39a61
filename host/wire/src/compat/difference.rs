//! What differs between two versions of a module, and how bad that is.

use serde::Serialize;

/// What a type is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What an actor begins with.
    Args,
    /// What it is sent.
    Message,
    /// What it answers.
    Reply,
    /// What it saves.
    State,
}

impl Role {
    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Args => "args",
            Self::Message => "message",
            Self::Reply => "reply",
            Self::State => "state",
        }
    }
}

/// How bad a difference is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A value that may exist now could not be read after a swap, or would be read as
    /// another one. A swap is refused.
    Breaks,
    /// All values can be read, but may not mean the same; or only a reader of another
    /// build is harmed.
    Warning,
    /// Nothing that exists now is harmed.
    Fine,
}

impl Severity {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaks => "breaks",
            Self::Warning => "warning",
            Self::Fine => "fine",
        }
    }
}

/// What kind of difference it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A variant after all old ones.
    VariantAppended,
    /// A variant before old ones.
    VariantInserted,
    /// A variant that is no more.
    VariantRemoved,
    /// Variants in another order.
    VariantMoved,
    /// A variant with another name at the same place.
    VariantRenamed,
    /// A field more.
    FieldAdded,
    /// A field less.
    FieldRemoved,
    /// Fields in another order.
    FieldMoved,
    /// A field with another name at the same place.
    FieldRenamed,
    /// A tuple, array or variant with another number of parts.
    LengthChanged,
    /// Every old value is one of the new type, with the same bytes.
    Widened,
    /// Not every old value is one of the new type.
    Narrowed,
    /// A number with another kind of sign.
    SignChanged,
    /// A number with another fixed width (`u8`, `i8`, floats).
    WidthChanged,
    /// An option around what was none.
    OptionAdded,
    /// No option around what was one.
    OptionRemoved,
    /// A type of another kind.
    KindChanged,
    /// Other names around the same bytes: a tuple became a struct, say.
    FormChanged,
    /// A map became a list of its pairs.
    MapToList,
    /// A list of pairs became a map.
    ListToMap,
    /// A type with another name.
    TypeRenamed,
    /// A type that cannot be compared.
    NotCompared,
    /// A state version above the old one.
    StateVersionRaised,
    /// A state version below the old one.
    StateVersionLowered,
    /// The old version saves no state.
    StateNotSaved,
    /// The new version loads no state.
    StateNotLoaded,
    /// A state without a schema.
    StateWithoutSchema,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// How bad it is.
    pub severity: Severity,
    /// What the type is for.
    pub role: Role,
    /// Where in the JSON value, from `$`; by the new version's names where it has them.
    pub place: String,
    /// What kind of difference it is.
    pub rule: Rule,
    /// What was there, shortened; nothing when it is new.
    pub was: Option<String>,
    /// What is there now, shortened; nothing when it is gone.
    pub is: Option<String>,
    /// Why it is as bad as that.
    pub why: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What becomes of values from their writer to their reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Every value is read as itself.
    Same,
    /// Every value is read, but may mean something else.
    Doubtful,
    /// Some value is refused, or read as another one.
    Fails,
}

/// A rule with its outcome on both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub rule: Rule,
    /// Written by the old version, read by the new one.
    pub forward: Reading,
    /// Written by the new version, read by the old one.
    pub backward: Reading,
}

impl Change {
    pub fn new(rule: Rule, forward: Reading, backward: Reading) -> Self {
        Self {
            rule,
            forward,
            backward,
        }
    }

    /// Nothing can be read either way.
    pub fn breaking(rule: Rule) -> Self {
        Self::new(rule, Reading::Fails, Reading::Fails)
    }

    /// Everything can be read both ways, and may mean something else.
    pub fn doubtful(rule: Rule) -> Self {
        Self::new(rule, Reading::Doubtful, Reading::Doubtful)
    }

    /// Everything can be read both ways.
    pub fn harmless(rule: Rule) -> Self {
        Self::new(rule, Reading::Same, Reading::Same)
    }

    /// How bad it is for a role. Replies flow against the others: what matters is
    /// that the asker, who is older, reads what a newer actor answers.
    pub fn severity(self, role: Role) -> Severity {
        let (needed, _) = self.ways(role);
        match (needed, role, self.rule) {
            // Or no reply could ever be added. Only an asker that was built with the
            // old type and gets the new variant is harmed, with an error in its hand.
            (Reading::Fails, Role::Reply, Rule::VariantAppended) => Severity::Warning,
            (Reading::Fails, ..) => Severity::Breaks,
            (Reading::Doubtful, ..) => Severity::Warning,
            (Reading::Same, ..) => Severity::Fine,
        }
    }

    /// The way that must work for a swap, and the way that only a roll-out under way
    /// or a roll-back takes.
    pub fn ways(self, role: Role) -> (Reading, Reading) {
        match role {
            Role::Reply => (self.backward, self.forward),
            Role::Args | Role::Message | Role::State => (self.forward, self.backward),
        }
    }
}
