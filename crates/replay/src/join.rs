//! What several nodes wrote down, each for itself, as one journal: [`join`].
//!
//! Nobody saw the whole run, and no clock says what came first. But each node's steps are in order,
//! a message is received after it was sent, and the incarnations of a link are numbered. Any order
//! of all steps that keeps to this is one in which the run could have happened, and none of the
//! processes could tell the difference. So the steps are taken one by one, whichever is possible,
//! under the eyes of the monitors, and each has to answer as its node wrote down.
//!
//! A node at rest is told of links late. If it wrote down nothing more, it is told here that a link
//! went down, where another node's next step needs that.

use std::collections::BTreeMap;
use std::io;

use driftlock_core::NodeId;
use driftlock_journal::{End, Event, Footer, Record, Writer};
use driftlock_spec::Violation;
use serde::Serialize;
use thiserror::Error;

use crate::enact::header;
use crate::stage::Stage;
use crate::{Replayable, Setting};

/// A step as one node wrote it down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartStep {
    /// What happened.
    pub event: Event,
    /// The incarnation of the link that it happened on, if it did on one.
    pub epoch: u64,
    /// The check sum of what was answered.
    pub check: u32,
}

/// The steps of all nodes in one order.
#[derive(Debug)]
pub struct Joined {
    /// The steps, one tick each.
    pub records: Vec<Record>,
    /// How many steps could not be placed: what comes before them is missing.
    pub left: usize,
    /// The first broken promise.
    pub violation: Option<Violation>,
}

/// Why parts cannot be joined.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum JoinError {
    /// There is no node, or more than can be.
    #[error("the parts are of no network")]
    Network,
    /// A node wrote down another answer than its process gives.
    #[error("step {step} of {node} answers otherwise than it wrote down")]
    Differs {
        /// Whose step.
        node: NodeId,
        /// Which one of it, counted from 1.
        step: usize,
    },
}

/// What one node has still to say about its link to another.
#[derive(Clone, Copy, Default)]
struct Ahead {
    steps: usize,
    ups: usize,
    receipts: usize,
}

/// The steps ahead: whose, about the link to whom, of which incarnation.
type Aheads = BTreeMap<(NodeId, NodeId), BTreeMap<u64, Ahead>>;

/// Put the steps of all nodes into one order.
pub fn join<P: Replayable>(
    setting: &Setting,
    config: &P::Config,
    parts: &BTreeMap<NodeId, Vec<PartStep>>,
) -> Result<Joined, JoinError> {
    let stage: Stage<P> = Stage::new(setting, config).ok_or(JoinError::Network)?;
    let places = parts.keys().map(|&node| (node, 0)).collect();
    let mut joint = Joint { stage, parts, places, aheads: aheads(parts), records: Vec::new() };
    while joint.go_on()? || joint.tell_who_rests() {}
    let all: usize = parts.values().map(Vec::len).sum();
    let left = all - joint.places.values().sum::<usize>();
    Ok(Joined { left, violation: joint.stage.violation().cloned(), records: joint.records })
}

impl Joined {
    /// Write the steps down as a journal, for [`replay`](crate::replay()).
    pub fn write<C: Serialize>(
        &self,
        setting: &Setting,
        config: &C,
        software: &str,
        to: &mut dyn io::Write,
    ) -> io::Result<()> {
        let header = header(setting, config, software)?;
        let mut writer = Writer::new(to, &header, setting.graph.links())?;
        for record in &self.records {
            writer.record(record)?;
        }
        let footer = Footer {
            steps: self.records.len() as u64,
            ended_at: self.records.last().map_or(0, |record| record.at),
            end: End::BrokenOff,
            violation: self.violation.as_ref().map(Violation::to_string),
        };
        writer.finish(&footer)?;
        Ok(())
    }
}

/// Parts that are being joined.
struct Joint<'a, P: Replayable> {
    stage: Stage<P>,
    parts: &'a BTreeMap<NodeId, Vec<PartStep>>,
    /// How many steps of each node were taken.
    places: BTreeMap<NodeId, usize>,
    aheads: Aheads,
    records: Vec<Record>,
}

