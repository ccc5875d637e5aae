//! As `canonical.rs`, for protocols that let several nodes in at once: a network whose numbers are
//! shifted, or whose processes forget, takes the same steps.

use driftlock_core::{Canonical, Graph, Initial, Input, Level, Out, Protocol, Status};
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme1::{self, Coloring, Lme1};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::raymond_k::{self, RaymondK};
use driftlock_protocols::ring::Ring;

use crate::storms::{Storm, Weather};

fn shift(process: &mut impl Canonical) {
    process.levels(&mut |level, number| {
        *number += match level {
            Level::Shared(kind) => 1000 + 100 * i64::from(kind),
            Level::Of(node) | Level::Below(node) => 10 + i64::from(node.0),
            Level::Sender | Level::Receiver => unreachable!("a process is neither"),
        };
    });
}

/// A process, shifted before it begins, and forgetful.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Other<P>(P);

impl<P: Canonical> Protocol for Other<P> {
    type Msg = P::Msg;
    type Timer = P::Timer;

    fn step(&mut self, input: Input<P::Msg, P::Timer>, out: &mut Out<P::Msg, P::Timer>) {
        self.0.step(input, out);
        self.0.forget();
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

impl<P: Canonical + Initial> Initial for Other<P> {
    type Config = P::Config;

    fn initial(graph: &Graph, config: &P::Config) -> Vec<Self> {
        let mut processes = P::initial(graph, config);
        processes.iter_mut().for_each(shift);
        processes.into_iter().map(Other).collect()
    }
}

fn goes_unnoticed<P: Canonical + Initial>(config: &P::Config, weather: Weather) {
    for seed in 0..400 {
        let mut plain: Storm<P> = Storm::new(4, seed, config);
        let mut other: Storm<Other<P>> = Storm::new(4, seed, config);
        let ends = [plain.run(weather, &|_| {}), other.run(weather, &|_| {})];
        assert_eq!(ends[0], ends[1], "seed {seed} {config:?}");
        let lines = |story: &str| story.lines().count();
        assert_eq!(lines(&plain.stage.story), lines(&other.stage.story));
        for (process, other) in plain.stage.processes.iter_mut().zip(&other.stage.processes) {
            shift(process);
            process.forget();
            assert_eq!(*process, other.0, "seed {seed}");
        }
    }
}

#[test]
fn a_shift_and_forgetting_go_unnoticed_by_gme() {
    let weather = Weather { requests: 10, resources: 2, changes: 6, overtaking: false };
    goes_unnoticed::<Gme>(&gme::Config { units: 3, ..gme::Config::default() }, weather);
    goes_unnoticed::<Gme>(&gme::Config::from(Variant::Published), weather);
}

#[test]
fn a_shift_goes_unnoticed_by_lme1() {
    let weather = Weather { requests: 12, resources: 1, changes: 8, overtaking: false };
    for coloring in [Coloring::Greedy, Coloring::Linial { n: 1000, degree: 1 }] {
        for variant in [Variant::Repaired, Variant::Published] {
            goes_unnoticed::<Lme1>(&lme1::Config { variant, coloring }, weather);
        }
    }
}

#[test]
fn a_shift_goes_unnoticed_by_lme2() {
    let weather = Weather { requests: 12, resources: 1, changes: 8, overtaking: false };
    for notifies in [true, false] {
        let config = lme2::Config { notifies, ..lme2::Config::default() };
        goes_unnoticed::<Lme2>(&config, weather);
    }
    goes_unnoticed::<Lme2>(&lme2::Config::from(Variant::Published), weather);
}

#[test]
fn a_shift_goes_unnoticed_by_raymond_k() {
    let weather = Weather { requests: 12, resources: 1, changes: 0, overtaking: true };
    for tokens in [1, 2] {
        goes_unnoticed::<RaymondK>(&raymond_k::Config { tokens }, weather);
    }
}

#[test]
fn a_shift_and_forgetting_go_unnoticed_by_krl() {
    let weather = Weather { requests: 10, resources: 1, changes: 6, overtaking: false };
    for tokens in [1, 3] {
        for forwarding in [Forwarding::Never, Forwarding::Adaptive] {
            let config = krl::Config::new(Variant::Repaired, tokens, forwarding);
            goes_unnoticed::<Krl>(&krl::Config { detects: false, ..config.clone() }, weather);
            goes_unnoticed::<Krl>(&config, weather);
        }
    }
    goes_unnoticed::<Krl>(&krl::Config::new(Variant::Published, 1, Forwarding::Never), weather);
}

#[test]
fn a_shift_goes_unnoticed_by_the_ring() {
    let weather = Weather { requests: 12, resources: 1, changes: 8, overtaking: true };
    goes_unnoticed::<Ring>(&(), weather);
}
