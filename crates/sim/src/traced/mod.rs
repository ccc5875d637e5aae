//! Worlds from files: what a [`Traced`] of a scenario means for a run.
//!
//! A file is read and its links are computed once for a process: [`Plan`]s are kept and shared by
//! all runs that ask for the same.

mod build;
mod parts;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use driftlock_core::{Graph, NodeId};

pub use self::build::read;
use crate::changes::Change;
use crate::scenario::{Scenario, ScenarioError, Traced};
use crate::span::units;

/// A world from a file, in the simulator's time.
#[derive(Debug)]
pub struct Plan {
    /// What the file calls its nodes, in the order of their numbers.
    pub nodes: Vec<String>,
    /// Those of the file that are not among them, because no link ever joins them to most of the
    /// others, and the network is to stay in one piece.
    pub left_out: Vec<String>,
    /// How long it lasts, in seconds.
    pub seconds: f64,
    /// The share of the time in which the nodes that are there form one part, in the file.
    pub share_connected: f64,
    /// The share of the time in which a node is absent, on average over the nodes.
    pub share_absent: f64,
    /// What was tolerated when it was read.
    pub notes: Vec<String>,
    /// How long it lasts, in ticks.
    length: u64,
    /// All link changes by time, in ticks. First come those that are up at the start.
    changes: Vec<(u64, Change)>,
    n_initial: usize,
    /// Links that join the parts of the start.
    joining: Vec<(NodeId, NodeId)>,
    /// When each node is there, unless all are all the time: from a tick on, until one.
    presence: Option<Vec<Vec<(u64, u64)>>>,
    /// Whether it is known of a new link which end has moved.
    has_roles: bool,
}

/// How many plans are kept. A sweep has few of them, and many runs in each.
const KEPT: usize = 64;

/// A plan and what it depends on.
type Kept = (String, Arc<Plan>);

/// The plans of this process, the one that was asked for last in the end.
static PLANS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

impl Scenario {
    /// The world from a file, if the scenario has one.
    pub fn plan(&self) -> Result<Option<Arc<Plan>>, ScenarioError> {
        let plan = |trace| plan(trace, self.stays_together());
        self.trace.as_ref().map(plan).transpose()
    }

    /// How many nodes there are, also those of a file.
    pub fn n_nodes(&self) -> usize {
        let plan = self.plan().ok().flatten();
        plan.map_or_else(|| self.network.n_nodes(), |plan| plan.nodes.len())
    }
}

/// The plan of a trace, which is made if it is not there yet. Whoever asks for it meanwhile waits.
fn plan(trace: &Traced, together: bool) -> Result<Arc<Plan>, ScenarioError> {
    let trace = Traced { together, ..trace.clone() };
    let files = (stamp(&trace.file), trace.activity.as_deref().map(stamp));
    let key = format!("{trace:?} {files:?}");
    let mut kept = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(k) = kept.iter().position(|(known, _)| *known == key) {
        let found = kept.remove(k);
        let plan = found.1.clone();
        kept.push(found);
        return Ok(plan);
    }
    let plan = Arc::new(build::plan(&trace)?);
    if kept.len() >= KEPT {
        kept.remove(0);
    }
    kept.push((key, plan.clone()));
    Ok(plan)
}

/// What changes when a file does. No result depends on it.
fn stamp(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    Some(format!("{} {:?}", about.len(), about.modified().ok()))
}

impl Plan {
    /// How long it lasts, in units of time.
    pub fn units(&self) -> f64 {
        units(self.length)
    }

    /// How many links come up or go down after the start.
    pub fn n_changes(&self) -> usize {
        self.changes.len() - self.n_initial
    }

    /// How many links are held up at the start, because parts have to be joined.
    pub fn n_joining(&self) -> usize {
        self.joining.len()
    }

    /// How long it lasts, in ticks.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The change of this number, and when it is.
    pub(crate) fn change(&self, number: usize) -> Option<(u64, Change)> {
        self.changes.get(number).copied()
    }

    /// How many of the changes make what is up at the start.
    pub(crate) fn n_initial(&self) -> usize {
        self.n_initial
    }

    /// Links that are up from the start only because parts have to be joined.
    pub(crate) fn joining(&self) -> &[(NodeId, NodeId)] {
        &self.joining
    }

    /// Whether it is known of a new link which end has moved.
    pub(crate) fn has_roles(&self) -> bool {
        self.has_roles
    }

    /// What is up at the start, and what joins its parts.
    pub(crate) fn start(&self) -> Graph {
        let mut graph = Graph::new(self.nodes.len());
        for (_, change) in &self.changes[..self.n_initial] {
            let (Change::Up(a, b) | Change::Down(a, b)) = *change;
            graph.link(a, b);
        }
        for &(a, b) in &self.joining {
            graph.link(a, b);
        }
        graph
    }

    /// Nothing, if `node` is there now; otherwise when it will be, if ever.
    pub(crate) fn absence(&self, node: NodeId, now: u64) -> Option<Option<u64>> {
        let times = &self.presence.as_ref()?[node.index()];
        let next = times.partition_point(|&(from, _)| from <= now);
        let is_there = times[..next].last().is_some_and(|&(_, until)| now < until);
        (!is_there).then(|| times.get(next).map(|&(from, _)| from))
    }
}

#[cfg(test)]
mod tests;
