//! The node's Unix socket in its data directory, for both of its sides.
//!
//! The system limits the path of a socket to 107 bytes. A longer one is reached
//! through the open directory's entry in `/proc`, whose name is always short.

use std::{
    fs::{self, DirBuilder, File, Permissions},
    io,
    os::{
        fd::AsRawFd,
        unix::{
            ffi::OsStrExt,
            fs::{DirBuilderExt, PermissionsExt},
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
};

/// Name of the socket within the data directory.
const FILE_NAME: &str = "node.sock";

/// Longest path that is used as it is, in bytes; the system takes 107, and the
/// place where the socket is made has a longer name than the socket.
const PATH_BYTES_MAX: usize = 80;

/// Where the socket of the node on `data_dir` is.
pub fn socket_path(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE_NAME)
}

/// Listens on the socket of `data_dir`, with mode 0600 from its first moment. A
/// socket that was left by a dead node is replaced.
///
/// # Errors
/// `AddrInUse` when somebody listens there already; else as the system says.
pub fn bind(data_dir: &Path) -> io::Result<UnixListener> {
    if connect(data_dir).is_ok() {
        return Err(io::ErrorKind::AddrInUse.into());
    }
    let reach = Reach::of(data_dir)?;
    // Made where nobody else can reach it, and moved once it has its mode: a
    // connection goes to the socket, whatever its name is.
    let making = reach.path.join(format!(".sock-{}", std::process::id()));
    DirBuilder::new().mode(0o700).create(&making)?;
    let bound = bind_and_move(&making.join("s"), &reach.path.join(FILE_NAME));
    let removed = fs::remove_dir_all(&making);
    let listener = bound?;
    removed?;
    Ok(listener)
}

fn bind_and_move(from: &Path, to: &Path) -> io::Result<UnixListener> {
    let listener = UnixListener::bind(from)?;
    fs::set_permissions(from, Permissions::from_mode(0o600))?;
    fs::rename(from, to)?;
    Ok(listener)
}

/// Connects to the node on `data_dir`.
///
/// # Errors
/// `NotFound` when there is no socket, `ConnectionRefused` when nobody listens on it;
/// else as the system says.
pub fn connect(data_dir: &Path) -> io::Result<UnixStream> {
    let reach = Reach::of(data_dir)?;
    UnixStream::connect(reach.path.join(FILE_NAME))
}

/// A name of a directory that is short enough, for as long as this value lives.
struct Reach {
    path: PathBuf,
    _dir: Option<File>,
}

impl Reach {
    fn of(dir: &Path) -> io::Result<Self> {
        if dir.as_os_str().as_bytes().len() <= PATH_BYTES_MAX {
            return Ok(Self {
                path: dir.to_path_buf(),
                _dir: None,
            });
        }
        let open = File::open(dir)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        Ok(Self {
            path,
            _dir: Some(open),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn greets(data_dir: &Path) {
        let listener = bind(data_dir).unwrap();
        let mut client = connect(data_dir).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        server.write_all(b"hi").unwrap();
        let mut said = [0; 2];
        client.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"hi");
    }

    #[test]
    fn a_data_directory_may_have_a_long_path() {
        let dir = tempfile::tempdir().unwrap();
        let long = dir.path().join("long".repeat(60));
        fs::create_dir(&long).unwrap();
        for data_dir in [dir.path(), &long] {
            greets(data_dir);
            let mode = fs::metadata(socket_path(data_dir))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
            let left = fs::read_dir(data_dir).unwrap();
            let left = left.map(|entry| entry.unwrap().file_name());
            assert!(
                left.into_iter()
                    .all(|name| !name.as_bytes().starts_with(b".sock"))
            );
        }
    }

    #[test]
    fn a_dead_nodes_socket_is_replaced_and_a_living_ones_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let error = connect(dir.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let living = bind(dir.path()).unwrap();
        let error = bind(dir.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
        drop(living);
        let error = connect(dir.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        greets(dir.path());
    }
}
