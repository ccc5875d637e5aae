//! `driftlock reproduce`: what it refuses, and that it writes the same files on any number of
//! threads. What it keeps when it is interrupted is looked at there.

use crate::place::Place;

#[test]
fn a_folder_that_cannot_be_made_is_refused_before_anything_runs() {
    let place = Place::new();
    place.write("taken", "");
    place.refused("reproduce rl --out taken", &["cannot make the folder taken"]);
    place.refused("reproduce rl --out taken/deeper", &["cannot make the folder taken/deeper"]);
    assert_eq!(place.read("taken"), b"");
}

#[test]
fn a_folder_whose_page_cannot_be_written_is_refused_before_anything_runs() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("all/index.html")).unwrap();
    for paper in ["rl", "wwv", "sbs", "sbs2014"] {
        place.refused(
            &format!("reproduce {paper} --out all"),
            &["all/index.html", "it is a folder"],
        );
    }
}

#[test]
fn bad_input_makes_no_folder() {
    let place = Place::new();
    place.refused(
        "reproduce raymond",
        &["there is no paper `raymond`", "(there are: rl, krl, gme, lme, cluster, wwv"],
    );
    place.refused("reproduce sbs2004", &["no paper `sbs2004`", "did you mean `sbs2014`?"]);
    place.refused("reproduce clusters", &["did you mean `cluster`?"]);
    place.refused("reproduce rl --reps 1001", &["--reps", "from 1 to 1000"]);
    place.refused("reproduce", &["<PAPER> is missing"]);
    assert!(place.names().is_empty());
}

#[test]
fn any_number_of_threads_writes_the_same_files() {
    let place = Place::new();
    let one = place.fine("reproduce gme --reps 1 --threads 1 --out one");
    let several = place.fine("reproduce gme --reps 1 --threads 3 --out several");
    assert_eq!(several.out.replace("several/", "one/"), one.out);
    assert!(one.out.contains("What we expect of GME"), "{}", one.out);
    let names = ["index.html", "results.md", "runs.csv", "load.csv", "popular.svg", "mobility.svg"];
    for name in names {
        let [a, b] = ["one", "several"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(a == b && !a.is_empty(), "{name}");
    }
}
