//! Between flags and scenarios.

use std::ffi::OsString;
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

use driftlock_sim::{ChangeModel, Measure, Motion, Scenario, Scripted, Shape, Traced};
pub(crate) use driftlock_sweep::shell::quoted;
use serde::Serialize;
use serde_json::Value;

use crate::lab::args::WorldArgs;
use crate::lab::values::typed_nodes;
use crate::program;

impl WorldArgs {
    /// Put what was typed into a scenario.
    pub(crate) fn apply(&self, scenario: &mut Scenario) {
        set(&mut scenario.seed, self.seed);
        set_some(&mut scenario.variant, self.variant.clone());
        set_some(&mut scenario.tokens, self.tokens);
        set_some(&mut scenario.resources, self.resources);
        set_some(&mut scenario.session, self.session);
        set_some(&mut scenario.requests.popular, self.popular);
        set_some(&mut scenario.medium, self.medium.map(Into::into));
        set(&mut scenario.delay, self.delay);
        set(&mut scenario.loss, self.loss);
        set_some(&mut scenario.timeout, self.timeout);
        set(&mut scenario.critical_section, self.critical_section);
        set(&mut scenario.requests.rate, self.load);
        set_some(&mut scenario.requests.nodes, self.requesters.clone().map(|list| list.0));
        set(&mut scenario.undefined, self.undefined.map(Into::into));
        set_some(&mut scenario.calm_limit, self.calm_limit);
        self.trace.apply(scenario);
        self.apply_network(scenario);
        self.apply_link_changes(scenario);
        self.apply_measure(scenario);
        self.apply_script(scenario);
        self.motion.apply(scenario);
    }

    fn apply_script(&self, scenario: &mut Scenario) {
        scenario.script.extend(self.script.iter().flat_map(|script| script.0.clone()));
        let crashes = self.crash.iter().flat_map(|crashes| &crashes.0);
        scenario.script.extend(crashes.map(|&(node, at, once)| Scripted {
            at,
            crash: Some(node),
            once,
            ..Scripted::default()
        }));
    }

