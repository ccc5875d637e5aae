//! Files that make no sense, or cannot be read or written, are named, with the line and what was
//! expected.

use std::fs;

use crate::place::Place;

#[test]
fn malformed_scenarios_are_refused_with_file_and_line() {
    for (text, line, parts) in [
        ("[network]\nnodes = \n", 3, &[][..]),
        ("[network\nnodes = 3\n", 2, &["expected `]`"]),
        ("seed = 1\nseed = 2\n", 3, &["duplicate"]),
        ("[network]\nnodes = 'x'\n", 3, &["\"x\"", "a whole number"]),
        ("[network]\nnodes = -1\n", 3, &["`-1`", "a whole number"]),
        ("[network]\nnodes = 3.5\n", 3, &["`3.5`", "a whole number"]),
        ("seed = true\n", 2, &["`true`", "a whole number"]),
        ("[requests]\nrate = 'often'\n", 3, &["\"often\"", "a number"]),
        ("delay = 'gauss:1'\n", 2, &["uniform:FROM..TO", "`gauss:1`"]),
        ("delay = nan\n", 2, &["positive"]),
        ("unté = 3\n", 2, &[]),
        ("\n\n[measure]\nentires = 3\n", 5, &["`entires`", "`entries`?", "warmup"]),
        ("nodes = 3\n", 2, &["no key `nodes`", "network", "script"]),
        ("[network]\nshape = 'rign'\n", 3, &["no value `rign`", "`ring`?", "clique"]),
        ("undefined = 'stopp'\n", 2, &["`stop`?", "skip"]),
    ] {
        let place = Place::new();
        place.write("run.toml", format!("protocol = 'rl'\n{text}"));
        let at = format!("run.toml, line {line}: ");
        place.refused("sim --scenario run.toml", &[&[at.as_str()], parts].concat());
    }
}

#[test]
fn scenarios_that_make_no_sense_are_refused_with_file_and_line() {
    for (text, place_in_file, parts) in [
        ("variant = 'publshed'\n", "line 2: variant: ", &["`published`?"][..]),
        ("tokens = 2\n", "line 2: tokens: ", &["rl has one token"]),
        ("resources = 0\n", "line 2: resources: ", &["at least 1"]),
        ("[requests]\npopular = 0.5\n", "line 3: requests.popular: ", &["one resource"]),
        (
            "[link-changes]\nconnected-by = 'partitions'\n",
            "line 3: link-changes.connected-by: ",
            &["does not fall apart"],
        ),
        ("script = [{ at = 1, crash = 2 }]\n", "line 2: script: ", &["`partitions`"]),
        ("[network]\nconnectivity = 1\n", "line 3: network.connectivity: ", &["at least 6.6"]),
        ("[network]\nconnectivity = nan\n", "line 3: network.connectivity: ", &["0 to 100"]),
        ("network = { nodes = 0 }\n", "line 2: network.nodes: ", &["at least 1"]),
        ("[requests]\nrate = inf\n", "line 3: requests.rate: ", &["from 1e-9 to"]),
        ("[requests]\nnodes = [3, 3]\n", "line 3: requests.nodes: ", &["node 3", "twice"]),
        ("[requests]\n# us\nnodes = [30]\n", "line 4: requests.nodes: ", &["no node 30"]),
        ("measure.until = -1.0\n", "line 2: measure.until: ", &["positive"]),
        ("[measure]\nuntil = 5\nentries = 3\n", "line 3: measure.until: ", &["not both"]),
        ("[measure]\nwarmup = 5\n", "line 2: measure: ", &["`entries` or `until`"]),
        ("calm-limit = 0\n", "line 2: calm-limit: ", &["positive"]),
        ("medium = 'routed'\n", "line 2: medium: ", &["cannot run routed"]),
        ("[link-changes]\nrate = 1\n", "line 3: link-changes.rate: ", &["literal", "toggle"]),
    ] {
        let place = Place::new();
        place.write("run.toml", format!("protocol = 'rl'\n{text}"));
        let at = format!("run.toml, {place_in_file}");
        place.refused("sim --scenario run.toml", &[&[at.as_str()], parts].concat());
    }
}

