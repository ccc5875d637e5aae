//! `driftlock world inspect`: what other tools say of their own files, and files that are none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use driftlock_traces::{Options, Radio, inspect, links, read};
use serde_json::Value;

use crate::place::{Done, Place};

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/samples");
    fs::read(folder.join(name)).unwrap()
}

fn text(name: &str) -> String {
    String::from_utf8(sample(name)).unwrap()
}

/// A folder with these samples.
fn with(names: &[&str]) -> Place {
    let place = Place::new();
    for name in names {
        place.write(name, sample(name));
    }
    place
}

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {json}"))
}

fn check_near(told: f64, expected: f64) {
    assert!((told / expected - 1.0).abs() < 1e-6, "{told} and not {expected}");
}

/// The sum of a number over time, from the course.
fn over_time(json: &Value, key: &str) -> f64 {
    let slices = json["course"].as_array().unwrap().iter();
    slices.map(|slice| number(slice, key) * (number(slice, "end") - number(slice, "start"))).sum()
}

#[test]
fn bonnmotions_movement_is_as_its_statistics_say() {
    let place = with(&["rwp30.movements.gz", "rwp30.params"]);
    let json = place.fine("world inspect rwp30.movements.gz --range 250 --json").json();
    let stats = text("rwp30.stats");
    let statistic = |name: &str| -> f64 {
        let name = format!("\"{name}\"");
        let line = stats.lines().find(|line| line.starts_with(&name)).unwrap();
        line[name.len()..].trim().parse().unwrap()
    };
    assert_eq!((&json["format"], &json["radio"]), (&"bonnmotion".into(), &"unit-disk:250".into()));
    assert_eq!((&json["n_nodes"], number(&json, "end")), (&30.into(), 600.0));
    check_near(number(&json, "degree"), statistic("avg. degree"));
    check_near(number(&json, "link_seconds"), statistic("avg. link duration"));
    assert_eq!(number(&json, "n_up"), statistic("total links"));
    // What the intervals of LinkDump amount to: its pairs, and its partitions.
    assert_eq!(json["n_pairs"], 423);
    check_near(number(&json, "partitions"), 1.442446117);
    assert_eq!(json["course"].as_array().unwrap().len(), 60);
    check_near(over_time(&json, "partitions"), 600.0 * number(&json, "partitions"));
    check_near(over_time(&json, "share_connected"), 600.0 * number(&json, "share_connected"));
    let most = number(&json, "share_majority");
    assert!(most > number(&json, "share_connected") && most <= 1.0, "{most}");
    check_near(over_time(&json, "links"), 961.0 * statistic("avg. link duration"));
}

#[test]
fn links_of_the_one_are_those_of_its_report() {
    let place = with(&["generated_rwp30_CONN.txt", "generated_rwp30_ns2.txt"]);
    let told = place.fine("world inspect generated_rwp30_CONN.txt --json").json();
    let report = text("generated_rwp30_CONN.txt");
    let count = |end: &str| report.lines().filter(|line| line.trim_end().ends_with(end)).count();
    assert_eq!((&told["n_up"], &told["n_down"]), (&count(" up").into(), &count(" down").into()));
    assert_eq!((&told["format"], &told["radio"]), (&"one-connectivity".into(), &Value::Null));
    // The ONE looks at its nodes every half a second.
    let looks = "world inspect generated_rwp30_ns2.txt --range 250 --end 1200 --json";
    let seen = place.fine(&format!("{looks} --step 0.5")).json();
    assert_eq!((&seen["n_up"], &seen["n_down"]), (&told["n_up"], &told["n_down"]));
    assert_eq!(seen["n_pairs"], told["n_pairs"]);
    let exact = place.fine(looks).json();
    assert!(number(&exact, "n_up") > number(&seen, "n_up"), "some come and go between two looks");
}

/// A value of an attribute, for each vehicle of the file.
fn attributes<'t>(fcd: &'t str, name: &str) -> Vec<&'t str> {
    let start = format!(" {name}=\"");
    let vehicles = fcd.lines().filter(|line| line.trim_start().starts_with("<vehicle "));
    let value = |line: &'t str| line.split_once(&start).unwrap().1.split('"').next().unwrap();
    vehicles.map(value).collect()
}

