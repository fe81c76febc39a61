//! The node's log.

use super::Context;
use crate::Level;
use std::fmt;

impl<A> Context<A> {
    /// Writes a line to the node's log under this actor's name. A log line is not
    /// held back: a crash does not undo it.
    ///
    /// ```
    /// # use actorhost_sdk::{Context, Level};
    /// # struct Any;
    /// let ctx: Context<Any> = Context::mock();
    /// ctx.log(Level::Debug, format_args!("{} left", 3));
    /// assert_eq!(ctx.node().logs(), [(Level::Debug, "3 left".to_owned())]);
    /// ```
    pub fn log(&self, level: Level, line: impl fmt::Display) {
        self.node.log(level, line.to_string());
    }

    /// Logs at [`Level::Debug`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.debug("looking");
    /// ```
    pub fn debug(&self, line: impl fmt::Display) {
        self.log(Level::Debug, line);
    }

    /// Logs at [`Level::Info`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.info("found");
    /// ```
    pub fn info(&self, line: impl fmt::Display) {
        self.log(Level::Info, line);
    }

    /// Logs at [`Level::Warn`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.warn("found twice");
    /// ```
    pub fn warn(&self, line: impl fmt::Display) {
        self.log(Level::Warn, line);
    }

    /// Logs at [`Level::Error`].
    ///
    /// ```
    /// # use actorhost_sdk::Context;
    /// # struct Any;
    /// # let ctx: Context<Any> = Context::mock();
    /// ctx.error("lost");
    /// ```
    pub fn error(&self, line: impl fmt::Display) {
        self.log(Level::Error, line);
    }
}
