//! Scenarios that broke a promise of a repaired protocol while it was written.

use crate::place::Place;

fn holds(line: &str) {
    let done = Place::new().run(line);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{line}: {done:?}");
    assert!(done.out.contains("all promises held"), "{line}: {done:?}");
}

/// A node that missed the token took a neighbor with the token for one that misses it too, since
/// who takes the token tells only those below it (KRL, D7).
#[test]
fn who_misses_the_token_hears_of_who_does_not() {
    holds("sim rlp --campaign --runs 1 --seed 106939");
}

/// A node heard that the one it counted on had raised its height, and did not ask it again because
/// it had a token from elsewhere just then (KRL, D4).
#[test]
fn a_holder_asks_again_too() {
    holds("sim krla --campaign --runs 1 --seed 101425");
}

/// A node raised its height and came down to where it was while a link formed, and the other end,
/// which was not told, counted on a request that was void (KRL, D4).
#[test]
fn a_raise_while_a_link_forms_is_told() {
    holds("sim rlp --campaign --runs 1 --seed 215117");
}
