//! `driftlock check`: what is proved, what is broken, what is too large.

use crate::place::{Done, Place};

/// The network on which the published text of RL breaks its promises.
const BROKEN: &str = "check rl --variant published --nodes 3 --topology line --link-changes 2";

/// All promises, where nothing is lost and nothing falls apart.
const ALL: &str = "held: mutual exclusion, entry only on request, token conservation, every step \
                   is defined, no starvation, silence when nothing is wanted, everyone can get in";

/// How many states were explored, as told to people.
fn states(done: &Done) -> u64 {
    let explored = done.after("explored ").split(' ').next().unwrap();
    explored.replace(',', "").parse().unwrap()
}

/// A line in which a promise is broken: what is said after `VIOLATED`.
fn violated(place: &Place, line: &str) -> String {
    let done = place.run(line);
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{line}: {done:?}");
    assert!(!done.out.contains("held"), "{line}: {}", done.out);
    done.after("VIOLATED ").to_owned()
}

/// A line in which all promises hold, with nothing cut off: how many states there are.
fn held(place: &Place, line: &str) -> u64 {
    let done = place.fine(line);
    assert!(done.out.contains("\nnothing was cut off\nheld: "), "{line}: {}", done.out);
    states(&done)
}

#[test]
fn a_network_that_holds_is_told_with_what_was_explored_and_what_is_proved() {
    let place = Place::new();
    let done = place.fine("check rl --nodes 3 --link-changes 1");
    let lines: Vec<&str> = done.out.lines().collect();
    let [title, explored, "nothing was cut off", promises] = lines[..] else {
        panic!("{}", done.out);
    };
    let subject = "check rl repaired, 3 nodes: 0-1 0-2 1-2, requests 1 each, 1 link change";
    assert!(title.ends_with(subject), "{title}");
    assert!(explored.contains(" steps between them, 25 deep, in "), "{explored}");
    assert!(states(&done) > 4000, "{explored}");
    assert_eq!(promises, ALL);
    assert!(place.names().is_empty());
}

#[test]
fn json_has_the_network_and_what_was_explored() {
    let place = Place::new();
    let line = "check rl --links 0-1,1-2 --requests 1,0,2";
    let json = place.fine(&format!("{line} --json")).json();
    assert_eq!((&json["protocol"], &json["variant"]), (&"rl".into(), &"repaired".into()));
    assert_eq!(json["links"], serde_json::json!([[0, 1], [1, 2]]));
    assert_eq!(json["requests"], serde_json::json!([1, 0, 2]));
    assert_eq!((&json["complete"], &json["held"]), (&true.into(), &true.into()));
    assert_eq!((&json["nodes"], &json["cut"]), (&3.into(), &0.into()));
    assert!(json["violation"].is_null());
    assert!(json["edges"].as_u64() > json["states"].as_u64());
    assert!(json["depth"].as_u64().unwrap() > 10);
    assert_eq!(json["states"].as_u64().unwrap(), held(&place, line));
}

#[test]
fn the_number_of_threads_changes_not_a_byte() {
    let place = Place::new();
    for line in ["check rl --nodes 3 --topology line", "check raymond --nodes 4", BROKEN] {
        for form in ["", " --json"] {
            let run = |threads| place.run(&format!("{line}{form} --threads {threads}")).out;
            assert_eq!(run(1), run(2), "{line}{form}");
        }
    }
}

#[test]
fn a_broken_promise_is_told_as_a_story_and_can_be_replayed() {
    let place = Place::new();
    let done = place.run(BROKEN);
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{done:?}");
    let (_, story) = done.out.split_once("\nVIOLATED in 2 actions ").unwrap();
    for part in [
        "(every step is defined): n2 has nothing to go by in RaiseHeight, line 1",
        "\n   1 the link n0-n2 comes up\n     n0 LinkUp n2",
        " formation of a link, line 1\n",
        "\n   2 the link n1-n2 goes down\n     n1 LinkDown n2\n     n2 LinkDown n1\n",
        "has nothing to go by: RaiseHeight, line 1: the minimum of h1 where N is empty\njournal: ",
    ] {
        assert!(story.contains(part), "no `{part}` in {story}");
    }
    assert_eq!(done.after("journal:"), "counterexample-rl-published.dlj");
    assert_eq!(place.names(), ["counterexample-rl-published.dlj"]);
    let replay = done.after("replay:  driftlock").to_owned();
    let replayed = place.run(&replay);
    assert_eq!(replayed.code, Some(1), "{replayed:?}");
    assert!(replayed.out.contains("promise broken in step 4 (every step is defined): n2 has "));
    let again = place.run(done.after("again:   driftlock"));
    assert_eq!(again.out, done.out);
}

