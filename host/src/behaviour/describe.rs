//! Asking a module what it is: once, at deployment, in an instance of its own with
//! little fuel, bounded memory and no actor behind it.

use super::{
    DeployError,
    bindings::types::Description as WitDescription,
    calls::{BeginResult, HandleArgs, HandleResult, SaveResult},
    capabilities::Grant,
    crash::{Facts, crash_of},
    engine::WasmEngine,
    module::{Compiled, chain},
    pool::MEMORY_BYTES_MAX,
    state::HostState,
};
use actorhost_core::{Crash, CrashKind, Limits, address::is_valid_name};
use actorhost_wire::schema::Schema;
use std::{sync::Arc, time::Duration};
use wasmtime::{
    Store,
    component::{ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower},
};

/// Fuel for `describe` and for making its instance: about a tenth of a second.
const FUEL: u64 = 1_000_000_000;

/// Longest time that `describe` may wait, in milliseconds. Fuel does not run while
/// a guest waits.
const TIMEOUT_MS: u64 = 5_000;

/// Longest version, in bytes.
const VERSION_BYTES_MAX: usize = 64;

/// What a module says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Version of the state that it saves.
    pub state_version: u32,
    /// Whether its state can be saved and loaded.
    pub can_save: bool,
    /// Schema of the arguments of `init`.
    pub args: Schema,
    /// Schema of its messages.
    pub message: Schema,
    /// Schema of its replies.
    pub reply: Schema,
    /// Schema of its state, if it has one.
    pub state: Option<Schema>,
}

/// Makes an instance of `compiled`, checks the types of its exports and asks it
/// what it is.
pub(super) async fn describe(
    engine: &WasmEngine,
    compiled: &Compiled,
) -> Result<Description, DeployError> {
    let asked = tokio::time::timeout(Duration::from_millis(TIMEOUT_MS), ask(engine, compiled));
    match asked.await {
        Ok(description) => check(description?),
        Err(_) => Err(DeployError::DescribeTimeout {
            limit_ms: TIMEOUT_MS,
        }),
    }
}

async fn ask(engine: &WasmEngine, compiled: &Compiled) -> Result<WitDescription, DeployError> {
    let limits = Limits {
        memory_bytes: MEMORY_BYTES_MAX,
        fuel_per_turn: Some(FUEL),
        ..Limits::default()
    };
    let state = HostState::new(None, &limits, &Arc::new(Grant::default()));
    let mut store = engine.store(state, &limits);
    let instance = match compiled.pre.instantiate_async(&mut store).await {
        Ok(instance) => instance,
        Err(error) => return Err(crashed(&error, &mut store, &limits)),
    };
    check_types(&mut store, &instance, compiled)?;
    let describe = typed::<(), (WitDescription,)>(
        &mut store,
        &instance,
        "describe",
        &compiled.exports.describe,
    )?;
    match describe.call_async(&mut store, ()).await {
        Ok((description,)) => Ok(description),
        Err(error) => Err(crashed(&error, &mut store, &limits)),
    }
}

fn crashed(error: &wasmtime::Error, store: &mut Store<HostState>, limits: &Limits) -> DeployError {
    let state = store.data_mut();
    let (panic, refused) = (state.panic.take(), state.limiter.refused());
    let mut crash: Crash = crash_of(
        error,
        Facts {
            limits,
            panic,
            refused,
        },
    );
    if crash.kind == CrashKind::FuelExhausted {
        crash.message = format!("it used up {FUEL} units of fuel");
    }
    DeployError::DescribeCrashed { crash }
}

/// Checks the exports that are called later, so that no call meets a wrong type.
fn check_types(
    store: &mut Store<HostState>,
    instance: &Instance,
    Compiled { exports, .. }: &Compiled,
) -> Result<(), DeployError> {
    use super::bindings::types::ExitReason;
    typed::<(&[u8],), BeginResult>(store, instance, "init", &exports.init)?;
    typed::<HandleArgs<'_>, HandleResult>(store, instance, "handle", &exports.handle)?;
    typed::<(), SaveResult>(store, instance, "save", &exports.save)?;
    typed::<(&[u8], u32), BeginResult>(store, instance, "load", &exports.load)?;
    typed::<(ExitReason,), ()>(store, instance, "stopping", &exports.stopping)?;
    Ok(())
}

fn typed<Params, Return>(
    store: &mut Store<HostState>,
    instance: &Instance,
    name: &str,
    index: &ComponentExportIndex,
) -> Result<wasmtime::component::TypedFunc<Params, Return>, DeployError>
where
    Params: ComponentNamedList + Lower,
    Return: ComponentNamedList + Lift,
{
    instance
        .get_typed_func(store, index)
        .map_err(|error| DeployError::WrongType {
            export: name.to_owned(),
            cause: chain(&error),
        })
}

fn check(said: WitDescription) -> Result<Description, DeployError> {
    let bad = |field, cause: String| Err(DeployError::BadDescription { field, cause });
    if !is_valid_name(&said.name) {
        return bad(
            "name",
            format!("{:?} cannot name a behaviour", shortened(&said.name)),
        );
    }
    let version_is_fine = !said.version.is_empty()
        && said.version.len() <= VERSION_BYTES_MAX
        && said.version.chars().all(|c| c.is_ascii_graphic());
    if !version_is_fine {
        return bad(
            "version",
            format!("{:?} is no version", shortened(&said.version)),
        );
    }
    let state = said.state_schema.as_deref();
    Ok(Description {
        name: said.name,
        version: said.version,
        state_version: said.state_version,
        can_save: said.can_save,
        args: schema("args schema", &said.args_schema)?,
        message: schema("message schema", &said.message_schema)?,
        reply: schema("reply schema", &said.reply_schema)?,
        state: state
            .map(|bytes| schema("state schema", bytes))
            .transpose()?,
    })
}

fn schema(field: &'static str, bytes: &[u8]) -> Result<Schema, DeployError> {
    Schema::from_bytes(bytes).map_err(|error| DeployError::BadDescription {
        field,
        cause: error.to_string(),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> WitDescription {
        let unit = Schema::of::<()>().unwrap().to_bytes();
        WitDescription {
            name: "counter".into(),
            version: "0.1.0".into(),
            state_version: 1,
            can_save: true,
            args_schema: unit.clone(),
            message_schema: unit.clone(),
            reply_schema: unit,
            state_schema: None,
        }
    }

    fn bad_field(said: WitDescription) -> &'static str {
        match check(said) {
            Err(DeployError::BadDescription { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_plain_description_passes() {
        assert_eq!(check(said()).unwrap().name, "counter");
    }

    #[test]
    fn what_cannot_be_shown_or_kept_is_refused() {
        assert_eq!(
            bad_field(WitDescription {
                name: "a/b".into(),
                ..said()
            }),
            "name"
        );
        assert_eq!(
            bad_field(WitDescription {
                name: "n".repeat(9_999),
                ..said()
            }),
            "name"
        );
        assert_eq!(
            bad_field(WitDescription {
                version: "1 0".into(),
                ..said()
            }),
            "version"
        );
        assert_eq!(
            bad_field(WitDescription {
                version: "".into(),
                ..said()
            }),
            "version"
        );
        let state_schema = Some(vec![0xff; 9]);
        assert_eq!(
            bad_field(WitDescription {
                state_schema,
                ..said()
            }),
            "state schema"
        );
        assert_eq!(
            bad_field(WitDescription {
                args_schema: vec![],
                ..said()
            }),
            "args schema"
        );
    }
}
