//! Whether a state is as was promised.

use driftlock_core::{NodeId, Status};
use driftlock_spec::exclusion::{Exclusion, Insider};
use driftlock_spec::{colors, epochs, progress, tokens};

use crate::channels::BAR;
use crate::layout::node;
use crate::memo::Memo;
use crate::site::{Checked, Facts};

impl<P: Checked> Memo<P> {
    /// Whether every promise about states is kept that holds at any time.
    #[inline]
    pub(crate) fn holds(&self, row: &[u32]) -> bool {
        let even = self.environment(row[0]).even;
        let doubled = self.setup.duplications > 0;
        let (left, right) = row.split_at(self.layout.left());
        let (mut tokens, mut weight, mut inside) = (0, 0, 0);
        for &site in &left[1..=self.layout.n] {
            let facts = self.site(site);
            tokens += facts.held;
            weight += facts.weight;
            inside += u32::from(self.is_inside(facts));
        }
        for &channel in right {
            let content = self.channels.get(channel);
            tokens += content.tokens;
            weight += content.weight;
        }
        ((tokens == self.tokens && tokens::balanced(weight).is_ok()) || !even)
            && (inside < 2 || self.exclusive(row))
            && (!P::FORKS || !even || self.one_fork_each(row))
            && (!P::COLORS || self.legally_colored(row))
            && (!P::EPOCHS || doubled || self.one_token_each(row))
    }

    /// Whether a node is inside, if it counts.
    #[inline]
    fn is_inside(&self, facts: &Facts) -> bool {
        let gone = facts.crashed && self.setup.rules.frees_stopped();
        facts.section == Status::Critical && !gone
    }

    #[cold]
    fn exclusive(&self, row: &[u32]) -> bool {
        let insider = |(i, facts): (u8, &Facts)| Insider {
            node: node(i),
            resource: facts.wanted,
            epoch: facts.epoch,
        };
        let inside = self.nodes(row).filter(|(_, facts)| self.is_inside(facts));
        let inside: Vec<Insider> = inside.map(insider).collect();
        let links = self.environment(row[0]).mutual;
        let linked = |a: NodeId, b: NodeId| links & self.layout.link(a.index(), b.index()) != 0;
        self.setup.rules.judge_inside(&inside, linked).is_ok()
    }

    #[cold]
    fn one_fork_each(&self, row: &[u32]) -> bool {
        let layout = &self.layout;
        self.linked(row).all(|((a, at_a), (b, at_b))| {
            let here = |facts: &Facts, peer: u8| facts.forks & (1 << peer) != 0;
            let there =
                |i: u8, j: u8| self.channels.get(row[layout.channel(i.into(), j.into())]).forks;
            let forks = [(node(a), here(at_a, b)), (node(b), here(at_b, a))];
            // What was sent to a node that has stopped is nowhere.
            let stopped = at_a.crashed || at_b.crashed;
            stopped || tokens::one_fork(forks[0], forks[1], there(a, b) + there(b, a)).is_ok()
        })
    }

    #[cold]
    fn legally_colored(&self, row: &[u32]) -> bool {
        self.linked(row).all(|((a, at_a), (b, at_b))| {
            colors::differ((node(a), at_a.color), (node(b), at_b.color)).is_ok()
        })
    }

    #[cold]
    fn one_token_each(&self, row: &[u32]) -> bool {
        let held = self.nodes(row).flat_map(|(_, facts)| facts.epochs.iter().copied());
        let channels = row[self.layout.left()..].iter();
        let messages = channels.flat_map(|&channel| self.channels.messages(channel));
        let carried = messages
            .filter(|&message| message != BAR)
            .filter_map(|message| P::epoch_carried(self.channels.message(message)));
        epochs::one_token_each(held.chain(carried)).is_ok()
    }