#[test]
fn if_undefined_steps_are_skipped_someone_starves() {
    let place = Place::new();
    let line = format!("{BROKEN} --undefined skip --journal starved.dlj");
    let what = violated(&place, &line);
    assert_eq!(what, "in 5 actions (no starvation): n2 waits for ever, nothing is in transit");
    assert_eq!(place.names(), ["starved.dlj"]);
    let replayed = place.run("replay starved.dlj");
    assert_eq!(replayed.code, Some(1), "{replayed:?}");
    assert!(replayed.out.contains("(no starvation): n2 waits for ever"), "{}", replayed.out);
}

#[test]
fn json_has_the_steps_of_a_broken_promise_and_its_journal() {
    let place = Place::new();
    let done = place.run(&format!("{BROKEN} --json --journal here.dlj"));
    assert_eq!((done.code, done.err.as_str()), (Some(1), ""), "{done:?}");
    let json = done.json();
    assert_eq!((&json["complete"], &json["held"]), (&false.into(), &false.into()));
    let violation = &json["violation"];
    assert_eq!(violation["promise"], "every step is defined");
    assert_eq!((&violation["actions"], &violation["journal"]), (&2.into(), &"here.dlj".into()));
    assert!(violation["cycle_from"].is_null());
    let steps = violation["steps"].as_array().unwrap();
    assert_eq!(steps[0], "   1 the link n0-n2 comes up");
    assert!(steps.last().unwrap().as_str().unwrap().contains("RaiseHeight, line 1"));
    assert_eq!(place.run("replay here.dlj").code, Some(1));
}

/// The paper connects the network by all links; if both ends have to know them, its text is fine.
#[test]
fn the_published_text_holds_on_links_that_both_ends_know() {
    let place = Place::new();
    held(&place, &format!("{BROKEN} --connectivity known"));
    assert!(place.names().is_empty());
}

#[test]
fn the_network_is_the_one_that_was_asked_for() {
    let place = Place::new();
    for (flags, network) in [
        ("--nodes 4 --topology line", "4 nodes: 0-1 1-2 2-3, routed"),
        ("--nodes 4 --topology ring", "4 nodes: 0-1 0-3 1-2 2-3, routed"),
        ("--nodes 4 --topology star", "4 nodes: 0-1 0-2 0-3, routed"),
        ("--nodes 3 --topology clique", "3 nodes: 0-1 0-2 1-2, routed"),
        ("--links 2-1,0-1,1-2", "3 nodes: 0-1 1-2, routed"),
        ("--nodes 2 --medium links", "2 nodes: 0-1,"),
        ("--links 0-1,1-2,1-3 --requests 2,1,1,2", "1-3, routed, requests 2,1,1,2\n"),
        ("--requests 2", "requests 2 each\n"),
        ("--requests 0,0,1", "requests 0,0,1\n"),
    ] {
        let done = place.fine(&format!("check raymond {flags}"));
        assert!(done.out.contains(network), "{flags}: {}", done.out);
        assert!(done.out.ends_with(&format!("{ALL}\n")), "{flags}: {}", done.out);
    }
}

#[test]
fn the_more_may_happen_the_more_states_there_are() {
    let place = Place::new();
    assert_eq!(held(&place, "check rl --requests 0 --link-changes 0"), 1);
    let counts = [
        "--requests 0 --link-changes 1",
        "--requests 0,0,1",
        "--requests 1",
        "--requests 1 --resources 2",
        "--requests 1,1,2 --resources 2",
    ];
    let counts = counts.map(|flags| held(&place, &format!("check gme {flags}")));
    assert!(counts.is_sorted_by(|fewer, more| fewer < more), "{counts:?}");
}

/// On a tree of links, messages need no routing: it is the same run by run.
#[test]
fn raymond_is_the_same_over_the_links_of_a_tree() {
    let place = Place::new();
    let tree = "check raymond --links 0-1,1-2,1-3 --requests 2,1,1,1";
    let routed = held(&place, tree);
    assert_eq!(held(&place, &format!("{tree} --medium links")), routed);
    assert_eq!(held(&place, &tree.replace("raymond", "rr")), routed);
}

