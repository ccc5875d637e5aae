//! What can be done with a protocol, whichever it is: [`Machine`].

use std::fmt::Debug;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::{Context, Result};
use driftlock_check::{Checked, Counterexample, Estimate, Limits, Progress};
use driftlock_core::Initial;
use driftlock_journal::Reader;
use driftlock_replay::{Replayed, Shrunk, enact, replay, schedule_of, shrink};
use driftlock_sim::{Run, Scenario, Simulated, World};
use driftlock_spec::{Promise, Rules};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Choice;
use crate::lab::cmd::check::{Outcome, Plan, Story};

/// Who writes journals.
const SOFTWARE: &str = concat!("driftlock ", env!("CARGO_PKG_VERSION"));

/// A journal from anywhere.
pub(crate) type AnyReader<'r> = Reader<Box<dyn BufRead + 'r>>;

/// Everything that is done with a protocol.
pub(crate) trait Machine: Debug + Sync {
    /// Set up a scenario and leave it at that.
    fn rehearse(&self, scenario: &Scenario, rules: Rules) -> Result<()>;

    /// Whether there is a fork for each link.
    fn has_forks(&self) -> bool;

    /// Whether neighbors who compete have colors.
    fn has_colors(&self) -> bool;

    /// Whether this variant makes tokens anew.
    fn has_epochs(&self, variant: Option<&str>) -> bool;

