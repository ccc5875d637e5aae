//! A counterexample as a story.

use std::fmt::Write;

use driftlock_check::{Checked, Counterexample};
use driftlock_core::{Input, Protocol};
use driftlock_journal::text;
use driftlock_replay::{Action, Step};
use driftlock_spec::Violation;

use super::counted;

/// A counterexample, told and written down.
pub(crate) struct Story {
    pub(crate) violation: Violation,
    /// How many actions it takes, and where among them a part begins that goes round for ever.
    pub(crate) actions: usize,
    pub(crate) cycle: Option<usize>,
    /// What happens, action by action.
    pub(crate) text: String,
    /// The journal; nothing, if there is no run to write down.
    pub(crate) journal: Vec<u8>,
}

impl Story {
    /// Tell what happens.
    pub(crate) fn new<P: Checked>(
        counterexample: &Counterexample<P::Timer>,
        steps: &[Step<P>],
        journal: Vec<u8>,
    ) -> Self {
        let Counterexample { schedule, cycle, violation, .. } = counterexample;
        let mut text = String::new();
        for (k, action) in schedule.iter().enumerate() {
            if *cycle == Some(k) {
                text.push_str("     from here on it goes round for ever:\n");
            }
            let steps: Vec<&Step<P>> = steps.iter().filter(|step| step.action == k).collect();
            tell::<P>(&mut text, k + 1, action, &steps);
        }
        let (actions, cycle, violation) = (schedule.len(), *cycle, violation.clone());
        Story { violation, actions, cycle, text, journal }
    }

    /// What is broken, and how soon.
    pub(crate) fn headline(&self) -> String {
        let Violation { promise, what, .. } = &self.violation;
        match self.cycle {
            _ if self.actions == 0 => format!("({promise}): {what}"),
            None => format!("in {} ({promise}): {what}", counted(self.actions as u64, "action")),
            Some(cycle) => format!(
                "after {}, by {} that repeat ({promise}): {what}",
                counted(cycle as u64, "action"),
                self.actions - cycle
            ),
        }
    }
}

/// Where the line of the paper is told.
const MARGIN: usize = 58;

fn tell<P: Checked>(to: &mut String, number: usize, action: &Action<P::Timer>, steps: &[&Step<P>]) {
    let mut number = Some(number).map(|number| format!("{number:>4}")).into_iter();
    let mut next = || number.next().unwrap_or_else(|| "    ".into());
    if let Some(what) = happening(action) {
        let _ = writeln!(to, "{} {what}", next());
    }
    for step in steps {
        let _ = writeln!(to, "{} {} {}", next(), step.node, words::<P>(&step.input));
        for (output, line) in step.outputs.iter().zip(P::lines(&step.input, &step.outputs)) {
            let output = format!("       {}", text::output(step.node, output));
            let told = match line {
                "" => output,
                line => format!("{output:MARGIN$} {line}"),
            };
            let _ = writeln!(to, "{told}");
        }
    }
}

/// An action that is more than a step.
fn happening<T>(action: &Action<T>) -> Option<String> {
    match action {
        Action::LinkUp { a, b, .. } => Some(format!("the link {a}-{b} comes up")),
        Action::LinkDown { a, b } => Some(format!("the link {a}-{b} goes down")),
        Action::Lose { from, to } => Some(format!("a message from {from} to {to} is lost")),
        Action::Duplicate { from, to } => Some(format!("a message from {from} to {to} doubles")),
        Action::Crash(node) => Some(format!("{node} stops for good")),
        Action::Save(node) => Some(format!("what {node} is now is what it will wake up as")),
        Action::Restart { node, inside: None } => Some(format!("{node} is killed and wakes up")),
        Action::Restart { node, inside: Some(_) } => {
            Some(format!("{node} is killed and wakes up, and whoever was inside still is"))
        }
        _ => None,
    }
}

fn words<P: Protocol>(input: &Input<P::Msg, P::Timer>) -> String {
    text::input(input)
}

#[cfg(test)]
mod tests {
    use driftlock_core::{Graph, NoTimer, NodeId, ResourceId};
    use driftlock_protocols::Variant;
    use driftlock_protocols::krl::{Config, Forwarding, Krl};
    use driftlock_replay::{Setting, enact};
    use driftlock_spec::Rules;

    use super::*;

    /// What a node wakes up as is said where it is that, and who outlives it asks again.
    #[test]
    fn a_restart_is_told() {
        let node = NodeId(0);
        let restart = |inside| Action::<NoTimer>::Restart { node, inside };
        let schedule = [
            Action::Save(node),
            Action::Request(node, ResourceId(0)),
            restart(Some(ResourceId(0))),
            Action::Save(node),
            restart(None),
        ];
        let mut graph = Graph::new(2);
        graph.link(node, NodeId(1));
        let rules = Rules { settled: true, ..Rules::default() };
        let setting = Setting { protocol: "krl".into(), graph, medium: Default::default(), rules };
        let config = Config::new(Variant::Repaired, 1, Forwarding::Never);
        let run = enact::<Krl>(&setting, &config, &schedule, None, None).unwrap();
        assert_eq!(run.skipped, 0);
        let mut text = String::new();
        for (k, action) in schedule.iter().enumerate() {
            let steps: Vec<&Step<Krl>> = run.steps.iter().filter(|step| step.action == k).collect();
            tell::<Krl>(&mut text, k + 1, action, &steps);
        }
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains("EnterCs")).collect();
        let told = [
            "   1 what n0 is now is what it will wake up as",
            "   2 n0 RequestCs",
            "   3 n0 is killed and wakes up, and whoever was inside still is",
            "     n0 RequestCs",
            "   4 what n0 is now is what it will wake up as",
            "   5 n0 is killed and wakes up",
        ];
        assert_eq!(lines, told);
    }
}