/// Who waits where there is no token is owed nothing, and knows it.
#[test]
fn a_network_that_falls_apart_is_judged_part_by_part() {
    let place = Place::new();
    for (line, silent) in [
        ("check rlp --topology line", true),
        ("check krl -k 2 --topology line", true),
        ("check krla -k 2 --topology line --requests 0,0,1", true),
        ("check krlf -k 2 --links 0-1", false),
    ] {
        let done = place.fine(&format!("{line} --connectivity partitions"));
        for part in [
            ": mutual exclusion, entry only on request, token conservation, every step is defined",
            ", for whoever has a token in their part: no starvation\n",
            ", once nothing happens any more: a token out of reach is reported\n",
        ] {
            assert!(done.out.contains(part), "{line}: no `{part}` in {}", done.out);
        }
        assert_eq!(done.out.contains("silence when nothing"), silent, "{line}: {}", done.out);
    }
    let done = place.fine("check rlp --nodes 2 --crashes 1 --connectivity partitions");
    assert!(done.out.contains(", 1 crashed node, partitions, progress despite faults\n"));
    assert!(done.out.contains("\nheld, before anything is lost, doubled or stopped: token cons"));
}

/// Heights that nobody holds down climb for ever, so something has to be cut off.
#[test]
fn a_bound_on_heights_is_told_with_what_lies_behind_it() {
    let place = Place::new();
    let line = "check rl --topology line --link-changes 3";
    let done = place.fine(line);
    let (_, proved) = done.out.split_once("\ncut off: ").unwrap();
    for part in [
        " steps to states with heights more than 12 apart (--spread)\n",
        "\nheld up to there: mutual exclusion, ",
    ] {
        assert!(proved.contains(part), "no `{part}` in {proved}");
    }
    let json = place.fine(&format!("{line} --spread 5 --json")).json();
    assert!(json["states"].as_u64().unwrap() < states(&done));
    assert!(json["cut"].as_u64().unwrap() > 0);
    assert_eq!(json["spread"], 5);
}

/// Sessions without a bound are told; a protocol with groups promises more.
#[test]
fn groups_are_judged_by_weights_and_by_who_gets_in_together() {
    let place = Place::new();
    for (flags, told) in [
        ("", ", 2 resources\n"),
        (" --session 2", ", 2 resources, sessions of 2\n"),
        (" --session off", ", 2 resources, sessions of any length\n"),
    ] {
        let done = place.fine(&format!("check gme --resources 2{flags}"));
        assert!(done.out.contains(told), "{}", done.out);
        for part in ["weight conservation", "concurrent entering"] {
            assert!(done.out.contains(part), "no `{part}` in {}", done.out);
        }
    }
}

/// The token is on the link that goes down. RL was promised that this does not happen.
#[test]
fn with_lossy_links_the_token_gets_lost_and_heights_rise_for_ever() {
    let place = Place::new();
    let done = place.run("check rl --lossy-links");
    assert_eq!(done.code, Some(1), "{done:?}");
    let (_, story) = done.out.split_once("\nVIOLATED after ").unwrap();
    for part in ["(no starvation): ", " -> n1 Token", "goes down", "it goes round for ever:\n"] {
        assert!(story.contains(part), "no `{part}` in {story}");
    }
    let replayed = place.run(done.after("replay:  driftlock"));
    assert_eq!(replayed.code, Some(1), "{replayed:?}");
    assert!(replayed.out.contains("(no starvation)"), "{}", replayed.out);
    let json = place.run("check rl --lossy-links --json").json();
    assert!(json["violation"]["cycle_from"].as_u64() < json["violation"]["actions"].as_u64());
    // In a line no link can be spared, so none goes down.
    held(&place, "check rl --topology line --lossy-links");
}

/// The token is on the link that goes down, and comes back. The published text does not know what
/// to do with it then.
#[test]
fn over_settled_links_the_token_comes_back() {
    let place = Place::new();
    for line in ["check rl", "check rlp --topology line --connectivity partitions", "check lme2"] {
        let done = place.fine(&format!("{line} --settled-links --requests 1,1,0"));
        assert!(done.out.contains("settled links"), "{}", done.out);
    }
    let done = place.run("check rl --variant published --settled-links");
    let story = done.out.split_once("\nVIOLATED in ").unwrap().1;
    for part in ["(every step is defined): ", "Returned Token", "a token that comes back"] {
        assert!(story.contains(part), "no `{part}` in {story}");
    }
    let replayed = place.run(done.after("replay:  driftlock"));
    assert_eq!(replayed.code, Some(1), "{replayed:?}");
    place.refused("check rl --settled-links --crashes 1", &["--settled-links: ", "nobody stops"]);
    place.refused("check rl --settled-links --lossy-links", &["--lossy-links"]);
}

