//! Writes the seeds that are not text: schemas with a message of each.
//!
//! `cargo run --manifest-path fuzz/Cargo.toml --example seeds`

use actorhost_wire::schema::{Schema, examples, json_to_postcard};
use std::{collections::BTreeMap, fs, io, path::Path};

#[derive(postcard_schema::Schema)]
#[allow(dead_code)]
enum Account {
    Deposit { cents: u64, note: Option<String> },
    Withdraw(u32),
    Pair(i8, i128),
    Balance,
}

#[derive(postcard_schema::Schema)]
#[allow(dead_code)]
struct State {
    window: [u16; 4],
    rows: Vec<(f32, f64, bool, char)>,
    names: BTreeMap<String, Newtype>,
    nothing: (),
}

#[derive(postcard_schema::Schema)]
#[allow(dead_code)]
struct Newtype(Result<i64, u128>);

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/message_decoder");
    fs::create_dir_all(&folder)?;
    for (name, schema) in [
        ("account", Schema::of::<Account>()),
        ("state", Schema::of::<State>()),
        ("unit", Schema::of::<()>()),
    ] {
        let schema = schema.map_err(io::Error::other)?;
        let bytes = schema.to_bytes();
        let length = u16::try_from(bytes.len()).map_err(io::Error::other)?;
        for (number, value) in examples(&schema).iter().enumerate() {
            let message = json_to_postcard(&schema, value).map_err(io::Error::other)?;
            let seed = [&length.to_le_bytes()[..], &bytes, &message].concat();
            fs::write(folder.join(format!("{name}-{number}")), seed)?;
        }
    }
    Ok(())
}
