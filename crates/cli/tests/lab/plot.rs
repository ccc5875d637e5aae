//! `driftlock plot` and `driftlock report`.

use crate::place::Place;

const SMALL: &str = "
[scenario]
network = { nodes = 10, connectivity = 40 }
link-changes = { model = 'toggle' }
measure = { warmup = 0, entries = 100 }
[grid]
protocol = ['rl', 'krl']
'requests.rate' = [0.1, 1, 10]
'link-changes.rate' = [0.001, 0.01]
[repetitions]
count = 3
";

fn swept() -> Place {
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.fine("sweep small.toml");
    place
}

#[test]
fn any_metric_is_drawn_against_any_parameter() {
    let place = swept();
    let line = "--x requests_rate --y waiting_mean --by protocol --facet link_changes_rate --log-x";
    let told = place.fine(&format!("plot small {line} --out a.svg --out a.png"));
    assert_eq!(told.out, "a.svg\na.png\n");
    let svg = String::from_utf8(place.read("a.svg")).unwrap();
    for part in [
        "Waiting mean against requests rate",
        "(a) link changes rate = 0.001",
        "(b) link changes rate = 0.01",
        "waiting mean (time units)",
        "requests rate (1/time unit)",
        ">rl</text>",
        ">krl</text>",
        "class=\"band\"",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    assert!(place.read("a.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    place.fine(&format!("plot small/results.csv {line} --out b.svg --out b.png"));
    assert_eq!(place.read("a.svg"), place.read("b.svg"), "CSV and Parquet have the same in them");
    assert_eq!(place.read("a.png"), place.read("b.png"));
    place.fine("plot small --x network_nodes --y throughput --where protocol=rl");
    let svg = String::from_utf8(place.read("throughput-network_nodes.svg")).unwrap();
    let note = "Marks: means over all values of link_changes_rate, requests_rate; no intervals. \
                Only protocol = rl.";
    assert!(svg.contains(note), "{svg}");
    assert!(!svg.contains("class=\"band\""), "{svg}");
    place.fine("plot small --x protocol --y waiting_mean --by requests_rate --out side.svg");
    let svg = String::from_utf8(place.read("side.svg")).unwrap();
    for part in ["Waiting mean against protocol, by requests rate", ">rl</text>", "at krl</title>"]
    {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    place.fine("plot small --x waiting_mean --y throughput --by protocol --out runs.svg");
    let svg = String::from_utf8(place.read("runs.svg")).unwrap();
    assert!(svg.contains("Marks: a run each"), "{svg}");
    assert!(!svg.contains("stroke-linejoin"), "no line: {svg}");
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let place = swept();
    let line = "plot small --y waiting_mean";
    place.refused(&format!("{line} --x request_rate"), &["`request_rate`", "requests_rate"]);
    place.refused(&format!("{line} --x protocol --log-x"), &["`protocol` has no numbers"]);
    place.refused("plot small --x requests_rate --y protocol", &["no column of numbers"]);
    let none = "none has protocol = raymond, but krl, rl";
    place.refused(&format!("{line} --x requests_rate --where protocol=rr"), &[none]);
    place.refused(&format!("{line} --x requests_rate --out a.pdf"), &["--out", ".svg or .png"]);
    place.refused("plot nowhere --x a --y b", &["nowhere"]);
    place.refused("report .", &["there are no results in it"]);
    place.write("bad.csv", "a,b\n1\n");
    place.refused("plot bad.csv --x a --y b", &["bad.csv: line 2: 1 fields, and not 2"]);
    let cut = &place.read("small/results.parquet")[..1000];
    place.write("bad.parquet", cut);
    place.refused("plot bad.parquet --x a --y b", &["bad.parquet"]);
}

/// `medium` is that of the protocol, and no reason for panels. Sizes are.
#[test]
fn a_report_draws_what_was_varied() {
    let place = Place::new();
    place.write("it's my load.toml", MORE);
    place.run_words(["sweep", "it's my load.toml", "--out", "more"]);
    place.fine("report more");
    let page = String::from_utf8(place.read("more/report.html")).unwrap();
    for part in [
        "Results of it&#39;s my load.toml",
        "driftlock sweep &#39;it&#39;\\&#39;&#39;s my load.toml&#39;",
        "(a) network nodes = 6",
        "critical_section = 2</h3>",
        "Only critical_section = 2.",
        ">raymond</text>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("medium ="), "no panel of what follows from the protocol");
    assert!(!page.contains("no intervals"), "no mark is over several cells");
}

/// With nothing but protocols and models to compare.
#[test]
fn a_report_without_numbers_has_figures() {
    let place = Place::new();
    place.write(
        "names.toml",
        "
[scenario]
network = { shape = 'geometric', nodes = 8, degree = 4 }
measure = { warmup = 0, entries = 30 }
[grid]
protocol = ['rl', 'rl:published']
",
    );
    place.fine("sweep names.toml");
    place.fine("report names");
    let page = String::from_utf8(place.read("names/report.html")).unwrap();
    for part in ["Waiting mean against protocol", ">rl:published</text>", "mean of all runs: "] {
        assert!(page.contains(part), "{part}");
    }
}

const MORE: &str = "
[scenario]
network = { connectivity = 60 }
measure = { warmup = 0, entries = 20 }
[grid]
protocol = ['rl', 'raymond']
'requests.rate' = [0.1, 1, 10, 100]
'network.nodes' = [6, 9, 12]
critical-section = [1, 2]
[repetitions]
count = 2
";

/// Nobody can write there, whoever it is.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_is_told_with_what_to_do() {
    let place = swept();
    place.refused("sweep small.toml --out /proc", &["into the folder /proc (--out", "another"]);
    place.refused("report small --out /proc/a.html", &["write /proc/a.html", "--out names"]);
}

#[test]
fn a_report_has_everything_in_it() {
    let place = swept();
    assert_eq!(place.fine("report small").out, "small/report.html\n");
    let page = String::from_utf8(place.read("small/report.html")).unwrap();
    for part in [
        "Results of small.toml",
        "36 runs of 12 cells, with seeds from 1",
        "<pre><code>driftlock sweep small.toml</code></pre>",
        "<code>requests_rate</code>: 0.1, 1, 10",
        "All promises held in all runs",
        "Messages per entry against requests rate",
        "Means with 95 % intervals",
        "polars.read_parquet",
        "Jain&#39;s index",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["src=", "<script", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    place.fine("report small/results.csv --out again.html");
    assert_eq!(place.read("again.html"), page.into_bytes());
}
