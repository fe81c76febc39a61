//! Macros of `actorhost-sdk`, which re-exports and documents them for users.

mod actor;
mod schema;
mod serde_attrs;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes a type that implements `Actor` a deployable behaviour: it writes the
/// component's exports and how its state is saved.
///
/// | argument | meaning |
/// |---|---|
/// | `name = "…"` | the behaviour's name; the crate's when left out |
/// | `state_version = N` | raise it when the state changes its form, and write `migrate`; 1 when left out |
/// | `no_save` | the state can't be saved: the type needs no serde, its actors stay in memory and can't be swapped |
///
/// An `impl` without `init` begins each life with `Default::default()`.
#[proc_macro_attribute]
pub fn actor(args: TokenStream, item: TokenStream) -> TokenStream {
    let args = parse_macro_input!(args as actor::Args);
    let item = parse_macro_input!(item as syn::ItemImpl);
    actor::expand(args, item)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Writes down the form of a type as it goes over the wire, so that the node and its
/// command line can speak JSON with the behaviour.
///
/// It follows serde's `rename`, `rename_all`, `rename_all_fields`, `transparent` and
/// (on named fields) `skip`. What would make the schema untrue, such as `flatten` or
/// `with`, is an error.
#[proc_macro_derive(Schema, attributes(serde))]
pub fn derive_schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    schema::expand(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

#[cfg(test)]
mod tests;
