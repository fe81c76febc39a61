//! A schema as JSON Schema, for programs.

use super::{Schema, int::Int};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use serde_json::{Map, Number, Value, json};

/// The JSON Schema (2020-12) of the JSON that the codec takes and makes.
pub fn to_json_schema(schema: &Schema) -> Value {
    let mut root = of(schema.root());
    if let Value::Object(entries) = &mut root {
        let dialect = json!("https://json-schema.org/draft/2020-12/schema");
        entries.shift_insert(0, "$schema".to_owned(), dialect);
    }
    root
}

fn of(ty: &OwnedNamedType) -> Value {
    match &ty.ty {
        Type::Bool => json!({"type": "boolean"}),
        Type::F32 | Type::F64 => {
            json!({"anyOf": [{"type": "number"}, {"enum": ["NaN", "inf", "-inf"]}]})
        }
        Type::Char => json!({"type": "string", "minLength": 1, "maxLength": 1}),
        Type::String => json!({"type": "string"}),
        Type::ByteArray => {
            json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}})
        }
        Type::Option(inner) => json!({"anyOf": [of(inner), {"type": "null"}]}),
        Type::Unit | Type::UnitStruct => json!({"type": "null"}),
        Type::NewtypeStruct(inner) => of(inner),
        Type::Seq(inner) => json!({"type": "array", "items": of(inner)}),
        Type::Tuple(types) | Type::TupleStruct(types) => tuple(types),
        Type::Map { val, .. } => json!({"type": "object", "additionalProperties": of(val)}),
        Type::Struct(fields) => titled(&ty.name, object(fields)),
        Type::Enum(variants) => titled(&ty.name, one_of(variants)),
        Type::Schema => json!({"type": "object"}),
        other => match Int::of(other) {
            Some(int) => json!({
                "type": "integer",
                "minimum": Number::from_i128(int.min()),
                "maximum": Number::from_u128(int.max()),
            }),
            None => json!({}),
        },
    }
}

fn tuple(types: &[OwnedNamedType]) -> Value {
    let length = types.len();
    match types.split_first() {
        Some((first, rest)) if !rest.is_empty() && rest.iter().all(|ty| ty == first) => {
            json!({"type": "array", "items": of(first), "minItems": length, "maxItems": length})
        }
        Some(_) => {
            let items: Vec<Value> = types.iter().map(of).collect();
            json!({"type": "array", "prefixItems": items, "items": false, "minItems": length})
        }
        None => json!({"type": "array", "maxItems": 0}),
    }
}

fn object(fields: &[OwnedNamedValue]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.clone(), of(&field.ty)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| !matches!(field.ty.ty, Type::Option(_)))
        .map(|field| field.name.as_str())
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn one_of(variants: &[OwnedNamedVariant]) -> Value {
    if variants.is_empty() {
        return json!({"not": {}});
    }
    if variants.iter().all(|v| v.ty == Form::UnitVariant) {
        let names: Vec<&str> = variants.iter().map(|v| v.name.as_str()).collect();
        return json!({ "enum": names });
    }
    let forms: Vec<Value> = variants.iter().map(variant).collect();
    json!({ "oneOf": forms })
}

fn variant(variant: &OwnedNamedVariant) -> Value {
    let content = match &variant.ty {
        Form::UnitVariant => return json!({"const": variant.name}),
        Form::NewtypeVariant(inner) => of(inner),
        Form::TupleVariant(types) => match types.as_slice() {
            [one] => of(one),
            types => tuple(types),
        },
        Form::StructVariant(fields) => object(fields),
    };
    let mut properties = Map::new();
    properties.insert(variant.name.clone(), content);
    json!({
        "type": "object",
        "properties": properties,
        "required": [variant.name],
        "additionalProperties": false,
    })
}

fn titled(name: &str, mut form: Value) -> Value {
    if let (Value::Object(entries), false) = (&mut form, name.is_empty()) {
        entries.shift_insert(0, "title".to_owned(), Value::from(name));
    }
    form
}