    fn apply_network(&self, scenario: &mut Scenario) {
        let network = &mut scenario.network;
        set(&mut network.nodes, self.nodes);
        set_some(&mut network.connectivity, self.connectivity);
        set_some(&mut network.links, self.links);
        match &mut scenario.trace {
            Some(trace) if self.range.is_some() => (trace.range, trace.radio) = (self.range, None),
            _ => set_some(&mut network.range, self.range),
        }
        set_some(&mut network.degree, self.degree);
        set_some(&mut network.area, self.area);
        if let Some(edges) = &self.edges {
            network.shape = Shape::File;
            network.file = Some(edges.clone());
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
        let typed = self.warmup.or(self.entries).or(self.cold).is_some() || self.until.is_some();
        if !typed {
            return;
        }
        let mut measure = scenario.measure();
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
        scenario.measure = Some(measure);
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

/// What to type to run a scenario again. A script is shorter in its file: `file` has its path and
/// what is in it.
pub(crate) fn of(scenario: &Scenario, file: Option<(&Path, &Scenario)>) -> String {
    let default = Scenario::default();
    let (start, plain) = match file {
        Some((path, plain)) => (format!(" --scenario {}", quoted(&path.to_string_lossy())), plain),
        None => (String::new(), &default),
    };
    let protocol = match scenario.protocol == plain.protocol {
        true => String::new(),
        false => format!(" {}", scenario.protocol),
    };
    let mut line =
        Line { text: format!("{} sim{protocol}{start}", program::name()), all: file.is_none() };
    line.some("variant", &scenario.variant, &plain.variant, String::clone);
    line.network(scenario, plain);
    line.trace(scenario.trace.as_ref(), plain.trace.as_ref());
    line.sharing(scenario, plain);
    line.important("load", scenario.requests.rate, plain.requests.rate);
    line.some("requesters", &scenario.requests.nodes, &plain.requests.nodes, |n| typed_nodes(n));
    line.link_changes(scenario, plain);
    line.motion(scenario.motion.as_ref(), plain.motion.as_ref());
    line.script(scenario, plain);
    line.flag("loss", scenario.loss, plain.loss);
    line.some("timeout", &scenario.timeout, &plain.timeout, |timeout| *timeout);
    line.flag("delay", scenario.delay, plain.delay);
    line.flag("critical-section", scenario.critical_section, plain.critical_section);
    line.some("medium", &scenario.medium, &plain.medium, |medium| word(medium));
    line.measure(scenario.measure, plain.measure);
    line.flag("undefined", word(scenario.undefined), word(plain.undefined));
    line.some("calm-limit", &scenario.calm_limit, &plain.calm_limit, |limit| *limit);
    line.say("seed", scenario.seed);
    line.text
}

/// What was typed, but for the number of threads and the folder of results, which change nothing.
pub(crate) fn typed(words: impl IntoIterator<Item = OsString>) -> String {
    let mut line = program::name().to_owned();
    let mut words = words.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        if ["--threads", "--out"].contains(&&*word) {
            words.next();
        } else if !word.starts_with("--threads=") && !word.starts_with("--out=") {
            let _ = write!(line, " {}", quoted(&word));
        }
    }
    line
}

/// A command line in the making.
struct Line {
    text: String,
    /// Whether the important flags are there even if they say what is so anyway.
    all: bool,
}

impl Line {
    fn network(&mut self, scenario: &Scenario, plain: &Scenario) {
        let (network, plain) = (&scenario.network, &plain.network);
        match network.shape {
            // A list of links has as many nodes as it mentions.
            Shape::File => self.flag("nodes", network.nodes, plain.nodes),
            // So has a trace.
            _ if scenario.trace.is_some() => {}
            _ => self.important("nodes", network.nodes, plain.nodes),
        }
        self.flag("network", word(network.shape), word(plain.shape));
        self.some("connectivity", &network.connectivity, &plain.connectivity, |percent| *percent);
        self.some("links", &network.links, &plain.links, |links| *links);
        self.some("range", &network.range, &plain.range, |range| *range);
        self.some("degree", &network.degree, &plain.degree, |degree| *degree);
        self.some("area", &network.area, &plain.area, |area| *area);
        self.some("edges", &network.file, &plain.file, |path| quoted(&path.to_string_lossy()));
    }

    fn trace(&mut self, trace: Option<&Traced>, plain: Option<&Traced>) {
        let Some(trace) = trace.filter(|trace| Some(*trace) != plain) else { return };
        let plain = plain.cloned().unwrap_or_default();
        if trace.file != plain.file {
            self.say("trace", quoted(&trace.file.to_string_lossy()));
        }
        let number = |number: &f64| *number;
        self.some("range", &trace.range, &plain.range, number);
        self.some("radio", &trace.radio, &plain.radio, |radio| *radio);
        self.some("step", &trace.step, &plain.step, number);
        self.some("format", &trace.format, &plain.format, |format| format.key());
        self.some("start", &trace.start, &plain.start, number);
        self.some("end", &trace.end, &plain.end, number);
        let path = |path: &PathBuf| quoted(&path.to_string_lossy());
        self.some("activity", &trace.activity, &plain.activity, path);
        self.some("pad", &trace.pad, &plain.pad, number);
        self.some("internal", &trace.internal, &plain.internal, |id| *id);
        self.some("slot", &trace.slot, &plain.slot, number);
        self.flag("unit", trace.unit, plain.unit);
        self.switch("mutual", trace.mutual && !plain.mutual);
        self.switch("degrees", trace.degrees && !plain.degrees);
        self.switch("together", trace.together && !plain.together);
    }

    fn link_changes(&mut self, scenario: &Scenario, plain: &Scenario) {
        let (changes, plain) = (&scenario.link_changes, &plain.link_changes);
        self.flag("mobility", changes.rate, plain.rate);
        self.flag("link-changes", word(changes.model), word(plain.model));
        self.flag("connected-by", word(changes.connected_by), word(plain.connected_by));
    }

    fn motion(&mut self, motion: Option<&Motion>, plain: Option<&Motion>) {
        let Some(motion) = motion.filter(|motion| Some(*motion) != plain) else { return };
        let plain = plain.cloned().unwrap_or_default();
        self.say("motion", word(motion.model));
        self.some("speed", &motion.speed, &plain.speed, |speed| *speed);
        self.flag("pause", motion.pause, plain.pause);
        self.flag("moving", motion.moving, plain.moving);
        self.some("motion-step", &motion.step, &plain.step, |step| *step);
        self.flag("motion-start", word(motion.start), word(plain.start));
        self.some("leg", &motion.leg, &plain.leg, |leg| *leg);
        self.some("memory", &motion.memory, &plain.memory, |memory| *memory);
        self.some("block", &motion.block, &plain.block, |block| *block);
        self.some("turn", &motion.turn, &plain.turn, |turn| *turn);
        self.some("group", &motion.group, &plain.group, |group| *group);
        self.some("spread", &motion.spread, &plain.spread, |spread| *spread);
        self.switch("together", motion.together && !plain.together);
    }

    fn sharing(&mut self, scenario: &Scenario, plain: &Scenario) {
        let number = |number: &u32| *number;
        self.some("tokens", &scenario.tokens, &plain.tokens, number);
        self.some("resources", &scenario.resources, &plain.resources, number);
        self.some("session", &scenario.session, &plain.session, |session| *session);
        let (popular, unless) = (&scenario.requests.popular, &plain.requests.popular);
        self.some("popular", popular, unless, |share| *share);
    }

    /// What was typed of a script comes after what is in the file.
    fn script(&mut self, scenario: &Scenario, plain: &Scenario) {
        let typed = &scenario.script[plain.script.len().min(scenario.script.len())..];
        if typed.is_empty() {
            return;
        }
        let crash = |scripted: &Scripted| {
            let Scripted { at, crash, once, .. } = *scripted;
            let alone = Scripted { at, crash, once, ..Scripted::default() };
            let once = once.map_or(String::new(), |moment| format!(":{}", word(moment)));
            Some(format!("{}@{at}{once}", crash.filter(|_| *scripted == alone)?))
        };
        match typed.iter().map(crash).collect::<Option<Vec<String>>>() {
            Some(crashes) => self.say("crash", crashes.join(",")),
            None => self.say("script", quoted(&inline(typed))),
        }
    }

    fn measure(&mut self, measure: Option<Measure>, plain: Option<Measure>) {
        if let Some(measure) = measure.filter(|_| measure != plain) {
            self.say("warmup", measure.warmup);
            self.some("entries", &measure.entries, &None, |entries| *entries);
            self.some("until", &measure.until, &None, |until| *until);
        }
    }

    fn important<T: PartialEq + Display>(&mut self, name: &str, value: T, plain: T) {
        if self.all || value != plain {
            self.say(name, value);
        }
    }

    fn flag<T: PartialEq + Display>(&mut self, name: &str, value: T, plain: T) {
        if value != plain {
            self.say(name, value);
        }
    }

    fn some<T: PartialEq, D: Display>(
        &mut self,
        name: &str,
        value: &Option<T>,
        plain: &Option<T>,
        show: impl Fn(&T) -> D,
    ) {
        if let Some(some) = value.as_ref().filter(|_| value != plain) {
            self.say(name, show(some));
        }
    }

    fn switch(&mut self, name: &str, is_on: bool) {
        if is_on {
            let _ = write!(self.text, " --{name}");
        }
    }

    fn say(&mut self, name: &str, value: impl Display) {
        let _ = write!(self.text, " --{name} {value}");
    }
}

/// Events as they stand on one line of a scenario file.
fn inline(script: &[Scripted]) -> String {
    let value = toml::Value::try_from(script).expect("a script has nothing that TOML cannot say");
    value.to_string()
}

/// The name of a value, which is the same in files and flags.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{self, Args};
    use crate::lab::args::Command;

    /// What a line makes of a scenario.
    fn typed(line: &str, plain: &Scenario) -> Scenario {
        let words = words_of(line);
        let args::Command::Lab(Command::Sim(args)) = Args::try_parse_from(words).unwrap().command
        else {
            panic!("{line} is a simulation");
        };
        let mut scenario = plain.clone();
        scenario.protocol = args.protocol.unwrap_or(scenario.protocol);
        args.world.apply(&mut scenario);
        scenario
    }

    /// The words of a line. Of quotes there are none within words.
    fn words_of(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words
    }

    const LINES: [&str; 32] = [
        "driftlock sim rl --script '[{ at = 1, request = 0 }, { at = 2.5, down = [0, 2] }]'",
        "driftlock sim rl --script '[{ at = 1, up = [0, 2], moving = 0 }]' --crash 3@40",
        "driftlock sim cluster --medium mesh --script '[{ at = 7, lose = \"Token\" }]'",
        "driftlock sim rl",
        "driftlock sim rl --nodes 12 --connectivity 40 --load 0.5 --mobility 0.1 --seed 9",
        "driftlock sim rl --network grid --nodes 9 --until 500 --delay uniform:0.5..2",
        "driftlock sim raymond --medium routed --cold 120 --critical-section exponential:2",
        "driftlock sim rl --variant published --undefined skip --connected-by known",
        "driftlock sim rl --mobility 0.01 --link-changes toggle --requesters 0,4-6 --links 99",
        "driftlock sim rl --network geometric --range 0.4 --calm-limit 1000",
        "driftlock sim rl --edges net.txt",
        "driftlock sim rl --edges net.txt --warmup 3",
        "driftlock sim rl --requesters none --until 10 --undefined stop",
        "driftlock sim rl --network random --load 1 --mobility 0 --link-changes none --entries 9",
        "driftlock sim krl --tokens 3 --nodes 9 --connected-by partitions --crash 3@40,5@60.5",
        "driftlock sim krl -k 2 --mobility 0.1 --connected-by partitions",
        "driftlock sim gme --resources 4 --session 7 --popular 0.85",
        "driftlock sim gme --resources 2 --session off",
        "driftlock sim lme2 --network geometric --degree 8 --area 50 --motion waypoint --speed 2",
        "driftlock sim lme2 --network geometric --motion convoy --group 4 --spread 0.5 --pause 3",
        "driftlock sim lme2 --network geometric --speed uniform:1..2 --moving 0.25 --motion-step 9",
        "driftlock sim rl --network geometric --degree 6 --motion waypoint --together",
        "driftlock sim cluster --medium mesh --loss 0.05 --timeout 2.5 --crash 3@40:inside",
        "driftlock sim lme2 --crash 3@40:inside,5@6.5:waiting,7@8 --connected-by partitions",
        "driftlock sim krl --network geometric --motion-start stationary --speed 0.1",
        "driftlock sim krl --network geometric --motion walk --leg exponential:3",
        "driftlock sim krl --network geometric --motion gauss-markov --memory 0.9 --leg 1",
        "driftlock sim krl --network geometric --motion manhattan --block 0.2 --turn 0.25",
        "driftlock sim krl --trace a.gz --range 250 --unit 20 --start 5 --end 600 --load 0.1",
        "driftlock sim rl --trace a.xml --radio quasi:80..100 --together --degrees --step 0.5",
        "driftlock sim rl --trace h.dat --pad 60 --mutual --internal 41 --format haggle",
        "driftlock sim rl --trace t.tcl --activity a.tcl --slot 10 --until 9 --medium mesh",
    ];

    #[test]
    fn what_is_printed_runs_the_same_scenario() {
        let default = Scenario::default();
        for line in LINES {
            let scenario = typed(line, &default);
            assert_eq!(typed(&of(&scenario, None), &default), scenario, "{line}");
        }
    }

    #[test]
    fn what_is_printed_runs_the_same_scenario_with_its_file() {
        let files = [
            "protocol = 'rl'\nvariant = 'published'\nundefined = 'skip'\ndelay = 3\n\
             network = { shape = 'ring', nodes = 5 }\nrequests = { rate = 0, nodes = [1] }",
            "protocol = 'raymond'\nnetwork = { shape = 'file', file = 'a.txt', nodes = 4 }\n\
             link-changes = { model = 'toggle', rate = 2 }\nmeasure = { warmup = 4, entries = 8 }",
            "protocol = 'lme2'\nnetwork = { shape = 'geometric', degree = 3 }\n\
             motion = { model = 'convoy', group = 3, moving = 0.5, speed = 0.1 }",
        ];
        for text in files {
            let plain = Scenario::from_toml(text).unwrap();
            for line in LINES {
                let scenario = typed(line, &plain);
                let printed = of(&scenario, Some((Path::new("a.toml"), &plain)));
                assert!(printed.contains("--scenario a.toml"), "{printed}");
                assert_eq!(typed(&printed, &plain), scenario, "{line}: {printed}");
            }
        }
    }

    #[test]
    fn threads_and_folders_are_not_worth_repeating() {
        for line in [
            "a sim --out x rl",
            "a sim --out=x rl",
            "a sim --threads 2 rl",
            "a sim rl --threads=7",
            "a sim --threads 1 rl",
        ] {
            assert_eq!(super::typed(line.split(' ').map(Into::into)), "driftlock sim rl");
        }
    }

    #[test]
    fn odd_file_names_are_quoted() {
        let plain = Scenario::default();
        let line = of(&plain, Some((Path::new("my run's.toml"), &plain)));
        assert!(line.contains(r"'my run'\''s.toml'"), "{line}");
    }
}
