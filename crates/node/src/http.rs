//! Metrics for whoever collects them: the least of HTTP, on the loopback interface.

use std::io;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

use crate::metrics;
use crate::shared::Handle;

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most bytes of a request that are read.
const REQUEST_MAX: usize = 4096;

pub(crate) async fn serve(listener: TcpListener, shared: Handle) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let shared = shared.clone();
        tokio::task::spawn_local(async move {
            // Whoever does not ask in time, or hangs up, gets nothing.
            let _ = tokio::time::timeout(PATIENCE, answer(stream, shared)).await;
        });
    }
}

async fn answer(stream: TcpStream, shared: Handle) -> io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 1024];
    while !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") && request.len() < REQUEST_MAX {
        stream.readable().await?;
        match stream.try_read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => request.extend_from_slice(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    let (status, body) = if request.starts_with(b"GET /metrics ") {
        ("200 OK", metrics::text(&shared.borrow()))
    } else {
        ("404 Not Found", "There is /metrics, and nothing else.\n".to_owned())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let response = [head.as_bytes(), body.as_bytes()].concat();
    let mut rest = &response[..];
    while !rest.is_empty() {
        stream.writable().await?;
        match stream.try_write(rest) {
            Ok(length) => rest = &rest[length..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
