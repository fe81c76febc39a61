//! What a manifest asks of modules that they cannot do.

use actorhost_wire::{
    manifest::{ManifestError, Place, Places, Priority},
    nearest,
    schema::CodecError,
};
use std::fmt;

/// A spec that the modules cannot meet.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The arguments are not of the module's argument type.
    #[error("{place}: args do not fit behaviour `{behaviour}`: {error}")]
    Args {
        /// Which child or pool.
        place: String,
        /// Whether the manifest says them.
        given: bool,
        /// The behaviour.
        behaviour: String,
        /// Where and why.
        error: Box<CodecError>,
    },
    /// The manifest asks for what the module's message type does not have.
    #[error("{0}")]
    Priority(ManifestError),
    /// It is to resume from saved state, which its module cannot save.
    #[error("{place}: on-crash = \"resume\" needs state that behaviour `{behaviour}` cannot save")]
    CannotResume {
        /// Which child or pool.
        place: String,
        /// The behaviour.
        behaviour: String,
    },
}

impl SpecError {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Args { given: false, .. } => Some("say them there: `args = { … }`".into()),
            Self::Args { error, .. } => error.help(),
            // It says so itself.
            Self::Priority(_) => None,
            Self::CannotResume { .. } => Some("remove `no_save` from its #[actor]".into()),
        }
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Args { .. } => "bad-args",
            Self::Priority(_) => "bad-manifest",
            Self::CannotResume { .. } => "cannot-resume",
        }
    }

    /// Where the manifest says it.
    pub(in crate::node) fn at(&self, places: &Places) -> Option<Place> {
        match self {
            Self::Args { place, .. } => places.actor(place, "args"),
            Self::CannotResume { place, .. } => places.actor(place, "on-crash"),
            // It says so itself.
            Self::Priority(_) => None,
        }
    }

    /// No message of a behaviour has the name that is to come first.
    pub(in crate::node) fn priority(
        priority: &Priority,
        behaviour: &str,
        variants: &[&str],
    ) -> Self {
        let (message, help) = if variants.is_empty() {
            let message = format!("the messages of behaviour `{behaviour}` are no enum");
            (message, "take the priorities out".to_owned())
        } else {
            let wanted = &priority.variant;
            let message = format!("no message of behaviour `{behaviour}` is named `{wanted}`");
            let help = match nearest(wanted, variants.iter().copied()) {
                Some(variant) => format!("did you mean `{variant}`?"),
                None => format!("they are `{}`", variants.join("`, `")),
            };
            (message, help)
        };
        Self::Priority(priority.place.fault(message, Some(help)))
    }
}

/// Everything that the modules cannot meet; at least one.
#[derive(Debug, Default)]
pub struct SpecErrors {
    /// What each says.
    pub errors: Vec<SpecError>,
    /// Where each is said, once that was looked up.
    at: Vec<Option<Place>>,
}

impl SpecErrors {
    /// Looks up where the manifest says each.
    pub(in crate::node) fn locate(mut self, places: &Places) -> Self {
        self.at = self.errors.iter().map(|error| error.at(places)).collect();
        self
    }

    /// One of them as a fault of the manifest, where its place is known.
    pub fn fault(&self, index: usize) -> Option<ManifestError> {
        let error = self.errors.get(index)?;
        match (error, self.at.get(index)?) {
            (SpecError::Priority(fault), _) => Some(fault.clone()),
            (_, Some(place)) => Some(place.fault(error.to_string(), error.help())),
            (_, None) => None,
        }
    }

    /// Adds one, unless it says what another one says already: children have their
    /// behaviour's mailbox.
    pub(in crate::node) fn add(&mut self, error: SpecError) {
        let text = error.to_string();
        if !self.errors.iter().any(|known| known.to_string() == text) {
            self.errors.push(error);
        }
    }

    /// The value, or none and its errors added.
    pub(in crate::node) fn keep<T>(&mut self, value: Result<T, Self>) -> Option<T> {
        value
            .map_err(|others| others.errors.into_iter().for_each(|error| self.add(error)))
            .ok()
    }

    /// The value, if there is no error.
    pub(in crate::node) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.errors.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

impl From<SpecError> for SpecErrors {
    fn from(error: SpecError) -> Self {
        Self {
            errors: vec![error],
            at: Vec::new(),
        }
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            let line = if at == 0 { "" } else { "\n" };
            if let Some(fault) = self.fault(at) {
                write!(f, "{line}{fault}")?;
                continue;
            }
            write!(f, "{line}{error}")?;
            if let Some(help) = error.help() {
                write!(f, "; {help}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_wire::manifest::Manifest;

    /// What is said of a priority of the message `Alram`, where there are `variants`.
    fn said(variants: &[&str]) -> String {
        let text = "[behaviour.b]\nmodule = \"b\"\nmailbox = { priority = { Alram = 2 } }";
        let manifest = Manifest::parse("m", text).unwrap();
        let mailbox = &manifest.behaviours[0].mailbox;
        SpecError::priority(&mailbox.priorities[0], "b", variants).to_string()
    }

    #[test]
    fn a_priority_of_no_message_is_named_with_its_place() {
        let place = "m:3:26: behaviour.b.mailbox.priority.Alram: ";
        let none = "no message of behaviour `b` is named `Alram`";
        assert_eq!(
            said(&["Stop", "Alarm"]),
            format!("{place}{none}; did you mean `Alarm`?")
        );
        assert_eq!(
            said(&["Deposit", "Close"]),
            format!("{place}{none}; they are `Deposit`, `Close`")
        );
        assert_eq!(
            said(&[]),
            format!("{place}the messages of behaviour `b` are no enum; take the priorities out")
        );
    }

    #[test]
    fn what_children_have_from_their_behaviour_is_said_once() {
        let mut errors = SpecErrors::default();
        for place in ["/a", "/b", "/a"] {
            errors.add(SpecError::CannotResume {
                place: place.into(),
                behaviour: "b".into(),
            });
        }
        assert_eq!(errors.to_string().lines().count(), 2, "{errors}");
    }
}