#[test]
fn vehicles_of_sumo_are_counted_as_in_the_file() {
    let place = with(&["generated_grid_fcd.xml", "generated_grid_ns2mobility.tcl"]);
    let json = place.fine("world inspect generated_grid_fcd.xml --range 100 --json").json();
    let fcd = text("generated_grid_fcd.xml");
    let ids: BTreeSet<&str> = attributes(&fcd, "id").into_iter().collect();
    assert_eq!((&json["format"], &json["n_nodes"]), (&"fcd".into(), &ids.len().into()));
    for (axis, name) in ["x", "y"].into_iter().enumerate() {
        let values = attributes(&fcd, name).into_iter().map(|value| value.parse::<f64>().unwrap());
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        assert_eq!(json["area"][0][axis].as_f64(), Some(least));
        assert_eq!(json["area"][1][axis].as_f64(), Some(most));
    }
    // Each is there for the second after each step that has it, but for the last, which ends it.
    let steps: Vec<&str> = fcd.split("<timestep ").skip(1).collect();
    let there: usize =
        steps[..steps.len() - 1].iter().map(|s| s.matches("<vehicle ").count()).sum();
    check_near(number(&json, "present") * (steps.len() - 1) as f64, there as f64);

    // The export does not know when they come; the activity file does.
    let export = "world inspect generated_grid_ns2mobility.tcl --json";
    assert_eq!(number(&place.fine(export).json(), "present"), 30.0);
    place.write("when.tcl", sample("generated_grid_ns2activity.tcl"));
    let given = place.fine(&format!("{export} --activity when.tcl")).json();
    assert!(number(&given, "present") < 30.0, "{given}");
    place.write("generated_grid_ns2activity.tcl", sample("generated_grid_ns2activity.tcl"));
    assert_eq!(place.fine(export).json(), given);
}

#[test]
fn the_workplace_has_the_contacts_of_its_description() {
    let place = with(&["workplace_InVS_tij.dat.zip"]);
    let json = place.fine("world inspect workplace_InVS_tij.dat.zip --json").json();
    assert_eq!((&json["n_nodes"], &json["n_pairs"]), (&92.into(), &755.into()));
    // 9827 lines of twenty seconds.
    check_near(number(&json, "link_seconds") * number(&json, "n_up"), 9827.0 * 20.0);
    check_near(over_time(&json, "links"), 9827.0 * 20.0);
    assert_eq!((number(&json, "start"), &json["area"]), (28_800.0, &Value::Null));
    assert_eq!((number(&json, "share_connected"), number(&json, "share_majority")), (0.0, 0.0));
    let out = place.fine("world inspect workplace_InVS_tij.dat.zip").out;
    assert!(out.contains("The file has links itself."), "{out}");
    assert!(out.contains("in one piece for 0 % of the time. For the other 100 %,"), "{out}");
}

/// The blocks of a row of the figure.
fn blocks(done: &Done, name: &str) -> Vec<char> {
    let mut lines = done.out.lines().skip_while(|line| !line.ends_with("█ is")).skip(1);
    let row = lines.find(|line| line.starts_with(name)).unwrap();
    row.chars().skip(14).take(60).collect()
}

