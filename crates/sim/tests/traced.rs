//! Runs on traces: links change as files say.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use driftlock_journal::{Event, Reader, Record};
use driftlock_protocols::Variant;
use driftlock_protocols::cluster::Cluster;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::raymond_k::{self, RaymondK};
use driftlock_protocols::ring::Ring;
use driftlock_protocols::rl::{self, Rl};
use driftlock_replay::replay;
use driftlock_sim::dice::{Dice, Stream};
use driftlock_sim::{
    ConnectedBy, Measure, Medium, Run, Scenario, Simulated, Span, Traced, World, traced,
};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;
use serde::Serialize;

use crate::scripted::timely;
use crate::worlds::{load, records, routed};

fn sample(name: &str) -> Traced {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/samples");
    Traced::of(PathBuf::from(folder).join(name))
}

fn rwp30() -> Traced {
    Traced { range: Some(250.0), ..sample("rwp30.movements.gz") }
}

fn apart(trace: Traced) -> Scenario {
    let mut scenario = Scenario { requests: load(0.05), trace: Some(trace), ..Scenario::default() };
    scenario.link_changes.connected_by = ConnectedBy::Partitions;
    scenario
}

fn together(trace: Traced) -> Scenario {
    let trace = Some(Traced { together: true, ..trace });
    Scenario { requests: load(0.05), trace, ..Scenario::default() }
}

fn one_token() -> krl::Config {
    krl::Config::new(Variant::Repaired, 1, Forwarding::Never)
}

/// A run in which all promises hold, and which its journal tells again.
fn held<P>(scenario: &Scenario, config: &P::Config, rules: Rules) -> (Run, Vec<u8>)
where
    P: Simulated<Config: Serialize>,
{
    let mut journal = Vec::new();
    let world = World::<P>::under(scenario, config, rules).unwrap();
    let run = world.record(config, "test", &mut journal).unwrap().run();
    let told = scenario.to_toml();
    assert!(run.journal_error.is_none());
    assert_eq!(run.violation, None, "{told}");
    let mut reader = Reader::new(journal.as_slice()).unwrap();
    let replayed = replay::<P, _>(&mut reader, config, &mut |_, _, _, _| {}).unwrap();
    assert_eq!((replayed.steps, replayed.violation), (run.steps, None), "{told}");
    (run, journal)
}

/// A local protocol is told of every change of the trace, at once; so is another that is asked for
/// nothing.
#[test]
fn links_change_exactly_as_the_trace_says() {
    let (_, links) = traced::read(&rwp30()).unwrap();
    let start = links.span.start;
    let changes: Vec<_> = links.changes.iter().filter(|change| change.at > start).collect();
    assert_eq!(changes.len(), 1803 - 118);
    let (run, journal) = held::<Lme2>(&apart(rwp30()), &lme2::Config::default(), Rules::local(2));
    assert_eq!(run.metrics.link_changes, changes.len() as u64);
    let ups = changes.iter().filter(|change| change.up).count();
    let told = records(&journal);
    let count = |is_wanted: fn(&Event) -> bool| {
        told.iter().filter(|record| is_wanted(&record.event)).count()
    };
    assert_eq!(count(|event| matches!(event, Event::LinkUp { .. })), 2 * ups);
    assert_eq!(count(|event| matches!(event, Event::LinkDown { .. })), 2 * (changes.len() - ups));
    let quiet = Scenario { requests: load(0.0), ..apart(rwp30()) };
    let (run, _) = held::<Krl>(&quiet, &one_token(), Rules::default());
    let n = run.metrics.link_changes;
    assert!(n <= changes.len() as u64 && n > 1_600, "messages of new links hold up a few: {n}");
    assert_eq!((run.metrics.time, run.metrics.held_up), (600.0, None));
}

#[test]
fn one_seed_is_one_run_byte_for_byte() {
    let journal = |seed| {
        let scenario = Scenario { seed, ..apart(rwp30()) };
        held::<Krl>(&scenario, &one_token(), Rules::default()).1
    };
    assert_eq!(journal(5), journal(5));
    assert_ne!(journal(5), journal(6));
}

