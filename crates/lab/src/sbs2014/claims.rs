//! What section 7 and the abstract say of the results in words, and what the runs say.
//!
//! The bounds were fixed before the runs were looked at: a significant decrease is to less than
//! half, marginal and independent are within 10 %.

use super::grid::{
    ASKERS, BAND_LOADS, HEAVY, LIGHT, LOADS, Mobility, NAMED, Point, Quantity, SIZES, Who,
};
use crate::claim::{self, Bounds, Judged};
use crate::gathered::Gathered;
use crate::stats::Estimate;
use crate::table::Table;

const HALF: Bounds = Bounds::below(0.5);
const LESS: Bounds = Bounds::below(1.0);
const MORE: Bounds = Bounds::above(1.0);
const MARGINAL: Bounds = Bounds::within(0.9, 1.1);

/// The paper's claims, each with what we measured and whether it holds.
pub fn table(results: &Gathered<Point>) -> Table {
    use Quantity::{Hops, Messages, Traffic, Wait};
    use Who::{Cluster, Ring};
    let view = View { results };
    let [light, medium, heavy] = NAMED.map(|(load, _)| view.askers(load).judge(LESS));
    let claims = [
        (
            "Figure 2: hops per entry fall with the load, step by step",
            view.falling(Cluster, Hops).judge(LESS),
        ),
        (
            "Figure 2: with the ring, hops per entry grow as the load falls, step by step",
            view.falling(Ring, Hops).judge(MORE),
        ),
        (
            "Figure 3: messages fall with the load, to less than half",
            view.fall(Cluster, Traffic).judge(HALF),
        ),
        ("Figure 3: with the ring they fall less", view.falls_less(Traffic).judge(MORE)),
        ("Figure 4: messages per entry fall with the number of requests, light load", light),
        ("Figure 5: the same, medium load", medium),
        ("Figure 6: the same, heavy load", heavy),
        ("Figure 7: speed changes messages by less than 10 %", view.bands(Traffic).judge(MARGINAL)),
        (
            "Figure 8: speed changes the processing time by less than 10 %",
            view.bands(Wait).judge(MARGINAL),
        ),
        (
            "Figure 8: beyond a load the processing time grows no more (3 to 10 requests/s)",
            view.last_step(Wait).judge(MARGINAL),
        ),
        (
            "Abstract: messages per entry do not depend on the number of nodes, heavy load",
            view.sizes(Messages).judge(MARGINAL),
        ),
    ];
    claim::table("What the paper says", "the paper says", claims)
}

/// How the two compare, which the paper shows in Figures 2 and 3 without saying it.
pub fn compared(results: &Gathered<Point>) -> Table {
    use Quantity::{Hops, Messages, Wait};
    let view = View { results };
    let all = 0..LOADS.len();
    let at = |quantity, loads: &[usize], bounds| view.against(quantity, loads).judge(bounds);
    let all: Vec<usize> = all.collect();
    let claims = [
        ("clusters take fewer hops per entry, at all loads", at(Hops, &all, LESS)),
        ("clusters take fewer messages per entry, light load", at(Messages, &[LIGHT], LESS)),
        ("clusters take fewer messages per entry, heavy load", at(Messages, &[HEAVY], LESS)),
        ("with clusters nodes wait less, light load", at(Wait, &[LIGHT], LESS)),
        ("with clusters nodes wait less, heavy load", at(Wait, &[HEAVY], LESS)),
    ];
    claim::table("Clusters beside the ring", "what one would hope", claims)
}

/// Some ratios, or nothing if runs are missing.
struct Ratios(Option<Vec<Estimate>>);

impl Ratios {
    fn judge(self, bounds: Bounds) -> Judged {
        claim::judge(&self.0?, bounds)
    }
}

struct View<'r> {
    results: &'r Gathered<Point>,
}

impl View<'_> {
    fn ratio(&self, a: Point, b: Point, quantity: Quantity) -> Option<Estimate> {
        self.results.ratio(a, b, |metrics| quantity.of(metrics))
    }

    fn ratios(&self, pairs: impl IntoIterator<Item = (Point, Point)>, of: Quantity) -> Ratios {
        Ratios(pairs.into_iter().map(|(a, b)| self.ratio(a, b, of)).collect())
    }

    /// Each load by the next higher one.
    fn falling(&self, who: Who, quantity: Quantity) -> Ratios {
        let at = |load| Point::usual(who, load);
        self.ratios((1..LOADS.len()).map(|load| (at(load - 1), at(load))), quantity)
    }

    /// The light load by the heavy one.
    fn fall(&self, who: Who, quantity: Quantity) -> Ratios {
        let pair = (Point::usual(who, LIGHT), Point::usual(who, HEAVY));
        self.ratios([pair], quantity)
    }

    /// What is left of the ring's at light load, by what is left of the other's.
    fn falls_less(&self, quantity: Quantity) -> Ratios {
        let left = |who| Some(self.fall(who, quantity).0?.first()?.mean);
        let ring = self.fall(Who::Ring, quantity).0.and_then(|ratios| ratios.first().copied());
        let ratio = left(Who::Cluster).and_then(|left| ring?.ratio_to(left));
        Ratios(ratio.map(|ratio| vec![ratio]))
    }

    /// Each number of those who ask by the next smaller one.
    fn askers(&self, load: usize) -> Ratios {
        let at = |k: usize| Point::usual(Who::Cluster, load).asked_by(ASKERS[k]);
        let pairs = (1..ASKERS.len()).map(|k| (at(k), at(k - 1)));
        self.ratios(pairs, Quantity::Messages)
    }

    /// The faster bands by the slowest.
    fn bands(&self, quantity: Quantity) -> Ratios {
        let at = |load, band| Point::usual(Who::Cluster, load).moving(band);
        let [low, fast @ ..] = Mobility::BANDS;
        let pairs = BAND_LOADS
            .into_iter()
            .flat_map(|load| fast.map(|band| (at(load, band), at(load, low))));
        self.ratios(pairs, quantity)
    }

    /// The highest load by the one before.
    fn last_step(&self, quantity: Quantity) -> Ratios {
        let at = |load| Point::usual(Who::Cluster, load);
        self.ratios([(at(HEAVY), at(HEAVY - 1))], quantity)
    }

    /// Each size by the smallest, under heavy load.
    fn sizes(&self, quantity: Quantity) -> Ratios {
        let at = |nodes| Point::usual(Who::Cluster, HEAVY).of(nodes);
        let [small, large @ ..] = SIZES;
        self.ratios(large.map(|nodes| (at(nodes), at(small))), quantity)
    }

    /// Clusters by the ring.
    fn against(&self, quantity: Quantity, loads: &[usize]) -> Ratios {
        let pair =
            |&load: &usize| (Point::usual(Who::Cluster, load), Point::usual(Who::Ring, load));
        self.ratios(loads.iter().map(pair), quantity)
    }
}
