//! Postcard to JSON.

use super::{
    CodecError, Schema,
    int::Int,
    keys,
    limits::{EMPTY_ELEMENTS_MAX, JSON_VALUES_MAX},
    parse,
    path::{Path, clip},
    reader::{Fault, Reader},
    text::type_name,
    variants_of,
};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use serde_json::{Map, Number, Value};

/// The JSON value of postcard bytes, by the schema. The bytes may be anybody's.
///
/// # Errors
/// [`CodecError`] when the bytes are not exactly one value of the schema's type, or
/// one with more than [`JSON_VALUES_MAX`] parts.
pub fn postcard_to_json(schema: &Schema, bytes: &[u8]) -> Result<Value, CodecError> {
    let mut take = Take {
        reader: Reader::new(bytes),
        values_left: JSON_VALUES_MAX,
    };
    let value = take.value(schema.root(), Path::Root)?;
    match take.reader.left() {
        0 => Ok(value),
        extra => Err(CodecError::TrailingBytes {
            at: take.reader.at(),
            extra,
        }),
    }
}

/// The variant that the bytes begin with, when the schema is an enum's. The rest of
/// the bytes is not looked at.
pub fn variant_name(schema: &Schema, bytes: &[u8]) -> Option<String> {
    let variants = variants_of(schema.root())?;
    let index = Reader::new(bytes).index().ok()?;
    variants.get(index).map(|variant| variant.name.clone())
}

/// A hostile schema has long names, which each value repeats.
const NAME_BYTES_PER_VALUE: usize = 32;

type Taken = Result<Value, CodecError>;

struct Take<'b> {
    reader: Reader<'b>,
    values_left: usize,
}

impl<'b> Take<'b> {
    /// Recursion follows the schema, whose depth is limited.
    fn value(&mut self, ty: &OwnedNamedType, path: Path<'_>) -> Taken {
        self.count(1, path)?;
        Ok(match &ty.ty {
            Type::Bool => Value::Bool(self.read(path, Reader::flag)?),
            Type::F32 => {
                let float = f32::from_le_bytes(self.read(path, Reader::array)?);
                finite_or_name(Value::from(float), float.into())
            }
            Type::F64 => {
                let float = f64::from_le_bytes(self.read(path, Reader::array)?);
                finite_or_name(Value::from(float), float)
            }
            Type::Char => Value::String(self.read(path, Reader::character)?.to_string()),
            Type::String => Value::String(self.read(path, Reader::text)?.to_owned()),
            Type::ByteArray => {
                let bytes = self.read(path, Reader::bytes)?;
                self.count(bytes.len(), path)?;
                Value::Array(bytes.iter().map(|byte| Value::from(*byte)).collect())
            }
            Type::Option(inner) => match self.read(path, Reader::flag)? {
                true => self.value(inner, path)?,
                false => Value::Null,
            },
            Type::Unit | Type::UnitStruct => Value::Null,
            Type::NewtypeStruct(inner) => self.value(inner, path)?,
            Type::Seq(inner) => self.sequence(inner, path)?,
            Type::Tuple(types) | Type::TupleStruct(types) => self.tuple(types, path)?,
            Type::Map { key, val } => self.map(key, val, path)?,
            Type::Struct(fields) => self.fields(fields, path)?,
            Type::Enum(variants) => self.variant(variants, path)?,
            Type::Schema => self.schema(path)?,
            other => {
                let int = Int::of(other).expect("every other type is an integer");
                let digits = self.read(path, |reader| int.take(reader))?;
                Value::Number(Number::from_string_unchecked(digits))
            }
        })
    }

    fn sequence(&mut self, inner: &OwnedNamedType, path: Path<'_>) -> Taken {
        let length = self.read(path, Reader::length)?;
        // The walk over the type comes second: it costs more than the length.
        if length > EMPTY_ELEMENTS_MAX && is_empty(inner) {
            return Err(CodecError::TooManyEmpty {
                path: path.to_string(),
                length,
            });
        }
        let mut items = Vec::new();
        for at in 0..length {
            items.push(self.value(inner, path.index(at as usize))?);
        }
        Ok(Value::Array(items))
    }

