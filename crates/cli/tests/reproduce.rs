//! `driftlock reproduce`, before it starts. What it writes is looked at where it is interrupted.

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
    place.refused("reproduce rl --out all", &["all/index.html", "it is a folder"]);
}

#[test]
fn bad_input_makes_no_folder() {
    let place = Place::new();
    place.refused("reproduce raymond", &["there is no paper `raymond`", "(there are: rl)"]);
    place.refused("reproduce rl --reps 1001", &["--reps", "from 1 to 1000"]);
    place.refused("reproduce", &["<PAPER> is missing"]);
    assert!(place.names().is_empty());
}
