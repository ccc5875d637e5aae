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
const TRIED_MAX: u64 = 60_000;

/// Guess how many states a setup has, from the same setup with fewer events of its environment.
/// This takes a fraction of a second.
///
/// Each event more multiplies the number of states, by a factor that shrinks as there are fewer
/// events left to choose from. The factors are measured as long as that is cheap, and continued
/// from there with the rate at which they shrink.
pub fn estimate<P: Checked>(setup: &Setup, config: &P::Config) -> Result<Estimate, Refusal> {
    setup.check()?;
    let budget = setup.budget();
    let mut measured: Vec<f64> = Vec::new();
    let (mut tried, mut each) = ((0, 1), 100.0);
    for events in 0..=budget {
        let fewer = Setup { events: Some(events.min(254) as u8), ..setup.clone() };
        let (mut memo, mut row) = Memo::<P>::new(&fewer, config);
        initial(&mut memo, &mut row);
        let limits = Limits { states: TRIED_MAX, ..Limits::default() };
        let watch = &mut |_: &_| ControlFlow::Continue(());
        let explored = explore(&RwLock::new(memo), &row, &limits, watch);
        if explored.end == End::OutOfStates {
            break;
        }
        let states = explored.store.len();
        measured.push(states as f64);
        tried = (events, states as u64);
        if states > 1000 {
            each = explored.progress.bytes as f64 / states as f64;
        }
    }
    let states = extrapolate(&measured, budget as usize);
    Ok(Estimate { states, bytes: states * each, tried })
}

/// The number of states with `budget` events, from those with 0, 1, 2 and so on.
fn extrapolate(measured: &[f64], budget: usize) -> f64 {
    let factors: Vec<f64> = measured.windows(2).map(|pair| pair[1] / pair[0]).collect();
    let (last, before) = match factors[..] {
        // Nothing to go by: a network that is too large even for one event.
        [] => return if budget == 0 { measured.last().copied().unwrap_or(1.0) } else { 1e18 },
        [only] => (only, only),
        [.., before, last] => (last, before),
    };
    let shrinking = (last / before).clamp(0.5, 1.0);
    let missing = (budget + 1).saturating_sub(measured.len());
    let (mut states, mut factor) = (measured[measured.len() - 1], last);
    for _ in 0..missing {
        factor = (factor * shrinking).max(1.5);
        states *= factor;
    }
    states
}
