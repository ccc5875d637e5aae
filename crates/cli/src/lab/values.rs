//! Values as they are typed in the lab.

use driftlock_check::NODES_MAX;
use driftlock_sim::{Moment, Scenario, Scripted};

pub(crate) use crate::values::{between, number, repetitions, whole};

/// The same for the many points of a paper.
pub(crate) const POINT_REPETITIONS_MAX: u64 = 1000;
/// More threads than this only get in each other's way.
const THREADS_MAX: u64 = 1024;
/// More nodes than this are not listed by hand.
const LISTED_MAX: usize = 1_000_000;

/// How many repetitions of each point.
pub(crate) fn point_repetitions(text: &str) -> Result<u64, String> {
    between(text, 1, POINT_REPETITIONS_MAX)
}

/// How many threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    between(text, 1, THREADS_MAX).map(|threads| threads as usize)
}

/// A list of nodes, in order.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NodeList(pub(crate) Vec<u32>);

/// Nodes and ranges of nodes, or `none`.
pub(crate) fn nodes(text: &str) -> Result<NodeList, String> {
    let mut nodes = Vec::new();
    if text == "none" {
        return Ok(NodeList(nodes));
    }
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (node(first, text)?, node(last, text)?);
        if last < first {
            return Err(format!("the range `{part}` ends before it begins"));
        }
        if LISTED_MAX - nodes.len() <= (last - first) as usize {
            return Err(format!("`{part}` makes it more than {LISTED_MAX} nodes"));
        }
        nodes.extend(first..=last);
    }
    nodes.sort_unstable();
    nodes.dedup();
    Ok(NodeList(nodes))
}

fn node(part: &str, text: &str) -> Result<u32, String> {
    let wrong = || format!("expected nodes like 0,3,7-9, or none, found `{text}`");
    part.trim().parse().map_err(|_| wrong())
}

/// How many nodes a check can bear.
pub(crate) fn checked_nodes(text: &str) -> Result<usize, String> {
    between(text, 1, NODES_MAX)
}

/// How many resources there are to ask for.
pub(crate) fn resources(text: &str) -> Result<u8, String> {
    between(text, 1, 100)
}

/// At least one of something.
pub(crate) fn some(text: &str) -> Result<u32, String> {
    between(text, 1, u32::MAX)
}

/// Nodes that stop for good, when, and at which moment from then on.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Crashes(pub(crate) Vec<(u32, f64, Option<Moment>)>);

/// Nodes with their times.
pub(crate) fn crashes(text: &str) -> Result<Crashes, String> {
    let wrong = || format!("expected nodes with times like 3@40,5@60.5:inside, found `{text}`");
    let crash = |part: &str| {
        let (node, at) = part.trim().split_once('@').ok_or_else(wrong)?;
        let node = node.parse().map_err(|_| wrong())?;
        let (at, once) = match at.split_once(':') {
            None => (at, None),
            Some((at, "inside")) => (at, Some(Moment::Inside)),
            Some((at, "waiting")) => (at, Some(Moment::Waiting)),
            Some(_) => return Err(wrong()),
        };
        Ok((node, number(at).map_err(|_| wrong())?, once))
    };
    let crashes: Result<Vec<_>, String> = text.split(',').map(crash).collect();
    crashes.map(Crashes)
}

/// Events at given times.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Script(pub(crate) Vec<Scripted>);

/// Events as a scenario file has them.
pub(crate) fn script(text: &str) -> Result<Script, String> {
    let scenario = Scenario::from_toml(&format!("script = {text}"));
    let told = |what: &str| what.trim_start_matches("line 1: ").to_owned();
    match scenario.map_err(|error| told(&error.to_string()))? {
        // Whatever else stands behind a line break is no event.
        Scenario { script, .. } if !text.contains('\n') => Ok(Script(script)),
        _ => Err("expected events on one line, like [{ at = 1, request = 0 }]".into()),
    }
}

/// A flag, and the values that it takes in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sweep {
    pub(crate) key: String,
    pub(crate) values: Vec<String>,
}

/// A flag without its dashes and a list of values.
pub(crate) fn sweep(text: &str) -> Result<Sweep, String> {
    let wrong = || format!("expected a flag and its values like load=0.01,0.1,1, found `{text}`");
    let (key, values) = text.split_once('=').ok_or_else(wrong)?;
    let key = key.trim_start_matches("--").to_owned();
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
    if key.is_empty() || values.iter().any(String::is_empty) {
        return Err(wrong());
    }
    let twice = values.iter().enumerate().find(|(k, value)| values[..*k].contains(value));
    match twice {
        Some((_, value)) => Err(format!("`{value}` is there twice")),
        None => Ok(Sweep { key, values }),
    }
}

/// How far apart heights may be.
pub(crate) fn spread(text: &str) -> Result<u32, String> {
    between(text, 0, u32::MAX)
}

/// A number of events that a check can bear.
pub(crate) fn small(text: &str) -> Result<u8, String> {
    between(text, 0, 100)
}

/// How often something happens: for all nodes, or for each of them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Counts(pub(crate) Vec<u8>);

