//! A node's side of the API for tests, on a Unix socket in a temporary directory.

use super::Client;
use crate::socket;
use axum::Router;
use tempfile::TempDir;

/// A server that ends with the test's runtime.
pub struct TestServer {
    pub client: Client,
    _data_dir: TempDir,
}

/// Serves `routes`; call it within a tokio runtime.
pub fn serve(routes: Router) -> TestServer {
    let data_dir = tempfile::tempdir().unwrap();
    let listener = socket::bind(data_dir.path()).unwrap();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::UnixListener::from_std(listener).unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    TestServer {
        client: Client::new(data_dir.path()),
        _data_dir: data_dir,
    }
}
