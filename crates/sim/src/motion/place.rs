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

/// Borders are mirrors.
impl Place {
    /// Where a node is that would be here, had the borders of the square not turned it back.
    pub(crate) fn folded(self, area: f64) -> Place {
        let fold = |at: f64| {
            let at = at.rem_euclid(2.0 * area);
            if at > area { 2.0 * area - at } else { at }
        };
        Place { x: fold(self.x), y: fold(self.y) }
    }

    /// For each direction, -1 if such a node goes the other way, and 1 if it does not.
    pub(crate) fn turned(self, area: f64) -> Place {
        let turn = |at: f64| if at.rem_euclid(2.0 * area) > area { -1.0 } else { 1.0 };
        Place { x: turn(self.x), y: turn(self.y) }
    }
}

/// The nodes by where they were last seen: a grid of cells at least as wide as the range, each with
/// its nodes and where these are, so that whoever is near is in one of few cells and is not looked
/// up elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    area: f64,
    range: f64,
    /// Cells to a side.
    side: usize,
    /// Row by row.
    cells: Vec<Vec<Spot>>,
    places: Vec<Place>,
    /// Those in a few cells: memory that is used again.
    around: Vec<Spot>,
}

/// Where a node is.
#[derive(Clone, Copy, Debug)]
struct Spot {
    place: Place,
    node: NodeId,
}

impl Cells {
    pub(crate) fn new(places: Vec<Place>, area: f64, range: f64) -> Self {
        // More cells than nodes help nobody.
        let most = (places.len() as f64).sqrt().ceil().max(1.0);
        let side = (area / range).floor().clamp(1.0, most) as usize;
        let (empty, around) = (vec![Vec::new(); side * side], Vec::new());
        let mut cells = Cells { area, range, side, cells: empty, places, around };
        for k in 0..cells.places.len() {
            let (node, place) = (NodeId::at(k), cells.places[k]);
            let cell = cells.cell(place);
            cells.cells[cell].push(Spot { place, node });
        }
        cells
    }

    pub(crate) fn place(&self, node: NodeId) -> Place {
        self.places[node.index()]
    }

    /// `node` is somewhere else now.
    pub(crate) fn shift(&mut self, node: NodeId, to: Place) {
        let from = std::mem::replace(&mut self.places[node.index()], to);
        let (old, new) = (self.cell(from), self.cell(to));
        let found = self.cells[old].iter().position(|spot| spot.node == node);
        let k = found.expect("each node is in the cell of its place");
        if old == new {
            self.cells[old][k].place = to;
        } else {
            self.cells[old].swap_remove(k);
            self.cells[new].push(Spot { place: to, node });
        }
    }

    /// Put all who are within range of `node` into `near`, in order. Others may have gone on since
    /// they were seen, by at most `drift`; `now` says where one is who was seen there.
    pub(crate) fn near(
        &mut self,
        node: NodeId,
        drift: f64,
        now: impl Fn(NodeId, Place) -> Place,
        near: &mut Vec<NodeId>,
    ) {
        let place = self.place(node);
        // A hair more, so that rounding leaves nobody out.
        let reach = (self.range + drift) * (1.0 + 1e-9);
        let bands = |at: f64| self.band(at - reach)..=self.band(at + reach);
        let (columns, rows) = (bands(place.x), bands(place.y));
        // Who is in range is asked when all are here: so memory is not waited for one by one.
        self.around.clear();
        for row in rows {
            for cell in &self.cells[row * self.side..][columns.clone()] {
                self.around.extend_from_slice(cell);
            }
        }
        // Where most are now makes no difference.
        let sure = self.range - drift;
        let reached = |spot: &&Spot| {
            spot.node != node
                && place.reaches(spot.place, reach)
                && (sure > 0.0 && place.reaches(spot.place, sure * (1.0 - 1e-9))
                    || place.reaches(now(spot.node, spot.place), self.range))
        };
        near.clear();
        near.extend(self.around.iter().filter(reached).map(|spot| spot.node));
        near.sort_unstable();
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
        let here = cells.places[node];
        let reached = |&k: &usize| k != node && here.reaches(cells.places[k], range);
        (0..cells.places.len()).filter(reached).map(NodeId::at).collect()
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
                cells.near(NodeId::at(node), 0.0, |_, place| place, &mut near);
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
        let outside = Place { x: 3.5, y: -0.5 };
        assert_eq!(outside.folded(3.0), Place { x: 2.5, y: 0.5 });
        assert_eq!(outside.turned(3.0), Place { x: -1.0, y: -1.0 });
        assert_eq!((b.folded(6.0), b.turned(6.0)), (b, Place { x: 1.0, y: 1.0 }));
        assert!(a.reaches(b, 5.0) && !a.reaches(b, 4.99));
    }
}
