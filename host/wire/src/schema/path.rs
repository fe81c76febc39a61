//! Where in a JSON value something is, such as `$.Deposit.cents` or `$.rows[3]`.

use std::fmt;

/// A place, as a list on the stack from the leaf to the root. It costs nothing until
/// an error wants it in words.
#[derive(Clone, Copy)]
pub enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
    /// Every element of a list.
    Elements(&'a Path<'a>),
    /// Every key of a map.
    Keys(&'a Path<'a>),
    /// Every value of a map.
    Values(&'a Path<'a>),
}

impl<'a> Path<'a> {
    pub fn key(&'a self, name: &'a str) -> Self {
        Self::Key(self, name)
    }

    pub fn index(&'a self, at: usize) -> Self {
        Self::Index(self, at)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("$"),
            Self::Index(parent, at) => write!(f, "{parent}[{at}]"),
            Self::Key(parent, name) if is_plain(name) => write!(f, "{parent}.{name}"),
            Self::Key(parent, name) => write!(f, "{parent}[\"{}\"]", clip(name)),
            Self::Elements(parent) => write!(f, "{parent}[*]"),
            Self::Keys(parent) => write!(f, "{parent}.keys()"),
            Self::Values(parent) => write!(f, "{parent}.*"),
        }
    }
}

fn is_plain(name: &str) -> bool {
    name.len() <= CLIP_CHARS
        && !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-".contains(c))
}

/// Longest piece of somebody's text that an error repeats, in characters.
const CLIP_CHARS: usize = 60;

/// The text's beginning, with a sign that it was cut. Control characters are escaped,
/// since the text may be a stranger's and end up on a terminal.
pub fn clip(text: &str) -> String {
    let mut clipped = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == CLIP_CHARS {
            clipped.push('…');
            break;
        }
        if c.is_control() {
            clipped.extend(c.escape_default());
        } else {
            clipped.push(c);
        }
    }
    clipped
}
