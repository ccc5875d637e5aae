//! A failing schedule, made short: [`shrink`].
//!
//! This is the delta debugging of Zeller and Hildebrandt, *Simplifying and Isolating
//! Failure-Inducing Input* (2002). First a few actions in a row are tried alone, from any part of
//! the schedule; with luck they do the same to a fresh network. Then actions are deleted, all of a
//! kind, half of them, quarters, and less, until no single one can go. What a deletion makes
//! impossible is skipped, so that a schedule with a hole is a schedule still. At last links go that
//! the network can start without, and actions again.
//!
//! Where a crash takes all links of its node down at once, and nothing is lost but what that node
//! had sent, it stays so: a crash that nobody is told of is another fault. On a mesh anything may
//! be lost at any time.

use std::mem::discriminant;

use driftlock_spec::Promise;
use driftlock_spec::progress::Calm;

use crate::enact::Play;
use crate::{Action, Replayable, Setting};

/// A short schedule that breaks a promise.
#[derive(Clone, PartialEq, Debug)]
pub struct Shrunk<T> {
    /// The world it runs in, with fewer links than before.
    pub setting: Setting,
    /// All that happens, and nothing of it is impossible.
    pub schedule: Vec<Action<T>>,
    /// How it ends: the `calm` for [`enact`](crate::enact).
    pub calm: Option<Calm>,
}

/// Find a short schedule that breaks the same promise as `schedule` does. Nothing is returned if
/// `schedule` does not break it.
///
/// A promise of progress is broken only at the end of a calm. There, whatever is bound to happen
/// happens in turns, until there is nothing left or until it has gone on for long enough; these
/// actions are in the result as well.
pub fn shrink<P: Replayable>(
    setting: &Setting,
    config: &P::Config,
    schedule: &[Action<P::Timer>],
    promise: Promise,
) -> Option<Shrunk<P::Timer>> {
    let mut best = Failure::of::<P>(setting, config, schedule, promise)?;
    let orderly = best.orderly;
    let trial = |setting: &Setting, storm: &[Action<P::Timer>]| {
        let failure = Failure::of::<P>(setting, config, storm, promise);
        failure.filter(|failure| failure.orderly || !orderly)
    };
    let mut setting = setting.clone();
    best = a_few_in_a_row(&best.storm, |storm| trial(&setting, storm)).unwrap_or(best);
    loop {
        best = with_fewer_actions(best, |storm| trial(&setting, storm));
        let n_links = setting.graph.n_links();
        for (a, b) in setting.clone().graph.links() {
            let mut fewer = setting.clone();
            fewer.graph.unlink(a, b);
            let failure = trial(&fewer, &best.storm);
            if let Some(failure) = failure.filter(|failure| failure.length() <= best.length()) {
                (setting, best) = (fewer, failure);
            }
        }
        if setting.graph.n_links() == n_links {
            let schedule = [best.storm, best.aftermath].concat();
            return Some(Shrunk { setting, schedule, calm: best.calm });
        }
    }
}

/// The first window of actions that will do, the shortest windows first.
fn a_few_in_a_row<T>(
    storm: &[Action<T>],
    trial: impl Fn(&[Action<T>]) -> Option<Failure<T>>,
) -> Option<Failure<T>> {
    let sizes = (3..).map(|k| 1 << k).take_while(|&size| size < storm.len());
    let windows = sizes.flat_map(|size| {
        (0..storm.len()).step_by(size / 2).map(move |k| &storm[k..storm.len().min(k + size)])
    });
    windows.map(trial).find(Option::is_some).flatten()
}

