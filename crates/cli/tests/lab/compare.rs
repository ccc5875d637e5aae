//! `driftlock compare`: the same bytes, the same worlds, and who cannot take part.

use serde_json::Value;

use crate::place::Place;

/// A comparison that takes no time worth mentioning.
const SMALL: &str = "compare rl rr krl --nodes 10 --connectivity 40 --mobility 0.1 --cold 100 \
                     --sweep load=0.01,0.1,1";

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let place = Place::new();
    let one = place.fine(&format!("{SMALL} --threads 1 --out one"));
    let several = place.fine(&format!("{SMALL} --threads 3 --out several"));
    assert_eq!(several.out.replace("several/", "one/"), one.out);
    let figures = ["waiting.svg", "messages.svg", "bytes.svg", "fairness.svg"];
    for name in ["results.md", "results.csv", "runs.csv"].into_iter().chain(figures) {
        let [a, b] = ["one", "several"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(a == b && !a.is_empty(), "{name}");
    }
    let ideal =
        "raymond: messages are routed along shortest paths, and finding these costs nothing";
    assert!(one.out.contains(ideal), "{}", one.out);
    let again = place.fine(one.after("seed 1  driftlock "));
    assert_eq!(again.out.replace("compared/", "one/"), one.out);
}

fn row<'j>(json: &'j Value, protocol: &str, value: &str) -> &'j Value {
    let mut rows = json["rows"].as_array().unwrap().iter();
    rows.find(|row| row["protocol"] == protocol && row["value"] == value).unwrap()
}

/// What is compared is what `sim` measures, seed by seed.
#[test]
fn values_and_differences_are_those_of_single_runs() {
    let place = Place::new();
    let json = place.fine(&format!("{SMALL} --json --reps 4 --seed 11")).json();
    let waits = |protocol: &str| -> Vec<f64> {
        let line = "--nodes 10 --connectivity 40 --mobility 0.1 --cold 100 --load 0.1";
        let told = place.fine(&format!("sim {protocol} {line} --reps 4 --seed 11 --json")).json();
        let runs = told["repetitions"].as_array().unwrap().iter();
        runs.map(|run| run["metrics"]["waiting"]["mean"].as_f64().unwrap()).collect()
    };
    let (rl, rr) = (waits("rl"), waits("rr"));
    let measured = &row(&json, "raymond", "0.1")["quantities"]["waiting_mean"];
    let near = |told: &Value, expected: f64| {
        let told = told["mean"].as_f64().unwrap();
        assert!((told - expected).abs() < 1e-9, "{told} and not {expected}");
    };
    near(&measured["value"], rr.iter().sum::<f64>() / 4.0);
    near(&measured["difference"], rr.iter().zip(&rl).map(|(b, a)| b - a).sum::<f64>() / 4.0);
    assert!(row(&json, "rl", "0.1")["quantities"]["waiting_mean"]["difference"].is_null());
    // A message of Raymond's algorithm is one byte.
    let quantities = &row(&json, "raymond", "1")["quantities"];
    let [messages, bytes] = ["messages_per_entry", "bytes_per_entry"].map(|key| &quantities[key]);
    assert_eq!(messages["value"], bytes["value"]);
}

#[test]
fn who_cannot_take_part_is_told_with_the_reason() {
    let place = Place::new();
    let world = "--nodes 10 --connectivity 50 --connected-by partitions --crash 3@10 --until 60";
    let done = place.fine(&format!("compare {world} --reps 2"));
    for part in [
        "refused: rl in 10 nodes: --connected-by: rl needs a network that does not fall",
        "refused: raymond in ",
        "vs rlp",
        "recovery: from the last scripted crash",
    ] {
        assert!(done.out.contains(part), "no `{part}` in {}", done.out);
    }
    let json = place.fine(&format!("compare {world} --reps 2 --json")).json();
    assert_eq!(row(&json, "rl", "1")["runs"], 0);
    let quantities = &row(&json, "krl", "1")["quantities"];
    assert!(quantities["recovery_next_entry"]["runs"].as_u64().unwrap() <= 2);
    place.refused("compare rl --motion waypoint", &["--motion", "geometric"]);
    place.refused("compare rl rr --connected-by partitions", &["nobody can take part", "rl needs"]);
}

