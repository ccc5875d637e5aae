//! Sweep files: what they mean, and what is wrong with them.

use std::path::Path;

use driftlock_sweep::SweepFile;
use driftlock_sweep::rule::{Rule, Until};

fn parse(text: &str) -> Result<SweepFile, String> {
    SweepFile::parse(Path::new("a.toml"), text).map_err(|error| error.to_string())
}

const WHOLE: &str = r#"
[scenario]
network = { nodes = 30, connectivity = 20 }
link-changes = { model = "toggle" }
measure = { warmup = 100, entries = 1000 }
[grid]
protocol = ["rl", "rl:published", "krl"]
"requests.rate" = [0.01, 0.1, 1]
link-changes.rate = { from = 0.001, to = 1, steps = 4, scale = "log" }
[[zip]]
"network.nodes" = [10, 20, 30]
"network.connectivity" = [60, 30, 20]
[[points]]
protocol = "raymond"
medium = "routed"
[repetitions]
until = { metric = "waiting_mean", half-width = 0.05 }
seed = 7
"#;

#[test]
fn everything_is_varied_as_it_is_written() {
    let file = parse(WHOLE).unwrap();
    let scenarios = file.scenarios();
    assert_eq!(scenarios.len(), 3 * 3 * 4 * 3 + 1);
    assert_eq!(file.combinations(), scenarios.len());
    let told = |k: usize| {
        let s = &scenarios[k];
        let rates = (s.requests.rate, s.link_changes.rate);
        (&*s.protocol, s.variant.as_deref(), rates, s.network.nodes, s.network.connectivity)
    };
    assert_eq!(told(0), ("rl", None, (0.01, 0.001), 10, Some(60.0)));
    assert_eq!(told(1), ("rl", None, (0.01, 0.001), 20, Some(30.0)));
    assert_eq!(told(3), ("rl", None, (0.01, 0.01), 10, Some(60.0)));
    assert_eq!(told(12), ("rl", None, (0.1, 0.001), 10, Some(60.0)));
    assert_eq!(told(36), ("rl", Some("published"), (0.01, 0.001), 10, Some(60.0)));
    assert_eq!(told(108), ("raymond", None, (1.0, 0.0), 30, Some(20.0)));
    assert!(scenarios.iter().all(|s| s.seed == 7 && s.measure().entries == Some(1000)));
    let metric = "waiting_mean".to_owned();
    assert_eq!(file.rule, Rule::Until(Until { metric, half_width: 0.05, least: 4, most: 100 }));
}

