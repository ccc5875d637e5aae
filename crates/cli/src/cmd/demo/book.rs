//! Who is inside, and who must not be: [`Book`].
//!
//! A program is written down as inside from the moment it has its grant to the moment it begins to
//! release it. So what is in the book is never more than what happens, and whoever is in it
//! together is inside together.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Who may be inside together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// Nobody with anybody.
    Exclusive,
    /// So many.
    Permits(usize),
    /// Those of one group.
    Group,
    /// Those that are not neighbors.
    Local,
}

/// Somebody inside.
pub(super) struct Inside<W> {
    pub(super) node: usize,
    pub(super) group: Option<&'static str>,
    /// What can be asked about it.
    pub(super) witness: W,
}

/// One lock.
pub(super) struct Page<W> {
    rule: Rule,
    inside: BTreeMap<u64, Inside<W>>,
    /// Pairs of neighbors that were inside together.
    neighbors: BTreeSet<[u64; 2]>,
    /// By node, how many programs wait.
    waiting: BTreeMap<usize, usize>,
    /// From request to grant, of each grant.
    pub(super) waits: Vec<Duration>,
    /// Grants that were taken back.
    pub(super) lost: u64,
    /// The fence of the last grant.
    pub(super) fence: u64,
    /// How often somebody was inside who must not be.
    pub(super) overlaps: u64,
    /// How often the fence of an exclusive lock did not grow.
    pub(super) fences_fallen: u64,
}

/// All locks.
pub(super) struct Book<W> {
    pub(super) pages: Vec<Page<W>>,
    next: u64,
}

impl<W> Book<W> {
    pub(super) fn new(rules: impl IntoIterator<Item = Rule>) -> Self {
        let page = |rule| Page {
            rule,
            inside: BTreeMap::new(),
            neighbors: BTreeSet::new(),
            waiting: BTreeMap::new(),
            waits: Vec::new(),
            lost: 0,
            fence: 0,
            overlaps: 0,
            fences_fallen: 0,
        };
        Book { pages: rules.into_iter().map(page).collect(), next: 0 }
    }

    /// Somebody asks for a lock.
    pub(super) fn ask(&mut self, lock: usize, node: usize) {
        *self.pages[lock].waiting.entry(node).or_default() += 1;
    }

    /// Somebody who has asked is inside. Returns the number of the grant.
    pub(super) fn enter(
        &mut self,
        lock: usize,
        who: Inside<W>,
        fence: u64,
        waited: Duration,
    ) -> u64 {
        let page = &mut self.pages[lock];
        page.stop_waiting(who.node);
        page.waits.push(waited);
        page.overlaps += u64::from(page.forbids(&who));
        page.fences_fallen += u64::from(page.rule == Rule::Exclusive && fence <= page.fence);
        page.fence = page.fence.max(fence);
        self.next += 1;
        page.inside.insert(self.next, who);
        self.next
    }

    /// Somebody is about to release, perhaps because it was told to.
    pub(super) fn leave(&mut self, lock: usize, grant: u64, is_lost: bool) {
        self.pages[lock].inside.remove(&grant);
        self.pages[lock].lost += u64::from(is_lost);
    }

    /// The node of somebody and what can be asked about it, as long as it is inside.
    pub(super) fn inside(&self, lock: usize, grant: u64) -> Option<&Inside<W>> {
        self.pages[lock].inside.get(&grant)
    }

    /// The others that are inside.
    pub(super) fn others(&self, lock: usize, grant: u64) -> Vec<u64> {
        self.pages[lock].inside.keys().copied().filter(|&other| other != grant).collect()
    }

    /// Two were found to be neighbors. That is an overlap if both are inside still, and neither was
    /// told to stop. A pair counts once, however often it is found.
    pub(super) fn are_neighbors(
        &mut self,
        lock: usize,
        mut pair: [u64; 2],
        is_lost: impl Fn(&W) -> bool,
    ) {
        pair.sort_unstable();
        let page = &mut self.pages[lock];
        let counts = |grant| page.inside.get(grant).is_some_and(|who| !is_lost(&who.witness));
        if page.rule == Rule::Local && pair.iter().all(counts) && page.neighbors.insert(pair) {
            page.overlaps += 1;
        }
    }

    /// How often somebody was inside who must not be, in any lock.
    pub(super) fn overlaps(&self) -> u64 {
        self.pages.iter().map(|page| page.overlaps).sum()
    }
}

impl<W> Page<W> {
    /// The nodes of those inside, in order.
    pub(super) fn holders(&self) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.inside.values().map(|who| who.node).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Whether nobody else can get in, so that all tokens are with those inside.
    pub(super) fn is_full(&self) -> bool {
        match self.rule {
            Rule::Exclusive => !self.inside.is_empty(),
            Rule::Permits(most) => most <= self.inside.len(),
            Rule::Group | Rule::Local => false,
        }
    }

