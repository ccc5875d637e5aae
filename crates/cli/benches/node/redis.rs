//! Redis, one server on loopback: `SET NX` until it succeeds, and `DEL`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Locker;
use crate::etcd::free_port;

pub(crate) struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Nothing if it is not installed.
    pub(crate) fn start(folder: &Path) -> Option<Server> {
        let port = free_port();
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""])
            .arg("--dir")
            .arg(folder)
            .stdout(Stdio::null())
            .spawn()
            .ok()?;
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed().as_secs() < 10, "Redis does not answer");
            std::thread::park_timeout(Duration::from_millis(20));
        }
        Some(Server { child, port })
    }

    pub(crate) fn locker(&self, name: &'static str) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, name }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub(crate) struct Client {
    stream: TcpStream,
    name: &'static str,
}

impl Client {
    /// One exchange; all answers here are short.
    fn ask(&mut self, command: &str) -> bool {
        self.stream.write_all(command.as_bytes()).unwrap();
        let mut answer = [0; 64];
        let mut length = 0;
        while !answer[..length].ends_with(b"\r\n") {
            length += self.stream.read(&mut answer[length..]).unwrap();
        }
        answer[0] == b'+' || answer[0] == b':'
    }
}

impl Locker for Client {
    fn acquire(&mut self) {
        let command = format!("SET {} mine NX PX 60000\r\n", self.name);
        while !self.ask(&command) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn release(&mut self) {
        assert!(self.ask(&format!("DEL {}\r\n", self.name)));
    }
}
