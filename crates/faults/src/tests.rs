use std::collections::BTreeSet;

use crate::{Air, Change, Deed, Event, LOCKS, Schedule, Step};

const SEEDS: u64 = 2_000;

#[test]
fn a_seed_has_one_schedule() {
    assert_eq!(Schedule::draw(7), Schedule::draw(7));
    assert_ne!(Schedule::draw(7).events, Schedule::draw(8).events);
}

#[test]
fn few_networks_are_large() {
    let sizes: Vec<usize> = (0..SEEDS).map(|seed| Schedule::draw(seed).nodes).collect();
    let large = sizes.iter().filter(|nodes| **nodes > 8).count();
    assert!((20..80).contains(&large), "{large}");
    assert!(sizes.iter().all(|nodes| (3..=8).contains(nodes) || (20..=50).contains(nodes)));
    assert!(sizes.contains(&50) || sizes.contains(&49), "about as many as there may be");
}

/// Everything happens in order, nothing twice, and nothing after all is well.
#[test]
fn in_the_end_all_is_well() {
    for seed in 0..SEEDS {
        let schedule = Schedule::draw(seed);
        let mut air = Air::new(&schedule.links);
        let mut deeds: Vec<Deed> = vec![Deed::Start; schedule.nodes];
        let (mut asked, mut forgotten) = (BTreeSet::new(), BTreeSet::new());
        assert!(schedule.events.is_sorted_by_key(|(at, _)| *at), "seed {seed}");
        for (at, event) in &schedule.events {
            assert!(*at <= schedule.healed_at, "seed {seed}");
            match event {
                Event::Air(change) => air.change(change),
                Event::Node(by, Deed::Forget(node)) => {
                    assert!(by != node && forgotten.insert(*node), "seed {seed}");
                }
                Event::Node(node, deed) => {
                    let last = core::mem::replace(&mut deeds[*node], *deed);
                    let before: &[Deed] = match deed {
                        Deed::Stop | Deed::Kill | Deed::Fail => &[Deed::Continue, Deed::Start],
                        Deed::Continue => &[Deed::Stop],
                        Deed::Start => &[Deed::Kill, Deed::Fail],
                        Deed::Forget(_) => unreachable!("seen before"),
                    };
                    assert!(before.contains(&last), "seed {seed}: {deed:?} after {last:?}");
                }
                Event::Program(number, Step::Asks) => assert!(asked.insert(*number)),
                Event::Program(number, Step::IsKilled) => assert!(asked.contains(number)),
            }
        }
        let lost = schedule.lost();
        for (node, deed) in deeds.iter().enumerate() {
            let is_well = matches!(deed, Deed::Continue | Deed::Start);
            assert_eq!(is_well, !lost.contains(&node), "seed {seed}");
        }
        assert!(lost.is_subset(&forgotten) && 2 * forgotten.len() < schedule.nodes, "seed {seed}");
        assert_eq!(schedule.forgets(), !forgotten.is_empty(), "seed {seed}");
        assert_eq!(asked.len(), schedule.asks.len(), "seed {seed}");
        assert_eq!(air.loss(), 0, "seed {seed}");
        let left: BTreeSet<usize> = (0..schedule.nodes).filter(|i| !lost.contains(i)).collect();
        assert!(is_whole(&left, &air), "seed {seed}");
        let is_failure = |i| move |event: &Event| *event == Event::Node(i, Deed::Fail);
        let well = left.into_iter().filter(|i| schedule.count(is_failure(*i)) == 0).collect();
        assert!(is_whole(&well, &air), "seed {seed}");
    }
}

/// Whether each of these nodes can be reached from the first, by way of others of them.
fn is_whole(nodes: &BTreeSet<usize>, air: &Air) -> bool {
    let hears = air.hears();
    let first = *nodes.first().expect("some are left");
    let (mut reached, mut waiting) = (BTreeSet::from([first]), vec![first]);
    while let Some(i) = waiting.pop() {
        let next = hears.iter().filter(|(from, to)| *from == i && hears.contains(&(*to, i)));
        let next = next.map(|(_, to)| *to).filter(|to| nodes.contains(to));
        waiting.extend(next.filter(|to| reached.insert(*to)));
    }
    reached == *nodes
}

#[test]
fn the_last_to_ask_are_at_every_node_and_want_every_lock() {
    for seed in 0..SEEDS {
        let schedule = Schedule::draw(seed);
        let (lost, at) = (schedule.lost(), schedule.healed_at);
        let asks = schedule.events.iter().filter_map(|event| match event {
            (asked_at, Event::Program(k, Step::Asks)) if *asked_at == at => Some(*k),
            _ => None,
        });
        let last = asks.map(|k| schedule.asks[k]);
        let nodes: BTreeSet<usize> = last.clone().map(|ask| ask.node).collect();
        assert!((0..schedule.nodes).all(|i| nodes.contains(&i) != lost.contains(&i)), "{seed}");
        let is_wanted = |name| last.clone().any(|ask| ask.lock.name == name);
        assert!(LOCKS.iter().all(|lock| is_wanted(lock.name)), "seed {seed}");
    }
}

#[test]
fn whatever_can_happen_does() {
    let mut counts = [0; 16];
    for seed in 0..1_000 {
        for (_, event) in Schedule::draw(seed).events {
            let kind = match event {
                Event::Air(Change::Meet(..)) => 0,
                Event::Air(Change::Cut(..)) => 1,
                Event::Air(Change::Deafen { .. }) => 2,
                Event::Air(Change::Heal(..)) => 3,
                Event::Air(Change::Split(_)) => 4,
                Event::Air(Change::Unite) => 5,
                Event::Air(Change::Lose(_)) => 6,
                Event::Air(Change::Calm) => 7,
                Event::Node(_, Deed::Stop) => 8,
                Event::Node(_, Deed::Kill) => 9,
                Event::Node(_, Deed::Continue | Deed::Start) => 10,
                Event::Program(_, Step::Asks) => 11,
                Event::Program(_, Step::IsKilled) => 12,
                Event::Air(Change::Isolate(_)) => 13,
                Event::Node(_, Deed::Fail) => 14,
                Event::Node(_, Deed::Forget(_)) => 15,
            };
            counts[kind] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn what_is_cut_is_not_heard_until_it_is_healed() {
    let mut air = Air::new(&[(0, 1), (1, 2)]);
    let all = air.hears();
    assert_eq!(all.len(), 4);
    air.change(&Change::Deafen { from: 0, to: 1 });
    assert!(!air.hears().contains(&(0, 1)) && air.hears().contains(&(1, 0)));
    air.change(&Change::Cut(1, 0));
    assert_eq!(air.hears(), BTreeSet::from([(1, 2), (2, 1)]));
    air.change(&Change::Split(BTreeSet::from([2])));
    assert!(air.hears().is_empty());
    air.change(&Change::Heal(0, 1));
    assert_eq!(air.hears(), BTreeSet::from([(0, 1), (1, 0)]));
    air.change(&Change::Unite);
    assert_eq!(air.hears(), all);
    air.change(&Change::Meet(0, 2));
    air.change(&Change::Cut(0, 2));
    air.change(&Change::Calm);
    assert_eq!(air.hears().len(), 6);
}
