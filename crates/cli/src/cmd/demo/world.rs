//! Where nodes are, and who is in range of whom: [`World`].
//!
//! Half of the nodes stand, spread so that they are in range of each other all together, and so
//! that every place is in range of one of them. The others move from one random place to the next.
//! So the network stays in one piece, by positions; nodes need some time to notice who is near.

use super::dice::{Dice, Stream};

/// How wide the world is; it is 1 high.
pub(super) const WIDTH: f64 = 3.0;

/// How far a node that stands is from its place in a row at most, in each direction.
const JITTER: f64 = 0.06;

/// Speeds are between these, in lengths per second.
const SPEEDS: [f64; 2] = [0.15, 0.4];

/// The longest rest between two ways, in seconds.
const REST: f64 = 1.5;

/// Somewhere in the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    fn distance(self, other: Point) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// Anywhere.
    fn random(dice: &mut Dice) -> Point {
        Point { x: dice.unit() * WIDTH, y: dice.unit() }
    }
}

/// A node that moves.
struct Way {
    dice: Dice,
    to: Point,
    /// Per second.
    speed: f64,
    /// How long it rests before it goes on, in seconds.
    rest: f64,
}

/// Where nodes are.
pub(super) struct World {
    places: Vec<Point>,
    /// The ways of those that move, by node.
    ways: Vec<Option<Way>>,
    range: f64,
}

impl World {
    /// The world of this seed, with that many nodes.
    pub(super) fn new(nodes: usize, still: bool, seed: u64) -> World {
        let standing = nodes.div_ceil(2);
        let (mut places, range) = spread(standing, seed);
        let mut ways: Vec<Option<Way>> = places.iter().map(|_| None).collect();
        for node in standing..nodes {
            let mut dice = Dice::new(seed, Stream::Ways, node);
            let place = Point::random(&mut dice);
            places.push(place);
            ways.push((!still).then_some(Way { dice, to: place, speed: 1.0, rest: 0.0 }));
        }
        World { places, ways, range }
    }

    /// Where a node is.
    pub(super) fn place(&self, node: usize) -> Point {
        self.places[node]
    }

    /// Whether a node moves, now and then.
    pub(super) fn moves(&self, node: usize) -> bool {
        self.ways[node].is_some()
    }

    /// Whether what one of them sends reaches the other.
    pub(super) fn in_range(&self, a: usize, b: usize) -> bool {
        a != b && self.places[a].distance(self.places[b]) <= self.range
    }

    /// Time passes, in seconds.
    pub(super) fn advance(&mut self, seconds: f64) {
        for (place, way) in self.places.iter_mut().zip(&mut self.ways) {
            if let Some(way) = way {
                way.advance(place, seconds);
            }
        }
    }
}

impl Way {
    fn advance(&mut self, place: &mut Point, mut seconds: f64) {
        loop {
            let rested = self.rest.min(seconds);
            self.rest -= rested;
            seconds -= rested;
            let (left, step) = (place.distance(self.to), self.speed * seconds);
            if step < left {
                place.x += (self.to.x - place.x) * step / left;
                place.y += (self.to.y - place.y) * step / left;
                return;
            }
            *place = self.to;
            if seconds <= 0.0 {
                return;
            }
            seconds -= left / self.speed;
            self.to = Point::random(&mut self.dice);
            self.speed = SPEEDS[0] + (SPEEDS[1] - SPEEDS[0]) * self.dice.unit();
            self.rest = REST * self.dice.unit();
        }
    }
}

/// Places for those that stand, and the range that goes with them: in as many rows as need the
/// shortest one.
fn spread(nodes: usize, seed: u64) -> (Vec<Point>, f64) {
    let spreads = (1..=nodes.min(5)).map(|count| {
        let places = rows(nodes, count, seed);
        let range = chain(&places).max(reach(&places)) * 1.02;
        (places, range)
    });
    spreads.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there is a row")
}

