//! A schema as a Rust-like text, for people.

use super::{Schema, path::clip};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

/// The types as Rust would declare them, the schema's own first, each once.
///
/// ```
/// use actorhost_wire::schema::{Schema, to_text};
///
/// assert_eq!(to_text(&Schema::of::<Option<u64>>()?), "Option<u64>");
/// # Ok::<(), actorhost_wire::schema::SchemaError>(())
/// ```
pub fn to_text(schema: &Schema) -> String {
    let mut names = Names::default();
    names.collect(schema.root());
    let root = (!is_declared(&schema.root().ty)).then(|| names.reference(schema.root()));
    let declared = names.declared.iter().map(|ty| names.declare(ty));
    let texts: Vec<String> = root.into_iter().chain(declared).collect();
    texts.join("\n\n")
}

/// A type in one short line, for errors.
pub fn type_name(ty: &OwnedNamedType) -> String {
    clip(&Names::default().reference(ty))
}

/// The declared types and what each is called: two types of one name in different
/// modules are told apart by a number.
#[derive(Default)]
struct Names<'s> {
    names: HashMap<&'s OwnedNamedType, String>,
    taken: HashSet<String>,
    declared: Vec<&'s OwnedNamedType>,
}

impl<'s> Names<'s> {
    fn collect(&mut self, ty: &'s OwnedNamedType) {
        if is_declared(&ty.ty) {
            if self.names.contains_key(ty) {
                return;
            }
            let name = self.free_name(&ty.name);
            self.names.insert(ty, name);
            self.declared.push(ty);
        }
        for part in parts(&ty.ty) {
            self.collect(part);
        }
    }

    fn free_name(&mut self, name: &str) -> String {
        let plain = plain_name(name);
        let mut free = plain.clone();
        // Each turn finds a name that an earlier one took, so this ends.
        for number in 2.. {
            if self.taken.insert(free.clone()) {
                break;
            }
            free = format!("{plain}_{number}");
        }
        free
    }

    /// How a field's type is written.
    fn reference(&self, ty: &OwnedNamedType) -> String {
        match &ty.ty {
            Type::Bool => "bool".to_owned(),
            Type::F32 => "f32".to_owned(),
            Type::F64 => "f64".to_owned(),
            Type::Char => "char".to_owned(),
            Type::String => "String".to_owned(),
            Type::ByteArray => "bytes".to_owned(),
            Type::Unit => "()".to_owned(),
            Type::Schema => "Schema".to_owned(),
            Type::Option(inner) => format!("Option<{}>", self.reference(inner)),
            Type::Seq(inner) => format!("Vec<{}>", self.reference(inner)),
            Type::Map { key, val } => {
                format!("Map<{}, {}>", self.reference(key), self.reference(val))
            }
            Type::Tuple(types) => self.tuple(types),
            other => match super::int::Int::of(other) {
                Some(int) => int.name.to_owned(),
                None => match self.names.get(ty) {
                    Some(name) => name.clone(),
                    None => plain_name(&ty.name),
                },
            },
        }
    }

    fn tuple(&self, types: &[OwnedNamedType]) -> String {
        match types {
            [one] => format!("({},)", self.reference(one)),
            [first, second, rest @ ..]
                if rest.len() > 1 && first == second && rest.iter().all(|ty| ty == first) =>
            {
                format!("[{}; {}]", self.reference(first), types.len())
            }
            _ => format!("({})", self.list(types)),
        }
    }

    fn list(&self, types: &[OwnedNamedType]) -> String {
        let types: Vec<String> = types.iter().map(|ty| self.reference(ty)).collect();
        types.join(", ")
    }

    fn declare(&self, ty: &OwnedNamedType) -> String {
        let name = self.reference(ty);
        match &ty.ty {
            Type::NewtypeStruct(inner) => format!("struct {name}({});", self.reference(inner)),
            Type::TupleStruct(types) => format!("struct {name}({});", self.list(types)),
            Type::Struct(fields) => {
                let mut text = format!("struct {name} {{");
                for field in fields {
                    let _ = write!(text, "\n    {},", self.field(field));
                }
                close(text, fields.is_empty())
            }
            Type::Enum(variants) => {
                let mut text = format!("enum {name} {{");
                for variant in variants {
                    let name = clip(&variant.name);
                    let form = self.form(&variant.ty);
                    let _ = write!(text, "\n    {name}{form},");
                }
                close(text, variants.is_empty())
            }
            _ => format!("struct {name};"),
        }
    }

    fn form(&self, form: &Form) -> String {
        match form {
            Form::UnitVariant => String::new(),
            Form::NewtypeVariant(inner) => format!("({})", self.reference(inner)),
            Form::TupleVariant(types) => format!("({})", self.list(types)),
            Form::StructVariant(fields) => {
                let fields: Vec<String> = fields.iter().map(|f| self.field(f)).collect();
                format!(" {{ {} }}", fields.join(", "))
            }
        }
    }

    fn field(&self, field: &OwnedNamedValue) -> String {
        format!("{}: {}", clip(&field.name), self.reference(&field.ty))
    }
}

fn close(mut text: String, is_empty: bool) -> String {
    text.push_str(if is_empty { "}" } else { "\n}" });
    text
}

/// The name without its parameters, which a schema does not fill in.
fn plain_name(name: &str) -> String {
    match name.split('<').next().unwrap_or_default() {
        "" => "_".to_owned(),
        plain => clip(plain),
    }
}

fn is_declared(ty: &Type) -> bool {
    matches!(
        ty,
        Type::UnitStruct
            | Type::NewtypeStruct(_)
            | Type::TupleStruct(_)
            | Type::Struct(_)
            | Type::Enum(_)
    )
}

/// The types directly inside.
fn parts(ty: &Type) -> Vec<&OwnedNamedType> {
    match ty {
        Type::Option(inner) | Type::NewtypeStruct(inner) | Type::Seq(inner) => vec![inner],
        Type::Tuple(types) | Type::TupleStruct(types) => types.iter().collect(),
        Type::Map { key, val } => vec![key, val],
        Type::Struct(fields) => fields.iter().map(|field| &field.ty).collect(),
        Type::Enum(variants) => variants.iter().flat_map(|v| form_parts(&v.ty)).collect(),
        _ => Vec::new(),
    }
}

fn form_parts(form: &Form) -> Vec<&OwnedNamedType> {
    match form {
        Form::UnitVariant => Vec::new(),
        Form::NewtypeVariant(inner) => vec![inner],
        Form::TupleVariant(types) => types.iter().collect(),
        Form::StructVariant(fields) => fields.iter().map(|field| &field.ty).collect(),
    }
}
