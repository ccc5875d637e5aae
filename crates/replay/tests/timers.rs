//! Timers: only those that are set go off, once for each setting.

use driftlock_core::{Graph, Initial, Input, NodeId, Out, Protocol, Status, Ticks, Tokens};
use driftlock_replay::Action;
use driftlock_spec::Rules;
use driftlock_spec::progress::Calm;
use serde::{Deserialize, Serialize};

use crate::nets::{request, setting, verified};

/// Gets in when the timer goes off that it sets when asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Patient(Status);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
enum Timer {
    Patience,
    Cancelled,
}

impl Protocol for Patient {
    type Msg = ();
    type Timer = Timer;

    fn step(&mut self, input: Input<(), Timer>, out: &mut Out<(), Timer>) {
        match input {
            Input::RequestCs(_) => {
                self.0 = Status::Waiting;
                out.set_timer(Timer::Patience, Ticks(3));
                out.set_timer(Timer::Cancelled, Ticks(3));
                out.cancel_timer(Timer::Cancelled);
            }
            Input::Timer(timer) => {
                assert_eq!((timer, self.0), (Timer::Patience, Status::Waiting));
                self.0 = Status::Critical;
                out.enter_cs();
            }
            Input::ReleaseCs => self.0 = Status::Remainder,
            Input::Recv { .. } | Input::LinkUp { .. } | Input::LinkDown { .. } => {}
            Input::Returned { .. } => unreachable!("nothing is sent"),
        }
    }

    fn status(&self) -> Status {
        self.0
    }
}

impl Initial for Patient {
    type Config = ();

    fn initial(graph: &Graph, (): &()) -> Vec<Self> {
        graph.nodes().map(|_| Patient(Status::Remainder)).collect()
    }
}

impl Tokens for Patient {
    fn held(&self) -> u32 {
        0
    }

    fn carried((): &()) -> u32 {
        0
    }
}

fn skipped(schedule: &[Action<Timer>], calm: Option<Calm>) -> (usize, bool) {
    let alone = setting(1, &[], Rules::default());
    let (enacted, _) = verified::<Patient>(&alone, &(), schedule, calm);
    (enacted.skipped, enacted.violation.is_some())
}

fn fire(timer: Timer) -> Action<Timer> {
    Action::Timer(NodeId(0), timer)
}

#[test]
fn a_timer_goes_off_once_and_only_if_it_is_set() {
    let patience = fire(Timer::Patience);
    let schedule = [
        patience.clone(),
        request(0),
        fire(Timer::Cancelled),
        patience.clone(),
        patience.clone(),
        Action::Release(NodeId(0)),
    ];
    assert_eq!(skipped(&schedule, Some(Calm::Silent)), (3, false));
}

#[test]
fn nothing_is_silent_while_a_timer_is_set() {
    assert_eq!(skipped(&[request(0)], Some(Calm::Silent)), (0, true));
    let crash = [request(0), Action::Crash(NodeId(0)), fire(Timer::Patience)];
    assert_eq!(skipped(&crash, Some(Calm::Silent)), (1, false), "timers die with their process");
}
