//! Where a value of a scenario is from: [`Origin`].

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use driftlock_sim::Scenario;
use toml::de::DeTable;

use crate::lab::args::{SimArgs, WorldArgs};
use crate::lab::read_scenario;

/// What a scenario is made of: a file, or the defaults, and what was typed.
pub(crate) struct Origin<'a> {
    protocol: Option<&'a str>,
    file: Option<&'a Path>,
    world: &'a WorldArgs,
    /// The scenario of the file, or the default one.
    pub(crate) plain: Scenario,
}

impl<'a> Origin<'a> {
    /// What a simulation is made of.
    pub(crate) fn read(args: &'a SimArgs) -> Result<Self> {
        Origin::of(args.protocol.as_deref(), args.scenario.as_deref(), &args.world)
    }

    /// Read the file, if there is one.
    pub(crate) fn of(
        protocol: Option<&'a str>,
        file: Option<&'a Path>,
        world: &'a WorldArgs,
    ) -> Result<Self> {
        let plain = match file {
            Some(path) => read_scenario(path)?,
            None => Scenario::default(),
        };
        Ok(Origin { protocol, file, world, plain })
    }

    /// The scenario that was asked for.
    pub(crate) fn scenario(&self) -> Scenario {
        let mut scenario = self.plain.clone();
        if let Some(protocol) = self.protocol {
            scenario.protocol = protocol.into();
        }
        self.world.apply(&mut scenario);
        scenario
    }

    /// The file, if the scenario cannot be typed without it: a script cannot be.
    pub(crate) fn file_needed(&self) -> Option<&'a Path> {
        self.file.filter(|_| !self.plain.script.is_empty())
    }

    /// What is wrong, and where. A message about a value begins with its key.
    pub(crate) fn explain(&self, message: &str) -> anyhow::Error {
        let Some((key, what)) = message.split_once(": ") else { return anyhow!("{message}") };
        let all = || KEYS.iter().filter(|(known, ..)| *known == key);
        let typed = all().find(|(.., is_typed)| is_typed(self));
        let Some((_, flag, is_typed)) = typed.or(all().next()) else {
            return anyhow!("{message}");
        };
        match self.file {
            Some(path) if !is_typed(self) => match line_of(path, key) {
                Some(line) => anyhow!("{}, line {line}: {key}: {what}", path.display()),
                None => anyhow!("{}: {key}: {what}", path.display()),
            },
            _ if flag.is_empty() => anyhow!("{}", self.as_typed(what)),
            _ => anyhow!("{flag}: {}", self.as_typed(what)),
        }
    }

    /// What is said of the keys of a scenario in words of what was typed: without a file, flags.
    fn as_typed(&self, what: &str) -> String {
        let has_dot = |(key, flag, _): &&Key| key.contains('.') && !flag.is_empty();
        match self.file {
            Some(_) => what.into(),
            None => KEYS.iter().filter(has_dot).fold(what.to_owned(), |what, (key, flag, _)| {
                // Where the flag is told besides, that will do.
                let both = what.contains(&format!("{key} ({flag})"));
                if both { what } else { what.replace(key, flag) }
            }),
        }
    }
}

