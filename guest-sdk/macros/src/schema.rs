//! The derive of `Schema`: a type's form as `postcard-schema` writes it down.

use crate::serde_attrs::{Case, Place, SerdeAttrs};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericParam, Generics, Ident, Result, Type, Variant,
    ext::IdentExt, parse_quote, spanned::Spanned,
};

/// `impl Schema for` the type.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let attrs = SerdeAttrs::read(&input.attrs, Place::Container)?;
    let name = &input.ident;
    let schema = match &input.data {
        Data::Struct(data) => {
            refuse_recursion(name, &data.fields)?;
            if attrs.transparent {
                transparent(name, &data.fields)?
            } else {
                named_type(input, &attrs, struct_form(&data.fields, attrs.rename_all)?)
            }
        }
        Data::Enum(data) => {
            let mut variants = Vec::new();
            for variant in &data.variants {
                refuse_recursion(name, &variant.fields)?;
                variants.push(enum_variant(variant, &attrs)?);
            }
            let form = quote! {
                ::actorhost_sdk::postcard_schema::schema::DataModelType::Enum(&[#(#variants),*])
            };
            named_type(input, &attrs, form)
        }
        Data::Union(_) => return Err(Error::new(name.span(), "serde can't write a union")),
    };
    let generics = with_bounds(input.generics.clone());
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        impl #impl_generics ::actorhost_sdk::postcard_schema::Schema
            for #name #type_generics #where_clause
        {
            const SCHEMA: &'static ::actorhost_sdk::postcard_schema::schema::NamedType = #schema;
        }
    })
}

