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
