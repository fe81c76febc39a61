//! serde's attributes, as far as they bear on the wire form or on names.

use syn::{Attribute, Error, LitStr, Result, meta::ParseNestedMeta};

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Container,
    Variant,
    NamedField,
    UnnamedField,
}

/// What of an item's serde attributes its schema follows.
#[derive(Default)]
pub struct SerdeAttrs {
    pub rename: Option<String>,
    pub rename_all: Option<Case>,
    pub rename_all_fields: Option<Case>,
    pub transparent: bool,
    pub skip: bool,
}

impl SerdeAttrs {
    /// Reads them; an attribute that the schema could not follow is an error.
    pub fn read(attrs: &[Attribute], place: Place) -> Result<Self> {
        let mut read = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            attr.parse_nested_meta(|meta| read.take(&meta, place))?;
        }
        Ok(read)
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>, place: Place) -> Result<()> {
        let key = meta
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        match (key.as_str(), place) {
            ("rename", _) => self.rename = Some(one_text(meta)?.value()),
            ("rename_all", _) => self.rename_all = Some(Case::read(meta)?),
            ("rename_all_fields", _) => self.rename_all_fields = Some(Case::read(meta)?),
            ("transparent", Place::Container) => self.transparent = true,
            ("skip", Place::NamedField) => self.skip = true,
            // No bearing on what is written.
            ("alias" | "bound" | "borrow" | "crate" | "default" | "expecting", _)
            | ("deny_unknown_fields", Place::Container) => pass_over(meta)?,
            _ => return Err(meta.error(refusal(&key))),
        }
        Ok(())
    }
}

/// A name that is the same in both directions.
fn one_text(meta: &ParseNestedMeta<'_>) -> Result<LitStr> {
    if meta.input.peek(syn::token::Paren) {
        return Err(meta.error("a schema has one name for both directions: write `= \"…\"`"));
    }
    meta.value()?.parse()
}

/// Steps over the rest of one attribute.
fn pass_over(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(syn::token::Paren) {
        let inner;
        syn::parenthesized!(inner in meta.input);
        inner.parse::<proc_macro2::TokenStream>()?;
    } else if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    }
    Ok(())
}

fn refusal(key: &str) -> String {
    let why = match key {
        "flatten" | "tag" | "content" | "untagged" | "other" | "variant_identifier"
        | "field_identifier" => "it needs a format that carries names, and postcard carries none",
        "skip" | "skip_serializing" | "skip_deserializing" | "skip_serializing_if" => {
            "postcard tells fields and variants by their position, so that none may be \
             missing (a named field may have `skip`)"
        }
        "with" | "serialize_with" | "deserialize_with" | "from" | "try_from" | "into"
        | "remote" | "getter" => {
            "the form that it writes can't be seen here; implement `Schema` by hand"
        }
        _ => "its effect on the written form is not known",
    };
    format!("`#[serde({key})]` can't be had with `Schema`: {why}")
}

/// serde's way of writing names.
#[derive(Clone, Copy)]
pub enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    fn read(meta: &ParseNestedMeta<'_>) -> Result<Self> {
        let text = one_text(meta)?;
        Ok(match text.value().as_str() {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            other => {
                return Err(Error::new(
                    text.span(),
                    format!("serde knows no case `{other}`"),
                ));
            }
        })
    }

    /// A variant, written `PascalCase` in Rust.
    pub fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => with_first(name, |c| c.to_ascii_lowercase()),
            Self::Snake => snake_of_pascal(name),
            Self::ScreamingSnake => snake_of_pascal(name).to_ascii_uppercase(),
            Self::Kebab => snake_of_pascal(name).replace('_', "-"),
            Self::ScreamingKebab => snake_of_pascal(name).to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// A field, written `snake_case` in Rust.
    pub fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal_of_snake(name),
            Self::Camel => with_first(&pascal_of_snake(name), |c| c.to_ascii_lowercase()),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn with_first(name: &str, change: impl Fn(char) -> char) -> String {
    let mut chars = name.chars();
    chars.next().map(change).into_iter().chain(chars).collect()
}

fn snake_of_pascal(name: &str) -> String {
    let mut snake = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

fn pascal_of_snake(name: &str) -> String {
    name.split('_')
        .map(|word| with_first(word, |c| c.to_ascii_uppercase()))
        .collect()
}
