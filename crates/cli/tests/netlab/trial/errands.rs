//! `driftlock forget`, until it is so: [`Errands`].

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::daemons::Daemons;

/// How long to wait before another try.
const AGAIN: Duration = Duration::from_millis(300);

/// Somebody is told to have a node forgotten.
struct Errand {
    by: usize,
    node: usize,
    /// The command that is at it, or when to try again.
    state: Result<Child, Instant>,
}

/// Those who are told to have nodes forgotten.
pub(crate) struct Errands {
    all: Vec<Errand>,
    /// Whether the nodes stop by themselves, and nobody has to see that they have.
    stops_alone: bool,
    /// How many have been forgotten.
    pub(crate) done: u64,
}

impl Errands {
    pub(crate) fn new(stops_alone: bool) -> Errands {
        Errands { all: Vec::new(), stops_alone, done: 0 }
    }

    pub(crate) fn add(&mut self, by: usize, node: usize) {
        self.all.push(Errand { by, node, state: Err(Instant::now()) });
    }

    /// Whether this node is to be forgotten, and is not yet.
    pub(crate) fn are_about(&self, node: usize) -> bool {
        self.all.iter().any(|errand| errand.node == node)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whoever lives is in reach again, and need not be forgotten.
    pub(crate) fn spare_the_living(&mut self, daemons: &Daemons) {
        for errand in self.all.extract_if(.., |errand| daemons.lives(errand.node)) {
            errand.state.into_iter().for_each(end);
        }
    }

    /// See who is forgotten, and try again to have the others forgotten.
    pub(crate) fn go_on(&mut self, daemons: &mut Daemons) {
        let stopped = !self.stops_alone;
        let is_done = |errand: &mut Errand| match &mut errand.state {
            Err(next) => {
                if *next <= Instant::now() && daemons.serves(errand.by) {
                    errand.state = Ok(forget(daemons, errand.by, errand.node, stopped));
                }
                false
            }
            Ok(child) => match child.try_wait().unwrap() {
                Some(status) if status.success() => true,
                Some(_) => {
                    errand.state = Err(Instant::now() + AGAIN);
                    // Whoever was told before may have done it, and not come to say so.
                    daemons.has_forgotten(errand.by, errand.node)
                }
                None => false,
            },
        };
        self.done += self.all.extract_if(.., is_done).count() as u64;
    }
}

impl Drop for Errands {
    fn drop(&mut self) {
        self.all.drain(..).flat_map(|errand| errand.state).for_each(end);
    }
}

fn end(mut child: Child) {
    // It may have ended already, which is as good.
    let _ = child.kill();
    let _ = child.wait();
}

fn forget(daemons: &Daemons, by: usize, node: usize, stopped: bool) -> Child {
    let lab = &daemons.lab;
    let log = lab.folder.path().join(format!("forget{}.log", node + 1));
    let log = File::options().create(true).append(true).open(log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_driftlock"));
    command.args(["forget", &(node + 1).to_string(), "--socket"]);
    command.arg(lab.socket(by as u32 + 1)).args(stopped.then_some("--stopped"));
    command.process_group(0).stdin(Stdio::null());
    command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
}
