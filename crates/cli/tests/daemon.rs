//! A node that runs in the background: [`Daemon`].

use std::fs::File;
use std::net::UdpSocket;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use driftlock_client::blocking::Client;

use crate::place::Place;

/// How often and how long to look for something that has to come.
const LOOKS: u32 = 4000;
const PAUSE: Duration = Duration::from_millis(5);

/// The number of seconds after which a program that waits for a lock gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A node that runs until this is dropped.
pub(crate) struct Daemon {
    child: Child,
    socket: PathBuf,
    log: PathBuf,
}

/// Wait until there is something.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..LOOKS {
        if let Some(found) = look() {
            return found;
        }
        std::thread::park_timeout(PAUSE);
    }
    panic!("no {what} in time");
}

/// A UDP port that nobody uses.
pub(crate) fn free_port() -> u16 {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    socket.local_addr().unwrap().port()
}

impl Daemon {
    /// Start a node, and wait until programs can use it. Its files are called after `name`.
    pub(crate) fn start(place: &Place, name: &str, line: &str) -> Daemon {
        let socket = place.path(&format!("{name}.sock"));
        let log = place.path(&format!("{name}.log"));
        let words = format!("node --hello 50 {line} --socket");
        let mut command = place.command(words.split_whitespace());
        command.env("XDG_STATE_HOME", place.path(&format!("{name}.state")));
        command.arg(&socket).stdout(Stdio::null()).stderr(File::create(&log).unwrap());
        let daemon = Daemon { child: command.spawn().unwrap(), socket, log };
        until("node", || Client::connect(&daemon.socket).ok());
        daemon
    }

    /// A new session with it.
    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.socket).unwrap()
    }

    /// The number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn socket(&self) -> &PathBuf {
        &self.socket
    }

    /// What it has logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// How many bytes of memory it has, as pages that are there.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// Wait until it is linked with so many.
    pub(crate) fn await_links(&self, links: u64) {
        let client = self.client();
        until("link", || (client.status().unwrap().links == links).then_some(()));
    }

    /// Wait until it has dropped a frame for this reason.
    pub(crate) fn await_dropped(&self, reason: &str) {
        let (client, line) = (self.client(), format!("dropped_total{{reason=\"{reason}\"}} "));
        until("dropped frame", || {
            let metrics = client.metrics().unwrap();
            let (_, rest) = metrics.split_once(&line).unwrap();
            (!rest.starts_with("0\n")).then_some(())
        });
    }

    /// Wait until it warns of something.
    pub(crate) fn await_warning(&self, what: &str) -> String {
        let client = self.client();
        until("warning", || {
            let warnings = client.status().unwrap().warnings;
            warnings.into_iter().find(|warning| warning.contains(what))
        })
    }

    /// Tell it to stop, wait until it has, and return its exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }

    /// End it at once, so that it can do nothing about it.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
