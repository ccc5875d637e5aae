//! A node of the network: [`Site`].

use driftlock_core::{Canonical, Input, Inspect, NodeId, Output, Protocol, ResourceId, Status};
use driftlock_replay::Replayable;
use serde::Serialize;

use crate::levels::{Shift, StateRange, shift_number};

/// What a protocol has to offer to be checked.
pub trait Checked:
    Replayable<Config: Serialize, Msg: Send + Sync, Timer: Send + Sync>
    + Inspect
    + Canonical
    + Send
    + Sync
{
}

impl<P> Checked for P where
    P: Replayable<Config: Serialize, Msg: Send + Sync, Timer: Send + Sync>
        + Inspect
        + Canonical
        + Send
        + Sync
{
}

/// A process, and what the world knows of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Site<P: Protocol> {
    pub(crate) process: P,
    /// The section it is in, judged by its application events.
    pub(crate) section: Status,
    /// What it asked for, if it did and if there is a choice.
    pub(crate) wanted: ResourceId,
    /// The timers that are set, in order.
    pub(crate) timers: Vec<P::Timer>,
    /// Whether it has stopped for good.
    pub(crate) crashed: bool,
}

impl<P: Checked> Site<P> {
    pub(crate) fn new(process: P) -> Self {
        Site {
            section: process.status(),
            process,
            wanted: ResourceId(0),
            timers: Vec::new(),
            crashed: false,
        }
    }

    /// What the application and the timers make of a step.
    pub(crate) fn follow(
        &mut self,
        input: &Input<P::Msg, P::Timer>,
        outputs: &[Output<P::Msg, P::Timer>],
        choice: bool,
    ) {
        for output in outputs {
            match output {
                Output::SetTimer { timer, .. } => {
                    if let Err(place) = self.timers.binary_search(timer) {
                        self.timers.insert(place, timer.clone());
                    }
                }
                Output::CancelTimer { timer } => self.timers.retain(|other| other != timer),
                _ => {}
            }
        }
        match input {
            Input::RequestCs(resource) if choice => self.wanted = *resource,
            _ if self.section == Status::Remainder => self.wanted = ResourceId(0),
            _ => {}
        }
    }

    pub(crate) fn shifted(&self, shift: Shift) -> Self {
        let mut site = self.clone();
        site.process.levels(&mut |level, number| shift_number(level, number, &shift));
        site
    }
}

/// What is asked of a site in every state.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) section: Status,
    pub(crate) wanted: ResourceId,
    pub(crate) crashed: bool,
    /// How many tokens it has.
    pub(crate) held: u32,
    /// What it has of a weight that was handed out, less what it handed out.
    pub(crate) weight: i64,
    /// The peers it counts among its neighbors, a bit for each.
    pub(crate) knows: u32,
    /// The peers with which it shares a fork that is here, a bit for each.
    pub(crate) forks: u32,
    /// The color with which it competes.
    pub(crate) color: Option<i64>,
    /// Under which epoch it is inside, if it is.
    pub(crate) epoch: u64,
    /// Of which epochs it has a token, where tokens are made anew.
    pub(crate) epochs: Vec<u64>,
    /// Whether it says that no token can be reached.
    pub(crate) misses: bool,
    /// Whether it need not be told of link changes.
    pub(crate) at_rest: bool,
    /// How many timers are set.
    pub(crate) timers: u8,
    /// Which, a bit for each.
    pub(crate) set: u64,
    pub(crate) levels: StateRange,
}

impl Facts {
    /// The facts of `site` in a network of `n` nodes.
    pub(crate) fn of<P: Checked>(site: &mut Site<P>, n: usize) -> Self {
        let mut levels = StateRange::EMPTY;
        site.process.levels(&mut |level, number| levels.see(level, *number));
        let peers = |holds: &dyn Fn(NodeId) -> bool| {
            (0..n).filter(|&peer| holds(NodeId::at(peer))).fold(0, |peers, peer| peers | 1 << peer)
        };
        Facts {
            section: site.section,
            wanted: site.wanted,
            crashed: site.crashed,
            held: site.process.held(),
            weight: site.process.weight(),
            knows: peers(&|peer| site.process.knows(peer)),
            forks: if P::FORKS { peers(&|peer| site.process.has_fork(peer)) } else { 0 },
            color: if P::COLORS { site.process.color() } else { None },
            epoch: site.process.epoch(),
            epochs: site.process.epochs_held().collect(),
            misses: site.process.misses_token(),
            at_rest: site.process.is_at_rest(),
            timers: site.timers.len() as u8,
            set: 0,
            levels,
        }
    }
}
