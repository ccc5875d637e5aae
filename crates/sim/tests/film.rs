//! Runs that can be looked at step by step: each with all processes as they were after it.

use std::collections::{BTreeMap, VecDeque};

use driftlock_core::{Graph, Input, NodeId, Out, Output, Protocol, Status};
use driftlock_journal::Reader;
use driftlock_replay::{Happening, Replayable, replay};
use driftlock_sim::{Run, Scenario, Simulated, World, units};
use driftlock_spec::Rules;
use serde::Serialize;

/// A step, or a fault.
pub(crate) struct Frame<P> {
    /// When, in units.
    pub(crate) at: f64,
    /// Whose step, or who was hit.
    pub(crate) node: usize,
    /// What came, in words. A lost message is `lost` and its kind.
    pub(crate) what: String,
    /// Whether the node entered the critical section then.
    pub(crate) entered: bool,
    /// All processes after that.
    pub(crate) nodes: Vec<P>,
}

impl<P: Protocol> Frame<P> {
    /// Who is in the critical section.
    pub(crate) fn inside(&self) -> Vec<usize> {
        let all = self.nodes.iter().enumerate();
        all.filter(|(_, node)| node.status() == Status::Critical).map(|(k, _)| k).collect()
    }

    pub(crate) fn waits(&self, node: usize) -> bool {
        self.nodes[node].status() == Status::Waiting
    }
}

/// A run with all its steps.
pub(crate) struct Film<P> {
    pub(crate) run: Run,
    pub(crate) frames: Vec<Frame<P>>,
}

impl<P: Protocol> Film<P> {
    /// The first frame that `is` so.
    pub(crate) fn first(&self, is: impl Fn(&Frame<P>) -> bool) -> Option<&Frame<P>> {
        self.frames.iter().find(|frame| is(frame))
    }

    /// The one frame in which this happened.
    pub(crate) fn only(&self, what: &str) -> &Frame<P> {
        let mut such = self.frames.iter().filter(|frame| frame.what == what);
        let first = such.next().unwrap_or_else(|| panic!("it never happened: {what}"));
        assert_eq!(such.count(), 0, "it happened several times: {what}");
        first
    }

    pub(crate) fn last(&self) -> &Frame<P> {
        self.frames.last().expect("something happened")
    }

    /// How often each node entered.
    pub(crate) fn entries(&self) -> Vec<usize> {
        let count = |k| self.frames.iter().filter(|frame| frame.node == k && frame.entered).count();
        (0..self.last().nodes.len()).map(count).collect()
    }
}

/// Run `scenario`, which has to keep every promise, and run its journal again to look at it.
pub(crate) fn film<P>(scenario: &Scenario, config: &P::Config, rules: Rules) -> Film<P>
where
    P: Simulated + Replayable<Config: Serialize>,
{
    let mut journal = Vec::new();
    let world = World::<P>::under(scenario, config, rules).unwrap();
    let run = world.record(config, "test", &mut journal).unwrap().run();
    assert_eq!(run.violation, None);
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let mut graph = Graph::new(reader.header().n_nodes as usize);
    reader.links().iter().for_each(|&(a, b)| {
        graph.link(a, b);
    });
    let mut nodes = P::initial(&graph, config);
    let mut ways: BTreeMap<(NodeId, NodeId), VecDeque<P::Msg>> = BTreeMap::new();
    let mut frames = Vec::new();
    let mut seen = |at: u64,
                    node: NodeId,
                    happening: Happening<'_, P>,
                    outputs: &[Output<P::Msg, P::Timer>]| {
        let what = match &happening {
            Happening::Lost(from) => {
                let lost = ways.entry((*from, node)).or_default().pop_front();
                format!("lost {}", P::KINDS[P::kind(&lost.expect("something is in transit"))])
            }
            other => other.in_words(),
        };
        if let Happening::Input(input) = happening {
            if let Input::Recv { from, .. } = input {
                ways.entry((*from, node)).or_default().pop_front();
            }
            nodes[node.index()].step(input.clone(), &mut Out::new());
        }
        for output in outputs {
            if let Output::Send { to, msg } = output {
                ways.entry((node, *to)).or_default().push_back(msg.clone());
            }
        }
        let entered = outputs.iter().any(|output| matches!(output, Output::EnterCs));
        let (at, node, nodes) = (units(at), node.index(), nodes.clone());
        frames.push(Frame { at, node, what, entered, nodes });
    };
    replay::<P, _>(&mut reader, config, &mut seen).unwrap();
    Film { run, frames }
}
