//! Real nodes in a line, each in its own process, over UDP on loopback.

use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use driftlock_client::Lock;
use driftlock_client::blocking::{Client, Guard};
use driftlock_client::wire::LinkState;

use crate::Locker;

pub(crate) struct Line {
    nodes: Vec<Child>,
    sockets: Vec<PathBuf>,
}

impl Line {
    pub(crate) fn start(folder: &Path, n: usize, remembers: bool) -> Line {
        let driftlock = env!("CARGO_BIN_EXE_driftlock");
        let key = folder.join("key");
        let made = Command::new(driftlock).args(["key", "new"]).output().unwrap();
        std::fs::write(&key, made.stdout).unwrap();
        let free = || UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let addresses: Vec<_> = (0..n).map(|_| free().to_string()).collect();
        let sockets: Vec<PathBuf> = (0..n).map(|i| folder.join(format!("n{i}.sock"))).collect();
        let mut nodes = Vec::new();
        for i in 0..n {
            let mut command = Command::new(driftlock);
            command.args(["node", "--id", &i.to_string(), "--hello", "100", "--log", "off"]);
            match remembers {
                true => command.arg("--state").arg(folder.join(format!("n{i}"))),
                false => command.arg("--ephemeral"),
            };
            command.arg("--key").arg(&key).arg("--socket").arg(&sockets[i]);
            command.args(["--listen", &addresses[i]]);
            for j in [i.checked_sub(1), Some(i + 1)].into_iter().flatten().filter(|&j| j < n) {
                command.args(["--peer", &addresses[j]]);
            }
            if i == 0 {
                command.arg("--found");
            }
            nodes.push(command.stdout(Stdio::null()).spawn().unwrap());
        }
        let line = Line { nodes, sockets };
        for i in 0..n {
            let links = if i == 0 || i + 1 == n { 1 } else { 2 };
            line.wait_for_links(i, links);
        }
        line
    }

    fn client(&self, i: usize) -> Client {
        let start = Instant::now();
        loop {
            match Client::connect(&self.sockets[i]) {
                Ok(client) => return client,
                Err(error) => assert!(start.elapsed().as_secs() < 10, "{error}"),
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }

    fn wait_for_links(&self, i: usize, links: usize) {
        let client = self.client(i);
        let start = Instant::now();
        loop {
            let neighbors = client.neighbors().unwrap();
            let up = neighbors.iter().filter(|neighbor| neighbor.state == LinkState::Up).count();
            if up == links {
                return;
            }
            assert!(start.elapsed().as_secs() < 10, "node {i} has {up} links, not {links}");
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }

    /// A program at a node. Either it waits until a release is confirmed, or it drops the guard and
    /// goes on.
    pub(crate) fn locker(&self, i: usize, name: &'static str, confirmed: bool) -> Box<dyn Locker> {
        Box::new(Ours { client: self.client(i), name, confirmed, guard: None })
    }

    /// From release to grant between two neighbors, sorted, in milliseconds.
    pub(crate) fn hand_offs(&self, name: &'static str, n: usize) -> Vec<f64> {
        let (one, other) = (self.client(0), self.client(1));
        let mut times = Vec::new();
        let mut guard = one.acquire(Lock::exclusive(name)).unwrap();
        for turn in 0..n {
            let next = if turn % 2 == 0 { &other } else { &one };
            let (released, (granted, at)) = std::thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    let guard = next.acquire(Lock::exclusive(name)).unwrap();
                    (guard, Instant::now())
                });
                // Until the request is in the queue of the holder's node.
                let holder = if turn % 2 == 0 { &one } else { &other };
                while holder.queue(name).unwrap().neighbors.is_empty() {}
                let released = Instant::now();
                guard.release().unwrap();
                (released, waiting.join().unwrap())
            });
            guard = granted;
            times.push((at - released).as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        times
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            node.kill().unwrap();
            node.wait().unwrap();
        }
    }
}

struct Ours {
    client: Client,
    name: &'static str,
    confirmed: bool,
    guard: Option<Guard>,
}

impl Locker for Ours {
    fn acquire(&mut self) {
        self.guard = Some(self.client.acquire(Lock::exclusive(self.name)).unwrap());
    }

    fn release(&mut self) {
        let guard = self.guard.take().unwrap();
        if self.confirmed {
            guard.release().unwrap();
        }
    }
}
