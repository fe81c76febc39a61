//! The engine on small components written by hand, one fault each. Guests built
//! with the SDK run in the crate actorhost-tests.

mod deploying;
mod running;

use super::{WasmConfig, WasmEngine};
use actorhost_wire::schema::Schema;
use bytes::Bytes;

/// A behaviour whose `handle` is `handle` and whose `describe` begins with
/// `describe`, in the text format.
fn behaviour(describe: &str, handle: &str) -> String {
    let unit = Schema::of::<()>().unwrap().to_bytes();
    let schema: String = unit.iter().map(|byte| format!("\\{byte:02x}")).collect();
    include_str!("behaviour.wat")
        .replace("{describe}", describe)
        .replace("{handle}", handle)
        .replace("{schema}", &schema)
        .replace("{schema_bytes}", &unit.len().to_string())
}

fn bytes(text: &str) -> Bytes {
    wat::parse_str(text)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .into()
}

fn engine() -> WasmEngine {
    WasmEngine::new(WasmConfig {
        cache_dir: None,
        live_max: 2,
    })
    .unwrap()
}
