//! What the macros refuse, and with which words.

use crate::{actor, schema};
use quote::quote;
use syn::{DeriveInput, ItemImpl, parse_quote};

fn schema_error(input: DeriveInput) -> String {
    schema::expand(&input).unwrap_err().to_string()
}

fn actor_error(args: proc_macro2::TokenStream, item: ItemImpl) -> String {
    match syn::parse2(args).and_then(|args| actor::expand(args, item)) {
        Ok(code) => panic!("accepted as {code}"),
        Err(error) => error.to_string(),
    }
}

fn account() -> ItemImpl {
    parse_quote! { impl Actor for Account {} }
}

#[test]
fn what_needs_names_in_the_bytes_is_refused() {
    for input in [
        parse_quote! { #[serde(tag = "t")] enum E { A {} } },
        parse_quote! { #[serde(tag = "t", content = "c")] enum E { A } },
        parse_quote! { #[serde(untagged)] enum E { A } },
        parse_quote! { enum E { A, #[serde(other)] B } },
        parse_quote! { struct S { #[serde(flatten)] inner: T } },
    ] {
        let error = schema_error(input);
        assert!(error.contains("postcard carries none"), "{error}");
    }
}

#[test]
fn what_leaves_a_place_out_is_refused() {
    for input in [
        parse_quote! { struct S { #[serde(skip_serializing_if = "is_zero")] n: u8 } },
        parse_quote! { struct S { #[serde(skip_serializing)] n: u8 } },
        parse_quote! { struct S { #[serde(skip_deserializing)] n: u8 } },
        parse_quote! { struct S(#[serde(skip)] u8, u8); },
        parse_quote! { enum E { #[serde(skip)] A, B } },
    ] {
        let error = schema_error(input);
        assert!(error.contains("by their position"), "{error}");
    }
}

#[test]
fn a_form_that_cannot_be_seen_is_refused() {
    for input in [
        parse_quote! { struct S { #[serde(with = "hex")] n: u8 } },
        parse_quote! { struct S { #[serde(serialize_with = "hex")] n: u8 } },
        parse_quote! { #[serde(try_from = "u8", into = "u8")] struct S(u8); },
    ] {
        let error = schema_error(input);
        assert!(error.contains("implement `Schema` by hand"), "{error}");
    }
}

#[test]
fn an_attribute_unknown_here_is_refused_and_named() {
    let error = schema_error(parse_quote! { #[serde(shiny)] struct S; });
    assert!(error.contains("`#[serde(shiny)]`"), "{error}");
}

#[test]
fn two_names_for_one_thing_are_refused() {
    let error = schema_error(parse_quote! {
        struct S { #[serde(rename(serialize = "a", deserialize = "b"))] n: u8 }
    });
    assert!(error.contains("one name for both directions"), "{error}");
}

#[test]
fn attributes_without_bearing_on_the_form_are_fine() {
    let input: DeriveInput = parse_quote! {
        #[serde(deny_unknown_fields, default, crate = "serde", bound = "T: Clone")]
        #[doc = "else's"]
        struct S<T> { #[serde(default = "one", alias = "m")] n: T }
    };
    schema::expand(&input).unwrap();
}

#[test]
fn a_type_that_holds_itself_is_refused() {
    for input in [
        parse_quote! { struct List { rest: Option<Box<List>> } },
        parse_quote! { enum Tree { Leaf, Node(Vec<(u8, Self)>) } },
    ] {
        let error = schema_error(input);
        assert!(error.contains("holds itself"), "{error}");
    }
}

#[test]
fn a_union_is_refused() {
    let error = schema_error(parse_quote! { union U { a: u8, b: i8 } });
    assert_eq!(error, "serde can't write a union");
}

#[test]
fn the_attribute_stands_on_one_impl_of_actor() {
    let error = actor_error(quote!(), parse_quote! { impl Account {} });
    assert!(error.contains("impl Actor for"), "{error}");
    let error = actor_error(quote!(), parse_quote! { impl<T> Actor for Account<T> {} });
    assert!(error.contains("generic"), "{error}");
}

#[test]
fn wrong_arguments_are_named() {
    let error = actor_error(quote!(nam = "x"), account());
    assert!(error.starts_with("`nam` is not known here"), "{error}");
    let error = actor_error(quote!(name = "x", name = "y"), account());
    assert_eq!(error, "`name` is given twice");
    let error = actor_error(quote!(name = ""), account());
    assert!(error.contains("not empty"), "{error}");
    let error = actor_error(quote!(no_save, state_version = 2), account());
    assert!(error.contains("no saved state"), "{error}");
    let error = actor_error(quote!(state_version = 5_000_000_000), account());
    assert!(error.contains("too large"), "{error}");
}

#[test]
fn an_own_init_is_left_alone() {
    let own = actor::expand(
        actor::Args::default(),
        parse_quote! { impl Actor for A { fn init() {} } },
    );
    assert_eq!(own.unwrap().to_string().matches("fn init").count(), 1);
    let added = actor::expand(actor::Args::default(), account());
    assert!(added.unwrap().to_string().contains("Default"));
}
