//! What was explored, and what was found: [`Report`].

use std::ops::ControlFlow;
use std::sync::RwLock;

use driftlock_core::{NodeId, Ticks};
use driftlock_replay::{Action, Setting, enact};
use driftlock_spec::progress::{self, Calm};
use driftlock_spec::{Rules, Violation};

use crate::expand::initial;
use crate::fairness::fair_cycle;
use crate::memo::Memo;
use crate::search::{End, Explored, Found, Limits, Progress, explore};
use crate::setup::{Refusal, Setup};
use crate::site::Checked;
use crate::trace::Trace;

/// What was explored, and what was found.
#[derive(Clone, Debug)]
pub struct Report<T> {
    /// States, edges, the length of the shortest way to the farthest state, memory.
    pub explored: Progress,
    /// How it ended. Only of what is complete it can be said that all promises hold.
    pub end: End,
    /// How many steps led to states whose levels are too far apart, where it was not gone on.
    pub cut: u64,
    /// The broken promise.
    pub counterexample: Option<Counterexample<T>>,
}

/// A way to a broken promise, of which there is no shorter one; a node that stops and takes its
/// links down counts once there. If it goes round and round, no
/// cycle that breaks a promise is reached sooner; the round itself may be longer than need be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<T> {
    /// What happens.
    pub schedule: Vec<Action<T>>,
    /// If the last part of it goes round and round, where that part starts.
    pub cycle: Option<usize>,
    /// How the run ends.
    pub calm: Option<Calm>,
    /// The broken promise.
    pub violation: Violation,
}

impl<T> Report<T> {
    /// Whether everything was explored and all promises were kept.
    pub fn held(&self) -> bool {
        self.end == End::Complete && self.counterexample.is_none()
    }
}

impl Setup {
    /// The world in which a schedule of this setup runs.
    pub fn setting(&self, protocol: &str) -> Setting {
        Setting {
            protocol: protocol.into(),
            graph: self.graph.clone(),
            medium: self.medium,
            rules: Rules { partitions: self.partitions(), ..self.rules },
        }
    }
}

/// Explore every schedule of a setup, until a promise is broken or there is no more. Now and then
/// `watch` is told how far it is, and may break off.
///
/// ```
/// use driftlock_check::{Limits, Setup, check};
/// use driftlock_core::{Graph, NodeId};
/// use driftlock_protocols::rl::{Config, Rl};
/// # use std::ops::ControlFlow;
///
/// let mut triangle = Graph::new(3);
/// for (a, b) in [(0, 1), (1, 2), (0, 2)] {
///     triangle.link(NodeId(a), NodeId(b));
/// }
/// let setup = Setup { link_changes: 1, ..Setup::new(triangle) };
/// let watch = &mut |_: &_| ControlFlow::Continue(());
/// let report = check::<Rl>(&setup, &Config::default(), &Limits::default(), watch).unwrap();
/// assert!(report.held());
/// assert!(report.explored.states > 4_000);
/// ```
pub fn check<P: Checked>(
    setup: &Setup,
    config: &P::Config,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Report<P::Timer>, Refusal> {
    setup.check()?;
    let (mut memo, mut row) = Memo::<P>::new(setup, config);
    initial(&mut memo, &mut row);
    let memo = RwLock::new(memo);
    let explored = explore(&memo, &row, limits, watch);
    let counterexample = Witness { setup, config, memo: &memo, explored: &explored }.find();
    let Explored { progress, end, cut, .. } = explored;
    let end = if counterexample.is_some() { End::Violated } else { end };
    Ok(Report { explored: progress, end, cut, counterexample })
}

/// Makes a schedule of what was found.
struct Witness<'w, P: Checked> {
    setup: &'w Setup,
    config: &'w P::Config,
    memo: &'w RwLock<Memo<P>>,
    explored: &'w Explored,
}

impl<P: Checked> Witness<'_, P> {
    fn find(&self) -> Option<Counterexample<P::Timer>> {
        match self.explored.found {
            Some(Found::Step(state, by)) => {
                let mut trace = self.way_to(state);
                trace.go(by);
                return Some(self.tell(trace.schedule, None, None));
            }
            Some(Found::Stuck(state)) => {
                let schedule = self.way_to(state).schedule;
                return Some(self.tell(schedule, None, Some(Calm::Silent)));
            }
            None => {}
        }
        // What was broken off is judged as far as it goes: a cycle in a part is a cycle.
        if let Some(lasso) = fair_cycle(self.memo, &self.explored.store) {
            let mut trace = self.way_to(lasso.state);
            let cycle = trace.schedule.len();
            lasso.cycle.into_iter().for_each(|by| trace.go(by));
            return Some(self.tell(trace.schedule, Some(cycle), Some(Calm::Restless)));
        }
        let seen_all = self.explored.end == End::Complete && self.explored.cut == 0;
        seen_all.then(|| self.impossible()).flatten()
    }

    fn way_to(&self, state: u32) -> Trace<'_, P> {
        Trace::to(self.memo, &self.explored.store, state)
    }

    /// Run the schedule, and let the monitors say what is broken.
    fn tell(
        &self,
        mut schedule: Vec<Action<P::Timer>>,
        cycle: Option<usize>,
        calm: Option<Calm>,
    ) -> Counterexample<P::Timer> {
        let setting = self.setup.setting("");
        let enacted = enact::<P>(&setting, self.config, &schedule, calm, None)
            .expect("nothing is written, and the network is connected");
        assert_eq!(enacted.skipped, 0, "what was explored can happen: {schedule:?}");
        let violation = enacted.violation.expect("the checker and the monitors agree");
        // A move can be several actions, and the first of them be enough.
        schedule.truncate(enacted.happened);
        Counterexample { schedule, cycle, calm, violation }
    }

    /// Nobody who may ask never gets in.
    fn impossible(&self) -> Option<Counterexample<P::Timer>> {
        let never: Vec<NodeId> = (0..self.setup.requests.len())
            .filter(|&i| self.setup.requests[i] > 0 && self.explored.entered & (1 << i) == 0)
            .map(NodeId::at)
            .collect();
        let broken = progress::possible(&never).err()?;
        let violation = broken.at(Ticks(0), 0);
        Some(Counterexample { schedule: Vec::new(), cycle: None, calm: None, violation })
    }
}
