//! Published mutual exclusion algorithms for networks that move, one folder to a paper.
//!
//! Each module opens like its paper: citation, idea, model, names, departures. Each file has the
//! same order: messages, state, `impl Protocol` (the table of contents), events, procedures,
//! expressions, constructors, inspection. Numbers in the right margin are the line numbers of the
//! paper's pseudocode.
//!
//! | module | promise | from |
//! |---|---|---|
//! | [`rl`] | one at a time, over links that come and go | Walter, Welch, Vaidya 2001 |
//! | [`gme`] | one resource at a time, over links that come and go | Jiang |
//! | [`krl`] | k at a time, over links that come and go | Walter, Cao, Mohanty 2001 |
//! | [`lme1`] | no two neighbors, over links that come and go | Attiya, Kogan, Welch 2008 |
//! | [`lme2`] | no two neighbors, over links that come and go | Attiya, Kogan, Welch 2008 |
//! | [`chandy_misra`] | no two neighbors, over fixed links | Chandy, Misra 1984 |
//! | [`raymond`] | one at a time, over a fixed tree | Raymond 1989 |
//! | [`raymond_k`] | up to `k` at a time, by permission of all others | Raymond 1989 |
//! | [`cluster`] | one at a time, messages get lost and nodes stop | Sharma, Bhatia, Singh 2014 |
//! | [`ring`] | one at a time, messages going to anyone | Baldoni, Virgillito, Petrassi 2002 |
//!
//! Protocols know nothing of whoever drives them, and nothing of each other, but that [`gme`] has
//! the heights of [`rl`], on whose text it is built.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod chandy_misra;
pub mod cluster;
pub mod gme;
pub mod krl;
pub mod lme1;
pub mod lme2;
pub mod raymond;
pub mod raymond_k;
pub mod ring;
pub mod rl;

/// Which text of an algorithm to follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Variant {
    /// The published pseudocode to the letter, with the smallest reading that makes it run. Where
    /// the text is undefined, the process says so and does nothing.
    Published,
    /// The pseudocode with the numbered departures of its module. The default.
    #[default]
    Repaired,
}
