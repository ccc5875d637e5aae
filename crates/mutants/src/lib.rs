//! Algorithms with a line dropped or altered, to see that the checker notices.
//!
//! A check that finds nothing is worth as much as what it would have found. Here each line of an
//! algorithm is broken in turn, and the tests of this crate see that a promise is broken then. The
//! build script takes the sources of `protocols` and puts all mutants of [`table`] into them, to be
//! chosen by number when a network is set up: mutant 0 is the algorithm as it is.
//!
//! | file | what it is |
//! |---|---|
//! | [`table`] | the mutants |
//! | [`mod@generate`] | how they get into the source |
//! | `tests` | the setups that they are tried on, and the hunt |
#![forbid(unsafe_code)]

extern crate alloc;

pub mod generate;
pub mod table;

// Where the sources look for it.
use driftlock_protocols::Variant;

/// RL with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod rl {
    include!(concat!(env!("OUT_DIR"), "/rl.rs"));
}

/// KRL, KRLF and KRLA with all their mutants.
#[allow(missing_docs, clippy::all)]
pub mod krl {
    include!(concat!(env!("OUT_DIR"), "/krl.rs"));
}

/// GME with all its mutants. Its heights are those of [`rl`], which no mutant alters.
#[allow(missing_docs, clippy::all)]
pub mod gme {
    include!(concat!(env!("OUT_DIR"), "/gme.rs"));
}

/// Raymond's algorithm with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod raymond {
    include!(concat!(env!("OUT_DIR"), "/raymond.rs"));
}

/// Raymond's algorithm for several at once with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod raymond_k {
    include!(concat!(env!("OUT_DIR"), "/raymond_k.rs"));
}

/// The cluster algorithm with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod cluster {
    include!(concat!(env!("OUT_DIR"), "/cluster.rs"));
}

/// The ring that is found on the way with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod ring {
    include!(concat!(env!("OUT_DIR"), "/ring.rs"));
}

/// LME-1 with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod lme1 {
    include!(concat!(env!("OUT_DIR"), "/lme1.rs"));
}

/// LME-2 with all its mutants.
#[allow(missing_docs, clippy::all)]
pub mod lme2 {
    include!(concat!(env!("OUT_DIR"), "/lme2.rs"));
}

/// Chandy and Misra's philosophers with all their mutants.
#[allow(missing_docs, clippy::all)]
pub mod chandy_misra {
    include!(concat!(env!("OUT_DIR"), "/chandy_misra.rs"));
}
