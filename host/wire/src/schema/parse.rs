//! A schema from a guest's bytes.
//!
//! `postcard::from_bytes` would follow the bytes as deep as they lead and overflow
//! the stack, so this walks the same form with a limit on depth and on nodes.

use super::{
    SchemaError,
    limits::{SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX},
    path::clip,
    reader::{Fault, Reader},
};
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use std::collections::HashSet;

/// Reads exactly one schema.
pub fn schema(bytes: &[u8]) -> Result<OwnedNamedType, SchemaError> {
    if bytes.len() > SCHEMA_BYTES_MAX {
        return Err(SchemaError::TooLarge { bytes: bytes.len() });
    }
    let mut reader = Reader::new(bytes);
    let root = schema_within(&mut reader)?;
    match reader.left() {
        0 => Ok(root),
        extra => Err(SchemaError::TrailingBytes {
            at: reader.at(),
            extra,
        }),
    }
}

/// Reads one schema out of other bytes.
pub fn schema_within(reader: &mut Reader<'_>) -> Result<OwnedNamedType, SchemaError> {
    Parse { reader, nodes: 0 }.named_type(0)
}

struct Parse<'r, 'b> {
    reader: &'r mut Reader<'b>,
    nodes: usize,
}

impl Parse<'_, '_> {
    fn named_type(&mut self, depth: usize) -> Result<OwnedNamedType, SchemaError> {
        if depth >= SCHEMA_DEPTH_MAX {
            return Err(SchemaError::TooDeep);
        }
        self.node()?;
        let name = self.name()?;
        let ty = self.data_type(&name, depth)?;
        Ok(OwnedNamedType { name, ty })
    }

    fn data_type(&mut self, name: &str, depth: usize) -> Result<Type, SchemaError> {
        let start = self.reader.at();
        Ok(match self.index()? {
            0 => Type::Bool,
            1 => Type::I8,
            2 => Type::U8,
            3 => Type::I16,
            4 => Type::I32,
            5 => Type::I64,
            6 => Type::I128,
            7 => Type::U16,
            8 => Type::U32,
            9 => Type::U64,
            10 => Type::U128,
            11 => Type::Usize,
            12 => Type::Isize,
            13 => Type::F32,
            14 => Type::F64,
            15 => Type::Char,
            16 => Type::String,
            17 => Type::ByteArray,
            18 => Type::Option(self.boxed(depth)?),
            19 => Type::Unit,
            20 => Type::UnitStruct,
            21 => Type::NewtypeStruct(self.boxed(depth)?),
            22 => Type::Seq(self.boxed(depth)?),
            23 => Type::Tuple(self.types(depth)?),
            24 => Type::TupleStruct(self.types(depth)?),
            25 => Type::Map {
                key: self.boxed(depth)?,
                val: self.boxed(depth)?,
            },
            26 => Type::Struct(self.fields(name, depth)?),
            27 => Type::Enum(self.variants(name, depth)?),
            28 => Type::Schema,
            _ => {
                return Err(SchemaError::Malformed {
                    at: start,
                    what: "no such kind of type",
                });
            }
        })
    }

    fn variants(
        &mut self,
        name: &str,
        depth: usize,
    ) -> Result<Vec<OwnedNamedVariant>, SchemaError> {
        let mut names = HashSet::new();
        self.list(|parse| {
            parse.node()?;
            let variant = parse.name()?;
            if !names.insert(variant.clone()) {
                return Err(duplicate(name, "variant", &variant));
            }
            let ty = parse.form(&variant, depth)?;
            Ok(OwnedNamedVariant { name: variant, ty })
        })
    }

    /// A variant's fields are one level of JSON deeper than a struct's.
    fn form(&mut self, variant: &str, depth: usize) -> Result<Form, SchemaError> {
        let start = self.reader.at();
        Ok(match self.index()? {
            0 => Form::UnitVariant,
            1 => Form::NewtypeVariant(self.boxed(depth)?),
            2 => Form::TupleVariant(self.types(depth + 1)?),
            3 => Form::StructVariant(self.fields(variant, depth + 1)?),
            _ => {
                return Err(SchemaError::Malformed {
                    at: start,
                    what: "no such kind of variant",
                });
            }
        })
    }

    fn fields(&mut self, of: &str, depth: usize) -> Result<Vec<OwnedNamedValue>, SchemaError> {
        let mut names = HashSet::new();
        self.list(|parse| {
            let name = parse.name()?;
            if !names.insert(name.clone()) {
                return Err(duplicate(of, "field", &name));
            }
            let ty = parse.named_type(depth + 1)?;
            Ok(OwnedNamedValue { name, ty })
        })
    }

    fn types(&mut self, depth: usize) -> Result<Vec<OwnedNamedType>, SchemaError> {
        self.list(|parse| parse.named_type(depth + 1))
    }

    fn boxed(&mut self, depth: usize) -> Result<Box<OwnedNamedType>, SchemaError> {
        self.named_type(depth + 1).map(Box::new)
    }

    /// Takes no room for a length before its items are there.
    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, SchemaError>,
    ) -> Result<Vec<T>, SchemaError> {
        let length = self.reader.length().map_err(|fault| self.fault(fault))?;
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn node(&mut self) -> Result<(), SchemaError> {
        self.nodes += 1;
        if self.nodes > SCHEMA_NODES_MAX {
            return Err(SchemaError::TooManyNodes);
        }
        Ok(())
    }

    fn name(&mut self) -> Result<String, SchemaError> {
        let text = self.reader.text().map_err(|fault| self.fault(fault))?;
        Ok(text.to_owned())
    }

    fn index(&mut self) -> Result<usize, SchemaError> {
        self.reader.index().map_err(|fault| self.fault(fault))
    }

    fn fault(&self, fault: Fault) -> SchemaError {
        match fault {
            Fault::Truncated => SchemaError::Truncated {
                at: self.reader.at() + self.reader.left(),
            },
            Fault::Malformed(at, what) => SchemaError::Malformed { at, what },
        }
    }
}

fn duplicate(of: &str, kind: &'static str, name: &str) -> SchemaError {
    SchemaError::DuplicateName {
        of: match of {
            "" => "an unnamed type".to_owned(),
            of => format!("`{}`", clip(of)),
        },
        kind,
        name: clip(name),
    }
}
