//! Whether a state is as was promised.

use driftlock_core::{NodeId, ResourceId, Status};
use driftlock_spec::tokens;

use crate::layout::node;
use crate::memo::Memo;
use crate::site::{Checked, Facts};

impl<P: Checked> Memo<P> {
    /// Whether every promise about states is kept that holds at any time.
    #[inline]
    pub(crate) fn holds(&self, row: &[u32]) -> bool {
        let even = self.environment(row[0]).even;
        let (left, right) = row.split_at(self.layout.left());
        let (mut tokens, mut weight, mut inside) = (0, 0, 0);
        for &site in &left[1..] {
            let facts = self.site(site);
            tokens += facts.held;
            weight += facts.weight;
            inside += u32::from(facts.section == Status::Critical);
        }
        for &channel in right {
            let content = self.channels.get(channel);
            tokens += content.tokens;
            weight += content.weight;
        }
        ((tokens == self.tokens && tokens::balanced(weight).is_ok()) || !even)
            && (inside < 2 || self.exclusive(row))
            && (!P::FORKS || !even || self.one_fork_each(row))
    }

    #[cold]
    fn exclusive(&self, row: &[u32]) -> bool {
        let inside: Vec<(NodeId, ResourceId)> = self
            .nodes(row)
            .filter(|(_, facts)| facts.section == Status::Critical)
            .map(|(i, facts)| (node(i), facts.wanted))
            .collect();
        let links = self.environment(row[0]).links;
        let linked = |a: NodeId, b: NodeId| links & self.layout.link(a.index(), b.index()) != 0;
        self.setup.rules.exclusion.judge(&inside, linked).is_ok()
    }

    #[cold]
    fn one_fork_each(&self, row: &[u32]) -> bool {
        let layout = &self.layout;
        let links = self.environment(row[0]).links;
        let up = layout.pairs.iter().enumerate().filter(|(k, _)| links & (1 << k) != 0);
        up.map(|(_, &pair)| pair).all(|(a, b)| {
            let facts = |i: u8| self.site(row[1 + usize::from(i)]);
            let here = |i: u8, j: u8| (node(i), facts(i).forks & (1 << j) != 0);
            let there =
                |i: u8, j: u8| self.channels.get(row[layout.channel(i.into(), j.into())]).forks;
            tokens::one_fork(here(a, b), here(b, a), there(a, b) + there(b, a)).is_ok()
        })
    }

    /// All nodes of a state.
    fn nodes<'m>(&'m self, row: &'m [u32]) -> impl Iterator<Item = (u8, &'m Facts)> + Clone {
        (0..).zip(row[1..=self.layout.n].iter().map(|&site| self.site(site)))
    }
}