    /// The ends of all links that are up, and that both count on.
    fn linked<'m>(
        &'m self,
        row: &'m [u32],
    ) -> impl Iterator<Item = ((u8, &'m Facts), (u8, &'m Facts))> {
        let links = self.environment(row[0]).mutual;
        let up = self.layout.pairs.iter().enumerate().filter(move |(k, _)| links & (1 << k) != 0);
        let end = |i: u8| (i, self.site(row[1 + usize::from(i)]));
        up.map(move |(_, &(a, b))| (end(a), end(b)))
    }

    /// Those who have to get in if they wait, a bit for each: all nodes; or if the protocol is
    /// local, those who are far enough from all that have stopped; or those in a part with most of
    /// all nodes, if that is promised; or where the network may fall apart, those with a token in
    /// their part. Nothing if there is no such promise.
    pub(crate) fn owed(&self, row: &[u32]) -> Option<u8> {
        let environment = self.environment(row[0]);
        if let Some(most) = self.setup.rules.locality {
            let stopped = self.nodes(row).filter(|(_, facts)| facts.crashed).map(|(i, _)| i);
            let near = |i: u8| self.layout.within(environment.links, i.into(), most) as u8;
            return environment.progress.then(|| !stopped.fold(0, |all, i| all | near(i)));
        }
        if self.setup.rules.quorum {
            return environment.progress.then(|| self.in_quorum(row));
        }
        if !environment.progress || !self.setup.partitions() {
            return environment.progress.then_some(u8::MAX);
        }
        let part = |i: u8| environment.parts[usize::from(i)];
        if self.tokens == 0 {
            let living = self.living(row).fold(0, |living, (i, _)| living | 1 << i);
            let whole = self.living(row).all(|(i, _)| part(i) & living == living);
            return whole.then_some(u8::MAX);
        }
        let holders = self.living(row).filter(|(_, facts)| facts.held > 0).map(|(i, _)| i);
        let channels = self.layout.channels.iter().zip(&row[self.layout.left()..]);
        let arriving = channels.filter(|&(_, &channel)| self.channels.get(channel).tokens > 0);
        let heading = |(&(from, to), &channel): (&(u8, u8), &u32)| match self
            .channels
            .get(channel)
            .arriving
        {
            0 => from,
            _ => self.heading(row, from, to),
        };
        let with_token = holders.chain(arriving.map(heading));
        Some(with_token.fold(0, |owed, i| owed | part(i)) & !self.doubtful(row))
    }

    /// Those in a part of the network with more than half of all nodes, a bit for each.
    fn in_quorum(&self, row: &[u32]) -> u8 {
        let stopped = self.nodes(row).filter(|(_, facts)| facts.crashed);
        let cut = stopped.fold(0, |cut, (i, _)| cut | self.layout.links_at(i.into()));
        let links = self.environment(row[0]).links & !cut;
        let parts = self.living(row).map(|(i, _)| self.layout.reached(links, i.into()));
        let mut most =
            parts.filter(|part| progress::has_quorum(part.count_ones() as usize, self.layout.n));
        most.next().unwrap_or(0) as u8
    }

    /// Nothing happens any more: whether nobody waits who is owed something, and everyone says so
    /// who has no token in their part.
    pub(crate) fn settled(&self, row: &[u32]) -> bool {
        let Some(owed) = self.owed(row) else { return true };
        let parts = self.setup.partitions() && self.tokens > 0;
        let excused = self.excused(row);
        self.living(row).all(|(i, facts)| {
            let owed = owed & (1 << i) != 0;
            let reported = !parts
                || excused & (1 << i) != 0
                || progress::reported(node(i), owed, facts.misses).is_ok();
            reported && !(owed && facts.section == Status::Waiting)
        })
    }

    /// Nothing happens but that those inside leave: whether everyone is in who need not wait for
    /// that.
    pub(crate) fn entered_together(&self, row: &[u32]) -> bool {
        if self.setup.rules.exclusion != Exclusion::SameGroup
            || self.living(row).any(|(_, facts)| facts.timers > 0)
        {
            return true;
        }
        let Some(owed) = self.owed(row) else { return true };
        let interested = self.living(row).filter(|(_, facts)| facts.section != Status::Remainder);
        let all = interested.map(|(i, facts)| (node(i), facts.section, facts.wanted));
        progress::entered_together(all, |node| owed & (1 << node.index()) != 0).is_ok()
    }

    /// All nodes of a state that have not stopped.
    fn living<'m>(&'m self, row: &'m [u32]) -> impl Iterator<Item = (u8, &'m Facts)> + Clone {
        self.nodes(row).filter(|(_, facts)| !facts.crashed)
    }

    /// All nodes of a state.
    fn nodes<'m>(&'m self, row: &'m [u32]) -> impl Iterator<Item = (u8, &'m Facts)> + Clone {
        (0..).zip(row[1..=self.layout.n].iter().map(|&site| self.site(site)))
    }
}
