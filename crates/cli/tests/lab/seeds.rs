//! What campaigns have found, and what is kept of it in the repository.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::place::Place;

#[test]
fn every_seed_breaks_the_promise_its_page_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let mut listed = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, name, promise, steps, _, command, _] = cells[..] else { panic!("{row}") };
        let name = name.trim_matches('`');
        let journal = folder.join(name);
        let place = Place::new();
        let done = place.run_words(["replay".as_ref(), journal.as_os_str()]);
        assert_eq!(done.code, Some(1), "{name}: {done:?}");
        assert!(done.out.starts_with(&format!("{steps} steps replayed")), "{}", done.out);
        assert!(done.out.contains(&format!("({promise})")), "{}", done.out);
        let found = place.run(command.trim_matches('`').strip_prefix("driftlock ").unwrap());
        assert!(found.out.contains(&format!("({promise})")), "{command}: {found:?}");
        listed.insert(name.to_owned());
    }
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let files = files.map(|name| name.into_string().unwrap());
    let kept: BTreeSet<String> = files.filter(|name| name.ends_with(".dlj")).collect();
    assert_eq!(kept, listed);
    assert!(kept.len() >= 2);
}
