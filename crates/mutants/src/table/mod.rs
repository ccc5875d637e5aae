//! The mutants: which line of which algorithm, what it becomes, and what comes of that.
//!
//! The build script and the tests share this.

mod chandy_misra;
mod cluster;
mod gme;
mod krl;
mod lme1;
mod lme2;
mod raymond;
mod raymond_k;
mod ring;
mod rl;

/// Every protocol that is mutated.
pub const PROTOCOLS: &[Source] = &[
    rl::SOURCE,
    krl::SOURCE,
    gme::SOURCE,
    lme1::SOURCE,
    lme2::SOURCE,
    chandy_misra::SOURCE,
    raymond::SOURCE,
    raymond_k::SOURCE,
    cluster::SOURCE,
    ring::SOURCE,
];

/// A protocol and its mutants.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its folder in `protocols`.
    pub name: &'static str,
    /// The files beside `mod.rs`.
    pub parts: &'static [&'static str],
    /// What to replace so that each process knows the number of its mutant.
    pub plumbing: &'static [(&'static str, &'static str)],
    /// The mutants, some to a file.
    pub mutants: &'static [&'static [Mutant]],
}

impl Source {
    /// All mutants in order. The first has number 1.
    pub fn mutants(&self) -> impl Iterator<Item = &'static Mutant> + use<> {
        self.mutants.iter().copied().flatten()
    }
}

/// One alteration.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What is altered, in words.
    pub name: &'static str,
    /// The function it is in; if there are several of that name, with as much of its parameters as
    /// it takes to tell.
    pub within: &'static str,
    /// The text that is altered, which has to be there once: statements, or an expression.
    pub find: &'static str,
    /// What it becomes.
    pub replace: &'static str,
    /// Other places that are altered with it: function, text, what it becomes.
    pub also: &'static [(&'static str, &'static str, &'static str)],
    /// What comes of it.
    pub fate: Fate,
}

/// What comes of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// One of the setups on which every mutant is tried shows a broken promise.
    Killed,
    /// This setup does, which takes too long to try every mutant on it.
    KilledBy(&'static str),
    /// No promise is broken, and this is why.
    Survives(&'static str),
    /// Nothing shows a broken promise, and it is not clear that nothing can. This is what is known.
    Open(&'static str),
}

/// A mutant that is killed.
pub const fn mutant(
    name: &'static str,
    within: &'static str,
    find: &'static str,
    replace: &'static str,
) -> Mutant {
    Mutant { name, within, find, replace, also: &[], fate: Fate::Killed }
}

impl Mutant {
    /// These places are altered too.
    pub const fn with(self, also: &'static [(&'static str, &'static str, &'static str)]) -> Self {
        Mutant { also, ..self }
    }

    /// It takes this setup to kill it.
    pub const fn by(self, setup: &'static str) -> Self {
        Mutant { fate: Fate::KilledBy(setup), ..self }
    }

    /// It survives, and has to.
    pub const fn survives(self, why: &'static str) -> Self {
        Mutant { fate: Fate::Survives(why), ..self }
    }

    /// It survives all there is.
    pub const fn open(self, known: &'static str) -> Self {
        Mutant { fate: Fate::Open(known), ..self }
    }
}
