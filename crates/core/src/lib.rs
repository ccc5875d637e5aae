//! The vocabulary of driftlock: what a process is, what reaches it, what it answers.
//!
//! **The step law.** *A process takes one input at a time and answers before it takes the next.
//! What it answers depends on its state and on that input, and on nothing else.*
//!
//! Everything follows from that law. The simulator, the model checker and a node on real sockets
//! are drivers: they own time, links and dice, and feed one [`Input`] after another to a
//! [`Protocol`]. Because a process has no clock, no random source and no IO, the same code runs
//! in all of them, and any run can be repeated from the list of its inputs.
//!
//! Reading order: [`id`], [`event`], [`out`], [`protocol`], [`medium`]; then the containers
//! that let protocol code read like pseudocode, [`peers`] (`height[j]`) and [`fifo`] (`Q`); then
//! [`graph`].
//!
//! ```
//! use driftlock_core::{Input, NodeId, NoTimer, Out, Output, Protocol, ResourceId, Status};
//!
//! /// One node, alone: whoever asks gets in.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Alone(Status);
//!
//! impl Protocol for Alone {
//!     type Msg = ();
//!     type Timer = NoTimer;
//!     fn step(&mut self, input: Input<(), NoTimer>, out: &mut Out<(), NoTimer>) {
//!         match input {
//!             Input::RequestCs(_) => {
//!                 self.0 = Status::Critical;
//!                 out.enter_cs();
//!             }
//!             Input::ReleaseCs => self.0 = Status::Remainder,
//!             Input::Timer(never) => match never {},
//!             _ => {}
//!         }
//!     }
//!     fn status(&self) -> Status {
//!         self.0
//!     }
//! }
//!
//! let mut out = Out::new();
//! let mut process = Alone(Status::Remainder);
//! process.step(Input::RequestCs(ResourceId(0)), &mut out);
//! assert_eq!(out.as_slice(), [Output::EnterCs]);
//! assert_eq!(process.status(), Status::Critical);
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod event;
pub mod fifo;
pub mod graph;
pub mod id;
pub mod medium;
pub mod out;
pub mod peers;
pub mod protocol;

pub use event::{Input, LinkRole, NoTimer, Output, Status};
pub use fifo::Fifo;
pub use graph::Graph;
pub use id::{NodeId, ResourceId, Ticks};
pub use medium::Medium;
pub use out::Out;
pub use peers::PeerMap;
pub use protocol::{Canonical, Cold, Initial, Inspect, Level, Protocol, Tokens};