fn named_type(input: &DeriveInput, attrs: &SerdeAttrs, form: TokenStream) -> TokenStream {
    let name = name_of(&input.ident, attrs, None::<fn(&str) -> String>);
    quote! {
        &::actorhost_sdk::postcard_schema::schema::NamedType { name: #name, ty: &#form }
    }
}

fn struct_form(fields: &Fields, case: Option<Case>) -> Result<TokenStream> {
    let data_type = quote! { ::actorhost_sdk::postcard_schema::schema::DataModelType };
    Ok(match fields {
        Fields::Named(named) => {
            let values = named_values(named.named.iter(), case)?;
            quote! { #data_type::Struct(&[#(#values),*]) }
        }
        Fields::Unnamed(unnamed) => {
            let types = unnamed_types(unnamed.unnamed.iter())?;
            match types.as_slice() {
                [one] => quote! { #data_type::NewtypeStruct(#one) },
                many => quote! { #data_type::TupleStruct(&[#(#many),*]) },
            }
        }
        Fields::Unit => quote! { #data_type::UnitStruct },
    })
}

fn enum_variant(variant: &Variant, container: &SerdeAttrs) -> Result<TokenStream> {
    let attrs = SerdeAttrs::read(&variant.attrs, Place::Variant)?;
    let rename = container
        .rename_all
        .map(|case| move |n: &str| case.variant(n));
    let name = name_of(&variant.ident, &attrs, rename);
    let field_case = attrs.rename_all.or(container.rename_all_fields);
    let data_variant = quote! { ::actorhost_sdk::postcard_schema::schema::DataModelVariant };
    let form = match &variant.fields {
        Fields::Named(named) => {
            let values = named_values(named.named.iter(), field_case)?;
            quote! { #data_variant::StructVariant(&[#(#values),*]) }
        }
        Fields::Unnamed(unnamed) => {
            let types = unnamed_types(unnamed.unnamed.iter())?;
            match types.as_slice() {
                [one] => quote! { #data_variant::NewtypeVariant(#one) },
                many => quote! { #data_variant::TupleVariant(&[#(#many),*]) },
            }
        }
        Fields::Unit => quote! { #data_variant::UnitVariant },
    };
    Ok(quote! {
        &::actorhost_sdk::postcard_schema::schema::NamedVariant { name: #name, ty: &#form }
    })
}

fn named_values<'f>(
    fields: impl Iterator<Item = &'f Field>,
    case: Option<Case>,
) -> Result<Vec<TokenStream>> {
    let mut values = Vec::new();
    for field in fields {
        let attrs = SerdeAttrs::read(&field.attrs, Place::NamedField)?;
        if attrs.skip {
            continue;
        }
        let ident = field.ident.as_ref().expect("a named field has a name");
        let name = name_of(ident, &attrs, case.map(|case| move |n: &str| case.field(n)));
        let schema = schema_of(&field.ty);
        values.push(quote! {
            &::actorhost_sdk::postcard_schema::schema::NamedValue { name: #name, ty: #schema }
        });
    }
    Ok(values)
}

fn unnamed_types<'f>(fields: impl Iterator<Item = &'f Field>) -> Result<Vec<TokenStream>> {
    fields
        .map(|field| {
            SerdeAttrs::read(&field.attrs, Place::UnnamedField)?;
            Ok(schema_of(&field.ty))
        })
        .collect()
}

/// serde writes a transparent struct as its one field.
fn transparent(name: &Ident, fields: &Fields) -> Result<TokenStream> {
    let mut written = Vec::new();
    for field in fields {
        let place = match fields {
            Fields::Named(_) => Place::NamedField,
            _ => Place::UnnamedField,
        };
        if !SerdeAttrs::read(&field.attrs, place)?.skip {
            written.push(schema_of(&field.ty));
        }
    }
    match written.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(Error::new(
            name.span(),
            "a transparent struct has exactly one field that is not skipped",
        )),
    }
}

/// The span makes a missing `Schema` point at the field's type.
fn schema_of(ty: &Type) -> TokenStream {
    quote_spanned! {ty.span()=> <#ty as ::actorhost_sdk::postcard_schema::Schema>::SCHEMA }
}

fn name_of(ident: &Ident, attrs: &SerdeAttrs, case: Option<impl Fn(&str) -> String>) -> String {
    let own = ident.unraw().to_string();
    match (&attrs.rename, case) {
        (Some(name), _) => name.clone(),
        (None, Some(case)) => case(&own),
        (None, None) => own,
    }
}

/// A schema is written out in full, which a type that holds itself never ends.
fn refuse_recursion(name: &Ident, fields: &Fields) -> Result<()> {
    for field in fields {
        if mentions(&field.ty, name) {
            return Err(Error::new(
                field.ty.span(),
                format!(
                    "`{name}` holds itself, and a schema can't be endless: \
                     keep the parts in a list and refer to them by position"
                ),
            ));
        }
    }
    Ok(())
}

/// Whether the type names `name` or `Self`, also inside another's arguments.
fn mentions(ty: &Type, name: &Ident) -> bool {
    match ty {
        Type::Path(path) => {
            let own = path.path.get_ident();
            let bare = path.path.segments.first();
            own.is_some_and(|ident| ident == "Self")
                || (path.path.segments.len() == 1 && bare.is_some_and(|s| s.ident == *name))
                || path
                    .path
                    .segments
                    .iter()
                    .any(|s| arguments_mention(&s.arguments, name))
        }
        Type::Tuple(tuple) => tuple.elems.iter().any(|ty| mentions(ty, name)),
        Type::Array(array) => mentions(&array.elem, name),
        Type::Slice(slice) => mentions(&slice.elem, name),
        Type::Reference(reference) => mentions(&reference.elem, name),
        Type::Paren(paren) => mentions(&paren.elem, name),
        Type::Group(group) => mentions(&group.elem, name),
        _ => false,
    }
}

fn arguments_mention(arguments: &syn::PathArguments, name: &Ident) -> bool {
    match arguments {
        syn::PathArguments::AngleBracketed(list) => list.args.iter().any(
            |argument| matches!(argument, syn::GenericArgument::Type(ty) if mentions(ty, name)),
        ),
        _ => false,
    }
}

/// Every type parameter has a schema.
fn with_bounds(mut generics: Generics) -> Generics {
    for param in &mut generics.params {
        if let GenericParam::Type(param) = param {
            param
                .bounds
                .push(parse_quote!(::actorhost_sdk::postcard_schema::Schema));
        }
    }
    generics
}