fn rows(nodes: usize, count: usize, seed: u64) -> Vec<Point> {
    let mut dice = Dice::new(seed, Stream::Places, 0);
    let mut jitter = move || JITTER * (2.0 * dice.unit() - 1.0);
    let mut places = Vec::new();
    for row in 0..count {
        let columns = nodes / count + usize::from(row < nodes % count);
        for column in 0..columns {
            places.push(Point {
                x: (column as f64 + 0.5) * WIDTH / columns as f64 + jitter(),
                y: (row as f64 + 0.5) / count as f64 + jitter(),
            });
        }
    }
    places
}

/// The range that holds the places together: the longest link of their shortest tree.
fn chain(places: &[Point]) -> f64 {
    let mut outside: Vec<Point> = places[1..].to_vec();
    let mut inside = vec![places[0]];
    let mut longest: f64 = 0.0;
    while !outside.is_empty() {
        let near = |point: Point| nearest(point, &inside);
        let next = (0..outside.len())
            .min_by(|&a, &b| near(outside[a]).total_cmp(&near(outside[b])))
            .expect("somebody is outside");
        longest = longest.max(near(outside[next]));
        inside.push(outside.swap_remove(next));
    }
    longest
}

/// The range that reaches every place of the world from one of these.
fn reach(places: &[Point]) -> f64 {
    let steps = 30;
    let grid = (0..=3 * steps).flat_map(|x| (0..=steps).map(move |y| (x, y)));
    let point = |(x, y): (u32, u32)| Point {
        x: f64::from(x) / f64::from(steps),
        y: f64::from(y) / f64::from(steps),
    };
    // Half a step of the grid in each direction, and a little more.
    grid.map(|at| nearest(point(at), places)).fold(0.0, f64::max) + 0.75 / f64::from(steps)
}

fn nearest(point: Point, places: &[Point]) -> f64 {
    places.iter().map(|&place| place.distance(point)).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether everyone can be reached from the first.
    fn is_connected(world: &World) -> bool {
        let nodes = world.places.len();
        let mut reached = vec![0];
        let mut next = 0;
        while next < reached.len() {
            let new = (0..nodes).filter(|&b| world.in_range(reached[next], b));
            let new: Vec<usize> = new.filter(|b| !reached.contains(b)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.len() == nodes
    }

    #[test]
    fn it_stays_in_one_piece_and_nobody_leaves_it() {
        for nodes in [2, 3, 4, 12, 25, 50] {
            for seed in 0..5 {
                let mut world = World::new(nodes, false, seed);
                for _ in 0..400 {
                    world.advance(0.05);
                    assert!(is_connected(&world), "{nodes} nodes, seed {seed}");
                    let inside =
                        |p: &Point| (0.0..=WIDTH).contains(&p.x) && (0.0..=1.0).contains(&p.y);
                    assert!(world.places.iter().all(inside));
                }
            }
        }
    }

    #[test]
    fn a_dozen_nodes_hear_some_others_and_links_change() {
        let mut world = World::new(12, false, 1);
        let links = |world: &World| -> Vec<(usize, usize)> {
            let pairs = (0..12).flat_map(|a| (0..a).map(move |b| (a, b)));
            pairs.filter(|&(a, b)| world.in_range(a, b)).collect()
        };
        let mut changes = 0;
        let mut before = links(&world);
        for _ in 0..400 {
            world.advance(0.05);
            let now = links(&world);
            assert!((11..40).contains(&now.len()), "{}", now.len());
            changes += now.iter().filter(|link| !before.contains(link)).count();
            before = now;
        }
        assert!(changes > 20, "{changes}");
    }

    #[test]
    fn one_seed_is_one_world_however_time_is_cut() {
        let (mut a, mut b) = (World::new(8, false, 7), World::new(8, false, 7));
        a.advance(6.0);
        (0..600).for_each(|_| b.advance(0.01));
        for node in 0..8 {
            assert!(a.place(node).distance(b.place(node)) < 1e-6, "{node}");
        }
        assert_ne!(World::new(8, false, 8).place(7), World::new(8, false, 7).place(7));
    }

    #[test]
    fn where_nobody_moves_nobody_moves() {
        let mut world = World::new(9, true, 1);
        let before = world.places.clone();
        world.advance(10.0);
        assert_eq!(world.places, before);
        assert!((0..9).all(|node| !world.moves(node)));
    }
}
