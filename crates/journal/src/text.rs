//! A step, for people.

use std::fmt::{Debug, Write};

use driftlock_core::{Input, NodeId, Output};

/// What happened in a step: a line for the input, a line for each output.
///
/// ```
/// use driftlock_core::{Input, NodeId, NoTimer, Output, ResourceId};
/// let input: Input<&str> = Input::RequestCs(ResourceId(0));
/// let outputs = [Output::Send { to: NodeId(0), msg: "please" }];
/// let text = driftlock_journal::text::step("1.250", NodeId(2), &input, &outputs);
/// assert_eq!(text, "     1.250  n2 RequestCs\n            n2 -> n0 \"please\"\n");
/// ```
pub fn step<M: Debug, T: Debug>(
    at: &str,
    node: NodeId,
    input: &Input<M, T>,
    outputs: &[Output<M, T>],
) -> String {
    told(at, node, &self::input(input), outputs)
}

/// The same, where what happened is said in words already.
pub fn told<M: Debug, T: Debug>(
    at: &str,
    node: NodeId,
    what: &str,
    outputs: &[Output<M, T>],
) -> String {
    let mut text = format!("{at:>10}  {node} {what}\n");
    for output in outputs {
        let _ = writeln!(text, "{:>10}  {}", "", self::output(node, output));
    }
    text
}

/// An input in a few words.
pub fn input<M: Debug, T: Debug>(input: &Input<M, T>) -> String {
    match input {
        Input::RequestCs(resource) if resource.0 == 0 => "RequestCs".into(),
        Input::RequestCs(resource) => format!("RequestCs {resource}"),
        Input::ReleaseCs => "ReleaseCs".into(),
        Input::Recv { from, msg } => format!("Recv {msg:?} from {from}"),
        Input::LinkUp { peer, role } => format!("LinkUp {peer} ({role:?})"),
        Input::LinkDown { peer } => format!("LinkDown {peer}"),
        Input::Timer(timer) => format!("Timer {timer:?}"),
        Input::Returned { to, msg } => format!("Returned {msg:?} to {to}"),
    }
}

/// An output of `node` in a few words.
pub fn output<M: Debug, T: Debug>(node: NodeId, output: &Output<M, T>) -> String {
    match output {
        Output::Send { to, msg } => format!("{node} -> {to} {msg:?}"),
        Output::EnterCs => format!("{node} EnterCs"),
        Output::Demote => format!("{node} Demote"),
        Output::SetTimer { timer, after } => format!("{node} sets {timer:?} for {}", after.0),
        Output::CancelTimer { timer } => format!("{node} cancels {timer:?}"),
        Output::Note(what) => format!("{node} does {what}"),
        Output::Undefined(what) => format!("{node} has nothing to go by: {what}"),
    }
}
