//! From a manifest's plain values to the machine's child specs.

use crate::behaviour::{Access, Capabilities, Directory, WasmModule};
use actorhost_core::{
    ChildSpec, Limits, MailboxSpec, Overflow, RestartType,
    spec::{Directive, RestartBudget},
};
use actorhost_wire::{
    manifest,
    schema::{CodecError, json_to_postcard},
};
use bytes::Bytes;
use serde_json::Value;
use std::{path::Path, sync::Arc};

/// A spec that the modules cannot meet.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The arguments are not of the module's argument type.
    #[error("{place}: args do not fit behaviour `{behaviour}`: {error}")]
    Args {
        /// Which child or pool.
        place: String,
        /// The behaviour.
        behaviour: String,
        /// Where and why.
        error: Box<CodecError>,
    },
    /// It is to resume from saved state, which its module cannot save.
    #[error("{place}: on-crash = \"resume\" needs state that behaviour `{behaviour}` cannot save")]
    CannotResume {
        /// Which child or pool.
        place: String,
        /// The behaviour.
        behaviour: String,
    },
}

impl SpecError {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Args { error, .. } => error.help(),
            Self::CannotResume { .. } => Some("remove `no_save` from its #[actor]".into()),
        }
    }
}

/// The spec of a behaviour that no manifest speaks of.
pub fn default_spec(name: &str) -> ChildSpec {
    behaviour_spec(&manifest::Behaviour::new(name))
}

/// What a behaviour's actors are spawned with where nothing else is said.
pub fn behaviour_spec(behaviour: &manifest::Behaviour) -> ChildSpec {
    let spawn = behaviour.capabilities.spawn.iter();
    ChildSpec {
        mailbox: mailbox(&behaviour.mailbox),
        limits: Limits {
            memory_bytes: behaviour.memory_bytes,
            fuel_per_turn: behaviour.fuel_per_turn,
            message_bytes: behaviour.message_bytes,
            log_lines_per_second: behaviour.log_lines_per_second,
            children: behaviour.children,
            effects_per_turn: behaviour.effects_per_turn,
            ..Limits::default()
        },
        throughput: behaviour.throughput,
        hibernate: behaviour.hibernate,
        may_spawn: spawn.map(|name| Arc::from(name.as_str())).collect(),
        ..ChildSpec::new(&behaviour.name)
    }
}

/// The spec of a supervisor's child.
///
/// # Errors
/// When its module cannot do what it asks.
pub fn child_spec(
    place: &str,
    child: &manifest::Child,
    behaviour: &manifest::Behaviour,
    module: &WasmModule,
) -> Result<ChildSpec, SpecError> {
    let spec = ChildSpec {
        args: args(place, child.args.as_ref(), &behaviour.name, module)?,
        restart: restart(child.restart),
        on_crash: directive(child.on_crash).into(),
        mailbox: mailbox(&child.mailbox),
        shutdown_ms: shutdown_ms(child.shutdown),
        ..behaviour_spec(behaviour)
    };
    checked(place, spec, module)
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
) -> Result<ChildSpec, SpecError> {
    // A pool whose actors are always spawned with arguments of their own has none.
    let needs_args = !module.description().args.is_unit() && pool.args.is_none();
    let args = match needs_args {
        true => Bytes::new(),
        false => args(place, pool.args.as_ref(), &behaviour.name, module)?,
    };
    let spec = ChildSpec {
        args,
        restart: restart(pool.restart),
        on_crash: directive(pool.on_crash).into(),
        mailbox: mailbox(&pool.mailbox),
        shutdown_ms: shutdown_ms(pool.shutdown),
        ..behaviour_spec(behaviour)
    };
    checked(place, spec, module)
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

fn checked(place: &str, spec: ChildSpec, module: &WasmModule) -> Result<ChildSpec, SpecError> {
    if spec.on_crash.mention(Directive::Resume) && !module.info().can_save {
        let behaviour = spec.behaviour.to_string();
        return Err(SpecError::CannotResume {
            place: place.into(),
            behaviour,
        });
    }
    Ok(spec)
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
        behaviour: behaviour.into(),
        error: Box::new(error),
    })
}

fn mailbox(mailbox: &manifest::Mailbox) -> MailboxSpec {
    let overflow = match mailbox.overflow {
        manifest::Overflow::Reject => Overflow::Reject,
        manifest::Overflow::Block { timeout_ms } => Overflow::Block { timeout_ms },
    };
    MailboxSpec {
        capacity: mailbox.capacity,
        overflow,
        ..MailboxSpec::default()
    }
}

fn restart(restart: manifest::Restart) -> RestartType {
    match restart {
        manifest::Restart::Permanent => RestartType::Permanent,
        manifest::Restart::Transient => RestartType::Transient,
        manifest::Restart::Temporary => RestartType::Temporary,
    }
}

fn directive(on_crash: manifest::OnCrash) -> Directive {
    match on_crash {
        manifest::OnCrash::Restart => Directive::Restart,
        manifest::OnCrash::Resume => Directive::Resume,
        manifest::OnCrash::Stop => Directive::Stop,
        manifest::OnCrash::Escalate => Directive::Escalate,
    }
}

fn shutdown_ms(shutdown: manifest::Shutdown) -> u64 {
    match shutdown {
        manifest::Shutdown::Within { timeout_ms } => timeout_ms,
        manifest::Shutdown::Kill => 0,
    }
}
