//! The core's values as the contract's, and the other way round.

use crate::behaviour::bindings::runtime::{
    AskError, ChildCounts, ChildError, Level, LinkError, NameError, Published, ReplyError,
    SendError, SpawnError, StashError, StopMode, TimerError,
};
use crate::behaviour::bindings::types::RestartType;
use actorhost_core::{self as core, observe::LogLevel};

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Trace => Self::Trace,
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Warn => Self::Warn,
            Level::Error => Self::Error,
        }
    }
}

impl From<StopMode> for core::StopMode {
    fn from(mode: StopMode) -> Self {
        match mode {
            StopMode::Drain => Self::Drain,
            StopMode::Now => Self::Now,
            StopMode::Kill => Self::Kill,
        }
    }
}

impl From<core::SendError> for SendError {
    fn from(error: core::SendError) -> Self {
        match error {
            core::SendError::Full => Self::Full,
            core::SendError::Stopped => Self::Stopped,
            core::SendError::NoSuchActor => Self::NoSuchActor,
            core::SendError::TooLarge { limit } => Self::TooLarge(limit),
            core::SendError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<core::AskError> for AskError {
    fn from(error: core::AskError) -> Self {
        match error {
            core::AskError::Timeout => Self::Timeout,
            core::AskError::Crashed(cause) => Self::Crashed(cause),
            core::AskError::Stopped => Self::Stopped,
            core::AskError::Full => Self::Full,
            core::AskError::NoSuchActor => Self::NoSuchActor,
            core::AskError::TooLarge { limit } => Self::TooLarge(limit),
            core::AskError::Overloaded => Self::Overloaded,
            core::AskError::Deadlock => Self::Deadlock,
        }
    }
}

impl From<core::SpawnError> for SpawnError {
    fn from(error: core::SpawnError) -> Self {
        match error {
            core::SpawnError::UnknownBehaviour => Self::UnknownBehaviour,
            core::SpawnError::Denied => Self::Denied,
            core::SpawnError::NameTaken => Self::NameTaken,
            core::SpawnError::BadName => Self::BadName,
            core::SpawnError::TooLarge { limit } => Self::TooLarge(limit),
            core::SpawnError::Quota => Self::Quota,
            core::SpawnError::UnknownDispatcher { name } => {
                Self::UnknownDispatcher(name.to_string())
            }
        }
    }
}

impl From<core::ReplyError> for ReplyError {
    fn from(error: core::ReplyError) -> Self {
        match error {
            core::ReplyError::UnknownToken => Self::UnknownToken,
            core::ReplyError::Late => Self::Late,
        }
    }
}

impl From<core::TimerError> for TimerError {
    fn from(error: core::TimerError) -> Self {
        match error {
            core::TimerError::TooShort => Self::TooShort,
            core::TimerError::BadKey => Self::BadKey,
            core::TimerError::TooLarge { limit } => Self::TooLarge(limit),
            core::TimerError::Quota { limit } => Self::Quota(limit),
            core::TimerError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<core::StashError> for StashError {
    fn from(error: core::StashError) -> Self {
        match error {
            core::StashError::NoMessage => Self::NoMessage,
            core::StashError::Full { limit } => Self::Full(limit),
        }
    }
}

impl From<core::LinkError> for LinkError {
    fn from(error: core::LinkError) -> Self {
        match error {
            core::LinkError::Oneself => Self::Oneself,
            core::LinkError::NoSuchActor => Self::NoSuchActor,
            core::LinkError::Quota { limit } => Self::Quota(limit),
        }
    }
}

impl From<core::NameError> for NameError {
    fn from(error: core::NameError) -> Self {
        match error {
            core::NameError::Taken => Self::Taken,
            core::NameError::BadName => Self::BadName,
            core::NameError::Quota { limit } => Self::Quota(limit),
        }
    }
}

impl From<core::Published> for Published {
    fn from(published: core::Published) -> Self {
        Self {
            accepted: published.accepted,
            refused: published.refused,
        }
    }
}

impl From<RestartType> for core::RestartType {
    fn from(restart: RestartType) -> Self {
        match restart {
            RestartType::Permanent => Self::Permanent,
            RestartType::Transient => Self::Transient,
            RestartType::Temporary => Self::Temporary,
        }
    }
}

impl From<core::ChildCounts> for ChildCounts {
    fn from(counts: core::ChildCounts) -> Self {
        Self {
            specs: counts.specs,
            active: counts.active,
            supervisors: counts.supervisors,
            workers: counts.workers,
        }
    }
}

impl From<core::ChildError> for ChildError {
    fn from(error: core::ChildError) -> Self {
        match error {
            core::ChildError::Denied => Self::Denied,
            core::ChildError::NoSuchSupervisor => Self::NoSuchSupervisor,
            core::ChildError::NotFound => Self::NotFound,
            core::ChildError::AlreadyPresent => Self::AlreadyPresent,
            core::ChildError::Running => Self::Running,
            core::ChildError::Restarting => Self::Restarting,
            core::ChildError::BadSpec(cause) => Self::BadSpec(cause),
            core::ChildError::StartFailed(cause) => Self::StartFailed(cause),
            core::ChildError::ShuttingDown => Self::ShuttingDown,
            core::ChildError::Timeout => Self::Timeout,
        }
    }
}