/// Nodes that move on whatever medium a protocol has, alone or in groups: with all of them the
/// network stays in one piece.
#[test]
fn all_who_need_the_network_in_one_piece_move_together() {
    let place = Place::new();
    let all = ["rl", "raymond", "krl", "cluster", "ring"];
    for motion in ["waypoint", "convoy --group 4"] {
        let world = format!("--network geometric --nodes 20 --degree 5 --motion {motion}");
        let line = format!("compare rl rr krl cluster ring {world} --cold 100 --reps 2 --json");
        let json = place.fine(&format!("{line} --together")).json();
        for protocol in all {
            let row = row(&json, protocol, "1");
            assert_eq!((&row["runs"], &row["broken"]), (&2.into(), &0.into()), "{row}");
            assert!(row.get("refused").is_none(), "{row}");
        }
        let apart = place.fine(&line).json();
        let told = row(&apart, "rl", "1")["refused"].as_str().unwrap();
        assert!(told.starts_with("--motion: without motion.together (--together) "), "{told}");
    }
}

/// The worlds of all five papers are there, and those in which a bridge moves. All five protocols
/// run in each of them, and recover where there is something to recover from.
#[test]
fn five_papers_meet_in_all_their_worlds() {
    let place = Place::new();
    let json = place.fine("compare rl rr krl cluster ring --reps 1 --json").json();
    let rows = json["rows"].as_array().unwrap();
    let of = |world: &'static str| {
        rows.iter().filter(move |row| row["world"].as_str().unwrap().starts_with(world))
    };
    let papers = [
        ("WWV 2001", 2 * 12),
        ("WCM 2001", 2 * 12),
        ("Jiang", 8),
        ("AKW 2008", 12),
        ("SBS 2014", 12),
        ("A bridge moves", 8),
    ];
    for (world, cases) in papers {
        assert_eq!(of(world).count(), 5 * cases, "{world}");
        for row in of(world) {
            assert_eq!((&row["runs"], &row["broken"]), (&1.into(), &0.into()), "{row}");
            for recovery in ["recovery_next_entry", "recovery_backlog"] {
                let measured = &row["quantities"][recovery]["runs"];
                assert_eq!(measured, i32::from(world == "A bridge moves"), "{row}");
            }
        }
    }
    let moving = |world: &'static str, end: &str| {
        of(world).filter(|row| row["world"].as_str().unwrap().ends_with(end)).count()
    };
    assert_eq!((moving("SBS 2014", "8-40 m/s"), moving("AKW 2008", "moving")), (5 * 8, 5 * 4));
    // Faults are for those who live with them, and the others are told why not.
    for (world, able, what) in [
        ("Messages get lost", &["cluster"][..], "does not live with messages that get lost"),
        ("A node stops", &["krl", "cluster"], "does not live with nodes that stop; cluster does"),
    ] {
        assert_eq!(of(world).count(), 5 * 8, "{world}");
        for row in of(world) {
            match row.get("refused") {
                None => assert!(able.contains(&row["protocol"].as_str().unwrap()), "{row}"),
                Some(why) => assert!(why.as_str().unwrap().contains(what), "{row}"),
            }
            assert_eq!(row["runs"] == 1, row.get("refused").is_none(), "{row}");
        }
        let ran = of(world).filter(|row| row["runs"] == 1).count();
        assert_eq!(ran, able.len() * 8, "{world}");
    }
    // What is measured has a figure in every world, and what cannot be typed a file.
    for name in ["waiting", "messages", "bytes", "fairness"] {
        for world in ["wwv2001-20", "wcm2001-80", "jiang", "akw2008-one-lock", "sbs2014", "losses"]
        {
            assert!(place.path(&format!("compared/{name}-{world}.svg")).exists(), "{name} {world}");
        }
    }
    for name in ["next-entry-bridge.svg", "backlog-bridge.svg", "next-entry-crashes.svg"] {
        assert!(place.path(&format!("compared/{name}")).exists(), "{name}");
    }
    let again = place.fine("sim rl --scenario compared/bridge-2.toml --reps 1 --json").json();
    assert_eq!(again["scenario"]["script"].as_array().unwrap().len(), 20);
}