    fn tuple(&mut self, types: &[OwnedNamedType], path: Path<'_>) -> Taken {
        let mut items = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            items.push(self.value(ty, path.index(at))?);
        }
        Ok(Value::Array(items))
    }

    fn map(&mut self, key: &OwnedNamedType, val: &OwnedNamedType, path: Path<'_>) -> Taken {
        let length = self.read(path, Reader::length)?;
        let mut entries = Map::new();
        for _ in 0..length {
            self.count(1, path)?;
            let name = self
                .read(path, |reader| keys::decode(key, reader))?
                .ok_or_else(|| CodecError::MapKey {
                    path: path.to_string(),
                    ty: type_name(key),
                })?;
            if entries.contains_key(&name) {
                return Err(CodecError::DuplicateKey {
                    path: path.to_string(),
                    key: clip(&name),
                });
            }
            let value = self.value(val, path.key(&name))?;
            entries.insert(name, value);
        }
        Ok(Value::Object(entries))
    }

    fn fields(&mut self, fields: &[OwnedNamedValue], path: Path<'_>) -> Taken {
        let mut object = Map::new();
        for field in fields {
            self.count(field.name.len() / NAME_BYTES_PER_VALUE, path)?;
            let value = self.value(&field.ty, path.key(&field.name))?;
            object.insert(field.name.clone(), value);
        }
        Ok(Value::Object(object))
    }

    fn variant(&mut self, variants: &[OwnedNamedVariant], path: Path<'_>) -> Taken {
        let start = self.reader.at();
        let index = self.read(path, Reader::index)?;
        let Some(variant) = variants.get(index) else {
            return Err(CodecError::Malformed {
                path: path.to_string(),
                at: start,
                what: format!("variant {index} of {}", variants.len()),
            });
        };
        self.count(variant.name.len() / NAME_BYTES_PER_VALUE, path)?;
        let path = path.key(&variant.name);
        let content = match &variant.ty {
            Form::UnitVariant => return Ok(Value::String(variant.name.clone())),
            Form::NewtypeVariant(inner) => self.value(inner, path)?,
            // serde writes a variant with one part as a newtype, but the schema of
            // `Result` calls it a tuple.
            Form::TupleVariant(types) if types.len() == 1 => self.value(&types[0], path)?,
            Form::TupleVariant(types) => self.tuple(types, path)?,
            Form::StructVariant(fields) => self.fields(fields, path)?,
        };
        let mut object = Map::new();
        object.insert(variant.name.clone(), content);
        Ok(Value::Object(object))
    }

    fn schema(&mut self, path: Path<'_>) -> Taken {
        let start = self.reader.at();
        let schema =
            parse::schema_within(&mut self.reader).map_err(|error| CodecError::Malformed {
                path: path.to_string(),
                at: start,
                what: error.to_string(),
            })?;
        self.count(self.reader.at() - start, path)?;
        serde_json::to_value(schema).map_err(|error| CodecError::Malformed {
            path: path.to_string(),
            at: start,
            what: error.to_string(),
        })
    }

    fn count(&mut self, values: usize, path: Path<'_>) -> Result<(), CodecError> {
        match self.values_left.checked_sub(values) {
            Some(left) => {
                self.values_left = left;
                Ok(())
            }
            None => Err(CodecError::TooManyValues {
                path: path.to_string(),
            }),
        }
    }

    fn read<T>(
        &mut self,
        path: Path<'_>,
        piece: impl FnOnce(&mut Reader<'b>) -> Result<T, Fault>,
    ) -> Result<T, CodecError> {
        piece(&mut self.reader).map_err(|fault| match fault {
            Fault::Truncated => CodecError::Truncated {
                path: path.to_string(),
                at: self.reader.at() + self.reader.left(),
            },
            Fault::Malformed(at, what) => CodecError::Malformed {
                path: path.to_string(),
                at,
                what: what.to_owned(),
            },
        })
    }
}

fn finite_or_name(number: Value, float: f64) -> Value {
    let name = match float {
        float if float.is_finite() => return number,
        float if float.is_nan() => "NaN",
        float if float > 0.0 => "inf",
        _ => "-inf",
    };
    Value::String(name.to_owned())
}

/// Whether values of the type take no bytes.
pub fn is_empty(ty: &OwnedNamedType) -> bool {
    match &ty.ty {
        Type::Unit | Type::UnitStruct => true,
        Type::NewtypeStruct(inner) => is_empty(inner),
        Type::Tuple(types) | Type::TupleStruct(types) => types.iter().all(is_empty),
        Type::Struct(fields) => fields.iter().all(|field| is_empty(&field.ty)),
        _ => false,
    }
}
