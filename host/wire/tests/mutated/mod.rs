//! Schemas with something changed, and what a value means whatever it is called.

use crate::generated::Dice;
use actorhost_wire::schema::Schema;
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use serde_json::{Value, json};

/// The schema with one or two changes; none if it is no schema any more.
pub fn mutate(schema: &Schema, dice: &mut Dice) -> Option<Schema> {
    let mut root = schema.root().clone();
    for _ in 0..=dice.below(2) {
        let mut left = dice.below(size(&mut root));
        visit(&mut root, &mut left, dice);
    }
    Schema::from_bytes(&postcard::to_stdvec(&root).unwrap()).ok()
}

/// Whether JSON shows both a none and some value alike, as `null`, so that values which
/// come from JSON miss one of them.
pub fn hides_an_option(schema: &Schema) -> bool {
    hides(&mut schema.root().clone())
}

fn hides(ty: &mut OwnedNamedType) -> bool {
    let hidden = match &ty.ty {
        Type::Option(inner) => is_null(inner),
        _ => false,
    };
    hidden || inside(ty).into_iter().any(hides)
}

fn is_null(ty: &OwnedNamedType) -> bool {
    match &ty.ty {
        Type::Unit | Type::UnitStruct | Type::Option(_) => true,
        Type::NewtypeStruct(inner) => is_null(inner),
        _ => false,
    }
}

fn size(ty: &mut OwnedNamedType) -> u64 {
    1 + inside(ty).into_iter().map(size).sum::<u64>()
}

/// Changes the part after so many others.
fn visit(ty: &mut OwnedNamedType, left: &mut u64, dice: &mut Dice) {
    if *left == 0 {
        change(ty, dice);
    }
    *left = left.wrapping_sub(1);
    if *left < u64::MAX / 2 {
        for part in inside(ty) {
            visit(part, left, dice);
        }
    }
}