#[test]
fn the_protocol_of_a_file_is_judged_like_a_typed_one() {
    let place = Place::new();
    place.write("run.toml", "\nprotocol = 'raimond'\n");
    place.refused("sim --scenario run.toml", &["run.toml, line 2", "`raimond`", "`raymond`?"]);
    place.write("run.toml", "seed = 2\n");
    place.refused(
        "sim --scenario run.toml",
        &["run.toml", "which protocol?", "rl, rlp, krl, krlf, krla, raymond, raymond-k, gme"],
    );
    place.write("run.toml", "protocol = \"r\\nl\"\n");
    place.refused("sim --scenario run.toml", &["r\\nl"]);
}

/// A value that was typed is not blamed on the file.
#[test]
fn what_was_typed_over_a_file_is_named_by_its_flag() {
    let place = Place::new();
    place.write("run.toml", "protocol = 'rl'\nnetwork = { connectivity = 50 }\n");
    place.refused("sim --scenario run.toml --connectivity 1", &["error: --connectivity: "]);
    place.refused("sim rll --scenario run.toml", &["error: there is no protocol `rll`"]);
}

#[test]
fn scripts_that_do_not_fit_the_network_are_refused() {
    for (entries, parts) in [
        ("{ at = 1, request = 3 }", &["no node 3"][..]),
        ("{ at = -1, request = 1 }", &["from 0 on", "-1"]),
        ("{ at = nan, request = 1 }", &["from 0 on", "NaN"]),
        ("{ at = 1 }", &["exactly one of `request`, `lose`, `crash`, `up` and `down`"]),
        ("{ at = 1, request = 1, up = [0, 1] }", &["exactly one of"]),
        ("{ at = 1, up = [0, 1] }", &["at 1", "n0-n1", "up already"]),
        ("{ at = 1, down = [0, 2] }, { at = 2, down = [2, 0] }", &["at 2", "down already"]),
        ("{ at = 1, down = [0, 2] }, { at = 2, down = [1, 0] }", &["at 2", "disconnect"]),
        ("{ at = 1, down = [1, 1] }", &["itself"]),
        ("{ at = 1, down = [1, 9] }", &["no node 9"]),
        ("{ at = 1, down = [0, 1, 2] }", &["two ends"]),
        ("{ at = 1, request = 1 }, { at = 2 }", &["entry 2: ", "exactly one of"]),
        ("{ at = 1, upp = [1, 2] }", &["`upp`", "`up`?"]),
    ] {
        let place = Place::new();
        let start = "protocol = 'rl'\nnetwork = { shape = 'ring', nodes = 3 }\n";
        let changes = "link-changes = { model = 'scripted' }\n";
        place.write("run.toml", format!("{start}{changes}script = [{entries}]\n"));
        let at = ["run.toml, line 4: "];
        place.refused("sim --scenario run.toml", &[&at[..], parts].concat());
    }
}

#[test]
fn what_is_shared_is_checked_against_the_protocol_and_the_script() {
    for (text, parts) in [
        ("protocol = 'krl'\ntokens = 0\n", &["line 2: tokens: ", "at least 1"][..]),
        ("protocol = 'krl'\ntokens = 31\n", &["line 2: tokens: 31", "which are 30"]),
        ("protocol = 'krl'\nsession = 3\n", &["line 2: session: krl has no sessions"]),
        ("protocol = 'gme'\ntokens = 2\n", &["line 2: tokens: gme has one token"]),
        ("protocol = 'gme'\nresources = 0\n", &["line 2: resources: ", "at least 1"]),
        ("protocol = 'gme'\nsession = 0\n", &["line 2: ", "from 1 to", "`off`", "`0`"]),
        ("protocol = 'gme'\nsession = 'on'\n", &["line 2: ", "`off`", "`on`"]),
        ("protocol = 'gme'\nsession = 1.5\n", &["line 2: ", "a whole number or \"off\""]),
        (
            "protocol = 'gme'\nresources = 2\nscript = [{ at = 1, request = 0, resource = 2 }]\n",
            &["line 3: script: entry 1: ", "no resource 2, the last of 2 is 1"],
        ),
        (
            "protocol = 'krl'\nscript = [{ at = 1, request = 0, resource = 1 }]\n",
            &["line 2: script: entry 1: ", "no resource 1, the last of 1 is 0"],
        ),
    ] {
        let place = Place::new();
        place.write("run.toml", text);
        place.refused("sim --scenario run.toml", &[&["run.toml, "], parts].concat());
    }
    let place = Place::new();
    place.write("run.toml", "protocol = 'gme'\nresources = 2\nsession = 'off'\n");
    place.fine("sim --scenario run.toml --nodes 5 --network ring --cold 9 --reps 1");
}

