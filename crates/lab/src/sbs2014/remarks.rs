//! How to read the tables, and what they come to, in sentences.
//!
//! What is said of results is taken from them, with numbers. Nothing is said of runs that are
//! missing; why something is to be expected can be said without any.

use super::Results;
use super::faults;
use super::grid::{HEAVY, LIGHT, Point, Quantity, Who};
use crate::stats::Estimate;

const UPKEEP: &str = "Messages that keep clusters are not in the figures, since the paper takes \
clusters for granted. Whoever has no use for clusters otherwise should count them.";

const ROUNDS: &str = "A round of the global token costs as much for one entry as for a hundred, so \
hops per entry have to grow as the load falls, with clusters as with the ring. That follows from \
section 6 too, which has 2 + 1/n messages under heavy load and 1 + m under light load. Only the \
number of messages in all can fall with the load, as Figure 3 has it, and with the ring hardly: \
its token moves all the time as soon as there is always somebody who wants it.";

const ASKERS: &str = "Figures 4 to 6 have the number of requests on their axis. We read it as the \
number of nodes that ask, each at the rate of the load. At light load requests are too rare to \
share a round, and at heavy load each entry takes its own messages, whoever asks; in between there \
is something to share.";

const SPEED: &str = "Where speed hardly matters, as the paper says, that says more of its world \
than of the algorithm: with pauses of 150 s nodes are on their way for less than an eighth of the \
time, whatever their speed, and a faster one changes as many links on its way as a slower one.";

const SATURATION: &str = "The processing time grows with the load until all nodes wait, and is the \
time of a round then. A node that thinks for less long waits for more of that round, so it comes \
to a bound only little by little.";

const FORMULAS: &str = "Section 6 leaves out the over and over&out of its own pseudocode, a \
message for each entry, and local tokens that go over the head because the next in the queue is \
out of range. Where a head itself enters, its request, local token and over go nowhere. So we \
expect 3 - 2/n messages for an entry under heavy load and what goes over the head, where the \
paper has 2 + 1/n: it grows with n, as there are fewer heads among more nodes. The table of the \
messages of an entry has each part. Under light load we expect more than 1 + m: a head that is \
asked has to send after a token that rests (D7), and the token makes another round to find out \
that nobody else wants it. Without that it would never rest, and messages per entry would have no \
bound. From cluster to cluster it takes three messages, over several links, so that the \
synchronization delay is more than T on average.";

const RING: &str = "The ring has no clusters to keep, and its messages are fewer where all nodes \
want to enter in every round. They are larger: its token has the neighbors of all nodes in it, \
which `driftlock compare` counts in bytes. And one message or node that gets lost stops it for \
ever.";

const FAULTS: &str = "What it takes to recover is the time-outs: the token is missed after as long \
as it takes to serve everyone twice, since a round begins where the last one ended and may come to \
its first head last, and to write off who does not answer: that node is asked three times, each \
time for as long as the longest way there could be. Where a message gets lost and no node, all \
answer at once. A head that stops without a token is sent the next one, which is lost then.";

/// All of it.
pub(super) fn of(results: &Results) -> Vec<String> {
    let all = [
        (UPKEEP, upkeep(results)),
        (ROUNDS, hops(results)),
        (ASKERS, None),
        (SPEED, None),
        (SATURATION, None),
        (FORMULAS, None),
        (RING, against(results)),
        (FAULTS, mended(results)),
    ];
    let said = |(reading, measured): (&str, Option<String>)| match measured {
        Some(measured) => format!("{reading} {measured}"),
        None => reading.into(),
    };
    all.map(said).into()
}

/// Ratios of one quantity, if no run is missing.
fn ratio(results: &Results, a: Point, b: Point, quantity: Quantity) -> Option<Estimate> {
    let gathered = &results.gathered;
    let ratio = || gathered.ratio(a, b, |metrics| quantity.of(metrics));
    (gathered.finished == gathered.planned).then(ratio)?
}

fn upkeep(results: &Results) -> Option<String> {
    let gathered = &results.gathered;
    let share = gathered.estimate(Point::usual(Who::Cluster, LIGHT), |metrics| {
        Quantity::Upkeep.of(metrics) / Quantity::Traffic.of(metrics)
    })?;
    let told = || {
        format!(
            "With nodes that move they are {share} times what the algorithm itself sends at light \
             load."
        )
    };
    (gathered.finished == gathered.planned).then(told)
}

fn hops(results: &Results) -> Option<String> {
    let [cluster, ring] = Who::ALL.map(|who| {
        ratio(results, Point::usual(who, LIGHT), Point::usual(who, HEAVY), Quantity::Hops)
    });
    Some(format!(
        "Hops per entry at light load are {} times those at heavy load with clusters, and {} with \
         the ring.",
        cluster?, ring?
    ))
}

fn against(results: &Results) -> Option<String> {
    let at = |load, quantity| {
        let [cluster, ring] = Who::ALL.map(|who| Point::usual(who, load));
        ratio(results, cluster, ring, quantity)
    };
    let both = |load| Some((at(load, Quantity::Messages)?, at(load, Quantity::Wait)?));
    let ((light, light_wait), (heavy, heavy_wait)) = (both(LIGHT)?, both(HEAVY)?);
    Some(format!(
        "Clusters take {light} times the messages of the ring at light load, those that keep \
         clusters left out, and {light_wait} times the wait; at heavy load it is {heavy} and \
         {heavy_wait}."
    ))
}

fn mended(results: &Results) -> Option<String> {
    faults::all_mended(&results.faults)?.then(|| {
        "Every fault was mended here: nothing was lost but what nodes that stopped would have \
         done, and nobody was deposed."
            .into()
    })
}