/// Nodes are killed and wake up with what they had; what is not written down cannot.
#[test]
fn over_settled_links_nodes_are_killed_and_wake_up() {
    let place = Place::new();
    let pair = "--nodes 2 --settled-links --link-changes 0 --restarts 2";
    for protocol in ["rlp --connectivity partitions", "krla", "gme --resources 2", "lme2"] {
        let done = place.fine(&format!("check {protocol} {pair}"));
        assert!(done.out.contains("2 restarts"), "{}", done.out);
        assert!(done.out.contains("nothing was cut off"), "{}", done.out);
    }
    let done = place.fine(&format!("check krl {pair}"));
    let whole = "held, while the network is in one piece: no starvation, silence";
    assert!(done.out.contains(whole), "{}", done.out);
    place.refused("check krl --restarts 1", &["--restarts: ", "--settled-links"]);
    place.refused("check rl --settled-links --restarts 1", &["--restarts: ", "rlp, krl"]);
    let published = "check krl --variant published --settled-links --restarts 1";
    place.refused(published, &["--restarts: ", "its variant `repaired`"]);
}

/// Nobody promised progress without the token or without a node, but no two are inside together.
#[test]
fn losses_and_crashes_break_nothing_but_progress() {
    let place = Place::new();
    let conditions = "held, before anything is lost, doubled or stopped: token conservation";
    for protocol in ["rl", "raymond"] {
        for fault in ["--losses 1", "--crashes 1", "--losses 1 --crashes 1"] {
            let line = format!("check {protocol} --topology star {fault}");
            let done = place.fine(&format!("{line} --link-changes 0"));
            assert!(done.out.contains(&format!("{conditions}, no starvation")), "{}", done.out);
            let what = violated(&place, &format!("{line} --progress-despite-faults"));
            assert_eq!(
                what,
                "in 2 actions (no starvation): n1 waits for ever, nothing is in transit"
            );
        }
    }
}

/// A token that arrives twice is two tokens. RL notices, Raymond's algorithm does not.
#[test]
fn duplications_break_both_protocols() {
    let place = Place::new();
    let what = violated(&place, "check rl --duplications 1");
    assert_eq!(what, "in 4 actions (every step is defined): n1 gave up: there is one token");
    let what = violated(&place, "check raymond --duplications 1");
    assert!(what.starts_with("in 11 actions (mutual exclusion): n0 and n2 are in"), "{what}");
    let names = ["counterexample-raymond.dlj", "counterexample-rl-repaired.dlj"];
    assert_eq!(place.names(), names);
    for (name, promise) in names.iter().zip(["mutual exclusion", "every step is defined"]) {
        let replayed = place.run(&format!("replay {name}"));
        assert_eq!(replayed.code, Some(1), "{replayed:?}");
        assert!(replayed.out.contains(&format!("({promise})")), "{}", replayed.out);
    }
}

/// If they were begun, these tests would not end.
#[test]
fn what_is_too_large_is_refused_with_a_guess() {
    let place = Place::new();
    for line in ["check rl --nodes 8", "check rl --nodes 5 --topology clique --link-changes 2"] {
        let parts = ["too large: about ", "e1", " states and ", " bytes", "--memory", "--force"];
        place.refused(line, &parts);
    }
    place.refused("check rl --memory 1KB", &["too large: about ", "--memory"]);
}

#[test]
fn with_force_a_part_is_explored_and_nothing_is_proved() {
    let place = Place::new();
    for line in ["check rl --nodes 8", "check rl --nodes 5 --topology clique --link-changes 2"] {
        let line = format!("{line} --force --memory 20MB");
        let done = place.run(&line);
        assert_eq!(done.code, Some(2), "{line}: {done:?}");
        assert_eq!(done.err, "error: out of --memory before everything was explored\n");
        assert!(states(&done) > 10_000, "{}", done.out);
        assert!(done.out.ends_with("\nno promise is broken in what was explored\n"));
        let json = place.run(&format!("{line} --json")).json();
        assert_eq!((&json["complete"], &json["held"]), (&false.into(), &false.into()));
        assert!(json["violation"].is_null());
    }
    assert!(place.names().is_empty());
}

/// A broken promise is one, however little was explored.
#[test]
fn what_is_found_before_memory_ends_counts() {
    let line = "check rl --variant published --nodes 8 --topology line --link-changes 2 --force";
    let what = violated(&Place::new(), line);
    assert!(what.starts_with("in 2 actions (every step is defined)"), "{what}");
}