/// The types directly inside, but for keys, of which only some have a JSON form.
fn inside(ty: &mut OwnedNamedType) -> Vec<&mut OwnedNamedType> {
    match &mut ty.ty {
        Type::Option(inner) | Type::NewtypeStruct(inner) | Type::Seq(inner) => vec![inner],
        Type::Map { val, .. } => vec![val],
        Type::Tuple(types) | Type::TupleStruct(types) => types.iter_mut().collect(),
        Type::Struct(fields) => fields.iter_mut().map(|field| &mut field.ty).collect(),
        Type::Enum(variants) => variants
            .iter_mut()
            .flat_map(|variant| match &mut variant.ty {
                Form::UnitVariant => Vec::new(),
                Form::NewtypeVariant(inner) => vec![&mut **inner],
                Form::TupleVariant(types) => types.iter_mut().collect(),
                Form::StructVariant(fields) => fields.iter_mut().map(|f| &mut f.ty).collect(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn leaf(dice: &mut Dice) -> OwnedNamedType {
    let leaves = [
        Type::Bool,
        Type::U8,
        Type::I8,
        Type::U16,
        Type::I16,
        Type::U32,
        Type::I32,
        Type::U64,
        Type::I64,
        Type::U128,
        Type::I128,
        Type::Usize,
        Type::Isize,
        Type::F32,
        Type::F64,
        Type::Char,
        Type::String,
        Type::ByteArray,
        Type::Unit,
    ];
    named(leaves[dice.below(leaves.len() as u64) as usize].clone())
}

fn named(ty: Type) -> OwnedNamedType {
    OwnedNamedType {
        name: "T".to_owned(),
        ty,
    }
}

fn fresh(dice: &mut Dice) -> String {
    format!("new{}", dice.roll())
}

fn field(dice: &mut Dice) -> OwnedNamedValue {
    OwnedNamedValue {
        name: fresh(dice),
        ty: leaf(dice),
    }
}

fn change(ty: &mut OwnedNamedType, dice: &mut Dice) {
    let old = std::mem::replace(&mut ty.ty, Type::Unit);
    ty.ty = match (old, dice.below(8)) {
        (old, 0) => Type::NewtypeStruct(Box::new(named(old))),
        (old, 1) => Type::Option(Box::new(named(old))),
        (old, 2) => Type::Tuple(vec![named(old)]),
        (Type::NewtypeStruct(inner) | Type::Option(inner), _) => inner.ty,
        (Type::Map { key, val }, _) => {
            let pair = Type::Tuple(vec![*key, *val]);
            Type::Seq(Box::new(named(pair)))
        }
        (Type::Seq(inner), 3) => Type::Tuple(vec![(*inner).clone(), *inner]),
        (Type::Seq(inner), 4) => Type::Map {
            key: Box::new(named(Type::String)),
            val: inner,
        },
        (Type::Seq(inner), _) => match inner.ty {
            Type::Tuple(pair) if pair.len() == 2 && pair[0].ty == Type::String => Type::Map {
                key: Box::new(pair[0].clone()),
                val: Box::new(pair[1].clone()),
            },
            ty => Type::Seq(Box::new(named(ty))),
        },
        (Type::String, 3) => Type::Seq(Box::new(named(Type::U8))),
        (Type::Struct(fields), 3) => {
            Type::TupleStruct(fields.into_iter().map(|field| field.ty).collect())
        }
        (Type::Struct(mut fields), _) => {
            edit(&mut fields, dice, field, |field, dice| {
                field.name = fresh(dice)
            });
            Type::Struct(fields)
        }
        (Type::Tuple(types) | Type::TupleStruct(types), 3) => {
            let field = |ty: OwnedNamedType| OwnedNamedValue {
                name: fresh(dice),
                ty,
            };
            Type::Struct(types.into_iter().map(field).collect())
        }
        (Type::Tuple(mut types) | Type::TupleStruct(mut types), _) => {
            edit(&mut types, dice, leaf, |_, _| ());
            Type::Tuple(types)
        }
        (Type::Enum(mut variants), 3) => {
            let at = dice.below(variants.len() as u64) as usize;
            variants[at].ty = form(dice);
            Type::Enum(variants)
        }
        (Type::Enum(mut variants), _) => {
            let before = variants.clone();
            edit(&mut variants, dice, variant, |v, dice| v.name = fresh(dice));
            // An enum without variants has no value to try.
            Type::Enum(if variants.is_empty() {
                before
            } else {
                variants
            })
        }
        _ => leaf(dice).ty,
    };
}

fn form(dice: &mut Dice) -> Form {
    match dice.below(4) {
        0 => Form::UnitVariant,
        1 => Form::NewtypeVariant(Box::new(leaf(dice))),
        2 => Form::TupleVariant(vec![leaf(dice), leaf(dice)]),
        _ => Form::StructVariant(vec![field(dice)]),
    }
}

fn variant(dice: &mut Dice) -> OwnedNamedVariant {
    OwnedNamedVariant {
        name: fresh(dice),
        ty: form(dice),
    }
}

/// Appends, inserts, removes, swaps or renames.
fn edit<T>(
    items: &mut Vec<T>,
    dice: &mut Dice,
    item: impl Fn(&mut Dice) -> T,
    rename: impl Fn(&mut T, &mut Dice),
) {
    let made = item(dice);
    if items.is_empty() {
        items.push(made);
        return;
    }
    let at = dice.below(items.len() as u64) as usize;
    match dice.below(6) {
        0 => items.push(made),
        1 => items.insert(at, made),
        2 => drop(items.remove(at)),
        3 => drop(items.pop()),
        4 => items.swap(0, at),
        _ => rename(&mut items[at], dice),
    }
}

/// What a value says, in a form that types with the same bytes share: flags are numbers,
/// texts are bytes, maps are lists of pairs, and parts have places instead of names.
pub fn meaning(schema: &Schema, value: &Value) -> Value {
    of(schema.root(), value)
}

fn of(ty: &OwnedNamedType, value: &Value) -> Value {
    match (&ty.ty, value) {
        (Type::Bool, Value::Bool(flag)) => json!(u8::from(*flag)),
        (Type::Char | Type::String, Value::String(text)) => json!(text.as_bytes()),
        (Type::Option(_), Value::Null) => json!("none"),
        (Type::Option(inner), value) => json!({ "some": of(inner, value) }),
        (Type::NewtypeStruct(inner), value) => of(inner, value),
        (Type::Seq(inner), Value::Array(items)) => items.iter().map(|i| of(inner, i)).collect(),
        (Type::Tuple(types) | Type::TupleStruct(types), value) => tuple(types, value),
        (Type::Struct(fields), value) => object(fields, value),
        (Type::Map { key, val }, Value::Object(entries)) => entries
            .iter()
            .map(|(name, value)| product(vec![of_key(key, name), of(val, value)]))
            .collect(),
        (Type::Enum(variants), value) => {
            let (name, content) = match value {
                Value::Object(tagged) => tagged.iter().next().expect("tagged by one key"),
                Value::String(name) => (name, &Value::Null),
                other => panic!("{other} is no variant"),
            };
            let at = variants.iter().position(|v| v.name == *name).unwrap();
            let content = match &variants[at].ty {
                Form::UnitVariant => Value::Null,
                Form::NewtypeVariant(inner) => of(inner, content),
                Form::TupleVariant(types) if types.len() == 1 => of(&types[0], content),
                Form::TupleVariant(types) => tuple(types, content),
                Form::StructVariant(fields) => object(fields, content),
            };
            json!({ "variant": at, "content": content })
        }
        (_, value) => value.clone(),
    }
}

fn tuple(types: &[OwnedNamedType], value: &Value) -> Value {
    let parts = types.iter().enumerate();
    product(parts.map(|(at, ty)| of(ty, &value[at])).collect())
}

fn object(fields: &[OwnedNamedValue], value: &Value) -> Value {
    let parts = fields.iter();
    product(parts.map(|f| of(&f.ty, &value[f.name.as_str()])).collect())
}

/// Parts without bytes count for nothing, and one alone stands for the whole.
fn product(mut parts: Vec<Value>) -> Value {
    parts.retain(|part| !part.is_null());
    match parts.len() {
        0 => Value::Null,
        1 => parts.remove(0),
        _ => json!({ "parts": parts }),
    }
}

fn of_key(ty: &OwnedNamedType, key: &str) -> Value {
    match &ty.ty {
        Type::NewtypeStruct(inner) => of_key(inner, key),
        Type::String | Type::Char | Type::Enum(_) => of(ty, &json!(key)),
        _ => of(ty, &serde_json::from_str(key).unwrap()),
    }
}