/// A number, or a list of them.
pub(crate) fn counts(text: &str) -> Result<Counts, String> {
    let counts: Result<Vec<u8>, String> = text.split(',').map(|part| small(part.trim())).collect();
    let wrong = |_| format!("expected numbers from 0 to 100 like 1,1,2, found `{text}`");
    counts.map(Counts).map_err(wrong)
}

/// Links of a small network.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Links(pub(crate) Vec<(u32, u32)>);

/// Pairs of nodes.
pub(crate) fn links(text: &str) -> Result<Links, String> {
    let links: Result<Vec<(u32, u32)>, String> =
        text.split(',').map(|part| link(part, text)).collect();
    links.map(Links)
}

fn link(part: &str, text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("expected links like 0-1,1-2, found `{text}`");
    let (a, b) = part.split_once('-').ok_or_else(wrong)?;
    let node = |end: &str| end.trim().parse::<u32>().map_err(|_| wrong());
    let (a, b) = (node(a)?, node(b)?);
    if a == b {
        return Err(format!("`{part}` links a node to itself"));
    }
    let last = NODES_MAX - 1;
    if a.max(b) as usize > last {
        return Err(format!("`{part}`: a check has nodes from 0 to {last}"));
    }
    Ok((a, b))
}

/// An amount of memory.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected an amount of memory like 500MB or 4GiB, found `{text}`");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim() {
        "kB" | "KB" => 1000,
        "KiB" | "K" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" | "M" => 1 << 20,
        "GB" => 1_000_000_000,
        "GiB" | "G" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: Option<u64> = number.parse().ok().filter(|&number: &u64| number > 0);
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)
}

/// A list of nodes in order, as it is typed.
pub(crate) fn typed_nodes(nodes: &[u32]) -> String {
    if nodes.is_empty() {
        return "none".into();
    }
    let runs = nodes.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let parts = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        one => one.iter().map(u32::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes_are_sorted_and_written_back_as_ranges() {
        for (text, list, written) in [
            ("3", vec![3], "3"),
            ("7-9,0,3", vec![0, 3, 7, 8, 9], "0,3,7-9"),
            ("1,2,2, 1", vec![1, 2], "1-2"),
            ("4294967295", vec![u32::MAX], "4294967295"),
            ("none", vec![], "none"),
        ] {
            assert_eq!(nodes(text), Ok(NodeList(list.clone())), "{text}");
            assert_eq!(typed_nodes(&list), written);
        }
    }

    #[test]
    fn lists_that_make_no_sense_are_refused() {
        for text in ["", "x", "1-", "-1", "1,,2", "5-1", "0-4294967295", "0-999999,0-9", "1.5"] {
            assert!(nodes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn scripts_are_events_on_a_line() {
        let first = Scripted { at: 1.0, request: Some(0), ..Scripted::default() };
        assert_eq!(script("[{ at = 1, request = 0 }]"), Ok(Script(vec![first])));
        assert_eq!(script("[]"), Ok(Script(Vec::new())));
        assert!(script("[{ at = 1, ask = 0 }]").unwrap_err().starts_with("unknown field `ask`"));
        assert!(script("[]\nseed = 3").unwrap_err().contains("on one line"));
        assert!(script("[{ at = 1").is_err() && script("3").is_err());
    }

    #[test]
    fn crashes_have_a_node_and_a_time() {
        let two = vec![(3, 40.0, None), (5, 60.5, Some(Moment::Inside))];
        assert_eq!(crashes("3@40, 5@60.5:inside"), Ok(Crashes(two)));
        assert_eq!(crashes("0@1:waiting"), Ok(Crashes(vec![(0, 1.0, Some(Moment::Waiting))])));
        for text in ["", "3", "3@", "@4", "x@1", "-1@1", "3@nan", "3@1,", "3@1@2", "3@1:", "3@1:x"]
        {
            assert!(crashes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_sweep_has_a_flag_and_its_values() {
        let values = ["0.1", "1"].map(String::from).to_vec();
        let expected = Sweep { key: "load".into(), values };
        for text in ["load=0.1,1", "--load=0.1, 1"] {
            assert_eq!(sweep(text), Ok(expected.clone()));
        }
        for text in ["", "load", "=1", "load=", "load=1,", "load=1,2,1"] {
            assert!(sweep(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_check_is_given() {
        assert_eq!(counts("1, 2,0"), Ok(Counts(vec![1, 2, 0])));
        assert_eq!(links("0-1,2-1"), Ok(Links(vec![(0, 1), (2, 1)])));
        assert_eq!(
            (size("4GiB"), size("500MB"), size("1K")),
            (Ok(4 << 30), Ok(500_000_000), Ok(1024))
        );
        assert!(["", "1,", "x", "-1", "101"].iter().all(|text| counts(text).is_err()));
        assert!(["", "0", "0-0", "1-x", "0-1,", "0-8"].iter().all(|text| links(text).is_err()));
        assert!(["", "4", "GiB", "0GiB", "1.5GB", "99999999999G"].iter().all(|t| size(t).is_err()));
    }
}
