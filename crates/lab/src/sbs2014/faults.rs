//! What goes wrong, and how long it takes to mend: each fault of section 8 and the ones it leaves
//! out, in networks that stand still, so that it is known who is a head.
//!
//! Nobody asks before the fault but who has to, then everybody does, again and again. So where the
//! tokens are when it happens is known, too: the global token rests at node 0, which is a head
//! because nobody has a lower identifier.

use driftlock_sim::{Measure, Metrics, Moment, Requests, Scenario, Scripted, Span};

use super::formulas::{Neighbors, heads, network};
use super::grid::{Effort, Quantity, UNITS, Who, plain};
use crate::claim::{self, Judged, Verdict};
use crate::gathered::{Gathered, PointRun};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// None, to compare with.
    None,
    /// The global token gets lost on its way.
    GlobalLost,
    /// A local token gets lost on its way.
    LocalLost,
    /// A member stops in the critical section.
    MemberInside,
    /// A head stops that has no token.
    IdleHead,
    /// A head stops that has the global token.
    HeadWithGlobal,
    /// A head stops while one of its members is inside.
    HeadOfInside,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 7] = [
        Fault::None,
        Fault::GlobalLost,
        Fault::LocalLost,
        Fault::MemberInside,
        Fault::IdleHead,
        Fault::HeadWithGlobal,
        Fault::HeadOfInside,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Fault::None => "none",
            Fault::GlobalLost => "the global token gets lost",
            Fault::LocalLost => "a local token gets lost",
            Fault::MemberInside => "a member stops inside",
            Fault::IdleHead => "a head without a token stops",
            Fault::HeadWithGlobal => "a head with the global token stops",
            Fault::HeadOfInside => "a head stops while its member is inside",
        }
    }

    /// How many entries there are if everyone gets in who has not stopped, whenever it asks. Who
    /// stops inside has got in once.
    fn due(self) -> usize {
        match self {
            Fault::None | Fault::GlobalLost | Fault::LocalLost => ROUNDS * NODES,
            Fault::IdleHead | Fault::HeadWithGlobal => ROUNDS * (NODES - 1),
            Fault::MemberInside | Fault::HeadOfInside => ROUNDS * (NODES - 1) + 1,
        }
    }
}

/// How many nodes there are.
pub const NODES: usize = 50;

/// How often each of them asks.
pub const ROUNDS: usize = 3;

/// When the first node asks, when the fault happens, and when everybody begins to ask, in units.
const ASKS: f64 = 10.0;
const STRIKES: f64 = 20.0;
const BEGIN: f64 = 25.0;

/// The time between two requests, of any nodes.
const APART: f64 = 20.0;

/// How long a critical section takes: long enough for a fault to fall into it.
const STAY: f64 = 15.0;

impl Effort {
    /// The scenario of repetition `k` of a fault; nothing if the network has a single cluster.
    pub fn fault(&self, fault: Fault, k: u64) -> Option<Scenario> {
        let seed = self.seed.wrapping_add(k);
        let graph = network(NODES, seed)?;
        let all = (0..ROUNDS * NODES).map(|k| Scripted {
            at: BEGIN + APART * k as f64,
            request: Some((k % NODES) as u32),
            ..Scripted::default()
        });
        let mut script = strike(fault, &graph)?;
        script.extend(all);
        Some(Scenario {
            critical_section: Span::Constant(STAY),
            requests: Requests { rate: 0.0, ..Requests::default() },
            measure: Some(Measure::default()),
            script,
            ..plain(Who::Cluster, NODES, seed)
        })
    }

    /// All faults.
    pub fn fault_jobs(&self) -> Vec<(Fault, Scenario)> {
        let all =
            |fault| (0..self.repetitions).filter_map(move |k| Some((fault, self.fault(fault, k)?)));
        Fault::ALL.into_iter().flat_map(all).collect()
    }
}

/// What happens, and what has to happen before.
fn strike(fault: Fault, neighbors: &Neighbors) -> Option<Vec<Scripted>> {
    let member = *neighbors[0].first()? as u32;
    let other = *heads(neighbors).get(1)? as u32;
    let request = Scripted { at: ASKS, request: Some(member), ..Scripted::default() };
    let strike = Scripted { at: STRIKES, ..Scripted::default() };
    let lose = |kind: &str| Scripted { lose: Some(kind.into()), ..strike.clone() };
    let stop = |node| Scripted { crash: Some(node), ..strike.clone() };
    Some(match fault {
        Fault::None => Vec::new(),
        Fault::GlobalLost => vec![lose("Global")],
        Fault::LocalLost => vec![lose("Local")],
        Fault::MemberInside => vec![Scripted { once: Some(Moment::Inside), ..stop(member) }],
        Fault::IdleHead => vec![stop(other)],
        Fault::HeadWithGlobal => vec![stop(0)],
        Fault::HeadOfInside => vec![request, stop(0)],
    })
}

/// Entries that somebody should have had who has not stopped.
fn lost(fault: Fault, metrics: &Metrics) -> f64 {
    fault.due() as f64 - metrics.entries as f64
}

/// Entries during which somebody else was inside under a later epoch.
fn deposed(metrics: &Metrics) -> f64 {
    metrics.faults.map_or(0, |faults| faults.deposed) as f64
}