    /// The group inside.
    pub(super) fn group(&self) -> Option<&'static str> {
        self.inside.values().find_map(|who| who.group)
    }

    /// The nodes at which somebody waits, in order.
    pub(super) fn waiting(&self) -> Vec<usize> {
        self.waiting.keys().copied().collect()
    }

    /// Whether those inside keep another one out. Of neighbors only nodes know.
    fn forbids(&self, who: &Inside<W>) -> bool {
        match self.rule {
            Rule::Exclusive | Rule::Permits(_) => self.is_full(),
            Rule::Group => self.inside.values().any(|other| other.group != who.group),
            Rule::Local => false,
        }
    }

    fn stop_waiting(&mut self, node: usize) {
        if let Some(count) = self.waiting.get_mut(&node) {
            *count -= 1;
            if *count == 0 {
                self.waiting.remove(&node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A book of one lock, and a way to enter it: nodes with groups, whose witness is whether they
    /// were told to stop.
    fn book(rule: Rule) -> Book<bool> {
        Book::new([rule])
    }

    fn enter(book: &mut Book<bool>, node: usize, group: Option<&'static str>, fence: u64) -> u64 {
        book.ask(0, node);
        let who = Inside { node, group, witness: false };
        book.enter(0, who, fence, Duration::from_millis(3))
    }

    #[test]
    fn two_inside_an_exclusive_lock_are_an_overlap() {
        let mut book = book(Rule::Exclusive);
        let first = enter(&mut book, 1, None, 5);
        book.leave(0, first, false);
        enter(&mut book, 2, None, 6);
        assert_eq!(book.overlaps(), 0);
        enter(&mut book, 1, None, 7);
        assert_eq!((book.overlaps(), book.pages[0].holders()), (1, vec![1, 2]));
        assert_eq!(book.pages[0].fences_fallen, 0);
    }

    #[test]
    fn fences_of_an_exclusive_lock_have_to_grow() {
        for (fence, fallen) in [(6, 0), (5, 1), (4, 1)] {
            let mut book = book(Rule::Exclusive);
            let first = enter(&mut book, 1, None, 5);
            book.leave(0, first, false);
            enter(&mut book, 2, None, fence);
            assert_eq!((book.overlaps(), book.pages[0].fences_fallen), (0, fallen), "{fence}");
        }
    }

    #[test]
    fn one_more_than_there_are_permits_is_an_overlap() {
        let mut book = book(Rule::Permits(2));
        let first = enter(&mut book, 1, None, 1);
        enter(&mut book, 2, None, 1);
        book.leave(0, first, false);
        enter(&mut book, 3, None, 1);
        assert_eq!(book.overlaps(), 0);
        enter(&mut book, 4, None, 1);
        assert_eq!(book.overlaps(), 1);
    }

    #[test]
    fn two_groups_inside_are_an_overlap() {
        let mut book = book(Rule::Group);
        let first = enter(&mut book, 1, Some("north"), 1);
        let second = enter(&mut book, 2, Some("north"), 1);
        assert_eq!((book.overlaps(), book.pages[0].group()), (0, Some("north")));
        book.leave(0, first, false);
        enter(&mut book, 1, Some("south"), 2);
        assert_eq!(book.overlaps(), 1);
        book.leave(0, second, false);
        enter(&mut book, 3, Some("south"), 2);
        assert_eq!(book.overlaps(), 1);
    }

    #[test]
    fn neighbors_inside_a_local_lock_are_an_overlap_unless_one_was_told_to_stop() {
        let mut book = book(Rule::Local);
        let (a, b) = (enter(&mut book, 1, None, 1), enter(&mut book, 2, None, 1));
        assert_eq!((book.overlaps(), book.others(0, a)), (0, vec![b]));
        book.are_neighbors(0, [a, b], |&told| told);
        book.are_neighbors(0, [b, a], |&told| told);
        assert_eq!(book.overlaps(), 1);
        let c = enter(&mut book, 3, None, 1);
        book.pages[0].inside.get_mut(&b).unwrap().witness = true;
        book.are_neighbors(0, [c, b], |&told| told);
        book.leave(0, a, false);
        book.are_neighbors(0, [a, c], |&told| told);
        assert_eq!(book.overlaps(), 1);
        assert!(book.inside(0, a).is_none() && book.inside(0, c).is_some());
    }

    #[test]
    fn whoever_has_asked_waits_until_it_is_inside() {
        let mut book = book(Rule::Group);
        book.ask(0, 4);
        book.ask(0, 4);
        enter(&mut book, 3, None, 1);
        assert_eq!(book.pages[0].waiting(), [4]);
        enter(&mut book, 4, None, 1);
        assert_eq!(book.pages[0].waiting(), [4]);
        book.pages[0].stop_waiting(4);
        book.pages[0].stop_waiting(4);
        assert_eq!(book.pages[0].waiting(), [0; 0]);
        assert_eq!(book.pages[0].waits, [Duration::from_millis(3); 2]);
    }
}
