//! Who may be near whom: [`pairs_near`].

use crate::LinksError;
use crate::links::Work;

/// With so few nodes a grid does not pay.
const FEW: usize = 32;

/// Who covers more cells of the grid than that is compared with everybody.
const MOST_CELLS: f64 = 36.0;

/// How many pairs there may be at once: 800 megabytes of them.
const MOST_PAIRS: usize = 100_000_000;

/// A box that something is in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

impl Bounds {
    /// One place.
    pub(crate) fn of(at: [f64; 3]) -> Self {
        Bounds { min: at, max: at }
    }

    /// And another one.
    pub(crate) fn with(self, at: [f64; 3]) -> Self {
        Bounds {
            min: [0, 1, 2].map(|k| self.min[k].min(at[k])),
            max: [0, 1, 2].map(|k| self.max[k].max(at[k])),
        }
    }

    /// Whether two boxes are not farther apart than that, along every axis.
    fn is_near(&self, other: &Bounds, reach: f64) -> bool {
        let apart = |k: usize| (self.min[k] - other.max[k]).max(other.min[k] - self.max[k]);
        (0..3).all(|k| apart(k) <= reach)
    }
}

/// All pairs of boxes, with the lower number first, that may be no farther apart than `reach`, in
/// order. There may be more than those.
pub(crate) fn pairs_near(
    boxes: &[Option<Bounds>],
    reach: f64,
    work: &mut Work,
) -> Result<Vec<(u32, u32)>, LinksError> {
    // Places are rounded.
    let reach = reach * (1.0 + 1e-9) + 1e-6;
    let there: Vec<(u32, Bounds)> =
        (0..).zip(boxes).filter_map(|(k, b)| Some((k, (*b)?))).collect();
    let mut pairs = Vec::new();
    if there.len() <= FEW {
        for (k, one) in there.iter().enumerate() {
            add(&mut pairs, one, &there[k + 1..], reach, work)?;
        }
        return Ok(pairs);
    }
    let (mut cells, mut wide) = (Vec::new(), Vec::new());
    for one in &there {
        match covered(&one.1, reach) {
            Some(places) => cells.extend(places.map(|cell| (cell, *one))),
            None => wide.push(*one),
        }
    }
    cells.sort_by_key(|&(cell, (k, _))| (cell, k));
    for group in cells.chunk_by(|(one, _), (two, _)| one == two) {
        let group: Vec<(u32, Bounds)> = group.iter().map(|&(_, one)| one).collect();
        for (k, one) in group.iter().enumerate() {
            add(&mut pairs, one, &group[k + 1..], reach, work)?;
        }
    }
    for one in &wide {
        add(&mut pairs, one, &there, reach, work)?;
    }
    pairs.sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

/// Those of `others` that are near this one.
fn add(
    pairs: &mut Vec<(u32, u32)>,
    one: &(u32, Bounds),
    others: &[(u32, Bounds)],
    reach: f64,
    work: &mut Work,
) -> Result<(), LinksError> {
    work.spend(others.len())?;
    let near = others.iter().filter(|two| two.0 != one.0 && one.1.is_near(&two.1, reach));
    pairs.extend(near.map(|two| (one.0.min(two.0), one.0.max(two.0))));
    if pairs.len() > MOST_PAIRS {
        return Err(work.too_much());
    }
    Ok(())
}

/// The cells that a box covers with half of the reach around it, unless there are too many. Two
/// that are near each other have one in common.
fn covered(bounds: &Bounds, reach: f64) -> Option<impl Iterator<Item = (i64, i64)>> {
    let side = 2.0 * reach;
    let cell = |meters: f64| (meters / side).floor();
    let ends = |k: usize| (cell(bounds.min[k] - 0.5 * reach), cell(bounds.max[k] + 0.5 * reach));
    let (x, y) = (ends(0), ends(1));
    if (x.1 - x.0 + 1.0) * (y.1 - y.0 + 1.0) > MOST_CELLS {
        return None;
    }
    let (x, y) = ((x.0 as i64)..=(x.1 as i64), (y.0 as i64)..=(y.1 as i64));
    Some(x.flat_map(move |x| y.clone().map(move |y| (x, y))))
}

#[cfg(test)]
mod tests {
    use driftlock_fuzz::Dice;

    use super::*;

    #[test]
    fn nobody_who_is_near_is_missed() {
        let mut dice = Dice::new(1);
        for round in 0..30 {
            let mut meters =
                |most: usize| dice.below(most * 1000) as f64 / 1000.0 - most as f64 / 2.0;
            let boxes: Vec<Option<Bounds>> = (0..100)
                .map(|k| {
                    let at = [meters(1000), meters(1000), meters(20)];
                    let far = if k % 10 == 0 { 900 } else { 60 };
                    let bounds =
                        Bounds::of(at).with([at[0] + meters(far), at[1] + meters(far), 0.0]);
                    (k % 13 != 0).then_some(bounds)
                })
                .collect();
            let reach = [5.0, 40.0, 300.0][round % 3];
            let mut expected = Vec::new();
            for a in 0..boxes.len() {
                for b in a + 1..boxes.len() {
                    if let (Some(one), Some(two)) = (&boxes[a], &boxes[b])
                        && one.is_near(two, reach)
                    {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            let found = pairs_near(&boxes, reach, &mut Work::new(1_000_000)).unwrap();
            assert!(expected.iter().all(|pair| found.binary_search(pair).is_ok()));
            assert!(found.len() < expected.len() + 20, "{} {}", found.len(), expected.len());
        }
    }
}