/// Every fault: what is lost, and how long it takes.
pub fn table(results: &Gathered<Fault>) -> Table {
    let headers = [
        "fault",
        "trials",
        "entries lost",
        "deposed",
        "epochs",
        "to recover (s)",
        "mean wait (s)",
        "messages",
    ];
    let title = format!("Faults: {NODES} nodes that stand still, {ROUNDS} requests each");
    let mut table = Table::new(title, headers);
    for fault in Fault::ALL {
        let Some(runs) = results.runs.get(&fault) else { continue };
        let of = |of: &dyn Fn(&Metrics) -> f64| {
            let samples: Vec<f64> = runs.iter().map(|run| of(&run.metrics)).collect();
            Estimate::of(&samples).map_or(Cell::empty(), Cell::from)
        };
        table.row([
            Cell::text(fault.name()),
            Cell::number(runs.len()),
            of(&|metrics| lost(fault, metrics)),
            of(&deposed),
            of(&epochs),
            of(&|metrics| metrics.waiting.max / UNITS),
            of(&|metrics| metrics.waiting.mean / UNITS),
            of(&|metrics| Quantity::Messages.of(metrics) * metrics.entries as f64),
        ]);
    }
    table.note(
        "entries lost: of nodes that have not stopped; deposed: entries during which somebody was \
         inside under a later epoch, so that there were two tokens; two tokens of one epoch are a \
         broken promise, which ends a run; epochs: how many were begun; to recover: the longest \
         wait, somebody asking every 0.2 s; messages: in all, without those that keep clusters",
    );
    table
}

/// What has to hold whatever happens, in every single run.
pub fn claims(results: &Gathered<Fault>) -> Table {
    let none = |wrong: Wrong, what: &str| -> Judged {
        let (wrong, n) = (count(results, wrong)?, results.finished);
        let verdict = if wrong == 0 { Verdict::Yes } else { Verdict::No };
        Some((format!("{what} in {wrong} of {n} runs"), verdict))
    };
    let rows = [
        (
            "whoever has not stopped gets in whenever it asks, and once",
            none(IS_LOST, "entries too few or too many"),
        ),
        (
            "there are no duplicate tokens: in no step two of one epoch, and nobody is deposed, as \
             time-outs are longer than messages take",
            none(IS_DEPOSED, "that promise broken or somebody deposed"),
        ),
        (
            "an epoch begins only if something went wrong",
            none(IS_NEEDLESS, "an epoch, and no fault,"),
        ),
    ];
    claim::table("What has to hold under faults", "it has to hold that", rows)
}

/// Something that must not be in a run.
type Wrong = fn(Fault, &Metrics) -> bool;

const IS_LOST: Wrong = |fault, metrics| lost(fault, metrics) != 0.0;
const IS_DEPOSED: Wrong = |_, metrics| deposed(metrics) > 0.0;
const IS_NEEDLESS: Wrong = |fault, metrics| fault == Fault::None && epochs(metrics) > 0.0;

/// What the algorithm notes when it begins an epoch.
pub(super) const EPOCH: &str = "begin an epoch";

fn epochs(metrics: &Metrics) -> f64 {
    metrics.notes.get(EPOCH).copied().unwrap_or(0) as f64
}

/// In how many runs something is wrong; nothing if runs are missing. A run in which a promise was
/// broken counts, whatever it is.
fn count(results: &Gathered<Fault>, wrong: Wrong) -> Option<usize> {
    let each = |(&fault, runs): (&Fault, &Vec<PointRun>)| {
        runs.iter().filter(|run| wrong(fault, &run.metrics)).count()
    };
    let all = || results.failures.len() + results.runs.iter().map(each).sum::<usize>();
    (0 < results.finished && results.finished == results.planned).then(all)
}

/// Whether nothing is wrong in any run; nothing if runs are missing.
pub(super) fn all_mended(results: &Gathered<Fault>) -> Option<bool> {
    Some(count(results, IS_LOST)? + count(results, IS_DEPOSED)? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_makes_sense_and_strikes_once() {
        for fault in Fault::ALL {
            let scenario = Effort::DEFAULT.fault(fault, 0).unwrap();
            scenario.check().unwrap();
            let strikes = |scripted: &&Scripted| scripted.request.is_none();
            let struck = scenario.script.iter().filter(strikes).count();
            assert_eq!(struck, usize::from(fault != Fault::None), "{fault:?}");
        }
        assert_eq!(Effort::DEFAULT.fault_jobs().len(), 7 * 5);
    }

    #[test]
    fn who_stops_is_not_waited_for() {
        let metrics = Metrics { entries: 148, ..Metrics::default() };
        let lost = |fault| lost(fault, &metrics);
        assert_eq!((lost(Fault::None), lost(Fault::IdleHead)), (2.0, -1.0));
        assert_eq!((lost(Fault::MemberInside), lost(Fault::HeadOfInside)), (0.0, 0.0));
    }

    #[test]
    fn an_entry_too_many_does_not_make_up_for_one_too_few() {
        let run =
            |entries| PointRun { seed: 1, metrics: Metrics { entries, ..Metrics::default() } };
        let all = (ROUNDS * NODES) as u64;
        let gathered = |runs: Vec<PointRun>| Gathered {
            planned: runs.len(),
            finished: runs.len(),
            runs: [(Fault::None, runs)].into(),
            failures: Vec::new(),
        };
        assert_eq!(all_mended(&gathered(vec![run(all), run(all)])), Some(true));
        let wrong = gathered(vec![run(all - 1), run(all + 1)]);
        assert_eq!((count(&wrong, IS_LOST), all_mended(&wrong)), (Some(2), Some(false)));
        assert_eq!(all_mended(&Gathered { planned: 3, ..wrong }), None);
    }
}
