//! The colors of LME-1: the family of sets behind Linial's coloring, and both colorings at work.

use driftlock_core::{NodeId, Protocol, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::lme1::family::{Round, rounds};
use driftlock_protocols::lme1::{Coloring, Config, Lme1};

use crate::stage::{Stage, graph};

/// For every set and every choice of `degree` others there is a point that is in none of them.
fn covers_nothing(round: Round, k: u64, degree: usize) {
    fn choose(round: Round, c: u64, from: u64, k: u64, others: &mut Vec<u64>, more: usize) {
        if more == 0 {
            let point = round.point(c, others.iter().copied());
            assert!(point.is_some_and(|point| point < round.colors()), "{round:?} {c} {others:?}");
            return;
        }
        for other in (from..k).filter(|&other| other != c) {
            others.push(other);
            choose(round, c, other + 1, k, others, more - 1);
            others.pop();
        }
    }
    for c in 0..k {
        choose(round, c, 0, k, &mut Vec::new(), degree);
    }
}

/// All that the first round can meet, for few colors and neighbors, where there is a round at all.
#[test]
fn no_set_is_covered_by_as_many_others_as_there_are_neighbors() {
    let mut rounds_met = 0;
    for (degree, most) in [(1, 64), (2, 60), (3, 55)] {
        for k in 2..=most {
            let Some(round) = Round::first(k, degree) else { continue };
            // One size for each round is enough: its largest.
            if Round::first(k + 1, degree) == Some(round) && k < most {
                continue;
            }
            covers_nothing(round, k, degree as usize);
            rounds_met += 1;
        }
    }
    assert!(rounds_met >= 4, "{rounds_met}");
}

/// Neighbors with different colors have different colors after a round, whoever else they met.
#[test]
fn a_round_keeps_neighbors_apart() {
    let round = Round { q: 5, d: 2 };
    for a in 0..125_u64 {
        for b in (0..125).filter(|&b| b != a) {
            for c in [0, 7, 31, 124].into_iter().filter(|&c| c != a && c != b) {
                let of_a = round.point(a, [b, c].into_iter());
                let of_b = round.point(b, [a].into_iter());
                assert!(of_a.is_some() && of_a != of_b, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn a_polynomial_has_the_digits_of_its_color() {
    // 38 is 1 2 3 to the base 5: x² + 2 x + 3.
    let round = Round { q: 5, d: 2 };
    assert_eq!([0, 1, 2, 3, 4].map(|x| round.value(38, x)), [3, 1, 1, 3, 2]);
    assert_eq!(round.point(38, [].into_iter()), Some(3));
}

/// The bounds of the module's text: few rounds, and at most `(4 δ + 2)²` colors in the end.
#[test]
fn rounds_are_few_and_so_are_the_colors() {
    for degree in 1..=40 {
        let most = u64::from(4 * degree + 2).pow(2);
        for n in (2..400).chain((9..33).map(|log| 1 << log)).chain((3..21).map(|e| 3_u64.pow(e))) {
            let left = rounds(n, degree).last().map_or(n, Round::colors);
            assert!(left <= most, "{n} {degree}: {left}");
            assert!(rounds(n, degree).count() <= 4, "{n} {degree}");
            let fewer = rounds(n, degree)
                .scan(n, |k, round| Some(std::mem::replace(k, round.colors()) > round.colors()));
            assert!(fewer.into_iter().all(|fewer| fewer), "each round leaves fewer colors");
        }
    }
    let known = |n, degree| rounds(n, degree).map(|round| (round.q, round.d)).collect::<Vec<_>>();
    assert_eq!(known(1 << 20, 5), [(23, 4), (11, 2)]);
    assert_eq!(known(1 << 32, 4), [(29, 6), (11, 2)]);
    assert_eq!(known(500, 3), [(11, 2), (7, 2)]);
    assert_eq!(known(30, 5), []);
}

/// Everyone becomes hungry at once, and all messages arrive; nobody leaves.
fn recolored(n: usize, links: &[(u32, u32)], coloring: Coloring) -> Stage<Lme1> {
    let mut stage = Stage::new(n, links, &Config { variant: Variant::Repaired, coloring });
    (0..n as u32).for_each(|node| stage.request(node));
    stage.deliver_all();
    stage
}

const NETWORKS: &[(usize, &[(u32, u32)])] = &[
    (2, &[(0, 1)]),
    (3, &[(0, 1), (1, 2), (0, 2)]),
    (5, &[(0, 1), (1, 2), (2, 3), (3, 4)]),
    (5, &[(0, 3), (3, 1), (1, 4), (4, 2)]),
    (6, &[(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]),
    (6, &[(0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]),
    (7, &[(0, 6), (6, 1), (1, 5), (5, 2), (2, 4), (4, 3), (3, 0), (0, 1), (2, 3)]),
];

/// Colors are those of the greedy coloring in the order of identifiers, made negative.
#[test]
fn d8_greedy_is_the_greedy_coloring_of_those_who_recolor_together() {
    for &(n, links) in NETWORKS {
        let stage = recolored(n, links, Coloring::Greedy);
        let graph = graph(n, links);
        let mut expected: Vec<i32> = Vec::new();
        for i in graph.nodes() {
            let before = graph.neighbors(i).iter().filter(|&&j| j < i);
            let taken: Vec<i32> = before.map(|j| expected[j.index()]).collect();
            expected.extend((0..).map(|c| -c - 1).find(|color| !taken.contains(color)));
        }
        let colors: Vec<i32> = stage.processes.iter().filter_map(Lme1::color).collect();
        assert_eq!(colors, expected, "{}", stage.story);
    }
}

#[test]
fn linial_gives_neighbors_different_colors_in_a_small_range() {
    for &(n, links) in NETWORKS {
        let graph = graph(n, links);
        let degree = graph.nodes().map(|i| graph.neighbors(i).len()).max().unwrap() as u32;
        for ids in [n as u32, 1000, 1 << 30] {
            let stage = recolored(n, links, Coloring::Linial { n: ids, degree });
            let color = |i: NodeId| stage.processes[i.index()].color().unwrap();
            let range = rounds(ids.into(), degree).last().map_or(ids.into(), Round::colors);
            assert!(graph.nodes().all(|i| (1..=range as i64).contains(&-i64::from(color(i)))));
            assert!(graph.links().all(|(a, b)| color(a) != color(b)), "{}", stage.story);
        }
    }
}

/// With more neighbors than it was told of, a node may find no point: it takes a color of its own.
#[test]
fn linial_lives_with_more_neighbors_than_it_was_told_of() {
    let clique: Vec<(u32, u32)> = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).collect();
    let stage = recolored(8, &clique, Coloring::Linial { n: 1000, degree: 1 });
    let colors: Vec<i32> = stage.processes.iter().filter_map(Lme1::color).collect();
    let different: std::collections::BTreeSet<i32> = colors.iter().copied().collect();
    assert_eq!(different.len(), 8, "{colors:?}");
    let range = rounds(1000, 1).last().unwrap().colors() as i32;
    assert!(colors.iter().any(|color| -color > range), "none was out of range: {colors:?}");
    let inside = stage.processes.iter().filter(|node| node.status() == Status::Critical);
    assert_eq!(inside.count(), 1);
}
