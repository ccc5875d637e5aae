//! Histories of no lock, which each model has to tell.

use super::*;

/// Somebody who is inside from one instant to another.
#[derive(Clone, Copy)]
struct Stay {
    from: usize,
    to: usize,
    node: usize,
    group: u64,
    fence: u64,
}

fn stay(from: usize, to: usize, fence: u64) -> Stay {
    Stay { from, to, node: 0, group: 0, fence }
}

fn of_group(group: u64, stay: Stay) -> Stay {
    Stay { group, ..stay }
}

fn at_node(node: usize, stay: Stay) -> Stay {
    Stay { node, ..stay }
}

/// The history of those who stay; whoever enters has asked for an instant or longer.
fn history_of(stays: &[Stay], asked_for: usize) -> Actions {
    let mut actions = Vec::new();
    for (k, &Stay { from, to, node, group, fence }) in stays.iter().enumerate() {
        let enter = Op::Enter { who: k as u64, node, group, fence };
        let leave = Op::Leave(k as u64);
        let asks = (10 * from).saturating_sub(10 * asked_for + 1);
        actions.push((asks, 2 * k, Action::Call(enter)));
        actions.push((10 * from, 2 * k, Action::Response(enter)));
        actions.push((10 * to - 3, 2 * k + 1, Action::Call(leave)));
        actions.push((10 * to - 2, 2 * k + 1, Action::Response(leave)));
    }
    actions.sort_by_key(|(at, ..)| *at);
    actions.into_iter().map(|(_, number, action)| (number, action)).collect()
}

/// Whether the model allows these stays, however long they have asked for.
fn allowed<M: Specification<Operation = Op>>(stays: &[Stay]) -> bool {
    let verdicts = [0, 1, 5].map(|asked_for| fits::<M>(&history_of(stays, asked_for)));
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{verdicts:?}");
    verdicts[0]
}

#[test]
fn a_mutex_has_one_holder_and_fences_that_grow() {
    type Mutex = OfPermits<1>;
    assert!(allowed::<Mutex>(&[stay(1, 2, 1), stay(2, 5, 4), stay(6, 7, 5)]));
    assert!(!allowed::<Mutex>(&[stay(1, 3, 1), stay(2, 5, 4)]), "two holders");
    assert!(!allowed::<Mutex>(&[stay(1, 2, 4), stay(3, 5, 3)]), "a fence that goes back");
    assert!(!allowed::<Mutex>(&[stay(1, 2, 4), stay(3, 5, 4)]), "a fence twice");
    let far = [stay(1, 2, 1), stay(3, 4, 9), stay(5, 6, 10), stay(7, 8, 5)];
    assert!(!allowed::<Mutex>(&far), "less than one long before");
}

#[test]
fn of_three_permits_there_are_three_and_the_fences_of_each_grow() {
    type Three = OfPermits<3>;
    let three = [stay(1, 6, 2), stay(2, 7, 1), stay(3, 8, 1)];
    assert!(allowed::<Three>(&three));
    assert!(!allowed::<Three>(&[&three[..], &[stay(4, 9, 9)]].concat()), "a fourth");
    let again = [&three[..], &[stay(7, 9, 2), stay(8, 9, 2)]].concat();
    assert!(allowed::<Three>(&again));
    assert!(!allowed::<Three>(&[&again[..], &[stay(9, 10, 2)]].concat()), "a fence of all three");
    let back = [&three[..], &[stay(9, 11, 1)]].concat();
    assert!(!allowed::<Three>(&back), "not greater than any permit that is free");
}

#[test]
fn a_room_has_one_group_and_fences_grow_from_one_to_another() {
    let (north, south) = (|stay| of_group(1, stay), |stay| of_group(2, stay));
    let together = [north(stay(1, 5, 3)), north(stay(2, 6, 1)), north(stay(3, 4, 3))];
    assert!(allowed::<OfGroups>(&together), "fences within a group say nothing");
    assert!(allowed::<OfGroups>(&[&together[..], &[south(stay(6, 7, 4))]].concat()));
    assert!(!allowed::<OfGroups>(&[&together[..], &[south(stay(5, 7, 4))]].concat()), "two groups");
    assert!(!allowed::<OfGroups>(&[&together[..], &[south(stay(6, 7, 3))]].concat()), "a fence");
    let back = [south(stay(1, 2, 5)), north(stay(3, 4, 6)), south(stay(5, 6, 6))];
    assert!(!allowed::<OfGroups>(&back));
}

#[test]
fn of_two_neighbors_one_is_inside_and_fences_grow_between_them() {
    let [a, b, c] = [0, 1, 2].map(|node| move |stay| at_node(node, stay));
    assert!(allowed::<OfNeighbors>(&[a(stay(1, 5, 7)), c(stay(2, 6, 1)), b(stay(6, 7, 8))]));
    assert!(!allowed::<OfNeighbors>(&[a(stay(1, 5, 1)), b(stay(4, 6, 2))]), "two neighbors");
    assert!(!allowed::<OfNeighbors>(&[a(stay(1, 5, 3)), b(stay(5, 6, 2))]), "a fence");
}

/// What has happened is a history of its lock; with one thing altered it is of none.
#[test]
fn what_was_recorded_does_not_fit_once_it_is_altered() {
    let (lock, pad) = (Kind::Exclusive, key(Kind::Exclusive));
    let whole = history(&crowd(1, std::slice::from_ref(&pad), true).book, &pad);
    assert!(fits_kind(lock, &whole));
    let is_enter = |action: &Action<Op>| matches!(action, Action::Response(Op::Enter { .. }));
    let enters: Vec<usize> = (0..whole.len()).filter(|&k| is_enter(&whole[k].1)).collect();
    for &k in enters.iter().skip(1).step_by(10) {
        let mut back = whole.clone();
        let number = back[k].0;
        for (other, action) in &mut back {
            if let Action::Call(op) | Action::Response(op) = action
                && let Op::Enter { fence, .. } = op
                && *other == number
            {
                *fence = 1;
            }
        }
        assert!(!fits_kind(lock, &back), "the fence at {k} goes back");
        // Whoever was inside leaves only after the next one has entered.
        let Some(j) = (0..k).rev().find(|&j| is_enter(&whole[j].1)) else { continue };
        let mut two = whole.clone();
        let is_leaving = |(number, _): &(usize, Action<Op>)| *number == whole[j].0 + 1;
        let leaving: Vec<_> = two.iter().filter(|entry| is_leaving(entry)).cloned().collect();
        two.retain(|entry| !is_leaving(entry));
        let entered = two.iter().position(|entry| *entry == whole[k]).expect("it is there") + 1;
        two.splice(entered..entered, leaving);
        assert!(!fits_kind(lock, &two), "two are inside at {k}");
    }
}
