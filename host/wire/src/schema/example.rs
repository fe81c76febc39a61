//! Values that show what a schema's JSON looks like.

use super::{Schema, int::Int, keys, through_newtypes, variants_of};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use serde_json::{Map, Value, json};

/// One value of the schema. It encodes, unless the type has no value at all (an enum
/// without variants), of which `null` stands.
pub fn example(schema: &Schema) -> Value {
    of(schema.root())
}

/// One value for each variant of an enum, or the one [`example`] of another type.
pub fn examples(schema: &Schema) -> Vec<Value> {
    match variants_of(schema.root()) {
        Some(variants) => variants.iter().map(variant).collect(),
        None => vec![example(schema)],
    }
}

fn of(ty: &OwnedNamedType) -> Value {
    match &ty.ty {
        Type::Bool => json!(true),
        Type::F32 | Type::F64 => json!(1.5),
        Type::Char => json!("x"),
        Type::String => json!("text"),
        Type::ByteArray => json!([1, 2, 3]),
        Type::Option(inner) => of(inner),
        Type::Unit | Type::UnitStruct => Value::Null,
        Type::NewtypeStruct(inner) => of(inner),
        Type::Seq(inner) => Value::Array(vec![of(inner)]),
        Type::Tuple(types) | Type::TupleStruct(types) => types.iter().map(of).collect(),
        Type::Map { key, val } => map(key, val),
        Type::Struct(fields) => object(fields),
        Type::Enum(variants) => variants.first().map_or(Value::Null, variant),
        Type::Schema => json!({"name": "bool", "ty": "Bool"}),
        other if Int::of(other).is_some() => json!(1),
        _ => Value::Null,
    }
}

fn map(key: &OwnedNamedType, val: &OwnedNamedType) -> Value {
    let mut entries = Map::new();
    if keys::is_key(key) {
        let name = match of(through_newtypes(key)) {
            Value::String(name) => name,
            other => other.to_string(),
        };
        entries.insert(name, of(val));
    }
    Value::Object(entries)
}

fn object(fields: &[OwnedNamedValue]) -> Value {
    let field = |field: &OwnedNamedValue| (field.name.clone(), of(&field.ty));
    Value::Object(fields.iter().map(field).collect())
}

fn variant(variant: &OwnedNamedVariant) -> Value {
    let content = match &variant.ty {
        Form::UnitVariant => return Value::from(variant.name.as_str()),
        Form::NewtypeVariant(inner) => of(inner),
        Form::TupleVariant(types) => match types.as_slice() {
            [one] => of(one),
            types => types.iter().map(of).collect(),
        },
        Form::StructVariant(fields) => object(fields),
    };
    let mut tagged = Map::new();
    tagged.insert(variant.name.clone(), content);
    Value::Object(tagged)
}
