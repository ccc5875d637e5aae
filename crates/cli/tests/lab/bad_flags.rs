//! What is typed wrongly is refused in one line, and nothing is written.

use crate::place::Place;

#[test]
fn unknown_names_come_with_the_nearest_and_with_all_there_are() {
    let place = Place::new();
    for (line, parts) in [
        (
            "sim rll",
            &["`rll`", "did you mean `rl`?", "krl, krlf, krla, raymond, raymond-k, gme, "][..],
        ),
        ("sim xyz", &["`xyz` (there are: rl, rlp, krl, krlf, krla, raymond, raymond-k, gme, "]),
        ("sim", &["which protocol?", "rl, rlp, krl, krlf, krla, raymond, raymond-k, gme, "]),
        ("sim rl --variant publshed", &["--variant", "`published`?", "repaired, published"]),
        ("sim raymond --variant repaired", &["--variant", "raymond", "published"]),
        ("sim rl --network rng", &["--network", "`rng`", "`ring`?", "random, geometric, line"]),
        ("sim rl --link-changes togle", &["--link-changes", "`toggle`?", "none, literal"]),
        ("sim rl --lod 3", &["`--lod`", "`--load`?", "--mobility"]),
        (
            "simulate rl",
            &["`simulate`", "sim, compare, sweep, merge, plot, report, check, ", ", lock, "],
        ),
        ("simm rl", &["`sim`?"]),
        ("--versio", &["`--versio`", "`--version`?"]),
        ("reproduce lr", &["there is no paper `lr`", "`rl`?"]),
        ("completions tcsh", &["`tcsh`", "bash, elvish, fish, powershell, zsh"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn networks_out_of_range_are_refused_with_what_is_expected() {
    let place = Place::new();
    for (line, parts) in [
        ("sim rl --nodes 0", &["--nodes", "at least 1"][..]),
        ("sim rl --nodes -3", &["--nodes", "a whole number", "`-3`"]),
        ("sim rl --nodes 3.5", &["--nodes", "a whole number", "`3.5`"]),
        ("sim rl --nodes 18446744073709551615", &["--nodes", "too many", "at most"]),
        ("sim rl --nodes 99999999999999999999", &["--nodes", "a whole number"]),
        ("sim rl --nodes 15000000", &["links", "too many"]),
        ("sim rl --connectivity 101", &["--connectivity", "0 to 100", "101"]),
        ("sim rl --connectivity -1", &["--connectivity", "0 to 100", "-1"]),
        ("sim rl --connectivity 5", &["--connectivity", "30 nodes", "at least 6.6"]),
        ("sim rl --nodes 2", &["--connectivity", "it takes 1"]),
        ("sim rl --links 3", &["3 links cannot connect 30 nodes", "29"]),
        ("sim rl --links 0", &["--links: 0 links cannot connect"]),
        ("sim rl --network geometric --range 1e-300", &["--range", "try a larger range"]),
        ("sim rl --links 436", &["--links", "435 pairs"]),
        ("sim rl --network ring --nodes 2", &["--nodes", "at least 3"]),
        ("sim rl --network geometric --range -1", &["--range", "positive", "-1"]),
        ("sim rl --network geometric --range 0.01", &["--range", "try a larger range"]),
        ("sim rl --network clique --nodes 1000000", &["--nodes", "too many links"]),
        ("sim rl --requesters 99", &["--requesters", "no node 99", "29"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn motion_that_makes_no_sense_is_refused_with_what_is_expected() {
    let place = Place::new();
    let geometric = "sim lme2 --network geometric";
    for (flags, parts) in [
        ("--range 0", &["--range", "positive", "not 0"][..]),
        ("--area 0", &["--area", "positive", "not 0"]),
        ("--degree -8", &["--degree", "positive", "-8"]),
        ("--degree 8 --range 0.1", &["--degree", "either a range or a degree"]),
        ("--motion waypont", &["--motion", "`waypoint`?", "waypoint, convoy"]),
        ("--motion waypoint --speed -1", &["--speed", "a speed is a positive number", "`-1`"]),
        ("--speed 0", &["--speed", "a speed is a positive number", "`0`"]),
        ("--speed uniform:3..1", &["--speed", "`uniform:3..1`"]),
        ("--speed 1e8", &["--speed", "leaves the range"]),
        ("--pause -1", &["--pause", "positive", "-1"]),
        ("--moving 1.5", &["--moving", "from 0 to 1", "1.5"]),
        ("--moving -0.5", &["--moving", "from 0 to 1", "-0.5"]),
        ("--motion-step 0", &["--motion-step", "a step takes from 0.001", "not 0"]),
        ("--motion waypoint --group 3", &["--group", "only `convoy`, `rpgm` have this"]),
        ("--motion walk --pause 3", &["--pause", "only `waypoint`, `convoy`, `rpgm` have this"]),
        ("--motion walk --memory 0.5", &["--memory", "only `gauss-markov` has this"]),
        ("--motion gauss-markov --memory 1", &["--memory", "from 0 to less than 1", "not 1"]),
        ("--motion manhattan --leg 3", &["--leg", "only `walk`, `gauss-markov`, `rpgm` have"]),
        ("--motion manhattan --block 0", &["--block", "positive", "not 0"]),
        ("--motion manhattan --turn 2", &["--turn", "from 0 to 1", "not 2"]),
        ("--motion convoy --motion-start stationary", &["--motion-start", "only `waypoint` has"]),
        ("--motion convoy --group 0", &["--group", "`0`"]),
        ("--motion convoy --spread -1", &["--spread", "from 0 on", "-1"]),
        ("--motion convoy --mobility 1", &["--motion", "by no other law"]),
        ("--motion convoy --load 0", &["--until", "give a time to end at"]),
        ("--motion convoy --together", &["--together", "lme2 takes a network as it is"]),
        ("--crash 30@5", &["--crash", "no node 30", "29"]),
        ("--crash 3@5:eating", &["--crash", "3@40,5@60.5:inside", "`3@5:eating`"]),
    ] {
        place.refused(&format!("{geometric} {flags}"), parts);
    }
    for (line, parts) in [
        ("sim lme2 --motion waypoint", &["--motion", "only the nodes of a `geometric`"][..]),
        ("sim lme2 --degree 3", &["--degree", "only a `geometric` network"]),
        (
            "sim rl --network geometric --motion convoy",
            &["--motion", "without motion.together (--together)", "does not fall apart", "lme2"],
        ),
        ("sim rl --together", &["--motion", "only the nodes of a `geometric`"]),
        (
            "sim krl --network geometric --together --connected-by partitions",
            &["--together", "may fall apart"],
        ),
        (
            "sim chandy-misra --network geometric --motion convoy",
            &["--motion", "chandy-misra does not see links change"],
        ),
        ("sim chandy-misra --mobility 1", &["--link-changes", "does not see links change"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn times_and_rates_out_of_range_are_refused_with_what_is_expected() {
    let place = Place::new();
    for (line, parts) in [
        ("sim rl --load -1", &["--load", "from 1e-9 to"][..]),
        ("sim rl --load 1e-300", &["--load", "from 1e-9 to"]),
        ("sim rl --mobility 1e9 --link-changes toggle", &["--mobility", "too many"]),
        ("sim rl --cold 18446744073709551615", &["never end"]),
        ("sim rl --load 1e10", &["--load", "from 1e-9 to"]),
        ("sim rl --mobility -0.5", &["--mobility", "from 1e-9 to"]),
        ("sim rl --delay 0", &["--delay", "positive"]),
        ("sim rl --delay uniform:3..1", &["--delay", "3", "longer than"]),
        ("sim rl --critical-section -2", &["--critical-section", "positive"]),
        ("sim rl --until 0", &["--until", "positive"]),
        ("sim rl --entries 0", &["--entries", "at least 1"]),
        ("sim rl --calm-limit -1", &["--calm-limit", "positive"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn numbers_of_runs_and_threads_are_refused_before_anything_is_reserved() {
    let place = Place::new();
    for (line, parts) in [
        ("sim rl --seed 18446744073709551616", &["--seed", "a whole number"][..]),
        ("sim rl --seed 18446744073709551615", &["--seed", "6 repetitions", "551610"]),
        ("sim rl --seed 2 --reps 0", &["--reps", "from 1 to 1000000", "`0`"]),
        ("sim rl --reps 18446744073709551615", &["--reps", "from 1 to 1000000"]),
        ("sim rl --threads 0", &["--threads", "from 1 to 1024"]),
        ("sim rl --threads 1000000", &["--threads", "from 1 to 1024"]),
        ("reproduce rl --reps 0", &["--reps", "from 1 to 1000"]),
        ("reproduce rl --threads 0", &["--threads", "from 1 to 1024"]),
        ("reproduce rl --seed 18446744073709551615", &["--seed", "repetitions"]),
    ] {
        place.refused(line, parts);
    }
}

#[test]
fn shares_that_make_no_sense_are_refused() {
    let place = Place::new();
    for (line, parts) in [
        ("sim krl --tokens 0", &["--tokens: ", "from 1 to", "`0`"][..]),
        ("sim krl -k 31", &["--tokens: 31 tokens are more than there are nodes, which are 30"]),
        ("sim raymond-k -k 9 --nodes 8 --connectivity 50", &["--tokens: 9", "which are 8"]),
        ("sim gme --tokens 2", &["--tokens: gme has one token"]),
        ("sim rlp --tokens 2", &["--tokens: rlp has one token"]),
        ("sim gme --resources 0", &["--resources: ", "from 1 to", "`0`"]),
        ("sim krlf --resources 2", &["--resources: krlf has one resource"]),
        ("sim gme --session 0", &["--session: ", "from 1 to", "`off`", "`0`"]),
        ("sim gme --session -1", &["--session: ", "from 1 to", "`off`", "`-1`"]),
        ("sim gme --session none", &["--session: ", "`off`", "`none`"]),
        ("sim krl --session 5", &["--session: krl has no sessions"]),
        ("sim krl --session off", &["--session: krl has no sessions"]),
        ("sim gme --popular 0.5", &["--popular: ", "number of resources"]),
        ("sim gme --connected-by partitions", &["--connected-by: gme needs", "rlp, krl, krlf, k"]),
        (
            "sim krla --variant published --connected-by partitions",
            &["--connected-by: krla published needs", "its variant `repaired` does not"],
        ),
    ] {
        place.refused(line, parts);
    }
    place.fine("sim gme --resources 2 --session off --nodes 5 --network ring --cold 9");
}

/// To take them would be to say that the protocol does something with them.
#[test]
fn what_a_protocol_has_no_use_for_is_refused() {
    let place = Place::new();
    for name in ["rl", "raymond"] {
        let one_resource = format!("{name} has one resource");
        for (flags, parts) in [
            ("--tokens 2", ["--tokens: ", &format!("{name} has one token")]),
            ("-k 3", ["--tokens: ", &format!("{name} has one token")]),
            ("--tokens 0", ["--tokens: ", "from 1 to"]),
            ("--resources 2", ["--resources: ", &one_resource]),
            ("--resources -1", ["--resources: ", "from 1 to"]),
            ("--session 5", ["--session: ", &format!("{name} has no sessions")]),
            ("--popular 0.5", ["--popular: ", &one_resource]),
            ("--connected-by partitions", ["--connected-by: ", "does not fall apart"]),
            ("--crash 3@4", ["--crash: ", "--connected-by is `partitions`"]),
            ("--crash 3", ["--crash: ", "like 3@40,5@60.5"]),
        ] {
            place.refused(&format!("sim {name} {flags}"), &parts);
        }
        place.fine(&format!(
            "sim {name} --tokens 1 --resources 1 --nodes 5 --network ring --cold 9"
        ));
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let place = Place::new();
    for flag in ["connectivity", "range", "load", "mobility", "until", "calm-limit", "popular"] {
        for value in ["nan", "inf", "-inf", "1e999", "x", "1,5", "٣"] {
            place.refused(&format!("sim rl --{flag}={value}"), &[flag, "expected a number", value]);
        }
    }
    for flag in ["delay", "critical-section"] {
        for value in ["nan", "inf", "x", "gauss:1", "uniform:1", "uniform:1..inf"] {
            place.refused(&format!("sim rl --{flag} {value}"), &[&format!("--{flag}: ")]);
        }
    }
    for value in ["a", "1-", "5-1", "0-4294967295", "-1", "0,,1"] {
        place.refused(&format!("sim rl --requesters {value}"), &["--requesters: "]);
    }
}

#[test]
fn empty_words_and_words_with_line_breaks_are_refused_in_one_line() {
    let place = Place::new();
    let words = ["", "\n", "rl\nerror", "\u{1b}[2J", "λ"];
    for word in words {
        for start in
            [&["sim"][..], &["check"], &["replay"], &["reproduce"], &["sim", "rl", "--nodes"], &[]]
        {
            let line = [start, &[word]].concat();
            place.run_words(&line).check_refused(&format!("{line:?}"), &[]);
        }
    }
    assert!(place.names().is_empty());
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let place = Place::new();
    for (line, parts) in [
        ("sim rl --until 10 --entries 5", &["--until", "--entries"][..]),
        ("sim rl --cold 5 --warmup 5", &["--cold", "--warmup"]),
        ("sim rl --links 50 --connectivity 20", &["--links", "not both"]),
        ("sim rl --network ring --connectivity 20", &["--connectivity", "`random`", "`ring`"]),
        ("sim rl --range 0.2", &["--range", "`geometric`"]),
        ("sim rl --network file", &["--edges", "path"]),
        ("sim rl --mobility 0.1 --link-changes none", &["--mobility", "literal", "toggle"]),
        ("sim rl --nodes 1 --mobility 0.1", &["--link-changes", "no links to change"]),
        ("sim rl --load 0", &["--load", "nobody ever asks"]),
        ("sim rl --requesters none", &["nobody ever asks"]),
        ("sim rl --medium routed", &["--medium", "cannot run routed"]),
        ("sim raymond --medium links --mobility 1", &["--medium", "`routed`"]),
        ("sim rl --journal a.dlj --reps 2", &["--journal", "--reps 1"]),
        ("sim rl --seed 1 --seed 2", &["--seed", "twice"]),
        ("sim rl rl", &["`rl` is one word too many", "driftlock sim --help"]),
        ("replay a.dlj --print --json", &["--print", "--json"]),
        ("replay", &["<JOURNAL> is missing", "driftlock replay --help"]),
        ("sim rl --nodes", &["--nodes: a value is missing"]),
    ] {
        place.refused(line, parts);
    }
}
