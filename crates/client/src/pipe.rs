//! The bytes of a session, to and from a socket: [`Pipe`].

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream as Socket;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::net::UnixStream;
use tokio::sync::Notify;

use crate::frame::Decoder;

/// Beyond so many bytes that the node has not taken, nothing new is asked for.
const FULL: usize = 1 << 20;

/// A socket that can be written to without waiting.
pub(crate) struct Pipe {
    stream: UnixStream,
    /// The same socket: it can be shut at once, whoever is about to read from it.
    socket: Socket,
    /// What the socket has not taken yet.
    outbox: Mutex<Vec<u8>>,
    /// There is something in the outbox.
    filled: Notify,
}

impl Pipe {
    pub(crate) async fn connect(path: &Path) -> io::Result<Self> {
        let socket = UnixStream::connect(path).await?.into_std()?;
        let stream = UnixStream::from_std(socket.try_clone()?)?;
        Ok(Pipe { stream, socket, outbox: Mutex::default(), filled: Notify::new() })
    }

    /// Whether the node has stopped taking what is sent.
    pub(crate) fn is_full(&self) -> bool {
        self.outbox().len() > FULL
    }

    /// Send bytes. That the socket is broken is seen where it is read.
    pub(crate) fn send(&self, bytes: &[u8]) {
        let mut outbox = self.outbox();
        let taken = if outbox.is_empty() { self.stream.try_write(bytes).unwrap_or(0) } else { 0 };
        if taken < bytes.len() {
            outbox.extend_from_slice(&bytes[taken..]);
            self.filled.notify_one();
        }
    }

    /// Send what is in the outbox, whenever there is something, until the socket breaks.
    pub(crate) async fn keep_sending(&self) {
        loop {
            self.filled.notified().await;
            while !self.outbox().is_empty() {
                if self.stream.writable().await.is_err() {
                    return;
                }
                let mut outbox = self.outbox();
                match self.stream.try_write(&outbox) {
                    Ok(taken) => drop(outbox.drain(..taken)),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        }
    }

    /// Wait for bytes, and hand them to the decoder.
    ///
    /// # Errors
    ///
    /// If there will be none: why.
    pub(crate) async fn receive(&self, decoder: &mut Decoder) -> Result<(), String> {
        let mut bytes = [0; 8192];
        loop {
            self.stream.readable().await.map_err(|error| error.to_string())?;
            match self.stream.try_read(&mut bytes) {
                Ok(0) => return Err("the node has hung up".into()),
                Ok(length) => {
                    decoder.push(&bytes[..length]);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(format!("the node is gone: {error}")),
            }
        }
    }

    /// Hang up.
    pub(crate) fn shut(&self) {
        // A socket that is shut already is as good.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    fn outbox(&self) -> MutexGuard<'_, Vec<u8>> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
