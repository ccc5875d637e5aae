//! Between flags and scenarios.

use std::fmt::{Display, Write};

use driftlock_sim::{ChangeModel, ConnectedBy, Medium, Scenario, Shape, Undefined};

use crate::args::WorldArgs;

impl WorldArgs {
    /// Put what was typed into a scenario.
    pub(crate) fn apply(&self, scenario: &mut Scenario) {
        set(&mut scenario.seed, self.seed);
        set_some(&mut scenario.variant, self.variant.clone());
        set_some(&mut scenario.medium, self.medium.map(Into::into));
        set(&mut scenario.delay, self.delay);
        set(&mut scenario.critical_section, self.critical_section);
        set(&mut scenario.requests.rate, self.load);
        set_some(&mut scenario.requests.nodes, self.requesters.clone().map(|list| list.0));
        set(&mut scenario.undefined, self.undefined.map(Into::into));
        set_some(&mut scenario.calm_limit, self.calm_limit);
        self.apply_network(scenario);
        self.apply_link_changes(scenario);
        self.apply_measure(scenario);
    }

    fn apply_network(&self, scenario: &mut Scenario) {
        let network = &mut scenario.network;
        set(&mut network.nodes, self.nodes);
        set_some(&mut network.connectivity, self.connectivity);
        set_some(&mut network.links, self.links);
        set_some(&mut network.range, self.range);
        if let Some(edges) = &self.edges {
            network.shape = Shape::File;
            network.file = Some(edges.clone());
            // As many nodes as the file mentions, unless more are wanted.
            network.nodes = self.nodes.unwrap_or(0);
        }
        set(&mut network.shape, self.network.map(Into::into));
    }

    fn apply_link_changes(&self, scenario: &mut Scenario) {
        let changes = &mut scenario.link_changes;
        set(&mut changes.rate, self.mobility);
        set(&mut changes.model, self.link_changes.map(Into::into));
        set(&mut changes.connected_by, self.connected_by.map(Into::into));
        let unsaid = self.link_changes.is_none() && changes.model == ChangeModel::None;
        if unsaid && self.mobility.is_some_and(|rate| rate > 0.0) {
            changes.model = ChangeModel::Literal;
        }
    }

    fn apply_measure(&self, scenario: &mut Scenario) {
        let measure = &mut scenario.measure;
        set(&mut measure.warmup, self.warmup);
        if let Some(entries) = self.entries {
            (measure.entries, measure.until) = (Some(entries), None);
        }
        if let Some(until) = self.until {
            (measure.entries, measure.until) = (None, Some(until));
            // A time is measured from its start, unless a warm-up is asked for.
            measure.warmup = self.warmup.unwrap_or(0);
        }
        if let Some(entries) = self.cold {
            (measure.warmup, measure.entries, measure.until) = (0, Some(entries), None);
        }
    }
}

fn set<T>(value: &mut T, typed: Option<T>) {
    if let Some(typed) = typed {
        *value = typed;
    }
}

fn set_some<T>(value: &mut Option<T>, typed: Option<T>) {
    if typed.is_some() {
        *value = typed;
    }
}

/// What to type to run a scenario again. One with a script needs its file, which `file` names.
pub(crate) fn of(scenario: &Scenario, file: Option<&str>) -> String {
    if let Some(file) = file {
        return format!("driftlock sim --scenario {} --seed {}", quoted(file), scenario.seed);
    }
    let plain = Scenario::default();
    let mut line = Line(format!("driftlock sim {}", scenario.protocol));
    let Scenario { network, link_changes, measure, .. } = scenario;
    line.flag("variant", scenario.variant.as_ref());
    line.flag(
        "nodes",
        (network.shape != Shape::File || network.nodes > 0).then_some(network.nodes),
    );
    line.flag("network", other(network.shape, plain.network.shape).map(shape_name));
    line.flag("connectivity", network.connectivity);
    line.flag("links", network.links);
    line.flag("range", network.range);
    line.flag("edges", network.file.as_ref().map(|path| quoted(&path.to_string_lossy())));
    line.flag("load", Some(scenario.requests.rate));
    line.flag("requesters", scenario.requests.nodes.as_ref().map(|nodes| list(nodes)));
    line.flag("mobility", other(link_changes.rate, 0.0));
    line.flag("link-changes", other(link_changes.model, ChangeModel::None).map(model_name));
    let known = link_changes.connected_by == ConnectedBy::Known;
    line.flag("connected-by", known.then_some("known"));
    line.flag("delay", other(scenario.delay, plain.delay));
    line.flag("critical-section", other(scenario.critical_section, plain.critical_section));
    line.flag("medium", scenario.medium.map(medium_name));
    line.flag("warmup", Some(measure.warmup));
    line.flag("entries", measure.entries);
    line.flag("until", measure.until);
    line.flag("undefined", (scenario.undefined == Undefined::Skip).then_some("skip"));
    line.flag("calm-limit", scenario.calm_limit);
    line.flag("seed", Some(scenario.seed));
    line.0
}

struct Line(String);

impl Line {
    fn flag(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            let _ = write!(self.0, " --{name} {value}");
        }
    }
}

fn other<T: PartialEq>(value: T, plain: T) -> Option<T> {
    (value != plain).then_some(value)
}

fn shape_name(shape: Shape) -> &'static str {
    Shape::ALL.iter().find(|(_, other)| *other == shape).map_or("random", |(name, _)| name)
}

fn model_name(model: ChangeModel) -> &'static str {
    match model {
        ChangeModel::None => "none",
        ChangeModel::Literal => "literal",
        ChangeModel::Toggle => "toggle",
        ChangeModel::Scripted => "scripted",
    }
}

fn medium_name(medium: Medium) -> &'static str {
    match medium {
        Medium::Links => "links",
        Medium::Routed => "routed",
    }
}

fn list(nodes: &[u32]) -> String {
    nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};

    fn typed(line: &str) -> Scenario {
        let words = line.split_whitespace();
        let Command::Sim(args) = Args::try_parse_from(words).unwrap().command else {
            panic!("{line} is a simulation");
        };
        let mut scenario =
            Scenario { protocol: args.protocol.unwrap_or_default(), ..Scenario::default() };
        args.world.apply(&mut scenario);
        scenario
    }

    #[test]
    fn what_is_printed_runs_the_same_scenario() {
        for line in [
            "driftlock sim rl",
            "driftlock sim rl --nodes 12 --connectivity 40 --load 0.5 --mobility 0.1 --seed 9",
            "driftlock sim rl --network grid --nodes 9 --until 500 --delay uniform:0.5..2",
            "driftlock sim raymond --medium routed --cold 120 --critical-section exponential:2",
            "driftlock sim rl --variant published --undefined skip --connected-by known",
            "driftlock sim rl --mobility 0.01 --link-changes toggle --requesters 0,4-6 --links 99",
            "driftlock sim rl --network geometric --range 0.4 --calm-limit 1000",
            "driftlock sim rl --edges net.txt",
        ] {
            let scenario = typed(line);
            assert_eq!(typed(&of(&scenario, None)), scenario, "{line}");
        }
    }

    #[test]
    fn odd_file_names_are_quoted() {
        let line = of(&Scenario::default(), Some("my run's.toml"));
        assert!(line.contains(r"'my run'\''s.toml'"), "{line}");
    }
}
