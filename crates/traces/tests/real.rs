//! Real files of other tools, and what those tools say about them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use driftlock_traces::{
    Format, Inspection, Kind, LinkChanges, Options, Radio, Trace, TraceError, UnitDisk, inspect,
    links, open, read, sampled,
};
use flate2::Compression;
use flate2::write::GzEncoder;

/// When the links of each pair change, by the names of its ends: microseconds, and whether it comes
/// up.
type Sequence = BTreeMap<(String, String), Vec<(i64, bool)>>;

const DISK: Radio = Radio::UnitDisk(UnitDisk { range: 250.0 });

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(name)
}

fn sample(name: &str) -> Trace {
    open(&path(name), &Options::default()).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

fn until(name: &str, end: f64) -> Trace {
    let options = Options { end: Some(end), ..Options::default() };
    open(&path(name), &options).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

fn sequence(trace: &Trace, changes: &LinkChanges) -> Sequence {
    let mut sequence = Sequence::new();
    for change in &changes.changes {
        let name = |node: u32| trace.nodes[node as usize].clone();
        let pair = (name(change.a), name(change.b));
        sequence.entry(pair).or_default().push((change.at, change.up));
    }
    sequence
}

/// The same pairs, and for each the same changes in the same order, no more than so many
/// microseconds apart. The answer is how many there are, and the greatest difference.
fn compared(one: &Sequence, two: &Sequence, tolerance: i64) -> (usize, i64) {
    let pairs = |sequence: &Sequence| sequence.keys().cloned().collect::<Vec<_>>();
    assert_eq!(pairs(one), pairs(two));
    let (mut n_changes, mut greatest) = (0, 0);
    for (pair, changes) in one {
        let others = &two[pair];
        assert_eq!(changes.len(), others.len(), "{pair:?}: {changes:?} {others:?}");
        for (change, other) in changes.iter().zip(others) {
            assert_eq!(change.1, other.1, "{pair:?}");
            let difference = (change.0 - other.0).abs();
            assert!(difference <= tolerance, "{pair:?}: {change:?} {other:?}");
            (n_changes, greatest) = (n_changes + 1, greatest.max(difference));
        }
    }
    (n_changes, greatest)
}

fn exact(trace: &Trace) -> Sequence {
    sequence(trace, &links(trace, &DISK).expect("the radio is sound"))
}

fn inspected(name: &str) -> Inspection {
    let trace = sample(name);
    inspect(&trace, &links(&trace, &DISK).expect("the radio is sound"))
}

#[test]
fn every_sample_loads() {
    let samples = [
        ("rwp30.movements.gz", Format::BonnMotion, 30),
        ("rwp30.ns_movements", Format::Ns2, 30),
        ("rwp30.csv", Format::BonnMotionCsv, 30),
        ("rwp30.one.gz", Format::OneMovement, 30),
        ("rwp30.linkdump_r250_stdout.txt", Format::LinkDump, 30),
        ("generated_rwp30_CONN.txt", Format::OneConnectivity, 30),
        ("generated_rwp30_dtnsim2.txt", Format::Dtnsim2, 30),
        ("generated_rwp30_ns2.txt", Format::Ns2, 30),
        ("generated_grid_fcd.xml", Format::Fcd, 30),
        ("generated_grid_ns2mobility.tcl", Format::Ns2, 30),
        ("workplace_InVS_tij.dat.zip", Format::SocioPatterns, 92),
    ];
    for (name, format, n_nodes) in samples {
        let trace = sample(name);
        assert_eq!((trace.format, trace.nodes.len()), (format, n_nodes), "{name}");
        // Of the files for ns-2, only the one with `.ns_params` beside it says when it ends.
        let is_endless =
            ["generated_rwp30_ns2.txt", "generated_grid_ns2mobility.tcl"].contains(&name);
        assert_eq!(trace.notes.len(), usize::from(is_endless), "{name}: {:?}", trace.notes);
        assert!(inspected(name).n_up > 0, "{name}");
    }
    // What is left of the folder stands beside these, and is read with them or is no trace.
    let names: BTreeSet<&str> = samples.iter().map(|&(name, ..)| name).collect();
    let others = ["params", "ns_params", "stats", "activity.tcl", "settings.txt", "README.md"];
    for file in std::fs::read_dir(path("")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let is_other = others.iter().any(|end| name.ends_with(end));
        assert!(is_other != names.contains(&*name), "{name}");
    }
}

/// What stands beside a file is found there when it is compressed, too.
#[test]
fn companions_may_be_compressed() {
    let folder = std::env::temp_dir().join(format!("driftlock-traces-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let put = |name: &str, packed: bool| {
        let bytes = std::fs::read(path(name)).unwrap();
        if !packed {
            return std::fs::write(folder.join(name), bytes).unwrap();
        }
        let file = std::fs::File::create(folder.join(name.to_owned() + ".gz")).unwrap();
        let mut encoder = GzEncoder::new(file, Compression::fast());
        encoder.write_all(&bytes).unwrap();
        encoder.finish().unwrap();
    };
    for (main, other) in [
        ("rwp30.movements.gz", "rwp30.params"),
        ("rwp30.ns_movements", "rwp30.ns_params"),
        ("generated_grid_ns2mobility.tcl", "generated_grid_ns2activity.tcl"),
    ] {
        put(main, false);
        let opened = || open(&folder.join(main), &Options::default()).unwrap();
        let alone = opened();
        put(other, true);
        assert!(opened() == sample(main), "{main}");
        // The movements themselves end when .params says.
        assert_eq!(opened() == alone, main == "rwp30.movements.gz", "{main}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What stands beside a file is nothing to one of another format, whatever both are called.
#[test]
fn companions_are_those_of_the_format() {
    let folder = std::env::temp_dir().join(format!("driftlock-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    for name in ["highactivity.csv", "high.params", "high.ns_params"] {
        put(name, "day,who\n1,x\nset val(duration) soon\n");
    }
    let contacts = "start,end,a,b\n0,10,a,b\n";
    for name in ["highmobility.csv", "high.movements", "high.ns_movements"] {
        put(name, contacts);
        let opened = open(&folder.join(name), &Options::default()).unwrap();
        assert!(opened == read(contacts.as_bytes(), &Options::default()).unwrap(), "{name}");
    }
    // Numbers alone are movements there, and then it matters.
    put("high.movements", "0 1 2 10 3 4\n0 5 6\n");
    let error = open(&folder.join("high.movements"), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), folder.join("high.params").display().to_string());
    let known = Options { format: Some(driftlock_traces::Format::Haggle), ..Options::default() };
    let error = open(&folder.join("high.movements"), &known).unwrap_err();
    assert_eq!(error.to_string(), folder.join("high.movements").display().to_string());
    put("high.params", "nn=2\nduration=20\n");
    let opened = open(&folder.join("high.movements"), &Options::default()).unwrap();
    assert_eq!((opened.nodes.len(), opened.span.end), (2, 20_000_000));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Ours are the exact moments, to the nearest microsecond; LinkDump's have sixteen digits.
#[test]
fn links_of_bonnmotion_are_those_of_its_linkdump() {
    let ours = exact(&sample("rwp30.movements.gz"));
    let theirs = exact(&sample("rwp30.linkdump_r250_stdout.txt"));
    let (n_changes, greatest) = compared(&ours, &theirs, 0);
    // 961 links, of which 119 are still up at the end.
    assert_eq!((ours.len(), n_changes, greatest), (423, 1922 - 119, 0));
}

/// The ONE looks every half a second, and so do we: nothing is left to tolerate.
#[test]
fn links_of_the_one_are_those_of_its_report() {
    let trace = until("generated_rwp30_ns2.txt", 1200.0);
    let ours = sampled(&trace, &DISK, 500_000).unwrap();
    let report = sample("generated_rwp30_CONN.txt");
    let theirs = links(&report, &DISK).unwrap();
    assert_eq!(trace.nodes, report.nodes);
    assert_eq!(ours.changes.len(), 2643);
    assert_eq!(ours.changes, theirs.changes);
    let other = sample("generated_rwp30_dtnsim2.txt");
    assert_eq!(links(&other, &DISK).unwrap(), theirs);
}

/// Every change that the ONE sees happened in the half a second before.
#[test]
fn exact_moments_come_up_to_one_step_before_the_one_sees_them() {
    let trace = until("generated_rwp30_ns2.txt", 1200.0);
    let exact = sequence(&trace, &links(&trace, &DISK).unwrap());
    let seen = sequence(&trace, &sampled(&trace, &DISK, 500_000).unwrap());
    let mut n_missed = 0;
    for (pair, changes) in &exact {
        let seen = seen.get(pair).map_or(&[][..], Vec::as_slice);
        // Between two looks a link may come and go: those two changes are not seen.
        let slot = |at: i64| (at + 499_999) / 500_000;
        let mut left: Vec<(i64, bool)> = Vec::new();
        for &(at, up) in changes {
            let slot = slot(at).max(1);
            match left.last() {
                Some(&(last, _)) if last == slot => {
                    left.pop();
                    n_missed += 2;
                }
                _ => left.push((slot, up)),
            }
        }
        let seen: Vec<(i64, bool)> = seen.iter().map(|&(at, up)| (at / 500_000, up)).collect();
        assert_eq!(left, seen, "{pair:?}");
    }
    assert!(n_missed < 20, "{n_missed}");
}

/// The export has all coordinates shifted by ten meters, and says when nodes start and how fast
/// they are instead of when they arrive.
#[test]
fn exports_of_bonnmotion_have_the_same_links() {
    let native = exact(&sample("rwp30.movements.gz"));
    assert_eq!(compared(&native, &exact(&sample("rwp30.csv")), 0).0, 1803);
    let ns2 = sample("rwp30.ns_movements");
    assert_eq!(ns2.span.end, 600_000_000);
    assert_eq!(compared(&native, &exact(&ns2), 1).0, 1803);
    let (Kind::Movement(ours), Kind::Movement(shifted)) =
        (sample("rwp30.movements.gz").kind, ns2.kind)
    else {
        panic!("both are movement");
    };
    for (one, two) in ours.iter().zip(&shifted) {
        let (one, two) = (one.at(100.0).unwrap(), two.at(100.0).unwrap());
        assert!((two[0] - one[0] - 10.0).abs() < 1e-6 && (two[1] - one[1] - 10.0).abs() < 1e-6);
    }
}

/// Samples once a second, with straight lines in between: corners are cut by a few meters.
#[test]
fn the_ones_movement_has_nearly_the_same_links() {
    let native = links(&sample("rwp30.movements.gz"), &DISK).unwrap();
    let coarse = links(&sample("rwp30.one.gz"), &DISK).unwrap();
    assert_eq!(native.span, coarse.span);
    let (ours, theirs) = (native.changes.len(), coarse.changes.len());
    assert!(ours.abs_diff(theirs) < 20, "{ours} {theirs}");
    // At every full second both are the same, but for the last, which has no samples.
    let at_seconds = |name: &str| sampled(&until(name, 599.0), &DISK, 1_000_000).unwrap();
    assert_eq!(at_seconds("rwp30.movements.gz"), at_seconds("rwp30.one.gz"));
}

/// SUMO's own export moves each vehicle one step later, and has other numbers for them.
#[test]
fn vehicles_of_sumo_are_where_its_export_has_them() {
    let fcd = sample("generated_grid_fcd.xml");
    let ns2 = sample("generated_grid_ns2mobility.tcl");
    let (Kind::Movement(cars), Kind::Movement(nodes)) = (&fcd.kind, &ns2.kind) else {
        panic!("both are movement");
    };
    let activity = std::fs::read_to_string(path("generated_grid_ns2activity.tcl")).unwrap();
    let mut n_compared = 0;
    for line in activity.lines().filter(|line| line.contains("start")) {
        let number = line.split(['(', ')']).nth(1).unwrap();
        let id = line.rsplit(' ').next().unwrap();
        let find = |trace: &Trace, name: &str| trace.nodes.iter().position(|node| node == name);
        let (car, node) = (&cars[find(&fcd, id).unwrap()], &nodes[find(&ns2, number).unwrap()]);
        for t in 0..59 {
            let t = f64::from(t);
            assert_eq!(car.at(t).is_some(), node.at(t).is_some(), "{id} at {t}");
            if let (Some(one), Some(two)) = (car.at(t), node.at(t + 1.0)) {
                let apart = (0..2).map(|k| (one[k] - two[k]).abs()).fold(0.0, f64::max);
                assert!(apart < 0.05, "{id} at {t}: {one:?} {two:?}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 1000, "{n_compared}");
}

/// What BonnMotion's Statistics says about the same movement.
#[test]
fn inspection_agrees_with_bonnmotions_statistics() {
    let text = std::fs::read_to_string(path("rwp30.stats")).unwrap();
    let statistic = |name: &str| -> f64 {
        let name = format!("\"{name}\"");
        let line = text.lines().find(|line| line.starts_with(&name)).unwrap();
        line[name.len()..].trim().parse().unwrap()
    };
    let found = inspected("rwp30.movements.gz");
    let is_within = |part: f64, ours: f64, theirs: f64| {
        assert!((ours / theirs - 1.0).abs() < part, "{ours} {theirs}");
    };
    let is_near = |ours: f64, theirs: f64| is_within(1e-6, ours, theirs);
    is_near(found.degree, statistic("avg. degree"));
    // Counted from the intervals of LinkDump it is 1.4424461, as ours; Statistics has 1.4417815.
    is_within(1e-7, found.partitions, 1.442446117);
    is_within(1e-3, found.partitions, statistic("avg. num. of partitions"));
    is_near(found.link_seconds, statistic("avg. link duration"));
    assert_eq!(found.n_up as f64, statistic("total links"));
    // Those that are up at the start do not count there. None of them lasts until the end.
    assert_eq!((found.n_down - found.n_initial) as f64, statistic("link breaks"));
    is_near(found.n_up as f64 / found.n_pairs as f64, statistic("avg. number of link changes"));
    let [min, max] = found.area.unwrap();
    assert!(min.iter().all(|&least| least >= 0.0) && max.iter().all(|&most| most <= 1000.0));
}

/// SocioPatterns, workplace InVS: the numbers of its own description.
#[test]
fn the_workplace_has_its_contacts() {
    let found = inspected("workplace_InVS_tij.dat.zip");
    assert_eq!((found.n_nodes, found.n_pairs), (92, 755));
    // 9827 lines of twenty seconds.
    let seconds = found.link_seconds * found.n_up as f64;
    assert!((seconds - 9827.0 * 20.0).abs() < 1e-3, "{seconds}");
    assert_eq!(found.span.start, 28_800_000_000);
}

#[test]
fn a_sample_that_is_cut_off_is_refused_or_shorter() {
    for name in ["rwp30.movements.gz", "rwp30.one.gz", "workplace_InVS_tij.dat.zip"] {
        let bytes = std::fs::read(path(name)).unwrap();
        for part in 1..20 {
            let cut = &bytes[..bytes.len() * part / 20];
            let error = read(cut, &Options::default()).unwrap_err();
            assert!(matches!(error, TraceError::Compressed { .. }), "{name}: {error}");
        }
    }
    let movements = std::fs::read(path("rwp30.ns_movements")).unwrap();
    let error = read(&movements[..movements.len() / 2 - 40], &Options::default()).unwrap_err();
    assert!(error.place().is_some_and(|place| place.line > 100), "{error}");
}
