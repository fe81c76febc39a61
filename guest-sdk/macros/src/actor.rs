//! The attribute `#[actor]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Error, ImplItem, ItemImpl, LitInt, LitStr, Result, Token, Type,
    parse::{Parse, ParseStream},
    parse_quote_spanned,
    spanned::Spanned,
};

/// The attribute's arguments.
#[derive(Default)]
pub struct Args {
    name: Option<LitStr>,
    state_version: Option<LitInt>,
    no_save: bool,
}

impl Parse for Args {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut args = Self::default();
        while !input.is_empty() {
            let key: syn::Ident = input.parse()?;
            let repeated = match key.to_string().as_str() {
                "name" => {
                    input.parse::<Token![=]>()?;
                    args.name.replace(parse_name(input)?).is_some()
                }
                "state_version" => {
                    input.parse::<Token![=]>()?;
                    args.state_version.replace(parse_version(input)?).is_some()
                }
                "no_save" => std::mem::replace(&mut args.no_save, true),
                other => {
                    return Err(Error::new(
                        key.span(),
                        format!(
                            "`{other}` is not known here; there are `name = \"…\"`, \
                             `state_version = N` and `no_save`"
                        ),
                    ));
                }
            };
            if repeated {
                return Err(Error::new(key.span(), format!("`{key}` is given twice")));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        match &args.state_version {
            Some(version) if args.no_save => Err(Error::new(
                version.span(),
                "an actor with `no_save` has no saved state, hence no `state_version`",
            )),
            _ => Ok(args),
        }
    }
}

fn parse_name(input: ParseStream) -> Result<LitStr> {
    let name: LitStr = input.parse()?;
    if name.value().is_empty() {
        return Err(Error::new(name.span(), "a behaviour's name is not empty"));
    }
    Ok(name)
}

fn parse_version(input: ParseStream) -> Result<LitInt> {
    let version: LitInt = input.parse()?;
    version.base10_parse::<u32>()?;
    Ok(version)
}

/// The `impl` itself, what the node wants to know, and the exports.
pub fn expand(args: Args, mut item: ItemImpl) -> Result<TokenStream> {
    check(&item)?;
    let actor = (*item.self_ty).clone();
    if !has_method(&item, "init") {
        let init = parse_quote_spanned! {actor.span()=>
            fn init(
                _args: Self::Args,
                _ctx: &mut ::actorhost_sdk::Context<Self>,
            ) -> ::core::result::Result<Self, ::actorhost_sdk::InitError> {
                ::core::result::Result::Ok(<Self as ::core::default::Default>::default())
            }
        };
        item.items.push(ImplItem::Fn(init));
    }
    let behaviour = behaviour(&args, &actor);
    let component = component(&actor);
    Ok(quote! { #item #behaviour #component })
}

fn check(item: &ItemImpl) -> Result<()> {
    let of_actor = item.trait_.as_ref().is_some_and(|(_, path, _)| {
        path.segments
            .last()
            .is_some_and(|last| last.ident == "Actor")
    });
    if !of_actor {
        return Err(Error::new(
            item.self_ty.span(),
            "`#[actor]` stands on `impl Actor for …`",
        ));
    }
    if !item.generics.params.is_empty() {
        return Err(Error::new(
            item.generics.span(),
            "a behaviour is one type: it takes no generic parameters",
        ));
    }
    Ok(())
}

fn has_method(item: &ItemImpl, name: &str) -> bool {
    item.items
        .iter()
        .any(|item| matches!(item, ImplItem::Fn(method) if method.sig.ident == name))
}

fn behaviour(args: &Args, actor: &Type) -> TokenStream {
    let name = match &args.name {
        Some(name) => quote! { #name },
        None => quote! { ::core::env!("CARGO_PKG_NAME") },
    };
    let saving = if args.no_save {
        cannot_save()
    } else {
        saves(args.state_version.as_ref(), actor)
    };
    quote! {
        impl ::actorhost_sdk::Behaviour for #actor {
            const NAME: &'static str = #name;
            const VERSION: &'static str = ::core::env!("CARGO_PKG_VERSION");
            #saving
        }
    }
}

/// The actor is its own state. The span makes a missing `Serialize` point at the
/// type.
fn saves(state_version: Option<&LitInt>, actor: &Type) -> TokenStream {
    let version = match state_version {
        Some(version) => quote! { #version },
        None => quote! { 1 },
    };
    quote_spanned! {actor.span()=>
        const STATE_VERSION: u32 = #version;
        const CAN_SAVE: bool = true;

        fn state_schema() -> ::core::option::Option<
            &'static ::actorhost_sdk::postcard_schema::schema::NamedType,
        > {
            ::core::option::Option::Some(<Self as ::actorhost_sdk::Schema>::SCHEMA)
        }

        fn save(&self) -> ::core::result::Result<
            ::std::vec::Vec<u8>,
            ::std::string::String,
        > {
            ::actorhost_sdk::encode(self)
        }

        fn load(
            state: &[u8],
            from_version: u32,
        ) -> ::core::result::Result<Self, ::std::string::String> {
            if from_version == Self::STATE_VERSION {
                ::core::result::Result::Ok(::actorhost_sdk::decode(state)?)
            } else {
                <Self as ::actorhost_sdk::Actor>::migrate(from_version, state)
            }
        }
    }
}

fn cannot_save() -> TokenStream {
    quote! {
        const STATE_VERSION: u32 = 1;
        const CAN_SAVE: bool = false;

        fn state_schema() -> ::core::option::Option<
            &'static ::actorhost_sdk::postcard_schema::schema::NamedType,
        > {
            ::core::option::Option::None
        }

        fn save(&self) -> ::core::result::Result<
            ::std::vec::Vec<u8>,
            ::std::string::String,
        > {
            ::core::result::Result::Err("this behaviour is `no_save`".into())
        }

        fn load(
            _state: &[u8],
            _from_version: u32,
        ) -> ::core::result::Result<Self, ::std::string::String> {
            ::core::result::Result::Err("this behaviour is `no_save`".into())
        }
    }
}

/// The exports exist in the component only, so that a native test links as any crate.
fn component(actor: &Type) -> TokenStream {
    quote! {
        #[cfg(target_family = "wasm")]
        const _: () = {
            ::std::thread_local! {
                static LIFE: ::core::cell::RefCell<::actorhost_sdk::Life<#actor>> =
                    const { ::core::cell::RefCell::new(::actorhost_sdk::Life::unbegun()) };
            }

            struct Component;

            impl ::actorhost_sdk::component::Hosted for Component {
                type Actor = #actor;

                fn with_life<R>(
                    act: impl ::core::ops::FnOnce(&mut ::actorhost_sdk::Life<#actor>) -> R,
                ) -> R {
                    LIFE.with_borrow_mut(act)
                }
            }

            ::actorhost_sdk::component::bindings::export!(
                Component with_types_in ::actorhost_sdk::component::bindings
            );
        };
    }
}
