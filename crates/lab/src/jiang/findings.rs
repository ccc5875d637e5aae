//! What we expect of group mutual exclusion, and what the runs say.

use driftlock_sim::Metrics;

use super::grid::{
    Bound, CHANGES, LENGTHS, Point, Quantity, RATES, SHARES, Who, popular_wait, unpopular_wait,
};
use crate::claim::{self, Bounds, Judged};
use crate::gathered::Gathered;
use crate::stats::Estimate;
use crate::table::Table;

const LESS: Bounds = Bounds::below(1.0);
const MORE: Bounds = Bounds::above(1.0);
/// Links that change make no difference if it is less than this.
const SAME: Bounds = Bounds::within(0.9, 1.1);

/// The places in [`RATES`] of loads at which nodes get in each other's way: 0.1 and more.
const BUSY: [usize; 3] = [4, 5, 6];
/// Of 0.001.
const IDLE: [usize; 1] = [0];

/// What we expect, each with what was measured and whether it holds.
pub fn table(results: &Gathered<Point>) -> Table {
    use Quantity::{Concurrency, Messages, Time};
    let view = View { results };
    let every: Vec<usize> = (0..RATES.len()).collect();
    let [short, long] = LENGTHS;
    let rows = [
        ("CS 1: GME waits less than RL, at every load", view.gme_by_rl(Time, &every, short, LESS)),
        ("CS 10: GME waits less than RL, at every load", view.gme_by_rl(Time, &every, long, LESS)),
        (
            "CS 1: fewer messages than RL, loads from 0.1",
            view.gme_by_rl(Messages, &BUSY, short, LESS),
        ),
        (
            "CS 10: fewer messages than RL, loads from 0.1",
            view.gme_by_rl(Messages, &BUSY, long, LESS),
        ),
        ("CS 1: fewer messages than RL, load 0.001", view.gme_by_rl(Messages, &IDLE, short, LESS)),
        (
            "CS 1: more inside than RL, loads from 0.1",
            view.gme_by_rl(Concurrency, &BUSY, short, MORE),
        ),
        (
            "CS 10: more inside than RL, loads from 0.1",
            view.gme_by_rl(Concurrency, &BUSY, long, MORE),
        ),
        ("10 resources: still less time than RL", view.many_resources(LESS)),
        ("time does not depend on mobility (10 %)", view.moved(Time, SAME)),
        ("messages grow with mobility", view.moved(Messages, MORE)),
        ("a bound of 16 shortens the others' wait", view.bound(Bound::Usual, unpopular_wait, LESS)),
        ("a bound of 4 shortens the others' wait", view.bound(Bound::Tight, unpopular_wait, LESS)),
        (
            "a bound of 4 lengthens the wait for the popular",
            view.bound(Bound::Tight, popular_wait, MORE),
        ),
        ("a bound of 4 lengthens the wait on the whole", view.bound(Bound::Tight, all_wait, MORE)),
    ];
    claim::table("What we expect of GME", "we expect", rows)
}

fn all_wait(metrics: &Metrics) -> f64 {
    metrics.waiting.mean
}

struct View<'r> {
    results: &'r Gathered<Point>,
}

impl View<'_> {
    fn judge(&self, ratios: Vec<Option<Estimate>>, bounds: Bounds) -> Judged {
        claim::judge(&ratios.into_iter().collect::<Option<Vec<Estimate>>>()?, bounds)
    }

    fn gme_by_rl(
        &self,
        quantity: Quantity,
        rates: &[usize],
        length: u32,
        bounds: Bounds,
    ) -> Judged {
        let [gme, rl] = Who::TWO.map(|who| Point::usual(who, length));
        let of = |metrics: &_| quantity.of(metrics, length);
        let ratio = |&k: &usize| self.results.ratio(gme.at_load(k), rl.at_load(k), of);
        self.judge(rates.iter().map(ratio).collect(), bounds)
    }

    fn many_resources(&self, bounds: Bounds) -> Judged {
        let ratio = |length| {
            let [gme, rl] = Who::TWO.map(|who| Point::usual(who, length).of_resources(10));
            self.results.ratio(gme, rl, all_wait)
        };
        self.judge(LENGTHS.map(ratio).to_vec(), bounds)
    }

    /// With the links that change most by without changes.
    fn moved(&self, quantity: Quantity, bounds: Bounds) -> Judged {
        let ratio = |length| {
            let usual = Point::usual(Who::TWO[0], length);
            let of = |metrics: &_| quantity.of(metrics, length);
            self.results.ratio(usual.moving(CHANGES.len() - 1), usual, of)
        };
        self.judge(LENGTHS.map(ratio).to_vec(), bounds)
    }

    /// With a bound by without one.
    fn bound(&self, bound: Bound, of: fn(&Metrics) -> f64, bounds: Bounds) -> Judged {
        let mut ratios = Vec::new();
        for length in LENGTHS {
            for share in SHARES {
                let at = |bound| Point::usual(Who::Gme(bound), length).with_share(share);
                ratios.push(self.results.ratio(at(bound), at(Bound::None), of));
            }
        }
        self.judge(ratios, bounds)
    }
}

/// What there is to see, in sentences.
pub const REMARKS: &[&str] = &[
    "Where nodes get in each other's way, group mutual exclusion pays: with 3 resources and loads \
     from 0.1 on its wait is between a quarter and a third of that of one lock with critical \
     sections of 1 unit and about a ninth with 10, with fewer messages.",
    "At low load it costs more messages than RL, about 1.8 times as many at 0.001; most of them \
     tell neighbors of heights. At 0.003, with critical sections of 1 unit, it also waits a \
     little longer.",
    "The more resources, the less there is to share: wait, messages and switches grow about \
     linearly with their number. With 10 resources and critical sections of 1 unit hardly \
     anything is left of the gain in time, at twice the messages; with 10 units the wait is still \
     a third.",
    "Up to one link change in 5 units mobility makes hardly a difference to the wait. At one \
     change in every unit it grows by about a tenth, and messages by half with critical sections \
     of 1 unit and to twice as many with 10; RL's wait stays within 3 %, its messages grow as \
     well. It is a steady state: with critical sections of 10 units, over 5,000 entries (seeds 1 \
     to 5), the wait is 42.5 ± 1.4 after the first 500 and 43.5 ± 0.9 after the first 60,000. \
     Before departure D15 it grew, from 54 ± 4 to 77 ± 10.",
    "A popular resource makes the others wait, the more so the longer critical sections are. A \
     bound of 4 on sessions helps them, most at high shares and with critical sections of 10 \
     units. There it helps on the whole, those who want the popular resource included: presumably \
     because a node that waits for another resource does not ask for the popular one meanwhile. \
     With critical sections of 1 unit the popular resource pays a few percent for it. The usual \
     bound of 16 does less.",
    "Not a comparison of like with like: RL promises less, one node at a time.",
];