/// A key of a scenario, the flag for it, and whether that was typed.
type Key = (&'static str, &'static str, fn(&Origin<'_>) -> bool);

const KEYS: [Key; 59] = [
    ("protocol", "", |from| from.protocol.is_some()),
    ("variant", "--variant", |from| from.world.variant.is_some()),
    ("tokens", "--tokens", |from| from.world.tokens.is_some()),
    ("resources", "--resources", |from| from.world.resources.is_some()),
    ("session", "--session", |from| from.world.session.is_some()),
    ("requests.popular", "--popular", |from| from.world.popular.is_some()),
    ("link-changes.connected-by", "--connected-by", |from| from.world.connected_by.is_some()),
    ("medium", "--medium", |from| from.world.medium.is_some()),
    ("network.shape", "--network", |from| from.world.network.is_some()),
    ("network.nodes", "--nodes", |from| from.world.nodes.is_some()),
    ("network.connectivity", "--connectivity", |from| from.world.connectivity.is_some()),
    ("network.links", "--links", |from| from.world.links.is_some()),
    ("network.range", "--range", |from| from.world.range.is_some()),
    ("network.degree", "--degree", |from| from.world.degree.is_some()),
    ("network.area", "--area", |from| from.world.area.is_some()),
    ("network.file", "--edges", |from| from.world.edges.is_some()),
    ("requests.rate", "--load", |from| from.world.load.is_some()),
    ("requests.nodes", "--requesters", |from| from.world.requesters.is_some()),
    ("link-changes.rate", "--mobility", |from| from.world.mobility.is_some()),
    ("link-changes.model", "--link-changes", |from| from.world.link_changes.is_some()),
    ("measure", "--entries", |from| is_measure_typed(from.world)),
    ("measure.warmup", "--warmup", |from| from.world.warmup.is_some()),
    ("measure.entries", "--entries", |from| is_measure_typed(from.world)),
    ("measure.until", "--until", |from| from.world.until.is_some()),
    ("motion.model", "--motion", |from| from.world.motion.is_typed()),
    ("motion.speed", "--speed", |from| from.world.motion.speed.is_some()),
    ("motion.pause", "--pause", |from| from.world.motion.pause.is_some()),
    ("motion.moving", "--moving", |from| from.world.motion.moving.is_some()),
    ("motion.step", "--motion-step", |from| from.world.motion.motion_step.is_some()),
    ("motion.start", "--motion-start", |from| from.world.motion.motion_start.is_some()),
    ("motion.leg", "--leg", |from| from.world.motion.leg.is_some()),
    ("motion.memory", "--memory", |from| from.world.motion.memory.is_some()),
    ("motion.block", "--block", |from| from.world.motion.block.is_some()),
    ("motion.turn", "--turn", |from| from.world.motion.turn.is_some()),
    ("motion.group", "--group", |from| from.world.motion.group.is_some()),
    ("motion.spread", "--spread", |from| from.world.motion.spread.is_some()),
    ("motion.together", "--together", |from| from.world.motion.together),
    ("network", "--network", |from| from.world.network.is_some()),
    ("trace", "--trace", |from| from.world.trace.is_typed()),
    ("trace.file", "--trace", |from| from.world.trace.trace.is_some()),
    ("trace.range", "--range", |from| from.world.range.is_some()),
    ("trace.radio", "--radio", |from| from.world.trace.reading.radio.is_some()),
    ("trace.step", "--step", |from| from.world.trace.reading.step.is_some()),
    ("trace.start", "--start", |from| from.world.trace.reading.start.is_some()),
    ("trace.end", "--end", |from| from.world.trace.reading.end.is_some()),
    ("trace.activity", "--activity", |from| from.world.trace.reading.activity.is_some()),
    ("trace.pad", "--pad", |from| from.world.trace.reading.pad.is_some()),
    ("trace.mutual", "--mutual", |from| from.world.trace.reading.mutual),
    ("trace.internal", "--internal", |from| from.world.trace.reading.internal.is_some()),
    ("trace.slot", "--slot", |from| from.world.trace.reading.slot.is_some()),
    ("trace.degrees", "--degrees", |from| from.world.trace.reading.degrees),
    ("trace.unit", "--unit", |from| from.world.trace.unit.is_some()),
    ("trace.together", "--together", |from| from.world.motion.together),
    ("calm-limit", "--calm-limit", |from| from.world.calm_limit.is_some()),
    ("loss", "--loss", |from| from.world.loss.is_some()),
    ("timeout", "--timeout", |from| from.world.timeout.is_some()),
    ("script", "--crash", |from| from.world.crash.is_some()),
    ("script", "--script", |from| from.world.script.is_some()),
    ("script.at", "--script", |from| from.world.script.is_some()),
];

/// The flag for a key of a scenario.
pub(crate) fn flag_of(key: &str) -> Option<&'static str> {
    KEYS.iter().find(|(known, ..)| *known == key).map(|(_, flag, _)| *flag)
}

fn is_measure_typed(world: &WorldArgs) -> bool {
    world.entries.or(world.cold).is_some() || world.until.is_some()
}

/// The line of a key in a TOML file, or of the table it should be in.
fn line_of(path: &Path, key: &str) -> Option<usize> {
    let text = fs::read_to_string(path).ok()?;
    let document = DeTable::parse(&text).ok()?;
    let mut table = document.get_ref();
    let mut start = None;
    for part in key.split('.') {
        let Some((name, value)) = table.get_key_value(part) else { break };
        start = Some(name.span().start);
        let Some(inner) = value.get_ref().as_table() else { break };
        table = inner;
    }
    Some(text.get(..start?)?.matches('\n').count() + 1)
}
