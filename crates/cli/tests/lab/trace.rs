//! Runs on files of movement and contacts: `--trace`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::place::Place;

/// A folder with these samples.
fn with(names: &[&str]) -> Place {
    let (place, folder) = (Place::new(), "../traces/tests/samples");
    for name in names {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
        place.write(name, fs::read(path).unwrap());
    }
    place
}

fn metrics(json: &Value) -> &Value {
    &json["repetitions"][0]["metrics"]
}

/// A line with everything that has to be said, and what it prints to run it again.
#[test]
fn the_line_that_is_printed_runs_the_same() {
    let files = ["rwp30.movements.gz", "generated_grid_fcd.xml", "workplace_InVS_tij.dat.zip"];
    let place = with(&files);
    for line in [
        "sim krl -k 2 --trace rwp30.movements.gz --range 200 --load 0.01 --start 50",
        "sim rl --trace rwp30.movements.gz --radio quasi:220..260 --load 0.01 --unit 0.5",
        "sim ring --trace generated_grid_fcd.xml --range 100 --load 0.1",
        "sim raymond --trace generated_grid_fcd.xml --step 1 --load 0.1 --until 50",
        "sim lme2 --trace workplace_InVS_tij.dat.zip --unit 20 --start 115200 --end 158400",
        "sim rlp --trace rwp30.movements.gz --together --load 0.05 --cold 30",
    ] {
        let first = place.run(&format!("{line} --reps 2"));
        assert_eq!(first.code, Some(0), "{line}: {first:?}");
        assert!(first.out.contains("all promises held"), "{line}: {}", first.out);
        let again = place.run(first.after("replay: driftlock"));
        assert_eq!((again.out, again.err), (first.out, first.err), "{line}");
    }
}

/// Who needs one piece is told for how long there is none; who does not is told nothing.
#[test]
fn a_trace_in_parts_is_warned_of() {
    let place = with(&["rwp30.movements.gz"]);
    let line = "--trace rwp30.movements.gz --range 250 --load 0.05 --reps 1";
    let done = place.run(&format!("sim rl {line}"));
    let warning = "warning: rl needs a network in one piece, and rwp30.movements.gz (range 250 m) \
                   is in parts for 38.45 % of its time: links that hold it together are held up\n";
    assert_eq!((done.code, &*done.err), (Some(0), warning));
    assert!(done.out.contains("links held up"), "{}", done.out);
    let json = place.run(&format!("sim rl {line} --json")).json();
    assert!(json["warnings"][0].as_str().unwrap().contains("38.45 %"), "{json}");
    let share = metrics(&json)["held_up"].as_f64().unwrap();
    assert!(share > 0.0 && share < 0.1, "{share}");
    let json = place.fine(&format!("sim krl {line} --json")).json();
    assert_eq!(json["warnings"], Value::Array(Vec::new()));
    assert_eq!(json["scenario"]["link-changes"]["connected-by"], "partitions");
    assert_eq!(metrics(&json)["time"], 600.0);
    let together = place.run(&format!("sim krl {line} --together --json"));
    assert!(together.err.contains("38.45 %"), "{}", together.err);
    place.write("apart.csv", "start,end,a,b\n0,10,a,b\n5,30,b,c\n8,20,x,y\n");
    let done = place.run("sim rl --trace apart.csv --reps 1");
    let left = "no link of apart.csv ever joins these nodes to most of the others, so they are \
                left out: x, y";
    assert!(done.code == Some(0) && done.err.contains(left), "{done:?}");
}

/// Three vehicles, those who are there always in one piece: two stay, and the third is there for 30
/// of 100 seconds.
fn coming_and_going() -> String {
    let vehicle = |id: &str, x: u32| format!("<vehicle id=\"{id}\" x=\"{x}\" y=\"0\"/>");
    let step = |t: u32| {
        let last = if (20..50).contains(&t) { vehicle("c", 140) } else { String::new() };
        let (a, b) = (vehicle("a", 0), vehicle("b", 50));
        format!("<timestep time=\"{t}\">{a}{b}{last}</timestep>")
    };
    format!("<fcd-export>{}</fcd-export>", (0..=100).map(step).collect::<String>())
}

