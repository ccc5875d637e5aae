//! All promises of a run under one roof: [`Monitor`].

use driftlock_core::{Input, NodeId, Output, Status, Ticks, Tokens};

use crate::Promise;
use crate::application::Sections;
use crate::exclusion::Exclusion;
use crate::links::{self, Delivery, Downfall};
use crate::progress::{self, Calm};
use crate::tokens::Conservation;
use crate::violation::{Broken, Violation};

/// What a protocol promised, and how strictly its text is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How many may be in the critical section together.
    pub k: u32,
    /// Whether a step that the published text does not define is a violation. If not, the process
    /// does nothing in such a step and the run goes on.
    pub undefined_stops: bool,
}

impl Default for Rules {
    /// Mutual exclusion, and every step is defined.
    fn default() -> Self {
        Rules { k: 1, undefined_stops: true }
    }
}

/// Watches a run. The driver tells it every step, in order; it remembers the first broken promise.
///
/// ```
/// # use driftlock_core::{Input, NoTimer, NodeId, Out, Protocol, ResourceId, Status, Ticks};
/// # use driftlock_core::Tokens;
/// use driftlock_spec::{Monitor, Promise, Rules};
/// # #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// # struct Rude(Status);
/// # impl Protocol for Rude {
/// #     type Msg = ();
/// #     type Timer = NoTimer;
/// #     fn step(&mut self, _: Input<(), NoTimer>, out: &mut Out<(), NoTimer>) {
/// #         self.0 = Status::Critical;
/// #         out.enter_cs();
/// #     }
/// #     fn status(&self) -> Status { self.0 }
/// # }
/// # impl Tokens for Rude {
/// #     fn held(&self) -> u32 { 0 }
/// #     fn carried(_: &()) -> u32 { 0 }
/// # }
/// // `Rude` enters whenever anything happens, whoever else is inside.
/// let mut processes = vec![Rude(Status::Remainder), Rude(Status::Remainder)];
/// let mut monitor = Monitor::new(&processes, Rules::default());
/// let mut out = Out::new();
/// for node in [NodeId(0), NodeId(1)] {
///     let input = Input::RequestCs(ResourceId(0));
///     let process = &mut processes[node.index()];
///     monitor.before(Ticks(0), node, process, &input);
///     process.step(input, &mut out);
///     monitor.after(node, process, out.as_slice());
///     out.drain();
/// }
/// assert_eq!(monitor.violation().map(|violation| violation.promise), Some(Promise::Exclusion));
/// ```
#[derive(Clone, Debug)]
pub struct Monitor {
    rules: Rules,
    at: Ticks,
    step: u64,
    sections: Sections,
    exclusion: Exclusion,
    tokens: Conservation,
    violation: Option<Violation>,
}

impl Monitor {
    /// A monitor for a run that starts with `processes`.
    pub fn new<P: Tokens>(processes: &[P], rules: Rules) -> Self {
        let held = processes.iter().map(|process| u64::from(process.held())).sum();
        Monitor {
            rules,
            at: Ticks(0),
            step: 0,
            sections: Sections::new(processes.len()),
            exclusion: Exclusion::at_most(rules.k),
            tokens: Conservation::new(held),
            violation: None,
        }
    }

    /// The first broken promise.
    #[inline]
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// How many steps there were.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The section `node` is in, judged by its application events.
    #[inline]
    pub fn section(&self, node: NodeId) -> Status {
        self.sections.of(node)
    }

    /// `process` is about to take `input`.
    #[inline]
    pub fn before<P: Tokens>(
        &mut self,
        at: Ticks,
        node: NodeId,
        process: &P,
        input: &Input<P::Msg, P::Timer>,
    ) {
        self.at = at;
        self.step += 1;
        let mut carried = 0;
        let asked = match input {
            Input::RequestCs(_) => self.sections.request(node),
            Input::ReleaseCs => {
                self.exclusion.leave();
                self.sections.release(node)
            }
            Input::Recv { msg, .. } => {
                carried = P::carried(msg);
                Ok(())
            }
            Input::LinkUp { .. } | Input::LinkDown { .. } | Input::Timer(_) => Ok(()),
        };
        self.judge(asked);
        self.tokens.before(process.held(), carried);
    }

    /// `process` has answered `outputs`.
    #[inline]
    pub fn after<P: Tokens>(
        &mut self,
        node: NodeId,
        process: &P,
        outputs: &[Output<P::Msg, P::Timer>],
    ) {
        let mut carried = 0;
        for output in outputs {
            match output {
                Output::Send { msg, .. } => carried += P::carried(msg),
                Output::EnterCs => self.enter(node),
                Output::Demote => {
                    self.exclusion.leave();
                    let demoted = self.sections.demote(node);
                    self.judge(demoted);
                }
                Output::Undefined(what) => self.undefined(node, what),
                Output::SetTimer { .. } | Output::CancelTimer { .. } | Output::Note(_) => {}
            }
        }
        self.tokens.after(process.held(), carried);
        self.judge(self.tokens.conserved());
        self.judge(self.sections.agree(node, process.status()));
    }

    /// A message arrives.
    #[inline]
    pub fn delivery(&mut self, from: NodeId, to: NodeId, delivery: Delivery) {
        self.judge(links::delivery(from, to, delivery));
    }

    /// A process sent a message to a node to which it has no link.
    pub fn stray_message(&mut self, from: NodeId, to: NodeId) {
        let what = format!("{from} sent a message to {to}, which is not its neighbor");
        self.judge(Err((Promise::DefinedStep, vec![from, to], what)));
    }

    /// The link between `a` and `b` comes up.
    pub fn link_up(&mut self, a: NodeId, b: NodeId, was_up: bool) {
        self.judge(links::up(a, b, was_up));
    }

    /// The link between `a` and `b` goes down.
    pub fn link_down(&mut self, a: NodeId, b: NodeId, fall: Downfall) {
        self.judge(links::down(a, b, fall));
    }

    /// The calm is over.
    pub fn calm_ended(&mut self, at: Ticks, calm: Calm) {
        self.at = at;
        self.judge(progress::settled(calm, self.sections.all()));
    }

    fn enter(&mut self, node: NodeId) {
        let entered = self.sections.enter(node);
        self.judge(entered);
        let exclusive = self.exclusion.enter(self.sections.all());
        self.judge(exclusive);
    }

    fn undefined(&mut self, node: NodeId, what: &str) {
        if self.rules.undefined_stops {
            let what = format!("{node} has nothing to go by in {what}");
            self.judge(Err((Promise::DefinedStep, vec![node], what)));
        }
    }

    #[inline]
    fn judge(&mut self, verdict: Result<(), Broken>) {
        if let Err(broken) = verdict {
            self.remember(broken);
        }
    }

    #[cold]
    fn remember(&mut self, (promise, nodes, what): Broken) {
        let (at, step) = (self.at, self.step);
        self.violation.get_or_insert(Violation { promise, at, step, nodes, what });
    }
}
