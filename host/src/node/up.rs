//! `actorhost up`: a node in the foreground, from its manifest to its last actor.

use super::{
    DataDir, EventHub, Host, HostConfig, NodeObserver, UpError,
    plan::Plan,
    specs::{budget, capabilities},
};
use crate::{
    api::{self, Api, ShutdownOrder},
    behaviour::WasmModule,
    bounded_read, guest_build, socket,
};
use actorhost_wire::{
    api::ShutdownReply,
    manifest::{Manifest, Places, limits::MANIFEST_BYTES_MAX},
};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What `up` is told.
#[derive(Debug, Clone)]
pub struct Up {
    /// The manifest.
    pub manifest: PathBuf,
    /// Instead of the manifest's own.
    pub data_dir: Option<PathBuf>,
}

/// Runs a node until it is told to stop, and says how its shutdown went. `ready` is
/// called once it serves.
///
/// # Errors
/// Why it did not come up (then nothing is left running), or gave up by itself.
pub async fn up(up: Up, ready: impl FnOnce(&Host)) -> Result<ShutdownReply, UpError> {
    let (manifest, places) = read_with_places(&up.manifest)?;
    run(up, &manifest, ready)
        .await
        .map_err(|error| error.located(&places))
}

async fn run(
    up: Up,
    manifest: &Manifest,
    ready: impl FnOnce(&Host),
) -> Result<ShutdownReply, UpError> {
    let base = up
        .manifest
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    // Heard from here on, so that one during the start stops it in order.
    let mut signals = Signals::new().map_err(UpError::Signals)?;
    let paths = tokio::select! {
        paths = module_paths(manifest, &base) => paths?,
        () = signals.next() => return Ok(stopped_early()),
    };
    let data_dir = up
        .data_dir
        .unwrap_or_else(|| base.join(&manifest.node.data_dir));
    let data_dir = DataDir::take(&data_dir)?;
    let events = Arc::new(EventHub::default());
    let host = Arc::new(start_host(manifest, &base, &data_dir, &events)?);
    let modules = tokio::select! {
        modules = load_all(manifest, &base, &paths, &host) => modules.map(Some),
        () = signals.next() => Ok(None),
    };
    let served = match modules {
        Ok(Some(modules)) => {
            serve(manifest, modules, &data_dir, &host, events, signals, ready).await
        }
        Ok(None) => Ok(stopped_early()),
        Err(error) => Err(error),
    };
    host.close();
    served
}

/// A signal came while modules were built or compiled: nothing was started yet.
fn stopped_early() -> ShutdownReply {
    tracing::info!("a signal during the start: nothing was started");
    ShutdownReply {
        stopped: 0,
        killed: Vec::new(),
    }
}

/// The signals that ask the node to stop.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! { _ = self.terminate.recv() => {}, _ = self.interrupt.recv() => {} }
    }
}

/// Reads and checks a manifest.
///
/// # Errors
/// When it cannot be read or is not right.
pub fn read_manifest(path: &Path) -> Result<Manifest, UpError> {
    read_with_places(path).map(|(manifest, _)| manifest)
}

fn read_with_places(path: &Path) -> Result<(Manifest, Places), UpError> {
    let shown = path.display().to_string();
    let text =
        bounded_read::text_file(path, MANIFEST_BYTES_MAX).map_err(|error| UpError::Read {
            path: shown.clone(),
            error,
        })?;
    let manifest = Manifest::parse(&shown, &text).map_err(UpError::Manifest)?;
    Ok((manifest, Places::of(&shown, &text)))
}

/// Where each behaviour's module is; those given as crates are built.
async fn module_paths(
    manifest: &Manifest,
    base: &Path,
) -> Result<HashMap<String, PathBuf>, UpError> {
    let mut paths = HashMap::new();
    for behaviour in &manifest.behaviours {
        let path = match (&behaviour.module, &behaviour.crate_dir) {
            (Some(module), _) => base.join(module),
            (None, Some(dir)) => {
                let dir = base.join(dir);
                let building = tokio::task::spawn_blocking(move || guest_build::build_crate(&dir));
                let built = building.await.map_err(|error| error.to_string());
                let built = built.and_then(|built| built.map_err(|error| error.to_string()));
                let built = built.and_then(only_module);
                built.map_err(|error| UpError::Build {
                    behaviour: behaviour.name.clone(),
                    error,
                })?
            }
            (None, None) => unreachable!("a checked manifest names a module or a crate"),
        };
        paths.insert(behaviour.name.clone(), path);
    }
    Ok(paths)
}

fn only_module(mut built: Vec<PathBuf>) -> Result<PathBuf, String> {
    match built.len() {
        1 => Ok(built.remove(0)),
        count => Err(format!(
            "its crate makes {count} modules; name one of them with `module`"
        )),
    }
}

