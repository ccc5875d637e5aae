//! A deterministic discrete-event simulator for driftlock protocols.
//!
//! A [`Scenario`] describes a run; [`World`] is the run. Time is virtual and counted in ticks;
//! events happen in the order of (time, sequence); every random number has an address ([`dice`]),
//! so the same scenario gives the same run, event for event, on any machine.
//!
//! Monitors from `driftlock-spec` watch every run. A run has a stormy part, in which nodes ask and
//! links change, and a calm part, in which both cease, everyone who waits has to get in and the
//! network has to fall silent.
//!
//! ```
//! use driftlock_protocols::rl::{Config, Rl};
//! use driftlock_sim::{Measure, Scenario, World};
//!
//! let scenario = Scenario {
//!     measure: Some(Measure { warmup: 10, entries: Some(100), until: None }),
//!     ..Scenario::default()
//! };
//! let run = World::<Rl>::new(&scenario, &Config::default()).unwrap().run();
//! assert_eq!(run.violation, None);
//! assert_eq!(run.metrics.entries, 100);
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | [`scenario`] | one run, fully described |
//! | [`dice`], [`span`] | random numbers, lengths of time |
//! | [`network`] | the initial networks |
//! | [`agenda`] | what happens next |
//! | [`world`] | the loop |
//! | `links`, `routes` | what carries messages: links to neighbors, or shortest paths to anyone |
//! | `changes` | how links come and go |
//! | `motion` | how nodes move |
//! | [`traced`] | worlds from files |
//! | [`metrics`] | what is measured |
//! | [`campaign`] | scenarios drawn at random |
#![forbid(unsafe_code)]

pub mod agenda;
pub mod campaign;
mod changes;
pub mod dice;
mod links;
pub mod metrics;
mod motion;
pub mod network;
mod routes;
pub mod scenario;
pub mod span;
pub mod traced;
pub mod world;

pub use agenda::Agenda;
pub use metrics::Metrics;
pub use network::{Network, Shape};
pub use scenario::{
    ChangeModel, ConnectedBy, LinkChanges, Measure, Medium, Moment, Motion, MotionModel,
    MotionStart, Requests, Scenario, ScenarioError, Scripted, Session, Speed, Traced, Undefined,
};
pub use span::{Span, TICKS_PER_UNIT, ticks, units};
pub use world::{Run, Simulated, World};
