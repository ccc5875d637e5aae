//! How many states there will be: [`estimate`].

use std::ops::ControlFlow;
use std::sync::RwLock;

use crate::expand::initial;
use crate::memo::Memo;
use crate::search::{End, Limits, explore};
use crate::setup::{Refusal, Setup};
use crate::site::Checked;

/// A guess at how many states a setup has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// How many states, about.
    pub states: f64,
    /// How much memory they take, about, in bytes.
    pub bytes: f64,
    /// How many events of the environment were tried, and how many states that gave.
    pub tried: (u32, u64),
}

/// More states than this are not tried.
const TRIED_MAX: u64 = 200_000;

/// Guess how many states a setup has, from the same setup with fewer events of its environment.
/// This takes a fraction of a second, and comes within a factor of 3 or so.
///
/// The states in which just so many events have happened are those many ways to choose the events
/// from the budget, times something that grows by about the same factor with each event. The
/// factor is measured as long as that is cheap, and the rest is multiplied out.
pub fn estimate<P: Checked>(setup: &Setup, config: &P::Config) -> Result<Estimate, Refusal> {
    setup.check()?;
    let budget = setup.budget();
    let mut measured: Vec<f64> = Vec::new();
    let (mut tried, mut each) = ((0, 1), 100.0);
    for events in 0..=budget.min(254) {
        let fewer = Setup { events: Some(events as u8), ..setup.clone() };
        let (mut memo, mut row) = Memo::<P>::new(&fewer, config);
        initial(&mut memo, &mut row);
        let limits = Limits { states: TRIED_MAX, ..Limits::default() };
        let watch = &mut |_: &_| ControlFlow::Continue(());
        let explored = explore(&RwLock::new(memo), &row, &limits, watch);
        if explored.end == End::OutOfStates {
            break;
        }
        let states = explored.store.len();
        measured.push(states as f64 - tried.1 as f64 * f64::from(u8::from(events > 0)));
        tried = (events, states as u64);
        if states > 1000 {
            each = explored.progress.bytes as f64 / states as f64;
        }
    }
    let states = extrapolate(&measured, &ways(setup), budget as usize);
    Ok(Estimate { states, bytes: states * each, tried })
}

/// In how many ways so many events can be chosen from the budget, for each number of them.
fn ways(setup: &Setup) -> Vec<f64> {
    let Setup { link_changes, timeouts, losses, duplications, crashes, restarts, .. } = *setup;
    // Each node that is killed has so many links to come up again, on average.
    let links = setup.graph.n_links() + setup.coming.len();
    let comebacks = usize::from(restarts) * 2 * links / setup.graph.n_nodes();
    let comebacks = u8::try_from(comebacks).unwrap_or(u8::MAX);
    let others = [link_changes, timeouts, losses, duplications, crashes, restarts, comebacks];
    let mut ways = vec![1.0];
    let coming = setup.coming.iter().map(|_| &1);
    for &most in setup.requests.iter().chain(&others).chain(coming) {
        let mut more = vec![0.0; ways.len() + usize::from(most)];
        for (chosen, number) in ways.iter().enumerate() {
            for of_this in 0..=usize::from(most) {
                more[chosen + of_this] += number;
            }
        }
        ways = more;
    }
    ways
}

/// How many states there are, from how many there are with just 0, 1, 2 and so on events.
fn extrapolate(measured: &[f64], ways: &[f64], budget: usize) -> f64 {
    let each: Vec<f64> = measured.iter().zip(ways).map(|(states, ways)| states / ways).collect();
    // A network that is too large even for one event grows by more than any that was measured.
    let factor = match each[..] {
        [.., before, last] if before > 0.0 && last > 0.0 => last / before,
        _ => 100.0,
    };
    let mut states: f64 = measured.iter().sum();
    let mut last = each.last().copied().unwrap_or(1.0);
    for more in ways.iter().take(budget + 1).skip(measured.len()) {
        last *= factor;
        states += more * last;
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_events() {
        let setup = Setup { link_changes: 2, ..Setup::new(driftlock_core::Graph::new(2)) };
        assert_eq!(ways(&setup), [1.0, 3.0, 4.0, 3.0, 1.0]);
    }

    #[test]
    fn what_grows_evenly_goes_on_so() {
        let ways = [1.0, 3.0, 3.0, 1.0];
        assert_eq!(extrapolate(&[1.0, 30.0], &ways, 3), 1.0 + 30.0 + 300.0 + 1000.0);
        assert_eq!(extrapolate(&[1.0, 30.0, 300.0, 1000.0], &ways, 3), 1331.0);
    }
}
