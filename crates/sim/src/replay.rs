//! A journal, run again and verified step by step: [`replay`].
//!
//! The replay shares no code with [`World`](crate::World) but the protocol and the monitor: it
//! rebuilds every channel from what processes send, takes each message from its channel when the
//! journal says it was received, and finds a driver out that broke the rules of its own model.

use std::collections::{BTreeMap, VecDeque};
use std::io::BufRead;

use driftlock_core::{Graph, Input, NodeId, Out, Output, Ticks};
use driftlock_journal::{Digest, End, Event, JournalError, Reader, Record};
use driftlock_spec::links::Downfall;
use driftlock_spec::progress::Calm;
use driftlock_spec::{Monitor, Rules, Violation};
use thiserror::Error;

use crate::world::Simulated;

/// Why a replay ended before the journal did.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The journal cannot be read further.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The network in the journal is one that no run starts from.
    #[error("has an initial network that is not connected")]
    Network,
    /// A step cannot be taken.
    #[error("cannot be replayed from step {step} on: {what}")]
    Impossible {
        /// Which step, counted from 1.
        step: u64,
        /// Why.
        what: String,
    },
    /// A step answered something else than it did when the journal was written.
    #[error("differs in step {step}: the process of {node} answers otherwise than was recorded")]
    Differs {
        /// Which step, counted from 1.
        step: u64,
        /// Whose.
        node: NodeId,
    },
    /// The journal ends otherwise than the replay does.
    #[error("ends otherwise: recorded was `{recorded}`, replayed is `{replayed}`")]
    OtherEnd {
        /// What the journal says.
        recorded: String,
        /// What the replay says.
        replayed: String,
    },
}

/// A journal that was replayed to its end.
#[derive(Debug)]
pub struct Replayed {
    /// How many steps there were.
    pub steps: u64,
    /// The first broken promise.
    pub violation: Option<Violation>,
}

/// What happened in a step: when, whose, what came, what was answered.
pub type Seen<'s, P> = dyn FnMut(
        u64,
        NodeId,
        &Input<<P as driftlock_core::Protocol>::Msg, <P as driftlock_core::Protocol>::Timer>,
        &[Output<<P as driftlock_core::Protocol>::Msg, <P as driftlock_core::Protocol>::Timer>],
    ) + 's;

/// Run the steps of a journal again. `seen` is shown each of them.
pub fn replay<P: Simulated, R: BufRead>(
    reader: &mut Reader<R>,
    config: &P::Config,
    seen: &mut Seen<'_, P>,
) -> Result<Replayed, ReplayError> {
    let mut stage: Stage<P> = Stage::new(reader, config)?;
    let mut ended_at = 0;
    while let Some(record) = reader.next_record()? {
        ended_at = record.at;
        stage.step(&record, seen)?;
    }
    let footer = reader.footer().cloned().unwrap_or_default();
    let calm = match footer.end {
        End::BrokenOff => None,
        End::Silent if stage.channels.values().all(VecDeque::is_empty) => Some(Calm::Silent),
        End::Silent | End::Restless => Some(Calm::Restless),
    };
    if let Some(calm) = calm {
        stage.monitor.calm_ended(Ticks(ended_at), calm);
    }
    let (recorded, replayed) = (footer.steps, stage.monitor.steps());
    if recorded != replayed {
        let (recorded, replayed) = (format!("{recorded} steps"), format!("{replayed} steps"));
        return Err(ReplayError::OtherEnd { recorded, replayed });
    }
    let violation = stage.monitor.violation().cloned();
    let told = |violation: Option<String>| violation.unwrap_or_else(|| "all promises held".into());
    let recorded = told(footer.violation);
    let replayed = told(violation.as_ref().map(Violation::to_string));
    if recorded != replayed {
        return Err(ReplayError::OtherEnd { recorded, replayed });
    }
    Ok(Replayed { steps: stage.monitor.steps(), violation })
}

/// The processes and channels of a replay.
struct Stage<P: Simulated> {
    routed: bool,
    graph: Graph,
    processes: Vec<P>,
    channels: BTreeMap<(NodeId, NodeId), VecDeque<P::Msg>>,
    /// A link of which one end was told that it changed, and how.
    half_told: Option<(NodeId, NodeId, bool)>,
    monitor: Monitor,
    digest: Digest,
    out: Out<P::Msg, P::Timer>,
}

impl<P: Simulated> Stage<P> {
    fn new<R: BufRead>(reader: &Reader<R>, config: &P::Config) -> Result<Self, ReplayError> {
        let header = reader.header();
        // A connected network has links enough for its nodes; a forged number reserves no memory.
        if reader.links().len() + 1 < header.n_nodes as usize || header.n_nodes == 0 {
            return Err(ReplayError::Network);
        }
        let mut graph = Graph::new(header.n_nodes as usize);
        for &(a, b) in reader.links() {
            graph.link(a, b);
        }
        if !graph.is_connected() {
            return Err(ReplayError::Network);
        }
        let processes = P::initial(&graph, config);
        let rules = Rules { undefined_stops: header.undefined_stops, ..Rules::default() };
        let monitor = Monitor::new(&processes, rules);
        Ok(Stage {
            routed: header.routed,
            graph,
            processes,
            channels: BTreeMap::new(),
            half_told: None,
            monitor,
            digest: Digest::default(),
            out: Out::new(),
        })
    }

