//! A folder with a fake node in it: [`NodePlace`].

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use driftlock_client::blocking::Client;
use driftlock_client::fake::Fake;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::place::{Done, Place};

/// Longer than anything here takes.
pub(crate) const LONG: Duration = Duration::from_secs(30);

pub(crate) struct NodePlace {
    pub(crate) fake: Fake,
    pub(crate) place: Place,
}

impl NodePlace {
    pub(crate) fn new() -> Self {
        let place = Place::new();
        NodePlace { fake: Fake::start(place.path("node.sock")), place }
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.fake.path()).unwrap()
    }

    /// The binary, about to ask this node.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.place.command(words);
        command.env("DRIFTLOCK_SOCKET", self.fake.path()).env("SHELL", "/bin/sh");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Done {
        Running::start(&mut self.command(words)).done()
    }

    /// Run a script in a shell under a lock.
    pub(crate) fn script(&self, flags: &[&str], script: &str) -> Done {
        self.run(&[&["lock", "a"], flags, &["--", "sh", "-c", script]].concat())
    }

    /// Start a script in a shell under a lock, and wait for its first line.
    pub(crate) fn start(&self, flags: &[&str], script: &str) -> (Running, String) {
        let words = [&["lock", "a"], flags, &["--", "sh", "-c", script]].concat();
        let mut running = Running::start(&mut self.command(&words));
        let line = running.line();
        (running, line)
    }
}

/// The binary while it runs.
pub(crate) struct Running {
    pub(crate) child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Running { child, out }
    }

    /// Wait for the next line of its output.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim().into()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id() as i32), signal).unwrap();
    }

    /// Wait for its end, and for that of everybody who could still write to its output.
    pub(crate) fn done(mut self) -> Done {
        let (tell, told) = channel();
        thread::spawn(move || {
            let (mut out, mut err) = (String::new(), String::new());
            self.out.read_to_string(&mut out).unwrap();
            self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            let code = self.child.wait().unwrap().code();
            tell.send(Done { code, out, err }).unwrap();
        });
        told.recv_timeout(LONG).expect("nobody has its output open any more")
    }
}
