//! The daemons of a trial: [`Daemons`].

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use driftlock_client::wire::Status;
use driftlock_faults::{Deed, HELLO_MS};

use super::outcome::Outcome;
use crate::lab::Lab;

/// How long to wait for the first word of a daemon before others are looked after again.
const MOMENT: Duration = Duration::from_millis(20);

/// A daemon in each namespace of a lab. Node `i` has the number `i + 1` there.
pub(crate) struct Daemons {
    pub(crate) lab: Lab,
    all: Vec<Daemon>,
}

struct Daemon {
    process: u32,
    /// Whether it runs, and is not stopped or killed.
    runs: bool,
    /// Whether programs have been able to use it since it was started last.
    serves: bool,
}

impl Daemons {
    pub(crate) fn start(mut lab: Lab, nodes: usize) -> Daemons {
        let start = |i| Daemon { process: start(&mut lab, i), runs: true, serves: false };
        let all = (0..nodes).map(start).collect();
        Daemons { lab, all }
    }

    pub(crate) fn disturb(&mut self, i: usize, deed: Deed) {
        let Daemons { lab, all } = self;
        let daemon = &mut all[i];
        daemon.runs = matches!(deed, Deed::Continue | Deed::Start);
        let process = daemon.process;
        match deed {
            Deed::Stop => drop(lab.run(&format!("kill -STOP {process}"))),
            Deed::Continue => drop(lab.run(&format!("kill -CONT {process}"))),
            Deed::Kill => {
                daemon.serves = false;
                // The shell would say so.
                lab.run(&format!("{{ kill -KILL {process}; wait {process}; }} 2>/dev/null; true"));
            }
            Deed::Start => daemon.process = start(lab, i),
        }
    }

    /// Whether programs can use a daemon. One that is stopped keeps them waiting.
    pub(crate) fn serves(&mut self, i: usize) -> bool {
        let socket = self.lab.socket(i as u32 + 1);
        let daemon = &mut self.all[i];
        daemon.serves |= daemon.runs && greets(&socket);
        daemon.serves
    }

    /// Write down how each daemon sees things, beside its log.
    pub(crate) fn describe(&mut self) {
        for node in 1..=self.all.len() as u32 {
            let looks = ["status", "neighbors", "locks"].map(|look| self.look(node, look));
            let path = self.lab.folder.path().join(format!("{node}.look"));
            std::fs::write(path, looks.concat()).unwrap();
        }
    }

    /// Every daemon answers, no token is missing, and one has founded the network.
    pub(crate) fn conclude(&mut self, outcome: &mut Outcome) {
        let mut founders = 0;
        for node in 1..=self.all.len() as u32 {
            let said = self.look(node, "status");
            match serde_json::from_str::<Status>(&said) {
                Ok(status) if status.lost.is_empty() => founders += usize::from(status.founder),
                Ok(status) => outcome.wrong.push(format!("tokens are missing: {status:?}")),
                Err(_) => outcome.wrong.push(format!("node {} does not answer: {said}", node - 1)),
            }
        }
        if outcome.wrong.is_empty() && founders != 1 {
            outcome.wrong.push(format!("{founders} nodes have founded the network"));
        }
    }

    /// What a daemon says of itself, if it says anything soon.
    fn look(&mut self, node: u32, what: &str) -> String {
        let (socket, binary) = (self.lab.socket(node), env!("CARGO_BIN_EXE_driftlock"));
        let socket = socket.display();
        self.lab.run(&format!("timeout 20 {binary} {what} --json --socket {socket} || true"))
    }
}

/// Whether there is a daemon that lets programs in.
fn greets(socket: &Path) -> bool {
    let Ok(mut stream) = UnixStream::connect(socket) else { return false };
    stream.set_read_timeout(Some(MOMENT)).unwrap();
    stream.read(&mut [0]).is_ok_and(|length| length == 1)
}

/// Start a daemon, with what it remembers.
fn start(lab: &mut Lab, i: usize) -> u32 {
    let found = if i == 0 { " --found" } else { "" };
    lab.start(i as u32 + 1, &format!("--interface radio --hello {HELLO_MS}{found}"))
}
