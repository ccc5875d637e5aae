//! All links of one node, without keys, HELLOs and time: [`Machine`].
//!
//! Everything that decides what is delivered, returned, up or down is in here and in what it is
//! made of. It is told what is heard, what came in and which time is up; so every order of these
//! can be tried.

use std::collections::BTreeMap;

use driftlock_core::NodeId;

use crate::clear::{Clear, Tell};
use crate::link::{Act, Link};
use crate::memory::{Memory, Remembered};
use crate::settle::{Flood, Floods, HOPS_MAX, Statement};

/// What a node does, and to whom.
pub type Acts = Vec<(NodeId, Act)>;

/// All links of one node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Machine {
    /// This node: its id and the name of its memory.
    me: (NodeId, u64),
    start: u64,
    window: u64,
    moving: bool,
    links: BTreeMap<NodeId, Link>,
    floods: Floods,
    /// No forgotten link had a greater epoch.
    forgotten: u64,
    closing: bool,
}

impl Machine {
    /// A node as it wakes up with a memory, which may be empty. No other start of it may have a
    /// number close to this one.
    pub fn new(me: NodeId, memory: &Memory, start: u64, window: u64) -> Self {
        let id = (me, memory.name);
        let link = |(peer, link): (&NodeId, _)| (*peer, Link::remembered(id, *peer, start, link));
        Machine {
            me: id,
            start,
            window,
            moving: false,
            links: memory.links.iter().map(link).collect(),
            floods: Floods::of_start(start),
            forgotten: memory.forgotten,
            closing: false,
        }
    }

    // What has to be remembered.

    /// The links of which something has to be remembered that has changed since the last call.
    pub fn take_changed(&mut self) -> Vec<NodeId> {
        let links = self.links.iter_mut();
        links.filter_map(|(peer, link)| link.take_changed().then_some(*peer)).collect()
    }

    /// What has to be remembered of a link; none if there is no link.
    pub fn to_remember(&self, peer: NodeId) -> Option<Remembered> {
        self.links.get(&peer).map(Link::to_remember)
    }

    /// Of no forgotten link was the epoch greater.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    // What HELLOs say.

    /// This node and a peer hear each other; the peer has this memory and this start.
    pub fn heard(&mut self, peer: NodeId, (memory, start): (u64, u64), out: &mut Acts) {
        let (me, my_start, forgotten) = (self.me, self.start, self.forgotten);
        let new = || Link::new(me, (peer, memory), my_start, forgotten);
        self.links.entry(peer).or_insert_with(new);
        self.at(peer, out, |link, acts| {
            if link.peer_memory() != memory {
                link.on_oblivion(memory, acts);
            }
            link.on_heard(start, acts);
        });
    }

    /// This node and a peer do not hear each other any more.
    pub fn silent(&mut self, peer: NodeId, out: &mut Acts) {
        self.at(peer, out, Link::on_silence);
    }

    /// Whether the peer has no link, and only a record of how the last one ended.
    pub fn is_closed(&self, peer: NodeId) -> bool {
        self.links.get(&peer).is_none_or(|link| link.arq().is_none() && !link.is_pending())
    }

    /// Forget a peer that has no link. Whoever asks about it is told so.
    pub fn forget(&mut self, peer: NodeId) {
        if self.is_closed(peer) {
            let epoch = self.links.remove(&peer).map_or(0, |link| link.last_epoch());
            self.forgotten = self.forgotten.max(epoch);
        }
    }

    // Times that are up.

    /// Nothing came back from a peer for some time: send again.
    pub fn resend(&mut self, peer: NodeId, out: &mut Acts) {
        self.at(peer, out, Link::resend);
    }

    /// An acknowledgment has waited for long enough.
    pub fn acknowledge(&mut self, peer: NodeId, out: &mut Acts) {
        self.at(peer, out, Link::acknowledge);
    }

    /// Nothing came back from a peer for too long: break the link.
    pub fn give_up(&mut self, peer: NodeId, out: &mut Acts) {
        self.at(peer, out, Link::break_off);
    }

    /// What became of what was sent to a peer with this memory does not matter any more.
    pub fn disown(&mut self, peer: NodeId, memory: u64, out: &mut Acts) {
        self.at(peer, out, |link, acts| {
            if link.peer_memory() == memory {
                link.disown(acts);
            }
        });
    }

    /// Begin or repeat the handshake with a peer. A node that says goodbye repeats that instead.
    pub fn knock(&mut self, peer: NodeId, out: &mut Acts) {
        let (moving, links) = (self.moving, self.n_up());
        match self.closing {
            true => self.at(peer, out, Link::remind),
            false => self.at(peer, out, |link, acts| link.knock(moving, links, acts)),
        }
    }

    /// Ask what became of a broken link: the peer itself, and over all other links.
    pub fn ask(&mut self, peer: NodeId, out: &mut Acts) {
        let Some(link) = self.links.get(&peer).filter(|link| link.is_in_doubt()) else { return };
        let statement = link.statement();
        out.push((peer, Act::Send(Clear::Tell(Tell { statement, ask: true }))));
        self.flood(peer, statement, true, out);
    }

    // What is sent and what comes in.

    /// Send a message. It is dropped if no link is up.
    pub fn send(&mut self, peer: NodeId, message: &[u8], keep: bool, out: &mut Acts) {
        let window = self.window;
        self.at(peer, out, |link, acts| link.send(message, keep, window, acts));
    }