#[test]
fn people_get_a_table_a_figure_and_a_hint() {
    let place = with(&["rwp30.movements.gz", "rwp30.params"]);
    let done = place.fine("world inspect rwp30.movements.gz");
    for part in [
        "rwp30.movements.gz: BonnMotion movements\n",
        "Links are by the radio unit-disk:250, since none was named: see --range and --radio.",
        "from 0 s to 600 s, 10 s in a column",
        "protocols that need a connected network are broken: rl, raymond, raymond-k, gme, ring.",
        "These live with partitions, as `driftlock protocols` says: rlp, krl,",
    ] {
        assert!(done.out.contains(part), "no `{part}` in {}", done.out);
    }
    let same = place.fine("world inspect rwp30.movements.gz --radio unit-disk:250").out;
    assert_eq!(same, done.out.replace(", since none was named: see --range and --radio", ""));

    // A block is as high as its part of the most there is.
    let json = place.fine("world inspect rwp30.movements.gz --json").json();
    let slices = json["course"].as_array().unwrap();
    let links: Vec<f64> = slices.iter().map(|slice| number(slice, "links")).collect();
    let most = links.iter().copied().fold(0.0, f64::max);
    let heights: Vec<char> = links
        .iter()
        .map(|&links| char::from_u32('▁' as u32 + (links / most * 8.0).ceil() as u32 - 1).unwrap())
        .collect();
    assert_eq!(blocks(&done, "links"), heights);
    for (slice, block) in slices.iter().zip(blocks(&done, "in one piece")) {
        let share = number(slice, "share_connected");
        assert_eq!((share == 0.0, share > 7.0 / 8.0), (block == ' ', block == '█'), "{slice}");
    }
}

#[test]
fn the_page_shows_what_is_told() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/traces.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, block) = page.split_once("```console\n$ driftlock ").unwrap();
    let (line, shown) = block.split_once("```").unwrap().0.split_once('\n').unwrap();
    let place = with(&["rwp30.movements.gz", "rwp30.params"]);
    assert_eq!(place.fine(line).out, shown);
}

/// Links are those that the library makes with that radio.
#[test]
fn every_radio_can_be_named() {
    let place = with(&["rwp30.movements.gz", "rwp30.params"]);
    let trace = read(&*sample("rwp30.movements.gz"), &Options::default()).unwrap();
    for typed in ["unit-disk:100", "quasi:200..250", "log-distance:shadow=6,seed=7"] {
        let radio: Radio = typed.parse().unwrap();
        let line = format!("world inspect rwp30.movements.gz --radio {typed} --json");
        let json = place.fine(&line).json();
        let found = inspect(&trace, &links(&trace, &radio).unwrap());
        assert_eq!((&json["n_up"], &json["n_down"]), (&found.n_up.into(), &found.n_down.into()));
        check_near(number(&json, "degree"), found.degree);
        let again = place.fine(&line.replace(typed, json["radio"].as_str().unwrap()));
        assert_eq!(again.json(), json);
    }
}

