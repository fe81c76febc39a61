//! Schemas and values that nobody chose.

use actorhost_wire::schema::Schema;
use postcard_schema::schema::owned::{
    OwnedDataModelType as Type, OwnedDataModelVariant as Form, OwnedNamedType, OwnedNamedValue,
    OwnedNamedVariant,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn named(ty: Type) -> OwnedNamedType {
    OwnedNamedType {
        name: "T".to_owned(),
        ty,
    }
}

fn leaves() -> impl Strategy<Value = Type> {
    prop::sample::select(vec![
        Type::Bool,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::U128,
        Type::Usize,
        Type::Isize,
        Type::F32,
        Type::F64,
        Type::Char,
        Type::String,
        Type::ByteArray,
        Type::Unit,
        Type::UnitStruct,
        Type::Schema,
    ])
}

fn keys() -> impl Strategy<Value = Type> {
    let leaf = prop::sample::select(vec![
        Type::Bool,
        Type::I8,
        Type::U128,
        Type::F32,
        Type::F64,
        Type::Char,
        Type::String,
        Type::Enum(["A", "b c", ""].map(unit).into()),
    ]);
    prop_oneof![
        leaf.clone(),
        leaf.prop_map(|ty| Type::NewtypeStruct(Box::new(named(ty))))
    ]
}

fn unit(name: &str) -> OwnedNamedVariant {
    OwnedNamedVariant {
        name: name.to_owned(),
        ty: Form::UnitVariant,
    }
}

fn fields(types: Vec<Type>) -> Vec<OwnedNamedValue> {
    let field = |(at, ty)| OwnedNamedValue {
        name: format!("f{at}"),
        ty: named(ty),
    };
    types.into_iter().enumerate().map(field).collect()
}

fn types() -> impl Strategy<Value = Type> {
    leaves().prop_recursive(4, 40, 5, |inner| {
        let boxed = || inner.clone().prop_map(|ty| Box::new(named(ty)));
        let some = || prop::collection::vec(inner.clone(), 0..4);
        let list = || some().prop_map(|types| types.into_iter().map(named).collect::<Vec<_>>());
        let form = prop_oneof![
            Just(Form::UnitVariant),
            boxed().prop_map(Form::NewtypeVariant),
            list().prop_map(Form::TupleVariant),
            some().prop_map(|types| Form::StructVariant(fields(types))),
        ];
        prop_oneof![
            boxed().prop_map(Type::Option),
            boxed().prop_map(Type::NewtypeStruct),
            boxed().prop_map(Type::Seq),
            list().prop_map(Type::Tuple),
            list().prop_map(Type::TupleStruct),
            (keys(), boxed()).prop_map(|(key, val)| Type::Map {
                key: Box::new(named(key)),
                val
            }),
            some().prop_map(|types| Type::Struct(fields(types))),
            prop::collection::vec(form, 1..4).prop_map(|forms| {
                let variant = |(at, ty)| OwnedNamedVariant {
                    name: format!("V{at}"),
                    ty,
                };
                Type::Enum(forms.into_iter().enumerate().map(variant).collect())
            }),
        ]
    })
}

pub fn schemas() -> impl Strategy<Value = Schema> {
    types().prop_map(|ty| {
        let bytes = postcard::to_stdvec(&named(ty)).unwrap();
        Schema::from_bytes(&bytes).unwrap()
    })
}

/// Numbers that look random (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.roll() % limit
    }

    /// A number of so many bits at most, small ones as often as large ones.
    fn bits(&mut self, bits: u32) -> u128 {
        let wide = u128::from(self.roll()) << 64 | u128::from(self.roll());
        wide >> (127 - self.below(u64::from(bits)))
    }

    fn signed(&mut self, bits: u32) -> Value {
        let magnitude = self.bits(bits - 1) as i128;
        digits(if self.below(2) == 0 {
            magnitude
        } else {
            -magnitude - 1
        })
    }

    fn text(&mut self) -> String {
        let parts = ["a", "é", "\u{0}", "\"", "𝄞", "Z"];
        (0..self.below(4))
            .map(|_| parts[self.below(6) as usize])
            .collect()
    }
}

fn digits(number: impl ToString) -> Value {
    serde_json::from_str(&number.to_string()).unwrap()
}

/// A value of the type, in the codec's own form.
pub fn sample(ty: &Type, dice: &mut Dice) -> Value {
    match ty {
        Type::Bool => json!(dice.below(2) == 0),
        Type::I8 => dice.signed(8),
        Type::I16 => dice.signed(16),
        Type::I32 | Type::Isize => dice.signed(32),
        Type::I64 => dice.signed(64),
        Type::I128 => dice.signed(128),
        Type::U8 => digits(dice.bits(8)),
        Type::U16 => digits(dice.bits(16)),
        Type::U32 | Type::Usize => digits(dice.bits(32)),
        Type::U64 => digits(dice.bits(64)),
        Type::U128 => digits(dice.bits(128)),
        Type::F32 => float(f32::from_bits(dice.roll() as u32).into(), |f| {
            json!(f as f32)
        }),
        Type::F64 => float(f64::from_bits(dice.roll()), |f| json!(f)),
        Type::Char => json!(["a", "é", "\u{0}", "𝄞"][dice.below(4) as usize]),
        Type::String => json!(dice.text()),
        Type::ByteArray => (0..dice.below(4)).map(|_| digits(dice.bits(8))).collect(),
        Type::Unit | Type::UnitStruct => Value::Null,
        Type::Schema => json!({"name": "x", "ty": {"Option": {"name": "", "ty": "U8"}}}),
        Type::Option(_) if dice.below(3) == 0 => Value::Null,
        Type::Option(inner) | Type::NewtypeStruct(inner) => sample(&inner.ty, dice),
        Type::Seq(inner) => (0..dice.below(4))
            .map(|_| sample(&inner.ty, dice))
            .collect(),
        Type::Tuple(types) | Type::TupleStruct(types) => {
            types.iter().map(|ty| sample(&ty.ty, dice)).collect()
        }
        Type::Map { key, val } => {
            let mut entries = Map::new();
            for _ in 0..dice.below(4) {
                let name = match sample(&key.ty, dice) {
                    Value::String(name) => name,
                    other => other.to_string(),
                };
                // JSON has no key for a float that is no number.
                if !["NaN", "inf", "-inf"].contains(&name.as_str()) {
                    entries.insert(name, sample(&val.ty, dice));
                }
            }
            Value::Object(entries)
        }
        Type::Struct(fields) => object(fields, dice),
        Type::Enum(variants) => {
            let variant = &variants[dice.below(variants.len() as u64) as usize];
            let content = match &variant.ty {
                Form::UnitVariant => return json!(variant.name),
                Form::NewtypeVariant(inner) => sample(&inner.ty, dice),
                Form::TupleVariant(types) if types.len() == 1 => sample(&types[0].ty, dice),
                Form::TupleVariant(types) => types.iter().map(|t| sample(&t.ty, dice)).collect(),
                Form::StructVariant(fields) => object(fields, dice),
            };
            json!({ variant.name.clone(): content })
        }
    }
}

fn object(fields: &[OwnedNamedValue], dice: &mut Dice) -> Value {
    let field = |field: &OwnedNamedValue| (field.name.clone(), sample(&field.ty.ty, dice));
    Value::Object(fields.iter().map(field).collect())
}

fn float(float: f64, number: impl Fn(f64) -> Value) -> Value {
    match float {
        float if float.is_finite() => number(float),
        float if float.is_nan() => json!("NaN"),
        float if float > 0.0 => json!("inf"),
        _ => json!("-inf"),
    }
}