/// A loss counts from when the message was sent that got lost: whoever entered before then tells
/// nothing of recovery.
#[test]
fn recovery_from_a_loss_takes_as_long_as_service_stops() {
    let place = Place::new();
    let file = "protocol = 'cluster'\nnetwork = { shape = 'geometric', nodes = 16, degree = 5.0 }\n\
                requests = { rate = 0.05 }\nmeasure = { warmup = 0, until = 400 }\n\
                script = [{ at = 100.0, lose = 'Global' }]";
    place.write("lose.toml", file);
    let line = "compare --scenario lose.toml cluster rl ring --reps 2";
    let json = place.fine(&format!("{line} --json")).json();
    let quantities = &row(&json, "cluster", "0.05")["quantities"];
    let next = quantities["recovery_next_entry"]["value"]["mean"].as_f64().unwrap();
    assert!(next > 50.0, "{quantities}");
    let told = row(&json, "ring", "0.05")["refused"].as_str().unwrap();
    assert!(told.contains("ring does not live with messages that get lost"), "{told}");
    let out = place.fine(line).out;
    assert!(out.contains("from the last scripted crash, loss or link change until"), "{out}");
}

/// In terms of what was typed: flags, or keys of a file.
#[test]
fn who_does_not_live_with_nodes_that_stop_is_told_so() {
    let place = Place::new();
    let world = "--network grid --nodes 9 --until 100 --reps 1";
    let json = place.fine(&format!("compare rl rr krl cluster {world} --crash 3@20 --json")).json();
    for protocol in ["rl", "raymond"] {
        let told = row(&json, protocol, "1")["refused"].as_str().unwrap();
        let start = format!("--crash: {protocol} does not live with nodes that stop; cluster does");
        assert!(told.starts_with(&start), "{told}");
        assert!(told.ends_with("krla where --connected-by is `partitions`"), "{told}");
    }
    // Its links would change in another way if they changed: so it is only where they do not.
    assert_eq!(row(&json, "krl", "1")["runs"], 1);
    let line = format!("compare krl cluster {world} --mobility 0.01 --crash 3@20 --json");
    let json = place.fine(&line).json();
    let told = row(&json, "krl", "1")["refused"].as_str().unwrap();
    let lives = "--crash: krl lives with nodes that stop only where --connected-by is `partitions`";
    assert_eq!(told, lives);
    place.write("crash.toml", "script = [{ at = 20, crash = 3 }]");
    let line = "compare rl rr --scenario crash.toml";
    place.refused(
        line,
        &["crash.toml, line 1: script: rl does not", "link-changes.connected-by is"],
    );
}

/// Each is on its own medium, and who cannot lose a message is told so.
#[test]
fn messages_get_lost_for_those_who_live_with_it() {
    let place = Place::new();
    let world = "--nodes 10 --connectivity 60 --sweep loss=0,0.05 --cold 50 --reps 1";
    let json = place.fine(&format!("compare cluster rl {world} --json")).json();
    assert_eq!(row(&json, "cluster", "0.05")["runs"], 1);
    assert_eq!(row(&json, "rl", "0")["runs"], 1);
    let told = row(&json, "rl", "0.05")["refused"].as_str().unwrap().to_owned();
    assert!(told.contains("rl does not live with messages that get lost; cluster does"), "{told}");
    place.refused("compare rl rr --loss 0.1", &["nobody can take part", "--loss", "cluster does"]);
}

#[test]
fn different_promises_are_not_compared_without_saying_so() {
    let place = Place::new();
    let line = "compare rl lme2 --nodes 8 --connectivity 50 --cold 50 --reps 2";
    let out = place.fine(line).out;
    let told = "NOT THE SAME PROMISE, so no difference is given between them: lme2: no two \
                neighbors at once; rl: one at a time";
    assert!(out.contains(told), "{out}");
    let json = place.fine(&format!("{line} --json")).json();
    assert!(row(&json, "lme2", "1")["quantities"]["waiting_mean"]["difference"].is_null());
    let out = place.fine(&format!("{line} --mobility 0.1")).out;
    assert!(out.contains("refused: lme2 in 8 nodes, mobility 0.1: lme2 lives with"), "{out}");
}

