//! The pages of results are what their commands give. `UPDATE=1` rewrites them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::place::Place;

/// Where the pages are, from the folder of this crate.
fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results")
}

/// What comes after a command on the page: its table with what stands below it, and figures.
struct Shown<'p> {
    table: &'p str,
    figures: Vec<&'p str>,
}

impl<'p> Shown<'p> {
    fn of(text: &'p str) -> Self {
        let (table, _) = text.split_once("![").expect("a figure comes after the table");
        let links = text.split("](").skip(1).filter_map(|link| Some(link.split_once(')')?.0));
        let figures: Vec<&str> = links.filter(|link| link.ends_with(".svg")).collect();
        assert!(!figures.is_empty());
        Shown { table, figures }
    }
}

/// The same of what was written by the command.
fn table(place: &Place) -> String {
    let written = String::from_utf8(place.read("compared/results.md")).unwrap();
    let written = written.replace("**Side by side**\n\n", "");
    let (_, rest) = written.split_once("```\n\n").expect("the command comes first");
    rest.split_once("![").expect("figures come last").0.to_owned()
}

/// Write a file if it is to be rewritten, and look at it otherwise.
fn check(name: &str, found: &[u8]) {
    let path = results().join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, found).unwrap();
    }
    let is_same = fs::read(&path).unwrap() == found;
    assert!(is_same, "docs/results/{name} differs; UPDATE=1 rewrites it");
}

#[test]
fn the_page_on_traces_is_what_its_commands_give() {
    let place = Place::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/tests/samples");
    for sample in fs::read_dir(samples).unwrap() {
        let sample = sample.unwrap();
        place.write(sample.file_name().to_str().unwrap(), fs::read(sample.path()).unwrap());
    }
    let page = fs::read_to_string(results().join("traces.md")).unwrap();
    let mut sections = page.split("\n```sh\n");
    let mut again = sections.next().unwrap().to_owned();
    let mut known = BTreeSet::new();
    for section in sections {
        let (command, rest) = section.split_once("\n```\n\n").expect("one command in a block");
        let line = command.strip_prefix("driftlock ").expect("a command of ours");
        let done = place.run(line);
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        let Shown { table: shown, figures } = Shown::of(rest);
        let rest = &rest[shown.len()..];
        again += &format!("\n```sh\n{command}\n```\n\n{}{rest}", table(&place));
        for figure in figures {
            let (_, name) = figure.rsplit_once('-').expect("a name, and which figure it is");
            check(figure, &place.read(&format!("compared/{name}")));
            assert!(known.insert(figure.to_owned()), "{figure} is shown twice");
        }
    }
    check("traces.md", again.as_bytes());
    let names = fs::read_dir(results()).unwrap().map(|file| file.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let all: BTreeSet<String> =
        names.filter(|name| name.starts_with("traces-") && name.ends_with(".svg")).collect();
    assert_eq!(all, known, "every figure is shown");
}
