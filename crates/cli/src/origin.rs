//! Where a value of a scenario is from: [`Origin`].

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use driftlock_sim::Scenario;
use toml::de::DeTable;

use crate::args::{SimArgs, WorldArgs};
use crate::names::in_plain_words;

/// What a scenario is made of: a file, or the defaults, and what was typed.
pub(crate) struct Origin<'a> {
    args: &'a SimArgs,
    /// The scenario of the file, or the default one.
    pub(crate) plain: Scenario,
}

impl<'a> Origin<'a> {
    /// Read the file, if there is one.
    pub(crate) fn read(args: &'a SimArgs) -> Result<Self> {
        let plain = match &args.scenario {
            Some(path) => Scenario::from_file(path)
                .map_err(|error| anyhow!(in_plain_words(&error.to_string())))?,
            None => Scenario::default(),
        };
        Ok(Origin { args, plain })
    }

    /// The scenario that was asked for.
    pub(crate) fn scenario(&self) -> Scenario {
        let mut scenario = self.plain.clone();
        if let Some(protocol) = &self.args.protocol {
            scenario.protocol.clone_from(protocol);
        }
        self.args.world.apply(&mut scenario);
        scenario
    }

    /// The file, if the scenario cannot be typed without it: a script cannot be.
    pub(crate) fn file_needed(&self) -> Option<&'a Path> {
        self.args.scenario.as_deref().filter(|_| !self.plain.script.is_empty())
    }

    /// What is wrong, and where. A message about a value begins with its key.
    pub(crate) fn explain(&self, message: &str) -> anyhow::Error {
        let Some((key, what)) = message.split_once(": ") else { return anyhow!("{message}") };
        let Some((_, flag, is_typed)) = KEYS.iter().find(|(known, ..)| *known == key) else {
            return anyhow!("{message}");
        };
        match &self.args.scenario {
            Some(path) if !is_typed(self.args) => match line_of(path, key) {
                Some(line) => anyhow!("{}, line {line}: {key}: {what}", path.display()),
                None => anyhow!("{}: {key}: {what}", path.display()),
            },
            _ if flag.is_empty() => anyhow!("{what}"),
            _ => anyhow!("{flag}: {what}"),
        }
    }
}

/// A key of a scenario, the flag for it, and whether that was typed.
type Key = (&'static str, &'static str, fn(&SimArgs) -> bool);

const KEYS: [Key; 34] = [
    ("protocol", "", |args| args.protocol.is_some()),
    ("variant", "--variant", |args| args.world.variant.is_some()),
    ("tokens", "--tokens", |args| args.world.tokens.is_some()),
    ("resources", "--resources", |args| args.world.resources.is_some()),
    ("session", "--session", |args| args.world.session.is_some()),
    ("requests.popular", "--popular", |args| args.world.popular.is_some()),
    ("link-changes.connected-by", "--connected-by", |args| args.world.connected_by.is_some()),
    ("medium", "--medium", |args| args.world.medium.is_some()),
    ("network.shape", "--network", |args| args.world.network.is_some()),
    ("network.nodes", "--nodes", |args| args.world.nodes.is_some()),
    ("network.connectivity", "--connectivity", |args| args.world.connectivity.is_some()),
    ("network.links", "--links", |args| args.world.links.is_some()),
    ("network.range", "--range", |args| args.world.range.is_some()),
    ("network.degree", "--degree", |args| args.world.degree.is_some()),
    ("network.area", "--area", |args| args.world.area.is_some()),
    ("network.file", "--edges", |args| args.world.edges.is_some()),
    ("requests.rate", "--load", |args| args.world.load.is_some()),
    ("requests.nodes", "--requesters", |args| args.world.requesters.is_some()),
    ("link-changes.rate", "--mobility", |args| args.world.mobility.is_some()),
    ("link-changes.model", "--link-changes", |args| args.world.link_changes.is_some()),
    ("measure", "--entries", |args| is_measure_typed(&args.world)),
    ("measure.warmup", "--warmup", |args| args.world.warmup.is_some()),
    ("measure.entries", "--entries", |args| is_measure_typed(&args.world)),
    ("measure.until", "--until", |args| args.world.until.is_some()),
    ("motion.model", "--motion", |args| args.world.motion.is_typed()),
    ("motion.speed", "--speed", |args| args.world.motion.speed.is_some()),
    ("motion.pause", "--pause", |args| args.world.motion.pause.is_some()),
    ("motion.moving", "--moving", |args| args.world.motion.moving.is_some()),
    ("motion.step", "--motion-step", |args| args.world.motion.motion_step.is_some()),
    ("motion.group", "--group", |args| args.world.motion.group.is_some()),
    ("motion.spread", "--spread", |args| args.world.motion.spread.is_some()),
    ("calm-limit", "--calm-limit", |args| args.world.calm_limit.is_some()),
    ("script", "--crash", |args| args.world.crash.is_some()),
    ("script.at", "--scenario", |_| false),
];

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