/// Nodes that come and go are held by their last link though all who are there are in one piece.
#[test]
fn absent_nodes_that_pass_messages_on_are_warned_of() {
    let place = Place::new();
    place.write("fcd.xml", coming_and_going());
    let line = "--trace fcd.xml --range 100 --load 0.1 --reps 1";
    let done = place.run(&format!("sim rl {line}"));
    let warning = "warning: rl needs a network in one piece, and nodes of fcd.xml (range 100 m) \
                   are absent for 23.33 % of the time: they pass messages on all the same, by \
                   links that are held up, 1 of them from the start\n";
    assert_eq!((done.code, &*done.err), (Some(0), warning));
    assert!(done.out.contains("links held up"), "{}", done.out);
    let apart = place.fine(&format!("sim krl {line}"));
    assert!(!apart.out.contains("links held up"), "{}", apart.out);
    let hint = place.fine("world inspect fcd.xml --range 100").out;
    for part in [
        "in one piece all the time.\nNodes are absent for 23.33 % of the time.\n",
        "`driftlock sim` holds it together for rl, raymond, raymond-k, gme, ring, cluster,\n\
         and absent nodes pass messages on all the same.\n",
    ] {
        assert!(hint.contains(part), "{hint}");
    }
    place.write(
        "grid.toml",
        "[scenario]\ntrace = { file = 'fcd.xml', range = 100 }\n\
        [grid]\nprotocol = ['rl', 'ring', 'krl']\n",
    );
    let done = place.run("sweep grid.toml --json");
    let told = done.json()["warnings"][0].as_str().unwrap().to_owned();
    assert!(
        told.starts_with("ring, rl need a network in one piece, and nodes of fcd.xml"),
        "{told}"
    );
    assert!(told.contains("absent for 23.33 % of the time"), "{told}");
}

#[test]
fn journals_of_runs_on_traces_are_verified() {
    let place = with(&["rwp30.movements.gz", "workplace_InVS_tij.dat.zip"]);
    let day = "--trace workplace_InVS_tij.dat.zip --unit 20 --start 115200 --end 158400";
    for line in [
        "rl --trace rwp30.movements.gz --load 0.1",
        "krl --trace rwp30.movements.gz --load 0.1",
        &format!("krl {day}"),
        &format!("ring {day}"),
        &format!("lme2 {day}"),
    ] {
        let done = place.run(&format!("sim {line} --journal run.dlj"));
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        place.fine("replay run.dlj");
    }
    let line = "sim rl --trace rwp30.movements.gz --journal rwp30.movements.gz";
    place.refused(line, &["--journal: rwp30.movements.gz is read, and would be replaced"]);
}

#[test]
fn a_scenario_file_has_a_trace_too() {
    let place = with(&["rwp30.movements.gz"]);
    place.write(
        "run.toml",
        "protocol = 'krl'\nrequests = { rate = 0.05 }\n\
         trace = { file = 'rwp30.movements.gz', radio = 'unit-disk:250' }\n",
    );
    let file = place.fine("sim --scenario run.toml --json --reps 1").json();
    let typed = "sim krl --trace rwp30.movements.gz --range 250 --load 0.05 --json --reps 1";
    let typed = place.fine(typed).json();
    assert_eq!(metrics(&file), metrics(&typed));
    let wider = place.fine("sim --scenario run.toml --range 300 --json --reps 1").json();
    assert_eq!(wider["scenario"]["trace"]["range"], 300.0);
    assert_ne!(metrics(&file), metrics(&wider));
    place.write("both.toml", "trace = { file = 'a' }\n[network]\nnodes = 7\n");
    place.refused(
        "sim rl --scenario both.toml",
        &["both.toml, line 2: network: ", "give either `trace` or `network`, not both"],
    );
}

