//! JSON to postcard.

use super::{
    CodecError, Schema,
    int::{Int, NotThis},
    keys,
    limits::POSTCARD_BYTES_MAX,
    path::{Path, clip},
    reader::{put_text, put_varint},
    text::type_name,
};
use crate::nearest::nearest;
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use serde_json::{Map, Value};

/// The postcard bytes of a JSON value, by the schema.
///
/// # Errors
/// [`CodecError`] when the value is not of the schema's form, or takes more than
/// [`POSTCARD_BYTES_MAX`]; it names the place.
pub fn json_to_postcard(schema: &Schema, value: &Value) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    put(schema.root(), value, Path::Root, &mut out)?;
    Ok(out)
}

type Done = Result<(), CodecError>;

/// Recursion follows the schema, whose depth is limited, not the value.
fn put(ty: &OwnedNamedType, value: &Value, path: Path<'_>, out: &mut Vec<u8>) -> Done {
    if out.len() > POSTCARD_BYTES_MAX {
        return Err(CodecError::TooLarge {
            path: path.to_string(),
        });
    }
    match (&ty.ty, value) {
        (Type::Bool, Value::Bool(flag)) => out.push(u8::from(*flag)),
        (Type::F32, Value::Number(number)) => {
            let float = number.as_str().parse::<f32>().unwrap_or(f32::INFINITY);
            check_finite(float.into(), f32::MAX.into(), "f32", number.as_str(), path)?;
            out.extend_from_slice(&float.to_le_bytes());
        }
        (Type::F64, Value::Number(number)) => {
            let float = number.as_str().parse::<f64>().unwrap_or(f64::INFINITY);
            check_finite(float, f64::MAX, "f64", number.as_str(), path)?;
            out.extend_from_slice(&float.to_le_bytes());
        }
        (Type::F32, Value::String(text)) if special(text).is_some() => {
            let float = special(text).unwrap_or(f64::NAN) as f32;
            out.extend_from_slice(&float.to_le_bytes());
        }
        (Type::F64, Value::String(text)) if special(text).is_some() => {
            let float = special(text).unwrap_or(f64::NAN);
            out.extend_from_slice(&float.to_le_bytes());
        }
        (Type::Char, Value::String(text)) if text.chars().nth(1).is_none() && !text.is_empty() => {
            put_text(out, text);
        }
        (Type::String, Value::String(text)) => put_text(out, text),
        (Type::ByteArray, Value::Array(items)) => put_bytes(items, path, out)?,
        (Type::Option(_), Value::Null) => out.push(0),
        (Type::Option(inner), value) => {
            out.push(1);
            put(inner, value, path, out)?;
        }
        (Type::Unit | Type::UnitStruct, Value::Null) => {}
        (Type::NewtypeStruct(inner), value) => put(inner, value, path, out)?,
        (Type::Seq(inner), Value::Array(items)) => {
            put_varint(out, items.len() as u128);
            for (at, item) in items.iter().enumerate() {
                put(inner, item, path.index(at), out)?;
            }
        }
        (Type::Tuple(types) | Type::TupleStruct(types), Value::Array(items)) => {
            put_tuple(types, items, path, out)?;
        }
        (Type::Map { key, val }, Value::Object(entries)) => {
            put_varint(out, entries.len() as u128);
            for (name, entry) in entries {
                let path = path.key(name);
                keys::encode(key, name, path, out)?;
                put(val, entry, path, out)?;
            }
        }
        (Type::Struct(fields), Value::Object(object)) => put_fields(fields, object, path, out)?,
        (Type::Enum(variants), Value::String(name)) => put_unit(variants, name, path, out)?,
        (Type::Enum(variants), Value::Object(object)) if object.len() == 1 => {
            for (name, content) in object {
                put_variant(variants, name, content, path, out)?;
            }
        }
        (Type::Schema, value) => put_schema(value, path, out)?,
        (_, Value::Number(number)) if Int::of(&ty.ty).is_some() => {
            put_int(ty, number.as_str(), path, out)?;
        }
        _ => return Err(mismatch(ty, value, path)),
    }
    Ok(())
}