#[test]
fn what_is_left_out_is_as_usual() {
    let file = parse("[scenario]\nprotocol = 'rl'\nseed = 3").unwrap();
    assert_eq!((file.rule.clone(), file.seed, file.scenarios().len()), (Rule::Count(6), 3, 1));
    let points = parse("[[points]]\nprotocol = 'rl'\n[[points]]\nprotocol = 'rr'").unwrap();
    assert_eq!(points.scenarios().len(), 2, "points alone are all there is");
    let twice = parse("[grid]\ntokens = [1, 2]\n[[points]]\ntokens = 2").unwrap();
    assert_eq!(twice.scenarios().len(), 2, "a cell is there once");
    let base = "[scenario]\nprotocol = 'rl:published'\n";
    let named = parse(&format!("{base}[grid]\nprotocol = ['rl', 'rr', 'rl:published']")).unwrap();
    let scenarios = named.scenarios();
    let variants: Vec<_> = scenarios.iter().map(|s| s.variant.as_deref()).collect();
    assert_eq!(variants, [None, None, Some("published")], "another name, and no variant with it");
    assert_eq!(parse(base).unwrap().scenarios()[0].variant.as_deref(), Some("published"));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, expected) in [
        ("[scenario]\nnodes = 3", "a.toml, line 2: scenario: unknown field `nodes`"),
        ("[scenario]\nnetwork = { nodes = 'x' }", "line 2: scenario.network.nodes: invalid type"),
        ("\n[gird]\ntokens = [1]", "a.toml, line 2: `gird` is no part of a sweep"),
        ("protocol = 'rl'", "a.toml, line 1: `protocol` is no part of a sweep"),
        ("[grid]\n\ntokens = 3", "a.toml, line 3: tokens: expected a list"),
        ("[grid]\ntokens = []", "a.toml, line 2: tokens: there is no value"),
        ("[grid]\ntokens = [\n1,\n'x']", "a.toml, line 4: tokens: invalid type"),
        ("[grid]\n'network.nods' = [1]", "a.toml, line 2: network.nods: unknown field `nods`"),
        ("[grid]\nprotocol.x = [1]\n[scenario]\nprotocol = 'rl'", "line 2: protocol.x: `protocol`"),
        ("[grid]\nseed = [1, 2]", "a.toml, line 2: seed: the seeds of repetitions count up"),
        ("[[points]]\nseed = 1", "a.toml, line 2: seed: the seeds of repetitions count up"),
        ("[grid]\ndelay = { from = 0, to = 1 }", "a.toml, line 2: delay: missing field `steps`"),
        ("[grid]\nloss = { from = 0, to = 1, steps = 1 }", "line 2: loss: `steps` is a number"),
        (
            "[grid]\nloss = { from = 1, to = 2, steps = 3, scale = 'x' }",
            "line 2: loss.scale: unknown",
        ),
        ("[zip]\ntokens = [1]", "a.toml, line 1: zip: it is a list: write [[zip]]"),
        ("[[zip]]\ntokens = [1]\nresources = [1, 2]", "line 3: resources: 2 values, but `tokens`"),
        ("[[zip]]\n", "a.toml, line 1: zip: there is no key"),
        ("[grid]\ntokens = [1]\n[[zip]]\ntokens = [2]", "line 4: tokens: it is varied twice"),
        ("[repetitions]\ncount = 0", "a.toml, line 2: count: expected a number from 1"),
        ("[repetitions]\ncuont = 1", "a.toml, line 2: repetitions: unknown field `cuont`"),
        ("[repetitions]\nseed = -1", "a.toml, line 2: repetitions.seed: invalid value"),
        ("[repetitions]\nseed = 9223372036854775807", "a.toml, line 2: seed: the repetitions"),
        (
            "[repetitions]\ncount = 2\nuntil = { metric = 'time', half-width = 1 }",
            "a.toml, line 3: until: it does not go with `count`",
        ),
        (
            "[repetitions]\nuntil = { metric = 'waiting', half-width = 1 }",
            "a.toml, line 2: metric: there is no `waiting`: there are nodes, entries, time, \
             waiting_mean",
        ),
        (
            "[repetitions]\nuntil = { metric = 'time', half-width = 0 }",
            "a.toml, line 2: half-width: expected a part of the mean",
        ),
        (
            "[repetitions]\nuntil = { metric = 'time', half-width = 1, least = 9, most = 8 }",
            "a.toml, line 2: least, most: expected",
        ),
        ("[[points]]\nnetwork.nodes = 'x'", "line 2: points[0]: network.nodes: invalid type"),
        ("[grid]\nnetwork = [\n{ nodes = 'x' }]", "line 3: network.nodes: invalid type"),
        ("[grid\n", "a.toml, line 1: "),
        ("grid = 3", "a.toml, line 1: grid: expected a table"),
        ("scenario = 3", "a.toml, line 1: scenario: expected a table"),
    ] {
        let error = SweepFile::parse(Path::new("a.toml"), text).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(expected), "{text}\n{told}\n{expected}");
        assert!(told.starts_with("a.toml, line ") && told.ends_with(error.what()), "{told}");
    }
    let long: Vec<String> = (1..=1001).map(|k| k.to_string()).collect();
    let long = long.join(", ");
    let many = format!("[grid]\ntokens = [{long}]\nresources = [{long}]");
    assert!(parse(&many).unwrap_err().contains("more than 1000000 combinations"));
    let nowhere = SweepFile::open(Path::new("there/is/none.toml")).unwrap_err().to_string();
    assert!(nowhere.starts_with("there/is/none.toml: cannot be read"), "{nowhere}");
}

#[test]
fn any_text_is_a_sweep_or_refused() {
    let examples = [WHOLE.as_bytes().to_vec()];
    driftlock_fuzz::fuzz!(3_000, &examples, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(file) = SweepFile::parse(Path::new("a.toml"), &text)
            && file.combinations() < 1000
        {
            assert!(file.scenarios().iter().all(|scenario| scenario.seed == file.seed));
        }
    });
}