/// Every sample, with what makes its runs short.
fn samples() -> Vec<Traced> {
    let until = |name, end| Traced { end: Some(end), ..sample(name) };
    let grid = |name| Traced { range: Some(100.0), ..sample(name) };
    let day = Traced { unit: 20.0, end: Some(70_000.0), ..sample("workplace_InVS_tij.dat.zip") };
    vec![
        rwp30(),
        until("rwp30.csv", 200.0),
        until("rwp30.ns_movements", 200.0),
        until("rwp30.one.gz", 200.0),
        sample("rwp30.linkdump_r250_stdout.txt"),
        until("generated_rwp30_ns2.txt", 300.0),
        sample("generated_rwp30_CONN.txt"),
        until("generated_rwp30_dtnsim2.txt", 300.0),
        grid("generated_grid_fcd.xml"),
        grid("generated_grid_ns2mobility.tcl"),
        day,
    ]
}

#[test]
fn who_lives_with_partitions_takes_every_sample_as_it_is() {
    let mut entries = 0;
    for trace in samples() {
        for tokens in [1, 3] {
            let scenario = Scenario { tokens: Some(tokens), ..apart(trace.clone()) };
            let config = krl::Config::new(Variant::Repaired, tokens, Forwarding::Never);
            let exclusion = Exclusion::AtMost(tokens);
            let rules = Rules { exclusion, ..Rules::default() };
            entries += held::<Krl>(&scenario, &config, rules).0.metrics.entries;
        }
        held::<Lme2>(&apart(trace), &lme2::Config::default(), Rules::local(2));
    }
    assert!(entries > 1_000, "{entries}");
}

#[test]
fn who_needs_one_piece_has_every_sample_held_together() {
    for trace in samples() {
        let scenario = Scenario { requests: load(0.5), ..together(trace) };
        let plain = Rules::default();
        let mut shares = Vec::new();
        let mut seen = |run: Run| {
            assert!(run.metrics.entries > 10, "{}", scenario.to_toml());
            shares.push(run.metrics.held_up.unwrap());
        };
        seen(held::<Rl>(&scenario, &rl::Config::from(Variant::Repaired), plain).0);
        seen(held::<Krl>(&scenario, &one_token(), plain).0);
        seen(held::<Raymond>(&routed(&scenario), &(), plain).0);
        let mesh = Scenario { medium: Some(Medium::Mesh), ..scenario.clone() };
        seen(held::<Ring>(&mesh, &(), plain).0);
        assert!(shares.iter().all(|share| *share == shares[0]), "{shares:?}");
        assert!((0.0..1.0).contains(&shares[0]));
    }
}

/// At night all are alone, and some never meet: the last link of each is held up.
#[test]
fn what_is_held_up_is_measured() {
    let file = write("held.csv", "start,end,a,b\n0,10,a,b\n0,4,b,c\n8,10,a,c\n");
    let scenario = Scenario { requests: load(1.0), ..together(Traced::of(file)) };
    let (run, _) = held::<Rl>(&scenario, &rl::Config::from(Variant::Repaired), Rules::default());
    // The links are up for 10 + 4 + 2 units, and the one to c is held up for 4 more.
    assert_eq!(run.metrics.held_up, Some(4.0 / 20.0));
    assert_eq!(run.metrics.time, 10.0);
}

/// Who is not there asks for nothing, and is served when it has come.
#[test]
fn absent_nodes_do_not_ask() {
    let trace = Traced { range: Some(100.0), ..sample("generated_grid_fcd.xml") };
    let (file, _) = traced::read(&trace).unwrap();
    let driftlock_traces::Kind::Movement(tracks) = &file.kind else { panic!("vehicles move") };
    let start = file.span.start as f64 / 1e6;
    for scenario in [apart(trace.clone()), together(trace.clone())] {
        let scenario = Scenario { requests: load(0.5), ..scenario };
        let (_, journal) = held::<Krl>(&scenario, &one_token(), Rules::default());
        let mut asked = vec![false; tracks.len()];
        for Record { at, node, event, .. } in records(&journal) {
            if matches!(event, Event::Request(_)) {
                // Times of the run are rounded to a tick.
                let at = start + (at as f64 + 0.5) / 1000.0;
                assert!(tracks[node.index()].at(at).is_some(), "{node} at {at}");
                asked[node.index()] = true;
            }
        }
        let late = tracks.iter().filter(|track| track.stretches[0].start() > start + 1.0).count();
        assert!(asked.iter().filter(|asked| **asked).count() > tracks.len() / 2 && late > 5);
    }
}

