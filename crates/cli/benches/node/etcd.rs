//! etcd, one server on loopback, asked by gRPC over one kept connection for each client.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::SendRequest;
use http::{HeaderMap, Request};
use tokio::runtime::{Builder, Runtime};

use crate::Locker;
use crate::protobuf::{Message, Value, field};

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

    pub(crate) fn locker(&self, name: &'static str) -> Client {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        let requests = runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (requests, connection) = h2::client::handshake(stream).await.unwrap();
            tokio::spawn(connection);
            requests.ready().await.unwrap()
        });
        let mut client = Client { runtime, requests, port: self.port, name, lease: 0, key: None };
        let answer = client.ask("etcdserverpb.Lease/LeaseGrant", Message::default().number(1, 600));
        let Value::Number(lease) = field(&answer, 2) else { panic!("a lease is a number") };
        client.lease = lease;
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
    runtime: Runtime,
    requests: SendRequest<Bytes>,
    port: u16,
    name: &'static str,
    lease: u64,
    /// What etcd calls the lock that is had.
    key: Option<Vec<u8>>,
}

impl Client {
    /// One exchange: the frame of the answer.
    fn ask(&mut self, method: &str, message: Message) -> Vec<u8> {
        let request = Request::post(format!("http://127.0.0.1:{}/{method}", self.port))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())
            .unwrap();
        self.runtime.block_on(async {
            let (response, mut body) = self.requests.send_request(request, false).unwrap();
            body.send_data(message.framed().into(), true).unwrap();
            let (head, mut body) = response.await.unwrap().into_parts();
            let mut answer = Vec::new();
            while let Some(part) = body.data().await {
                let part = part.unwrap();
                body.flow_control().release_capacity(part.len()).unwrap();
                answer.extend_from_slice(&part);
            }
            // What is refused at once has its status in the head.
            let trailers = body.trailers().await.unwrap();
            check_status(method, trailers.as_ref().unwrap_or(&head.headers));
            answer
        })
    }
}

fn check_status(method: &str, headers: &HeaderMap) {
    let status = headers.get("grpc-status").map(|status| status.as_bytes());
    assert_eq!(status, Some(&b"0"[..]), "{method}: {headers:?}");
}

impl Locker for Client {
    fn acquire(&mut self) {
        let message = Message::default().bytes(1, self.name.as_bytes()).number(2, self.lease);
        let answer = self.ask("v3lockpb.Lock/Lock", message);
        let Value::Bytes(key) = field(&answer, 2) else { panic!("a key is bytes") };
        self.key = Some(key.to_owned());
    }

    fn release(&mut self) {
        let key = self.key.take().unwrap();
        self.ask("v3lockpb.Lock/Unlock", Message::default().bytes(1, &key));
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
