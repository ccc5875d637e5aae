//! The daemons of a trial: [`Daemons`].

use driftlock_client::blocking::Client;
use driftlock_faults::{Deed, HELLO_MS};

use super::outcome::Outcome;
use crate::lab::Lab;

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
        daemon.serves |= daemon.runs && Client::connect(&socket).is_ok();
        daemon.serves
    }

    /// Write down how each daemon sees things, beside its log.
    pub(crate) fn describe(&mut self) {
        for node in 1..=self.all.len() as u32 {
            let (socket, folder) = (self.lab.socket(node), self.lab.folder.path().to_owned());
            for look in ["status", "neighbors", "locks"] {
                self.lab.run(&format!(
                    "timeout 5 {binary} {look} --json --socket {socket} >>{folder}/{node}.look; true",
                    binary = env!("CARGO_BIN_EXE_driftlock"),
                    socket = socket.display(),
                    folder = folder.display(),
                ));
            }
        }
    }

    /// No token is missing, and one has founded the network.
    pub(crate) fn conclude(&self, outcome: &mut Outcome) {
        let mut founders = 0;
        for i in 0..self.all.len() {
            let client = Client::connect(self.lab.socket(i as u32 + 1)).unwrap();
            let status = client.status().unwrap();
            founders += usize::from(status.founder);
            if !status.lost.is_empty() {
                outcome.wrong.push(format!("node {i} misses tokens: {:?}", status.lost));
            }
        }
        if founders != 1 {
            outcome.wrong.push(format!("{founders} nodes have founded the network"));
        }
    }
}

/// Start a daemon, with what it remembers.
fn start(lab: &mut Lab, i: usize) -> u32 {
    let found = if i == 0 { " --found" } else { "" };
    lab.start(i as u32 + 1, &format!("--interface radio --hello {HELLO_MS}{found}"))
}
