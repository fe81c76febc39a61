//! Values of the contract as this crate's own.

use super::bindings::actorhost::actor::types;
use crate::{
    AskError, ChildCounts, ChildError, Crash, ExitReason, LinkError, NameError, Published,
    ReplyError, RestartType, SendError, SpawnError, StashError, TimerError,
};

impl From<types::ExitReason> for ExitReason {
    fn from(reason: types::ExitReason) -> Self {
        match reason {
            types::ExitReason::Normal => Self::Normal,
            types::ExitReason::Shutdown => Self::Shutdown,
            types::ExitReason::Killed => Self::Killed,
            types::ExitReason::Crashed(crash) => Self::Crashed(crash.into()),
            types::ExitReason::NoSuchActor => Self::NoSuchActor,
        }
    }
}

impl From<types::SendError> for SendError {
    fn from(error: types::SendError) -> Self {
        match error {
            types::SendError::Full => Self::Full,
            types::SendError::Stopped => Self::Stopped,
            types::SendError::NoSuchActor => Self::NoSuchActor,
            types::SendError::TooLarge(limit) => Self::TooLarge { limit },
            types::SendError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<types::AskError> for AskError {
    fn from(error: types::AskError) -> Self {
        match error {
            types::AskError::Timeout => Self::Timeout,
            types::AskError::Crashed(cause) => Self::Crashed(cause),
            types::AskError::Stopped => Self::Stopped,
            types::AskError::Full => Self::Full,
            types::AskError::NoSuchActor => Self::NoSuchActor,
            types::AskError::TooLarge(limit) => Self::TooLarge { limit },
            types::AskError::Overloaded => Self::Overloaded,
            types::AskError::Deadlock => Self::Deadlock,
        }
    }
}

impl From<types::SpawnError> for SpawnError {
    fn from(error: types::SpawnError) -> Self {
        match error {
            types::SpawnError::UnknownBehaviour => Self::UnknownBehaviour,
            types::SpawnError::Denied => Self::Denied,
            types::SpawnError::NameTaken => Self::NameTaken,
            types::SpawnError::BadName => Self::BadName,
            types::SpawnError::TooLarge(limit) => Self::TooLarge { limit },
            types::SpawnError::Quota => Self::Quota,
            types::SpawnError::UnknownDispatcher(name) => Self::UnknownDispatcher { name },
        }
    }
}

impl From<types::Crash> for Crash {
    fn from(crash: types::Crash) -> Self {
        Self {
            kind: crash.kind,
            message: crash.message,
            backtrace: crash.backtrace,
        }
    }
}

impl From<types::ReplyError> for ReplyError {
    fn from(error: types::ReplyError) -> Self {
        match error {
            types::ReplyError::UnknownToken => Self::UnknownToken,
            types::ReplyError::Late => Self::Late,
        }
    }
}

impl From<types::TimerError> for TimerError {
    fn from(error: types::TimerError) -> Self {
        match error {
            types::TimerError::TooShort => Self::TooShort,
            types::TimerError::BadKey => Self::BadKey,
            types::TimerError::TooLarge(limit) => Self::TooLarge { limit },
            types::TimerError::Quota(limit) => Self::Quota { limit },
            types::TimerError::Overloaded => Self::Overloaded,
        }
    }
}

impl From<types::StashError> for StashError {
    fn from(error: types::StashError) -> Self {
        match error {
            types::StashError::NoMessage => Self::NoMessage,
            types::StashError::Full(limit) => Self::Full { limit },
        }
    }
}

impl From<types::LinkError> for LinkError {
    fn from(error: types::LinkError) -> Self {
        match error {
            types::LinkError::Oneself => Self::Oneself,
            types::LinkError::NoSuchActor => Self::NoSuchActor,
            types::LinkError::Quota(limit) => Self::Quota { limit },
        }
    }
}

impl From<types::NameError> for NameError {
    fn from(error: types::NameError) -> Self {
        match error {
            types::NameError::Taken => Self::Taken,
            types::NameError::BadName => Self::BadName,
            types::NameError::Quota(limit) => Self::Quota { limit },
        }
    }
}

impl From<types::Published> for Published {
    fn from(published: types::Published) -> Self {
        Self {
            accepted: published.accepted,
            refused: published.refused,
        }
    }
}

impl From<RestartType> for types::RestartType {
    fn from(restart: RestartType) -> Self {
        match restart {
            RestartType::Permanent => Self::Permanent,
            RestartType::Transient => Self::Transient,
            RestartType::Temporary => Self::Temporary,
        }
    }
}

impl From<types::ChildCounts> for ChildCounts {
    fn from(counts: types::ChildCounts) -> Self {
        Self {
            specs: counts.specs,
            active: counts.active,
            supervisors: counts.supervisors,
            workers: counts.workers,
        }
    }
}

impl From<types::ChildError> for ChildError {
    fn from(error: types::ChildError) -> Self {
        match error {
            types::ChildError::Denied => Self::Denied,
            types::ChildError::NoSuchSupervisor => Self::NoSuchSupervisor,
            types::ChildError::NotFound => Self::NotFound,
            types::ChildError::AlreadyPresent => Self::AlreadyPresent,
            types::ChildError::Running => Self::Running,
            types::ChildError::Restarting => Self::Restarting,
            types::ChildError::BadSpec(cause) => Self::BadSpec(cause),
            types::ChildError::StartFailed(cause) => Self::StartFailed(cause),
            types::ChildError::ShuttingDown => Self::ShuttingDown,
            types::ChildError::Timeout => Self::Timeout,
        }
    }
}
