//! The Python client, by its own tests.

use std::process::Command;

use driftlock_fuzz::skipped;

use crate::Place;

#[test]
fn the_python_client_passes_its_tests() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("there is no python3 here");
    }
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../clients/python");
    let done = Command::new("python3")
        .args(["-B", "-m", "unittest", "-v", "test_driftlock"])
        .current_dir(folder)
        .env("DRIFTLOCK_TEST_SOCKET", place.fake.path())
        .env("DRIFTLOCK_TEST_FAKE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("... ok") && !said.contains("skipped"), "{said}");
    place.fake.expect(0, 0);
}
