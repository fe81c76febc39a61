//! Time as a value that can be replaced.

/// A monotonic clock. The node's is the machine's; the simulator's is a number.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since some fixed moment; never goes back.
    fn now_ms(&self) -> u64;

    /// Milliseconds since the Unix epoch, for people to read; may jump.
    fn wall_ms(&self) -> u64;
}
