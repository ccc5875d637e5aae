//! What is to be explored: [`Setup`]; and why that makes no sense: [`Refusal`].

use driftlock_core::{Graph, Medium, NodeId};
use driftlock_spec::Rules;
use thiserror::Error;

use crate::layout::NODES_MAX;

/// A small network and the bounds of its environment. Within these bounds everything is explored:
/// every order of deliveries, every moment for a request, a release, a link change, a fault.
///
/// ```
/// use driftlock_check::Setup;
/// use driftlock_core::{Graph, NodeId};
/// let mut pair = Graph::new(2);
/// pair.link(NodeId(0), NodeId(1));
/// let setup = Setup { link_changes: 1, ..Setup::new(pair) };
/// assert_eq!(setup.requests, [1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Setup {
    /// The initial network, on which the processes are set up.
    pub graph: Graph,
    /// What carries messages.
    pub medium: Medium,
    /// How often each node may ask.
    pub requests: Vec<u8>,
    /// How many resources there are to ask for.
    pub resources: u8,
    /// How many times a link may come up or go down.
    pub link_changes: u8,
    /// Links that come up besides, each once and whenever it likes, where links are settled. With a
    /// network that has no links at first this is a cold start.
    pub coming: Vec<(NodeId, NodeId)>,
    /// How many timers may go off early, while anything is still going on. When nothing is, a timer
    /// that is set goes off in any case.
    pub timeouts: u8,
    /// How many messages may get lost.
    pub losses: u8,
    /// How many messages may arrive twice.
    pub duplications: u8,
    /// How many nodes may stop for good. Their links stay up, so that nobody notices; but where the
    /// network may fall apart and the protocol is not local they go down at once, with all that is
    /// in transit on them. On a mesh they go down too, and what was sent before is under way.
    pub crashes: u8,
    /// How many times a node may be killed and wake up as it was written down, where links are
    /// settled. All its links break, and those that were up come up again whenever they like.
    pub restarts: u8,
    /// How many of all these may happen altogether, if that is bounded too.
    pub events: Option<u8>,
    /// Which links have to keep the network connected.
    pub connectivity: Connectivity,
    /// What is promised, and what the world may do.
    pub rules: Rules,
    /// Whether progress is promised even after a message got lost or doubled or a node stopped.
    pub progress_despite_faults: bool,
    /// How far apart the levels of a state may be before it is cut off.
    pub spread: Option<u32>,
}

/// Which links have to keep the network connected when one goes down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Connectivity {
    /// All that are up: the condition as the papers have it.
    #[default]
    Physical,
    /// Those that both ends already count among their neighbors.
    Known,
    /// None: the network may fall apart. Progress is promised to those who have a token in their
    /// part, and the others have to find out that there is none; where there are no tokens at all,
    /// it is promised while the network is in one piece.
    Partitions,
}

/// Why a setup cannot be explored.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The processes are set up on a connected network.
    #[error("the initial network is not connected")]
    NotConnected,
    /// There is nothing to explore.
    #[error("a network has at least one node")]
    Empty,
    /// It would not end.
    #[error("{0} nodes are too many to explore every schedule of: at most {NODES_MAX} can be")]
    TooManyNodes(usize),
    /// A number of requests for each node.
    #[error("there are {n} nodes, and requests for {requests} of them")]
    Requests {
        /// How many nodes there are.
        n: usize,
        /// For how many there are requests.
        requests: usize,
    },
    /// Nothing to ask for.
    #[error("there has to be at least one resource to ask for")]
    NoResource,
    /// Links mean nothing where nobody sees them.
    #[error("where messages are routed, processes see no links, and none can change")]
    RoutedLinks,
    /// What comes back was sent on a link, to someone who lives.
    #[error("where links are settled, messages go over links, none get lost, and nobody stops")]
    Unsettled,
    /// What becomes of the links of a node that is killed is known only where they are settled.
    #[error("nodes are killed and wake up only where links are settled")]
    Restarts,
    /// Links that come up by themselves are told to their ends one by one.
    #[error("links come up by themselves only where links are settled, between two nodes each")]
    Coming,
}

impl Setup {
    /// Everyone asks once, and nothing else happens.
    pub fn new(graph: Graph) -> Self {
        Setup {
            requests: vec![1; graph.n_nodes()],
            graph,
            medium: Medium::Links,
            resources: 1,
            link_changes: 0,
            coming: Vec::new(),
            timeouts: 0,
            losses: 0,
            duplications: 0,
            crashes: 0,
            restarts: 0,
            events: None,
            connectivity: Connectivity::default(),
            rules: Rules::default(),
            progress_despite_faults: false,
            spread: None,
        }
    }

    /// Say what is wrong with it.
    pub fn check(&self) -> Result<(), Refusal> {
        let n = self.graph.n_nodes();
        if n == 0 {
            return Err(Refusal::Empty);
        }
        if n > NODES_MAX {
            return Err(Refusal::TooManyNodes(n));
        }
        let cold = self.rules.settled && self.graph.n_links() == 0;
        if !self.graph.is_connected() && !self.is_local() && !cold {
            return Err(Refusal::NotConnected);
        }
        if self.requests.len() != n {
            return Err(Refusal::Requests { n, requests: self.requests.len() });
        }
        if self.resources == 0 {
            return Err(Refusal::NoResource);
        }
        if !self.medium.shows_links() && self.link_changes > 0 {
            return Err(Refusal::RoutedLinks);
        }
        let faults = self.losses > 0 || self.duplications > 0 || self.crashes > 0;
        if self.rules.settled && (faults || self.medium != Medium::Links) {
            return Err(Refusal::Unsettled);
        }
        if self.restarts > 0 && !self.rules.settled {
            return Err(Refusal::Restarts);
        }
        let is_link = |&(a, b): &(NodeId, NodeId)| a != b && a.index() < n && b.index() < n;
        let come_up = self.rules.settled && self.coming.iter().all(is_link);
        if come_up || self.coming.is_empty() { Ok(()) } else { Err(Refusal::Coming) }
    }

    /// Whether the network may fall apart. One that routes has no parts.
    pub(crate) fn partitions(&self) -> bool {
        self.connectivity == Connectivity::Partitions && !self.medium.routes()
    }

    /// Whether a node that stops takes its links down.
    pub(crate) fn cuts_off(&self) -> bool {
        (self.partitions() || self.medium == Medium::Mesh) && !self.is_local()
    }

    /// Whether all is promised around a node, and nothing of the whole network.
    pub(crate) fn is_local(&self) -> bool {
        self.rules.locality.is_some()
    }

    /// Whether messages arrive as processes were promised.
    pub(crate) fn is_reliable(&self) -> bool {
        let cut_off = self.crashes > 0 && self.cuts_off();
        self.losses == 0 && self.duplications == 0 && !self.rules.lossy && !cut_off
    }

    /// How many links can come up again after their nodes were killed.
    pub(crate) fn comebacks(&self) -> u32 {
        u32::from(self.restarts) * (self.graph.n_nodes() as u32).saturating_sub(1)
    }

    /// How many events of the environment there can be at most.
    pub fn budget(&self) -> u32 {
        let asked: u32 = self.requests.iter().map(|&requests| u32::from(requests)).sum();
        let others =
            [self.link_changes, self.timeouts, self.losses, self.duplications, self.crashes];
        let coming = self.coming.len() as u32 + self.comebacks();
        let all = asked
            + coming
            + u32::from(self.restarts)
            + others.iter().map(|&number| u32::from(number)).sum::<u32>();
        self.events.map_or(all, |events| all.min(u32::from(events)))
    }
}