#[test]
fn with_one_protocol_go_all_that_promise_the_same() {
    let place = Place::new();
    let protocols = |line: &str| -> Vec<String> {
        let json = place
            .fine(&format!("{line} --network ring --nodes 8 --cold 20 --reps 1 --json"))
            .json();
        let rows = json["rows"].as_array().unwrap().iter();
        rows.map(|row| row["protocol"].as_str().unwrap().to_owned()).collect()
    };
    let local = ["lme2:quiet", "lme1a", "lme1b", "choy-singh", "chandy-misra"];
    assert_eq!(protocols("compare lme2:quiet"), local);
    assert_eq!(protocols("compare --tokens 2"), ["krl", "krlf", "krla", "raymond-k"]);
    assert_eq!(protocols("compare --resources 2"), ["gme"]);
    let one = ["rl", "rlp", "krl", "krlf", "krla", "raymond", "raymond-k", "cluster", "ring"];
    assert_eq!(protocols("compare --load 1"), one);
    let protocols = protocols("compare --local");
    assert_eq!(protocols, ["lme1a", "lme1b", "lme2", "choy-singh", "chandy-misra"]);
}

#[test]
fn a_broken_promise_is_kept_and_its_run_left_out() {
    let place = Place::new();
    let world = "--network ring --nodes 4 --mobility 0.3 --link-changes toggle --reps 3";
    let done = place.run(&format!("compare rl rl:published {world}"));
    assert_eq!(done.code, Some(1), "{done:?}");
    let told = "rl:published at load 1 in 4 nodes, mobility 0.3: a promise was broken in ";
    assert!(done.out.contains(told), "{}", done.out);
    assert!(done.err.contains("replay: driftlock sim rl --variant published"), "{}", done.err);
    assert_eq!(place.names(), ["compared", "violation-rl-seed1.dlj"]);
}

#[test]
fn bad_input_is_refused_and_leaves_no_folder() {
    let place = Place::new();
    for (line, parts) in [
        ("compare rll", &["there is no protocol `rll`", "did you mean `rl`?"][..]),
        ("compare rl:x", &["there is no variant of rl `x`"]),
        ("compare rl rl:repaired", &["rl is named twice"]),
        ("compare rl rr --variant published", &["--variant", "like rl:published"]),
        ("compare rl --sweep loud=1", &["--sweep: there is no flag `--loud`", "`--load`"]),
        ("compare rl --sweep load=x", &["--sweep: --load: expected a number"]),
        ("compare rl --sweep load=-1", &["--load: a rate is 0 or a number"]),
        ("compare rl --sweep seed=1,2", &["--sweep: seed is no part of the world"]),
        ("compare rl --sweep load", &["--sweep: expected a flag and its values"]),
        ("compare rl --local", &["does not go with"]),
        ("compare rl --reps 0", &["--reps", "from 1 to 1000"]),
        ("compare rl --scenario none.toml", &["none.toml"]),
        ("compare rl --edges none.txt", &["none.txt"]),
    ] {
        place.refused(line, parts);
    }
    place.write("taken", "");
    place.refused("compare rl --cold 10 --out taken", &["--out: cannot make the folder taken"]);
}

#[test]
fn a_scenario_file_names_the_first() {
    let place = Place::new();
    let file = "protocol = 'krl'\nnetwork = { shape = 'ring', nodes = 5 }\n\
                link-changes = { model = 'scripted' }\nmeasure = { until = 60 }\n\
                script = [{ at = 20, down = [0, 1] }, { at = 30, up = [0, 1] }]";
    place.write("run.toml", file);
    let json = place.fine("compare --scenario run.toml --reps 2 --json").json();
    assert_eq!(json["compared_with"], "krl");
    let recovery = &row(&json, "rl", "1")["quantities"]["recovery_next_entry"];
    assert_eq!(recovery["runs"], 2);
    assert!(recovery["value"]["mean"].as_f64().unwrap() < 10.0);
}
