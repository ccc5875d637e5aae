//! The daemons of a trial: [`Daemons`].

use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use driftlock_client::wire::{Member, Members, Status};
use driftlock_faults::{ALONE_MS, Deed, HELLO_MS, Schedule};

use super::outcome::Outcome;
use crate::lab::Lab;

/// How long to wait for the first word of a daemon before others are looked after again.
const MOMENT: Duration = Duration::from_millis(20);

/// A daemon in each namespace of a lab. Node `i` has the number `i + 1` there.
pub(crate) struct Daemons {
    pub(crate) lab: Lab,
    all: Vec<Daemon>,
    /// What they are started with.
    options: String,
}

struct Daemon {
    process: u32,
    /// Whether it runs, and is not stopped or killed.
    runs: bool,
    /// Whether programs have been able to use it since it was started last.
    serves: bool,
}

impl Daemons {
    pub(crate) fn start(mut lab: Lab, schedule: &Schedule) -> Daemons {
        let mut options = format!("--interface radio --hello {HELLO_MS}");
        if schedule.stops_alone {
            options += &format!(" --alone {}", ALONE_MS / 1000);
        }
        let start = |i| Daemon { process: start(&mut lab, i, &options), runs: true, serves: false };
        let all = (0..schedule.nodes).map(start).collect();
        Daemons { lab, all, options }
    }

    pub(crate) fn disturb(&mut self, i: usize, deed: Deed) {
        let Daemons { lab, all, options } = self;
        let daemon = &mut all[i];
        daemon.runs = matches!(deed, Deed::Continue | Deed::Start);
        let process = daemon.process;
        match deed {
            Deed::Stop => drop(lab.run(&format!("kill -STOP {process}"))),
            Deed::Continue => drop(lab.run(&format!("kill -CONT {process}"))),
            Deed::Kill | Deed::Fail => {
                daemon.serves = false;
                // The shell would say so.
                lab.run(&format!("{{ kill -KILL {process}; wait {process}; }} 2>/dev/null; true"));
            }
            Deed::Start => daemon.process = start(lab, i, options),
            Deed::Forget(_) => unreachable!("that is an errand"),
        }
    }

    /// Whether programs can use a daemon. One that is stopped keeps them waiting.
    pub(crate) fn serves(&mut self, i: usize) -> bool {
        let socket = self.lab.socket(i as u32 + 1);
        let daemon = &mut self.all[i];
        daemon.serves |= daemon.runs && greets(&socket);
        daemon.serves
    }

    /// Whether a daemon has not been killed, or was started again.
    pub(crate) fn lives(&self, i: usize) -> bool {
        let is_there = |process| Path::new(&format!("/proc/{process}")).exists();
        is_there(self.all[i].process)
    }

    /// Whether all of them are members, as the first one sees it.
    pub(crate) fn are_members(&mut self) -> bool {
        let said = self.look(1, "members");
        let members = serde_json::from_str::<Members>(&said).map(|list| list.members.len());
        members.is_ok_and(|length| length == self.all.len())
    }

    /// Whether a node is not a member, as one who is one sees it.
    pub(crate) fn has_forgotten(&mut self, by: usize, node: usize) -> bool {
        let said = self.look(by as u32 + 1, "members");
        let list = serde_json::from_str::<Members>(&said).unwrap_or_default();
        let is_meant = |member: &Member| member.node == node as u32 + 1;
        list.belongs && !list.members.iter().any(is_meant)
    }

    /// Write down how each daemon sees things, beside its log.
    pub(crate) fn describe(&mut self) {
        for node in 1..=self.all.len() as u32 {
            let looks =
                ["status", "members", "neighbors", "locks"].map(|look| self.look(node, look));
            let path = self.lab.folder.path().join(format!("{node}.look"));
            std::fs::write(path, looks.concat()).unwrap();
        }
    }

    /// Every daemon answers that has not failed for good, no token is missing, and one has founded
    /// the network.
    pub(crate) fn conclude(&mut self, lost: &BTreeSet<usize>, outcome: &mut Outcome) {
        let mut founders = 0;
        let left = (0..self.all.len()).filter(|i| !lost.contains(i));
        for node in left.map(|i| i as u32 + 1) {
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
fn start(lab: &mut Lab, i: usize, options: &str) -> u32 {
    let found = if i == 0 { " --found" } else { "" };
    lab.start(i as u32 + 1, &format!("{options}{found}"))
}
