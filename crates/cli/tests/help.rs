//! Help and completions.

use crate::place::Place;

/// These commands are shown, and so is what each of them takes.
pub(crate) fn check_help(place: &Place, commands: &[&str]) {
    let help = place.fine("--help").out;
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "no `{command}` in {help}");
        let help = place.fine(&format!("{command} --help")).out;
        assert!(help.contains(&format!("Usage: driftlock {command}")), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

#[test]
fn help_is_enough_to_get_going() {
    let place = Place::new();
    let help = place.fine("--help").out;
    for part in ["driftlock demo", "Exit codes: 0", "2 bad"] {
        assert!(help.contains(part), "no `{part}` in {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    assert!(!help.contains("lock-keeper"), "{help}");
    assert!(place.fine("--version").out.starts_with("driftlock 0."));
    let nodes = ["demo", "node", "key", "lock", "status", "neighbors", "locks", "queue", "top"];
    check_help(&place, &nodes);
    check_help(&place, &["leave", "moving", "completions"]);
}

/// A build without the lab says where it is.
#[test]
fn the_lab_is_there_or_said_to_be_elsewhere() {
    let place = Place::new();
    let has_lab = cfg!(feature = "lab");
    assert_eq!(place.run("protocols").code, Some(if has_lab { 0 } else { 2 }));
    let help = place.fine("--help").out;
    assert_eq!(help.contains("driftlock sim rl"), has_lab, "{help}");
    assert_eq!(help.contains("are in the full one"), !has_lab, "{help}");
}

#[test]
fn without_a_command_help_is_given_and_nothing_is_run() {
    let done = Place::new().run("");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""));
    assert!(done.err.contains("Usage: driftlock <COMMAND>"), "{}", done.err);
}

#[test]
fn completions_know_the_commands_of_a_node() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.fine(&format!("completions {shell}")).out;
        for word in ["node", "lock", "neighbors", "found"] {
            assert!(script.contains(word), "no `{word}` for {shell}");
        }
    }
}
