//! A small stage: processes, FIFO channels, and a script of what happens on it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use driftlock_core::{Graph, Initial, Input, LinkRole, NodeId, Out, Output, Protocol, ResourceId};
use driftlock_journal::text;

/// Processes with the channels between them. What happens is written down.
pub(crate) struct Stage<P: Protocol> {
    pub(crate) processes: Vec<P>,
    pub(crate) channels: BTreeMap<(NodeId, NodeId), VecDeque<P::Msg>>,
    /// What happened, a line for each input and each output.
    pub(crate) story: String,
    pub(crate) undefined: usize,
}

pub(crate) fn graph(n: usize, links: &[(u32, u32)]) -> Graph {
    let mut graph = Graph::new(n);
    for &(a, b) in links {
        graph.link(NodeId(a), NodeId(b));
    }
    graph
}

impl<P: Initial> Stage<P> {
    pub(crate) fn new(n: usize, links: &[(u32, u32)], config: &P::Config) -> Self {
        let processes = P::initial(&graph(n, links), config);
        Stage { processes, channels: BTreeMap::new(), story: String::new(), undefined: 0 }
    }

    pub(crate) fn step(&mut self, node: NodeId, input: Input<P::Msg, P::Timer>) {
        let mut out = Out::new();
        let _ = writeln!(self.story, "{node} {}", text::input(&input));
        self.processes[node.index()].step(input, &mut out);
        for output in out.drain() {
            let _ = writeln!(self.story, "    {}", text::output(node, &output));
            match output {
                Output::Send { to, msg } => {
                    self.channels.entry((node, to)).or_default().push_back(msg);
                }
                Output::Undefined(_) => self.undefined += 1,
                _ => {}
            }
        }
    }

    pub(crate) fn request(&mut self, node: u32) {
        self.step(NodeId(node), Input::RequestCs(ResourceId(0)));
    }

    pub(crate) fn release(&mut self, node: u32) {
        self.step(NodeId(node), Input::ReleaseCs);
    }

    /// The oldest message from `from` to `to` arrives.
    pub(crate) fn deliver(&mut self, from: u32, to: u32) {
        let (from, to) = (NodeId(from), NodeId(to));
        let channel = self.channels.get_mut(&(from, to)).expect("something was sent");
        let msg = channel.pop_front().expect("something is in transit");
        self.step(to, Input::Recv { from, msg });
    }

    /// All messages arrive, the channels taking turns in the order of their ends, until none is
    /// left.
    pub(crate) fn deliver_all(&mut self) {
        let mut budget = 100_000;
        while let Some((&(from, to), _)) = self.channels.iter().find(|(_, msgs)| !msgs.is_empty()) {
            self.deliver(from.0, to.0);
            budget -= 1;
            assert!(budget > 0, "the network never falls silent");
        }
    }

    pub(crate) fn up(&mut self, a: u32, b: u32) {
        self.step(NodeId(a), Input::LinkUp { peer: NodeId(b), role: LinkRole::Static });
        self.step(NodeId(b), Input::LinkUp { peer: NodeId(a), role: LinkRole::Moving });
    }

    pub(crate) fn down(&mut self, a: u32, b: u32) {
        for (from, to) in [(a, b), (b, a)] {
            let channel = self.channels.get(&(NodeId(from), NodeId(to)));
            assert!(channel.is_none_or(VecDeque::is_empty), "nothing is in transit on {a}-{b}");
        }
        self.step(NodeId(a), Input::LinkDown { peer: NodeId(b) });
        self.step(NodeId(b), Input::LinkDown { peer: NodeId(a) });
    }

    /// The link goes down, and what is in transit on it is lost.
    pub(crate) fn lose(&mut self, a: u32, b: u32) {
        for (from, to) in [(a, b), (b, a)] {
            self.channels.remove(&(NodeId(from), NodeId(to)));
        }
        self.down(a, b);
    }

    /// How many messages are in transit.
    pub(crate) fn in_transit(&self) -> usize {
        self.channels.values().map(VecDeque::len).sum()
    }

    /// A heading in the story.
    pub(crate) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.story, "\n# {text}");
    }
}

/// Compare a story with the golden file of that name; `UPDATE=1` writes the file instead.
pub(crate) fn check_golden(name: &str, story: &str) {
    let path = format!("{}/tests/figures/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, story).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden file can be read");
    assert_eq!(story, golden, "{path} differs; UPDATE=1 rewrites it");
}
