//! A broken promise, as a value.

use std::fmt;

use driftlock_core::{NodeId, Ticks};

/// What can be broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Promise {
    /// No more processes in the critical section than allowed.
    Exclusion,
    /// A process enters only after a request, and shows the section it is in.
    EntryOnRequest,
    /// The application asks only in the remainder and leaves only from the critical section.
    Application,
    /// Tokens are neither made nor lost.
    Tokens,
    /// Where tokens are made anew, there is one of each epoch.
    Epochs,
    /// Each link has one fork.
    Forks,
    /// Neighbors who compete have different colors.
    Colors,
    /// The weight that is out is what was handed out.
    Weights,
    /// Every step is defined by the algorithm's text.
    DefinedStep,
    /// The driver keeps to the system model of the paper.
    Model,
    /// Once link changes cease, everyone who waits gets in.
    NoStarvation,
    /// Once nobody wants anything, nothing is sent.
    Silence,
    /// Whoever cannot reach a token knows it, and nobody else thinks so.
    Reachability,
    /// If nobody wants anything else, all who want one resource get in together.
    ConcurrentEntering,
    /// There is a run in which everyone who asks gets in.
    Possible,
}

impl Promise {
    /// The name under which the promise is reported.
    pub fn name(self) -> &'static str {
        match self {
            Promise::Exclusion => "mutual exclusion",
            Promise::EntryOnRequest => "entry only on request",
            Promise::Application => "application discipline",
            Promise::Tokens => "token conservation",
            Promise::Epochs => "one token of each epoch",
            Promise::Forks => "one fork for each link",
            Promise::Colors => "legal coloring",
            Promise::Weights => "weight conservation",
            Promise::DefinedStep => "every step is defined",
            Promise::Model => "the paper's execution conditions",
            Promise::NoStarvation => "no starvation",
            Promise::Silence => "silence when nothing is wanted",
            Promise::Reachability => "a token out of reach is reported",
            Promise::ConcurrentEntering => "concurrent entering",
            Promise::Possible => "everyone can get in",
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where and how a promise was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The promise.
    pub promise: Promise,
    /// When.
    pub at: Ticks,
    /// In which step of the run, counted from 1; 0 is before the first.
    pub step: u64,
    /// Who is involved.
    pub nodes: Vec<NodeId>,
    /// What happened, in one line.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "promise broken in step {} ({}): {}", self.step, self.promise, self.what)
    }
}

/// A violation before it is known when it was: what a definition says that was not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The promise.
    pub promise: Promise,
    /// Who is involved.
    pub nodes: Vec<NodeId>,
    /// What happened, in one line.
    pub what: String,
}

impl Broken {
    /// Say when it was.
    pub fn at(self, at: Ticks, step: u64) -> Violation {
        let Broken { promise, nodes, what } = self;
        Violation { promise, at, step, nodes, what }
    }
}
