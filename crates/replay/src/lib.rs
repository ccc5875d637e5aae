//! The plainest driver: it runs an explicit schedule.
//!
//! There are no clocks, no dice and no agenda here. A schedule is a list of [`Action`]s, and
//! [`enact`] lets them happen one after the other, under the eyes of the monitors. A journal is a
//! schedule with a check sum of every answer, and [`replay`] verifies it step by step. Both
//! share one stage, and neither shares code with the simulator but the protocol and the monitors:
//! the stage rebuilds every channel from what processes send, and finds a driver out that broke
//! the rules of its own model.
//!
//! | file | what it is |
//! |---|---|
//! | `stage` | processes, channels, links and timers, and what can happen to them |
//! | `ends` | links whose ends are told of changes one by one |
//! | `naps` | nodes that are killed and wake up |
//! | `schedule` | what can happen, and the schedule of a journal |
//! | `enact` | a schedule, run |
//! | `replay` | a journal, run again and verified |
//! | `join` | what several nodes wrote down, as one journal |
//! | `shrink` | a failing schedule, made short |
//! | `attempt` | a step that may be the end of a process |
#![forbid(unsafe_code)]

mod attempt;
mod enact;
mod ends;
mod join;
mod naps;
mod replay;
mod schedule;
mod shrink;
mod stage;

use driftlock_core::{Graph, Initial, Medium, Tokens};
use driftlock_spec::Rules;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use attempt::{attempt, is_attempting};
pub use enact::{Enacted, Step, enact};
pub use join::{JoinError, Joined, PartStep, join};
pub use replay::{ReplayError, Replayed, Seen, replay};
pub use schedule::{Action, schedule_of};
pub use shrink::{Shrunk, shrink};
pub use stage::Happening;

/// What a protocol has to offer to be run by a schedule and written down.
pub trait Replayable:
    Initial + Tokens<Msg: Serialize, Timer: Serialize + DeserializeOwned>
{
}

impl<P> Replayable for P where
    P: Initial + Tokens<Msg: Serialize, Timer: Serialize + DeserializeOwned>
{
}

/// The world a schedule runs in.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The name of the protocol.
    pub protocol: String,
    /// The network the processes are set up on. It is connected.
    pub graph: Graph,
    /// What carries messages.
    pub medium: Medium,
    /// What is promised, and what the world may do.
    pub rules: Rules,
}
