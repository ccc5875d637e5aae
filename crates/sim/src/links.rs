//! The links that are up, and what is in transit on them: [`Links`].

use driftlock_core::graph::Search;
use driftlock_core::{Graph, NodeId, PeerMap};
use driftlock_spec::links::Delivery;

/// A link that is up, or a free place for one.
#[derive(Clone, Debug, Default)]
struct Link {
    up: bool,
    /// It is to go down as soon as nothing is in transit on it.
    leaving: bool,
    /// For each end, the smaller first, whether the process there counts the other among its
    /// neighbors.
    known: [bool; 2],
    /// From the smaller end to the larger, and back.
    ways: [Way; 2],
}

/// One direction of a link. The place of a link that went down is used again and goes on counting,
/// so that a message out of the past never has the number that is due.
#[derive(Clone, Debug, Default)]
struct Way {
    sent: u32,
    received: u32,
    /// When the last message arrives. A later one does not arrive earlier.
    busy_until: u64,
}

/// A message on its way over a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transit {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    link: u32,
    number: u32,
}

/// All links that are up.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// For each node its neighbors, and where their links are.
    places: Vec<PeerMap<u32>>,
    links: Vec<Link>,
    free: Vec<u32>,
    /// Rises with every change of what may be used to go from one node to another.
    version: u64,
    search: Search,
}

impl Links {
    /// The links of `graph`, which both their ends know.
    pub(crate) fn new(graph: &Graph) -> Self {
        let room = |node| Vec::with_capacity(graph.neighbors(node).len());
        let mut places: Vec<Vec<(NodeId, u32)>> = graph.nodes().map(room).collect();
        for (place, (a, b)) in (0..).zip(graph.links()) {
            places[a.index()].push((b, place));
            places[b.index()].push((a, place));
        }
        let places = places.into_iter().map(|places| places.into_iter().collect()).collect();
        let link = Link { up: true, known: [true; 2], ..Link::default() };
        let (links, search) = (vec![link; graph.n_links()], Search::default());
        Links { places, links, free: Vec::new(), version: 0, search }
    }

    /// Put a message on the link between `from` and `to`, which takes `delay` but overtakes none.
    /// Returns when it arrives, or nothing if there is no such link.
    #[inline]
    pub(crate) fn send(
        &mut self,
        from: NodeId,
        to: NodeId,
        now: u64,
        delay: u64,
    ) -> Option<(u64, Transit)> {
        let link = *self.places[from.index()].get(to)?;
        let way = &mut self.links[link as usize].ways[usize::from(from > to)];
        let arrival = way.busy_until.max(now + delay);
        way.busy_until = arrival;
        let number = way.sent;
        way.sent = number.wrapping_add(1);
        Some((arrival, Transit { from, to, link, number }))
    }

    /// Take a message off its link. Returns how that looks to a monitor, and whether the link is
    /// to go down.
    #[inline]
    pub(crate) fn arrive(&mut self, transit: Transit) -> (Delivery, bool) {
        let Transit { from, to, link, number } = transit;
        let Link { up, leaving, ways, .. } = &mut self.links[link as usize];
        let way = &mut ways[usize::from(from > to)];
        let expected = way.received;
        way.received = expected.wrapping_add(1);
        (Delivery { up: *up, number, expected }, *leaving)
    }

    pub(crate) fn is_up(&self, a: NodeId, b: NodeId) -> bool {
        self.places[a.index()].contains(b)
    }

    /// How many neighbors `node` has.
    pub(crate) fn degree(&self, node: NodeId) -> usize {
        self.places[node.index()].len()
    }

    /// How many messages were ever sent over the place where the link from `from` to `to` is.
    #[inline]
    pub(crate) fn sent(&self, from: NodeId, to: NodeId) -> u32 {
        let place = self.places[from.index()].get(to);
        place.map_or(0, |&place| self.links[place as usize].ways[usize::from(from > to)].sent)
    }

    /// Read where the links of `node` are.
    pub(crate) fn glance(&self, node: NodeId) -> u32 {
        self.places[node.index()].glance()
    }

    /// The number of the message that is due where `transit` is.
    pub(crate) fn waiting_for(&self, transit: Transit) -> u32 {
        self.links[transit.link as usize].ways[usize::from(transit.from > transit.to)].received
    }

    /// Messages in transit on a link that is up, both ways.
    pub(crate) fn in_transit(&self, a: NodeId, b: NodeId) -> u32 {
        let [there, back] = &self.links[self.place(a, b)].ways;
        there.sent.wrapping_sub(there.received) + back.sent.wrapping_sub(back.received)
    }

    /// Messages in transit from one end of a link that is up to the other.
    pub(crate) fn on_the_way(&self, from: NodeId, to: NodeId) -> u32 {
        let way = &self.links[self.place(from, to)].ways[usize::from(from > to)];
        way.sent.wrapping_sub(way.received)
    }

    /// All neighbors of `node`, in order.
    pub(crate) fn peers(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.places[node.index()].keys()
    }

