//! Every schedule of a small network, for safety and for liveness.
//!
//! [`check`] explores every order in which the messages of a small network can arrive, its
//! applications ask and leave, its links change and faults happen, with the very code of the
//! protocol, and asks the definitions of `spec` about each state and each step. It finds what
//! is wrong by the shortest way, and if it finds nothing, there is nothing within the bounds of
//! the [`Setup`].
//!
//! | file | what it is |
//! |---|---|
//! | [`setup`](Setup) | the network and the bounds of its environment |
//! | `site`, `channels`, `environment` | the parts of a state |
//! | `levels` | what only matters by its differences |
//! | `layout`, `rows`, `numbers`, `intern` | a state as a row of numbers |
//! | `memo` | every step of a process is taken once |
//! | `expand`, `batch` | what can happen next |
//! | `settled` | links whose ends are told one by one |
//! | `restarts` | nodes that are killed and wake up |
//! | `judge` | whether a state is as was promised |
//! | `store` | all states, exactly, in a few bytes each |
//! | `search` | breadth first, on all cores, in one order |
//! | `components`, `fairness` | runs that never end |
//! | `trace`, [`report`](Report) | the shortest counterexample |
//! | [`fn@estimate`] | how large it will be |
#![forbid(unsafe_code)]

mod batch;
mod channels;
mod components;
mod environment;
mod estimate;
mod expand;
mod fairness;
mod intern;
mod judge;
mod layout;
mod levels;
mod memo;
mod numbers;
mod report;
mod restarts;
mod rows;
mod search;
mod settled;
mod setup;
mod site;
mod store;
mod trace;

pub use estimate::{Estimate, estimate};
pub use layout::NODES_MAX;
pub use report::{Counterexample, Report, check};
pub use search::{End, Limits, Progress};
pub use setup::{Connectivity, Refusal, Setup};
pub use site::Checked;
