//! A guest's stdout and stderr: lines for the node's log, or a count.

use super::capabilities::Grant;
use actorhost_core::observe::LogLevel;
use bytes::Bytes;
use parking_lot::Mutex;
use std::{
    io, mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};
use tokio::io::AsyncWrite;
use wasmtime_wasi::{
    async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

/// Output kept of one call, in bytes. What is printed beyond it is counted and
/// thrown away; the lines that are kept then meet the log's own rate limit.
const KEPT_BYTES_MAX: usize = 64 << 10;

/// Bytes that a guest may write in one go.
const PERMIT_BYTES: usize = 16 << 10;

/// One output stream of one instance. Clones write to the same place.
#[derive(Clone)]
pub(super) struct Output {
    grant: Arc<Grant>,
    text: Arc<Mutex<Vec<u8>>>,
    level: LogLevel,
}

impl Output {
    pub(super) fn new(grant: Arc<Grant>, level: LogLevel) -> Self {
        Self {
            grant,
            text: Arc::default(),
            level,
        }
    }

    /// What was printed since the last time, as lines; an unfinished one counts.
    pub(super) fn take_lines(&self) -> Vec<(LogLevel, String)> {
        let text = mem::take(&mut *self.text.lock());
        let text = String::from_utf8_lossy(&text);
        text.lines()
            .map(|line| (self.level, line.to_owned()))
            .collect()
    }

    fn print(&self, bytes: &[u8]) {
        let kept = if self.grant.capabilities.output {
            let mut text = self.text.lock();
            let kept = bytes.len().min(KEPT_BYTES_MAX.saturating_sub(text.len()));
            text.extend_from_slice(&bytes[..kept]);
            kept
        } else {
            0
        };
        if kept < bytes.len() {
            self.grant.discard(bytes.len() - kept);
        }
    }
}

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }
}

#[async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {}
}

impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.print(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PERMIT_BYTES)
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.print(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::Capabilities;

    fn output(granted: bool) -> (Arc<Grant>, Output) {
        let capabilities = Capabilities {
            output: granted,
            ..Capabilities::default()
        };
        let grant = Arc::new(Grant::new(capabilities));
        (grant.clone(), Output::new(grant, LogLevel::Info))
    }

    #[test]
    fn granted_output_comes_as_lines() {
        let (grant, mut output) = output(true);
        output.write(Bytes::from_static(b"one\nt")).unwrap();
        output
            .clone()
            .write(Bytes::from_static(b"wo\nthree"))
            .unwrap();
        let lines = output.take_lines().into_iter().map(|(_, line)| line);
        assert_eq!(lines.collect::<Vec<_>>(), ["one", "two", "three"]);
        assert_eq!(output.take_lines(), []);
        assert_eq!(grant.discarded_bytes(), 0);
    }

    #[test]
    fn output_without_a_grant_is_counted() {
        let (grant, mut output) = output(false);
        output.write(Bytes::from_static(b"secret\n")).unwrap();
        assert_eq!(output.take_lines(), []);
        assert_eq!(grant.discarded_bytes(), 7);
    }

    #[test]
    fn a_flood_is_bounded() {
        let (grant, mut output) = output(true);
        let flood = Bytes::from(vec![b'x'; KEPT_BYTES_MAX + 5]);
        output.write(flood).unwrap();
        assert_eq!(output.take_lines()[0].1.len(), KEPT_BYTES_MAX);
        assert_eq!(grant.discarded_bytes(), 5);
    }
}