    /// Run a scenario.
    fn run(
        &self,
        scenario: &Scenario,
        rules: Rules,
        journal: Option<&mut dyn Write>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run>;

    /// Run a scenario, and count bytes and look at recovery too.
    fn run_in_detail(
        &self,
        scenario: &Scenario,
        rules: Rules,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run>;

    /// Explore every schedule of a plan.
    fn check(
        &self,
        plan: &Plan,
        limits: &Limits,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome>;

    /// Guess how many states a plan has.
    fn estimate(&self, plan: &Plan) -> Result<Estimate>;

    /// Run a journal again. `seen` is given each step as text.
    fn replay(
        &self,
        reader: &mut AnyReader<'_>,
        seen: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Result<Replayed>;

    /// Shrink the run of a journal in which `promise` is broken.
    fn shrink(&self, reader: &mut AnyReader<'_>, promise: Promise) -> Result<Option<Vec<u8>>>;
}

/// A protocol and how its configuration is made.
#[derive(Debug)]
pub struct Of<P: Initial> {
    /// The configuration for what was chosen.
    pub(super) config: fn(&Choice<'_>) -> P::Config,
    /// Refuse a configuration from a journal that does not fit so many nodes.
    pub(super) fits: fn(&P::Config, usize) -> Result<()>,
}

impl<P> Machine for Of<P>
where
    P: Simulated + Checked + Initial<Config: Serialize + DeserializeOwned>,
{
    fn has_forks(&self) -> bool {
        P::FORKS
    }

    fn has_colors(&self) -> bool {
        P::COLORS
    }

    fn has_epochs(&self, _: Option<&str>) -> bool {
        P::EPOCHS
    }

    fn rehearse(&self, scenario: &Scenario, rules: Rules) -> Result<()> {
        let config = (self.config)(&Choice::of(scenario));
        World::<'_, P>::under(scenario, &config, rules)?;
        Ok(())
    }

    fn run(
        &self,
        scenario: &Scenario,
        rules: Rules,
        journal: Option<&mut dyn Write>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run> {
        let config = (self.config)(&Choice::of(scenario));
        let mut world: World<'_, P> = World::under(scenario, &config, rules)?;
        if let Some(to) = journal {
            world = world.record(&config, SOFTWARE, to).context("cannot write the journal")?;
        }
        let mut run = world.run_watched(watch);
        match run.journal_error.take() {
            Some(error) => Err(error).context("cannot write the journal"),
            None => Ok(run),
        }
    }

    fn run_in_detail(
        &self,
        scenario: &Scenario,
        rules: Rules,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run> {
        let config = (self.config)(&Choice::of(scenario));
        let world: World<'_, P> = World::under(scenario, &config, rules)?;
        Ok(world.in_detail().run_watched(watch))
    }

    fn check(
        &self,
        plan: &Plan,
        limits: &Limits,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        let config = (self.config)(&plan.choice());
        let report = driftlock_check::check::<P>(&plan.setup, &config, limits, watch)?;
        let told = |found: Counterexample<P::Timer>| -> Result<Story> {
            let mut journal = Vec::new();
            if found.schedule.is_empty() {
                return Ok(Story::new::<P>(&found, &[], journal));
            }
            let setting = plan.setup.setting(plan.entry.name);
            let to = Some((SOFTWARE, &mut journal as &mut dyn Write));
            let enacted = enact::<P>(&setting, &config, &found.schedule, found.calm, to)?;
            Ok(Story::new::<P>(&found, &enacted.steps, journal))
        };
        Ok(Outcome {
            explored: report.explored,
            end: report.end,
            cut: report.cut,
            story: report.counterexample.map(told).transpose()?,
        })
    }

    fn estimate(&self, plan: &Plan) -> Result<Estimate> {
        Ok(driftlock_check::estimate::<P>(&plan.setup, &(self.config)(&plan.choice()))?)
    }

    fn replay(
        &self,
        reader: &mut AnyReader<'_>,
        seen: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Result<Replayed> {
        let config = self.recorded(reader)?;
        let ticks_per_unit = reader.header().ticks_per_unit.max(1);
        let done = replay::<P, _>(reader, &config, &mut |at, node, happening, outputs| {
            seen(&|| {
                let at = in_units(at, ticks_per_unit);
                driftlock_journal::text::told(&at, node, &happening.in_words(), outputs)
            });
        })?;
        Ok(done)
    }

    fn shrink(&self, reader: &mut AnyReader<'_>, promise: Promise) -> Result<Option<Vec<u8>>> {
        let config = self.recorded(reader)?;
        let (setting, schedule) = schedule_of(reader)?;
        let Some(shrunk) = shrink::<P>(&setting, &config, &schedule, promise) else {
            return Ok(None);
        };
        let Shrunk { setting, schedule, calm } = shrunk;
        let mut journal = Vec::new();
        enact::<P>(&setting, &config, &schedule, calm, Some((SOFTWARE, &mut journal)))?;
        Ok(Some(journal))
    }
}

impl<P: Initial> Of<P> {
    /// A protocol with the configuration for what was chosen.
    pub const fn new(config: fn(&Choice<'_>) -> P::Config) -> Self {
        Of { config, fits: |_, _| Ok(()) }
    }

    /// The same; configurations from journals that do not fit so many nodes are refused.
    pub(super) const fn fitting(self, fits: fn(&P::Config, usize) -> Result<()>) -> Self {
        Of { fits, ..self }
    }
}

impl<P: Initial<Config: DeserializeOwned>> Of<P> {
    /// The configuration in a journal.
    fn recorded(&self, reader: &AnyReader<'_>) -> Result<P::Config> {
        let header = reader.header();
        let config = serde_json::from_value(header.config.clone())
            .context("has a configuration that this protocol does not understand")?;
        (self.fits)(&config, header.n_nodes as usize)?;
        Ok(config)
    }
}

/// A time in units, with as many decimals as a tick has.
fn in_units(ticks: u64, ticks_per_unit: u64) -> String {
    let decimals = ticks_per_unit.ilog10() as usize;
    format!("{:.decimals$}", ticks as f64 / ticks_per_unit as f64)
}

/// A protocol whose published text is a process of its own.
#[derive(Debug)]
pub(super) struct Either<A, B> {
    pub(super) first: A,
    pub(super) published: B,
}

impl<A: Machine, B: Machine> Either<A, B> {
    fn chosen(&self, variant: Option<&str>) -> &dyn Machine {
        if variant == Some("published") { &self.published } else { &self.first }
    }

    /// The text a journal was written by: its configuration says so if it is the published one.
    fn recorded(&self, reader: &AnyReader<'_>) -> &dyn Machine {
        self.chosen(reader.header().config["variant"].as_str())
    }
}

impl<A: Machine, B: Machine> Machine for Either<A, B> {
    fn has_forks(&self) -> bool {
        self.first.has_forks()
    }

    fn has_colors(&self) -> bool {
        self.first.has_colors()
    }

    fn has_epochs(&self, variant: Option<&str>) -> bool {
        self.chosen(variant).has_epochs(variant)
    }

    fn rehearse(&self, scenario: &Scenario, rules: Rules) -> Result<()> {
        self.chosen(scenario.variant.as_deref()).rehearse(scenario, rules)
    }

    fn run(
        &self,
        scenario: &Scenario,
        rules: Rules,
        journal: Option<&mut dyn Write>,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run> {
        self.chosen(scenario.variant.as_deref()).run(scenario, rules, journal, watch)
    }

    fn run_in_detail(
        &self,
        scenario: &Scenario,
        rules: Rules,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Run> {
        self.chosen(scenario.variant.as_deref()).run_in_detail(scenario, rules, watch)
    }

    fn check(
        &self,
        plan: &Plan,
        limits: &Limits,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Outcome> {
        self.chosen(plan.choice().variant).check(plan, limits, watch)
    }

    fn estimate(&self, plan: &Plan) -> Result<Estimate> {
        self.chosen(plan.choice().variant).estimate(plan)
    }

    fn replay(
        &self,
        reader: &mut AnyReader<'_>,
        seen: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Result<Replayed> {
        self.recorded(reader).replay(reader, seen)
    }

    fn shrink(&self, reader: &mut AnyReader<'_>, promise: Promise) -> Result<Option<Vec<u8>>> {
        self.recorded(reader).shrink(reader, promise)
    }
}
