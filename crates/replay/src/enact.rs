//! A schedule, run: [`enact`].

use std::io;

use driftlock_core::{Input, Medium, NodeId, Output, Protocol};
use driftlock_journal::{End, Event, Footer, Header, Record, Writer};
use driftlock_spec::progress::Calm;
use driftlock_spec::{Rules, Violation};
use serde::Serialize;

use crate::stage::{Happening, Stage};
use crate::{Action, Replayable, Setting};

/// One step of one process, as it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<P: Protocol> {
    /// The place in the schedule of the action it belongs to.
    pub action: usize,
    /// Whose step.
    pub node: NodeId,
    /// What came.
    pub input: Input<P::Msg, P::Timer>,
    /// What was answered.
    pub outputs: Vec<Output<P::Msg, P::Timer>>,
}

/// What came of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enacted<P: Protocol> {
    /// Every step, in order.
    pub steps: Vec<Step<P>>,
    /// The processes as they were at the end.
    pub processes: Vec<P>,
    /// The first broken promise.
    pub violation: Option<Violation>,
    /// How many actions there were before the end of the run.
    pub happened: usize,
    /// How many of them were impossible.
    pub skipped: usize,
}

/// Run `schedule`.
///
/// An action is impossible if the model does not allow it or the contract with a process forbids
/// it: nothing is in transit, the application is elsewhere, the timer is not set, the link may not
/// go down. It is skipped and counted. After the first broken promise nothing more happens.
///
/// `calm` is how the run ends: broken off, or with a calm that is judged. If `journal` is given,
/// with the name of the software, a journal is written there that [`replay`](crate::replay)
/// verifies. The action at place `k` happens at tick `k + 1`.
///
/// The only errors but those of the journal are networks that are not connected.
pub fn enact<P: Replayable>(
    setting: &Setting,
    config: &P::Config,
    schedule: &[Action<P::Timer>],
    calm: Option<Calm>,
    journal: Option<(&str, &mut dyn io::Write)>,
) -> io::Result<Enacted<P>>
where
    P::Config: Serialize,
{
    let mut play: Play<'_, P> = Play::new(setting, config)?;
    if let Some((software, to)) = journal {
        play.writer =
            Some(Writer::new(to, &header(setting, config, software)?, setting.graph.links())?);
    }
    for action in schedule {
        if play.is_over() {
            break;
        }
        play.act(action)?;
    }
    play.finish(calm)
}

/// A schedule that is being run.
pub(crate) struct Play<'w, P: Replayable> {
    stage: Stage<P>,
    writer: Option<Writer<&'w mut dyn io::Write>>,
    steps: Vec<Step<P>>,
    /// How many actions there were, and how many of them were impossible.
    actions: usize,
    skipped: usize,
    /// When something happened last.
    now: u64,
}

impl<P: Replayable> Play<'_, P> {
    /// The only error is a network that is not connected.
    pub(crate) fn new(setting: &Setting, config: &P::Config) -> io::Result<Self> {
        let stage = Stage::new(setting, config);
        let stage = stage.ok_or_else(|| io::Error::other("the network is not connected"))?;
        Ok(Play { stage, writer: None, steps: Vec::new(), actions: 0, skipped: 0, now: 0 })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.stage.is_over()
    }

    pub(crate) fn has_crashed(&self, node: NodeId) -> bool {
        self.stage.has_crashed(node)
    }

    pub(crate) fn is_mesh(&self) -> bool {
        self.stage.medium() == Medium::Mesh
    }

    /// Whether a link is up whose end has crashed.
    pub(crate) fn has_loose_end(&self) -> bool {
        self.stage.has_loose_end()
    }

    /// Everything that is bound to happen if nothing comes from outside: see [`Stage::pending`].
    pub(crate) fn pending(&self) -> Vec<Action<P::Timer>> {
        self.stage.pending()
    }

    /// Let an action happen. Returns whether it was possible.
    pub(crate) fn act(&mut self, action: &Action<P::Timer>) -> io::Result<bool> {
        let place = self.actions;
        self.actions += 1;
        let mut happened = false;
        if self.is_allowed(action) {
            if let Action::Tell { node, peer, role: None } = *action {
                while !self.is_over() && self.stage.comes_back(node, peer) {
                    happened |= self.take(place, node, Event::Returned(peer))?;
                }
            }
            for (node, event) in action.events() {
                // Whoever has crashed is told nothing more.
                if !self.is_over() && !self.stage.has_crashed(node) {
                    happened |= self.take(place, node, event)?;
                }
            }
        }
        self.skipped += usize::from(!happened);
        Ok(happened)
    }

    /// Whether the model lets it happen. What processes can take shows when they do.
    fn is_allowed(&self, action: &Action<P::Timer>) -> bool {
        match *action {
            Action::LinkUp { a, b, moving } => {
                (moving == a || moving == b) && !self.stage.is_linked(a, b)
            }
            Action::LinkDown { a, b } => self.stage.may_fall(a, b),
            Action::Tell { node, peer, role } => self.stage.may_be_told(node, peer, role),
            _ => true,
        }
    }

    fn take(&mut self, action: usize, node: NodeId, event: Event) -> io::Result<bool> {
        let at = action as u64 + 1;
        let steps = &mut self.steps;
        let taken = self.stage.take(at, node, &event, &mut |happening, outputs| {
            use Happening::{Copy, Input, Outlived};
            if let Input(input) | Copy(input) | Outlived(input) = happening {
                let (input, outputs) = (input.clone(), outputs.to_vec());
                steps.push(Step { action, node, input, outputs });
            }
        });
        let Ok(check) = taken else { return Ok(false) };
        self.now = at;
        if let Some(writer) = &mut self.writer {
            writer.record(&Record { at, node, event, check })?;
        }
        Ok(true)
    }

    pub(crate) fn finish(mut self, calm: Option<Calm>) -> io::Result<Enacted<P>> {
        let end = match calm {
            Some(Calm::Silent) if !self.is_over() => End::Silent,
            Some(Calm::Restless) if !self.is_over() => End::Restless,
            _ => End::BrokenOff,
        };
        self.stage.end(self.now, end);
        let violation = self.stage.violation().cloned();
        if let Some(writer) = self.writer {
            let footer = Footer {
                steps: self.stage.steps(),
                ended_at: self.now,
                end,
                violation: violation.as_ref().map(Violation::to_string),
            };
            writer.finish(&footer)?;
        }
        let Play { steps, actions: happened, skipped, .. } = self;
        let processes = self.stage.into_processes();
        Ok(Enacted { steps, processes, violation, happened, skipped })
    }
}

pub(crate) fn header<C: Serialize>(
    setting: &Setting,
    config: &C,
    software: &str,
) -> io::Result<Header> {
    let Setting { protocol, graph, medium, rules } = setting;
    let undefined_stops = rules.undefined_stops;
    let usual = Rules { undefined_stops, ..Rules::default() };
    Ok(Header {
        software: software.into(),
        protocol: protocol.clone(),
        config: serde_json::to_value(config)?,
        medium: *medium,
        undefined_stops,
        n_nodes: NodeId::at(graph.n_nodes()).0,
        ticks_per_unit: 1,
        scenario: None,
        rules: match *rules == usual {
            true => serde_json::Value::Null,
            false => serde_json::to_value(rules)?,
        },
    })
}