#[test]
fn what_does_not_go_with_a_trace_is_refused() {
    let place = with(&["rwp30.movements.gz", "generated_rwp30_CONN.txt"]);
    let (moves, meets) = ("--trace rwp30.movements.gz", "--trace generated_rwp30_CONN.txt");
    for (line, parts) in [
        (format!("rl {moves} --nodes 9"), &["--trace does not go with --nodes"][..]),
        (format!("rl {moves} --mobility 1"), &["--trace does not go with --mobility"]),
        (format!("rl {moves} --motion waypoint"), &["--trace: ", "either `trace` or `motion`"]),
        (format!("rl {moves} --radio disk"), &["--radio: expected a radio like unit-disk:250"]),
        (format!("rl {moves} --until 601"), &["--until: the trace is over after 600 units"]),
        (format!("rl {moves} --connected-by partitions"), &["--connected-by: rl needs a network"]),
        (format!("lme2 {moves} --together"), &["--together: lme2 takes a network as it is"]),
        (format!("choy-singh {moves}"), &["--trace: choy-singh does not see links change"]),
        (format!("raymond {moves} --medium links"), &["--medium: raymond does not see links"]),
        (format!("krl {moves} --unit 0"), &["--unit: a unit is from 1e-6 to 1e6 seconds, not 0"]),
        (format!("krl {moves} --range 0"), &["--range: the range is 0 m"]),
        (format!("krl {meets} --range 9"), &["--range: it goes with movement"]),
        (format!("krl {moves} --crash 30@5"), &["--crash: there is no node 30"]),
        ("krl --trace nowhere.gz".into(), &["--trace: nowhere.gz: cannot be read"]),
        ("krl --unit 5".into(), &["--trace: a trace needs the path of a file"]),
        (format!("krl {moves} --campaign"), &["--campaign: its worlds are drawn"]),
    ] {
        place.refused(&format!("sim {line}"), parts);
    }
}

/// A sweep says for each trace and range who needs what it is not, and who is in another world.
#[test]
fn a_sweep_warns_of_traces_that_fall_apart() {
    let place = with(&["rwp30.movements.gz"]);
    let text = r#"
        [scenario]
        trace = { file = "rwp30.movements.gz", range = 250 }
        measure = { until = 50 }
        [grid]
        protocol = ["rl", "raymond", "krl"]
        "trace.range" = [100, 250]
    "#;
    place.write("worlds.toml", text);
    let done = place.run("sweep worlds.toml --json");
    assert_eq!(done.code, Some(0), "{done:?}");
    let warnings = done.json()["warnings"].clone();
    let all: Vec<&str> = warnings.as_array().unwrap().iter().filter_map(|w| w.as_str()).collect();
    let one = "raymond, rl need a network in one piece, and rwp30.movements.gz (range 250 m) is in \
               parts for 38.45 % of its time";
    assert!(all.iter().any(|warning| warning.starts_with(one)), "{all:?}");
    assert!(all.iter().any(|warning| warning.contains("(range 100 m)")), "{all:?}");
    assert!(all.last().unwrap().contains("left as it is in runs of krl"), "{all:?}");
    assert!(all.iter().all(|warning| done.err.contains(&format!("warning: {warning}"))));
    place.fine("report worlds");
    let page = String::from_utf8(place.read("worlds/report.html")).unwrap();
    assert!(page.contains("38.45 % of its time"));
}

/// One world for all: as it is if all live with it, else in one piece.
#[test]
fn all_are_compared_on_one_trace() {
    let place = with(&["rwp30.movements.gz"]);
    let line = "--trace rwp30.movements.gz --range 250 --sweep load=0.01,0.05 --reps 2";
    let done = place.run(&format!("compare {line} --json"));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.starts_with("warning: some need a network in one piece"), "{}", done.err);
    let json = done.json();
    assert!(json["warnings"][0].as_str().unwrap().contains("38.45 %"), "{json}");
    let rows = json["rows"].as_array().unwrap();
    assert!(rows.len() >= 16, "{}", rows.len());
    for row in rows {
        assert_eq!(row["runs"], 2, "{row}");
        assert_eq!(row["held_up"], rows[0]["held_up"], "{row}");
    }
    let page = String::from_utf8(place.read("compared/results.md")).unwrap();
    assert!(page.contains("WARNING: some need a network in one piece"), "{page}");
    assert!(page.contains("links were held up for 0.41"), "{page}");
    let apart = place.fine(&format!("compare rlp krl krla {line}")).out;
    assert!(!apart.contains("WARNING") && !apart.contains("held up"), "{apart}");
    let together = place.run(&format!("compare rlp krl krla {line} --together"));
    assert!(together.err.contains("38.45 %") && together.out.contains("held up for"));
}
