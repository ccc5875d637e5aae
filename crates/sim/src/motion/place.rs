//! Where nodes are: [`Place`]; and who is near: [`Cells`].

use driftlock_core::NodeId;

/// A point of the square.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Place {
    /// Whether the two are within `range` of each other.
    #[inline]
    pub(crate) fn reaches(self, other: Place, range: f64) -> bool {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        dx * dx + dy * dy <= range * range
    }

    pub(crate) fn distance(self, other: Place) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// The point that lies this share of the way to `other`.
    pub(crate) fn towards(self, other: Place, share: f64) -> Place {
        Place { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }

    /// The nearest point of the square with this side.
    pub(crate) fn within(self, area: f64) -> Place {
        Place { x: self.x.clamp(0.0, area), y: self.y.clamp(0.0, area) }
    }
}

/// No node.
const NONE: u32 = u32::MAX;

/// The nodes by where they are: a grid of cells at least as wide as the range, each with a list of
/// its nodes, so that whoever is near is in one of nine cells. Lists run through the nodes, so that
/// a move allocates nothing.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    area: f64,
    range: f64,
    /// Cells to a side.
    side: usize,
    /// The first node of each cell, row by row.
    first: Vec<u32>,
    nodes: Vec<Spot>,
}

/// Where a node is, and who is before and after it in the list of the cell.
#[derive(Clone, Copy, Debug)]
struct Spot {
    place: Place,
    before: u32,
    after: u32,
}

impl Cells {
    pub(crate) fn new(places: Vec<Place>, area: f64, range: f64) -> Self {
        // More cells than nodes help nobody.
        let most = (places.len() as f64).sqrt().ceil().max(1.0);
        // A hair wider than the range, so that rounding puts nobody near two cells away.
        let side = (area / range * (1.0 - 1e-9)).floor().clamp(1.0, most) as usize;
        let alone = |place| Spot { place, before: NONE, after: NONE };
        let nodes = places.into_iter().map(alone).collect();
        let mut cells = Cells { area, range, side, first: vec![NONE; side * side], nodes };
        for node in (0..cells.nodes.len()).rev() {
            cells.enter(node);
        }
        cells
    }

    pub(crate) fn place(&self, node: NodeId) -> Place {
        self.nodes[node.index()].place
    }

    /// `node` is somewhere else now.
    pub(crate) fn shift(&mut self, node: NodeId, to: Place) {
        let node = node.index();
        if self.cell(self.nodes[node].place) == self.cell(to) {
            self.nodes[node].place = to;
            return;
        }
        self.leave(node);
        self.nodes[node].place = to;
        self.enter(node);
    }

    /// Put all who are within range of `node` into `near`, in order.
    pub(crate) fn near(&self, node: NodeId, near: &mut Vec<NodeId>) {
        near.clear();
        let place = self.place(node);
        let (column, row) = (self.band(place.x), self.band(place.y));
        for row in row.saturating_sub(1)..=(row + 1).min(self.side - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(self.side - 1) {
                let mut other = self.first[row * self.side + column];
                while other != NONE {
                    let spot = self.nodes[other as usize];
                    if place.reaches(spot.place, self.range) && other != node.0 {
                        near.push(NodeId(other));
                    }
                    other = spot.after;
                }
            }
        }
        near.sort_unstable();
    }

    fn enter(&mut self, node: usize) {
        let cell = self.cell(self.nodes[node].place);
        let next = std::mem::replace(&mut self.first[cell], NodeId::at(node).0);
        (self.nodes[node].before, self.nodes[node].after) = (NONE, next);
        if next != NONE {
            self.nodes[next as usize].before = NodeId::at(node).0;
        }
    }

    fn leave(&mut self, node: usize) {
        let Spot { place, before, after } = self.nodes[node];
        if before == NONE {
            let cell = self.cell(place);
            self.first[cell] = after;
        } else {
            self.nodes[before as usize].after = after;
        }
        if after != NONE {
            self.nodes[after as usize].before = before;
        }
    }

    fn cell(&self, place: Place) -> usize {
        self.band(place.y) * self.side + self.band(place.x)
    }

    /// The row or column of a coordinate.
    fn band(&self, at: f64) -> usize {
        ((at / self.area * self.side as f64) as usize).min(self.side - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Stream};

    /// All pairs, looked through.
    fn brute_force(cells: &Cells, node: usize, range: f64) -> Vec<NodeId> {
        let here = cells.nodes[node].place;
        let reached = |&k: &usize| k != node && here.reaches(cells.nodes[k].place, range);
        (0..cells.nodes.len()).filter(reached).map(NodeId::at).collect()
    }

    #[test]
    fn those_near_are_those_within_range_wherever_nodes_go() {
        let mut die = Dice::new(4).sequence(Stream::Network);
        for (area, range) in [(1.0, 0.07), (1.0, 0.3), (1.0, 2.0), (50.0, 4.0), (0.001, 0.0001)] {
            let mut place = || Place { x: die.unit() * area, y: die.unit() * area };
            let mut cells = Cells::new((0..150).map(|_| place()).collect(), area, range);
            let mut near = Vec::new();
            for round in 0..600 {
                let node = round * 7 % 150;
                cells.shift(NodeId::at(node), place());
                cells.near(NodeId::at(node), &mut near);
                assert_eq!(near, brute_force(&cells, node, range), "{area} {range} {round}");
            }
        }
    }

    #[test]
    fn places_are_shares_of_the_way_and_stay_in_the_square() {
        let (a, b) = (Place { x: 1.0, y: 2.0 }, Place { x: 4.0, y: 6.0 });
        assert_eq!(a.distance(b), 5.0);
        assert_eq!(a.towards(b, 0.5), Place { x: 2.5, y: 4.0 });
        assert_eq!((a.towards(b, 0.0), a.towards(b, 1.0)), (a, b));
        assert_eq!(Place { x: -1.0, y: 9.0 }.within(3.0), Place { x: 0.0, y: 3.0 });
        assert!(a.reaches(b, 5.0) && !a.reaches(b, 4.99));
    }
}