fn put_int(ty: &OwnedNamedType, digits: &str, path: Path<'_>, out: &mut Vec<u8>) -> Done {
    let int = Int::of(&ty.ty).expect("asked for integer types only");
    int.put(out, digits).map_err(|why| match why {
        NotThis::OutOfRange => keys::out_of_range(int, digits, path),
        NotThis::NotAnInteger => CodecError::Mismatch {
            path: path.to_string(),
            expected: expected(ty),
            found: format!("the number {}", clip(digits)),
        },
    })
}

/// The floats that JSON has no number for, as this codec writes them.
fn special(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn check_finite(float: f64, max: f64, ty: &str, found: &str, path: Path<'_>) -> Done {
    if float.is_finite() {
        return Ok(());
    }
    Err(CodecError::OutOfRange {
        path: path.to_string(),
        ty: ty.to_owned(),
        found: clip(found),
        min: format!("{:e}", -max),
        max: format!("{max:e}"),
    })
}

fn put_bytes(items: &[Value], path: Path<'_>, out: &mut Vec<u8>) -> Done {
    put_varint(out, items.len() as u128);
    let byte = OwnedNamedType {
        name: "u8".to_owned(),
        ty: Type::U8,
    };
    for (at, item) in items.iter().enumerate() {
        put(&byte, item, path.index(at), out)?;
    }
    Ok(())
}

fn put_tuple(types: &[OwnedNamedType], items: &[Value], path: Path<'_>, out: &mut Vec<u8>) -> Done {
    if types.len() != items.len() {
        return Err(CodecError::WrongLength {
            path: path.to_string(),
            expected: types.len(),
            found: items.len(),
        });
    }
    for (at, (ty, item)) in types.iter().zip(items).enumerate() {
        put(ty, item, path.index(at), out)?;
    }
    Ok(())
}

fn put_fields(
    fields: &[OwnedNamedValue],
    object: &Map<String, Value>,
    path: Path<'_>,
    out: &mut Vec<u8>,
) -> Done {
    let mut used = 0;
    for field in fields {
        match (object.get(&field.name), &field.ty.ty) {
            (Some(value), _) => {
                used += 1;
                put(&field.ty, value, path.key(&field.name), out)?;
            }
            (None, Type::Option(_)) => out.push(0),
            (None, _) => {
                // A misspelt name is the likelier slip, and the clearer error.
                check_unknown(fields, object, path)?;
                return Err(CodecError::MissingField {
                    path: path.to_string(),
                    field: field.name.clone(),
                    ty: type_name(&field.ty),
                });
            }
        }
    }
    if used < object.len() {
        check_unknown(fields, object, path)?;
    }
    Ok(())
}

fn check_unknown(fields: &[OwnedNamedValue], object: &Map<String, Value>, path: Path<'_>) -> Done {
    let names = || fields.iter().map(|f| f.name.as_str());
    let known: std::collections::HashSet<&str> = names().collect();
    match object.keys().find(|key| !known.contains(key.as_str())) {
        None => Ok(()),
        Some(unknown) => Err(CodecError::UnknownField {
            path: path.to_string(),
            found: clip(unknown),
            // Only a field that has no value yet can have been meant.
            nearest: nearest(unknown, names().filter(|n| !object.contains_key(*n)))
                .map(str::to_owned),
            known: names().map(str::to_owned).collect(),
        }),
    }
}

fn put_unit(variants: &[OwnedNamedVariant], name: &str, path: Path<'_>, out: &mut Vec<u8>) -> Done {
    let index = keys::variant_index(variants, name, path)?;
    match &variants[index].ty {
        Form::UnitVariant => {
            put_varint(out, index as u128);
            Ok(())
        }
        form => Err(CodecError::Mismatch {
            path: path.to_string(),
            expected: format!("{{\"{}\": {}}}", clip(name), content_of(form)),
            found: format!("the name {:?} alone", clip(name)),
        }),
    }
}

fn content_of(form: &Form) -> String {
    match form {
        Form::UnitVariant => "null".to_owned(),
        Form::NewtypeVariant(inner) => format!("… ({})", type_name(inner)),
        Form::TupleVariant(types) => match types.as_slice() {
            [inner] => format!("… ({})", type_name(inner)),
            _ => format!("[{} elements]", types.len()),
        },
        Form::StructVariant(fields) => {
            let names: Vec<String> = fields
                .iter()
                .take(8)
                .map(|field| format!("\"{}\": …", clip(&field.name)))
                .collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

fn put_variant(
    variants: &[OwnedNamedVariant],
    name: &str,
    content: &Value,
    path: Path<'_>,
    out: &mut Vec<u8>,
) -> Done {
    let index = keys::variant_index(variants, name, path)?;
    put_varint(out, index as u128);
    let path = path.key(name);
    match (&variants[index].ty, content) {
        (Form::UnitVariant, Value::Null) => Ok(()),
        (Form::NewtypeVariant(inner), content) => put(inner, content, path, out),
        (Form::TupleVariant(types), content) if types.len() == 1 => {
            put(&types[0], content, path, out)
        }
        (Form::TupleVariant(types), Value::Array(items)) => put_tuple(types, items, path, out),
        (Form::StructVariant(fields), Value::Object(object)) => {
            put_fields(fields, object, path, out)
        }
        (form, content) => Err(CodecError::Mismatch {
            path: path.to_string(),
            expected: match form {
                Form::UnitVariant => "nothing (null)".to_owned(),
                Form::StructVariant(_) => "an object of the variant's fields".to_owned(),
                _ => "an array".to_owned(),
            },
            found: describe(content),
        }),
    }
}

fn put_schema(value: &Value, path: Path<'_>, out: &mut Vec<u8>) -> Done {
    let broken = |found: String| CodecError::Mismatch {
        path: path.to_string(),
        expected: "a schema".to_owned(),
        found,
    };
    let schema: OwnedNamedType =
        serde_json::from_value(value.clone()).map_err(|error| broken(clip(&error.to_string())))?;
    let bytes = postcard::to_stdvec(&schema).expect("a schema holds only names and lists");
    super::parse::schema(&bytes).map_err(|error| broken(error.to_string()))?;
    out.extend_from_slice(&bytes);
    Ok(())
}

fn mismatch(ty: &OwnedNamedType, value: &Value, path: Path<'_>) -> CodecError {
    CodecError::Mismatch {
        path: path.to_string(),
        expected: expected(ty),
        found: describe(value),
    }
}

/// What JSON the type wants, in words.
pub fn expected(ty: &OwnedNamedType) -> String {
    let name = type_name(ty);
    match &ty.ty {
        Type::Bool => "true or false".to_owned(),
        Type::F32 | Type::F64 => format!("a number ({name})"),
        Type::Char => "a string of one character".to_owned(),
        Type::String => "a string".to_owned(),
        Type::ByteArray => "an array of bytes".to_owned(),
        Type::Unit | Type::UnitStruct => "null".to_owned(),
        Type::Seq(_) => format!("an array ({name})"),
        Type::Tuple(types) | Type::TupleStruct(types) => format!("an array of {}", types.len()),
        Type::Map { .. } => format!("an object ({name})"),
        Type::Struct(_) => format!("an object ({name})"),
        Type::Enum(variants) if variants.iter().all(|v| v.ty == Form::UnitVariant) => {
            format!("a variant's name ({name})")
        }
        Type::Enum(_) => format!("a variant's name, or an object with it as the one key ({name})"),
        Type::Option(_) | Type::NewtypeStruct(_) | Type::Schema => name,
        other => match Int::of(other) {
            Some(int) => format!("an integer ({})", int.name),
            None => name,
        },
    }
}

/// What a JSON value is, in few words.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {}", clip(number.as_str())),
        Value::String(text) => format!("the string \"{}\"", clip(text)),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(entries) => match entries.len() {
            0 => "an empty object".to_owned(),
            1 => "an object with one key".to_owned(),
            many => format!("an object with {many} keys"),
        },
    }
}
