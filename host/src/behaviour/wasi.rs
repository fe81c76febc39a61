//! WASI 0.2 for guests: made when an instance first uses it, granting what its
//! behaviour's capabilities say and nothing else.
//!
//! Sockets are linked, since Rust's standard library imports them, but every use is
//! refused with `access-denied`. HTTP is not linked.

use super::{
    capabilities::{Access, Grant},
    output::Output,
    state::HostState,
};
use actorhost_core::observe::LogLevel;
use std::sync::Arc;
use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

/// Handles (files, streams, timers) that an instance may hold at once.
pub(super) const HANDLES_MAX: usize = 1_024;

/// Random bytes that a guest may ask for in one go.
const RANDOM_BYTES_MAX: u64 = 1 << 20;

/// An instance's WASI state, or the promise of one.
pub(super) struct WasiSlot {
    grant: Arc<Grant>,
    made: Option<Box<Wasi>>,
}

struct Wasi {
    ctx: WasiCtx,
    table: ResourceTable,
    stdout: Output,
    stderr: Output,
}

impl WasiSlot {
    pub(super) fn new(grant: Arc<Grant>) -> Self {
        Self { grant, made: None }
    }

    /// Stdout and stderr, where the guest may have printed and it is wanted.
    pub(super) fn granted_output(&self) -> Option<[&Output; 2]> {
        let wasi = self.made.as_ref()?;
        self.grant
            .capabilities
            .output
            .then_some([&wasi.stdout, &wasi.stderr])
    }
}

impl Wasi {
    fn new(grant: &Arc<Grant>) -> Self {
        let stdout = Output::new(grant.clone(), LogLevel::Info);
        let stderr = Output::new(grant.clone(), LogLevel::Warn);
        let mut builder = WasiCtxBuilder::new();
        builder
            .allow_tcp(false)
            .allow_udp(false)
            .max_random_size(RANDOM_BYTES_MAX)
            .stdout(stdout.clone())
            .stderr(stderr.clone())
            .envs(&grant.capabilities.env);
        for directory in &grant.capabilities.directories {
            let perms = match directory.access {
                Access::ReadOnly => FsPerms::ReadOnly,
                Access::ReadWrite => FsPerms::ReadWrite,
            };
            let granted = builder.preopened_dir(&directory.host, &directory.guest, perms);
            if let Err(error) = granted {
                tracing::warn!(
                    dir = %directory.host.display(),
                    error = format!("{error:#}"),
                    "a granted directory cannot be opened; the guest does without"
                );
            }
        }
        let table = ResourceTable::with_capacity(0);
        let mut wasi = Self {
            ctx: builder.build(),
            table,
            stdout,
            stderr,
        };
        wasi.table.set_max_capacity(HANDLES_MAX);
        wasi
    }
}

impl WasiView for HostState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let WasiSlot { grant, made } = &mut self.wasi;
        let wasi = made.get_or_insert_with(|| Box::new(Wasi::new(grant)));
        WasiCtxView {
            ctx: &mut wasi.ctx,
            table: &mut wasi.table,
        }
    }
}

/// Offers WASI to guests.
pub(super) fn add_to_linker(linker: &mut Linker<HostState>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::{Capabilities, Directory};
    use actorhost_core::Limits;

    fn state(capabilities: Capabilities) -> HostState {
        let grant = Arc::new(Grant::new(capabilities));
        HostState::new(None, &Limits::default(), &grant)
    }

    #[test]
    fn nothing_is_made_before_it_is_used() {
        let mut state = state(Capabilities {
            output: true,
            ..Capabilities::default()
        });
        assert!(state.wasi.granted_output().is_none());
        state.ctx();
        assert!(state.wasi.granted_output().is_some());
    }

    #[test]
    fn output_without_a_grant_is_not_looked_at() {
        let mut state = state(Capabilities::default());
        state.ctx();
        assert!(state.wasi.granted_output().is_none());
    }

    #[test]
    fn a_vanished_directory_is_done_without() {
        let dir = tempfile::tempdir().unwrap();
        let mut state = state(Capabilities {
            directories: vec![Directory {
                host: dir.path().join("gone"),
                guest: "/data".into(),
                access: Access::ReadWrite,
            }],
            ..Capabilities::default()
        });
        assert_eq!(state.ctx().table.max_capacity(), HANDLES_MAX);
    }
}