#[test]
fn files_that_are_none_are_refused_with_the_place() {
    let place = with(&["rwp30.movements.gz"]);
    let cut = sample("rwp30.movements.gz");
    place.write("cut.gz", &cut[..cut.len() / 2]);
    place.write(
        "bad.tcl",
        "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$ns_ at 2.0 \"$node_(0) setdest 9\"\n",
    );
    place.write("back.txt", "2.0 CONN 0 1 up\n1.0 CONN 0 1 down\n");
    place.write("noise.txt", "what is this\n");
    place.write("empty.txt", "");
    place.write("only.csv", "start,end,a,b\n");
    place.write("scan.dat", "1 2 100 100 1 0\n");
    for (line, parts) in [
        ("nowhere.csv", &["nowhere.csv: cannot be read"][..]),
        ("cut.gz", &["cut.gz: line ", ", column ", "get the file again"]),
        ("bad.tcl", &["bad.tcl: line 3, column ", "the y coordinate is missing", "should be like"]),
        ("back.txt", &["back.txt: line 2, column 1", "ONE connectivity"]),
        ("noise.txt", &["noise.txt: line 1, column 1", "`what is this`", "with --format: ns2, "]),
        ("empty.txt", &["empty.txt: line 1, column 1: the file is empty"]),
        ("only.csv", &["only.csv: there are no contacts in it"]),
        ("only.csv --end 10", &["only.csv: there are no contacts in this time of it"]),
        ("scan.dat --pad 0", &["no contacts in it. 1 contacts of no length", "See --pad."]),
        ("back.txt --format csv", &["back.txt: line 1, column ", "contacts as CSV"]),
        ("rwp30.movements.gz --activity nowhere.tcl", &["--activity: nowhere.tcl: cannot be read"]),
        ("rwp30.movements.gz --activity noise.txt", &["--activity: noise.txt: line 1, column 1"]),
    ] {
        place.refused(&format!("world inspect {line}"), parts);
    }
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let place = with(&["rwp30.movements.gz", "generated_rwp30_CONN.txt"]);
    place.write("when.tcl", sample("generated_grid_ns2activity.tcl"));
    let (moves, meets) = ("rwp30.movements.gz", "generated_rwp30_CONN.txt");
    for (line, parts) in [
        ("".to_owned(), &["<FILE> is missing: see `driftlock world inspect --help`"][..]),
        (format!("{moves} --range 0"), &["--range: the range is 0 m and should be more than 0"]),
        (format!("{moves} --range x"), &["--range: expected a number, found `x`"]),
        (format!("{moves} --range 9 --radio quasi:1..2"), &["--ra", "does not go with"]),
        (format!("{moves} --radio quasi"), &["--radio: expected a radio like unit-disk:250"]),
        (format!("{moves} --radio log-distance:x=1"), &["--radio: ", "there are: power, loss"]),
        (format!("{moves} --step 0"), &["--step: a step is from 1e-6 to 1e10 seconds, not 0"]),
        (format!("{moves} --end -5"), &["is over when it starts, at 0 s", "--end"]),
        (format!("{moves} --format fdc"), &["--format: there is no value `fdc`", "`fcd`?"]),
        (format!("{moves} --rang 9"), &["there is no flag `--rang`, did you mean `--range`?"]),
        (format!("{moves} --activity when.tcl"), &["--activity: it goes with ns-2 movement"]),
        (format!("{meets} --range 9"), &["--range: it goes with movement", "leave it out"]),
        (format!("{meets} --radio quasi:1..2"), &["--radio: it goes with", "ONE connectivity"]),
        (format!("{meets} --step 1"), &["--step: it goes with movement"]),
        (format!("{meets} --slot 5"), &["--slot: it goes with SocioPatterns contacts"]),
        (format!("{meets} --pad 5"), &["--pad: it goes with Haggle contacts"]),
        (format!("{meets} --mutual"), &["--mutual: it goes with Haggle contacts"]),
        (format!("{meets} --internal 5"), &["--internal: it goes with Haggle contacts"]),
        (format!("{moves} --degrees"), &["--degrees: it goes with SUMO FCD"]),
        (format!("{moves} --start 700"), &["it starts at 700 s, after its end at 600 s"]),
    ] {
        place.refused(&format!("world inspect {line}"), parts);
    }
    place.refused("world inspct", &["there is no command `inspct`, did you mean `inspect`?"]);
}

/// What Haggle, SocioPatterns and a part of the time are read with, as the library reads them.
#[test]
fn contacts_are_read_as_it_was_typed() {
    let place = with(&["workplace_InVS_tij.dat.zip"]);
    place.write("haggle.dat", "1 2 100 100 1 0\n2 1 110 150 1 0\n1 9 100 400 1 0\n");
    let told = |line: &str| place.fine(&format!("world inspect {line} --json")).json();
    let haggle = told("haggle.dat");
    assert_eq!((&haggle["n_nodes"], number(&haggle, "end")), (&3.into(), 520.0));
    let inner = told("haggle.dat --internal 8 --mutual --pad 20");
    // The first sees the second from 100 to 120, and is seen from 110 to 170.
    assert_eq!((&inner["n_nodes"], number(&inner, "link_seconds")), (&2.into(), 10.0));
    let whole = told("workplace_InVS_tij.dat.zip");
    let longer = told("workplace_InVS_tij.dat.zip --slot 40");
    assert!(number(&longer, "link_seconds") > number(&whole, "link_seconds") + 15.0);
    let day = told("workplace_InVS_tij.dat.zip --start 115200 --end 158400");
    assert_eq!((number(&day, "start"), number(&day, "end")), (115_200.0, 158_400.0));
    assert!(number(&day, "n_nodes") < 92.0 && number(&day, "n_nodes") > 40.0, "{}", day["n_nodes"]);
}