    fn step(&mut self, record: &Record, seen: &mut Seen<'_, P>) -> Result<(), ReplayError> {
        let Record { at, node, check, .. } = *record;
        let input = self.check_unbroken().and_then(|()| self.check_both_told(record));
        let input = input.and_then(|()| self.input(record));
        let input = input.map_err(|what| {
            let step = self.monitor.steps() + 1;
            ReplayError::Impossible { step, what }
        })?;
        let process = &mut self.processes[node.index()];
        self.monitor.before(Ticks(at), node, process, &input);
        process.step(input.clone(), &mut self.out);
        self.monitor.after(node, process, self.out.as_slice());
        seen(at, node, &input, self.out.as_slice());
        if self.digest.of(self.out.as_slice(), process.status()) != check {
            return Err(ReplayError::Differs { step: self.monitor.steps(), node });
        }
        for output in self.out.drain() {
            if let Output::Send { to, msg } = output {
                if self.routed || self.graph.has(node, to) {
                    self.channels.entry((node, to)).or_default().push_back(msg);
                } else {
                    self.monitor.stray_message(node, to);
                }
            }
        }
        Ok(())
    }

    /// A run ends with the first broken promise: what comes after it could break the contract with
    /// the processes.
    fn check_unbroken(&self) -> Result<(), String> {
        match self.monitor.violation() {
            None => Ok(()),
            Some(violation) => Err(format!("the run ended before it, by a violation: {violation}")),
        }
    }

    /// Both ends of a link are told of a change one right after the other.
    fn check_both_told(&self, record: &Record) -> Result<(), String> {
        let told = match record.event {
            Event::LinkUp(peer, _) => Some((peer, record.node, true)),
            Event::LinkDown(peer) => Some((peer, record.node, false)),
            _ => None,
        };
        match self.half_told {
            Some((a, b, _)) if self.half_told != told => {
                Err(format!("{a} was told that the link {a}-{b} changed, and {b} was not"))
            }
            _ => Ok(()),
        }
    }

    /// The input of a step; or why a process cannot take it, which would make it panic.
    fn input(&mut self, record: &Record) -> Result<Input<P::Msg, P::Timer>, String> {
        use driftlock_core::Status::{Critical, Remainder};
        let node = record.node;
        let status = self.processes[node.index()].status();
        match &record.event {
            Event::Request(_) if status != Remainder => Err(format!("{node} is {status:?}")),
            Event::Request(resource) => Ok(Input::RequestCs(*resource)),
            Event::Release if status != Critical => Err(format!("{node} is {status:?}")),
            Event::Release => Ok(Input::ReleaseCs),
            Event::Recv(from) if !self.routed && !self.is_linked(node, *from) => {
                Err(format!("there is no link from {from} to {node}"))
            }
            Event::Recv(from) => {
                let channel = self.channels.get_mut(&(*from, node));
                let msg = channel.and_then(VecDeque::pop_front);
                let msg = msg.ok_or_else(|| format!("nothing is in transit from {from} to {node}"));
                Ok(Input::Recv { from: *from, msg: msg? })
            }
            Event::LinkUp(peer, role) => {
                self.link_changed(node, *peer, true)?;
                Ok(Input::LinkUp { peer: *peer, role: *role })
            }
            Event::LinkDown(peer) => {
                self.link_changed(node, *peer, false)?;
                Ok(Input::LinkDown { peer: *peer })
            }
            Event::Timer(bytes) => match postcard::from_bytes(bytes) {
                Ok(timer) => Ok(Input::Timer(timer)),
                Err(_) => Err("its timer cannot be decoded".into()),
            },
        }
    }

    fn is_linked(&self, a: NodeId, b: NodeId) -> bool {
        b.index() < self.processes.len() && self.graph.has(a, b)
    }

    /// One end of a link is told of a change; the other end has to be told next.
    fn link_changed(&mut self, node: NodeId, peer: NodeId, up: bool) -> Result<(), String> {
        if self.half_told.take().is_some() {
            return Ok(());
        }
        let n = self.processes.len();
        if peer == node || peer.index() >= n || self.routed {
            return Err(format!("there is no link {node}-{peer} that {node} could be told of"));
        }
        self.half_told = Some((node, peer, up));
        if up {
            let was_up = !self.graph.link(node, peer);
            self.monitor.link_up(node, peer, was_up);
            return Ok(());
        }
        if !self.graph.unlink(node, peer) {
            return Err(format!("the link {node}-{peer} is down already"));
        }
        let lost = |a, b| self.channels.get(&(a, b)).map_or(0, VecDeque::len) as u32;
        let in_transit = lost(node, peer) + lost(peer, node);
        let joined = self.graph.distances(node)[peer.index()].is_some();
        self.monitor.link_down(node, peer, Downfall { in_transit, joined });
        Ok(())
    }
}
