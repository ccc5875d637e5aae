//! etcd, one server on loopback, asked through its JSON gateway.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Locker;

pub(crate) struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Nothing if it is not installed.
    pub(crate) fn start(folder: &Path) -> Option<Server> {
        let (port, peers) = (free_port(), free_port());
        let url = |port| format!("http://127.0.0.1:{port}");
        let child = Command::new("etcd")
            .arg("--data-dir")
            .arg(folder.join("etcd"))
            .args(["--listen-client-urls", &url(port), "--advertise-client-urls", &url(port)])
            .args(["--listen-peer-urls", &url(peers)])
            .args(["--initial-advertise-peer-urls", &url(peers)])
            .args(["--initial-cluster", &format!("default={}", url(peers))])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let server = Server { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed().as_secs() < 20, "etcd does not answer");
            std::thread::park_timeout(Duration::from_millis(50));
        }
        std::thread::park_timeout(Duration::from_secs(2));
        Some(server)
    }

    pub(crate) fn locker(&self, name: &str) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut client = Client {
            stream: BufReader::new(stream),
            name: base64(name),
            lease: 0.into(),
            key: None,
        };
        let lease = client.ask("/v3/lease/grant", &serde_json::json!({"TTL": 600}));
        client.lease = lease["ID"].clone();
        client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    name: String,
    lease: serde_json::Value,
    key: Option<serde_json::Value>,
}

impl Client {
    /// One exchange over the kept connection.
    fn ask(&mut self, path: &str, body: &serde_json::Value) -> serde_json::Value {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: etcd\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(head.as_bytes()).unwrap();
        let (mut length, mut chunked, mut line) = (0, false, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            let lower = line.trim().to_ascii_lowercase();
            if lower.is_empty() {
                break;
            }
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            chunked |= lower == "transfer-encoding: chunked";
        }
        let mut answer = Vec::new();
        if chunked {
            loop {
                line.clear();
                self.stream.read_line(&mut line).unwrap();
                let size = usize::from_str_radix(line.trim(), 16).unwrap();
                let mut chunk = vec![0; size + 2];
                self.stream.read_exact(&mut chunk).unwrap();
                answer.extend_from_slice(&chunk[..size]);
                if size == 0 {
                    break;
                }
            }
        } else {
            answer.resize(length, 0);
            self.stream.read_exact(&mut answer).unwrap();
        }
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        assert!(answer.get("error").is_none(), "{answer}");
        answer
    }
}

impl Locker for Client {
    fn acquire(&mut self) {
        let body = serde_json::json!({"name": self.name, "lease": self.lease});
        let answer = self.ask("/v3/lock/lock", &body);
        self.key = Some(answer["key"].clone());
    }

    fn release(&mut self) {
        let key = self.key.take().unwrap();
        self.ask("/v3/lock/unlock", &serde_json::json!({ "key": key }));
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// For names whose length is no problem: padded with `x` to a multiple of three.
fn base64(name: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(bytes.len().next_multiple_of(3), b'x');
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0_usize, |number, byte| number << 8 | usize::from(*byte));
        (0..4).rev().for_each(|i| text.push(DIGITS[number >> (6 * i) & 63].into()));
    }
    text
}
