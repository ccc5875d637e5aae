//! Cut the link at every frame of a token hand-off, in every order: nothing is lost and nothing
//! doubled, and from every state everything is settled once frames arrive again.

use crate::explorer::{Budget, Mistake, Model};

/// Two nodes.
fn two(mistake: Mistake) -> Model {
    Model { n: 2, mistake, fragile: vec![(0, 1)] }
}

/// Three nodes, all linked; the link between the first two breaks, the third relays.
fn three(mistake: Mistake) -> Model {
    Model { n: 3, mistake, fragile: vec![(0, 1)] }
}

const BUDGET: Budget = Budget { breaks: 1, passes: 1, chats: 0, asks: 0, restarts: 0 };

#[test]
fn two_nodes_from_the_first_handshake_on() {
    let model = two(Mistake::None);
    let n_states = |budget| model.explore(model.start(budget), &[true]);
    assert_eq!(n_states(Budget { breaks: 0, ..BUDGET }), Ok(46));
    assert_eq!(n_states(Budget { breaks: 1, ..BUDGET }), Ok(1773));
    assert_eq!(n_states(Budget { breaks: 2, ..BUDGET }), Ok(37190));
}

#[test]
fn two_nodes_pass_the_token_back_and_forth() {
    let model = two(Mistake::None);
    let n_states = |budget| model.explore(model.start_up(budget), &[true]);
    assert_eq!(n_states(Budget { passes: 2, ..BUDGET }), Ok(2158));
    assert_eq!(n_states(Budget { passes: 2, breaks: 2, ..BUDGET }), Ok(73835));
}

#[test]
fn two_nodes_send_other_messages_too() {
    let model = two(Mistake::None);
    let start = model.start_up(Budget { chats: 1, ..BUDGET });
    assert_eq!(model.explore(start, &[true]), Ok(23768));
}

#[test]
fn three_nodes_settle_over_the_third() {
    let model = three(Mistake::None);
    let n_states = |budget| model.explore(model.start_up(budget), &[true, false]);
    assert_eq!(n_states(BUDGET), Ok(1086));
    assert_eq!(n_states(Budget { asks: 1, ..BUDGET }), Ok(17337));
    assert_eq!(n_states(Budget { breaks: 2, ..BUDGET }), Ok(42021));
}

/// The way to ask over breaks too.
#[test]
fn three_nodes_lose_the_detour_as_well() {
    let model = Model { fragile: vec![(0, 1), (1, 2)], ..three(Mistake::None) };
    let start = model.start_up(Budget { breaks: 2, ..BUDGET });
    assert_eq!(model.explore(start, &[]), Ok(216180));
}

/// What the search says about a mistake, in one line.
fn found(model: &Model, budget: Budget) -> String {
    let found = model.explore(model.start_up(budget), &[]).expect_err("a mistake");
    found.lines().next().unwrap_or_default().into()
}

#[test]
fn to_close_without_asking_is_found() {
    let doubled = "a token was doubled: delivered, but not under way after 3 steps:";
    assert_eq!(found(&two(Mistake::TakeItBack), BUDGET), doubled);
    assert_eq!(found(&two(Mistake::LetItGo), BUDGET), "a token was lost after 2 steps:");
}

#[test]
fn to_answer_without_freezing_is_found() {
    let doubled = "a token was doubled: returned, but not under way after 5 steps:";
    assert_eq!(found(&two(Mistake::AnswerWithoutFreezing), BUDGET), doubled);
    assert_eq!(found(&three(Mistake::AnswerWithoutFreezing), BUDGET), doubled);
}

#[test]
fn frames_that_outlive_their_incarnation_are_found() {
    let doubled = "a token was doubled: delivered, but not under way after 7 steps:";
    assert_eq!(found(&two(Mistake::OneKeyForAll), BUDGET), doubled);
}

/// Killed and started again at any point, and perhaps twice.
#[test]
fn two_nodes_are_killed_at_every_point() {
    let model = two(Mistake::None);
    let n_states = |budget| model.explore(model.start(budget), &[true]);
    let budget = Budget { breaks: 0, restarts: 1, ..BUDGET };
    assert_eq!(n_states(budget), Ok(3231));
    assert_eq!(n_states(Budget { restarts: 2, ..budget }), Ok(114876));
    assert_eq!(n_states(Budget { breaks: 1, ..budget }), Ok(127959));
}

#[test]
fn two_nodes_are_killed_while_the_token_goes_back_and_forth() {
    let model = two(Mistake::None);
    let n_states = |budget| model.explore(model.start_up(budget), &[true]);
    let budget = Budget { breaks: 0, restarts: 1, passes: 2, ..BUDGET };
    assert_eq!(n_states(budget), Ok(3153));
    assert_eq!(n_states(Budget { chats: 1, ..budget }), Ok(272269));
}

#[test]
fn three_nodes_are_killed_at_every_point() {
    let model = three(Mistake::None);
    let n_states = |budget| model.explore(model.start_up(budget), &[true]);
    assert_eq!(n_states(Budget { breaks: 0, restarts: 1, ..BUDGET }), Ok(48993));
}

#[test]
fn what_is_not_written_down_is_found() {
    let budget = Budget { breaks: 0, restarts: 1, ..BUDGET };
    assert_eq!(found(&two(Mistake::ForgetSent), budget), "a token was lost after 3 steps:");
    assert_eq!(
        found(&two(Mistake::ForgetReceived), budget),
        "a token was doubled: returned, but not under way after 5 steps:"
    );
    let budget = Budget { breaks: 1, restarts: 1, ..BUDGET };
    assert_eq!(
        found(&two(Mistake::ForgetDown), budget),
        "returned on a link that is not up after 5 steps:"
    );
}
