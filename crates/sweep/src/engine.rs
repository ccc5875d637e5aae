//! All threads at work: [`conduct`].
//!
//! What is handed out is single repetitions, so that few cells with many repetitions keep all
//! threads busy, too. Where it depends on the repetitions before whether there is a next one, it is
//! begun all the same if there is nothing else to do, and its result is dropped if it was not
//! wanted. So which repetitions are kept depends on the cell alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use driftlock_sim::Scenario;

use crate::RunOne;
use crate::outcome::{Done, Outcome, Status};
use crate::plan::Plan;

/// What is to be done, and by whom.
pub struct Work<'a> {
    /// All cells.
    pub plan: &'a Plan,
    /// Those to be run.
    pub cells: &'a [usize],
    /// How many threads there are. Results do not depend on it.
    pub threads: usize,
    /// Once this is set no further run is begun, and those under way count for nothing.
    pub stop: &'a AtomicBool,
    /// How a scenario is run.
    pub run: &'a RunOne<'a>,
    /// Told of every run that is finished, with the number of cells that are.
    pub tell: &'a (dyn Fn(usize) + Sync),
}

/// Run cells. Each that is finished is given to `keep`, in any order. If that fails, nothing more
/// is done.
pub fn conduct<E: Send>(
    work: &Work<'_>,
    keep: &(dyn Fn(usize, Outcome) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let desk =
        Mutex::new(Desk { plan: work.plan, left: work.cells, open: Vec::new(), finished: 0 });
    let failure: Mutex<Option<E>> = Mutex::new(None);
    let given_up = AtomicBool::new(false);
    let at_desk = || desk.lock().expect("no thread panics at the desk");
    let labor = || {
        while !work.stop.load(Ordering::Relaxed) && !given_up.load(Ordering::Relaxed) {
            let Some((cell, k)) = at_desk().next() else { break };
            let scenario = work.plan.cells[cell].repetition(k);
            let Some(done) = attempt(work.run, &scenario) else { continue };
            let (finished, outcome) = {
                let mut desk = at_desk();
                let outcome = desk.done(cell, k, done);
                (desk.finished, outcome)
            };
            if let Some(outcome) = outcome
                && let Err(error) = keep(cell, outcome)
            {
                given_up.store(true, Ordering::Relaxed);
                failure.lock().expect("no thread panics with an error").get_or_insert(error);
            }
            (work.tell)(finished);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..work.threads.max(1) {
            // A machine that has no further thread to give does the work with those it has.
            if std::thread::Builder::new().spawn_scoped(scope, labor).is_err() {
                break;
            }
        }
        labor();
    });
    failure.into_inner().expect("no thread panics with an error").map_or(Ok(()), Err)
}

/// Run a scenario. Nothing if it was interrupted.
fn attempt(run: &RunOne<'_>, scenario: &Scenario) -> Option<Done> {
    match catch_unwind(AssertUnwindSafe(|| run(scenario))) {
        Ok(Ok(run)) if run.interrupted => None,
        Ok(Ok(run)) => Some(Done::of(&run)),
        Ok(Err(why)) => Some(Done::without(Status::Refused(why))),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it gave up");
            Some(Done::without(Status::Panicked(said.into())))
        }
    }
}

/// Where repetitions are handed out, and what came of them is put together.
struct Desk<'a> {
    plan: &'a Plan,
    /// The cells that are not begun.
    left: &'a [usize],
    /// The cells that are begun and not finished.
    open: Vec<Open>,
    finished: usize,
}

/// A cell that is begun.
struct Open {
    cell: usize,
    /// How many repetitions were handed out.
    begun: u64,
    /// The first repetitions, without a gap.
    first: Vec<Done>,
    /// What came of repetitions after a gap.
    early: Vec<(u64, Done)>,
}

impl Desk<'_> {
    /// A repetition to run: one that is wanted for certain, else one that may be.
    fn next(&mut self) -> Option<(usize, u64)> {
        let rule = &self.plan.rule;
        let certain = |open: &Open| rule.least().max(open.first.len() as u64 + 1);
        let wanted = self.open.iter().position(|open| open.begun < certain(open).min(rule.most()));
        if let Some(at) = wanted {
            return Some(self.open[at].begin());
        }
        if let Some((&cell, left)) = self.left.split_first() {
            self.left = left;
            self.open.push(Open { cell, begun: 0, first: Vec::new(), early: Vec::new() });
            return self.open.last_mut().map(Open::begin);
        }
        let perhaps = self.open.iter_mut().filter(|open| open.begun < rule.most());
        perhaps.min_by_key(|open| open.begun - open.first.len() as u64).map(Open::begin)
    }

    /// A repetition is done. Returns what came of its cell if that is finished with it.
    fn done(&mut self, cell: usize, k: u64, done: Done) -> Option<Outcome> {
        let at = self.open.iter().position(|open| open.cell == cell)?;
        let open = &mut self.open[at];
        open.early.push((k, done));
        while let Some(next) = open.early.iter().position(|(k, _)| *k == open.first.len() as u64) {
            open.first.push(open.early.swap_remove(next).1);
            if self.plan.rule.ends_with(&open.first) {
                self.finished += 1;
                return Some(Outcome { runs: self.open.remove(at).first });
            }
        }
        None
    }
}

impl Open {
    fn begin(&mut self) -> (usize, u64) {
        self.begun += 1;
        (self.cell, self.begun - 1)
    }
}