    /// A link comes up.
    pub(crate) fn raise(&mut self, a: NodeId, b: NodeId) {
        self.version += 1;
        let place = self.free.pop().unwrap_or_else(|| {
            self.links.push(Link::default());
            u32::try_from(self.links.len() - 1).expect("fewer than 2^32 links")
        });
        let link = &mut self.links[place as usize];
        (link.up, link.leaving, link.known) = (true, false, [false; 2]);
        link.ways.iter_mut().for_each(|way| way.received = way.sent);
        self.places[a.index()].insert(b, place);
        self.places[b.index()].insert(a, place);
    }

    /// Whether a message in transit was lost when its link went down. Its place may be another
    /// link's by now.
    #[inline]
    pub(crate) fn has_lost(&self, transit: Transit) -> bool {
        // Numbers count on and wrap around.
        transit.number.wrapping_sub(self.waiting_for(transit)) > u32::MAX / 2
    }

    /// A link goes down with what is in transit on it.
    pub(crate) fn tore(&mut self, a: NodeId, b: NodeId) {
        let place = self.place(a, b);
        for way in &mut self.links[place].ways {
            (way.received, way.busy_until) = (way.sent, 0);
        }
        self.fell(a, b);
    }

    /// A link goes down.
    pub(crate) fn fell(&mut self, a: NodeId, b: NodeId) {
        self.version += 1;
        let place = self.place(a, b);
        self.links[place].up = false;
        self.free.extend(self.places[a.index()].remove(b));
        self.places[b.index()].remove(a);
    }

    /// A link is to go down, or is not to any more.
    pub(crate) fn set_leaving(&mut self, a: NodeId, b: NodeId, leaving: bool) {
        self.version += 1;
        let place = self.place(a, b);
        self.links[place].leaving = leaving;
    }

    /// Whether there is a link that is to go down and on which nothing is in transit.
    pub(crate) fn may_leave(&self, a: NodeId, b: NodeId) -> bool {
        let place = self.places[a.index()].get(b);
        place.is_some_and(|&place| self.links[place as usize].leaving) && self.in_transit(a, b) == 0
    }

    /// The process at `node` has said whether it counts `peer` among its neighbors. Returns whether
    /// both ends of the link now know it and did not before.
    pub(crate) fn set_known(&mut self, node: NodeId, peer: NodeId, known: bool) -> bool {
        let Some(&place) = self.places[node.index()].get(peer) else { return false };
        let link = &mut self.links[place as usize];
        let before = std::mem::replace(&mut link.known[usize::from(node > peer)], known);
        !before && link.known == [true; 2]
    }

    /// Whether both ends know the link between them, which is up.
    pub(crate) fn is_known(&self, a: NodeId, b: NodeId) -> bool {
        self.links[self.place(a, b)].known == [true; 2]
    }

    /// Whether `a` and `b` are joined by a path other than the link between them; if wanted, one
    /// of links that both their ends know.
    pub(crate) fn joined_without(&mut self, a: NodeId, b: NodeId, known: bool) -> bool {
        self.joined_by(a, b, |link| !known || link.known == [true; 2])
    }

    /// Whether `a` and `b` are joined by a path of links that are not about to go down, other than
    /// the link between them.
    pub(crate) fn lasting_without(&mut self, a: NodeId, b: NodeId) -> bool {
        self.joined_by(a, b, |link| !link.leaving)
    }

    #[inline]
    fn joined_by(&mut self, a: NodeId, b: NodeId, usable: impl Fn(&Link) -> bool) -> bool {
        if self.search.is_empty() {
            self.search = Search::new(self.places.len());
        }
        let (places, links) = (&self.places, &self.links);
        self.search.joined(a, b, |node, see| {
            for (peer, &place) in places[node.index()].iter() {
                let apart = (node, peer) == (a, b) || (node, peer) == (b, a);
                if !apart && usable(&links[place as usize]) {
                    see(peer);
                }
            }
        })
    }

    /// Changes whenever [`Links::lasting`] does.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The neighbors of `node` over links that are not about to go down, in order.
    pub(crate) fn lasting(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let lasts = |place: u32| !self.links[place as usize].leaving;
        self.places[node.index()].iter().filter(move |(_, place)| lasts(**place)).map(|(j, _)| j)
    }

    /// All links that are about to go down.
    pub(crate) fn leaving(&self) -> Vec<(NodeId, NodeId)> {
        let nodes = (0..self.places.len()).map(NodeId::at);
        let links = nodes.flat_map(|a| self.places[a.index()].iter().map(move |(b, k)| (a, b, k)));
        let leaving = links.filter(|&(a, b, k)| a < b && self.links[*k as usize].leaving);
        leaving.map(|(a, b, _)| (a, b)).collect()
    }

    /// Whether the link between `a` and `b` is up and not about to go down.
    pub(crate) fn lasts(&self, a: NodeId, b: NodeId) -> bool {
        let place = self.places[a.index()].get(b);
        place.is_some_and(|&place| !self.links[place as usize].leaving)
    }

    fn place(&self, a: NodeId, b: NodeId) -> usize {
        self.places[a.index()][b] as usize
    }
}
