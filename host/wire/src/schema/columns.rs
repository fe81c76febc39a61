//! A message out of a row of columns, as a CSV file or a line of NDJSON has them.

use super::{
    CodecError, Schema,
    encode::{describe, expected},
    int::Int,
    keys,
    path::{Path, clip},
    through_newtypes, variants_of,
};
use crate::nearest::nearest;
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
};
use serde_json::{Map, Number, Value};

/// The JSON message that a row's columns fill.
///
/// With a variant, the columns named as the variant's fields fill it; without one,
/// they fill the fields of a struct, and a row for any other type is itself the
/// message. Columns of other names are left out, and every field needs its column,
/// also one that may be null. A column that is a string is read as the field's type:
/// numbers, `true` and `false` in any case, an empty string or `NA` as the null of an
/// option, and JSON for lists, maps and structs.
///
/// # Errors
/// [`CodecError`] when the variant is unknown or has no named fields, a column is
/// missing, or a string can't be read as its field's type. That the message as a whole
/// is right is for [`json_to_postcard`](super::json_to_postcard) to say.
pub fn coerce_row(
    schema: &Schema,
    variant: Option<&str>,
    row: &Value,
) -> Result<Value, CodecError> {
    match (variant, &through_newtypes(schema.root()).ty) {
        (Some(name), _) => fill_variant(schema, name, row),
        (None, Type::Struct(fields)) => fill(fields, row, Path::Root),
        (None, _) => Ok(row.clone()),
    }
}

fn fill_variant(schema: &Schema, name: &str, row: &Value) -> Result<Value, CodecError> {
    let variants = variants_of(schema.root()).ok_or_else(|| CodecError::Mismatch {
        path: Path::Root.to_string(),
        expected: expected(schema.root()),
        found: format!("the variant `{}`", clip(name)),
    })?;
    let index = keys::variant_index(variants, name, Path::Root)?;
    let no_fields = || CodecError::NoFields {
        what: format!("`{}`", clip(name)),
    };
    let fields = match &variants[index].ty {
        Form::UnitVariant => return Ok(Value::from(name)),
        Form::StructVariant(fields) => fields,
        Form::NewtypeVariant(inner) => fields_of(inner).ok_or_else(no_fields)?,
        Form::TupleVariant(types) => match types.as_slice() {
            [one] => fields_of(one).ok_or_else(no_fields)?,
            _ => return Err(no_fields()),
        },
    };
    let mut message = Map::new();
    message.insert(name.to_owned(), fill(fields, row, Path::Root.key(name))?);
    Ok(Value::Object(message))
}

fn fields_of(ty: &OwnedNamedType) -> Option<&[OwnedNamedValue]> {
    match &through_newtypes(ty).ty {
        Type::Struct(fields) => Some(fields),
        _ => None,
    }
}

fn fill(fields: &[OwnedNamedValue], row: &Value, path: Path<'_>) -> Result<Value, CodecError> {
    let Value::Object(columns) = row else {
        return Err(CodecError::Mismatch {
            path: path.to_string(),
            expected: "a row with named columns".to_owned(),
            found: describe(row),
        });
    };
    let mut filled = Map::new();
    for field in fields {
        let column = columns
            .get(&field.name)
            .ok_or_else(|| missing(fields, field, columns))?;
        let value = read(&field.ty, column, path.key(&field.name))?;
        filled.insert(field.name.clone(), value);
    }
    Ok(Value::Object(filled))
}

fn missing(
    fields: &[OwnedNamedValue],
    field: &OwnedNamedValue,
    columns: &Map<String, Value>,
) -> CodecError {
    // A column that fills another field was not meant for this one.
    let others = columns
        .keys()
        .map(String::as_str)
        .filter(|column| fields.iter().take(1_000).all(|f| f.name != *column));
    CodecError::MissingColumn {
        column: field.name.clone(),
        nearest: nearest(&field.name, others).map(str::to_owned),
    }
}

/// What the column says, as the field's type; a column that is no string says itself.
fn read(ty: &OwnedNamedType, column: &Value, path: Path<'_>) -> Result<Value, CodecError> {
    let Value::String(text) = column else {
        return Ok(column.clone());
    };
    let trimmed = text.trim();
    let read = match &ty.ty {
        Type::NewtypeStruct(inner) => return read(inner, column, path),
        Type::Option(_) if trimmed.is_empty() || trimmed == "NA" => Some(Value::Null),
        Type::Option(inner) => return read(inner, column, path),
        Type::String | Type::Char => Some(column.clone()),
        Type::Enum(_) if !trimmed.starts_with('{') => Some(Value::from(trimmed)),
        Type::Unit | Type::UnitStruct => trimmed.is_empty().then_some(Value::Null),
        Type::Bool => flag(trimmed),
        Type::F32 | Type::F64 => float(trimmed),
        other if Int::of(other).is_some() => integer(trimmed),
        _ => serde_json::from_str(trimmed).ok(),
    };
    read.ok_or_else(|| CodecError::Mismatch {
        path: path.to_string(),
        expected: expected(ty),
        found: describe(column),
    })
}

fn flag(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(Value::Bool(true)),
        "false" | "0" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// Also with a plus sign or leading zeros, which JSON does not write. The range is
/// checked when the message is encoded.
fn integer(text: &str) -> Option<Value> {
    let number = match text.parse::<i128>() {
        Ok(value) => Number::from_i128(value),
        Err(_) => Number::from_u128(text.parse().ok()?),
    };
    number.map(Value::Number)
}

fn float(text: &str) -> Option<Value> {
    let value: f64 = text.parse().ok()?;
    match Number::from_f64(value) {
        // JSON's own numbers keep every digit.
        Some(number) => Some(serde_json::from_str(text).unwrap_or(Value::Number(number))),
        // The names that the codec gives to the others.
        None => ["NaN", "inf", "-inf"]
            .contains(&text)
            .then(|| Value::from(text)),
    }
}