/// Delete actions until no single one can go.
fn with_fewer_actions<T: Clone>(
    mut best: Failure<T>,
    trial: impl Fn(&[Action<T>]) -> Option<Failure<T>>,
) -> Failure<T> {
    for kind in best.storm.iter().map(discriminant).collect::<Vec<_>>() {
        let mut others = best.storm.clone();
        others.retain(|action| discriminant(action) != kind);
        if others.len() < best.storm.len() {
            best = trial(&others).unwrap_or(best);
        }
    }
    let mut size = best.storm.len().div_ceil(2);
    while size > 0 {
        let length = best.storm.len();
        let mut start = 0;
        while start < best.storm.len() {
            let end = (start + size).min(best.storm.len());
            match trial(&[&best.storm[..start], &best.storm[end..]].concat()) {
                Some(shorter) => best = shorter,
                None => start += size,
            }
        }
        // The last round is one of single actions of which none could go.
        size = if size == 1 && best.storm.len() < length { 1 } else { size / 2 };
    }
    best
}

/// A run that breaks the promise.
struct Failure<T> {
    /// What happened of what was asked for.
    storm: Vec<Action<T>>,
    /// What happened in the calm.
    aftermath: Vec<Action<T>>,
    calm: Option<Calm>,
    /// Whether links and messages of nodes that crashed went with them, and nothing else was lost.
    orderly: bool,
}

impl<T: Clone> Failure<T> {
    fn of<P: Replayable<Timer = T>>(
        setting: &Setting,
        config: &P::Config,
        storm: &[Action<T>],
        promise: Promise,
    ) -> Option<Self> {
        // A network that is not connected is nothing to start from.
        let mut play: Play<'_, P> = Play::new(setting, config).ok()?;
        let mut failure =
            Failure { storm: Vec::new(), aftermath: Vec::new(), calm: None, orderly: true };
        for action in storm {
            failure.orderly &= play.is_over() || is_orderly(&play, action);
            act_all(&mut play, std::slice::from_ref(action), &mut failure.storm);
        }
        failure.orderly &= play.is_over() || !play.has_loose_end();
        let of_calm = [Promise::NoStarvation, Promise::Silence, Promise::Reachability];
        // Who gets in together does so before anyone leaves.
        let stay = promise == Promise::ConcurrentEntering;
        if stay || of_calm.contains(&promise) {
            let rounds = long_enough(setting.graph.n_nodes());
            failure.calm = Some(calm_down(&mut play, rounds, stay, &mut failure.aftermath));
        }
        let enacted = play.finish(failure.calm).ok()?;
        enacted.violation.filter(|violation| violation.promise == promise)?;
        Some(failure)
    }

    fn length(&self) -> usize {
        self.storm.len() + self.aftermath.len()
    }
}

/// Whether an action comes at the right time: after a crash its links and messages go first, and
/// no other messages are lost, unless it is a mesh.
fn is_orderly<P: Replayable>(play: &Play<'_, P>, action: &Action<P::Timer>) -> bool {
    match *action {
        Action::Lose { from, .. } => play.is_mesh() || play.has_crashed(from),
        Action::LinkDown { a, b } if play.has_crashed(a) || play.has_crashed(b) => true,
        _ => !play.has_loose_end(),
    }
}

/// Let all of `actions` happen that can. What happened is added to `happened`.
fn act_all<P: Replayable>(
    play: &mut Play<'_, P>,
    actions: &[Action<P::Timer>],
    happened: &mut Vec<Action<P::Timer>>,
) {
    for action in actions {
        // Nothing is written, so nothing can go wrong with it.
        if !play.is_over() && play.act(action).unwrap_or(false) {
            happened.push(action.clone());
        }
    }
}

/// Round by round, let everything happen that is bound to; but who is to `stay` inside does.
fn calm_down<P: Replayable>(
    play: &mut Play<'_, P>,
    rounds: usize,
    stay: bool,
    happened: &mut Vec<Action<P::Timer>>,
) -> Calm {
    for _ in 0..rounds {
        let mut pending = play.pending();
        pending.retain(|action| !stay || !matches!(action, Action::Release(_)));
        if pending.is_empty() || play.is_over() {
            return Calm::Silent;
        }
        act_all(play, &pending, happened);
    }
    Calm::Restless
}

/// Enough rounds for all nodes to be served one after the other, each over the longest detour,
/// after everything has settled.
fn long_enough(n_nodes: usize) -> usize {
    (2 * n_nodes + 2) * (4 * n_nodes + 1)
}
