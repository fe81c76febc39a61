//! Every form of error, the limits on hostile bytes, and what people see.

mod hostile;
mod rows;
mod shown;
mod values;

use super::*;
use postcard_schema::schema::owned::OwnedDataModelType as Type;

#[derive(serde::Serialize, postcard_schema::Schema)]
#[allow(dead_code)]
enum Msg {
    Deposit { cents: u64, note: Option<String> },
    Withdraw { cents: u64 },
    Raw(Vec<u8>),
    Pair(i8, bool),
    Balance,
}

fn of<T: postcard_schema::Schema>() -> Schema {
    Schema::of::<T>().unwrap()
}

fn named(name: &str, ty: Type) -> OwnedNamedType {
    OwnedNamedType {
        name: name.to_owned(),
        ty,
    }
}

fn bytes_of(ty: &OwnedNamedType) -> Vec<u8> {
    postcard::to_stdvec(ty).unwrap()
}