#[test]
fn edge_lists_that_make_no_sense_are_refused_with_file_and_line() {
    for (text, parts) in [
        ("0 1\n1\n", &["links.txt, line 2: ", "two node numbers", "`1`"][..]),
        ("0 1 2\n", &["line 1: ", "two node numbers", "`0 1 2`"]),
        ("0,1\n", &["line 1: ", "two node numbers"]),
        ("0 1\n\n# so\n1 x\n", &["line 4: ", "a node number", "`x`"]),
        ("0 -1\n", &["line 1: ", "a node number", "`-1`"]),
        ("0 1.5\n", &["line 1: ", "`1.5`"]),
        ("0 4294967296\n", &["line 1: ", "too large"]),
        ("0 99999999999999999999999\n", &["line 1: "]),
        ("1 1\n", &["line 1: ", "itself"]),
        ("0 1\n2 3\n", &["links.txt: ", "0 and 2"]),
        ("1 2\n", &["links.txt: ", "0 and 1"]),
        ("# nothing\n", &["links.txt: ", "no link"]),
        ("", &["links.txt: ", "no link"]),
    ] {
        let place = Place::new();
        place.write("links.txt", text);
        place.refused("sim rl --edges links.txt", parts);
    }
}

/// How many nodes there are is known only once the list is read.
#[test]
fn what_does_not_fit_an_edge_list_is_refused() {
    let place = Place::new();
    place.write("links.txt", "0 1\n1 2\n");
    place.refused("sim rl --edges links.txt --requesters 7", &["--requesters", "no node 7"]);
    place.refused("sim rl --edges links.txt --nodes 2", &["--nodes", "--edges"]);
    place.fine("sim rl --edges links.txt --mobility 0.1 --cold 20 --reps 1");
}

#[test]
fn what_cannot_be_read_is_named() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    place.write("bytes", [0xff, 0xfe, 0x00]);
    for name in ["missing", "folder", "bytes", "missing/deeper", "bytes/deeper"] {
        place.refused(&format!("sim --scenario {name}"), &[&format!("{name}: cannot be read")]);
        place.refused(&format!("sim rl --edges {name}"), &[&format!("{name}: cannot be read")]);
        place.refused(&format!("replay {name}"), &[&format!("{name}: ")]);
    }
}

#[test]
fn what_cannot_be_written_is_named_before_anything_runs() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    place.write("file", "");
    for (name, part) in [
        ("missing/run.dlj", "there is no folder missing"),
        ("folder", "it is a folder"),
        ("file/run.dlj", "there is no folder file"),
    ] {
        place.refused(&format!("sim rl --journal {name}"), &["--journal", name, part]);
    }
    assert!(fs::read_dir(place.path("folder")).unwrap().next().is_none());
}

#[test]
fn a_journal_does_not_replace_what_is_read() {
    let place = Place::new();
    place.write("run.toml", "protocol = 'rl'\n");
    place.write("links.txt", "0 1\n");
    place.refused("sim --scenario run.toml --journal ./run.toml", &["--journal", "run.toml"]);
    place.refused("sim rl --edges links.txt --journal links.txt", &["--journal", "links.txt"]);
    assert_eq!(place.read("links.txt"), b"0 1\n");
}

/// A device, a pipe or a socket is not replaced by a file.
#[cfg(unix)]
#[test]
fn a_journal_does_not_replace_what_is_no_file() {
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixListener;

    let place = Place::new();
    let _listener = UnixListener::bind(place.path("socket")).unwrap();
    place.refused("sim rl --journal socket", &["--journal", "socket", "no plain file"]);
    assert!(fs::metadata(place.path("socket")).unwrap().file_type().is_socket());
}

#[cfg(unix)]
#[test]
fn a_journal_goes_where_a_link_leads_and_keeps_who_may_read_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = Place::new();
    place.write("real.dlj", "");
    fs::set_permissions(place.path("real.dlj"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.dlj", place.path("link.dlj")).unwrap();
    place.fine("sim rl --cold 10 --journal link.dlj");
    assert!(fs::symlink_metadata(place.path("link.dlj")).unwrap().is_symlink());
    let mode = fs::metadata(place.path("real.dlj")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    place.fine("replay real.dlj");
}
