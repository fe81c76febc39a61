//! Keys of maps, which JSON writes as texts.

use super::{
    CodecError,
    int::{Int, NotThis},
    path::{Path, clip},
    reader::{Fault, Reader, put_text, put_varint},
    text::type_name,
};
use crate::nearest::nearest;
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedVariant,
};
use serde_json::Value;

/// Whether `serde_json` writes every such key as a text.
pub fn is_key(ty: &OwnedNamedType) -> bool {
    match &ty.ty {
        Type::NewtypeStruct(inner) => is_key(inner),
        Type::Bool | Type::Char | Type::String | Type::F32 | Type::F64 => true,
        Type::Enum(variants) => variants.iter().all(|v| v.ty == Form::UnitVariant),
        other => Int::of(other).is_some(),
    }
}

/// Appends the key's postcard bytes.
pub fn encode(
    ty: &OwnedNamedType,
    key: &str,
    path: Path<'_>,
    out: &mut Vec<u8>,
) -> Result<(), CodecError> {
    let no_form = || CodecError::MapKey {
        path: path.to_string(),
        ty: type_name(ty),
    };
    let mismatch = || CodecError::Mismatch {
        path: path.to_string(),
        expected: format!("a key of type {}", type_name(ty)),
        found: format!("{:?}", clip(key)),
    };
    match &ty.ty {
        Type::NewtypeStruct(inner) => return encode(inner, key, path, out),
        Type::String => put_text(out, key),
        Type::Char => match (key.chars().next(), key.chars().nth(1)) {
            (Some(_), None) => put_text(out, key),
            _ => return Err(mismatch()),
        },
        Type::Bool => match key {
            "true" => out.push(1),
            "false" => out.push(0),
            _ => return Err(mismatch()),
        },
        Type::F32 => {
            let value: f32 = finite(key).ok_or_else(mismatch)?;
            out.extend_from_slice(&value.to_le_bytes());
        }
        Type::F64 => {
            let value: f64 = finite(key).ok_or_else(mismatch)?;
            out.extend_from_slice(&value.to_le_bytes());
        }
        Type::Enum(variants) => {
            let index = variant_index(variants, key, path)?;
            if variants[index].ty != Form::UnitVariant {
                return Err(no_form());
            }
            put_varint(out, index as u128);
        }
        other => match Int::of(other) {
            Some(int) => int.put(out, key).map_err(|why| match why {
                NotThis::NotAnInteger => mismatch(),
                NotThis::OutOfRange => out_of_range(int, key, path),
            })?,
            None => return Err(no_form()),
        },
    }
    Ok(())
}

fn finite<F: std::str::FromStr + Into<f64> + Copy>(key: &str) -> Option<F> {
    let value: F = key.parse().ok()?;
    value.into().is_finite().then_some(value)
}

/// Reads a key as its text; none when it has no such form.
pub fn decode(ty: &OwnedNamedType, reader: &mut Reader<'_>) -> Result<Option<String>, Fault> {
    let start = reader.at();
    Ok(Some(match &ty.ty {
        Type::NewtypeStruct(inner) => return decode(inner, reader),
        Type::String => reader.text()?.to_owned(),
        Type::Char => reader.character()?.to_string(),
        Type::Bool => reader.flag()?.to_string(),
        Type::F32 => return Ok(number(f32::from_le_bytes(reader.array()?).into())),
        Type::F64 => return Ok(number(f64::from_le_bytes(reader.array()?).into())),
        Type::Enum(variants) => match variants.get(reader.index()?) {
            Some(variant) if variant.ty == Form::UnitVariant => variant.name.clone(),
            Some(_) => return Ok(None),
            None => return Err(Fault::Malformed(start, "no variant has this number")),
        },
        other => match Int::of(other) {
            Some(int) => int.take(reader)?,
            None => return Ok(None),
        },
    }))
}

/// The digits of a float, which became null when it was not finite.
fn number(value: Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Place of a variant among its enum's.
pub fn variant_index(
    variants: &[OwnedNamedVariant],
    name: &str,
    path: Path<'_>,
) -> Result<usize, CodecError> {
    let names = || variants.iter().map(|v| v.name.as_str());
    names()
        .position(|known| known == name)
        .ok_or_else(|| CodecError::UnknownVariant {
            path: path.to_string(),
            found: clip(name),
            nearest: nearest(name, names()).map(str::to_owned),
            known: names().map(str::to_owned).collect(),
        })
}

/// The error for a number beyond the type's range.
pub fn out_of_range(int: Int, found: &str, path: Path<'_>) -> CodecError {
    CodecError::OutOfRange {
        path: path.to_string(),
        ty: int.name.to_owned(),
        found: clip(found),
        min: int.min().to_string(),
        max: int.max().to_string(),
    }
}