fn start_host(
    manifest: &Manifest,
    base: &Path,
    data_dir: &DataDir,
    events: &Arc<EventHub>,
) -> Result<Host, UpError> {
    let folder = fs::canonicalize(if base.as_os_str().is_empty() {
        Path::new(".")
    } else {
        base
    });
    let folder = folder
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let defaults = HostConfig::default();
    let settings = &manifest.node;
    let config = HostConfig {
        name: settings.name.clone().or(folder).unwrap_or(defaults.name),
        cache_dir: Some(data_dir.cache()),
        threads: settings
            .threads
            .map_or(defaults.threads, |threads| threads as usize),
        dispatchers: settings.dispatchers.clone(),
        live_max: settings
            .live_max
            .map(|live| u32::try_from(live).unwrap_or(u32::MAX)),
        mailbox_bytes_max: settings.mailbox_bytes,
        dead_letters_max: usize::try_from(settings.dead_letters).unwrap_or(usize::MAX),
        dead_letter_bytes_max: settings.dead_letter_bytes,
        root_budget: budget(settings.budget),
    };
    let mut host = Host::start(
        config,
        Arc::new(NodeObserver {
            hub: events.clone(),
        }),
    )?;
    host.data_dir = data_dir.path().display().to_string();
    Ok(host)
}

async fn serve(
    manifest: &Manifest,
    modules: HashMap<String, WasmModule>,
    data_dir: &DataDir,
    host: &Arc<Host>,
    events: Arc<EventHub>,
    mut signals: Signals,
    ready: impl FnOnce(&Host),
) -> Result<ShutdownReply, UpError> {
    let plan = Plan::of(manifest, modules)?;
    let timeout_ms = manifest.node.shutdown_timeout_ms;
    let started = tokio::select! {
        started = plan.carry_out(host) => started.map(|()| true),
        () = signals.next() => Ok(false),
    };
    match started {
        Ok(true) => {}
        Ok(false) => return Ok(shut_down(host, timeout_ms).await),
        Err(error) => {
            shut_down(host, timeout_ms).await;
            return Err(error);
        }
    }
    let listener = api::Listener(listen(data_dir)?);
    let api = Arc::new(Api {
        host: host.clone(),
        events: events.clone(),
        shutdown: ShutdownOrder::default(),
    });
    let (stop_serving, stopped) = tokio::sync::oneshot::channel::<()>();
    let router = api::router(api.clone());
    let server = tokio::spawn(async move {
        let serving = axum::serve(listener, router).with_graceful_shutdown(async {
            // A dropped sender says the same.
            let _ = stopped.await;
        });
        if let Err(error) = serving.await {
            tracing::error!(%error, "the API stopped");
        }
    });
    ready(host);
    let mut failure = None;
    let timeout_ms = tokio::select! {
        () = signals.next() => timeout_ms,
        ordered = api.shutdown.ordered() => ordered.unwrap_or(timeout_ms),
        cause = host.node.failed() => {
            failure = Some(cause);
            timeout_ms
        }
    };
    tracing::info!(timeout_ms, "shutting down");
    // A second signal does not wait for anybody.
    tokio::spawn(async move {
        signals.next().await;
        tracing::error!("a second signal: the node ends at once");
        std::process::exit(130);
    });
    let summary = shut_down(host, timeout_ms).await;
    events.close();
    api.shutdown.finished(summary.clone());
    let _ = stop_serving.send(());
    // Open connections get a moment to read their answers.
    let _ = tokio::time::timeout(Duration::from_secs(1), server).await;
    match failure {
        Some(cause) => Err(UpError::Failed { cause }),
        None => Ok(summary),
    }
}

fn listen(data_dir: &DataDir) -> Result<tokio::net::UnixListener, UpError> {
    let bound = socket::bind(data_dir.path()).and_then(|listener| {
        listener.set_nonblocking(true)?;
        tokio::net::UnixListener::from_std(listener)
    });
    bound.map_err(|error| UpError::Socket {
        path: socket::socket_path(data_dir.path()).display().to_string(),
        error,
    })
}

async fn shut_down(host: &Host, timeout_ms: u64) -> ShutdownReply {
    let summary = host.node.shutdown(timeout_ms).await;
    let killed: Vec<String> = summary.killed.iter().map(ToString::to_string).collect();
    ShutdownReply {
        stopped: summary.stopped,
        killed,
    }
}

/// Compiles and checks every module. Nothing is deployed yet.
async fn load_all(
    manifest: &Manifest,
    base: &Path,
    paths: &HashMap<String, PathBuf>,
    host: &Host,
) -> Result<HashMap<String, WasmModule>, UpError> {
    let mut modules = HashMap::new();
    for behaviour in &manifest.behaviours {
        let name = behaviour.name.clone();
        let path = paths[&name].clone();
        let shown = path.display().to_string();
        // A signal is heard meanwhile, also where the file is a pipe.
        let reading =
            tokio::task::spawn_blocking(move || bounded_read::file(&path, api::MODULE_BYTES_MAX));
        let read = reading.await.unwrap_or_else(|error| Err(error.into()));
        let bytes = read.map_err(|error| UpError::Module {
            behaviour: name.clone(),
            path: shown.clone(),
            error,
        })?;
        let deployed = host.node.engine().deploy(bytes.into()).await;
        let module = deployed.map_err(|error| UpError::Deploy {
            behaviour: name.clone(),
            path: shown.clone(),
            error,
        })?;
        let granted = capabilities(&behaviour.capabilities, base);
        granted.check().map_err(|error| UpError::Capability {
            behaviour: name.clone(),
            error,
        })?;
        modules.insert(name, module.with_capabilities(granted));
    }
    Ok(modules)
}
