//! What `driftlock check` refuses, in one line and without a trace.

use crate::place::Place;

#[test]
fn unknown_names_come_with_all_there_are() {
    let place = Place::new();
    for (line, parts) in [
        ("check", &["which protocol?", "rl, rlp, krl, krlf, krla, raymond, raymond-k, gme"][..]),
        ("check rll", &["`rll`", "did you mean `rl`?"]),
        ("check rl --variant publshed", &["--variant: ", "`published`?", "repaired"]),
        ("check raymond --variant repaired", &["--variant: ", "raymond", "published"]),
        ("check rl --topology rng", &["--topology: ", "`ring`?", "line, ring, star, clique"]),
        ("check rl --network grd", &["--topology: ", "`grd`"]),
        ("check rl --connectivity 20", &["--connectivity: ", "physical, known, partitions"]),
        ("check rl --undefined ignore", &["--undefined: ", "stop, skip"]),
        ("check rl --lossy", &["`--lossy`", "--lossy-links"]),
        ("check rl rl", &["`rl` is one word too many", "driftlock check --help"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn networks_that_cannot_be_checked_are_refused() {
    let place = Place::new();
    for nodes in ["0", "9", "-1", "3.5", "18446744073709551616", "x"] {
        let parts = ["--nodes: ", "a whole number from 1 to 8", nodes];
        place.refused(&format!("check rl --nodes {nodes}"), &parts);
    }
    for (links, part) in [
        ("0-1,2-3", "the initial network is not connected"),
        ("1-2", "node 0 has no link"),
        ("0-1,1-3", "node 2 has no link"),
        ("0-0", "`0-0` links a node to itself"),
        ("0-1,1-1", "`1-1` links a node to itself"),
        ("0-1,1-8", "`1-8`: a check has nodes from 0 to 7"),
        ("0-4294967296", "expected links like 0-1,1-2"),
        ("0", "expected links like 0-1,1-2"),
        ("-1", "expected links like 0-1,1-2"),
        ("0-1,", "expected links like 0-1,1-2"),
        ("a-b", "expected links like 0-1,1-2"),
    ] {
        place.refused(&format!("check rl --links {links}"), &["--links: ", part]);
    }
    for (line, parts) in [
        ("check rl --links 0-1 --nodes 2", &["--links does not go with --nodes"][..]),
        ("check rl --links 0-1 --topology line", &["--links does not go with --topology"]),
        ("check rl --medium routed", &["--medium: ", "cannot run routed"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn numbers_of_events_are_small_and_fit_the_network() {
    let place = Place::new();
    for requests in ["1,2", "1,1,1,1"] {
        let parts = ["--requests: ", "numbers for 3 nodes"];
        place.refused(&format!("check rl --requests {requests}"), &parts);
    }
    for requests in ["-1", "101", "x", "1,,1", "1,1,256", "1.5"] {
        let parts = ["--requests: expected numbers from 0 to 100", requests];
        place.refused(&format!("check rl --requests {requests}"), &parts);
    }
    for flag in ["link-changes", "timeouts", "losses", "duplications", "crashes", "restarts"] {
        for value in ["-1", "101", "x", "0.5"] {
            let parts = [&format!("--{flag}: ")[..], "a whole number from 0 to 100", value];
            place.refused(&format!("check rl --{flag} {value}"), &parts);
        }
    }
    for (line, parts) in [
        ("check rl --spread -1", &["--spread: ", "from 0 to 4294967295"][..]),
        ("check rl --spread 4294967296", &["--spread: ", "from 0 to 4294967295"]),
        ("check rl --threads 0", &["--threads: ", "from 1 to 1024"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn what_a_protocol_has_no_use_for_is_refused() {
    let place = Place::new();
    for (line, parts) in [
        ("check gme --resources 0", &["--resources: ", "from 1 to 100", "`0`"][..]),
        ("check rl --resources -1", &["--resources: ", "from 1 to 100"]),
        ("check rl --resources 2", &["--resources: rl has one resource"]),
        ("check krl --resources 2", &["--resources: krl has one resource"]),
        ("check krl --tokens 0", &["--tokens: ", "from 1 to", "`0`"]),
        ("check krl -k 4", &["--tokens: 4 tokens are more than there are nodes, which are 3"]),
        ("check raymond-k -k 4", &["--tokens: 4 tokens are more than there are nodes"]),
        ("check rl --tokens 2", &["--tokens: rl has one token"]),
        ("check rlp --tokens 2", &["--tokens: rlp has one token"]),
        ("check gme --tokens 2", &["--tokens: gme has one token"]),
        ("check raymond -k 2", &["--tokens: raymond has one token"]),
        ("check gme --session 0", &["--session: ", "from 1 to", "`off`", "`0`"]),
        ("check gme --session on", &["--session: ", "`off`", "`on`"]),
        ("check rl --session 2", &["--session: rl has no sessions"]),
        ("check krl --session 2", &["--session: krl has no sessions"]),
        ("check krl --session off", &["--session: krl has no sessions"]),
        ("check cluster --variant patient --crashes 1", &["--crashes: cluster patient waits for"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn who_needs_a_network_in_one_piece_is_not_taken_apart() {
    let place = Place::new();
    let able = "those that live with it are rlp, krl, krlf, krla";
    for name in ["rl", "gme"] {
        let told = format!("--connectivity: {name} needs a network that does not fall apart");
        place.refused(&format!("check {name} --connectivity partitions"), &[&told, able]);
    }
    for name in ["krl", "krlf", "krla"] {
        let line = format!("check {name} --variant published --connected-by partitions");
        let told = format!("--connectivity: {name} published needs a network");
        place.refused(&line, &[&told, "its variant `repaired` does not", able]);
    }
}

/// To take them would be to say that the protocol can live with them.
#[test]
fn who_does_not_see_links_change_is_asked_nothing_about_it() {
    let place = Place::new();
    for flag in ["--link-changes 1", "--lossy-links", "--settled-links", "--connectivity known"] {
        let name = flag.split(' ').next().unwrap();
        for medium in ["routed", "links"] {
            let parts = [&format!("{name}: ")[..], "raymond does not see links change"];
            place.refused(&format!("check raymond --medium {medium} {flag}"), &parts);
        }
    }
    place.fine("check raymond --link-changes 0");
}

#[test]
fn the_suite_is_what_it_is() {
    let place = Place::new();
    for flags in [
        "rl",
        "--variant published",
        "--nodes 3",
        "--topology line",
        "--links 0-1",
        "--medium links",
        "--requests 2",
        "--resources 2",
        "--tokens 2",
        "--session 2",
        "--link-changes 2",
        "--connectivity known",
        "--lossy-links",
        "--settled-links",
        "--timeouts 1",
        "--losses 1",
        "--duplications 1",
        "--crashes 1",
        "--restarts 1",
        "--progress-despite-faults",
        "--undefined skip",
        "--spread 3",
        "--force",
        "--journal a.dlj",
    ] {
        let flag = flags.split(' ').next().filter(|flag| flag.starts_with('-'));
        let parts = ["--suite", "does not go with", flag.unwrap_or("PROTOCOL")];
        place.refused(&format!("check --suite {flags}"), &parts);
        place.refused(&format!("check {flags} --suite"), &parts);
    }
    for line in ["check --deep", "check rl --deep", "check --deep --nodes 3"] {
        place.refused(line, &["--deep: ", "--suite"]);
    }
}

#[test]
fn amounts_of_memory_have_a_unit() {
    let place = Place::new();
    for size in ["4", "0MB", "x", "GB", "1.5GB", "-1GB", "4gb", "99999999999999GB", "--force"] {
        let parts = ["--memory: expected an amount of memory like 500MB or 4GiB", size];
        place.refused(&format!("check rl --memory {size}"), &parts);
    }
}

/// Even if there will be no journal: that is not known before.
#[test]
fn a_journal_that_cannot_be_written_is_refused_before_anything_is_explored() {
    let place = Place::new();
    let line = "check rl --journal no/such/run.dlj";
    place.refused(line, &["--journal: cannot write no/such/run.dlj", "no folder no/such"]);
    place.refused("check rl --journal .", &["--journal: ", "it is a folder"]);
}
