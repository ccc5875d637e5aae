//! Who hears whom: [`Air`].

use std::collections::BTreeSet;

/// What changes on the air.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Two nodes come near each other, and stay.
    Meet(usize, usize),
    /// Two nodes do not hear each other.
    Cut(usize, usize),
    /// What one says the other does not hear.
    Deafen {
        /// Who is not heard.
        from: usize,
        /// Who does not hear.
        to: usize,
    },
    /// Two nodes that are near hear each other again.
    Heal(usize, usize),
    /// These nodes and the others do not hear each other.
    Split(BTreeSet<usize>),
    /// All parts are one again.
    Unite,
    /// A node hears nobody and is heard by nobody, until all is calm.
    Isolate(usize),
    /// Of a hundred frames so many are lost.
    Lose(u32),
    /// Whoever is near is heard, and nothing is lost.
    Calm,
}

/// Who is near whom, and what keeps them from hearing each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Air {
    near: BTreeSet<(usize, usize)>,
    cut: BTreeSet<(usize, usize)>,
    apart: BTreeSet<usize>,
    alone: BTreeSet<usize>,
    loss: u32,
}

impl Air {
    /// These are near each other, and hear each other.
    pub fn new(links: &[(usize, usize)]) -> Air {
        let near = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        let (cut, apart, alone) = Default::default();
        Air { near, cut, apart, alone, loss: 0 }
    }

    /// Something changes.
    pub fn change(&mut self, change: &Change) {
        match change {
            Change::Meet(a, b) => self.near.extend([(*a, *b), (*b, *a)]),
            Change::Cut(a, b) => self.cut.extend([(*a, *b), (*b, *a)]),
            Change::Deafen { from, to } => drop(self.cut.insert((*from, *to))),
            Change::Heal(a, b) => {
                self.cut.remove(&(*a, *b));
                self.cut.remove(&(*b, *a));
            }
            Change::Split(part) => self.apart = part.clone(),
            Change::Unite => self.apart.clear(),
            Change::Isolate(i) => drop(self.alone.insert(*i)),
            Change::Lose(percent) => self.loss = *percent,
            Change::Calm => {
                self.cut.clear();
                self.apart.clear();
                self.alone.clear();
                self.loss = 0;
            }
        }
    }

    /// Pairs of who speaks and who hears it.
    pub fn hears(&self) -> BTreeSet<(usize, usize)> {
        let is_apart = |i: &usize| self.apart.contains(i);
        let is_alone = |i: &usize| self.alone.contains(i);
        let is_heard = |(from, to): &&(usize, usize)| {
            is_apart(from) == is_apart(to) && !is_alone(from) && !is_alone(to)
        };
        self.near.difference(&self.cut).filter(is_heard).copied().collect()
    }

    /// How many of a hundred frames are lost.
    pub fn loss(&self) -> u32 {
        self.loss
    }
}