impl<P: Replayable> Joint<'_, P> {
    fn next(&self, node: NodeId) -> Option<PartStep> {
        self.parts[&node].get(self.places[&node]).cloned()
    }

    /// Take all steps of all nodes that are possible. Says whether there was one.
    fn go_on(&mut self) -> Result<bool, JoinError> {
        let before = self.records.len();
        for &node in self.parts.keys() {
            while let Some(step) = self.next(node).filter(|_| !self.stage.is_over()) {
                if !is_due(node, &step, &self.aheads) {
                    break;
                }
                let Some(check) = self.take(node, &step.event) else { break };
                let place = self.places.entry(node).or_insert(0);
                *place += 1;
                if check != step.check {
                    return Err(JoinError::Differs { node, step: *place });
                }
                count(node, &step, &mut self.aheads, |number| number - 1);
            }
        }
        Ok(before < self.records.len())
    }

    /// Tell a node that wrote down nothing more that a link went down, if that is what another one
    /// waits for. Says whether there was one.
    fn tell_who_rests(&mut self) -> bool {
        let waiting = self.parts.keys().filter_map(|&node| match self.next(node)?.event {
            Event::LinkUp(peer, _) => Some((peer, node)),
            _ => None,
        });
        let resting = waiting.filter(|(peer, _)| {
            self.places.get(peer).copied() == self.parts.get(peer).map(Vec::len)
        });
        let pairs: Vec<(NodeId, NodeId)> = resting.collect();
        pairs.into_iter().any(|(peer, node)| self.take(peer, &Event::LinkDown(node)).is_some())
    }

    /// Take a step if it is possible. Returns its check sum.
    fn take(&mut self, node: NodeId, event: &Event) -> Option<u32> {
        let at = self.records.len() as u64 + 1;
        let check = self.stage.take(at, node, event, &mut |_, _| {}).ok()?;
        self.records.push(Record { at, node, event: event.clone(), check });
        Some(check)
    }
}

fn aheads(parts: &BTreeMap<NodeId, Vec<PartStep>>) -> Aheads {
    let mut aheads = Aheads::new();
    for (&node, steps) in parts {
        steps.iter().for_each(|step| count(node, step, &mut aheads, |number| number + 1));
    }
    aheads
}

fn count(node: NodeId, step: &PartStep, aheads: &mut Aheads, change: fn(usize) -> usize) {
    let Some(peer) = peer_of(&step.event) else { return };
    let epochs = aheads.entry((node, peer)).or_default();
    let ahead = epochs.entry(step.epoch).or_default();
    ahead.steps = change(ahead.steps);
    match step.event {
        Event::LinkUp(..) => ahead.ups = change(ahead.ups),
        Event::Recv(_) => ahead.receipts = change(ahead.receipts),
        _ => {}
    }
    if ahead.steps == 0 {
        epochs.remove(&step.epoch);
    }
}

/// Whether what the other end of the link has still to say does not come before this step.
fn is_due(node: NodeId, step: &PartStep, aheads: &Aheads) -> bool {
    let Some(peer) = peer_of(&step.event) else { return true };
    let Some(epochs) = aheads.get(&(peer, node)) else { return true };
    if epochs.range(..step.epoch).next().is_some() {
        return false;
    }
    let ahead = epochs.get(&step.epoch).copied().unwrap_or_default();
    match step.event {
        // An end that comes up at all does so before the other knows that it went down.
        Event::LinkDown(_) => ahead.ups == 0,
        // What comes back was not received, and nothing after it.
        Event::Returned(_) => ahead.ups == 0 && ahead.receipts == 0,
        _ => true,
    }
}

/// The other end of the link that something happens on.
fn peer_of(event: &Event) -> Option<NodeId> {
    match event {
        Event::Recv(peer)
        | Event::Returned(peer)
        | Event::LinkUp(peer, _)
        | Event::LinkDown(peer) => Some(*peer),
        _ => None,
    }
}
