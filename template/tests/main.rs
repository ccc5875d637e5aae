//! Everything in the lab knows a protocol that was registered.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

struct Lab(TempDir);

impl Lab {
    fn new() -> Self {
        Lab(TempDir::new().unwrap())
    }

    /// Type this in a folder of its own.
    fn type_in(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_my-locks"));
        command.args(line.split_whitespace()).current_dir(self.0.path());
        command.output().unwrap()
    }

    /// The same, and it goes well.
    fn say(&self, line: &str) -> String {
        let output = self.type_in(line);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.path().join(file)).unwrap()
    }
}

#[test]
fn it_is_listed() {
    let listed: Value = serde_json::from_str(&Lab::new().say("protocols --json")).unwrap();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(names.last(), Some(&"suzuki-kasami"));
    assert!(names.contains(&"rl"), "those of the papers are there too");
}

#[test]
fn it_is_simulated_and_a_run_can_be_repeated() {
    let lab = Lab::new();
    let line = "sim sk --nodes 10 --mobility 0.1 --entries 500 --reps 2";
    let told = lab.say(line);
    assert!(told.contains("all promises held"), "{told}");
    assert_eq!(told, lab.say(line));
    // Whoever waits in a clique asks all nine others, and the token comes in one message.
    let told = lab.say("sim sk --nodes 10 --network clique --entries 500 --reps 1 --json");
    let told: Value = serde_json::from_str(&told).unwrap();
    let by_kind = &told["repetitions"][0]["metrics"]["messages_by_kind"];
    let of = |kind: &str| by_kind[kind].as_f64().unwrap();
    assert!((8.9..=9.1).contains(&of("Request")), "{by_kind}");
    assert!((0.9..=1.1).contains(&of("Privilege")), "{by_kind}");
}

#[test]
fn every_schedule_of_a_small_network_is_explored() {
    let told = Lab::new().say("check sk --requests 2");
    let held = "held: mutual exclusion, entry only on request, token conservation";
    assert!(told.contains(held) && told.contains("no starvation"), "{told}");
}

#[test]
fn the_checker_shows_a_mistake_with_the_shortest_way_to_it() {
    let lab = Lab::new();
    let output = lab.type_in("check sk --variant hasty");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("VIOLATED in 4 actions (mutual exclusion)"), "{told}");
    // What it says to type next can be typed.
    let replay = told.lines().find_map(|line| line.strip_prefix("replay:  my-locks ")).unwrap();
    let again = lab.type_in(replay);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stdout).contains("EnterCs"));
}

#[test]
fn it_is_compared_with_others() {
    let lab = Lab::new();
    lab.say("compare sk rl --nodes 10 --entries 200 --reps 2 --sweep load=0.01,1 --out compared");
    let table = lab.read("compared/results.md");
    assert!(table.contains("suzuki-kasami") && table.contains("| rl "), "{table}");
    assert!(lab.read("compared/waiting.svg").contains("suzuki-kasami"));
}