    /// A frame from a peer. Returns how many messages are newly acknowledged.
    pub fn rx(&mut self, peer: NodeId, clear: Clear, out: &mut Acts) -> u64 {
        let (moving, links, window) = (self.moving, self.n_up(), self.window);
        let mut news = 0;
        match clear {
            Clear::Init(_) if self.closing => {}
            Clear::Init(offer) => {
                self.at(peer, out, |link, acts| link.on_init(offer, moving, links, acts));
            }
            Clear::Resp(answer, epoch) => {
                self.at(peer, out, |link, acts| link.on_resp(answer, epoch, acts));
            }
            Clear::Data(data) => {
                self.at(peer, out, |link, acts| news = link.on_data(data, window, acts));
            }
            Clear::Tell(tell) => self.at(peer, out, |link, acts| {
                let answer = link.on_statement(tell.statement, acts).filter(|_| tell.ask);
                let answer = answer.map(|statement| Tell { statement, ask: false });
                acts.extend(answer.map(|tell| Act::Send(Clear::Tell(tell))));
            }),
            Clear::Relay(flood) => self.on_flood(peer, flood, out),
        }
        news
    }

    /// A statement that came over others: for this node, or to be passed on.
    fn on_flood(&mut self, via: NodeId, flood: Flood, out: &mut Acts) {
        if flood.from == self.me.0 || !self.floods.is_new(&flood) {
            return;
        }
        if flood.to == self.me.0 {
            self.on_flooded(flood, out);
        } else if flood.hops > 1 {
            let passed_on = Flood { hops: flood.hops - 1, ..flood };
            self.pass_on(passed_on, &[via, flood.from], out);
        }
    }

    fn on_flooded(&mut self, flood: Flood, out: &mut Acts) {
        let (mut acts, mut stranger) = (Vec::new(), None);
        let from = (flood.from, flood.statement.from_memory);
        // A question from a stranger is not worth a record: whoever asks remembers the epoch.
        let link = match self.links.get_mut(&flood.from) {
            Some(link) => link,
            None => stranger.insert(Link::new(self.me, from, self.start, self.forgotten)),
        };
        let answer = link.on_statement(flood.statement, &mut acts);
        self.carry_out(flood.from, acts, out);
        if let Some(statement) = answer.filter(|_| flood.ask) {
            self.flood(flood.from, statement, false, out);
        }
    }

    fn flood(&mut self, to: NodeId, statement: Statement, ask: bool, out: &mut Acts) {
        let (from, number) = (self.me.0, self.floods.number());
        self.pass_on(Flood { from, to, number, hops: HOPS_MAX, statement, ask }, &[], out);
    }

    fn pass_on(&self, flood: Flood, except: &[NodeId], out: &mut Acts) {
        let up = self.links.iter().filter(|(peer, link)| link.is_up() && !except.contains(peer));
        out.extend(up.map(|(peer, _)| (*peer, Act::Send(Clear::Relay(flood)))));
    }

    // The node itself.

    /// Whether this node moves, from now on.
    pub fn set_moving(&mut self, moving: bool) {
        self.moving = moving;
    }

    /// Close each link as soon as nothing waits on it, and open none. As long as a link is in
    /// doubt, the others are needed to ask.
    pub fn close(&mut self, out: &mut Acts) {
        self.closing = true;
        self.links.values_mut().for_each(Link::call_off);
        // Whoever is out of reach may not know yet that its link is over, and nobody will be here
        // to be asked.
        let over = self.links.iter().filter(|(_, link)| link.is_over() && !link.is_heard());
        let over: Vec<_> = over.map(|(peer, link)| (*peer, link.statement())).collect();
        for (peer, statement) in over {
            self.flood(peer, statement, false, out);
        }
        self.close_idle(out);
    }

    fn close_idle(&mut self, out: &mut Acts) {
        if !self.closing || self.links.values().any(Link::is_in_doubt) {
            return;
        }
        for (peer, link) in &mut self.links {
            if link.is_up() && link.arq().is_some_and(|arq| arq.waiting() == 0) {
                let mut acts = Vec::new();
                link.break_off(&mut acts);
                out.extend(acts.into_iter().map(|act| (*peer, act)));
            }
        }
    }

    /// Whether this node says goodbye.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// Let something happen at one link, and ask about links that are in doubt if there is one
    /// more now, or one more link to ask over.
    fn at(&mut self, peer: NodeId, out: &mut Acts, step: impl FnOnce(&mut Link, &mut Vec<Act>)) {
        let mut acts = Vec::new();
        if let Some(link) = self.links.get_mut(&peer) {
            let was_in_doubt = link.is_in_doubt();
            step(link, &mut acts);
            let is_news = link.is_in_doubt() && !was_in_doubt;
            let statement = link.statement();
            self.carry_out(peer, acts, out);
            if is_news {
                self.flood(peer, statement, true, out);
            }
        }
    }

    fn carry_out(&mut self, peer: NodeId, acts: Vec<Act>, out: &mut Acts) {
        let is_up = acts.iter().any(|act| matches!(act, Act::Up(..)));
        out.extend(acts.into_iter().map(|act| (peer, act)));
        if is_up {
            let links = self.links.iter();
            let doubts: Vec<_> = links.filter(|(_, l)| l.is_in_doubt()).map(|(p, _)| *p).collect();
            for peer in doubts {
                self.ask(peer, out);
            }
        }
        self.close_idle(out);
    }

    fn n_up(&self) -> u32 {
        self.links.values().filter(|link| link.is_up()).count() as u32
    }

    /// The link to a peer, if there ever was one.
    pub fn link(&self, peer: NodeId) -> Option<&Link> {
        self.links.get(&peer)
    }

    /// All links, by peer.
    pub fn links(&self) -> impl Iterator<Item = (NodeId, &Link)> {
        self.links.iter().map(|(peer, link)| (*peer, link))
    }

    /// Whether no link is up or in doubt.
    pub fn is_settled(&self) -> bool {
        self.links.values().all(|link| link.arq().is_none())
    }
}
