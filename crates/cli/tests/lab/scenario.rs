//! Scenario files, scripts and edge lists.

use crate::place::Place;

#[test]
fn a_file_says_the_same_as_its_flags() {
    let place = Place::new();
    place.write(
        "run.toml",
        "protocol = 'rl'\nseed = 3\ndelay = 'uniform:0.5..1.5'\n\
         network = { shape = 'grid', nodes = 9 }\nrequests = { rate = 0.5, nodes = [0, 4] }\n\
         link-changes = { model = 'toggle', rate = 0.1 }\nmeasure = { warmup = 5, entries = 60 }\n",
    );
    let typed = "sim rl --seed 3 --delay uniform:0.5..1.5 --network grid --nodes 9 --load 0.5 \
                 --requesters 0,4 --mobility 0.1 --link-changes toggle --warmup 5 --entries 60";
    assert_eq!(place.fine("sim --scenario run.toml").out, place.fine(typed).out);
}

#[test]
fn flags_override_the_file() {
    let place = Place::new();
    place.write(
        "run.toml",
        "protocol = 'rl'\nseed = 3\nnetwork = { shape = 'ring', nodes = 9 }\n\
         measure = { warmup = 5, entries = 60 }\n",
    );
    let line = "sim raymond --scenario run.toml --seed 8 --nodes 5 --cold 11 --reps 2 --json";
    let json = place.fine(line).json();
    let scenario = &json["scenario"];
    assert_eq!(scenario["protocol"], "raymond");
    assert_eq!(
        (scenario["seed"].as_u64(), scenario["network"]["nodes"].as_u64()),
        (Some(8), Some(5))
    );
    assert_eq!(scenario["network"]["shape"], "ring");
    assert_eq!(json["repetitions"][1]["metrics"]["entries"], 11);
}

const SCRIPT: &str = "protocol = 'rl'
network = { shape = 'line', nodes = 3 }
requests = { rate = 0 }
link-changes = { model = 'scripted' }
script = [
  { at = 4, up = [0, 2] },
  { at = 9, down = [1, 0] },
  { at = 20.5, request = 1 },
]
";

#[test]
fn a_script_is_followed_to_the_letter() {
    let place = Place::new();
    place.write("script.toml", SCRIPT);
    place.fine("sim --scenario script.toml --journal run.dlj");
    let shown = place.fine("replay run.dlj --print").out;
    let inputs = [
        "     4.000  n0 LinkUp n2",
        "     4.000  n2 LinkUp n0",
        "     9.000  n0 LinkDown n1",
        "     9.000  n1 LinkDown n0",
        "    20.500  n1 RequestCs",
    ];
    for input in inputs {
        assert!(shown.contains(input), "no `{input}` in {shown}");
    }
    assert!(shown.contains("n1 EnterCs"), "{shown}");
}

/// A script cannot be typed, so the printed line names its file, and what was typed besides.
#[test]
fn the_printed_line_of_a_script_has_the_file_and_the_flags() {
    let place = Place::new();
    place.write("script.toml", SCRIPT);
    let first = place.fine("sim --scenario script.toml --nodes 3 --delay 2 --seed 4 --reps 1");
    let printed = first.after("replay: driftlock ");
    assert_eq!(printed, "sim --scenario script.toml --delay 2 --seed 4 --reps 1");
    assert_eq!(place.fine(printed).out, first.out);
}

#[test]
fn an_edge_list_is_the_network_it_lists() {
    let place = Place::new();
    place.write("ring.txt", "# a ring\r\n0\t1\r\n\r\n 2 1 # twice\n1 2\n3 2\n0 3\n");
    let listed = place.fine("sim rl --edges ring.txt --cold 50 --json").json();
    let drawn = place.fine("sim rl --network ring --nodes 4 --cold 50 --json").json();
    assert_eq!(listed["repetitions"], drawn["repetitions"]);
    let said = place.fine("sim rl --edges ring.txt --cold 50");
    assert!(said.out.contains("network=ring.txt"), "{}", said.out);
    assert_eq!(place.fine(said.after("replay: driftlock ")).out, said.out);
}

#[test]
fn files_with_odd_names_are_read_and_named_in_quotes() {
    let place = Place::new();
    place.write("my run's é.toml", SCRIPT);
    let done = place.run_words(["sim", "--scenario", "my run's é.toml", "--reps", "1"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let printed = done.after("replay: ");
    assert!(printed.starts_with(r"driftlock sim --scenario 'my run'\''s é.toml' "), "{printed}");
}

const MOVING: &str = "protocol = 'lme2'
network = { shape = 'geometric', nodes = 20, degree = 5, area = 10 }
motion = { model = 'convoy', speed = 'uniform:0.2..1', pause = 2, group = 4 }
measure = { warmup = 0, entries = 200 }
script = [{ at = 9, crash = 3, once = 'inside' }]
";

#[test]
fn a_crowd_that_moves_and_loses_a_node_is_measured_and_replays() {
    let place = Place::new();
    place.write("crowd.toml", MOVING);
    let told = place.fine("sim --scenario crowd.toml --reps 3");
    for part in ["motion=convoy", "standing still, mean", "sent back", "starving", "crashed"] {
        assert!(told.out.contains(part), "no `{part}` in {}", told.out);
    }
    let again = told.after("replay: driftlock ");
    assert_eq!(place.fine(again).out, told.out);
    let typed = "sim lme2 --network geometric --nodes 20 --degree 5 --area 10 --motion convoy \
                 --speed uniform:0.2..1 --pause 2 --group 4 --cold 200 --crash 3@9:inside --json";
    let json = place.fine(typed).json();
    assert_eq!(json["summary"]["crashed"]["mean"], 1.0);
    let metrics = &json["repetitions"][0]["metrics"];
    assert!(metrics["still"]["entries"].as_u64() <= metrics["entries"].as_u64());
    assert!(metrics["demotions"].is_u64() && metrics["starving"].is_u64());
    place.fine("sim --scenario crowd.toml --journal run.dlj");
    assert!(place.fine("replay run.dlj --print").out.contains("n3 crashes"));
}

#[test]
fn one_end_of_a_new_link_moves() {
    let place = Place::new();
    let script = |moving: &str| {
        format!(
            "protocol = 'lme2'\nnetwork = {{ shape = 'line', nodes = 3 }}\n\
             link-changes = {{ model = 'scripted' }}\nmeasure = {{ entries = 20 }}\n\
             script = [{{ at = 4, up = [0, 2]{moving} }}]\n"
        )
    };
    for (moving, parts) in [
        (", moving = 1", &["script", "node 1 has not moved", "between 0 and 2"][..]),
        (", moving = [0, 2]", &["of a new link one end moves"]),
        (", moving = -1", &["no node -1"]),
        (", once = 'inside'", &["`once` says when a node is to `crash`"]),
    ] {
        place.write("run.toml", script(moving));
        place.refused("sim --scenario run.toml", parts);
    }
    for (moving, end) in [("", "n2"), (", moving = 0", "n0"), (", moving = 2", "n2")] {
        place.write("run.toml", script(moving));
        place.fine("sim --scenario run.toml --journal run.dlj");
        let shown = place.fine("replay run.dlj --print").out;
        let line = shown.lines().find(|line| line.contains("LinkUp") && line.contains("oving"));
        assert!(line.unwrap().contains(&format!("{end} LinkUp")), "{shown}");
    }
}