/// The storm is over with the trace, whatever is asked for.
#[test]
fn a_run_ends_with_its_trace() {
    let entries = |entries| {
        let measure = Some(Measure { warmup: 0, entries: Some(entries), until: None });
        let scenario = Scenario { measure, ..apart(rwp30()) };
        held::<Krl>(&scenario, &one_token(), Rules::default()).0.metrics
    };
    let few = entries(20);
    assert!(few.entries == 20 && few.time < 600.0);
    let many = entries(1_000_000);
    assert!(many.entries > 100 && many.time == 600.0, "{} in {}", many.entries, many.time);
    let until = |until| Some(Measure { until: Some(until), ..Measure::default() });
    let scenario = Scenario { measure: until(100.0), ..apart(rwp30()) };
    assert_eq!(held::<Krl>(&scenario, &one_token(), Rules::default()).0.metrics.time, 100.0);
    let scenario = Scenario { measure: until(601.0), ..apart(rwp30()) };
    let told = World::<Krl>::new(&scenario, &one_token()).err().unwrap().to_string();
    assert_eq!(told, "measure.until: the trace is over after 600 units of time");
}

/// Who is never joined to the others is left out where all have to be in one piece.
#[test]
fn who_meets_nobody_is_left_out_of_one_piece() {
    let file = write("apart.csv", "start,end,a,b\n0,10,a,b\n5,30,b,c\n8,20,x,y\n");
    let plan = together(Traced::of(&file)).plan().unwrap().unwrap();
    assert_eq!((plan.nodes.join(" "), plan.left_out.join(" ")), ("a b c".into(), "x y".into()));
    let plan = apart(Traced::of(&file)).plan().unwrap().unwrap();
    assert_eq!((plan.nodes.len(), plan.left_out.len()), (5, 0));
}

/// Contacts of few nodes that come and go all the time, drawn from a seed.
fn contacts(seed: u64) -> PathBuf {
    let mut die = Dice::new(seed).sequence(Stream::Scenario);
    let n = 3 + die.below(7);
    let pairs = n * (n - 1) / 2;
    let mut text = String::from("start,end,a,b\n");
    for _ in 0..20 + die.below(40 * pairs) {
        let (a, b) = (die.below(n), die.below(n));
        let start = die.below(1_500) as f64 / 10.0;
        let length = (1 + die.below([30, 300][seed as usize % 2])) as f64 / 10.0;
        if a != b {
            writeln!(text, "{start},{},{a},{b}", start + length).unwrap();
        }
    }
    // All meet somebody.
    (1..n).for_each(|k| writeln!(text, "{},{},{k},0", 150 + k, 160 + k).unwrap());
    write(&format!("storm-{seed}.csv"), &text)
}

fn write(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Storm, then calm, then progress, on files: every protocol that lets one in at a time.
#[test]
fn promises_hold_in_storms_of_contacts() {
    let restless = Rules { silent: false, ..Rules::default() };
    let fenced = Rules { fenced: true, quorum: true, ..Rules::default() };
    let same_group = Rules { exclusion: Exclusion::SameGroup, ..Rules::default() };
    let (mut entries, mut changes) = (0, 0);
    for seed in 0..60 {
        let trace = Traced::of(contacts(seed));
        let vary = |scenario: Scenario| Scenario {
            seed,
            delay: [Span::Constant(1.0), Span::Uniform(0.1, 3.0)][seed as usize % 2],
            requests: load([0.02, 0.5][seed as usize / 2 % 2]),
            ..scenario
        };
        let (apart, whole) = (vary(apart(trace.clone())), vary(together(trace)));
        let mesh = Scenario { medium: Some(Medium::Mesh), ..whole.clone() };
        let plain = Rules::default();
        for scenario in [&apart, &whole] {
            for forwarding in [Forwarding::Never, Forwarding::Adaptive] {
                let config = krl::Config::new(Variant::Repaired, 1, forwarding);
                entries += held::<Krl>(scenario, &config, plain).0.metrics.entries;
            }
            let config = krl::Config::new(Variant::Repaired, 1, Forwarding::Always);
            held::<Krl>(scenario, &config, restless);
        }
        held::<Lme2>(&apart, &lme2::Config::default(), Rules::local(2));
        let (run, _) = held::<Rl>(&whole, &rl::Config::from(Variant::Repaired), plain);
        (entries, changes) = (entries + run.metrics.entries, changes + run.metrics.link_changes);
        held::<Raymond>(&routed(&whole), &(), plain);
        held::<RaymondK>(&routed(&whole), &raymond_k::Config::default(), plain);
        held::<Ring>(&mesh, &(), plain);
        held::<Cluster>(&mesh, &timely(&mesh), fenced);
        held::<Gme>(&whole, &gme::Config::default(), same_group);
    }
    assert!(entries > 10_000 && changes > 5_000, "{entries} entries, {changes} changes");
}
