//! Errors of the command line: one readable block, and an exit code.

use crate::client::ClientError;
use serde::Serialize;
use std::{fmt::Write, path::Path, process::ExitCode};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: the request failed.
    Failed,
    /// 2: the command line is wrong.
    Usage,
    /// 3: no node is reachable.
    Unreachable,
}

impl Exit {
    /// The number for the shell.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreachable => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a verb could not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CliError {
    /// How the program ends.
    pub exit: Exit,
    /// A stable word for programs.
    pub code: String,
    /// What is wrong, and with what.
    pub message: String,
    /// Where it is wrong; may have more than one line.
    pub at: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

#[derive(Serialize)]
struct Json<'e> {
    error: JsonError<'e>,
}

#[derive(Serialize)]
struct JsonError<'e> {
    code: &'e str,
    message: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'e str>,
}

impl CliError {
    /// A request that failed.
    pub fn failed(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, code, message.into())
    }

    /// A command line that is wrong.
    pub fn usage(code: &str, message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, code, message.into())
    }

    /// A file that cannot be read or written.
    pub fn file(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        let message = format!("cannot {doing} {}: {error}", path.display());
        Self::failed("file", message)
    }

    fn new(exit: Exit, code: &str, message: String) -> Self {
        Self {
            exit,
            code: code.into(),
            message,
            at: None,
            help: None,
        }
    }

    /// Adds where it is wrong.
    pub fn at(mut self, at: impl Into<String>) -> Self {
        self.at = Some(at.into());
        self
    }

    /// Adds what to do about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn to_json(&self) -> String {
        let error = JsonError {
            code: &self.code,
            message: &self.message,
            at: self.at.as_deref(),
            help: self.help.as_deref(),
        };
        serde_json::to_string(&Json { error }).expect("four texts are JSON")
    }

    /// The block for people: `error:`, then `at:` and `help:`, further lines indented.
    pub(super) fn to_text(&self, colour: bool) -> String {
        let (red, cyan, plain) = if colour {
            ("\x1b[1;31m", "\x1b[36m", "\x1b[0m")
        } else {
            ("", "", "")
        };
        let mut text = format!("{red}error{plain}: {}\n", indent(&self.message, 7));
        if let Some(at) = &self.at {
            let _ = writeln!(text, "  {cyan}at{plain}: {}", indent(at, 6));
        }
        if let Some(help) = &self.help {
            let _ = writeln!(text, "  {cyan}help{plain}: {}", indent(help, 8));
        }
        text
    }
}

fn indent(text: &str, by: usize) -> String {
    text.replace('\n', &format!("\n{:by$}", ""))
}

impl From<ClientError> for CliError {
    fn from(error: ClientError) -> Self {
        let exit = match &error {
            ClientError::NotReachable { .. } => Exit::Unreachable,
            _ => Exit::Failed,
        };
        Self {
            exit,
            code: error.code().into(),
            message: error.to_string(),
            at: None,
            help: error.help().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actorhost_wire::api::ErrorBody;

    fn refused() -> ClientError {
        let body = ErrorBody {
            code: "timeout".into(),
            message: "/a did not reply".into(),
            help: Some("give more time".into()),
        };
        ClientError::Refused { status: 504, body }
    }

    #[test]
    fn each_kind_of_error_has_its_exit_code() {
        let nobody = ClientError::NotReachable {
            socket: "x/node.sock".into(),
            error: std::io::ErrorKind::NotFound.into(),
        };
        assert_eq!(CliError::from(nobody).exit.code(), 3);
        assert_eq!(CliError::from(refused()).exit.code(), 1);
        assert_eq!(CliError::usage("bad-json", "no").exit.code(), 2);
        assert_eq!(Exit::Done.code(), 0);
    }

    #[test]
    fn an_error_is_one_block_or_one_line_of_json() {
        let error = CliError::from(refused()).at("line 1\n  ^");
        assert_eq!(
            error.to_text(false),
            "error: /a did not reply\n  at: line 1\n        ^\n  help: give more time\n"
        );
        assert_eq!(
            error.to_json(),
            r#"{"error":{"code":"timeout","message":"/a did not reply","at":"line 1\n  ^","help":"give more time"}}"#
        );
        assert!(error.to_text(true).contains("\x1b[1;31merror\x1b[0m"));
    }
}
