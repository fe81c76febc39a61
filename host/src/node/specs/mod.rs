//! From a manifest's plain values to the machine's child specs.

mod error;
pub(super) mod plain;

pub use error::{SpecError, SpecErrors};

use crate::behaviour::{Access, Capabilities, Directory, WasmModule};
use actorhost_core::{
    ChildSpec, Limits,
    spec::{Directive, RestartBudget},
};
use actorhost_wire::{manifest, schema::json_to_postcard};
use bytes::Bytes;
use serde_json::Value;
use std::{path::Path, sync::Arc};

/// The spec of a behaviour that no manifest speaks of.
pub fn default_spec(name: &str) -> ChildSpec {
    unprioritised_spec(&manifest::Behaviour::new(name))
}

/// What a behaviour's actors are spawned with where nothing else is said.
///
/// # Errors
/// When its module has no messages of the names that are to come first.
pub fn behaviour_spec(
    behaviour: &manifest::Behaviour,
    module: &WasmModule,
) -> Result<ChildSpec, SpecErrors> {
    let mut spec = unprioritised_spec(behaviour);
    let priorities = &behaviour.mailbox.priorities;
    spec.mailbox.priorities = numbered(priorities, &behaviour.name, module)?;
    Ok(spec)
}

fn unprioritised_spec(behaviour: &manifest::Behaviour) -> ChildSpec {
    let names = |names: &[String]| names.iter().map(|name| Arc::from(name.as_str())).collect();
    ChildSpec {
        mailbox: plain::mailbox(&behaviour.mailbox),
        limits: Limits {
            memory_bytes: behaviour.memory_bytes,
            fuel_per_turn: behaviour.fuel_per_turn,
            message_bytes: behaviour.message_bytes,
            log_lines_per_second: behaviour.log_lines_per_second,
            children: behaviour.children,
            effects_per_turn: behaviour.effects_per_turn,
            deadline_ms: behaviour.deadline_ms,
            timers: behaviour.timers,
            asks: behaviour.asks,
            stash: behaviour.stash,
            links: behaviour.links,
            names: behaviour.names,
            groups: behaviour.groups,
        },
        throughput: behaviour.throughput,
        hibernate: behaviour.hibernate,
        attempts: behaviour.attempts,
        keep_children: behaviour.keep_children,
        dispatcher: behaviour.dispatcher.as_str().into(),
        may_spawn: names(&behaviour.capabilities.spawn),
        may_supervise: names(&behaviour.capabilities.supervise),
        ..ChildSpec::new(&behaviour.name)
    }
}

/// The spec of a supervisor's child that is an actor.
///
/// # Errors
/// When its module cannot do what it asks.
pub fn child_spec(
    place: &str,
    actor: &manifest::Actor,
    behaviour: &manifest::Behaviour,
    module: &WasmModule,
) -> Result<ChildSpec, SpecErrors> {
    let args = args(place, actor.args.as_ref(), &behaviour.name, module);
    actor_spec(place, actor, args, behaviour, module)
}

/// The spec of a pool's actors.
///
/// # Errors
/// When its module cannot do what it asks.
pub fn pool_spec(
    place: &str,
    pool: &manifest::Pool,
    behaviour: &manifest::Behaviour,
    module: &WasmModule,
) -> Result<ChildSpec, SpecErrors> {
    let actor = &pool.actor;
    // A pool whose actors are always spawned with arguments of their own has none.
    let needs_args = !module.description().args.is_unit() && actor.args.is_none();
    let args = match needs_args {
        true => Ok(Bytes::new()),
        false => args(place, actor.args.as_ref(), &behaviour.name, module),
    };
    actor_spec(place, actor, args, behaviour, module)
}

fn actor_spec(
    place: &str,
    actor: &manifest::Actor,
    args: Result<Bytes, SpecError>,
    behaviour: &manifest::Behaviour,
    module: &WasmModule,
) -> Result<ChildSpec, SpecErrors> {
    let mut errors = SpecErrors::default();
    let args = errors.keep(args.map_err(SpecErrors::from));
    let on_crash = plain::directives(&actor.on_crash);
    if on_crash.mention(Directive::Resume) && !module.info().can_save {
        errors.add(SpecError::CannotResume {
            place: place.into(),
            behaviour: behaviour.name.clone(),
        });
    }
    let priorities = errors.keep(numbered(&actor.mailbox.priorities, &behaviour.name, module));
    let (Some(args), Some(priorities)) = (args, priorities) else {
        return Err(errors);
    };
    let mut spec = ChildSpec {
        args,
        restart: plain::restart(actor.restart),
        on_crash,
        backoff: actor.backoff.map(plain::backoff),
        attempts: actor.attempts,
        keep_children: actor.keep_children,
        mailbox: plain::mailbox(&actor.mailbox),
        shutdown_ms: plain::shutdown_ms(actor.shutdown),
        dispatcher: actor.dispatcher.as_str().into(),
        ..unprioritised_spec(behaviour)
    };
    spec.mailbox.priorities = priorities;
    errors.or(spec)
}

/// Priorities by the numbers that the module's message enum gives their variants, in
/// the order of these numbers.
fn numbered(
    priorities: &[manifest::Priority],
    behaviour: &str,
    module: &WasmModule,
) -> Result<Arc<[(u32, u8)]>, SpecErrors> {
    let mut errors = SpecErrors::default();
    let variants = module.description().message.variant_names();
    let mut numbers = Vec::with_capacity(priorities.len());
    for priority in priorities {
        match variants.iter().position(|name| *name == priority.variant) {
            Some(number) => {
                let number = u32::try_from(number).expect("a schema has fewer variants");
                numbers.push((number, priority.level));
            }
            None => errors.add(SpecError::priority(priority, behaviour, &variants)),
        }
    }
    numbers.sort_unstable();
    errors.or(numbers.into())
}

/// A supervisor's or a pool's restart budget.
pub fn budget(budget: manifest::RestartBudget) -> RestartBudget {
    RestartBudget {
        intensity: budget.intensity,
        period_ms: budget.period_ms,
    }
}

/// What a behaviour is granted; folders are relative to `base`.
pub fn capabilities(granted: &manifest::Capabilities, base: &Path) -> Capabilities {
    let directory = |dir: &manifest::DirGrant| Directory {
        host: base.join(&dir.host),
        guest: dir.guest.clone(),
        access: if dir.write {
            Access::ReadWrite
        } else {
            Access::ReadOnly
        },
    };
    Capabilities {
        env: granted
            .env
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        directories: granted.dirs.iter().map(directory).collect(),
        output: granted.stdout,
    }
}

fn args(
    place: &str,
    args: Option<&Value>,
    behaviour: &str,
    module: &WasmModule,
) -> Result<Bytes, SpecError> {
    let encoded = json_to_postcard(&module.description().args, args.unwrap_or(&Value::Null));
    encoded.map(Bytes::from).map_err(|error| SpecError::Args {
        place: place.into(),
        given: args.is_some(),
        behaviour: behaviour.into(),
        error: Box::new(error),
    })
}
